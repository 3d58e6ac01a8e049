/* SPDX-License-Identifier: MIT
 *
 * Answers: files of the page, messages of the API, refusals. Every answer tells browsers to run no code but
 * ours, to send nothing elsewhere, and to let no other page look in.
 */
#include "base/hash.h"
#include "base/mem.h"
#include "base/page.h"
#include "net/web_private.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files of the page ---- */

/* The page's files: those in the program, or those of a folder, for work on the page. The path was checked
 * before (web_target_read); in a folder it is opened segment by segment, and symbolic links are not
 * followed. */

struct web_found {
    struct web_file file;
    char *owned; /* its bytes, when they were read for this answer */
    char tag[24];
};

struct type {
    const char *ending, *type;
};

static const struct type types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".webmanifest", "application/manifest+json"},
    {".txt", "text/plain; charset=utf-8"},
    {NULL, "application/octet-stream"},
};

static const char *type_of(const char *path) {
    const char *ending = strrchr(path, '.');
    const struct type *type = types;
    while (type->ending != NULL && (ending == NULL || strcmp(type->ending, ending) != 0))
        type++;
    return type->type;
}

/* ---- a folder ---- */

/* The descriptor of a file below the folder, or -1. */
static int open_below(int folder, const char *path) {
    int at = dup(folder);
    while (at >= 0) {
        char segment[MESSAGE_PATH_MAX];
        const size_t size = strcspn(++path, "/");
        const bool is_last = path[size] == '\0';
        snprintf(segment, sizeof segment, "%.*s", (int)size, path);
        const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (is_last ? O_NONBLOCK : O_DIRECTORY);
        const int next = segment[0] == '.' ? -1 : openat(at, segment, flags);
        close(at);
        at = next;
        if (is_last)
            break;
        path += size;
    }
    return at;
}

static bool read_below(int folder, const char *path, char **bytes, size_t *size) {
    struct stat info;
    const int fd = open_below(folder, path);
    FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    *bytes = NULL;
    if (file != NULL && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= WEB_FILE_MAX) {
        *size = (size_t)info.st_size;
        *bytes = mem_try_alloc(*size + 1);
    }
    const bool ok = *bytes != NULL && fread(*bytes, 1, *size, file) == *size;
    if (file != NULL)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    if (!ok)
        mem_free(*bytes);
    return ok;
}

static bool find_in_folder(const struct web *web, const char *path, struct web_found *out) {
    size_t size = 0;
    if (!read_below(web->folder, path, &out->owned, &size))
        return false;
    snprintf(out->tag, sizeof out->tag, "\"%016llx\"",
             (unsigned long long)hash_bytes(HASH_START, out->owned, size));
    out->file = (struct web_file){
        .type = type_of(path), .bytes = (const unsigned char *)out->owned, .size = size, .tag = out->tag};
    return true;
}

/* False: there is no such file. */
static bool find_file(const struct web *web, const char *path, struct web_found *out) {
    if (strcmp(path, "/") == 0)
        path = "/index.html";
    out->owned = NULL;
    if (web->folder >= 0)
        return find_in_folder(web, path, out);
    for (const struct web_file *file = web->setup.files; file->path != NULL; file++)
        if (strcmp(file->path, path) == 0) {
            out->file = *file;
            return true;
        }
    return false;
}

/* ---- responses ---- */

struct header {
    const char *name, *value;
};

static const struct header common_headers[] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
};

static const char page_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/* A file from the API (a plot, a report) may be opened on its own: it may have styles, but no scripts except
 * the one that this program puts into reports. */
static const char api_policy[] = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; "
                                 "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static void add(struct MHD_Response *response, const char *name, const char *value) {
    MHD_add_response_header(response, name, value);
}

/* NULL: memory ran out; then the connection is closed. */
static enum MHD_Result send_response(struct MHD_Connection *connection, struct MHD_Response *response,
                                     int status, const char *policy) {
    if (response == NULL)
        return MHD_NO;
    for (size_t i = 0; i < sizeof common_headers / sizeof common_headers[0]; i++)
        add(response, common_headers[i].name, common_headers[i].value);
    add(response, "Content-Security-Policy", policy);
    const enum MHD_Result queued = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return queued;
}

