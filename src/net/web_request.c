/* SPDX-License-Identifier: MIT
 *
 * Checks of a request before its body is read: who may ask, and what the address means.
 */
#include "net/web_request.h"

#include "base/charset.h"
#include "base/text.h"

#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- names ---- */

/* A numeric address, IPv4 or IPv6, without brackets. */
static bool is_address(const char *text) {
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

/* Characters of names, addresses and ports; nothing that could break a header or a message. */
static bool is_name(const char *text) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]";
    const size_t length = strlen(text);
    return length > 0 && length < WEB_GUARD_NAME_MAX && strspn(text, allowed) == length;
}

/* As they stand in a Host header: an address with colons in brackets. */
static bool add_name(struct web_guard *guard, const char *name, unsigned schemes, bool exact, struct err *e) {
    if (!is_name(name))
        return err_set(e, "'%.100s' is no name of a host", name);
    if (guard->name_count == WEB_GUARD_NAMES_MAX)
        return err_set(e, "more than %d names of hosts", WEB_GUARD_NAMES_MAX);
    const bool is_bare = strchr(name, ':') != NULL && is_address(name);
    struct web_guard_name *out = &guard->names[guard->name_count++];
    snprintf(out->text, sizeof out->text, is_bare ? "[%.250s]" : "%.255s", name);
    out->schemes = schemes;
    out->exact = exact;
    return true;
}

/* All of 127.0.0.0/8 is this machine. */
bool web_guard_is_loopback(const char *bind) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, bind, &v4) == 1)
        return ntohl(v4.s_addr) >> 24 == 127;
    if (inet_pton(AF_INET6, bind, &v6) == 1)
        return IN6_IS_ADDR_LOOPBACK(&v6);
    return strcasecmp(bind, "localhost") == 0;
}

/* The names of the loopback are always ours: the command prints such an address. */
bool web_guard_init(struct web_guard *guard, const char *bind, const char *const *hosts, struct err *e) {
    assert(hosts != NULL);
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    struct in6_addr v6;
    const bool everywhere =
        strcmp(bind, "0.0.0.0") == 0 || (inet_pton(AF_INET6, bind, &v6) == 1 && IN6_IS_ADDR_UNSPECIFIED(&v6));
    *guard = (struct web_guard){.any_address = everywhere};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        add_name(guard, own[i], WEB_GUARD_HTTP, false, e);
    if (!add_name(guard, bind, WEB_GUARD_HTTP, false, e))
        return false;
    for (; *hosts != NULL; hosts++)
        if (!add_name(guard, *hosts, WEB_GUARD_HTTP | WEB_GUARD_HTTPS, false, e))
            return false;
    return true;
}

/* Where the port begins in "name:port" or "[address]:port"; the end when there is none. */
static const char *port_of(const char *host) {
    const char *bracket = strrchr(host, ']'), *colon = strrchr(host, ':');
    return colon != NULL && (bracket == NULL || colon > bracket) ? colon : host + strlen(host);
}

/* ---- schemes ---- */

/* Browsers leave out the port that a scheme has by default. */
static const struct scheme {
    const char *text, *port; /* "http://", and the port that stands for itself */
    unsigned bit;
} schemes[] = {{"http://", ":80", WEB_GUARD_HTTP}, {"https://", ":443", WEB_GUARD_HTTPS}};

/* NULL: neither; `rest` is the part after it, "" without one. */
static const struct scheme *scheme_of(const char *origin, const char **rest) {
    *rest = "";
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        const size_t size = strlen(schemes[i].text);
        if (strncasecmp(origin, schemes[i].text, size) == 0) {
            *rest = origin + size;
            return &schemes[i];
        }
    }
    return NULL;
}

