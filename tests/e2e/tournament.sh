#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `senjutsu tournament` and `senjutsu verify` as an organiser uses them: formats, players, stores, files and maps.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"

four=uct:sims=30,acteval,random,random

# ---- the result as JSON ----

full_event 24 --players $four --maps duel,duel_panzer
keep robin.json
expect_out '^  "standings": \[$'
for key in player points wins draws losses place elo faults; do
    expect "four players with $key" [ "$(flatten "$out" | grep -c -E "^standings\.[0-9]\.$key=")" = 4 ]
done
expect "the names" [ "$(json_get standings.3.player "$out" | cut -c1-7)" = '"random' ]
expect_out '"player": "uct:sims=30"'
expect_out '"player": "random \(2\)"'

full_event 12 --players $four --maps duel --format gauntlet --games 4
expect "the first to have met all" [ "$(flatten "$out" | grep -c '^pairings\.[0-9]*\.games=4$')" = 3 ]
full_event 16 --players $four --maps duel --format gauntlet --challengers 2 --games 4
expect "the first two to have met the others" \
    [ "$(flatten "$out" | grep -c '^pairings\.[0-9]*\.games=4$')" = 4 ]

full_event 18 --players $four,acteval,first --maps duel --format swiss
# With five players one has a bye in each round, worth all games of a pairing.
full_event 12 --players $four,acteval --maps duel --format swiss
expect "three byes" [ "$(flatten "$out" | awk -F= '/\.byes=/ { n += $2 } END { print n }')" = 3 ]
expect "six walkovers" [ "$(flatten "$out" | awk -F= '/\.walkovers=/ { n += $2 } END { print n }')" = 6 ]

# A drawn pairing of a knock-out is played again: how many games that takes is a matter of the players.
tournament --json --players $four --maps duel --format knock-out --games 4
expect "three meetings at least" [ "$(json_get games "$out")" -ge 12 ]
expect "an end" [ "$(json_get complete "$out")" = true ]
expect "a winner" [ "$(json_get standings.0.place "$out")-$(json_get standings.1.place "$out")" = 1-2 ]

tournament --json --players $four,acteval,first --maps duel --format swiss --rounds 2 --final 4
expect "counts and points that add up" counts_add_up
expect "the final to decide" [ "$(json_get standings.0.decided_by "$out")" = '"final"' ]
expect "the final to be listed" [ "$(flatten "$out" | grep -c '\.stage="final"$')" -ge 3 ]
keep final.json

# ---- the same seed, the same result, however many play at a time ----

for jobs in 1 2 8; do
    tournament --json --players $four --maps duel,duel_panzer --seed 1 --jobs $jobs
    same_result robin.json
    tournament --json --players $four,acteval,first --maps duel --format swiss --rounds 2 --final 4 --jobs $jobs
    same_result final.json
done
tournament --json --players $four --maps duel,duel_panzer --seed 2
lasting "$out" >other.json
expect "another seed to make another event" [ "$(cmp -s robin.json other.json && echo same)" = "" ]

# ---- how players are written ----

