/* SPDX-License-Identifier: MIT */
#include "net/web_guard.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- names ---- */

static bool is_address(const char *text) {
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

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

bool web_guard_is_loopback(const char *bind) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, bind, &v4) == 1)
        return ntohl(v4.s_addr) >> 24 == 127;
    if (inet_pton(AF_INET6, bind, &v6) == 1)
        return IN6_IS_ADDR_LOOPBACK(&v6);
    return strcasecmp(bind, "localhost") == 0;
}

static bool is_everywhere(const char *bind) {
    struct in6_addr v6;
    return strcmp(bind, "0.0.0.0") == 0 ||
           (inet_pton(AF_INET6, bind, &v6) == 1 && IN6_IS_ADDR_UNSPECIFIED(&v6));
}

bool web_guard_init(struct web_guard *guard, const char *bind, const char *const *hosts, struct err *e) {
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    *guard = (struct web_guard){.any_address = is_everywhere(bind), .token = ""};
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

struct scheme {
    const char *text, *port; /* "http://", and the port that stands for itself */
    unsigned bit;
};

static const struct scheme schemes[] = {{"http://", ":80", WEB_GUARD_HTTP},
                                        {"https://", ":443", WEB_GUARD_HTTPS}};

/* NULL: neither; `rest` is what follows. */
static const struct scheme *scheme_of(const char *origin, const char **rest) {
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        const size_t size = strlen(schemes[i].text);
        *rest = origin + size;
        if (strncasecmp(origin, schemes[i].text, size) == 0)
            return &schemes[i];
    }
    return NULL;
}

/* Browsers leave the scheme's own port out, some proxies do not: the name is known both ways. */
bool web_guard_add_origin(struct web_guard *guard, const char *origin, struct err *e) {
    const char *rest;
    const struct scheme *scheme = scheme_of(origin, &rest);
    char name[WEB_GUARD_NAME_MAX], with_port[WEB_GUARD_NAME_MAX];
    size_t size = scheme != NULL ? strlen(rest) : 0;
    if (size > 0 && rest[size - 1] == '/')
        size--;
    snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : 0), scheme != NULL ? rest : "");
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

static unsigned schemes_of(const struct web_guard *guard, const char *name, bool exact) {
    unsigned found = 0;
    for (int i = 0; i < guard->name_count; i++)
        if ((exact || !guard->names[i].exact) && strcasecmp(guard->names[i].text, name) == 0)
            found |= guard->names[i].schemes;
    return found;
}

static bool is_bracketed_address(const char *name) {
    char inside[WEB_GUARD_NAME_MAX];
    const size_t length = strlen(name);
    if (name[0] != '[' || name[length - 1] != ']')
        return strchr(name, ':') == NULL && is_address(name);
    snprintf(inside, sizeof inside, "%.*s", (int)length - 2, name + 1);
    return is_address(inside);
}

unsigned web_guard_schemes(const struct web_guard *guard, const char *host) {
    char name[WEB_GUARD_NAME_MAX];
    if (host == NULL || !is_name(host))
        return 0;
    unsigned found = schemes_of(guard, host, true);
    const char *port = port_of(host);
    char ours[16];
    snprintf(ours, sizeof ours, ":%d", guard->port);
    if (*port != '\0' && strcmp(port, ours) != 0)
        return found;
    snprintf(name, sizeof name, "%.*s", (int)(port - host), host);
    if (name[0] == '\0')
        return found;
    found |= schemes_of(guard, name, false);
    return guard->any_address && is_bracketed_address(name) ? found | WEB_GUARD_HTTP : found;
}

bool web_guard_origin(const struct web_guard *guard, const char *origin, const char *host) {
    const char *rest;
    for (int i = 0; i < guard->origin_count; i++)
        if (strcasecmp(guard->origins[i], origin) == 0)
            return true;
    const struct scheme *scheme = scheme_of(origin, &rest);
    return scheme != NULL && (web_guard_schemes(guard, host) & scheme->bit) != 0 &&
           strcasecmp(rest, host) == 0;
}

bool web_guard_token(const struct web_guard *guard, const char *given) {
    if (guard->token[0] == '\0')
        return true;
    if (given == NULL)
        return false;
    const size_t size = strlen(guard->token), given_size = strlen(given);
    unsigned char difference = size != given_size;
    for (size_t i = 0; i < given_size; i++)
        difference |= (unsigned char)(guard->token[i % size] ^ given[i]);
    return difference == 0;
}