static struct MHD_Response *without_body(void) {
    static char nothing[1];
    return MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);
}

/* The text is the response's then. */
static struct MHD_Response *from_text(struct text *text) {
    if (text->size == 0)
        return without_body();
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback(text->size, text->data, mem_free);
    if (response != NULL)
        *text = (struct text){0};
    return response;
}

/* ---- the API ---- */

static void add_allowed(struct MHD_Response *response, unsigned allowed) {
    static const char *const names[MESSAGE_METHODS] = {"GET", "POST", "PUT", "DELETE"};
    char list[32] = "";
    for (int i = 0; i < MESSAGE_METHODS; i++)
        if ((allowed >> i & 1) != 0)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", list[0] != '\0' ? ", " : "",
                     names[i]);
    add(response, MHD_HTTP_HEADER_ALLOW, list);
}

/* Only characters that are safe in headers and file systems. */
static void add_file_name(struct MHD_Response *response, const char *name) {
    char value[sizeof((struct message_out *)0)->file_name + 32];
    snprintf(value, sizeof value, "attachment; filename=\"%s\"", name);
    for (char *c = strchr(value, '"') + 1; c[1] != '\0'; c++)
        if (strchr("\"\\/;%", *c) != NULL || *c < ' ' || *c > '~')
            *c = '_';
    add(response, MHD_HTTP_HEADER_CONTENT_DISPOSITION, value);
}

static struct MHD_Response *answer_of(struct web *web, struct MHD_Connection *connection,
                                      const struct message_in *in, struct message_out *out) {
    if (out->stream == NULL)
        return from_text(&out->body);
    out->type = "text/event-stream";
    return web_stream_open(web, connection, out->stream, in->last_event);
}

