#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the program prints and writes, byte for byte: expected.sh AREA runs the commands of tests/expected/AREA.sh and
# compares their output with tests/expected/AREA.txt. A change of behaviour shows as a difference. An intended one is
# accepted by
#
#     EXPECTED=update meson test -C build --suite expected
#
# and checked with `git diff`. Everything there has fixed seeds and counted work, so that it is the same on every
# machine, for every compiler and for any number of cores. What measures time is replaced by a letter (see `plain`).
# shellcheck disable=SC2317 # called by the scripts of the areas
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
area=${1:?names the area: a script in tests/expected}
expected=$SENJUTSU_ROOT/tests/expected/$area.txt
found=$folder/box/$area.txt
: >"$found"

# Players and games that registered.txt does not name yet are left out of the lists in which they stand, so that a new
# one changes no output here; registered.sh asks for its line.
NEW_NAMES=$({
    "$SENJUTSU" players | awk '/^[a-z]/ { print "player " $1 }'
    "$SENJUTSU" games | awk '/^[a-z]/ { print "game " $1 }'
} | grep -vxFf "$SENJUTSU_ROOT/tests/expected/registered.txt" | cut -d ' ' -f 2)
export NEW_NAMES

without_new() {
    if [ -z "$NEW_NAMES" ]; then cat; else python3 -I -S "$SENJUTSU_ROOT/tests/expected/known_only.py"; fi
}

# A longer output is stored as checksums, one for each block of lines, so that a difference still shows its place.
lines_shown=40
lines_of_a_block=25

# plain: times, rates, versions and the places of files, which differ from run to run, as letters.
plain() {
    sed -E -e "s#$folder/work#HERE#g" -e "s#$SENJUTSU#senjutsu#g" -e "s#$SENJUTSU_ROOT/maps/#MAPS/#g" \
        -e "s#$SENJUTSU_ROOT#ROOT#g" -e 's#(ROOT|HERE)?/[^ "]*/\.\./maps/#MAPS/#g' \
        -e 's/[0-9]+(\.[0-9]+)? (games|evaluations|maps|trials|questions) a second/R \2 a second/g' \
        -e 's/[0-9]+\.[0-9]+ ms (a decision|and)/T ms \1/g' -e 's/in [0-9.]+ seconds \([^)]* a second\)/in TIME/' \
        -e 's/^( +[0-9]+) +[0-9]+ +([0-9.]+%)/\1 R \2/' -e 's/games +[0-9]+ s /games T s /' -e 's/^id version .*/id version V/' -e 's/^[0-9]+\.[0-9] s$/T s/' -e 's/ in all; [0-9]+ s\./ in all; T s./' \
        -e 's/(,[0-9]+\.[0-9]{3}){4}$/,T,T,T,T/' -e 's/ games, [0-9]+(\.[0-9])? s(\.?)$/ games, T s\2/' \
        -e 's/senjutsu [0-9]+\.[0-9]+\.[0-9]+[-+.a-z0-9]*/senjutsu V/g' \
        -e 's/("([a-z]+_)*(seconds|ms|per_second)(_[a-z]+)*": ?)[0-9][-+.e0-9]*/\1S/g' \
        -e 's#[0-9]+(\.[0-9]+)? s: [0-9]+ #T s: R #g' -e 's#[0-9]+ (nodes|simulations)/s#R \1/s#g' \
        -e 's#(T s: R [a-z]+/s(, R nodes/s)?|less than 1 ms)$#TIME#' -e 's#; [0-9]+\.[0-9]+ s$#; TIME#' -e 's/[0-9]+ [A-Z][a-z]+ 20[0-9][0-9], [0-2][0-9]:[0-5][0-9] UTC/DATE/' \
        -e 's/20[0-9][0-9]-[01][0-9]-[0-3][0-9]([T ][0-2][0-9]:[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?Z?)?/DATE/g' \
        -e 's/(cores for .* work|--threads T +the result is the same) \[[0-9]+\]$/\1 [CORES]/' |
        awk 'inside && /^ *\],?$/ { inside = 0 }
            !inside
            /"(milliseconds|ms_per_decision|longest_ms)": \[$/ { inside = 1 }' | without_new
}

# brief: standard input, or checksums of its blocks where it is long.
brief() {
    cat >"$folder/box/long"
    if [ "$(wc -l <"$folder/box/long")" -le "$lines_shown" ]; then
        cat "$folder/box/long"
        return
    fi
    rm -f "$folder/box"/block.*
    split -l "$lines_of_a_block" -a 4 "$folder/box/long" "$folder/box/block."
    for block in "$folder/box"/block.*; do
        printf 'block %s: %s' "$(cksum <"$block")" "$(head -n 1 "$block" | cut -c 1-60)"
        echo
    done
}

# shot COMMAND …: what it printed and its status.
shot() {
    run "$@"
    checks=$((checks + 1))
    {
        printf '$ %s\n' "$(echo "$command_line" | plain)"
        if [ -s "$out" ]; then plain <"$out" | brief; fi
        if [ -s "$err" ]; then plain <"$err" | brief | sed 's/^/2> /'; fi
        if [ "$status" -ne 0 ]; then echo "status $status"; fi
        echo
    } >>"$found"
}

# files PATH …: what is in these files.
files() {
    for file in "$@"; do
        checks=$((checks + 1))
        {
            echo "= $file"
            plain <"$file" | brief
            echo
        } >>"$found"
    done
}

# sums PATH …: checksums of them.
sums() {
    for file in "$@"; do
        checks=$((checks + 1))
        # Of pages their content: script and style are the page's (web/), which a build without Node.js has not.
        echo "= $file: $(sed '/^<script>$/,/^<\/script>$/d;/^<style>$/,/^<\/style>$/d' "$file" | plain | cksum)" >>"$found"
    done
    echo >>"$found"
}

# line WORD …: the words, unless there are none.
line() {
    checks=$((checks + 1))
    if [ -n "$*" ]; then echo "$*" >>"$found"; fi
}

# SENJUTSU in short: `s match …`. Without progress lines, which depend on the machine's speed.
s() {
    shot "$SENJUTSU" "$@"
}

# shellcheck disable=SC1090 # one for each area
. "$SENJUTSU_ROOT/tests/expected/$area.sh"

if [ "${EXPECTED:-}" = update ]; then
    cp "$found" "$expected"
elif ! cmp -s "$found" "$expected"; then
    failures=1
    echo "FAILED $area: the program says something else than tests/expected/$area.txt (-: expected, +: found)"
    diff -U 2 "$expected" "$found" | head -n 120
fi
finish
