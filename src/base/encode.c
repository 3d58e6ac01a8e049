/* SPDX-License-Identifier: MIT
 *
 * Formats of other programs: Base64, SHA-1, CSV, HTML, JSON, and a page of HTML with its data.
 */
#include "base/encode.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Base64 ---- */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Three bytes become four characters; the last group is filled with "=". */
void base64_write(const unsigned char *bytes, size_t size, char *out) {
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0);
        *out++ = letters[three >> 18];
        *out++ = letters[three >> 12 & 63];
        *out++ = left > 1 ? letters[three >> 6 & 63] : '=';
        *out++ = left > 2 ? letters[three & 63] : '=';
    }
    *out = '\0';
}

long base64_size(const char *text) {
    const size_t size = strspn(text, letters);
    const size_t padding = strspn(text + size, "=");
    if (text[size + padding] != '\0' || padding > 2 || (size + padding) % 4 != 0)
        return -1;
    /* Bits beyond the last byte must be zero. */
    if (padding > 0) {
        const long last = strchr(letters, text[size - 1]) - letters;
        if ((last & (padding == 1 ? 3 : 15)) != 0)
            return -1;
    }
    return (long)((size + padding) / 4 * 3 - padding);
}

/* ---- SHA-1 ---- */

enum { BLOCK = 64, STATE_WORDS = 5, SCHEDULE_WORDS = 80 };

static uint32_t rotated(uint32_t x, int by) {
    return x << by | x >> (32 - by);
}

/* The function and the constant of a round (section 4.1.1 and 4.2.1). */
static uint32_t mixed(int t, uint32_t b, uint32_t c, uint32_t d) {
    if (t < 20)
        return ((b & c) | (~b & d)) + UINT32_C(0x5a827999);
    if (t < 40)
        return (b ^ c ^ d) + UINT32_C(0x6ed9eba1);
    if (t < 60)
        return ((b & c) | (b & d) | (c & d)) + UINT32_C(0x8f1bbcdc);
    return (b ^ c ^ d) + UINT32_C(0xca62c1d6);
}

/* Section 6.1.2: the message schedule, then 80 rounds. */
static void take_block(uint32_t state[STATE_WORDS], const unsigned char *block) {
    uint32_t w[SCHEDULE_WORDS], v[STATE_WORDS];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < SCHEDULE_WORDS; t++)
        w[t] = rotated(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    memcpy(v, state, sizeof v);
    for (int t = 0; t < SCHEDULE_WORDS; t++) {
        const uint32_t next = rotated(v[0], 5) + mixed(t, v[1], v[2], v[3]) + v[4] + w[t];
        v[4] = v[3];
        v[3] = v[2];
        v[2] = rotated(v[1], 30);
        v[1] = v[0];
        v[0] = next;
    }
    for (int i = 0; i < STATE_WORDS; i++)
        state[i] += v[i];
}

