#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu solve: results that hold when they are played, bounds when it has to stop, Ctrl-C.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap
escape=$(printf '\033')

# line FILE: the actions of the best line in our JSON, one a line.
line() {
    flatten "$1" | sed -n 's/^line\.[0-9]*\.action="\(.*\)"$/\1/p'
}

# ---- a win, with its proof ----

expect_status 0 "$SENJUTSU" solve --map "$maps/duel.tbsmap"
cp "$out" duel.txt
expect_silent_err
expect_no_out "$escape"
expect_out '^turn 1 of 16, red to move; HP red 20, blue 20$'
expect_count 1 '^solved: red wins in [0-9]+ turns$'
expect_out '^best play:$'
expect_out '^turn 1, red$'
expect_out '^  [0-9]:[0-9],[0-9]x[0-9] +red (panzer|infantry) [0-9] .*attacks blue .*: damage [0-9]+ of 10 HP'
expect_out '^red won '
expect_out '^[0-9]+ positions in [0-9.]+ seconds .*; [0-9]+ of them were in the table, which saved at least [0-9]+ more$'

expect_status 0 "$SENJUTSU" solve --map "$maps/duel.tbsmap" --json
cp "$out" duel.json
expect_silent_err
turns=$(sed -n 's/^solved: red wins in \([0-9]*\) turns$/\1/p' duel.txt)
expect "the same result" [ "$(json_get solved duel.json) $(json_get side duel.json) $(json_get value duel.json)" = \
    'true "red" "win"' ]
expect "the same number of turns" [ "$(json_get turns duel.json)" = "$turns" ]
expect "both bounds" [ "$(json_get low duel.json) $(json_get high duel.json)" = '1.0 1.0' ]
expect "no limit to be met" [ "$(json_get limit duel.json)" = null ]
line duel.json >actions
expect "actions" [ -s actions ]

# Played in the engine, the line ends the game with the computed result.
{
    echo "map $maps/duel.tbsmap"
    sed 's/^/play /' actions
    echo state
} | feed
expect_status 0 "$SENJUTSU" engine
expect_no_out '^error '
expect_out "^turn $turns side "
expect_out '^result red '

# The speed of more than an instant.
expect_status 1 "$SENJUTSU" solve --map "$maps/standard.tbsmap" --nodes 100000
expect_out '^100000 positions in [0-9.]+ seconds \(([1-9][0-9]*\.[0-9]+|0\.[0-9]*[1-9][0-9]*) million a second\)'

# ---- a draw; rules; memory ----

expect_status 0 "$SENJUTSU" solve --map tiny.tbsmap
expect_out '^solved: a draw$'
expect_out '^from here on the result cannot change$'
expect_status 0 "$SENJUTSU" solve --map tiny.tbsmap --json
expect "a draw" [ "$(json_get value "$out") $(json_get low "$out") $(json_get limit "$out")" = '"draw" 0.5 null' ]
with=$(json_get nodes "$out")
expect_status 0 "$SENJUTSU" solve --map tiny.tbsmap --json
expect "the same work again" [ "$(json_get nodes "$out")" = "$with" ]
expect_status 0 "$SENJUTSU" solve --map tiny.tbsmap --json --memory 0
expect "a draw without a table" [ "$(json_get value "$out") $(json_get transpositions "$out")" = '"draw" 0' ]
expect "more work without a table" [ "$(json_get nodes "$out")" -gt "$with" ]

# No unit can move; red leads by exactly the threshold, which wins by the paper's rules alone.
cat >apart.tbsmap <<'END'
SIZEX[5];SIZEY[3];
TURNLIMIT[6];HPTHRESHOLD[3];
UNITNUMRED[1];UNITNUMBLUE[1];
MAP[0,0,0,0,0];
MAP[0,1,0,1,0];
MAP[0,0,0,0,0];
UNIT[1,1,infantry,0,9,0];
UNIT[3,1,infantry,1,6,0];
END
expect_status 0 "$SENJUTSU" solve --map apart.tbsmap
expect_out '^solved: a draw$'
expect_out '^a draw at the turn limit$'
expect_status 0 "$SENJUTSU" solve --map apart.tbsmap --rules paper
expect_out '^solved: red wins in 6 turns$'
expect_out '^red won at the turn limit$'
expect_status 0 "$SENJUTSU" solve --map apart.tbsmap --rules paper --wdl
expect_out '^solved: red wins in '

# ---- after a record ----

printf '0:1,1\n\nsave waited.json\nresign\ny\n' | feed
expect_status 0 "$SENJUTSU" play --map apart.tbsmap --blue human --save over.json
expect_status 0 "$SENJUTSU" solve --after waited.json --rules paper
expect_out '^turn 2 of 6, blue to move'
expect_out '^solved: blue loses, red wins in 5 turns$'
expect_status 0 "$SENJUTSU" solve --after over.json:0 --json
expect "red to move" [ "$(json_get side "$out") $(json_get turns "$out")" = '"red" 6' ]
expect_status 1 "$SENJUTSU" solve --after over.json
expect_refusal
expect_err 'the game is over, .* won by resignation'
expect_silent_out

# ---- not solved ----

expect_status 1 "$SENJUTSU" solve --map "$maps/endgame.tbsmap" --nodes 20000
expect_silent_err
expect_out '^not solved: either side may still win; searched [1-9] turns? deep, .* \(the limit of positions was reached\)$'
expect_no_out '^best play'
expect_status 1 "$SENJUTSU" solve --map "$maps/endgame.tbsmap" --nodes 20000 --json
expect "no solution" [ "$(json_get solved "$out") $(json_get value "$out") $(json_get turns "$out")" = 'false null null' ]
expect "the bounds" [ "$(json_get low "$out") $(json_get high "$out")" = '0.0 1.0' ]
expect "the limit" [ "$(json_get limit "$out") $(json_get nodes "$out")" = '"nodes" 20000' ]
expect_status 1 "$SENJUTSU" solve --map "$maps/endgame.tbsmap" --time 0.2
expect_out '^not solved: .* \(the time was used up\)$'

# ---- Ctrl-C ----

expect_interrupted 130 "$SENJUTSU" solve --map "$maps/standard.tbsmap" --time 0
expect_out '^not solved: .* \(interrupted\)$'
expect_out '^[0-9]+ positions in '

# ---- wrong usage ----

# refused STATUS PATTERN ARGUMENT …
refused() {
    wanted_status=$1 pattern=$2
    shift 2
    expect_status "$wanted_status" "$SENJUTSU" solve "$@"
    expect_refusal
    expect_err "$pattern"
    expect_silent_out
}
refused 2 "'more'" more
refused 2 '--depth' --depth 3
refused 2 '--time' --time -1
refused 2 '--memory' --memory much
refused 2 '--nodes' --nodes -5
refused 2 'rule set' --map tiny.tbsmap --rules chess
refused 2 '--after' --after waited.json:last
refused 1 'absent' --map absent.tbsmap
refused 1 'absent' --after absent.json
refused 1 '1 action' --after waited.json:9
expect_status 0 "$SENJUTSU" solve --help
for option in map after rules nodes time memory wdl json; do
    expect_out "^  --$option"
done
expect_out '^  senjutsu solve '

finish
