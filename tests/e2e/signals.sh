#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every command that can take long ends by itself after SIGHUP, SIGINT and SIGTERM, and its status encodes the signal.
. "$(dirname "$0")/lib.sh"

XDG_DATA_HOME=$PWD/home
export XDG_DATA_HOME
unset BROWSER DISPLAY WAYLAND_DISPLAY
write_tiny_map tiny.tbsmap
mkfifo forever
sleep 600 >forever & # holds the pipe open: its reader waits
holder=$!
trap 'kill $holder 2>/dev/null; rm -rf "$folder"' EXIT

# The program handles these signals: bits 1, 2 and 15 of the mask of handled signals, in hexadecimal.
handles() {
    caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
    case $caught in *[4-7c-f]??[3b]) return 0 ;; esac
    return 1
}

# shellcheck disable=SC2317 # called by wait_until
is_under_way() {
    handles $program || has_ended $program
}

# end_by SIGNAL STATUS ARGUMENTS …: starts the command, waits until it is at work, sends the signal.
end_by() {
    sent=$1
    wanted=$2
    shift 2
    command_line="senjutsu $*, with SIG$sent"
    env --default-signal=HUP,INT,TERM "$SENJUTSU" "$@" <forever >"$out" 2>"$err" &
    program=$!
    if [ -r /proc/self/status ]; then expect "it to be at work" wait_until is_under_way; fi
    sleep 0.2 # the place of the interruption varies: the status must not
    kill -"$sent" $program
    # The program ends by itself, or this check fails and kills it.
    (
        waited=0
        while [ $waited -lt "$limit" ] && kill -0 $program; do
            sleep 1
            waited=$((waited + 1))
        done
        kill -KILL $program
    ) >/dev/null 2>&1 &
    watcher=$!
    wait $program 2>/dev/null
    status=$?
    kill $watcher 2>/dev/null
    wait $watcher 2>/dev/null
    expect "it to end with status $wanted" [ $status -eq "$wanted" ]
    expect "no report of a sanitizer" lacks 'runtime error:|Sanitizer' "$err"
}

# Each command with one of the signals, in turn; the first ones with all three.
number=0
while read -r line; do
    case $line in '' | '#'*) continue ;; esac
    number=$((number + 1))
    for try in 0 1 2; do
        if [ $number -gt 2 ] && [ $try -gt 0 ]; then continue; fi
        # shellcheck disable=SC2086 # words
        case $(((number + try) % 3)) in
        0) end_by HUP 129 $line ;;
        1) end_by INT 130 $line ;;
        2) end_by TERM 143 $line ;;
        esac
    done
    case $line in
    'map repair'* | 'train geister-geist'*) expect_err 'interrupted; nothing was written$' ;;
    esac
    # Files of one run must not affect the next.
    rm -rf e r w.weights* t.db*
done <<END
match random acteval --games 10000000 --quiet --map tiny.tbsmap
serve --port 0
tournament --players uct:sims=1000000,acteval --maps standard --store t.db
evolve --out e --jobs 1
repro tbs-table5 --trials 100000 --out r
train geister-geist --out w.weights
train geister-pg --games 100000000 --out w.weights
train geister-setups --games 1000000
engine
engine --listen 0
geister serve --first-port 0 --second-port 0 --viewer-port 0
geister join 127.0.0.1:1 --retry 3600
tubstap serve --map tiny.tbsmap --port 0
tubstap join 127.0.0.1:1 --player random --retry 3600
solve --map standard --time 0
analyze --map standard --player uct --time 3600000
bench --seconds 60
map judge standard --strong uct:sims=1000000 --games 100000 --quiet
map repair standard --strong uct:sims=1000000 --quiet
exploit pimc --game synth --trees 100000
check ext:cmd=sleep\${IFS}3600,start=3600000 --timeout 3600
check --leaks ismcts:sims=1000000 --positions 100000
play --red human
games --check 1000000
END
expect "all commands of the list" [ $number -ge 24 ]

# ---- short commands: stopped in the middle, so that the signal is there ----

if has_faults; then
    expect_status 0 "$SENJUTSU" tournament --quiet --players random,acteval --maps tiny.tbsmap --games 30 --store t.db
    command_line="senjutsu verify, with SIGINT"
    env --default-signal=INT "$with_faults" 'memory STOP from=4000 count=1' "$SENJUTSU" verify --quiet t.db >"$out" 2>"$err" &
    program=$!
    expect "it to stop" wait_until grep -q '^State:[[:space:]]*T' /proc/$program/status
    kill -INT $program
    kill -CONT $program
    wait $program
    status=$?
    expect "its own status" [ $status -eq 130 ]
    expect_err '^senjutsu verify: t.db: stopped after [1-9][0-9]* games?$'
fi

# ---- SIGHUP is a request as SIGTERM is: finished work is preserved and shown ----

for signal in HUP TERM; do
    rm -rf kept
    command_line="senjutsu match, with SIG$signal after ten games"
    env --default-signal=HUP,INT,TERM "$SENJUTSU" match random acteval --games 10000000 --quiet --map tiny.tbsmap \
        --jobs 1 --records kept >"$out" 2>"$err" &
    program=$!
    expect "ten games" wait_until [ -e kept/game-000010.json ]
    kill -$signal $program
    wait $program
    status=$?
    case $signal in HUP) wanted=129 ;; TERM) wanted=143 ;; esac
    expect "its own status" [ $status -eq $wanted ]
    expect_out 'in all'
done

# One that was started by nohup goes on without a terminal.
command_line="nohup senjutsu match, with SIGHUP"
(
    trap '' HUP
    exec "$SENJUTSU" match random acteval --games 60 --quiet --map tiny.tbsmap --jobs 1 >"$out" 2>"$err"
) &
program=$!
sleep 0.2
kill -HUP $program 2>/dev/null
wait $program
status=$?
expect "all its games" [ $status -eq 0 ]

finish
