#!/bin/sh
# SPDX-License-Identifier: MIT
#
# An event that is killed without warning, twenty times, and goes on each time: its result is that of an uninterrupted
# event, and every game is there once.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"

# When it is killed, as shares of the time the event takes undisturbed: a fixed list of random numbers. Every other one
# counts from the first game that is stored; together they come before its end.
moments='0.039 0.006 0.051 0.000 0.030 0.047 0.013 0.055 0.022 0.041
         0.003 0.035 0.059 0.019 0.027 0.000 0.045 0.033 0.011 0.052'
games=12 swiss_games=4
# The others of the twenty are left to the release build.
is_sanitized && moments='0.039 0.006 0.051 0.000 0.030 0.047 0.013' games=4 swiss_games=2

# event NAME OPTION …
event() {
    event_name=$1
    shift
    rm -rf event.db* pages
    tournament --json --jobs 2 --out whole-pages "$@"
    keep whole.json
    cp "$out" whole
    seconds=$(json_get times.seconds whole)
    # The speed of the machine varies: a run that ends too early is started again and killed sooner.
    for hurry in 1 4 16 64; do
        rm -rf event.db*
        kills=0
        counted=-
        for moment in $moments; do
            pause=$(awk -v share="$moment" -v all="$seconds" -v hurry=$hurry 'BEGIN { printf "%.3f", share * all / hurry }')
            kill_after "$pause" $counted "$SENJUTSU" tournament --quiet --json --jobs 4 --store event.db "$@" &&
                kills=$((kills + 1))
            expect "$event_name, killed after $pause s: a store in order" in_order event.db
            [ $counted = - ] && counted=event.db || counted=-
        done
        [ $kills -lt 3 ] || break
    done
    printf '%s: killed %d times\n' "$event_name" "$kills"
    expect "$event_name to be killed several times, not $kills" [ "$kills" -ge 3 ]
    command_line="senjutsu tournament $*, after $kills kills"
    tournament --json --jobs 4 --store event.db --out pages "$@"
    same_result whole.json
    numbers=$(json_get games "$out")
    expect "$event_name: no game missing and none twice" numbered pages/games.csv "$numbers"
    same_games whole-pages pages
    expect_status 0 "$SENJUTSU" verify event.db
    expect_out "^event.db: ok, $numbers games executed again, the standings follow from them\$"
    expect "one file after a clean end" [ "$(echo event.db*)" = event.db ]
}

event "round robin" --players uct:sims=300,uct:sims=200,acteval,random --maps standard,duel --games $games
event "Swiss with a final" --players uct:sims=200,uct:sims=100,uct:sims=60,acteval,random,first,random \
    --maps standard,duel --games $swiss_games --format swiss --rounds 3 --final 4

# ---- a match ----

# After repeated kills the result is that of an uninterrupted event, except for times.
result() {
    sed '/"times": {/,/}/d' "$1"
}

match="uct:sims=200 acteval --map standard,duel --games 120 --json --quiet --sprt -200,200"
# shellcheck disable=SC2086 # options
expect_status 0 "$SENJUTSU" match $match --jobs 2
cp "$out" whole-match
kills=0
counted=-
for pause in 0.02 0.01 0.03 0 0.02 0.01 0.03 0.02; do
    # shellcheck disable=SC2086 # options
    kill_after $pause $counted "$SENJUTSU" match $match --jobs 4 --store match.db && kills=$((kills + 1))
    [ $counted = - ] && counted=match.db || counted=-
done
printf 'match: killed %d times\n' "$kills"
expect "the match to be killed, not $kills times" [ "$kills" -ge 2 ]
expect_status 0 "$SENJUTSU" match --store match.db --quiet
expect_status 0 "$SENJUTSU" match --store match.db --continue --json --quiet --records match-records
result "$out" >continued-match
result whole-match >whole-result
expect_same continued-match whole-result
expect "a record of each game" [ "$(find match-records -type f | wc -l)" -eq "$(json_get games whole-match)" ]
expect_status 0 "$SENJUTSU" replay match.db --game 5 --check
expect_status 0 "$SENJUTSU" replay match-records/game-000006.json --check
# shellcheck disable=SC2086 # options
expect_status 0 "$SENJUTSU" match $match --store match.db
result "$out" >continued-match
expect_same continued-match whole-result

# ---- players outside ----

# Killed while external programs sleep and do not listen: they end, too, and a lost program gets no fault.
: "${SENJUTSU_SABOTEUR:?names the program that misbehaves}"
outside="ext:cmd=$SENJUTSU_SABOTEUR sleep-ignore-term 2;timeout=600000,ext:cmd=$SENJUTSU_SABOTEUR sleep;timeout=600000"
"$SENJUTSU" tournament --quiet --players "$outside,random,ext:cmd=$SENJUTSU engine --player random" --maps duel --jobs 4 \
    --store outside.db >"$out" 2>"$err" &
killed=$!
command_line="senjutsu tournament --players $outside …, killed"
expect "programs outside at work" wait_until saboteurs_at_work 2
kill -KILL $killed
wait $killed 2>/dev/null
expect_nothing_left
expect_status 0 "$SENJUTSU" verify --quiet outside.db
expect_out 'the tournament is not over yet'

finish