# players LIST NAME …: these and no others.
players() {
    players_list=$1
    shift
    tournament --json --players "$players_list" --maps duel
    expect "$# players" [ "$(flatten "$out" | grep -c '^standings\.[0-9]*\.player=')" = $# ]
    for name in "$@"; do
        expect "a player $name" grep -q -F "\"player\": \"$name\"" "$out"
    done
}

players uct:sims=60,random uct:sims=60 random
players 'uct:sims=60,c=0.5,random' 'uct:sims=60,c=0.5' random
players 'uct:sims=60;c=0.5,random' 'uct:sims=60,c=0.5' random
players '"uct:sims=60,c=0.5",random' 'uct:sims=60,c=0.5' random
players 'ext:cmd=[true a,b],random' 'ext:cmd=[true a,b]' random
players '"ext:cmd=true a,b",random,random' 'ext:cmd=true a,b' random 'random (2)'
refused 2 "empty place" --players random,,acteval
refused 2 "empty place" --players ''
refused 2 "no partner" --players '"random,acteval'
refused 2 "no partner" --players 'ext:cmd=[true,random'
refused 2 "'nosuch' is unknown; known are" --players random,nosuch
refused 2 "sims=sixty: expected a whole number" --players uct:sims=sixty,random
refused 2 "option 'nope' is unknown" --players uct:nope=1,random
refused 1 "two players or more; given: 1" --players random

# ---- a store ----

tournament --json --players $four --maps duel,duel_panzer --store event.db
same_result robin.json
expect "one file" [ "$(echo event.db*)" = event.db ]
tournament --json --players $four --maps duel,duel_panzer --store event.db --jobs 3
same_result robin.json
tournament --json --store event.db
same_result robin.json
tournament --store event.db
expect_out '^24 of 24 games.* complete$'
expect_count 4 '^ *[1-4](-[1-4])? .*%'

begun='event.db was begun with other arguments:'
refused 1 "$begun games was 2 and is now 4" --players $four --maps duel,duel_panzer --store event.db --games 4
refused 1 "$begun the seed was 1 and is now 7" \
    --players $four --maps duel,duel_panzer --store event.db --seed 7
refused 1 "$begun .*acteval.* and is now .*first" \
    --players uct:sims=30,first,random,random --maps duel,duel_panzer --store event.db
refused 1 "$begun there were 2 maps and there are now 1" --players $four --maps duel --store event.db
refused 1 "$begun format was \"round-robin\" and is now \"swiss\"" \
    --players $four --maps duel,duel_panzer --store event.db --format swiss
refused 2 "--games is given, but no players" --store event.db --games 2
refused 1 "nosuch.db: there is no such store" --store nosuch.db
expect "no store to be made by that" [ ! -e nosuch.db ]
: >empty.db
refused 1 "empty.db: is empty; expected a store of games" --store empty.db
refused 1 "empty.db: has no tournament in it yet" --store empty.db --continue
echo "not a store" >text.db
refused 1 "text.db: is not a store of games" --players $four --store text.db
refused 1 ".*: is a folder" --players $four --store .
expect "that file to be left alone" grep -q '^not a store$' text.db

expect_status 0 "$SENJUTSU" verify event.db
expect_out '^event.db: ok, 24 games executed again, the standings follow from them$'
expect_count 4 '^[1-4]\. .* points, [0-9]+ won, [0-9]+ drawn, [0-9]+ lost$'
expect_status 0 "$SENJUTSU" verify --json event.db
expect "it to be well" [ "$(json_get ok "$out")-$(json_get games "$out")-$(json_get complete "$out")" = true-24-true ]
for argument in nosuch.db text.db empty.db .; do
    expect_status 1 "$SENJUTSU" verify "$argument"
    expect_refusal
    expect_status 1 "$SENJUTSU" verify --json "$argument"
    expect_silent_out
    expect_refusal
done
expect_status 2 "$SENJUTSU" verify
expect_status 2 "$SENJUTSU" verify event.db event.db
head -c 9000 event.db >cut.db
expect_status 1 "$SENJUTSU" verify cut.db

# An event that was refused before its first game leaves the store unbound.
echo '[{"spec": "random", "author": "senjutsu"}, {"spec": "acteval"}]' >authors.json
refused 1 "no map is left for random against acteval" \
    --entries authors.json --maps duel --not-own-maps --store fresh.db
tournament --entries authors.json --maps duel --store fresh.db

# A result was changed: verify reports it.
if command -v sqlite3 >/dev/null 2>&1; then
    # spoiled SENTENCE SQL: verify finds it.
    spoiled() {
        cp event.db spoiled.db
        sqlite3 spoiled.db "pragma ignore_check_constraints = 1; $2"
        expect_status 1 "$SENJUTSU" verify spoiled.db
        expect "a line that matches: $1" grep -q -E -e "$1" "$out" "$err"
        expect_status 1 "$SENJUTSU" verify --json spoiled.db
        expect "a sentence in the JSON that matches: $1" grep -q -E -e "${1#^}" "$out" "$err"
        expect "it not to be well" lacks '"ok": true' "$out"
    }
    cp event.db spoiled.db
    sqlite3 spoiled.db "delete from text where name = 'standings'"
    expect_status 0 "$SENJUTSU" verify spoiled.db
    expect_out '^spoiled.db: ok, 24 games executed again, complete, but no standings are stored$'
    expect_status 0 "$SENJUTSU" verify --json spoiled.db
    expect "no standings to compare" [ "$(json_get ok "$out") $(json_get standings_compared "$out")" = "true false" ]
    sqlite3 spoiled.db "delete from record where game = 23; delete from game where number = 23"
    expect_status 0 "$SENJUTSU" verify spoiled.db
    expect_out '^spoiled.db: ok, 23 games executed again, the tournament is not over yet; standings so far:$'
    expect_status 0 "$SENJUTSU" verify --json spoiled.db
    expect "an event that is not over" [ "$(json_get complete "$out") $(json_get games "$out")" = "false 23" ]
    expect_status 0 "$SENJUTSU" tournament --store spoiled.db
    expect_err '^senjutsu tournament: the tournament is not over; --continue continues it$'
    spoiled "^game 3: .* the store says" "update game set payoff = 1 - payoff, result = 'draw limit' where number = 3"
    spoiled "^game 5: its record: " "update record set json = '[]' where game = 5"
    spoiled "games of the tournament are missing" "delete from record where game = 4; delete from game where number = 4"
    spoiled "the stored standings" "update text set value = 'x' where name = 'standings'"
    spoiled "game 2 in the store is not" "update game set map = 1 - map where number = 2"
    spoiled "game 2 in the store has a ruling" "update game set fault = 99, forfeiter = 0 where number = 2"
    expect_status 1 "$SENJUTSU" tournament --quiet --store spoiled.db --out spoiled
    spoiled "(record of game 1 without|game 1000000: )" "update game set number = 1000000 where number = 1"
    expect_status 1 "$SENJUTSU" tournament --quiet --store spoiled.db
    spoiled "is not \"senjutsu-event\"" "update text set value = '{}' where name = 'event'"
else
    skip "there is no sqlite3 to spoil a store with"
fi

# ---- lines in place of a table, every five seconds ----

# The clock runs three times as fast as it should, in steps that are too small to be a pause of the program.
if has_faults; then
    command_line="senjutsu tournament, with SIGINT after a line"
    "$with_faults" 'monotonic 0.05 every=0.02' "$SENJUTSU" tournament --players random,uct:sims=300 --maps duel --games 10000 \
        --jobs 1 >"$out" 2>"$err" &
    program=$!
    expect "a line" wait_until grep -q leads "$err"
    kill -INT $program
    wait $program
    status=$?
    expect "the status after a signal" [ $status -eq 130 ]
    expect_err '^[1-9][0-9]+ of 10000 games; uct:sims=300 leads with [1-9][0-9.]+ points$'
    expect_err '^senjutsu tournament: stopped after [1-9][0-9]+ games$'
    expect_out "^1 +uct:sims=300 "
else
    skip "no library that makes a clock fast"
fi

# ---- files ----

cat >people.json <<'ENTRIES'
[{"name": "<script>alert(1)</script>", "spec": "random", "author": "Eve"},
 {"name": "Tom & \"Jerry\", Ltd", "spec": "acteval", "author": "tests"},
 {"name": "侍", "spec": "uct:sims=10"}]
ENTRIES
write_tiny_map tiny.tbsmap
tournament --entries people.json --maps duel,tiny.tbsmap --store people.db --out pages
for file in results.json standings.csv games.csv cross-table.html results.html; do
    expect "pages/$file" [ -s pages/$file ]
done
expect "no folder of faults" [ ! -e pages/faults ]
expect "twelve games" [ "$(wc -l <pages/games.csv)" -eq 13 ]
expect "three players" [ "$(wc -l <pages/standings.csv)" -eq 4 ]
expect "balanced JSON" [ "$(flatten pages/results.json | grep -c -e '^unbalanced' -e '^games=12$')" = 1 ]
if command -v jq >/dev/null 2>&1; then
    jq -e '.games == 12 and (.standings | length) == 3' pages/results.json >parsed
    expect "JSON as others read it" grep -q true parsed
fi
expect "CSV that quotes" grep -q '^[123],"Tom & ""Jerry"", Ltd",' pages/standings.csv
for page in pages/cross-table.html pages/results.html; do
    expect "$page to be a page" [ "$(grep -c -i -e '^<!doctype html' -e '</html>' $page)" = 2 ]
    sed '/^<script>$/,/^<\/script>$/d;s/^<script type="application\/json" id="data">$//' $page >content.html
    expect "$page to run nothing but its own script" lacks '<script' content.html
    for name in '&lt;script&gt;alert(1)&lt;/script&gt;' 'Tom &amp; &quot;Jerry&quot;, Ltd' '侍'; do
        expect "$page to name $name" grep -q -F "$name" $page
    done
done
tournament --json --store people.db
lasting pages/results.json >first.json
lasting "$out" >second.json
expect_same first.json second.json
refused 1 "text.db: is no folder" --store people.db --out text.db
refused 1 "text.db/x: cannot be made" --store people.db --out text.db/x
refused 1 "needs the name of a folder" --store people.db --out ''

# ---- maps and their authors ----

tournament --entries people.json --maps duel,tiny.tbsmap --not-own-maps --out own
expect "Tom not to play on his own map" lacks '^[0-9]+,main,[0-9]+,tiny,.*Tom' own/games.csv
expect "the others to play on it" [ "$(grep -c ',tiny,' own/games.csv)" = 2 ]
refused 1 "no map is left for .*Tom" --entries people.json --maps tiny.tbsmap --not-own-maps
mkdir set
cp "$maps/duel.tbsmap" "$maps/duel_panzer.tbsmap" set
tournament --players random,acteval --maps set --out set-pages
expect "two games on each map of the folder" [ "$(grep -c -e ',duel,' -e ',duel_panzer,' set-pages/games.csv)" = 4 ]
mkdir none
refused 1 "none: there is no .tbsmap" --players random,acteval --maps none
refused 1 "nosuch: there is neither a file nor a map of this name; see 'senjutsu map list'" --players random,acteval --maps nosuch
refused 1 "a map of that name is there already" --players random,acteval --maps duel,set
refused 1 "empty name" --players random,acteval --maps duel,

echo '{}' >entries.json
refused 1 "entries.json: expected a list" --entries entries.json
echo '[{"name": "a", "spec": "random"}, {"name": "a", "spec": "acteval"}]' >entries.json
refused 1 'entries.json: entry 2: the name "a" is there already' --entries entries.json
echo '[{"name": "a", "spec": "random"}, {"name": "b", "sepc": "acteval"}]' >entries.json
refused 1 'entries.json: entry 2: "sepc" is no field' --entries entries.json
printf '[\n{"spec": "random"},\n}' >entries.json
refused 1 'entries.json:3: ' --entries entries.json

finish
