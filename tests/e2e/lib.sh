# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the end-to-end tests share. A script sources this file, calls the helpers and ends with `finish`. Each runs in
# a fresh directory that is removed at exit. A failed check does not stop the script, so that one run shows all that
# is wrong: the command, its status and output, and what was expected of it.
#
# SENJUTSU is the program under test, SENJUTSU_ROOT the project's folder.
set -u
: "${SENJUTSU:?names the program under test}" "${SENJUTSU_ROOT:?names the folder of the project}"
LC_ALL=C
export LC_ALL
# shellcheck disable=SC2034 # for the scripts
maps=$SENJUTSU_ROOT/maps
# shellcheck disable=SC2034 # likewise
shared=$SENJUTSU_ROOT/../shared
script=${0##*/}
checks=0 failures=0 skips=0

# The longest a command may take. None needs a tenth of it; a sanitizer build on a loaded machine is slow.
limit=150

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$folder/box" "$folder/work" && cd "$folder/work" || exit 1
out=$folder/box/out err=$folder/box/err input=$folder/box/in command_line="(nothing was run yet)" status=
: >"$out"
: >"$err"

# The leak checker of sanitizer builds: the font library never frees what it read from its own configuration.
echo leak:libfontconfig >"$folder/box/leaks"
LSAN_OPTIONS=${LSAN_OPTIONS:+$LSAN_OPTIONS:}suppressions=$folder/box/leaks:print_suppressions=0
export LSAN_OPTIONS

# What a reader needs to see of a file: the beginning, with control characters made visible.
excerpt() {
    head -c 2000 "$1" | cat -v | sed 's/^/    | /'
    if [ "$(wc -c <"$1")" -gt 2000 ]; then printf '\n    | ... (%d bytes)\n' "$(wc -c <"$1")"; fi
}

# fail WHAT-WAS-EXPECTED: about the command run last.
fail() {
    failures=$((failures + 1))
    printf 'FAILED %s, check %d: expected %s\n' "$script" "$checks" "$1"
    printf '  command: %s\n  status: %s\n' "$command_line" "$status"
    printf '  standard output:\n'
    excerpt "$out"
    printf '  standard error:\n'
    excerpt "$err"
}

# feed: standard input of the next command, from the standard input of this one.
feed() {
    cat >"$input"
}

# run COMMAND …: leaves its output in $out and $err, its status in $status. Without `feed` the input is empty.
run() {
    command_line=$*
    if [ ! -e "$input" ]; then
        timeout "$limit" "$@" </dev/null >"$out" 2>"$err"
        status=$?
        return
    fi
    timeout "$limit" "$@" <"$input" >"$out" 2>"$err"
    status=$?
    rm -f "$input"
}

is_one_of() {
    for choice in $2; do
        [ "$1" = "$choice" ] && return 0
    done
    return 1
}

# expect_status STATUS COMMAND …: runs the command. STATUS may be a choice: "1 2".
expect_status() {
    wanted=$1
    shift
    run "$@"
    checks=$((checks + 1))
    if grep -q -e 'runtime error:' -e 'Sanitizer' "$err"; then
        fail "no report of a sanitizer"
    elif ! is_one_of "$status" "$wanted"; then
        fail "status $wanted"
    fi
}

# expect WHAT COMMAND …: any other check; WHAT describes the required condition.
expect() {
    what=$1
    shift
    checks=$((checks + 1))
    "$@" || fail "$what"
}

# The patterns are extended regular expressions, matched line by line.
expect_out() {
    expect "a line of standard output that matches: $1" grep -q -E -e "$1" "$out"
}

expect_err() {
    expect "a line of standard error that matches: $1" grep -q -E -e "$1" "$err"
}

lacks() {
    ! grep -q -E -e "$1" "$2"
}

expect_no_out() {
    expect "no line of standard output that matches: $1" lacks "$1" "$out"
}

is_empty() {
    [ ! -s "$1" ]
}

expect_silent_out() {
    expect "nothing on standard output" is_empty "$out"
}

expect_silent_err() {
    expect "nothing on standard error" is_empty "$err"
}

# A refusal is one sentence that names the program and what was wrong, and at most a hint where to read on.
is_refusal() {
    awk 'NR == 1 && !/^senjutsu[a-z -]*: .*[a-z].* .*/ { bad = 1 }
         NR == 2 && !/^Try .senjutsu.* --help/ { bad = 1 }
         END { exit bad || NR < 1 || NR > 2 }' "$err"
}

expect_refusal() {
    expect "one sentence on standard error, as in 'senjutsu NAME: what was wrong'" is_refusal
}

# expect_count NUMBER PATTERN: lines of standard output that match.
expect_count() {
    found=$(grep -c -E -e "$2" "$out")
    expect "$1 lines of standard output (not $found) that match: $2" [ "$found" -eq "$1" ]
}

expect_same() {
    expect "$1 and $2 to be the same bytes" cmp -s "$1" "$2"
}

# "$with_faults" RULES COMMAND …: the command on a machine that is short of something; see tests/fake/faults.c.
# shellcheck disable=SC2034 # for the scripts
with_faults=$SENJUTSU_ROOT/tests/fake/with-faults

# Can this build meet faults? One with sanitizers cannot.
has_faults() {
    [ -n "${SENJUTSU_FAULTS:-}" ] && [ -e "$SENJUTSU_FAULTS" ]
}

# need_faults: at the beginning of a script whose checks all need them.
need_faults() {
    has_faults && return 0
    echo "skipped: this build has no library that makes faults (sanitizers replace the same functions)"
    exit 77
}

# skip WHY: what could not be checked here.
skip() {
    skips=$((skips + 1))
    printf 'skip %s: %s\n' "$script" "$1"
}

finish() {
    printf '%s: %d checks, %d failed, %d skipped\n' "$script" "$checks" "$failures" "$skips"
    [ "$failures" -eq 0 ] && [ "$checks" -gt 0 ]
    exit
}

# Can this build draw pictures?
draws() {
    ! "$SENJUTSU" --version | grep -q 'without Cairo'
}

# flatten FILE: our indented JSON as lines PATH=VALUE (maps.0.draws=3, players.1="random"), for grep and awk.
flatten() {
    awk '{
        sub(/^[ \t]+/, "")
        sub(/,$/, "")
        if ($0 ~ /^[]}]/) { depth--; next }
        name = ""
        if (depth > 0 && kind[depth] == "[") name = entry[depth]++
        if (depth > 0 && kind[depth] == "{") {
            match($0, /^"[^"]*": /)
            name = substr($0, 2, RLENGTH - 4)
            $0 = substr($0, RLENGTH + 1)
        }
        path = depth > 1 ? place[depth] "." name : name
        if ($0 == "{" || $0 == "[") { depth++; kind[depth] = $0; place[depth] = path; entry[depth] = 0; next }
        print path "=" $0
    } END { if (depth != 0) print "unbalanced=" depth }' "$1"
}

