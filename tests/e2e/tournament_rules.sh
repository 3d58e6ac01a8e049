#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `senjutsu tournament` with a rules file, with wrong arguments, with Ctrl-C, and with a program that does not exist.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"

four=uct:sims=30,acteval,random,random
is_sanitized && rounds_of_hurry=16 || rounds_of_hurry=40

# ---- rules ----

for preset in quick swiss gat-tactical gat-geister gat-geister-multi; do
    expect_status 0 "$SENJUTSU" tournament --preset $preset --show-rules
    cp "$out" preset.json
    expect_status 0 "$SENJUTSU" tournament --rules-file preset.json --show-rules
    expect_same preset.json "$out"
done
echo '{"preset": "swiss", "games": 4, "final": {"players": 2}}' >rules.json
full_event 20 --rules-file rules.json --players $four --maps duel
expect "the rules in the result" [ "$(json_get rules.games "$out")" = 4 ]
expect "the preset's tie-breaks" [ "$(json_get rules.tie_breaks.0 "$out")" = '"buchholz"' ]

# The rule sets differ in the result of a lead that equals the threshold: "paper" gives the game to it, "tubstap" calls
# it drawn.
cat >lead.tbsmap <<'END'
SIZEX[11];SIZEY[3];
TURNLIMIT[2];HPTHRESHOLD[2];
UNITNUMRED[1];UNITNUMBLUE[1];
AUTHOR[tests];
MAPCOM[Two units that cannot meet. Red leads by the threshold.];
MAP[0,0,0,0,0,0,0,0,0,0,0];
MAP[0,1,1,1,1,1,1,1,1,1,0];
MAP[0,0,0,0,0,0,0,0,0,0,0];
UNIT[1,1,infantry,0,10,0];
UNIT[9,1,infantry,1,8,0];
END
tournament --players first,random --maps lead.tbsmap --json
expect "two draws without --rules" [ "$(json_get maps.0.first_side.draws "$out")" = 2 ]
tournament --players first,random --maps lead.tbsmap --json --rules paper --store paper.db
expect "the rule set in the result" [ "$(json_get rules.rule_set "$out")" = '"paper"' ]
expect "two wins of who leads" [ "$(json_get maps.0.first_side.wins "$out")" = 2 ]
expect_status 0 "$SENJUTSU" replay paper.db --game 1 --save paper.json
expect "the rule set in the record" [ "$(json_get rules paper.json)" = '"paper"' ]

# bad_rules TEXT LINE SENTENCE: how a rules file is refused.
bad_rules() {
    printf '%b' "$1" >rules.json
    refused 1 "$3" --rules-file rules.json --players $four
    expect_err "rules.json:$2"
    refused 1 "$3" --rules-file rules.json --show-rules
}
bad_rules '{\n "games": 0\n}' 2: '"games": expected a whole number from 1 to 10000'
bad_rules '{"clock":\n {"trun": 10}}\n' 2: '"clock.trun" is not known here; expected "turn"'
bad_rules '{\n\n"games": 2,\n}' 4: 'expected near'
bad_rules '{"games": 2,\n"games": 4}\n' 2: 'duplicate'
bad_rules '[]\n' '' 'expected a JSON object'
bad_rules '' 1: 'expected near'
bad_rules '{"rounds": 5}' 1: 'only a Swiss'
bad_rules '{"title": 5}' 1: '"title"'
bad_rules '{"preset": "nosuch"}' 1: 'nosuch'

refused 1 "uct needs a game in which nothing is hidden" --preset gat-geister --players $four

# ---- wrong usage ----

