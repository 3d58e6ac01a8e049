# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Programs outside, as `check` judges them and repeats their faults; where `engine` and `geister` listen, and whom they call.
# Whole outputs, but for times, ports and the numbers of processes.

: "${SENJUTSU_SABOTEUR:?names the engine that misbehaves}"
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: there is no python3 to make a terminal with"
    exit 77
fi
lines_shown=400
write_tiny_map tiny.tbsmap

# without_times: `plain`, and removes what only `check` prints.
without_times() {
    sed -E -e "s#$SENJUTSU_SABOTEUR#saboteur#g" -e 's/[0-9]+(\.[0-9]+)? (of [0-9]+ )?ms/T \2ms/g' -e 's/in [0-9.]+ s\b/in T s/g' \
        -e 's/was answered (before|T ms after) `stop`.*/was answered around `stop`/' | plain
}
c() {
    run "$SENJUTSU" check "$@"
    checks=$((checks + 1))
    {
        echo "\$ check $*" | without_times
        without_times <"$out" | brief
        without_times <"$err" | brief | sed 's/^/2> /'
        if [ "$status" -ne 0 ]; then echo "status $status"; fi
        echo
    } >>"$found"
}

# ---- check: a program that is right, and some that are not ----

patient="--grace 20000 --timeout 60"
# shellcheck disable=SC2086 # words of their own
c "ext:cmd=$SENJUTSU engine" --positions 2 --map duel,tiny.tbsmap --seed 7 --json $patient
for mode in illegal garbage error wrong-game exit silent-ok; do
    # shellcheck disable=SC2086
    c "ext:cmd=$SENJUTSU_SABOTEUR $mode" --positions 1 --map tiny.tbsmap --verbose $patient
done
# shellcheck disable=SC2086
c "ext:cmd=$SENJUTSU_SABOTEUR twice" --positions 1 --map tiny.tbsmap --json $patient
run python3 -I -S "$SENJUTSU_ROOT/tests/expected/terminal.py" --all 200 40 '' "$SENJUTSU" check \
    "ext:cmd=$SENJUTSU_SABOTEUR illegal" --positions 1 --map tiny.tbsmap
without_times <"$out" >terminal
files terminal

# ---- check: faults again ----

"$SENJUTSU" match random random --games 1 --map tiny.tbsmap --records records --quiet >/dev/null
awk '/"actions": *\[/ { sub(/\[.*/, "[\"pass\"],"); print; skipping = 1; next }
     skipping { if (/\]/) skipping = 0; next }
     { sub(/"result": "[^"]*"/, "\"result\": \"none\""); print }' records/game-000001.json >record.json
bundle() {
    cat >"$1.json" <<END
{"format": "senjutsu-bundle", "version": 1, "ruling": "$1", "side": 0, "player": "ext:cmd=x", "reason": "red forfeits: $1 \u001b[31m",
 "limit_ms": 400, "patience_ms": 300, "clock": "0.4 s a turn", "command": "$2",
 "sent": ["sjp 1", "newgame tbs", "map", $(awk '{ printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0 }' tiny.tbsmap), "endmap",
          "play pass", "go time 300"],
 "tail": ["> go time 300"], "record": $(cat record.json)}
END
}
bundle illegal "$SENJUTSU_SABOTEUR illegal"
bundle crash "$SENJUTSU_SABOTEUR exit-mid"
for options in "" --json; do
    c --replay illegal.json --programs $options
    c --replay crash.json --programs $options
    c --replay illegal.json "ext:cmd=$SENJUTSU_SABOTEUR pass" $options
    c --replay illegal.json "ext:cmd=$SENJUTSU_SABOTEUR garbage" $options
    c --replay crash.json "ext:cmd=$SENJUTSU_SABOTEUR illegal" $options
done
c --replay illegal.json
c --replay illegal.json random
c --replay illegal.json "ext:cmd=$SENJUTSU_SABOTEUR pass" --programs
c --replay missing.json "ext:cmd=$SENJUTSU_SABOTEUR pass"
c --replay illegal.json --leaks
c --replay illegal.json --twins 5
c --replay illegal.json --game kuhn
c random --programs
c --leaks random --verbose
c --leaks random --timeout 9.5
c --leaks random --timeout 10.5
c "ext:cmd=true" --game kuhn --map duel
c "ext:cmd=true" --game tbs:rules=paper --map nothing
c "ext:cmd=true" --game tictactoe --map duel
c "ext:cmd=true" --map ,duel
c --leaks pimc:time=1 random --game kuhn --positions 3 --json
c --leaks 'split:player=[pimc:time=5]' --game kuhn --positions 2
c --leaks random nobody --game kuhn --positions 2
c --leaks acteval random --game synth:df=0.5 --positions 2
c --leaks acteval --game kuhn --positions 2 --json

# ---- engine: places ----