enum MHD_Result web_answer_message(struct web *web, struct MHD_Connection *connection,
                                   const struct message_in *in, struct message_out *out) {
    const bool is_stream = out->stream != NULL;
    struct MHD_Response *response = answer_of(web, connection, in, out);
    const int status = out->status;
    if (response != NULL) {
        add(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
        if (is_stream)
            add(response, "X-Accel-Buffering", "no"); /* nginx passes events on as they come */
        if (status != 204)
            add(response, MHD_HTTP_HEADER_CONTENT_TYPE, out->type != NULL ? out->type : "application/json");
        if (out->allowed != 0)
            add_allowed(response, out->allowed);
        if (out->file_name[0] != '\0')
            add_file_name(response, out->file_name);
    }
    char policy[512];
    const bool has_script =
        page_bundle.hash != NULL && out->type != NULL && strncmp(out->type, "text/html", 9) == 0;
    snprintf(policy, sizeof policy, "%s%s%s%s", api_policy, has_script ? "; script-src '" : "",
             has_script ? page_bundle.hash : "", has_script ? "'" : "");
    message_done(out);
    return send_response(connection, response, status, policy);
}

/* ---- refusals ---- */

enum MHD_Result web_refuse(struct MHD_Connection *connection, const struct web_request *request, int status,
                           const char *sentence) {
    assert(status >= 400);
    assert(status < 600);
    struct message_out out = {0};
    const bool is_api = web_is_api(request);
    if (is_api)
        message_fail(&out, status, NULL, "%s", sentence);
    else
        text_add(&out.body, "%s\n", sentence);
    struct MHD_Response *response = from_text(&out.body);
    message_done(&out);
    if (response != NULL) {
        add(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
        add(response, MHD_HTTP_HEADER_CONTENT_TYPE,
            is_api ? "application/json" : "text/plain; charset=utf-8");
        if (status == 405)
            add(response, MHD_HTTP_HEADER_ALLOW, is_api ? "GET, POST, PUT, DELETE" : "GET, HEAD");
        if (status == 401)
            add(response, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
    }
    return send_response(connection, response, status, api_policy);
}

/* All earlier requests on this connection were answered, so no answer is overtaken. */
void web_turn_away(struct MHD_Connection *connection, const struct err *why) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct message_out out = {0};
    struct text bytes = {0};
    message_fail(&out, 400, NULL, "%s", why->text);
    text_add(&bytes,
             "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n"
             "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Length: %zu\r\n\r\n%s",
             out.body.size, text_string(&out.body));
    if (info != NULL) {
        /* If there is no room for it, the end must do. */
        (void)!send(info->connect_fd, text_string(&bytes), bytes.size, MSG_DONTWAIT | MSG_NOSIGNAL);
        shutdown(info->connect_fd, SHUT_RDWR);
    }
    text_done(&bytes);
    message_done(&out);
}

/* ---- the page ---- */

static struct MHD_Response *bytes_of(struct web_found *found, bool is_packed) {
    const struct web_file *file = &found->file;
    const unsigned char *bytes = is_packed ? file->packed : file->bytes;
    const size_t size = is_packed ? file->packed_size : file->size;
    if (found->owned == NULL)
        return MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, MHD_RESPMEM_PERSISTENT);
    return MHD_create_response_from_buffer_with_free_callback(size, found->owned, mem_free);
}

/* A compressed file needs a tag of its own, so that caches do not mix them up. */
static void write_tag(const struct web_file *file, bool is_packed, char *out, size_t out_size) {
    snprintf(out, out_size, "%.*s%s\"", (int)strlen(file->tag) - 1, file->tag, is_packed ? "-gz" : "");
}

static void add_caching(struct MHD_Response *response, const struct web_file *file, const char *tag) {
    add(response, MHD_HTTP_HEADER_ETAG, tag);
    add(response, MHD_HTTP_HEADER_CACHE_CONTROL,
        file->is_immutable ? "private, max-age=31536000, immutable" : "no-cache");
    if (file->packed != NULL)
        add(response, MHD_HTTP_HEADER_VARY, "Accept-Encoding");
}

enum MHD_Result web_answer_file(const struct web *web, struct MHD_Connection *connection,
                                const struct web_request *request) {
    struct web_found found;
    char tag[64];
    if (!find_file(web, request->target.path, &found))
        return web_refuse(connection, request, 404, "There is no such page here; the workbench is at /");
    const struct web_file *file = &found.file;
    const bool is_packed =
        file->packed != NULL && web_accepts(web_header(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING), "gzip");
    write_tag(file, is_packed, tag, sizeof tag);
    const char *known = web_header(connection, MHD_HTTP_HEADER_IF_NONE_MATCH);
    const bool is_known = known != NULL && (strcmp(known, "*") == 0 || strstr(known, tag) != NULL);
    struct MHD_Response *response = is_known ? without_body() : bytes_of(&found, is_packed);
    if (is_known)
        mem_free(found.owned);
    if (response != NULL) {
        add_caching(response, file, tag);
        if (!is_known)
            add(response, MHD_HTTP_HEADER_CONTENT_TYPE, file->type);
        if (is_packed && !is_known)
            add(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    }
    return send_response(connection, response, is_known ? 304 : 200, page_policy);
}

/* The page forwards by itself, not by a status: after a redirection that began on another site, browsers do
 * not send a SameSite=Strict cookie. */
enum MHD_Result web_answer_welcome(const struct web *web, struct MHD_Connection *connection) {
    static char page[] = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                         "<meta http-equiv=\"refresh\" content=\"0;url=/\">\n<title>senjutsu</title>\n"
                         "<p><a href=\"/\">senjutsu</a></p>\n</html>\n";
    char cookie[WEB_COOKIE_MAX + WEB_TOKEN_MAX + 64];
    struct MHD_Response *response =
        MHD_create_response_from_buffer(sizeof page - 1, page, MHD_RESPMEM_PERSISTENT);
    const bool is_secure = web_is_secure(web, connection);
    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict%s",
             is_secure ? web->secure_cookie : web->cookie, web->guard.token, is_secure ? "; Secure" : "");
    if (response != NULL) {
        add(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
        add(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
        add(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/html; charset=utf-8");
    }
    return send_response(connection, response, 200, page_policy);
}
