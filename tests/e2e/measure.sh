#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu measure: leaf correlation, bias and disambiguation factor, and what it refuses.
. "$(dirname "$0")/lib.sh"

# near PATH VALUE TOLERANCE: a number of the JSON.
near() {
    awk -v a="$(json_get "$1" "$out")" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= t && -d <= t) }'
}

# ---- synthetic trees return their own parameters ----

expect_status 0 "$SENJUTSU" measure --game synth:payoffs=signs,lc=0.6,bias=0.3,df=0.2 --json
expect_silent_err
expect "balanced JSON" [ -z "$(json_get unbalanced "$out")" ]
expect "all games" [ "$(json_get games "$out")" = 20000 ]
expect "its leaf correlation" near leaf_correlation.value 0.6 0.02
expect "its bias" near bias.value 0.3 0.02
expect "its disambiguation factor" near disambiguation.value 0.2 0.02
expect "not graded" [ "$(json_get graded "$out")" = false ]
cp "$out" cores.json
expect_status 0 "$SENJUTSU" measure --game synth:payoffs=signs,lc=0.6,bias=0.3,df=0.2 --json --jobs 1
expect_same "$out" cores.json
expect_status 0 "$SENJUTSU" measure --json --games 20000
expect "whole-number payoffs, less chance" near leaf_correlation_beyond_chance.value 0.3 0.02
expect "their bias" near bias.value 0.75 0.02

# ---- other games ----

expect_status 0 "$SENJUTSU" measure --game kuhn --games 4000
expect_silent_err
expect_out '^kuhn: 4000 random games, 2\.[0-9] decisions a game, 2\.0 actions a decision$'
expect_out '^  leaf correlation +0\.000  0\.000 to 0\.00[0-9] +[0-9]+$'
expect_out '^    the same winner +0\.[45][0-9]+ '
expect_out '^  bias +-  no siblings had the same payoff$'
expect_out '^  disambiguation factor +0\.000 '
expect_status 0 "$SENJUTSU" measure --game tictactoe --games 500
expect_out '^  disambiguation factor +1\.000  by definition: nothing is hidden in this game$'
expect_no_out 'beyond chance'
expect_status 0 "$SENJUTSU" measure --game tictactoe --games 500 --json
expect "known for certain" near disambiguation.low 1 0
expect "nothing hidden" [ "$(json_get hidden "$out")" = false ]
expect_status 0 "$SENJUTSU" measure --map duel --games 200
expect_out '^tbs: 200 random games'
expect_status 0 "$SENJUTSU" measure --game geister --games 50 --last 20
expect_out 'information set that succeed, near the end$'
# One game may end without siblings.
expect_status 0 "$SENJUTSU" measure --game geister:plies=1 --games 1
expect_out '^geister:plies=1: 1 random game, 3\.0 decisions'

# ---- Ctrl-C keeps finished games ----

run timeout --foreground -s INT 2 "$SENJUTSU" measure --game geister --games 100000000
expect "what was done so far" grep -q -E '^Stopped after [0-9]+ of 100000000 games\.$' "$out"
expect_silent_err

# ---- refusals ----

# refused STATUS PATTERN ARGUMENT …
refused() {
    wanted_status=$1
    pattern=$2
    shift 2
    expect_status "$wanted_status" "$SENJUTSU" measure "$@"
    expect_silent_out
    expect_refusal
    expect_err "$pattern"
}
refused 2 "game 'chess' is unknown" --game chess
refused 2 'games' --games 0
refused 2 'last' --last -1
refused 2 'volume' --volume 11
refused 2 'kuhn' --game kuhn --map duel
refused 1 'nowhere' --map nowhere

expect_status 0 "$SENJUTSU" measure --help
expect_out 'senjutsu measure --game kuhn'

finish