# json_get PATH FILE: one value, text with its quotation marks.
json_get() {
    flatten "$2" | awk -v key="$1=" 'index($0, key) == 1 { print substr($0, length(key) + 1); exit }'
}

# A map whose actions are countable by hand: 14 legal actions, 2 more with attacks that have no power.
write_tiny_map() {
    cat >"$1" <<'END'
SIZEX[6];SIZEY[5];
TURNLIMIT[8];HPTHRESHOLD[2];
UNITNUMRED[2];UNITNUMBLUE[2];
AUTHOR[tests];
MAPCOM[Four by three cells, two units a side.];
MAP[0,0,0,0,0,0];
MAP[0,1,1,1,3,0];
MAP[0,1,0,5,2,0];
MAP[0,6,1,1,1,0];
MAP[0,0,0,0,0,0];
UNIT[1,1,panzer,0,10,0];
UNIT[1,3,infantry,0,7,0];
UNIT[4,1,panzer,1,10,0];
UNIT[4,3,fighter,1,10,0];
END
}

# wait_until COMMAND …: tries it again and again, for two minutes: a loaded machine is slow.
wait_until() {
    waited=0
    until "$@"; do
        if [ $waited -ge 2400 ]; then return 1; fi
        sleep 0.05
        waited=$((waited + 1))
    done
}

# has_ended PROCESS: one that was started in the background.
has_ended() {
    ! kill -0 "$1" 2>/dev/null
}

# has_lines COUNT FILE: so many at least, in a file that may not be there yet.
has_lines() {
    [ -e "$2" ] && [ "$(wc -l <"$2")" -ge "$1" ]
}

server_said() {
    cat server.out server.err | grep -q -E -e "$1"
}

# wait_for PATTERN: waits until a line of the server's output, in server.out and server.err, matches.
wait_for() {
    wait_until server_said "$1"
}

# expect_server_end PROCESS NAME STATUS: waits for a server that was started in the background; its output, in
# server.out and server.err, becomes the output of the command run last.
expect_server_end() {
    command_line=$2
    wait "$1"
    status=$?
    cp server.out "$out"
    cp server.err "$err"
    expect "the server to end with status $3" [ "$status" -eq "$3" ]
    expect "no report of a sanitizer" lacks 'runtime error:|Sanitizer' "$err"
}

# expect_interrupted STATUS COMMAND ...: starts a command of an hour's length, sends it SIGINT once it has printed
# something, and expects it to end by itself with that status and without an error message.
expect_interrupted() {
    wanted=$1
    shift
    command_line="$*, with SIGINT"
    : >"$out"
    timeout --foreground -s KILL "$limit" "$@" >"$out" 2>"$err" &
    program=$!
    wait_until [ -s "$out" ]
    sleep 0.3
    kill -INT $program
    wait $program
    status=$?
    expect "it to end by itself with status $wanted" [ "$status" -eq "$wanted" ]
    expect_silent_err
}