# listens PLACE …: its first output, and its end.
listens() {
    for place in "$@"; do
        : >place.out
        timeout -s KILL "$limit" "$SENJUTSU" engine --listen "$place" >place.out 2>place.err &
        engine=$!
        wait_until [ -s place.out ] || [ -s place.err ]
        kill -INT $engine 2>/dev/null
        wait $engine
        line "engine --listen $place: status $?: $(cat place.out place.err | sed -E 's/:[0-9]+$/:N/')"
    done
}
listens 0 127.0.0.1:0 localhost:0
for place in '' : x 65536 -1 1x 127.0.0.1: :70000 '[::1]' "$(printf '%0128d' 0):0"; do
    s engine --listen "$place"
done
for place in '' : 5 :5 x: x:y x:65536 '[]:5' '[::1]' 127.0.0.1:1; do
    s engine --connect "$place"
done
s engine --listen 0 --connect a:1
s engine --listen 0 --programs
s engine --connect a:1 --programs
s engine --longest 5
s engine --connect 127.0.0.1:1 --longest 0
s engine --connect 127.0.0.1:1 --longest 86401
s engine --connect 127.0.0.1:1 --longest 86400
printf 'sjp 1\nnewgame kuhn\nstate\ngo\n' | feed
s engine --seed 3
printf 'go\nsetoption player ext:cmd=true\n' | feed
s engine --game kuhn --player random --seed 3
printf 'setoption player ext:cmd=true\n' | feed
s engine --programs

# ---- geister join: which port, which side ----

# No server is there: the sentence names the port, the JSON the side.
j() {
    s geister join "$@" --player random --retry 0 --json
}
j 127.9.9.9
j 127.9.9.9 --first
j 127.9.9.9 --second
j 127.9.9.9 --side first
j 127.9.9.9 --side second
j 127.9.9.9 --port 10000
j 127.9.9.9 --port 10001
j 127.9.9.9 --port 10001 --first
j 127.9.9.9 --port 10000 --second
j 127.9.9.9:10001
j 127.9.9.9:10001 --port 10001
j 127.9.9.9:77
j 127.9.9.9:77 --second
j 127.9.9.9:77 --games 2
j 127.9.9.9:77 --first --side second
j 127.9.9.9:77 --second --side first
j 127.9.9.9:77 --first --second
j 127.9.9.9:77 --side third
j 127.9.9.9:77 --port 78
j a b
s geister join 127.9.9.9:77 --player random --retry 0 --games 2
s geister join 127.9.9.9:77 --player ext:cmd=./missing --retry 0
s geister join 127.9.9.9:77 --player random --retry 0 --records records/game-000001.json

# ---- programs that do not exist ----

# The warning, for each way to name a program.
for command in './missing x' missing-program 'cd /; ./x' 'A=b ./x' '  missing-program y' ./tiny.tbsmap 'sh -c true' exec \
    "$(printf '%0511d' 0)" "$(printf '%0512d' 0)"; do
    line "$(echo "$command" | tr -s 0): $(timeout "$limit" "$SENJUTSU" geister join 127.9.9.9:77 --retry 0 --player "ext:cmd=$command" 2>&1 |
        grep warning | tr -s 0)"
done
line "no PATH: $(PATH='' "$SENJUTSU" geister join 127.9.9.9:77 --retry 0 --player ext:cmd=sh 2>&1 | grep -c warning)"
line "an empty folder in PATH: $(cp "$SENJUTSU_SABOTEUR" here; PATH=:/nowhere "$SENJUTSU" geister join 127.9.9.9:77 --retry 0 --player ext:cmd=here 2>&1 | grep -c warning)"
line "the last folder in PATH: $(PATH=/nowhere:/bin "$SENJUTSU" geister join 127.9.9.9:77 --retry 0 --player ext:cmd=sh 2>&1 | grep -c warning)"

# ---- players that lose all their games by faults ----

s evolve --strong ext:cmd=false --weak random --born 3 --population 2 --generations 1 --games 2 --verify 2 --show 2 --jobs 1 --quiet
s evolve --strong "ext:cmd=./missing" --weak random --born 2 --population 2 --generations 1 --games 2 --verify 0 --show 1 --jobs 1 --quiet --json

# ---- as many games as open files allow ----

# limited FILES ARGUMENT …: the sentence about games at a time. Files that this script has open do not count.
limited() {
    line "$* files: $(timeout "$limit" python3 -I -S -c 'if True:
        import os, resource, sys
        os.closerange(3, 256)
        resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[1])))
        os.execv(sys.argv[2], sys.argv[2:])' "$1" "$SENJUTSU" "$2" "$3" "$4" --games 1 --map tiny.tbsmap --quiet --jobs 16 \
        2>&1 >/dev/null </dev/null | grep 'at a time')"
}
for files in 24 32 40 64 100 104 105 200; do
    limited $files match ext:cmd=./missing random
    limited $files match ext:cmd=./missing ext:cmd=./gone
    limited $files match 'split:player=[ext:cmd=./missing]' ext:cmd=./ext:
    limited $files match acteval random
done