refused 2 "who plays\?"
refused 2 "'extra' is not wanted" --players $four extra
refused 2 "--players needs a value" --players
refused 2 "--nosuch is unknown" --nosuch
refused 2 "--games 0: expected a whole number from 1" --players $four --games 0
refused 2 "--jobs x: expected a whole number from 1" --players $four --jobs x
refused 2 "--seed -1: expected a whole number from 0 to 18446744073709551615" --players $four --seed -1
refused 2 "--format nosuch: expected round-robin, gauntlet, swiss or knock-out" --players $four --format nosuch
refused 2 "--points 1,2: expected points for a win, a draw and a loss" --players $four --points 1,2
refused 2 "a win must be worth more than a loss" --players $four --points 0,0.5,1
refused 2 "--clock: option 'trun' is unknown; known are turn" --players $four --clock trun=1
refused 2 "--clock: increment and byoyomi need game" --players $four --clock byoyomi=1
refused 2 "there is no preset \"nosuch\"; expected quick" --players $four --preset nosuch
refused 2 "--title 0*: expected at most 127 bytes" --players $four --title "$(printf '%0128d' 0)"
refused 2 "rule set 'nosuch' is unknown" --players $four --rules nosuch
refused 2 "give one" --players $four --preset quick --rules-file rules.json
refused 2 "only a Swiss" --players $four --rounds 3
refused 1 "no opponent is left for them" --players $four --format gauntlet --challengers 4
refused 1 "nosuch.json: cannot be opened" --players $four --rules-file nosuch.json
expect_status 0 "$SENJUTSU" tournament --help
expect_out '^Examples:$'
expect_out '^  senjutsu tournament --players .* --maps'
expect_out '^  senjutsu tournament --store event.db '
expect_status 0 "$SENJUTSU" verify --help
expect_out '^Examples:$'

# ---- a player that is out ----

tournament --json --players "ext:cmd=exit 3,random,acteval" --maps duel --games 2 --disqualify-after 2
expect "it to be out" [ "$(json_get standings.2.disqualified "$out")" = true ]
expect "it to have crashed twice" [ "$(json_get standings.2.faults.crash "$out")" = 2 ]

# ---- Ctrl-C ----

hurry="--players uct:sims=300,uct:sims=200,random --maps standard,duel --games $rounds_of_hurry"
# shellcheck disable=SC2086 # options
tournament --json $hurry
keep whole.json
# shellcheck disable=SC2086 # options
"$SENJUTSU" tournament --quiet --json $hurry --jobs 1 --store hurry.db >"$out" 2>"$err" &
program=$!
command_line="senjutsu tournament $hurry --jobs 1 --store hurry.db, with SIGINT"
# shellcheck disable=SC2317 # called by wait_until
has_games() {
    "$SENJUTSU" verify --quiet --json hurry.db 2>/dev/null | grep -q '^  "games": [1-9]'
}
wait_until has_games
# A second writer must be refused meanwhile. On a fast machine the first may just have ended.
"$SENJUTSU" tournament --quiet --store hurry.db --continue >second.out 2>second.err
second=$?
kill -INT $program
wait $program
status=$?
if [ $status -eq 130 ]; then
    expect_err '^senjutsu tournament: stopped after [0-9]+ games; the same command continues$'
    expect "one line" [ "$(wc -l <"$err")" -eq 1 ]
    expect "what there was so far" [ "$(json_get complete "$out")" = false ]
    expect "the second to be refused" grep -q 'another run (process [0-9]*) is using this store' second.err
    expect "with status 1" [ $second -eq 1 ]
    expect_status 0 "$SENJUTSU" verify --quiet hurry.db
    expect_out 'the tournament is not over yet; standings so far:$'
else
    expect "it to be over" [ $status -eq 0 ]
    skip "the event was over before it could be interrupted"
fi
# shellcheck disable=SC2086 # options
tournament --json $hurry --store hurry.db
same_result whole.json
expect "one file" [ "$(echo hurry.db*)" = hurry.db ]

# ---- a program that does not exist ----

# It is warned of, and the event is played all the same.
expect_status 0 "$SENJUTSU" tournament --quiet --players 'ext:cmd=./no-such-bot --level 3,random' --maps duel --json
expect_err "warning: ext:cmd=./no-such-bot --level 3: there is no program './no-such-bot' to start"
expect_status 0 "$SENJUTSU" tournament --quiet --players "ext:cmd=sh -c 'exit 3',random" --maps duel --json
expect_silent_err

finish
