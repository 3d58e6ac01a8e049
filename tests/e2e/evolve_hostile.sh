#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Making maps under wrong input, strange folders, killed processes and Ctrl-C at any moment: each time one clear message
# or the right result; nothing is lost or left behind.
# shellcheck source=tests/e2e/evolve_lib.sh
. "$(dirname "$0")/evolve_lib.sh"
: "${SENJUTSU_SABOTEUR:?names the program that misbehaves}"

least="--born 4 --population 2 --generations 1 --games 2 --verify 2 --show 1"

# ---- wrong values: the option and the expected value ----

number='expected a whole number from'
while read -r option value sentence; do
    refused_evolve 2 "^senjutsu evolve: --$option[= ]$value(:| is) $sentence" "--$option" "$value" --out never
done <<END
width 0 $number 1 to 32
height 33 $number 1 to 32
red-min 0 $number 1 to 64
red-max 65 $number 1 to 64
blue-max x $number 1 to 64
hp-high 11 $number 1 to 10
turn-limit 0 $number 1 to
threshold -1 $number 0 to
games 0 $number 2 to
games 7 expected an even number
verify 3 expected an even number
population 5 expected an even number
peers -1 $number 0 to
natural nan expected a number from 0 to 1
patches 1.5 expected a number from 0 to 1
fair 0.6 expected a number from 0 to 0.5
crossover-rate 2 expected a number from 0 to 1
mutation-rate -1 expected a number from 0 to
mutation fire 'fire' is unknown; expected none, all
born 1 $number 2 to
generations -1 $number 0 to
tournament 1 $number 2 to
budget 3000000000 $number 0 to
show 0 $number 1 to
tidy maybe expected yes or no
symmetry odd expected none, turn, mirror or flip
placement up expected anywhere or halves
method magic expected generations, archive or random
weak human player 'human' is unknown
strong uct:sims=0 uct: sims=0: expected
END
refused_evolve 2 '^senjutsu evolve: --time -1: expected a number from 0' --time -1
refused_evolve 2 '^senjutsu evolve: --jobs 0: expected a whole number from 1' --jobs 0
refused_evolve 2 '^senjutsu evolve: --seed 18446744073709551616: expected a whole number' --seed 18446744073709551616
refused_evolve 2 '^senjutsu evolve: --games needs a value' --games
refused_evolve 2 '^senjutsu evolve: --preset: preset .. is unknown; known are paper' --preset ''
refused_evolve 1 '^senjutsu evolve: --from has an empty name in it' --from ''

# ---- advice of --help ----

"$SENJUTSU" evolve --help | sed -n 's/^  senjutsu evolve \(--.*\)$/\1/p' | sed 's/   *[^ -].*//' >examples
expect "examples" [ "$(wc -l <examples)" -ge 4 ]
while read -r arguments; do
    # shellcheck disable=SC2086 # options
    expect_status 0 "$SENJUTSU" evolve $arguments --show-recipe
    expect_silent_err
done <examples

# ---- options that contradict each other ----

refused_evolve 2 '^senjutsu evolve: a symmetric map has as many red as blue units: at most 5 and 6' --symmetry turn --red-max 5 --out never
refused_evolve 2 '^senjutsu evolve: the least number of red units is 5; expected 1 to 3' --red-min 5 --red-max 3 --out never
refused_evolve 2 '^senjutsu evolve: the most HP is 3; expected 9' --hp-low 9 --hp-high 3 --out never
refused_evolve 2 '^senjutsu evolve: 12 units do not fit on 1 x 1 cells' --width 1 --height 1 --out never
refused_evolve 2 '^senjutsu evolve: panzer has no terrain to stand on' --types P,F --terrain sea=1 --out never
refused_evolve 2 '^senjutsu evolve: --born=8 is fewer than population=40' --born 8 --out never
refused_evolve 2 '^senjutsu evolve: --crossover-rate=0 and no mutation' --crossover-rate 0 --out never
refused_evolve 1 '^senjutsu evolve: --from standard8: the map has 8 x 8 cells; expected 6 x 6' --from standard8 --out never
refused_evolve 1 '^senjutsu evolve: --from: 3 maps, but --born is 2' --from standard,standard,standard --born 2 --population 2 --out never
expect "nothing to be made of that" [ ! -e never ]

# ---- the smallest and the largest maps ----