void sha1(const void *bytes, size_t size, unsigned char out[SHA1_SIZE]) {
    const unsigned char *from = bytes;
    const size_t whole = size / BLOCK * BLOCK;
    uint32_t state[STATE_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (size_t at = 0; at < whole; at += BLOCK)
        take_block(state, from + at);
    /* The rest of the message, a one bit, zeros, and the length in bits: one block or two. */
    unsigned char end[2 * BLOCK] = {0};
    const size_t rest = size - whole, end_size = rest + 1 + 8 <= BLOCK ? BLOCK : 2 * BLOCK;
    if (rest > 0)
        memcpy(end, from + whole, rest);
    end[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        end[end_size - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
    for (size_t at = 0; at < end_size; at += BLOCK)
        take_block(state, end + at);
    for (int i = 0; i < SHA1_SIZE; i++)
        out[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

/* ---- CSV ---- */

/* A spreadsheet treats such fields as formulas, which may read other files or start programs. Japanese
 * spreadsheets do so for the wide forms, too. A number is none: digits with a sign, a point, an exponent;
 * "inf", "nan" and hexadecimal numbers do not count. */
static bool is_formula(const char *field) {
    static const char *const beginnings[] = {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"};
    char *end;
    bool is_one = false;
    for (size_t i = 0; !is_one && i < sizeof beginnings / sizeof beginnings[0]; i++)
        is_one = strncmp(field, beginnings[i], strlen(beginnings[i])) == 0;
    strtod(field, &end);
    const bool is_number = field[strspn(field, "0123456789+-.eE")] == '\0' && end != field && *end == '\0';
    return is_one && !is_number;
}

/* RFC 4180: quotes around a field with commas, quotes or line ends; quotes in it are doubled. */
void csv_field(const char *field, struct text *out) {
    const char *guard = is_formula(field) ? "'" : "";
    if (strpbrk(field, ",\"\r\n") == NULL) {
        text_add(out, "%s%s", guard, field);
        return;
    }
    text_add(out, "\"%s", guard);
    for (const char *c = field; *c != '\0'; c++)
        text_add_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    text_add_string(out, "\"");
}

/* ---- HTML ---- */

static void escape_utf8(const char *string, struct text *out) {
    for (const char *c = string; *c != '\0'; c++)
        switch (*c) {
        case '&': text_add_string(out, "&amp;"); break;
        case '<': text_add_string(out, "&lt;"); break;
        case '>': text_add_string(out, "&gt;"); break;
        case '"': text_add_string(out, "&quot;"); break;
        case '\n': text_add_string(out, "\n"); break;
        default:
            /* Other control characters are not allowed in a page, escaped or not. */
            if ((unsigned char)*c >= 0x20 && *c != 0x7F)
                text_add_bytes(out, c, 1);
        }
}

/* Titles and names may come from foreign files in Shift_JIS. */
void html_escape(const char *string, struct text *out) {
    const size_t size = strlen(string);
    if (charset_is_utf8(string, size)) {
        escape_utf8(string, out);
        return;
    }
    struct text converted = {0};
    charset_to_utf8(string, size, &converted);
    escape_utf8(text_string(&converted), out);
    text_done(&converted);
}

/* ---- JSON ---- */

/* Duplicate keys are refused: readers of other programs would take the other one of the two. */
json_t *jsontext_load(const char *name, const char *text, size_t size, struct err *e) {
    json_error_t problem;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
    if (root == NULL)
        err_set(e, "%s:%d: %s", name, problem.line, problem.text);
    return root;
}

bool jsontext_is(const json_t *root, const char *format, struct err *e) {
    const char *said = json_string_value(json_object_get(root, "format"));
    if (said == NULL || strcmp(said, format) != 0)
        return err_code(e, "json.format", "\"format\" is not \"%s\"", format);
    if (json_integer_value(json_object_get(root, "version")) != 1)
        return err_set(e, "\"version\" is not 1, the only one known");
    return true;
}

/* Integers of Jansson end at 2^63: a larger seed is a string of digits. */
json_t *jsontext_seed(uint64_t seed) {
    return seed <= INT64_MAX ? json_integer((json_int_t)seed)
                             : json_sprintf("%llu", (unsigned long long)seed);
}

json_t *jsontext_string(const char *bytes, size_t size) {
    struct text utf8 = {0};
    charset_to_utf8(bytes, size, &utf8);
    json_t *string = json_stringn(text_string(&utf8), utf8.size);
    text_done(&utf8);
    return string;
}

json_t *jsontext_own(const struct text *text) {
    return json_loadb(text_string(text), text->size, 0, NULL);
}

bool jsontext_add_line(const json_t *value, size_t flags, struct text *out) {
    char *dump = json_dumps(value, flags);
    if (dump != NULL)
        text_add(out, "%s\n", dump);
    mem_free(dump);
    return dump != NULL;
}

bool jsontext_member(const json_t *root, const char *key, struct text *out, struct err *e) {
    const json_t *member = json_object_get(root, key);
    char *dump = member != NULL ? json_dumps(member, JSON_ENCODE_ANY) : NULL;
    if (dump == NULL)
        return err_set(e, "\"%s\" is missing", key);
    text_add_string(out, dump);
    mem_free(dump);
    return true;
}

/* ---- pages ---- */

static const char plain_style[] =
    "\n:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;"
    "max-width:76rem;margin:2rem auto;padding:0 1rem}table{display:block;"
    "overflow-x:auto;border-collapse:collapse}th,td{text-align:start;padding:.2rem .75rem .2rem 0}\n";

/* Strings are the only part of JSON that can hold these characters; there an escape means the same. */
void page_add_json(const struct json_t *value, struct text *out) {
    char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    assert(dump != NULL);
    for (const char *at = dump; *at != '\0';) {
        const size_t plain = strcspn(at, "<>&\xe2");
        text_add_bytes(out, at, plain);
        at += plain;
        if (*at == '\0')
            break;
        if (strncmp(at, "\xe2\x80\xa8", 3) == 0 || strncmp(at, "\xe2\x80\xa9", 3) == 0) {
            text_add(out, "\\u20%s", at[2] == '\xa8' ? "28" : "29");
            at += 3;
        } else if (*at == '\xe2') {
            text_add_bytes(out, at++, 1);
        } else {
            text_add(out, "\\u%04x", (unsigned)*at++);
        }
    }
    mem_free(dump);
}

void page_write(const struct page *page, struct text *out) {
    text_add_string(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    if (page->refresh_s > 0)
        text_add(out, "<meta http-equiv=\"refresh\" content=\"%d\"/>\n", page->refresh_s);
    text_add_string(out, "<title>");
    html_escape(page->title, out);
    text_add(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<div id=\"app\">\n<h1>",
             page_bundle.style != NULL ? page_bundle.style : plain_style);
    html_escape(page->title, out);
    text_add(out,
             "</h1>\n%s</div>\n<script type=\"application/json\" id=\"data\">\n{\"page\":\"%s\",\"data\":",
             page->plain, page->kind);
    page_add_json(page->data, out);
    text_add_string(out, "}\n</script>\n");
    if (page_bundle.script != NULL)
        text_add(out, "<script>%s</script>\n", page_bundle.script);
    text_add_string(out, "</body>\n</html>\n");
}
