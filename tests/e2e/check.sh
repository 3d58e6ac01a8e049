#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu check: our own engine and the example players are ready for a tournament, those that misbehave are not, and
# faults happen again from their bundles.
# shellcheck disable=SC2016 # the backquotes are what is printed
. "$(dirname "$0")/lib.sh"
: "${SENJUTSU_SABOTEUR:?names the engine that misbehaves}"
examples=$SENJUTSU_ROOT/examples

# For engines that are right: a loaded machine is slow.
# shellcheck disable=SC2086 # a list of words, wherever it is used
patient="--grace 20000 --timeout 60"

# ---- our own engine ----

expect_status 0 "$SENJUTSU" check "ext:cmd=$SENJUTSU engine" --positions 6 $patient
expect_silent_err
expect_out '^pass  handshake: senjutsu'
expect_out '^pass  legal: 6 positions on 6 maps'
expect_out '^pass  processes: '
expect_no_out '^(fail|skip)'
expect_out '^([0-9]+) of \1 items passed: ready for a tournament$'
items=$(grep -c '^pass' "$out")
expect "at least 16 items" [ "$items" -ge 16 ]
expect_no_out "$(printf '\033')"

expect_status 0 "$SENJUTSU" check "ext:cmd=$SENJUTSU engine,turn=yes,options=[player=random;seed=3]" --positions 3 \
    --map duel --seed 5 --json $patient
expect_silent_err
expect "balanced JSON" [ -z "$(json_get unbalanced "$out")" ]
expect "a verdict" [ "$(json_get ready "$out")" = true ]
expect "the engine's name" [ "$(json_get name "$out")" = '"senjutsu"' ]
expect "the items in their order" [ "$(json_get items.0.name "$out")" = '"start"' ]
expect "a result" [ "$(json_get items.0.result "$out")" = '"pass"' ]
expect "the map" [ "$(json_get maps.0 "$out")" = '"duel"' ]
expect "the seed" [ "$(json_get seed "$out")" = 5 ]
expect "all items" [ "$(json_get passed "$out")" = "$items" ]

# An option of its own that it refuses.
expect_status 1 "$SENJUTSU" check "ext:cmd=$SENJUTSU engine,options=[volume=11]" --positions 1 --map duel
expect_out '^fail  handshake: `setoption volume 11` was answered with `error'

# ---- examples ----

# example COMMAND FAILED-RECOMMENDED-ITEMS: the player is ready, and a game against one of ours ends without a fault.
example() {
    expect_status 0 "$SENJUTSU" check "ext:cmd=$1" --positions 6 $patient
    expect_silent_err
    expect_out 'ready for a tournament$'
    expect_count "$2" '^fail'
    expect_status 0 "$SENJUTSU" match "ext:cmd=$1" random --games 2 --map duel --quiet --json
    expect "no forfeits" [ "$(json_get forfeits "$out")" = 0 ]
}

if command -v cc >/dev/null 2>&1; then
    expect_status 0 cc -Wall -Wextra -Werror -o bot "$examples/bot.c"
    expect_silent_err
    example ./bot 1
    expect_status 0 "$SENJUTSU" check ext:cmd=./bot --positions 1 --map duel
    expect_out '^fail  refuse \(recommended\): '
else
    skip "there is no C compiler named cc to build examples/bot.c"
fi
if command -v python3 >/dev/null 2>&1; then
    example "python3 $examples/bot.py" 1
    example "python3 $examples/wrap.py $SENJUTSU" 0
else
    skip "there is no python3 to run examples/bot.py and examples/wrap.py"
fi

# ---- programs that misbehave ----

expect_status 1 "$SENJUTSU" check "ext:cmd=$SENJUTSU_SABOTEUR illegal" --positions 2 --map duel --verbose
expect_out "^fail  legal: duel after 0 actions: .go time 50.: '0:9999,9999' is no action"
expect_out '^        < best 0:9999,9999$'
expect_out '^        > … \([0-9]+ lines\)$'
expect_out '^skip  clock: needs `legal`, which did not pass$'
expect_out 'items passed, [0-9]+ skipped: not ready: legal$'

expect_status 1 "$SENJUTSU" check "ext:cmd=$SENJUTSU_SABOTEUR sleep-start" --timeout 0.5
expect_out '^fail  handshake: after `sjp 1`: no answer in [0-9.]+ s'
expect_out ': not ready: handshake$'

expect_status 1 "$SENJUTSU" check ext:cmd=./no-such-program --json
expect "not ready" [ "$(json_get ready "$out")" = false ]
expect "why" [ "$(json_get items.0.result "$out")" = '"fail"' ]
expect "that it cannot be started" grep -q 'cannot be started' "$out"

