/* SPDX-License-Identifier: MIT
 *
 * The smallest player in C: it speaks the protocol and always passes, which is always legal. Put your own
 * code at the line with "best". Build it with: cc -o bot bot.c
 */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[65536];
    for (int in_map = 0; fgets(line, sizeof line, stdin) != NULL && strncmp(line, "quit", 4) != 0;) {
        char verb[20] = " ", first[16];
        if (sscanf(line, "%15s", first) != 1 || (in_map && strcmp(first, "endmap") != 0))
            continue; /* an empty line, or one of the map: terrain and units */
        strcat(strcat(verb, first), " ");
        in_map = strcmp(verb, " map ") == 0;
        if (strcmp(verb, " sjp ") == 0)
            puts("id name bot.c\nid version 1\ngame tbs");
        if (strcmp(verb, " go ") == 0)
            puts("best pass");
        if (!in_map)
            puts(strstr(" sjp newgame endmap play undo go stop ", verb) ? "ok" : "error unknown command");
        fflush(stdout);
    }
    return 0;
}