# shellcheck disable=SC2086 # options
evolve $fast $least --width 1 --height 2 --red-max 1 --blue-max 1
# shellcheck disable=SC2086 # options
evolve $fast $least --preset designer --width 2 --height 1 --red-min 1 --red-max 1 --blue-min 1 --blue-max 1
# shellcheck disable=SC2086 # options
evolve $fast $least --width 32 --height 32 --red-max 64 --blue-max 64 --turn-limit 3 --out largest
expect_status 0 "$SENJUTSU" map check largest/maps/*.tbsmap
# shellcheck disable=SC2086 # options
evolve $fast $least --preset designer --budget 1
expect_out '^No map was judged: --budget 1 is too small\.$'

# ---- strange folders ----

echo text >file
# shellcheck disable=SC2086 # options
refused_evolve 1 '^senjutsu evolve: file: is no folder' $tiny --out file
# shellcheck disable=SC2086 # options
refused_evolve 1 '^senjutsu evolve: nowhere/deep: cannot be made: No such file' $tiny --out nowhere/deep
mkdir locked
chmod 555 locked
if ! touch locked/probe 2>/dev/null; then
    # shellcheck disable=SC2086 # options
    refused_evolve 1 '^senjutsu evolve: locked: cannot be written to: Permission denied' $tiny --out locked
else
    skip "this user may write anywhere"
fi
# shellcheck disable=SC2086 # options
evolve $tiny --out whole
for size in 20000 5000; do
    rm -rf broken
    cp -r whole broken
    truncate -s $size broken/games.db
    refused_evolve 1 '^senjutsu evolve: broken/games.db: the file is damaged' --out broken
done
# A tournament's games stay as they are.
mkdir foreign
tournament --players random,acteval --maps duel --store foreign/games.db
# shellcheck disable=SC2086 # options
refused_evolve 1 '^senjutsu evolve: foreign/games.db: is the store of a tournament' $tiny --out foreign
expect_status 0 "$SENJUTSU" verify foreign/games.db
expect "nothing to be added to it" [ "$(ls foreign)" = games.db ]
# Files of other origin stay unchanged.
mkdir -p mine/maps
echo precious >mine/maps/1.tbsmap
echo precious >mine/notes.tmp
# shellcheck disable=SC2086 # options
evolve $tiny --out mine
expect "files of other names to stay" [ "$(cat mine/maps/1.tbsmap mine/notes.tmp | grep -c precious)" -eq 2 ]
rm mine/maps/1.tbsmap mine/notes.tmp
expect "the same beside them" same_folder whole mine

# ---- the same result for any workers ----

for jobs in 1 2 7; do
    # shellcheck disable=SC2086 # options
    evolve $tiny --json --jobs $jobs
    cp "$out" jobs-$jobs.json
done
expect_same jobs-1.json jobs-2.json
expect_same jobs-1.json jobs-7.json

# ---- time limits: a larger one continues the run ----

unbounded="$fast --born 16 --population 8 --generations 200000 --verify 10 --show 3"
# shellcheck disable=SC2086 # options
evolve $unbounded --time 0.01 --out timed
lines=$(wc -l <timed/fitness.csv)
expect "birth in any case" [ "$lines" -ge 2 ]
cp timed/fitness.csv before.csv
# The run takes that long, but no longer.
command_line="senjutsu evolve --continue --out timed --time 3600, with SIGINT"
"$SENJUTSU" evolve --quiet --continue --out timed --time 3600 >"$out" 2>"$err" &
program=$!
expect "more generations" wait_until has_lines $((lines + 1)) timed/fitness.csv
kill -INT $program
wait $program
status=$?
expect "status 130" [ $status -eq 130 ]
expect "those before to be the same" [ "$(head -n "$lines" timed/fitness.csv)" = "$(cat before.csv)" ]

# ---- players that misbehave ----

for mode in exit crash illegal fork-survivors; do
    # shellcheck disable=SC2086 # options
    expect_status 0 "$SENJUTSU" evolve --quiet --strong acteval --weak "ext:cmd=$SENJUTSU_SABOTEUR $mode" $least
    [ $mode = fork-survivors ] ||
        expect_err '^senjutsu evolve: warning: a fault of a player .* ended [0-9]+ of the [0-9]+ games on the maps shown$'
done
# shellcheck disable=SC2086 # options
expect_status 0 "$SENJUTSU" evolve --quiet --strong acteval --weak ext:cmd=/nowhere/player $least
expect_err "^senjutsu evolve: warning: weak: there is no program '/nowhere/player'"

# ---- outputs that are closed, full or a terminal ----

command_line="senjutsu evolve … >/dev/full"
# shellcheck disable=SC2086 # options
"$SENJUTSU" evolve --quiet $tiny >/dev/full 2>"$err"
status=$?
expect "status 1" [ $status -eq 1 ]
expect_err '^senjutsu evolve: standard output cannot be written'
# A full disk: the run goes as far as possible, then prints a message; later it continues.
command_line="senjutsu evolve … with small files"
# shellcheck disable=SC2086 # options
(
    trap '' XFSZ
    ulimit -f 400
    exec "$SENJUTSU" evolve --quiet $tiny --out filled
) >"$out" 2>"$err"
status=$?
expect "status 1" [ $status -eq 1 ]
expect_silent_out
expect_refusal
expect_err '^senjutsu evolve: filled/games.db: .*cannot be written'
# shellcheck disable=SC2086 # options
evolve $tiny --out filled
expect "it to go on once there is room" same_folder whole filled

# terminal COLUMNS VARIABLE … -- OPTION …: on a terminal; what it showed is in $out.
terminal() {
    columns=$1
    shift
    variables=
    while [ "$1" != -- ]; do
        variables="$variables $1"
        shift
    done
    shift
    command_line="senjutsu evolve $* on a terminal of $columns columns with$variables"
    script -qec "stty cols $columns rows 24; exec env $variables $SENJUTSU evolve $*" /dev/null </dev/null >"$out" 2>"$err"
    status=$?
    expect "status 0" [ $status -eq 0 ]
}

# The greatest width of the live line.
widest() {
    tr '\r' '\n' <"$out" | sed -n "s/^$(printf '\033')\[K//p" | sed "s/$(printf '\033')\[[0-9]*m//g" |
        awk '!/judged/ && length($0) > widest { widest = length($0) } END { print widest + 0 }'
}

if command -v script >/dev/null 2>&1 && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    terminal 20 TERM=xterm -- "$tiny"
    expect "a line that fits, not one of $(widest)" [ "$(widest)" -le 19 ]
    expect "a line at all" [ "$(widest)" -gt 10 ]
    terminal 200 TERM=xterm NO_COLOR=1 -- "$tiny"
    expect "all of it" grep -q 'generation 1 of 4,.* best [0-9.]*, mean [0-9.]*, 16 maps, .* a second, 160 games' "$out"
    expect "no colours" lacks "$(printf '\033')\[[0-9]+m" "$out"
    terminal 80 TERM=dumb -- "$tiny"
    expect "no escapes on a dumb terminal" lacks "$(printf '\033')" "$out"
    expect_out '^generation 4 of 4: '
else
    skip "there is no script(1) that makes terminals"
fi

# ---- two at once, and Ctrl-C ----

# begin OPTION …: a run that would take long, once it has something to show.
begin() {
    command_line="senjutsu evolve $*"
    rm -f endless/index.html
    "$SENJUTSU" evolve --quiet "$@" >"$out" 2>"$err" &
    program=$!
    wait_until [ -s endless/index.html ]
}

# shellcheck disable=SC2086 # options
begin $fast --generations 200000 --out endless
refused_evolve 1 '^senjutsu evolve: --continue: nothing has no run to continue' --continue --out nothing
expect "no folder" [ ! -e nothing ]
refused_evolve 1 '^senjutsu evolve: endless/games.db: another run \(process [0-9]+\) is using this store' --continue --out endless
kill -INT $program
wait $program
status=$?
expect "status 130 after Ctrl-C" [ $status -eq 130 ]
expect "one file after a clean end" [ "$(echo endless/games.db*)" = endless/games.db ]
expect "no half files" [ -z "$(find endless -name '*.tmp')" ]

# While programs outside do not answer; and in a folder whose name a shell would take apart.
"$SENJUTSU" evolve --quiet --strong acteval --weak "ext:cmd=$SENJUTSU_SABOTEUR sleep,timeout=600000" --out "my maps" \
    >"$out" 2>"$err" &
program=$!
command_line="senjutsu evolve --weak 'ext:cmd=saboteur sleep' …, with SIGTERM"
expect "a program outside at work" wait_until saboteurs_at_work 1
kill -TERM $program
wait $program
status=$?
expect "status 143" [ $status -eq 143 ]
expect_err "^senjutsu evolve: stopped after 0 games; \"senjutsu evolve --out 'my maps' --continue\" continues\$"

# During verification: what was selected is on the page already, and verification goes on.
command_line="senjutsu evolve $fast $least --verify 200000, with SIGINT"
# shellcheck disable=SC2086 # options
"$SENJUTSU" evolve $fast $least --verify 200000 --out verified >"$out" 2>"$err" &
program=$!
wait_until grep -q '^generation 1 of 1' "$err"
sleep 0.3
kill -INT $program
wait $program
status=$?
expect "status 130" [ $status -eq 130 ]
expect_err '^senjutsu evolve: stopped after [0-9,]+ games'
expect "the page" [ -s verified/index.html ]

# ---- killed ----

is_sanitized && sims=2 || sims=8
slow="--strong muct:sims=$sims --weak random --born 16 --population 8 --generations 5 --verify 20 --show 3"
# shellcheck disable=SC2086 # options
evolve --preset random $slow --out random-whole
moment=1
for seconds in 0.03 0.11 0.02 0.19 0.07 0.14 0.05 0.01; do
    # shellcheck disable=SC2086 # options
    "$SENJUTSU" evolve --quiet --preset random $slow --jobs $((moment % 3 + 1)) --out random >"$out" 2>"$err" &
    program=$!
    sleep $seconds
    kill -KILL $program 2>/dev/null
    wait $program 2>/dev/null
    moment=$((moment + 1))
done
# shellcheck disable=SC2086 # options
evolve --preset random $slow --out random
expect "the folder of an uninterrupted run" same_folder random-whole random

expect_nothing_left
finish