/* Browsers omit the scheme's default port, some proxies do not: both forms are accepted. */
bool web_guard_add_origin(struct web_guard *guard, const char *origin, struct err *e) {
    const char *rest;
    const struct scheme *scheme = scheme_of(origin, &rest);
    char name[WEB_GUARD_NAME_MAX], with_port[WEB_GUARD_NAME_MAX];
    size_t size = strlen(rest);
    if (size > 0 && rest[size - 1] == '/')
        size--;
    snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : 0), rest);
    char *port = name + (port_of(name) - name);
    long number = 1;
    if (!is_name(name) || port == name || strlen(name) + strlen(":443") >= sizeof name ||
        (*port != '\0' && (!text_to_int(port + 1, &number) || number < 1 || number > 65535)))
        return err_set(e, "'%.100s' is no origin; expected https://NAME or https://NAME:PORT", origin);
    if (guard->origin_count == WEB_GUARD_ORIGINS_MAX)
        return err_set(e, "more than %d origins", WEB_GUARD_ORIGINS_MAX);
    if (strcmp(port, scheme->port) == 0)
        *port = '\0';
    snprintf(guard->origins[guard->origin_count++], sizeof guard->origins[0], "%s%s", scheme->text, name);
    snprintf(with_port, sizeof with_port, "%.250s%s", name, scheme->port);
    return add_name(guard, name, scheme->bit, true, e) &&
           (*port != '\0' || add_name(guard, with_port, scheme->bit, true, e));
}

/* ---- headers ---- */

/* Names are compared without regard to case, like in DNS. */
static unsigned schemes_of(const struct web_guard *guard, const char *name, bool exact) {
    unsigned found = 0;
    for (int i = 0; i < guard->name_count; i++)
        if ((exact || !guard->names[i].exact) && strcasecmp(guard->names[i].text, name) == 0)
            found |= guard->names[i].schemes;
    return found;
}

/* A numeric Host cannot be the result of DNS rebinding: no name was looked up. */
static bool is_bracketed_address(const char *name) {
    char inside[WEB_GUARD_NAME_MAX];
    const size_t length = strlen(name);
    if (name[0] != '[' || name[length - 1] != ']')
        return strchr(name, ':') == NULL && is_address(name);
    snprintf(inside, sizeof inside, "%.*s", (int)length - 2, name + 1);
    return is_address(inside);
}

/* A Host without a port is accepted with any port of ours: a proxy may have removed it. */
unsigned web_guard_schemes(const struct web_guard *guard, const char *host) {
    char name[WEB_GUARD_NAME_MAX];
    if (host == NULL || !is_name(host))
        return 0;
    unsigned found = schemes_of(guard, host, true);
    const char *port = port_of(host);
    char ours[16];
    snprintf(ours, sizeof ours, ":%d", guard->port);
    if ((*port != '\0' && strcmp(port, ours) != 0) || port == host)
        return found;
    snprintf(name, sizeof name, "%.*s", (int)(port - host), host);
    found |= schemes_of(guard, name, false);
    return guard->any_address && is_bracketed_address(name) ? found | WEB_GUARD_HTTP : found;
}

/* "null" (a file, a sandboxed frame) has no scheme and is refused. */
bool web_guard_origin(const struct web_guard *guard, const char *origin, const char *host) {
    const char *rest;
    for (int i = 0; i < guard->origin_count; i++)
        if (strcasecmp(guard->origins[i], origin) == 0)
            return true;
    const struct scheme *scheme = scheme_of(origin, &rest);
    return scheme != NULL && (web_guard_schemes(guard, host) & scheme->bit) != 0 &&
           strcasecmp(rest, host) == 0;
}

bool web_guard_token(const char *token, const char *given) {
    if (token[0] == '\0' || given == NULL)
        return token[0] == '\0';
    const size_t size = strlen(token), given_size = strlen(given);
    unsigned char difference = size != given_size;
    for (size_t i = 0; i < given_size; i++)
        difference |= (unsigned char)(token[i % size] ^ given[i]);
    return difference == 0;
}

/* ---- web target ---- */

/* A part of the address that is decoded on its own. */
struct piece {
    const char *from;
    size_t size;
    const char *what; /* for sentences */
    bool plus_is_blank;
};

