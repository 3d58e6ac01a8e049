/* SPDX-License-Identifier: MIT
 *
 * `senjutsu train VERB …`: finds the verb and runs it.
 */
#include "cli/train.h"

#include "base/file.h"
#include "base/mem.h"

#include <string.h>
#include <sys/stat.h>

bool train_is_free(const char *path, const char *instead, struct err *e) {
    struct stat what;
    return stat(path, &what) != 0 ||
           err_set(e, "%s is there already and would be overwritten; %s", path, instead);
}

struct policy_weights *train_load_weights(const char *name, struct err *e) {
    struct policy_weights *weights = mem_alloc(sizeof *weights);
    struct text text = {0};
    bool ok = weights != NULL || err_set(e, "not enough memory");
    if (ok && strcmp(name, "builtin") == 0)
        *weights = *policy_builtin();
    else
        ok = ok && file_read(name, POLICY_TEXT_MAX, &text, e) &&
             policy_read(name, text_string(&text), text.size, weights, e);
    text_done(&text);
    if (ok)
        return weights;
    mem_free(weights);
    return NULL;
}

static const struct cli_command verbs[] = {
    {"train geister-pg",
     "Learns the weights of the Geister player pg by self-play, from nothing. Writes them every so many "
     "games, "
     "and beside them (FILE.state) what a run needs to go on exactly where it was.",
     "[options]",
     "  senjutsu train geister-pg --games 1000000 --out mine.weights\n"
     "  senjutsu train geister-pg --resume mine.weights.state --games 5000000\n"
     "  senjutsu train geister-pg --recipe published --games 500000 --out shiga.weights\n"
     "  senjutsu train geister-pg --recipe own:rate=0.02,lambda=0.7 --out other.weights --threads 4\n"
     "  senjutsu match pg:weights=mine.weights pg --game geister --games 400\n",
     train_geister_pg},
    {"train geister-geist",
     "Learns the weights of the Geister player geist: the policy of pg goes on learning in games against "
     "itself, "
     "what it was earlier and purple, then values of positions are learned from nothing.",
     "[options]",
     "  senjutsu train geister-geist --out mine.weights\n"
     "  senjutsu match geist:weights=mine.weights geist --game geister --games 400\n",
     train_geister_geist},
    {"train geister-setups",
     "Finds which set-ups of Geister are good: all 70 play all 70, moves drawn by a policy, and the weighted "
     "set that no set-up does better against is computed.",
     "[options]",
     "  senjutsu train geister-setups --games 100\n"
     "  senjutsu train geister-setups --weights mine.weights --games 1000 --json\n"
     "  senjutsu train geister-setups --games 400 --constants          lines of src/geister/setup_strong.c\n",
     train_geister_setups},
    {0},
};

int cli_train(const struct cli_command *self, int argc, char **argv) {
    return cli_run_verb(self, verbs, argc, argv);
}
