/* SPDX-License-Identifier: MIT
 *
 * UTF-8, conversion from CP932, and foreign text in a form that is safe to show.
 */
#include "base/charset.h"

#include "base/mem.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at `s` (RFC 3629: no overlong forms, no surrogates), or 0. */
static size_t sequence_size(const unsigned char *s, size_t size) {
    if (s[0] < 0x80)
        return 1;
    size_t need = s[0] >= 0xC2 && s[0] <= 0xDF   ? 2
                  : (s[0] & 0xF0) == 0xE0        ? 3
                  : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                 : 0;
    if (need == 0 || need > size)
        return 0;
    for (size_t i = 1; i < need; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))
        return 0;
    if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return need;
}

/* The character at the beginning of `size` bytes, which takes *used of them; -1 for a byte that is not UTF-8.
 */
static int32_t character_at(const char *bytes, size_t size, size_t *used) {
    const unsigned char *s = (const unsigned char *)bytes;
    const size_t n = sequence_size(s, size);
    *used = n > 0 ? n : 1;
    if (n == 0)
        return -1;
    int32_t c = n == 2 ? s[0] & 0x1F : n == 3 ? s[0] & 0x0F : n == 4 ? s[0] & 0x07 : s[0];
    for (size_t i = 1; i < n; i++)
        c = c << 6 | (s[i] & 0x3F);
    return c;
}

bool charset_is_utf8(const char *bytes, size_t size) {
    const unsigned char *s = (const unsigned char *)bytes;
    for (size_t n; size > 0; s += n, size -= n)
        if ((n = sequence_size(s, size)) == 0)
            return false;
    return true;
}

void charset_mend(char *string) {
    for (size_t n, size = strlen(string); size > 0; string += n, size -= n)
        if (character_at(string, size, &n) < 0)
            *string = '?';
}

/* Text inside the program is C strings: a NUL would cut it. */
static void add_without_nul(struct text *out, const char *bytes, size_t size) {
    size_t start = out->size;
    text_add_bytes(out, bytes, size);
    for (size_t i = start; i < out->size; i++)
        if (out->data[i] == '\0')
            out->data[i] = ' ';
}

static void add_from_cp932(iconv_t converter, const char *bytes, size_t size, struct text *out) {
    char *from =
        (char *)(uintptr_t)bytes; /* iconv's prototype lacks a const; it does not write to its input */
    while (size > 0) {
        char buffer[4096];
        char *to = buffer;
        size_t room = sizeof buffer;
        size_t done = iconv(converter, &from, &size, &to, &room);
        add_without_nul(out, buffer, sizeof buffer - room);
        if (done == (size_t)-1 && errno != E2BIG) {
            text_add_bytes(out, "?", 1);
            from++;
            size--;
        }
    }
}

void charset_to_utf8(const char *bytes, size_t size, struct text *out) {
    if (charset_is_utf8(bytes, size)) {
        bool has_mark = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0;
        add_without_nul(out, has_mark ? bytes + 3 : bytes, has_mark ? size - 3 : size);
        return;
    }
    /* Two bytes of CP932 become three of UTF-8 at most, one becomes one or three. With the room there,
     * nothing is allocated while the converter is open, so exhausted memory cannot leak it. */
    if (!text_reserve(out, 3 * size + 1))
        mem_exhausted();
    iconv_t converter = iconv_open("UTF-8", "CP932");
    for (size_t i = 0; converter == (iconv_t)-1 && i < size; i++) /* without a converter: ASCII only */
        text_add_bytes(out, (unsigned char)bytes[i] < 0x80 && bytes[i] != '\0' ? &bytes[i] : "?", 1);
    if (converter == (iconv_t)-1)
        return;
    add_from_cp932(converter, bytes, size, out);
    iconv_close(converter);
}

/* Never cuts within a character: the result would not be UTF-8, and JSON refuses it. */
void charset_copy(char *out, size_t out_size, const char *utf8, size_t length) {
    if (length >= out_size) {
        length = out_size - 1;
        while (length > 0 && ((unsigned char)utf8[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(out, utf8, length);
    out[length] = '\0';
}

/* The ranges of Unicode's East Asian Width that common terminals show in two columns. */
static bool is_wide(int32_t c) {
    return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
           (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

/* A byte that is not UTF-8 takes one column: it is shown as "?". */
int charset_width(const char *utf8) {
    int width = 0;
    for (size_t n, size = strlen(utf8); size > 0; utf8 += n, size -= n)
        width += is_wide(character_at(utf8, size, &n)) ? 2 : 1;
    return width;
}

/* ---- showing foreign text ---- */

/* Characters without a visible picture: blanks of no width, marks that change the direction of text, and
 * others (Unicode categories Cc, Cf, Zl, Zp, and those of Zs and Mn that show nothing). */
static bool is_unseen(int32_t c) {
    static const int32_t ranges[][2] = {
        {0x0000, 0x001F},   {0x007F, 0x00A0}, {0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x0600, 0x0605},
        {0x061C, 0x061C},   {0x06DD, 0x06DD}, {0x070F, 0x070F}, {0x115F, 0x1160}, {0x1680, 0x1680},
        {0x17B4, 0x17B5},   {0x180B, 0x180F}, {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F},
        {0x3164, 0x3164},   {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
        {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

/* `exactly`: a backslash is doubled, so that the text can be restored and no two texts look alike. */
static void show(const char *bytes, size_t size, bool exactly, struct text *out) {
    for (size_t n; size > 0; bytes += n, size -= n) {
        const int32_t c = character_at(bytes, size, &n);
        if (c < ' ' || c == 0x7F)
            text_add(out, "\\x%02X", (unsigned char)*bytes);
        else if (is_unseen(c))
            text_add(out, "\\u{%04X}", (unsigned)c);
        else if (c == '\\' && exactly)
            text_add_string(out, "\\\\");
        else
            text_add_bytes(out, bytes, n);
    }
}

void charset_show(const char *bytes, size_t size, struct text *out) {
    show(bytes, size, true, out);
}

void charset_show_sentence(const char *bytes, size_t size, struct text *out) {
    show(bytes, size, false, out);
}

/* Used by writers that measure and cut text character by character. */
size_t charset_glyph(const char *bytes, size_t size, bool *harmless) {
    size_t used;
    const int32_t c = character_at(bytes, size, &used);
    *harmless = c >= 0 && !is_unseen(c);
    return used;
}

void charset_disarm(char *string) {
    bool harmless;
    for (size_t n, size = strlen(string); size > 0; string += n, size -= n) {
        n = charset_glyph(string, size, &harmless);
        if (!harmless && *string != '\n')
            memset(string, '?', n);
    }
}
