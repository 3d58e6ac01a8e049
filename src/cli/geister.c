/* SPDX-License-Identifier: MIT
 *
 * `senjutsu geister VERB`: the official server's protocol, from both ends.
 */
#include "cli/geister.h"

static const struct cli_command verbs[] = {
    {"geister serve", "Holds games between clients of the official protocol, any number at once.",
     "[options]",
     "  senjutsu geister serve                                  ports 10000 and 10001, viewers on 8080\n"
     "  senjutsu geister serve --bind 0.0.0.0 --log log --records records\n"
     "  senjutsu geister serve --budget 0 --timeout 1 --games 100 --json\n"
     "  senjutsu geister serve --player gst-a:sims=3000         clients (first player's port) against gst-a\n"
     "  senjutsu geister serve --player random --side first --no-viewer\n",
     cli_geister_serve},
    {"geister join", "Plays on a Geister server, the official one or ours.", "HOST[:PORT] [options]",
     "  senjutsu geister join 127.0.0.1 --player gst-a:sims=3000\n"
     "  senjutsu geister join arena.example --side second --player random --games 10\n",
     cli_geister_join},
    {0},
};

int cli_geister(const struct cli_command *self, int argc, char **argv) {
    return cli_run_verb(self, verbs, argc, argv);
}
