#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Files that are too large, broken, of the wrong kind or not there, and places that cannot be written: each time one
# clear sentence, status 1 or 2, in a few seconds, and nothing lost or left half-written.
. "$(dirname "$0")/lib.sh"
limit=20

write_tiny_map tiny.tbsmap
for format in json sgf; do
    expect_status 0 "$SENJUTSU" match acteval random --games 1 --map tiny.tbsmap --quiet \
        --records whole --format $format
    expect "the record" cp "whole/game-000001.$format" "game.$format"
    [ -e "game.$format" ] || finish
done

# ---- reading ----

truncate -s 1G zeros
: >empty
mkdir folder
sed 's/SIZEX\[6\]/SIZEX[9999]/' tiny.tbsmap >huge.tbsmap
sed 's/SIZEX\[6\];SIZEY\[5\]/SIZEX[99999999999999999999];SIZEY[-1]/' tiny.tbsmap >numbers.tbsmap
head -c "$(($(wc -c <game.sgf) - 20))" game.sgf >late-cut.sgf
head -c 300 game.sgf >cut.sgf
head -c 300 game.json >cut.json
head -c "$(($(wc -c <game.json) / 2))" game.json >half.json
printf '[[[[' >brackets.json
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "[" }' >deep.json
awk 'BEGIN { srand(1); for (i = 0; i < 50000; i++) printf "%c", 1 + int(rand() * 255) }' >noise
head -c 50000 "$SENJUTSU" >binary
printf 'SIZEX[6' >open

no_leftovers() {
    [ -z "$(find . -name '*.tmp*')" ]
}

# refused PATH COMMAND …: the command, with PATH as its last argument, refuses it in one sentence that names it.
refused() {
    path=$1
    shift
    expect_status "1 2" "$@" "$path"
    expect_refusal
    expect_silent_out
    expect "a sentence that names $path" grep -q -F -e "$path" "$err"
}

# named FILE: does the message name it?
is_named() {
    cat "$out" "$err" | grep -q -F -e "$1:"
}

for file in zeros empty folder /dev/null /dev/zero missing huge.tbsmap numbers.tbsmap noise binary open deep.json; do
    refused "$file" "$SENJUTSU" map show
    refused "$file" "$SENJUTSU" play --red random --map
    # A check is a report: its output may be on standard output, but there is a sentence beside it.
    expect_status 1 "$SENJUTSU" map check "$file"
    expect "problems that name $file" is_named "$file"
    expect_refusal
    printf 'map %s\nsjp 2\n' "$file" | feed
    expect_status 0 "$SENJUTSU" engine
    expect_count 2 '^error '
done
# The other commands read maps the same way; a few files are enough for them.
for file in zeros folder missing huge.tbsmap; do
    refused "$file" "$SENJUTSU" map stats
    refused "$file" "$SENJUTSU" map convert
    ! draws || refused "$file" "$SENJUTSU" map draw --out picture.png
    refused "$file" "$SENJUTSU" match random random --games 1 --quiet --map
    refused "$file" "$SENJUTSU" games --check 1 --map
    refused "$file" "$SENJUTSU" bench --seconds 0.05 --map
done
expect "no picture" [ ! -e picture.png ]

for file in zeros empty folder /dev/null missing cut.sgf cut.json half.json brackets.json deep.json noise binary open \
    huge.tbsmap; do
    refused "$file" "$SENJUTSU" replay --check
    refused "$file" "$SENJUTSU" play --red random --load
done
refused half.json "$SENJUTSU" replay
# Every turn has its number of actions: a truncated turn is not taken for a complete one.
expect_status 1 "$SENJUTSU" replay --check late-cut.sgf
# An empty file is reported as empty by every reader.
for arguments in 'map show' 'play --map' 'match random random --map' 'games --check 1 --map' replay 'play --load'; do
    # shellcheck disable=SC2086 # a list of words
    expect_status "1 2" "$SENJUTSU" $arguments empty
    expect_err 'empty: is empty'
done

# From standard input, without end.
feed </dev/null
expect_status 1 "$SENJUTSU" map show -
expect_refusal
checks=$((checks + 1))
command_line="senjutsu map show - </dev/zero"
timeout "$limit" "$SENJUTSU" map show - </dev/zero >"$out" 2>"$err"
status=$?
[ $status -eq 1 ] || fail "status 1"
expect_refusal

# ---- writing ----