# ---- over a network ----

# Several conversations one after the other, with an engine that listens on a port.
: >port
"$SENJUTSU" engine --listen 0 >port 2>&1 &
server=$!
wait_until grep -q '[0-9]$' port
port=$(sed -n 's/.*:\([0-9][0-9]*\)$/\1/p' port)
if [ -n "$port" ]; then
    expect_status 0 "$SENJUTSU" check "ext:host=127.0.0.1,port=$port" --positions 3 --map duel $patient
    expect_out '^skip  processes: it was not started here$'
    expect_out ': ready for a tournament$'
else
    skip "senjutsu engine --listen 0 names no port here"
fi
kill $server 2>/dev/null
wait $server 2>/dev/null

# ---- a fault once more ----

write_bundle() {
    cat >"$1" <<END
{"format": "senjutsu-bundle", "version": 1, "ruling": "$2", "side": 0, "player": "ext:cmd=x", "reason": "red forfeits: $2",
 "limit_ms": 400, "patience_ms": 300, "clock": "0.4 s a turn", "command": "$3",
 "sent": ["sjp 1", "newgame tbs", "map", $(awk '{ printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0 }' tiny.tbsmap), "endmap",
          "play pass", "go time 300"],
 "tail": ["> go time 300"], "record": $(cat record.json)}
END
}

write_tiny_map tiny.tbsmap
expect_status 0 "$SENJUTSU" match random random --games 1 --map tiny.tbsmap --records records --quiet
# The position of the fault: after one `pass`.
awk '/"actions": *\[/ { sub(/\[.*/, "[\"pass\"],"); print; skipping = 1; next }
     skipping { if (/\]/) skipping = 0; next }
     { sub(/"result": "[^"]*"/, "\"result\": \"none\""); print }' records/game-000001.json >record.json
expect_status 0 "$SENJUTSU" replay record.json --check
[ "$status" -eq 0 ] || cat record.json

write_bundle hang.json hang "$SENJUTSU_SABOTEUR sleep"
expect_status 0 "$SENJUTSU" check --replay hang.json --programs
expect_err "^  ext:cmd=.*saboteur sleep \(starts a program\)\$"
expect_out '^fault report: hang: red forfeits: hang$'
expect_out '^  > go time 300$'
expect_out '^reproduced: hang on `go time 300`: no answer in [0-9.]+ s$'

write_bundle illegal.json illegal "$SENJUTSU_SABOTEUR illegal"
expect_status 0 "$SENJUTSU" check --replay illegal.json --json --programs
expect "balanced JSON" [ -z "$(json_get unbalanced "$out")" ]
expect "the same fault" [ "$(json_get reproduced "$out")" = true ]
expect "its name" [ "$(json_get fault "$out")" = '"illegal"' ]
expect_status 1 "$SENJUTSU" check --replay illegal.json "ext:cmd=$SENJUTSU_SABOTEUR pass"
expect_out '^not reproduced: no illegal this time'
expect_status 1 "$SENJUTSU" check --replay illegal.json "ext:cmd=$SENJUTSU_SABOTEUR crash"
expect_out '^not reproduced: crash on `go time 300` \(it ended \(signal 11'

write_bundle gone.json crash ''
expect_status 1 "$SENJUTSU" check --replay gone.json
expect_silent_out
expect_refusal
expect_err 'gone\.json: .*name a player$'

# ---- wrong usage ----

expect_status 2 "$SENJUTSU" check
expect_refusal
expect_status 2 "$SENJUTSU" check random
expect_refusal
expect_err "'random' is one of our own players"
expect_status 2 "$SENJUTSU" check ext:cmd=./bot ext:cmd=./bot
expect_refusal
expect_status 2 "$SENJUTSU" check ext
expect_refusal
expect_status 2 "$SENJUTSU" check ext:cmd=./bot --positions 0
expect_refusal
expect_status 1 "$SENJUTSU" check ext:cmd=./bot --map no-such-map
expect_silent_out
expect_refusal
expect_err 'no-such-map'
expect_status 1 "$SENJUTSU" check --replay no-such-file.json
expect_refusal
expect_status 1 "$SENJUTSU" check --replay records/game-000001.json
expect_refusal
expect_err '"format" is not'

# A game without maps in which nothing is hidden: its start is sent as a position, then actions.
expect_status 0 "$SENJUTSU" check "ext:cmd=exec $SENJUTSU engine --player random" --game tictactoe --positions 2
expect_out '^pass  undo: 2 actions taken back in 2 positions'
expect_out '^21 of 21 items passed: ready for a tournament'

finish
