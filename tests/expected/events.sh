# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Matches and events: tables, statistics, JSON, result pages and stores that are gone on with.

s match random acteval --games 30 --quiet
s match acteval acteval:style=sample --map duel,standard8,islands --games 60 --quiet --seed 5 --json
# Small boards and a large one: two games for the players.
s match uct:sims=5 acteval --map duel,battle16,endgame --games 6 --quiet --json --seed 3
s match random random --map duel --games 41 --quiet --one-sided --rules paper
s match uct:sims=20 muct:sims=5 --map duel_infantry --games 12 --quiet --json --records json
sums json/*
s match acteval random --map endgame,late_start --games 4 --quiet --records sgf --format sgf
sums sgf/*
s match acteval:style=sample random --games 4000 --sprt 0,40 --alpha 0.1 --beta 0.02 --quiet --jobs 1
s match random random --games 600 --sprt 0,200 --quiet --jobs 1 --map duel --json
s match minmax:plies=1 random --game tbs-wide --map standard --games 6 --quiet
s match random nobody
for options in '--elo 20' '--elo 5 --draws 0.4 --alpha 0.01 --power 0.8' '--games 100' '--games 5000 --draws 0.3 --json' \
    '--elo 300 --json' '--elo 1' '--games 2'; do
    # shellcheck disable=SC2086 # several words
    s plan $options
done

s replay json/game-000003.json --no-color
s replay json/game-000003.json --at 4 --no-color
s replay sgf/game-000002.sgf --no-color
s replay sgf/game-000001.sgf --check
s replay json/game-000002.json --save kept.sgf
files kept.sgf
s analyze --after json/game-000003.json:3 --player acteval --json
s analyze --after sgf/game-000002.sgf:2 --player minmax:depth=1 --no-color

# event NAME OPTION …: its table, its JSON and all its result files.
event() {
    name=$1
    shift
    s tournament "$@" --quiet --out "$name" --title "The event $name"
    find "$name" -type f ! -name '*.png' | sort >list
    while read -r file; do sums "$file"; done <list
    s tournament "$@" --quiet --json
}
four=random,acteval,acteval:style=sample,muct:sims=3
event robin --players $four --maps duel,standard --games 2
event single --players acteval,random --maps duel --games 1 --jobs 1
event large --players $four,random,aas:length=1,uct:sims=4,dlmc:turns=2\;sims=1,minmax:plies=1 --maps duel --games 2 --seed 9
event gauntlet --players $four --format gauntlet --challengers 1 --maps duel,endgame --points 3,1,0
event swiss --players $four,random,uct:sims=4,random --format swiss --rounds 3 --maps standard --games 1 --seed 4
event knock --players $four,random --format knock-out --maps duel_infantry --seed 2
event final --players $four --final 2 --maps duel,rooms --maps-per-pairing 1 --rules paper
event hidden --players pimc:sims=8,random,ismcts:sims=9 --game kuhn --games 6
event ghosts --players pg,random,guess --game geister:plies=40 --games 2
s tournament --preset gat-tactical --show-rules
s tournament --players $four --format swiss --show-rules
s tournament --players random --maps duel
s tournament --players random,random --games 0

cat >entries.json <<'END'
[{"name": "Ann", "author": "ann", "spec": "acteval"}, {"name": "Bob", "author": "bob", "spec": "random"},
 {"name": "=cmd", "author": "<b>", "spec": "acteval:style=sample"}]
END
event entries --entries entries.json --maps duel --games 2 --disqualify-after 3

# ---- faults ----

write_tiny_map tiny.tbsmap
cat >bot <<'END'
while read -r line; do
    case $1:$line in
    *:map) until [ "$line" = endmap ]; do read -r line; done; echo ok ;;
    illegal:go*) echo best 9:9,9; echo ok ;;
    ends:go*) exit 3 ;;
    words:go*) echo I give up; echo ok ;;
    *:sjp*) echo id name bot; echo game tbs; echo ok ;;
    *:quit) exit ;;
    *) echo ok ;;
    esac
done
END
cat >faults.json <<'END'
[{"name": "Ann", "author": "TESTS", "spec": "acteval"}, {"name": "Bob", "author": "bob", "spec": "random"},
 {"name": "Ill", "spec": "ext:cmd=sh bot illegal"}, {"name": "Eve", "spec": "ext:cmd=sh bot ends"},
 {"name": "Wes", "spec": "ext:cmd=sh bot words"}]
END
s tournament --entries faults.json --maps duel --quiet
s tournament --entries faults.json --maps tiny.tbsmap --not-own-maps --programs --quiet
s tournament --entries faults.json --maps duel,tiny.tbsmap --not-own-maps --programs --quiet --games 2 --jobs 1 --store faults.db --out faults
cut -d , -f 1-14 faults/games.csv >games.csv # followed by times
sums faults/cross-table.html games.csv faults/results.* faults/standings.csv
line "$(ls faults/faults)"
for number in 000000 000004 000005; do
    sed '/"tail"/,/\]/d' faults/faults/game-$number.json >bundle-$number.json
    sums bundle-$number.json
done
s verify faults.db
s tournament --entries faults.json --maps duel,duel_infantry,tiny.tbsmap --not-own-maps --programs --quiet --disqualify-after 3 \
    --maps-per-pairing 2 --games 2 --format swiss --final 2 --jobs 1 --json
s tournament --entries faults.json --maps duel --programs --quiet --disqualify-after 2 --games 2 --format knock-out --jobs 1
s tournament --entries faults.json --maps duel,tiny.tbsmap --programs --quiet --disqualify-after 1 --games 2 --jobs 1

# ---- rules files ----

for preset in quick swiss gat-tactical gat-geister gat-geister-multi nothing; do
    s tournament --preset $preset --show-rules
done
# rules JSON: the rules that a file makes, as a checksum where there are many lines, or why it is refused.
rules() {
    printf '%s\n' "$1" >rules.json
    timeout "$limit" "$SENJUTSU" tournament --rules-file rules.json --show-rules >shown 2>&1 </dev/null
    status=$?
    line "$(tr '\n' ' ' <rules.json | tr -d '\134'): $status $(if [ "$(wc -l <shown)" -gt 1 ]; then cksum <shown; else cat shown; fi)"
}
# limits BEFORE LOW HIGH AFTER: the values at both limits and beyond them.
limits() {
    for value in $(($2 - 1)) "$2" "$3" $(($3 + 1)); do
        rules "$1 $value$4"
    done
}
limits '{"format": "swiss", "rounds":' 0 1000 '}'
limits '{"format": "gauntlet", "challengers":' 1 255 '}'
limits '{"games":' 1 100000 '}'
limits '{"disqualify_after":' 0 1000000 '}'
limits '{"points": {"draw": -1000, "loss": -1000, "win":' -1000 1000 '}}'
limits '{"points": {"win": 1000, "loss": -1000, "draw":' -1000 1000 '}}'
limits '{"points": {"win": 1000, "draw": 1000, "loss":' -1000 1000 '}}'
for key in turn move game patience grace; do limits "{\"clock\": {\"$key\":" 0 86400 '}}'; done
for key in increment byoyomi; do limits "{\"clock\": {\"game\": 1, \"$key\":" 0 86400 '}}'; done
limits '{"maps": {"per_pairing":' 0 1024 '}}'
limits '{"playoff": {"places":' 0 256 '}}'
limits '{"playoff": {"places": 1, "games":' 1 100000 '}}'
limits '{"playoff": {"places": 1, "repeats":' 0 100 '}}'
limits '{"final": {"players":' 0 256 '}}'
limits '{"final": {"players": 2, "games":' 1 100000 '}}'
# Fields that do not go together, or go with one format only.
for format in round-robin gauntlet swiss knock-out; do
    for more in '' ', "rounds": 1' ', "challengers": 2' ', "playoff": {"places": 1}' ', "final": {"players": 2}' \
        ', "final": {"players": 1}'; do
        rules "{\"format\": \"$format\"$more}"
    done
done
for value in '"format": "x"' '"format": 1' '"both_sides": true, "games": 3' '"both_sides": true, "games": 4' '"both_sides": false, "games": 3' \
    '"both_sides": true, "playoff": {"games": 3}' '"both_sides": true, "playoff": {"games": 3, "places": 1}' \
    '"both_sides": true, "final": {"games": 3}' '"both_sides": true, "final": {"games": 3, "players": 2}' '"both_sides": 1' \
    '"clock": {"increment": 1}' '"clock": {"byoyomi": 1}' '"clock": {"game": 1, "byoyomi": 1, "increment": 2}' '"clock": 3' \
    '"points": {"win": 0, "draw": 0}' '"points": {"draw": 2}' '"points": {"draw": -1}' '"points": {"draw": 0}' '"points": {"draw": 1}' \
    '"games": 0.5' '"games": true' '"games": "2"' '"points": {"win": []}' '"points": {"win": "1"}' '"points": {"win": 0.75}' \
    '"tie_breaks": []' '"tie_breaks": ["wins", "faults", "buchholz", "head-to-head"]' '"tie_breaks": ["sonneborn-berger", "wins"]' \
    '"tie_breaks": ["wins", "wins"]' '"tie_breaks": ["x"]' '"tie_breaks": [1]' '"tie_breaks": 1' \
    '"tie_breaks": ["wins", "faults", "buchholz", "head-to-head", "sonneborn-berger", "wins"]' \
    '"maps": {"not_own": true}' '"maps": {"not_own": 1}' '"maps": {"own": 1}' '"map": 1' '"final": []' \
    '"title": ""' '"title": 3' '"title": "\u000a"' '"title": "\u009b"' '"title": "\u00a0"' '"title": "\u007f"' \
    '"game": ""' '"game": "Kuhn"' '"game": "kuhn"' '"game": "synth:df=0.5"' '"game": "kuhn x"' '"rule_set": ""' '"rule_set": "paper:x"' \
    '"preset": "swiss", "games": 4' '"preset": "x"' '"preset": 1' '"games": 2, "preset": "gat-geister"'; do
    rules "{$value}"
done
for size in title:127 title:128 rule_set:31 rule_set:32 game:255 game:256; do
    rules "{\"${size%:*}\": \"$(printf "%0${size#*:}d" 1 | tr 01 ab)\"}"
done
rules '[]'
rules '{
 "games": 2,
 "points": {"win": 3,
  "draw": "\"}",
  "loss": 0}}'
rules '{"title": "{\"final\": [1, {}]}",

 "clock": {"turn": [1, {"x": "]"}]}}'
