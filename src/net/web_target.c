/* SPDX-License-Identifier: MIT */
#include "net/web_target.h"

#include "base/charset.h"

#include <string.h>

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* One character of `from`, which has `left` bytes; how many it takes there, 0 when it is broken. */
static size_t decode_one(const char *from, size_t left, bool plus_is_blank, char *out) {
    *out = plus_is_blank && *from == '+' ? ' ' : *from;
    if (*from != '%')
        return 1;
    const int high = left > 2 ? hex_digit(from[1]) : -1, low = high >= 0 ? hex_digit(from[2]) : -1;
    *out = (char)(high * 16 + low);
    return high >= 0 && low >= 0 ? 3 : 0;
}

static bool is_control(char c) {
    return (unsigned char)c < 0x20 || c == 0x7F;
}

struct piece {
    const char *from;
    size_t size;
    const char *what; /* for sentences */
    bool plus_is_blank;
};

static bool decode(const struct piece *piece, char *out, size_t out_size, struct err *e) {
    size_t length = 0;
    for (size_t i = 0, taken; i < piece->size; i += taken, length++) {
        if (length + 1 >= out_size)
            return err_set(e, "the %s is longer than %zu characters", piece->what, out_size - 1);
        taken = decode_one(piece->from + i, piece->size - i, piece->plus_is_blank, out + length);
        if (taken == 0)
            return err_set(e, "the %s has a '%%' that two hexadecimal digits do not follow", piece->what);
        if (is_control(out[length]))
            return err_set(e, "the %s has a control character", piece->what);
    }
    out[length] = '\0';
    return charset_is_utf8(out, length) || err_set(e, "the %s is not UTF-8", piece->what);
}

/* Segments that climb, or that another reader might leave out. */
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

static bool read_parameter(const char *text, size_t size, struct web_target *out, struct err *e) {
    const char *equals = memchr(text, '=', size);
    const size_t name_size = equals != NULL ? (size_t)(equals - text) : size;
    const struct piece name = {text, name_size, "name of a parameter", true};
    const struct piece value = {equals != NULL ? equals + 1 : text, equals != NULL ? size - name_size - 1 : 0,
                                "value of a parameter", true};
    if (out->query_count == MESSAGE_QUERY_MAX)
        return err_set(e, "more than %d parameters", MESSAGE_QUERY_MAX);
    const int i = out->query_count;
    if (!decode(&name, out->names[i], MESSAGE_VALUE_MAX, e) ||
        !decode(&value, out->values[i], MESSAGE_VALUE_MAX, e))
        return false;
    if (web_target_value(out, out->names[i]) != NULL)
        return err_set(e, "the parameter '%s' is there twice", out->names[i]);
    out->query_count++;
    return true;
}

bool web_target_read(const char *raw, struct web_target *out, struct err *e) {
    const size_t path_size = strcspn(raw, "?");
    const struct piece path = {raw, path_size, "path", false};
    out->path[0] = '\0';
    out->query_count = 0;
    if (!decode(&path, out->path, sizeof out->path, e) || !check_segments(out->path, e))
        return false;
    for (const char *at = raw + path_size; *at != '\0';) {
        at++;
        const size_t size = strcspn(at, "&");
        if (size > 0 && !read_parameter(at, size, out, e))
            return false;
        at += size;
    }
    return true;
}

const char *web_target_value(const struct web_target *target, const char *name) {
    for (int i = 0; i < target->query_count; i++)
        if (strcmp(target->names[i], name) == 0)
            return target->values[i];
    return NULL;
}