/* %-escapes are decoded once. Control characters and broken UTF-8 would end up in logs, files and answers. */
static bool decode(const struct piece *piece, char *out, size_t out_size, struct err *e) {
    size_t length = 0;
    for (size_t i = 0; i < piece->size; i++) {
        const char *from = piece->from + i;
        char c = piece->plus_is_blank && *from == '+' ? ' ' : *from;
        if (length + 1 >= out_size)
            return err_set(e, "the %s is longer than %zu characters", piece->what, out_size - 1);
        if (c == '%') {
            if (piece->size - i < 3 || !isxdigit((unsigned char)from[1]) || !isxdigit((unsigned char)from[2]))
                return err_set(e, "the %s has a '%%' that two hexadecimal digits do not follow", piece->what);
            c = (char)strtol((const char[]){from[1], from[2], '\0'}, NULL, 16);
            i += 2;
        }
        if ((unsigned char)c < 0x20 || c == 0x7F)
            return err_set(e, "the %s has a control character", piece->what);
        out[length++] = c;
    }
    out[length] = '\0';
    return charset_is_utf8(out, length) || err_set(e, "the %s is not UTF-8", piece->what);
}

/* Refuses segments that climb, or that another reader might skip. */
static bool check_segments(const char *path, struct err *e) {
    if (path[0] != '/')
        return err_set(e, "the path does not begin with '/'");
    if (strchr(path, '\\') != NULL)
        return err_set(e, "the path has a backslash");
    for (const char *segment = path; segment != NULL; segment = strchr(segment, '/')) {
        segment++;
        const size_t size = strcspn(segment, "/");
        const bool is_last = segment[size] == '\0';
        if ((size == 0 && !(is_last && segment == path + 1)) || (size == 1 && segment[0] == '.') ||
            (size == 2 && memcmp(segment, "..", 2) == 0))
            return err_set(e, "the path has a segment that is '.', '..' or empty");
    }
    return true;
}

/* A parameter that comes twice is refused: readers differ in which one counts. */
static bool read_parameter(const char *text, size_t size, struct web_target *out, struct message_in *in,
                           struct err *e) {
    const char *equals = memchr(text, '=', size);
    const size_t name_size = equals != NULL ? (size_t)(equals - text) : size;
    const struct piece name = {text, name_size, "name of a parameter", true};
    const struct piece value = {equals != NULL ? equals + 1 : text, equals != NULL ? size - name_size - 1 : 0,
                                "value of a parameter", true};
    const int i = in->query_count;
    if (i == MESSAGE_QUERY_MAX)
        return err_set(e, "more than %d parameters", MESSAGE_QUERY_MAX);
    if (!decode(&name, out->names[i], MESSAGE_VALUE_MAX, e) ||
        !decode(&value, out->values[i], MESSAGE_VALUE_MAX, e))
        return false;
    if (message_query(in, out->names[i]) != NULL)
        return err_set(e, "the parameter '%s' is there twice", out->names[i]);
    in->query[in->query_count++] = (struct message_query){out->names[i], out->values[i]};
    return true;
}

/* The path is judged after decoding: "%2e%2e" is "..". */
bool web_target_read(const char *raw, struct web_target *out, struct message_in *in, struct err *e) {
    const size_t path_size = strcspn(raw, "?");
    const struct piece path = {raw, path_size, "path", false};
    out->path[0] = '\0';
    in->path = out->path;
    in->query_count = 0;
    if (!decode(&path, out->path, sizeof out->path, e) || !check_segments(out->path, e))
        return false;
    for (const char *at = raw + path_size; *at != '\0';) {
        at++;
        const size_t size = strcspn(at, "&");
        if (size > 0 && !read_parameter(at, size, out, in, e))
            return false;
        at += size;
    }
    return true;
}

/* A weight of 0 ("gzip;q=0", "q=0.000") means the opposite. */
bool web_accepts(const char *list, const char *word) {
    const size_t size = strlen(word);
    while (list != NULL && *list != '\0') {
        list += strspn(list, " \t,");
        const size_t length = strcspn(list, " \t,;"), whole = strcspn(list, ",");
        if (length == size && strncasecmp(list, word, size) == 0) {
            const char *weight = strstr(list, "q=0");
            return weight == NULL || weight >= list + whole ||
                   strspn(weight + 2, "0.") < strcspn(weight + 2, ", \t");
        }
        list += whole;
    }
    return false;
}
