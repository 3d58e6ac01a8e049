/* SPDX-License-Identifier: MIT
 *
 * The head of a request: everything that can be refused before its body comes.
 */
#include "net/web_inside.h"

#include <string.h>
#include <strings.h>

struct method {
    const char *name;
    enum message_method method;
    bool for_files;
};

static const struct method methods[] = {
    {"GET", MESSAGE_GET, true},  {"HEAD", MESSAGE_GET, true},       {"POST", MESSAGE_POST, false},
    {"PUT", MESSAGE_PUT, false}, {"DELETE", MESSAGE_DELETE, false},
};

bool web_is_api(const struct web_request *request) {
    return strncmp(request->target.path, "/api/", 5) == 0 || strcmp(request->target.path, "/api") == 0;
}

const char *web_header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

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

/* ---- where it comes from ---- */

static enum MHD_Result count_hosts(void *context, enum MHD_ValueKind kind, const char *name,
                                   const char *value) {
    int *count = context;
    (void)kind;
    (void)value;
    *count += strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0;
    return MHD_YES;
}

static int check_host(const struct web *web, struct MHD_Connection *connection, struct err *e) {
    int hosts = 0;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_hosts, &hosts);
    const char *host = web_header(connection, MHD_HTTP_HEADER_HOST);
    if (hosts > 1) {
        err_set(e, "there is more than one Host header");
        return 400;
    }
    if (web_guard_schemes(&web->guard, host) != 0)
        return 0;
    err_set(e,
            "'%.100s' is none of the names this server goes by; start it with --host %.100s if it should be",
            host != NULL ? host : "", host != NULL ? host : "NAME");
    return 403;
}

/* A browser says where a page came from that makes it ask. */
static int check_origin(const struct web *web, struct MHD_Connection *connection,
                        const struct web_request *request, struct err *e) {
    const char *origin = web_header(connection, MHD_HTTP_HEADER_ORIGIN);
    const char *site = web_header(connection, "Sec-Fetch-Site");
    const char *host = web_header(connection, MHD_HTTP_HEADER_HOST);
    if (origin != NULL && !web_guard_origin(&web->guard, origin, host)) {
        err_set(e,
                "a page from '%.100s' may not use this server; start it with --origin %.100s if that is its "
                "own page, behind a proxy",
                origin, origin);
        return 403;
    }
    if (site != NULL && web_is_api(request) && strcmp(site, "same-origin") != 0 &&
        strcmp(site, "none") != 0) {
        err_set(e, "a page from elsewhere may not use this server");
        return 403;
    }
    return 0;
}

/* What the proxy says is believed only where a name of ours may be reached both ways, and then only decides
 * which cookie is used. */
bool web_is_secure(const struct web *web, struct MHD_Connection *connection) {
    const unsigned schemes = web_guard_schemes(&web->guard, web_header(connection, MHD_HTTP_HEADER_HOST));
    const char *said = web_header(connection, "X-Forwarded-Proto");
    return (schemes & WEB_GUARD_HTTPS) != 0 &&
           ((schemes & WEB_GUARD_HTTP) == 0 || (said != NULL && strcasecmp(said, "https") == 0));
}

/* The token in a header or the cookie. */
static int check_token(const struct web *web, struct MHD_Connection *connection,
                       const struct web_request *request, struct err *e) {
    static const char bearer[] = "Bearer ";
    const char *header = web_header(connection, MHD_HTTP_HEADER_AUTHORIZATION);
    const char *cookie = MHD_lookup_connection_value(
        connection, MHD_COOKIE_KIND, web_is_secure(web, connection) ? web->secure_cookie : web->cookie);
    const char *address =
        strcmp(request->target.path, "/") == 0 ? web_target_value(&request->target, "token") : NULL;
    const bool has_bearer = header != NULL && strncasecmp(header, bearer, sizeof bearer - 1) == 0;
    if (web_guard_token(&web->guard, has_bearer ? header + sizeof bearer - 1 : NULL) ||
        web_guard_token(&web->guard, cookie) || web_guard_token(&web->guard, address))
        return 0;
    err_set(e, "a token is needed: open the address with ?token= that 'senjutsu serve' has printed, or send "
               "'Authorization: Bearer TOKEN'");
    return 401;
}

/* ---- what it wants ---- */

static int check_method(const char *name, struct web_request *request, struct err *e) {
    const bool is_api = web_is_api(request);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(methods[i].name, name) == 0 && (is_api || methods[i].for_files)) {
            request->method = methods[i].method;
            request->is_head = strcmp(name, "HEAD") == 0;
            if (!is_api || !request->is_head)
                return 0;
        }
    err_set(e, "expected %s", is_api ? "GET, POST, PUT or DELETE" : "GET or HEAD");
    return 405;
}

static bool is_json(const char *type) {
    static const char json[] = "application/json";
    const size_t size = sizeof json - 1;
    return strncasecmp(type, json, size) == 0 && (type[size] == '\0' || strchr("; \t", type[size]) != NULL);
}

/* Most programs send all of a body before they look at the answer: one that is not much too large is read, so
 * that they see it. Who asks before it sends is answered at once. */
static bool is_refused_at_once(struct MHD_Connection *connection, unsigned long long size) {
    return size > WEB_PATIENCE ||
           (size > MESSAGE_BODY_MAX && web_header(connection, MHD_HTTP_HEADER_EXPECT) != NULL);
}

static int check_body(struct MHD_Connection *connection, struct err *e) {
    const char *length = web_header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const char *type = web_header(connection, MHD_HTTP_HEADER_CONTENT_TYPE);
    const char *encoding = web_header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    unsigned long long size = 0;
    const bool has_body = encoding != NULL || (length != NULL && strcmp(length, "0") != 0);
    if (encoding != NULL && (length != NULL || strcasecmp(encoding, "chunked") != 0)) {
        err_set(e, "where the body ends is not clear: expected a Content-Length, or 'Transfer-Encoding: "
                   "chunked' alone");
        return 400;
    }
    if (length != NULL && (!text_to_u64(length, &size) || is_refused_at_once(connection, size))) {
        err_set(e, "a body of more than %d bytes is not taken", MESSAGE_BODY_MAX);
        return 413;
    }
    if ((type == NULL && has_body) || (type != NULL && !is_json(type)) ||
        web_header(connection, MHD_HTTP_HEADER_CONTENT_ENCODING) != NULL) {
        err_set(e, "expected a body with 'Content-Type: application/json', not packed");
        return 415;
    }
    return 0;
}

int web_check(const struct web *web, struct MHD_Connection *connection, const char *method,
              struct web_request *request, struct err *e) {
    int status = request->is_wrong ? 400 : 0;
    if (request->is_wrong)
        *e = request->wrong;
    if (status == 0)
        status = check_host(web, connection, e);
    if (status == 0)
        status = check_origin(web, connection, request, e);
    if (status == 0)
        status = check_method(method, request, e);
    if (status == 0)
        status = check_token(web, connection, request, e);
    if (status == 0)
        status = check_body(connection, e);
    return status;
}
