#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Faults of the referee are not ruled as a player's: shortages of this machine end the run or make it smaller, and a
# game in which the referee was stopped is void.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
: "${SENJUTSU_SABOTEUR:?names the engine that behaves}"
good="ext:cmd=$SENJUTSU_SABOTEUR pass"
write_tiny_map tiny.tbsmap

# ---- shortages ----

# With 32 descriptors, which are too few for 16 games at a time, and with 9, which are too few for one program.
printf '%s\n' '#!/bin/sh' 'ulimit -n 32' 'exec "$@"' >limited
printf '%s\n' '#!/bin/sh' 'ulimit -n 9' 'exec "$@"' >starved

expect_status 0 sh ./limited "$SENJUTSU" match "$good" acteval --games 80 --jobs 16 --map tiny.tbsmap --json
expect_err '^senjutsu match: [0-9]+ games? at a time and not 16: 32 open files are allowed \(ulimit -n\), and a game needs 5$'
expect "no forfeits" [ "$(json_get forfeits "$out")" = 0 ]
json_get score "$out" >limited.score
expect_status 0 "$SENJUTSU" match "$good" acteval --games 80 --jobs 2 --map tiny.tbsmap --json
expect_silent_err
json_get score "$out" >quiet.score
expect_same quiet.score limited.score

expect_status 0 sh ./limited "$SENJUTSU" tournament --players "$good,acteval,random" --maps tiny.tbsmap --jobs 16 \
    --quiet --store limited.db --json
expect_err '^senjutsu tournament: [0-9]+ games? at a time and not 16: 32 open files are allowed'
expect "no faults" lacks '"(crash|hang)": [0-9]' "$out"

# Small and large boards have players of their own.
for list in "tiny.tbsmap,$maps/duel.tbsmap 5" "tiny.tbsmap,$maps/battle30.tbsmap 8"; do
    expect_status 0 sh ./limited "$SENJUTSU" match "$good" random --games 2 --jobs 16 --map "${list% *}" --quiet
    expect_err "^senjutsu match: .* and a game needs ${list#* }\$"
    expect_status 0 sh ./limited "$SENJUTSU" tournament --players "$good,random" --games 1 --jobs 16 --maps "${list% *}" --quiet
    expect_err "^senjutsu tournament: .* and a game needs ${list#* }\$"
done

# A shortage that passes is waited for: the result is the same as without it.
if has_faults; then
    FAULTS_PROGRAM=senjutsu
    export FAULTS_PROGRAM
    for rule in 'fork EAGAIN count=3' 'pipe EMFILE count=5'; do
        expect_status 0 "$with_faults" "$rule" "$SENJUTSU" match "$good" acteval --games 80 --map tiny.tbsmap --json
        json_get score "$out" >short.score
        expect_same quiet.score short.score
    done
    # Threads that cannot be started make a run slower. The first one belongs to the clock, which waits for it.
    while read -r line; do
        for rule in '' 'thread EAGAIN count=2' 'thread EAGAIN from=2' 'thread EAGAIN from=3'; do
            # shellcheck disable=SC2086 # words of their own
            expect_status 0 "$with_faults" "$rule" "$SENJUTSU" $line
            expect_silent_err
            grep -v -E ' a second| a decision|[0-9] s\.$|seconds' "$out" >short.out
            [ -n "$rule" ] || mv short.out whole.out
            [ -z "$rule" ] || expect_same whole.out short.out
        done
    done <<'END'
match random acteval --games 8 --jobs 3 --map tiny.tbsmap --quiet --records threads
tournament --players random,acteval --maps tiny.tbsmap --jobs 3 --quiet
map judge duel --strong acteval --weak random --games 8 --min-games 8 --jobs 3 --quiet
exploit random --game kuhn --samples 4 --jobs 3 --json
END
    # An option that needs a thread is refused with the reason.
    "$SENJUTSU" engine --listen 0 >listening 2>/dev/null &
    server=$!
    wait_until [ -s listening ]
    place=$(sed -n 's/^listening on //p' listening)
    while read -r number error sentence line; do
        # shellcheck disable=SC2086 # words of their own
        expect_status 1 "$with_faults" "thread $error from=$number" "$SENJUTSU" $line
        expect_silent_out
        expect_refusal
        expect_err "$(echo "$sentence" | tr _ ' ')\$"
    done <<END
