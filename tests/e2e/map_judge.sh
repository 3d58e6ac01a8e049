#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu map judge and map repair: words, numbers, JSON, refusals, and that a result depends on nothing else.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap
quick="--strong muct:sims=10 --weak random --tight 0.2 --min-games 40 --games 80"

# ---- judge ----

# shellcheck disable=SC2086 # several words
expect_status 0 "$SENJUTSU" map judge tiny.tbsmap $quick
expect_out '^tiny\.tbsmap: [a-z ]+; [a-z ]+$'
expect_out '^  4 x 3 cells, limit 8 turns, threshold 2, 2 red and 2 blue units$'
expect_out '^  strong over weak +[0-9.]+ %  \([0-9.]+ to [0-9.]+\) +[0-9]+ games$'
expect_out '^    strong with red +[0-9.]+ %'
expect_out '^    strong with blue +[0-9.]+ %'
expect_out '^  red between equals +[0-9.]+ %  \([0-9.]+ to [0-9.]+\) +[0-9]+ games$'
expect_out '^  games that were decided +[0-9.]+ %'
expect_out '^  length of a game +[0-9.]+ turns$'
expect_out '^  attacks in the first turn +red [0-9]+ \(by [0-9]+ of its units\), blue [0-9]+ \(by [0-9]+\)$'
expect_out '^  units without use '
expect_out '^  looks natural +[01]\.[0-9]+ of 1$'
expect_out '^muct:sims=10 is strong, random is weak'
expect_count 0 'verdict$'
expect_silent_err

# Several maps end in a table, in the order given; neither the others nor the number of workers matter.
# shellcheck disable=SC2086
expect_status 0 "$SENJUTSU" map judge "$maps/duel.tbsmap" tiny.tbsmap $quick --jobs 1 --json
json_get maps.1.red_between_equals.value "$out" >one
json_get maps.1.strong.both.value "$out" >>one
expect "two maps" [ "$(json_get maps.1.file "$out")" = '"tiny.tbsmap"' ]
expect "it to be complete" [ "$(json_get complete "$out")" = true ]
# shellcheck disable=SC2086
expect_status 0 "$SENJUTSU" map judge tiny.tbsmap $quick --jobs 3 --json
json_get maps.0.red_between_equals.value "$out" >two
json_get maps.0.strong.both.value "$out" >>two
expect_same one two
expect "remarks" [ -n "$(json_get maps.0.remarks.0.text "$out")" ]
# shellcheck disable=SC2086
expect_status 0 "$SENJUTSU" map judge "$maps/duel.tbsmap" tiny.tbsmap $quick
expect_count 1 'verdict$'
expect "the table in the order given" \
    awk '/verdict$/ { t = NR } t && NR == t + 1 && /duel/ { a = 1 } t && NR == t + 2 && /tiny/ { b = 1 } END { exit !(a && b) }' "$out"

# Games in a store are not played again, and more of them are added.
# shellcheck disable=SC2086
expect_status 0 "$SENJUTSU" map judge tiny.tbsmap $quick --json --store games.db
cp "$out" first.json
# shellcheck disable=SC2086
expect_status 0 "$SENJUTSU" map judge tiny.tbsmap $quick --json --store games.db
expect_same first.json "$out"
expect_status 0 "$SENJUTSU" map judge tiny.tbsmap --strong muct:sims=10 --weak random --games 200 --tight 0.06 --json \
    --store games.db
expect "more games" [ "$(json_get maps.0.games "$out")" -gt 80 ]
# Its games are games.
expect_status 0 "$SENJUTSU" replay games.db --game 0 --check
expect_out '^games\.db: ok, [0-9]+ actions, '
expect_status 0 "$SENJUTSU" replay games.db --game 0 --at 0
expect_out '^(muct:sims=10|random) \(red\) against (muct:sims=10|random) \(blue\)'
expect_status 1 "$SENJUTSU" verify games.db
expect_err "games\.db: is a store of 'map judge'; 'senjutsu map judge MAP --store games\.db' shows it\$"

# Unreadable files are reported with the line; the others are judged all the same.
sed 's/panzer,1/panzr,1/' tiny.tbsmap >broken.tbsmap
# shellcheck disable=SC2086
expect_status 1 "$SENJUTSU" map judge broken.tbsmap tiny.tbsmap nowhere.tbsmap $quick
expect_out '^tiny\.tbsmap: '
expect_err "broken\.tbsmap:13: .*'panzr' is unknown"
expect_err 'nowhere\.tbsmap: '
expect_status 1 "$SENJUTSU" map judge nowhere.tbsmap
expect_refusal

# Ctrl-C: the partial result, marked as partial.
command_line="map judge, with SIGINT"
timeout --foreground -s KILL "$limit" "$SENJUTSU" map judge tiny.tbsmap --strong muct:sims=10 --weak random \
    --tight 0.005 --games 10000000 --store long.db >"$out" 2>"$err" &
program=$!
# shellcheck disable=SC2317 # called by wait_until
some_stored() {
    [ "$(cat long.db long.db-wal 2>/dev/null | wc -c)" -gt 200000 ]
}
expect "games to be stored" wait_until some_stored
kill -INT $program
wait $program
status=$?
expect "status 130" [ "$status" -eq 130 ]
expect_out '^Interrupted: this is what was known by then\.$'
expect_out '^tiny\.tbsmap: '
expect_silent_err

# ---- usage ----

