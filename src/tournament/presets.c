/* SPDX-License-Identifier: MIT
 *
 * Rules that are known by name. The GAT competitions: both games are played as a round robin from both sides.
 * The platform of the tactical game counts 10 seconds a turn. The server of Geister gives each player 600
 * seconds a game and, when they are used up, 10 seconds a move; an illegal move loses there, as it does
 * everywhere under our referee.
 */
#include "tournament/rules.h"

const struct rules_preset rules_presets[] = {
    {"quick", "round robin, both sides of every map, no clock: to see who is stronger",
     "{\"title\": \"Quick round robin\", \"games\": 2, \"both_sides\": true,\n"
     " \"tie_breaks\": [\"head-to-head\", \"sonneborn-berger\"]}\n"},
    {"swiss", "Swiss with as many rounds as a knock-out would have, then a knock-out of the best four",
     "{\"title\": \"Swiss with a final\", \"format\": \"swiss\", \"rounds\": 0, \"games\": 2, "
     "\"both_sides\": true,\n"
     " \"tie_breaks\": [\"buchholz\", \"sonneborn-berger\", \"head-to-head\", \"wins\"],\n"
     " \"final\": {\"players\": 4, \"games\": 2}}\n"},
    {"gat-tactical",
     "GAT, tactical game: 10 s a turn, both sides, nobody on their own maps, play-offs for the first",
     "{\"title\": \"GAT tactical game\", \"game\": \"tbs\", \"rule_set\": \"tubstap\", \"format\": "
     "\"round-robin\",\n"
     " \"games\": 2, \"both_sides\": true, \"points\": {\"win\": 1, \"draw\": 0.5, \"loss\": 0},\n"
     " \"clock\": {\"turn\": 10}, \"maps\": {\"per_pairing\": 0, \"not_own\": true},\n"
     " \"playoff\": {\"places\": 1, \"games\": 2, \"repeats\": 3}}\n"},
    {"gat-geister", "GAT, Geister: 10 minutes a game, then 10 s a move, both sides, 3 points for a win",
     "{\"title\": \"GAT Geister\", \"game\": \"geister\", \"format\": \"round-robin\", \"games\": 2, "
     "\"both_sides\": true,\n"
     " \"points\": {\"win\": 3, \"draw\": 1, \"loss\": 0}, \"clock\": {\"game\": 600, \"byoyomi\": 10},\n"
     " \"tie_breaks\": [\"head-to-head\", \"wins\"]}\n"},
    {"gat-geister-multi", "GAT, Geister: the same clock and points, 50 games from each side in every pairing",
     "{\"preset\": \"gat-geister\", \"title\": \"GAT Geister, many games\", \"games\": 100}\n"},
    {0},
};