1 EPERM ^senjutsu:_no_thread_for_the_clock_can_be_started:_Operation_not_permitted engine
2 EAGAIN ^senjutsu_engine:_no_thread_can_be_started engine
2 EAGAIN ^senjutsu_engine:_no_thread_can_be_started engine --connect $place
2 EAGAIN ^senjutsu_serve:_no_thread_can_be_had:_Resource_temporarily_unavailable serve --port 0 --data data
3 EAGAIN ^senjutsu_serve:_the_web_server_does_not_start serve --port 0 --data data
END
    kill $server
    wait $server
else
    skip "this build has no library that makes faults"
fi

# What does not pass stops the run with a message, after seconds, and the game is not stored. The commands wait while
# the rest of this script runs; expect_short checks them.
# start_short NAME COMMAND …
start_short() {
    short=$1
    shift
    echo "$*" >"$short.command"
    (
        timeout "$limit" "$@" </dev/null >"$short.out" 2>"$short.err"
        echo $? >"$short.status"
    ) &
}
# expect_short NAME SENTENCE [OUTPUT]
expect_short() {
    wait_until [ -s "$1.status" ]
    command_line=$(cat "$1.command") status=$(cat "$1.status")
    cp "$1.out" "$out"
    cp "$1.err" "$err"
    expect "status 1" [ "$status" = 1 ]
    expect_err "$2"
    if [ $# -gt 2 ]; then expect_out "$3"; else expect_silent_out; fi
}
start_short match sh ./starved "$SENJUTSU" match "$good" acteval --games 2 --map tiny.tbsmap --json
start_short check sh ./starved "$SENJUTSU" check "$good" --map tiny.tbsmap --positions 1
if has_faults; then
    start_short fork "$with_faults" 'fork EAGAIN' "$SENJUTSU" tournament --players "$good,acteval" --maps tiny.tbsmap \
        --jobs 1 --quiet --store fork.db
    start_short pipe "$with_faults" 'pipe ENFILE from=4' "$SENJUTSU" tournament --players "$good,acteval" \
        --maps tiny.tbsmap --jobs 1 --quiet --store pipe.db
    start_short wait "$with_faults" 'wait ENOMEM' "$SENJUTSU" engine --listen 0
fi

# ---- stops ----

# A program that stops its referee while it is asked itself ('asked') or its opponent is ('waits'), as often as there
# are lines in the file `stops`, each time for longer than a second.
cat >stopper.sh <<'END'
stop() {
    sed -i 1d "$2"
    kill -STOP "$PPID"
    sleep 1.6
    kill -CONT "$PPID"
}
while read -r line; do
    case $line in
    quit*) exit ;;
    map*) while read -r line && [ "$line" != endmap ]; do :; done ;;
    go*)
        [ "$1" = asked ] && [ -s "$2" ] && stop "$@"
        echo 'best pass'
        [ "$1" = waits ] && [ -s "$2" ] && { sleep 0.3 && stop "$@"; } >/dev/null 2>&1 </dev/null &
        ;;
    esac
    echo ok
done
END
stopper="ext:cmd=exec sh $PWD/stopper.sh"

# stops COUNT: so many are to come.
stops() {
    seq "$1" | head -n "$1" >stops
}

stops 0
expect_status 0 "$SENJUTSU" match "$stopper asked $PWD/stops" acteval --games 2 --jobs 1 --map tiny.tbsmap \
    --clock turn=60 --json
json_get score "$out" >quiet.score
expect "no void games" [ "$(json_get times.voids "$out")" = 0 ]
stops 1
expect_status 0 "$SENJUTSU" match "$stopper asked $PWD/stops" acteval --games 2 --jobs 1 --map tiny.tbsmap \
    --clock turn=60