echo precious >file.txt
cp file.txt kept.txt
place=file.txt/place
! draws || refused "$place.png" "$SENJUTSU" map draw tiny.tbsmap --out
refused "$place.tbsmap" "$SENJUTSU" map convert tiny.tbsmap --out
refused "$place.json" "$SENJUTSU" map convert tiny.tbsmap --out
refused "$place.tbsmap" "$SENJUTSU" map random --seed 1 --out
refused "$place" "$SENJUTSU" match random random --games 2 --map tiny.tbsmap --quiet --records
refused folder "$SENJUTSU" map convert tiny.tbsmap --out
refused folder "$SENJUTSU" map random --seed 1 --out
mkdir folder.png
! draws || refused folder.png "$SENJUTSU" map draw tiny.tbsmap --out
refused nowhere/map.tbsmap "$SENJUTSU" map convert tiny.tbsmap --out
refused /dev/full "$SENJUTSU" map convert tiny.tbsmap --out
refused /dev/full "$SENJUTSU" map random --seed 1 --out
expect_status 1 "$SENJUTSU" play --map tiny.tbsmap --save "$place.json"
expect_refusal
expect_status 1 "$SENJUTSU" play --map tiny.tbsmap --save /dev/full
expect_refusal
expect "the device to be still there" [ -c /dev/full ]
expect_same file.txt kept.txt
expect "nothing in the folders" [ -z "$(find folder folder.png -type f)" ]
expect "no temporary file" no_leftovers

# A file of that name is replaced only by a complete one.
cp tiny.tbsmap target.tbsmap
expect_status "1 2" "$SENJUTSU" map convert huge.tbsmap --out target.tbsmap
expect_same tiny.tbsmap target.tbsmap
expect_status "1 2" "$SENJUTSU" map convert noise --out target.tbsmap
expect_same tiny.tbsmap target.tbsmap
expect_status 0 "$SENJUTSU" map convert target.tbsmap --out target.tbsmap
"$SENJUTSU" map convert tiny.tbsmap >canonical.tbsmap
expect_same target.tbsmap canonical.tbsmap

# full ARGUMENT …: standard output cannot be written.
full() {
    command_line="senjutsu $* >/dev/full"
    : >"$out"
    checks=$((checks + 1))
    timeout "$limit" "$SENJUTSU" "$@" </dev/null >/dev/full 2>"$err"
    status=$?
    [ $status -eq 1 ] || fail "status 1, because the output is lost"
    expect_refusal
}
full
full --version
full --help
full map --help
full map show tiny.tbsmap
full map check tiny.tbsmap
full map check --json tiny.tbsmap
full map stats tiny.tbsmap
full map stats --json tiny.tbsmap
full map convert tiny.tbsmap
full map random --seed 1
full match random random --games 2 --map tiny.tbsmap
full match random random --games 2 --map tiny.tbsmap --json
full play --red random --blue random --map tiny.tbsmap
full play --map tiny.tbsmap
full replay game.json
full replay game.json --at 1
full replay --check game.json
full players
full players --json
full players random
full games
full games --json
full games --check 1 --map tiny.tbsmap
full games --check 1 --game kuhn
full map list
if draws; then full map draw tiny.tbsmap; fi
"$SENJUTSU" tournament --players random,acteval --maps tiny.tbsmap --games 1 --quiet --store event.db >/dev/null
tiny_learning="--games 16 --recipe own:batch=16,keep=32 --against random --against-games 2"
while read -r line; do
    # shellcheck disable=SC2086 # words
    full $line
done <<END
map judge tiny.tbsmap --strong random --weak random --games 2 --min-games 0 --quiet
map judge tiny.tbsmap --strong random --weak random --games 2 --min-games 0 --quiet --json
map repair tiny.tbsmap --strong random --weak random --games 100 --sure 20 --low 0 --high 1 --quiet
map repair tiny.tbsmap --strong random --weak random --games 100 --sure 20 --low 0 --high 1 --quiet --json
analyze --map tiny.tbsmap --player acteval --json
evolve --show-recipe
evolve --help
exploit random --game kuhn --samples 2 --jobs 1
exploit random --game kuhn --samples 2 --jobs 1 --json
check --leaks random --game kuhn --positions 2
check --leaks random --game kuhn --positions 2 --json
check ext:cmd=false --map tiny.tbsmap --positions 1 --json
plan --elo 20
plan --elo 20 --json
plan --games 5
plan --games 5 --json
solve --game tictactoe --position board=xx.oo....
solve --game tictactoe --position board=xx.oo.... --json
repro list
repro list --json
repro tbs-fig2 --trials 1 --jobs 1
repro tbs-fig2 --trials 1 --jobs 1 --json
repro tbs-fig2 tbs-fig4 --trials 1 --jobs 1 --json
train geister-pg --recipes
train geister-pg $tiny_learning --out learned1
train geister-pg $tiny_learning --out learned2 --json
train geister-setups --games 1
train geister-setups --games 1 --json
tournament --players random,acteval --maps tiny.tbsmap --games 1 --quiet
tournament --players random,acteval --maps tiny.tbsmap --games 1 --quiet --json
tournament --store event.db
tournament --preset gat-tactical --show-rules
tournament --help
verify event.db
verify event.db --json
replay event.db --game 0
replay event.db --game 0 --check
END
checks=$((checks + 1))
command_line="senjutsu engine >/dev/full"
printf 'sjp 1\n' | timeout "$limit" "$SENJUTSU" engine >/dev/full 2>"$err"
status=$?
[ $status -eq 1 ] || fail "status 1, because the output is lost"
expect_refusal

finish
