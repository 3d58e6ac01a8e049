#!/bin/sh
# SPDX-License-Identifier: MIT
#
# An event that is killed without warning, twenty times, and goes on each time: its end is that of an event nobody
# touched, and every game is there once.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"

# When it is killed, as shares of half the time the event takes undisturbed, so that all of them come before its end
# (they add up to 1.2): a fixed list of random numbers.
moments='0.078 0.013 0.102 0.000 0.061 0.094 0.027 0.110 0.045 0.083
         0.006 0.071 0.119 0.038 0.055 0.001 0.090 0.066 0.022 0.104'

is_sanitized && games=8 || games=20

# Nobody may wait for what was killed, and nobody but us shall say that it was.
kill_after() {
    kill_pause=$1
    shift
    "$@" >"$out" 2>"$err" &
    killed=$!
    sleep "$kill_pause"
    kill -KILL $killed 2>/dev/null
    wait $killed 2>/dev/null
    [ $? -eq 137 ]
}

# Killed early enough there is no store, or nothing in it; otherwise it is in order.
# shellcheck disable=SC2317 # called by expect
in_order() {
    "$SENJUTSU" verify --quiet event.db >verify.out 2>verify.err && return 0
    grep -q -E 'No such file|is empty|has no event in it' verify.err && return 0
    cat verify.out verify.err
    return 1
}

# event NAME OPTION …
event() {
    event_name=$1
    shift
    rm -rf event.db* pages
    tournament --json --jobs 2 --out whole-pages "$@"
    keep whole.json
    cp "$out" whole
    seconds=$(json_get times.seconds whole)
    kills=0
    for moment in $moments; do
        pause=$(awk -v share="$moment" -v all="$seconds" 'BEGIN { printf "%.3f", share * all / 2 }')
        kill_after "$pause" "$SENJUTSU" tournament --quiet --json --jobs 4 --store event.db "$@" &&
            kills=$((kills + 1))
        expect "$event_name, killed after $pause s: a store in order" in_order
    done
    expect "$event_name to be killed several times, not $kills" [ $kills -ge 3 ]
    command_line="senjutsu tournament $*, after $kills kills"
    tournament --json --jobs 4 --store event.db --out pages "$@"
    same_result whole.json
    numbers=$(json_get games "$out")
    expect "$event_name: no game missing and none twice" numbered pages/games.csv "$numbers"
    games_of whole-pages/games.csv >whole.csv
    games_of pages/games.csv >pages.csv
    expect_same whole.csv pages.csv
    expect_status 0 "$SENJUTSU" verify event.db
    expect_out "^event.db: ok, $numbers games executed again, the standings follow from them\$"
    expect "one file after a clean end" [ "$(echo event.db*)" = event.db ]
}

event "round robin" --players uct:sims=300,uct:sims=200,acteval,random --maps standard,duel --games "$games"
event "Swiss with a final" --players uct:sims=200,uct:sims=100,uct:sims=60,acteval,random,first,random \
    --maps standard,duel --games "$games" --format swiss --rounds 3 --final 4

# ---- players outside ----

# Killed while programs outside sleep and do not listen: they go, too, and a program that was lost is no fault of it.
: "${SENJUTSU_SABOTEUR:?names the program that misbehaves}"
outside="ext:cmd=$SENJUTSU_SABOTEUR sleep-ignore-term 2;timeout=600000,ext:cmd=$SENJUTSU_SABOTEUR sleep;timeout=600000"
"$SENJUTSU" tournament --quiet --players "$outside,random,ext:cmd=$SENJUTSU engine --player random" --maps duel --jobs 4 \
    --store outside.db >"$out" 2>"$err" &
killed=$!
command_line="senjutsu tournament --players $outside …, killed"
waited=0
until [ "$(left_behind | grep -c -F "$SENJUTSU_SABOTEUR")" -ge 2 ] || [ $waited -gt 100 ]; do
    sleep 0.1
    waited=$((waited + 1))
done
expect "programs outside at work" [ $waited -le 100 ]
kill -KILL $killed
wait $killed 2>/dev/null
expect_nothing_left
expect_status 0 "$SENJUTSU" verify --quiet outside.db
expect_out 'the event is not over yet'

finish