expect_out '^  1 game was void and played again: this program was stopped for [1-9][0-9.]* s meanwhile$'
expect_no_out 'forfeited'
stops 1
expect_status 0 "$SENJUTSU" match "$stopper asked $PWD/stops" acteval --games 2 --jobs 1 --map tiny.tbsmap \
    --clock turn=60 --json
expect "one void game" [ "$(json_get times.voids "$out")" = 1 ]
json_get score "$out" >stopped.score
expect_same quiet.score stopped.score

# While a player of our own thinks.
stops 1
expect_status 0 "$SENJUTSU" match "$stopper waits $PWD/stops" uct:sims=1000000000 --games 1 --map tiny.tbsmap \
    --clock turn=1.5,grace=60 --json
expect "one void game" [ "$(json_get times.voids "$out")" = 1 ]

# Without clocks no game is void, and the time limit of an answer is paused: it is shorter than the stop.
stops 1
expect_status 0 "$SENJUTSU" match "$stopper asked $PWD/stops,timeout=1500" acteval --games 2 --map tiny.tbsmap --json
expect "no void games" [ "$(json_get times.voids "$out")" = 0 ]
expect "no forfeits" [ "$(json_get forfeits "$out")" = 0 ]

# An event stores its void games.
event() {
    run "$SENJUTSU" tournament --players "$stopper asked $PWD/stops,acteval" --maps tiny.tbsmap --games 2 --jobs 1 \
        --clock turn=60 --quiet --store "$1" --json
    cp "$out" "$1.json"
    json_get standings.0.points "$1.json" >"$1.points"
}
stops 0
event quiet.db
expect "status 0" [ "$status" = 0 ]
stops 2
event stopped.db
expect "status 0" [ "$status" = 0 ]
expect_same quiet.db.points stopped.db.points
expect "the first void game in the report" [ "$(json_get times.voids.0.game stopped.db.json)" = 0 ]
expect "the second one" [ "$(json_get times.voids.1.game stopped.db.json)" = 0 ]
expect_status 0 "$SENJUTSU" verify stopped.db
expect_out '^2 games were void, because the program was stopped in the middle, and played again:$'
expect_count 2 '^game 0, stopped for [1-9][0-9.]* s after [0-9]+ actions$'

# After two replays the run stops, and the same command continues later.
stops 3
event thrice.db
expect "status 1" [ "$status" = 1 ]
expect_err '^senjutsu tournament: game 0, .* on tiny: a game with clocks was void 3 times: this program was stopped'
expect_status 0 "$SENJUTSU" verify thrice.db
expect_out 'ok, 0 games executed again'
expect_count 3 '^game 0, stopped for'
event thrice.db
expect "status 0" [ "$status" = 0 ]
expect_same quiet.db.points thrice.db.points

# A match does the same; its void games are those of all of its runs.
expect_stored_match() {
    expect_status "$1" "$SENJUTSU" match "$stopper asked $PWD/stops" acteval --games 2 --jobs 1 --map tiny.tbsmap \
        --clock turn=60 --store match.db --json
}
stops 3
expect_stored_match 1
expect_err '^senjutsu match: a game with clocks was void 3 times: this program was stopped'
expect_stored_match 0
expect "three void games" [ "$(json_get times.voids "$out")" = 3 ]
stops 1
expect_stored_match 0
expect "no other one: nothing was left to play" [ "$(json_get times.voids "$out")" = 3 ]

# ---- the shortages that did not pass ----

expect_short match 'this machine cannot start it or talk to it: Too many open files$'
expect_short check '^senjutsu check: this machine cannot start the engine or talk to it: Too many open files$'
if has_faults; then
    expect_short fork 'this machine cannot start it or talk to it: Resource temporarily unavailable$'
    expect_status 0 "$SENJUTSU" verify fork.db
    expect_out 'ok, 0 games executed again'
    expect_short pipe 'this machine cannot start it or talk to it: Too many open files in system$'
    expect_status 0 "$SENJUTSU" verify pipe.db
    expect_out 'ok, 0 games executed again'
    expect_short wait '^senjutsu engine: 127\.0\.0\.1:[0-9]+: no connection can be taken: Cannot allocate memory$' '^listening on '
fi

finish
