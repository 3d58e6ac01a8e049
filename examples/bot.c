/* SPDX-License-Identifier: MIT
 *
 * The smallest player in C: it speaks the protocol and always passes, which is always legal. Your ideas go
 * where it says "best". Build it with: cc -o bot bot.c
 */
#include <stdio.h>
#include <string.h>

static int is(const char *line, const char *verb) {
    const size_t size = strlen(verb);
    return strncmp(line, verb, size) == 0 && (line[size] == '\0' || line[size] == ' ');
}

int main(void) {
    static char line[65536];
    int in_map = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (in_map && !is(line, "endmap"))
            continue; /* a line of the map: terrain and units */
        in_map = is(line, "map");
        if (is(line, "quit"))
            break;
        if (in_map || line[strspn(line, " \t")] == '\0')
            continue;
        if (is(line, "sjp"))
            puts("id name bot.c\nid version 1\ngame tbs\nok");
        else if (is(line, "go"))
            puts("best pass\nok");
        else if (is(line, "newgame") || is(line, "endmap") || is(line, "play") || is(line, "undo") ||
                 is(line, "stop"))
            puts("ok");
        else
            printf("error unknown command %s\n", line);
        fflush(stdout);
    }
    return 0;
}