# wrong PATTERN ARGUMENTS …
wrong() {
    pattern=$1
    shift
    expect_status 2 "$SENJUTSU" map "$@"
    expect_err "$pattern"
    expect_refusal
    expect_silent_out
}
wrong 'which map' judge
wrong '^senjutsu map judge: --strong: .*nobody' judge tiny.tbsmap --strong nobody
wrong '^senjutsu map judge: --weak: ' judge tiny.tbsmap --weak muct:sims=none
wrong "rule set 'chess' is unknown" judge tiny.tbsmap --rules chess
wrong '--min-games 500 is more than --games 100' judge tiny.tbsmap --games 100 --min-games 500
expect_status 0 "$SENJUTSU" map judge tiny.tbsmap --strong acteval --weak random --games 40 --quiet # fewer than --min-games
wrong '--tight' judge tiny.tbsmap --tight 2
wrong 'which map' repair
wrong 'one map at a time' repair tiny.tbsmap duel
wrong "'height' is unknown; expected hp, move, swap or terrain" repair tiny.tbsmap --kinds hp,height
wrong '--low 0.6 is not below --high 0.4' repair tiny.tbsmap --low 0.6 --high 0.4
wrong '--games 100 is too small' repair tiny.tbsmap --games 100
wrong '--out: ' repair tiny.tbsmap --out -
wrong '--changes' repair tiny.tbsmap --changes 0
wrong '--decided' repair tiny.tbsmap --decided 2

# ---- repair ----

cat >lopsided.tbsmap <<'END'
SIZEX[8];SIZEY[7];TURNLIMIT[16];HPTHRESHOLD[3];
MAP[0,0,0,0,0,0,0,0];
MAP[0,1,1,1,1,1,1,0];
MAP[0,1,3,1,1,3,1,0];
MAP[0,1,1,4,4,1,1,0];
MAP[0,1,3,1,1,3,1,0];
MAP[0,1,1,1,1,1,1,0];
MAP[0,0,0,0,0,0,0,0];
UNIT[1,2,infantry,0,10,0];UNIT[1,3,infantry,0,10,0];UNIT[1,4,infantry,0,10,0];
UNIT[6,2,infantry,1,9,0];UNIT[6,3,infantry,1,8,0];UNIT[6,4,infantry,1,8,0];
END
repair="--strong muct:sims=4 --weak random --sure 60 --games 3000 --low 0.3 --high 0.7"
# shellcheck disable=SC2086
expect_status 0 "$SENJUTSU" map repair lopsided.tbsmap $repair --out repaired.tbsmap
expect_out '^lopsided\.tbsmap: repaired with [1-6] changes?, cost [0-9]+$'
expect_out '^  (red|blue) infantry at \([0-9], [0-9]\)'
expect_out '^ +before +after$'
expect_out '^  red between equals +[0-9.]+ %  \([0-9.]+ to [0-9.]+\) +[0-9.]+ %  \([0-9.]+ to [0-9.]+\)$'
expect_out '^The map is in repaired\.tbsmap\.$'
expect_out '^ 1 '
expect_silent_err
expect_status 0 "$SENJUTSU" map check repaired.tbsmap
# shellcheck disable=SC2086
expect_status 0 "$SENJUTSU" map repair lopsided.tbsmap $repair --json --jobs 1
cp "$out" first.json
expect "it to be found" [ "$(json_get found "$out")" = true ]
expect "enough games to be decided" [ "$(json_get decided "$out")" = 0.5 ]
expect "something within reach" [ "$(json_get out_of_reach "$out")" = false ]
expect "a change" [ -n "$(json_get changes.0 "$out")" ]
expect "the new map" [ "$(json_get map.format "$out")" = '"senjutsu-map"' ]
# shellcheck disable=SC2086
expect_status 0 "$SENJUTSU" map repair lopsided.tbsmap $repair --json --jobs 3
expect_same first.json "$out"
# shellcheck disable=SC2086
expect_status 0 "$SENJUTSU" map repair lopsided.tbsmap $repair --kinds hp --quiet
expect_no_out 'change places|change types|moves to|becomes (plain|wood|road|sea|mountain|fortress)'

expect_status 0 "$SENJUTSU" map repair lopsided.tbsmap --strong muct:sims=10 --weak random --low 0 --high 1
expect_out 'nothing to repair'
expect_no_out 'becomes'
# shellcheck disable=SC2086
expect_status 1 "$SENJUTSU" map repair lopsided.tbsmap --strong muct:sims=10 --weak random --low 0 --high 0.001 \
    --kinds terrain --changes 1 --sure 20 --games 200
expect_out 'not repaired'

# Three panzers against three infantries that can hardly stand: one unit's HP cannot make up for that.
sed 's/infantry,0/panzer,0/g; s/infantry,1,[0-9]*/infantry,1,1/g' lopsided.tbsmap >hopeless.tbsmap
expect_status 1 "$SENJUTSU" map repair hopeless.tbsmap --strong muct:sims=10 --weak random --sure 60 --kinds hp --changes 1
expect_out '^hopeless\.tbsmap: not repaired: no '

sed 's/UNIT\[1,2,infantry,0,10/UNIT[1,2,infantry,0,12/' lopsided.tbsmap >strange.tbsmap
expect_status 1 "$SENJUTSU" map repair strange.tbsmap
expect_err 'strange\.tbsmap: only a map without problems can be repaired, and unit 0 has HP 12'
expect_refusal

# ---- help ----

for verb in judge repair; do
    expect_status 0 "$SENJUTSU" map $verb --help
    expect_out '^Examples:$'
done

finish
