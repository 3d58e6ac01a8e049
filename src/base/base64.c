/* SPDX-License-Identifier: MIT */
#include "base/base64.h"

#include <stdint.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
    /* The bits that stand for nothing must be zeros. */
    if (padding > 0) {
        const long last = strchr(letters, text[size - 1]) - letters;
        if ((last & (padding == 1 ? 3 : 15)) != 0)
            return -1;
    }
    return (long)((size + padding) / 4 * 3 - padding);
}
