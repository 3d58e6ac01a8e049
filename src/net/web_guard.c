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
static bool add_name(struct web_guard *guard, const char *name, struct err *e) {
    if (!is_name(name))
        return err_set(e, "'%.100s' is no name of a host", name);
    if (guard->name_count == WEB_GUARD_NAMES_MAX)
        return err_set(e, "more than %d names of hosts", WEB_GUARD_NAMES_MAX);
    const bool is_bare = strchr(name, ':') != NULL && is_address(name);
    snprintf(guard->names[guard->name_count++], WEB_GUARD_NAME_MAX, is_bare ? "[%.250s]" : "%.255s", name);
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
        add_name(guard, own[i], e);
    if (!add_name(guard, bind, e))
        return false;
    for (; *hosts != NULL; hosts++)
        if (!add_name(guard, *hosts, e))
            return false;
    return true;
}

/* ---- headers ---- */

/* Where the port begins in "name:port" or "[address]:port"; the end when there is none. */
static const char *port_of(const char *host) {
    const char *bracket = strrchr(host, ']'), *colon = strrchr(host, ':');
    return colon != NULL && (bracket == NULL || colon > bracket) ? colon : host + strlen(host);
}

static bool is_known(const struct web_guard *guard, const char *name) {
    for (int i = 0; i < guard->name_count; i++)
        if (strcasecmp(guard->names[i], name) == 0)
            return true;
    return false;
}

static bool is_bracketed_address(const char *name) {
    char inside[WEB_GUARD_NAME_MAX];
    const size_t length = strlen(name);
    if (name[0] != '[' || name[length - 1] != ']')
        return strchr(name, ':') == NULL && is_address(name);
    snprintf(inside, sizeof inside, "%.*s", (int)length - 2, name + 1);
    return is_address(inside);
}

bool web_guard_host(const struct web_guard *guard, const char *host) {
    char name[WEB_GUARD_NAME_MAX];
    if (host == NULL || !is_name(host))
        return false;
    if (is_known(guard, host))
        return true;
    const char *port = port_of(host);
    char ours[16];
    snprintf(ours, sizeof ours, ":%d", guard->port);
    if (*port != '\0' && strcmp(port, ours) != 0)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(port - host), host);
    return name[0] != '\0' && (is_known(guard, name) || (guard->any_address && is_bracketed_address(name)));
}

bool web_guard_origin(const char *origin, const char *host) {
    static const char scheme[] = "http://";
    return strncasecmp(origin, scheme, sizeof scheme - 1) == 0 &&
           strcasecmp(origin + sizeof scheme - 1, host) == 0;
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
