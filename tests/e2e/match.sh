#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu match: results, records, independence of the number of workers, Ctrl-C.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap

# ---- the same result for any number of workers ----

# Times are the only part that may differ; they stand in an object of their own.
without_times() {
    awk '/^  "times": / { skipping = 1 } !skipping { print } /^  }/ { skipping = 0 }' "$1"
}
for jobs in 1 2 5; do
    expect_status 0 "$SENJUTSU" match random acteval --map "tiny.tbsmap,$maps/duel.tbsmap" --games 11 --seed 3 \
        --jobs "$jobs" --json
    expect_silent_err
    expect "times in the JSON" grep -q '"ms_per_decision"' "$out"
    without_times "$out" >"jobs-$jobs.json"
done
expect_same jobs-1.json jobs-2.json
expect_same jobs-1.json jobs-5.json
expect_status 0 "$SENJUTSU" match random acteval --map tiny.tbsmap --games 11 --seed 4 --json
without_times "$out" >seed-4.json
expect "another seed to give another match" [ "$(cmp jobs-1.json seed-4.json >/dev/null; echo $?)" -eq 1 ]

# The largest seed, which exceeds the exact range of JSON numbers.
expect_status 0 "$SENJUTSU" match random random --map tiny.tbsmap --games 1 --seed 18446744073709551615 --json
expect_out '"seed": "18446744073709551615"'

# ---- sums ----

# total PREFIX: wins, losses and draws of one of the tallies in jobs-1.json.
total() {
    flatten jobs-1.json | awk -F = -v p="$1" \
        '$1 == p "wins.0" || $1 == p "wins.1" || $1 == p "draws" { n += $2 } END { print n + 0 }'
}
expect "11 games" [ "$(json_get games jobs-1.json)" = 11 ]
expect "wins and draws that add up" [ "$(total '')" -eq 11 ]
expect "6 games as red" [ "$(total as_red.)" -eq 6 ]
expect "5 games as blue" [ "$(total as_blue.)" -eq 5 ]
expect "games on two maps that add up" [ $(($(total maps.0.) + $(total maps.1.))) -eq 11 ]
expect "both maps to be played" [ "$(total maps.0.) $(total maps.1.)" = "6 5" ]
expect "the score to be wins and half the draws" awk -v w="$(json_get wins.0 jobs-1.json)" \
    -v d="$(json_get draws jobs-1.json)" -v s="$(json_get score jobs-1.json)" \
    'BEGIN { e = s - (w + d / 2) / 11; exit e > 1e-6 || e < -1e-6 }'
expect "a score within its interval" awk -v l="$(json_get interval.0 jobs-1.json)" \
    -v s="$(json_get score jobs-1.json)" -v h="$(json_get interval.1 jobs-1.json)" 'BEGIN { exit !(l <= s && s <= h) }'
expect "the names" [ "$(json_get players.0 jobs-1.json) $(json_get players.1 jobs-1.json)" = '"random" "acteval"' ]

expect_status 0 "$SENJUTSU" match random acteval --map tiny.tbsmap --games 4 --one-sided --json
cp "$out" jobs-1.json
expect "all games as red" [ "$(total as_red.) $(total as_blue.)" = "4 0" ]

expect_status 0 "$SENJUTSU" match random acteval:style=sample --map tiny.tbsmap --games 4
expect_out '^random against acteval:style=sample.*, 4 games, seed 1$'
expect_out '^  in all +[0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+%'
expect_silent_err

# The match must show which player is better.
expect_status 0 "$SENJUTSU" match acteval random --map "$maps/standard.tbsmap" --games 20 --json
expect "acteval to win most games" [ "$(json_get wins.0 "$out")" -ge 15 ]

# ---- times: two players that think most of the time ----

thinker=uct:sims=1000
expect_status 0 "$SENJUTSU" match $thinker $thinker --map "$maps/duel.tbsmap" --games 6 --jobs 1 --json
expect "decisions that fill the time" awk -v a="$(json_get times.ms_per_decision.0 "$out")" -v n="$(json_get actions "$out")" \
    -v b="$(json_get times.ms_per_decision.1 "$out")" -v s="$(json_get times.seconds "$out")" \
    'BEGIN { share = (a + b) / 2 * n / (s * 1000); exit !(share > 0.3 && share < 1.2) }'
expect_status 0 "$SENJUTSU" match $thinker $thinker --map "$maps/duel.tbsmap" --games 6 --jobs 1
expect "decisions and games that fill the time" awk '/actions a game/ { n = $4; rate = $8 } / ms a decision$/ { sum += $(NF - 3) }
    END { share = sum / 2 * n * rate / 1000; exit !(share > 0.3 && share < 1.2) }' "$out"

# ---- Elo, pairs and the sequential test ----

# number PATH: of the last JSON.
number() {
    json_get "$1" "$out"
}
expect_status 0 "$SENJUTSU" match acteval random --map tiny.tbsmap --games 41 --json
expect "a difference of the logistic curve" awk -v s="$(number score)" -v e="$(number elo.difference)" \
    'BEGIN { d = e + 400 * log(1 / s - 1) / log(10); exit !(s < 1 && s > 0 && d < 1e-4 && d > -1e-4) }'
expect "an error around it" awk -v e="$(number elo.difference)" -v r="$(number elo.error)" \
    -v l="$(number elo.interval.0)" -v h="$(number elo.interval.1)" \
    'BEGIN { a = e - r - l; b = e + r - h; exit !(r > 0 && a * a + b * b < 1e-6) }'
expect "20 pairs, the last game being alone" [ $(($(number pairs.0) + $(number pairs.1) + $(number pairs.2) + \
    $(number pairs.3) + $(number pairs.4))) -eq 20 ]
expect "no test" [ "$(number sprt)" = null ]

# All games won: the estimates are still finite.
expect_status 0 "$SENJUTSU" match acteval random --map "$maps/duel.tbsmap" --games 6
expect_out '^  Elo difference [+-][0-9.]+ ± [0-9.]+ \(95%\), likelihood of superiority [0-9.]+%$'
expect_out '^  pairs with 0, 0\.5, 1, 1\.5 and 2 points: [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+$'
expect_no_out 'inf|nan'

# The match stops long before the last game because one player is shown to be better, after the same game with any
# number of workers.
for jobs in 1 3; do
    expect_status 0 "$SENJUTSU" match acteval random --map "$maps/standard.tbsmap" --games 100000 --sprt 0,50 \
        --jobs "$jobs" --json
    expect_silent_err
    expect "H1" [ "$(number sprt.accepted)" = '"H1"' ]
    expect "a reason" [ "$(number sprt.reason)" = '"H1 accepted: the difference is rather 50 Elo than 0"' ]
    expect "a ratio beyond its bound" awk -v r="$(number sprt.ratio)" -v b="$(number sprt.bounds.1)" \
        'BEGIN { exit !(r >= b && b > 2.944 && b < 2.945) }'
    expect "whole pairs" [ $(($(number games) % 2)) -eq 0 ]
    expect "few of them" [ "$(number games)" -lt 1000 ]
    without_times "$out" >"sprt-$jobs.json"
done
expect_same sprt-1.json sprt-3.json

expect_status 0 "$SENJUTSU" match random acteval --map "$maps/standard.tbsmap" --games 100000 --sprt -50,0 \
    --alpha 0.01 --beta 0.1 --one-sided
expect_out '^  H0 accepted: the difference is rather -50 Elo than 0$'
expect_out '^    log-likelihood ratio -[0-9.]+, bounds -2\.29 and 4\.50 \(alpha 0\.01, beta 0\.1\), after [0-9]+ games$'
expect_no_out 'stopped after|pairs with'
expect_status 0 "$SENJUTSU" match random random --map tiny.tbsmap --games 10 --sprt 0,5
expect_out '^  all games played, undecided$'

# ---- records ----

for format in json sgf; do
    expect_status 0 "$SENJUTSU" match random acteval --map "tiny.tbsmap,$maps/standard.tbsmap" --games 5 --jobs 2 \
        --records "kept-$format" --format "$format" --quiet
    expect_silent_err
    expect "5 records" [ "$(find "kept-$format" -type f -name "game-00000[1-5].$format" | wc -l)" -eq 5 ]
    expect "nothing else" [ "$(find "kept-$format" -type f | wc -l)" -eq 5 ]
    for record in "kept-$format"/*; do
        expect_status 0 "$SENJUTSU" replay --check "$record"
        expect_out ": ok, [1-9][0-9]* actions, (red|blue|draw) "
    done
done
# The same games in both formats, and players that change seats.
for i in 1 2 3 4 5; do
    "$SENJUTSU" replay --check "kept-json/game-00000$i.json" | sed 's/.*: ok/ok/' >a
    "$SENJUTSU" replay --check "kept-sgf/game-00000$i.sgf" | sed 's/.*: ok/ok/' >b
    expect_same a b
done
expect "random to be red in the first game" [ "$(json_get players.0 kept-json/game-000001.json)" = '"random"' ]
expect "random to be blue in the second" [ "$(json_get players.1 kept-json/game-000002.json)" = '"random"' ]

# ---- wrong usage ----

# refused PATTERN ARGUMENT …
refused() {
    pattern=$1
    shift
    expect_status 2 "$SENJUTSU" match "$@"
    expect_silent_out
    expect_refusal
    expect_err "$pattern"
}
refused "'nobody' is unknown; known are .*acteval" random nobody
refused "'stile' is unknown; known are style, " random acteval:stile=paper
refused "style=plain .*paper.*sample" random acteval:style=plain
refused "cover=9: expected a number from 0 to 1" acteval:cover=9 random
refused "'cover' has no '='" acteval:cover random
refused "games 0: expected a whole number from 1" random random --games 0
refused "games many: expected a whole number" random random --games many
refused "jobs x: expected a whole number" random random --jobs x
refused "seed -1: expected a whole number" random random --seed -1
refused "a record of tbs has no form .xml.; expected json or sgf" random random --format xml
refused "sprt 10,0: the first difference must be the smaller one" random random --sprt 10,0
refused "sprt 10: expected two differences, ELO0,ELO1" random random --sprt 10
refused "sprt 0,2000: expected differences from -1000 to 1000" random random --sprt 0,2000
refused "alpha 0\.7: expected a number from 0\.0001 to 0\.4" random random --sprt 0,10 --alpha 0.7
refused "beta 0: expected a number from" random random --sprt 0,10 --beta 0
refused "alpha and --beta belong to --sprt" random random --alpha 0.1
refused "two players are needed" random
refused "two players are needed" random random random
refused "games needs a value" random random --games
refused "rule.*chess.*tubstap.*paper" random random --rules chess --map tiny.tbsmap --games 1
expect_status 1 "$SENJUTSU" match random random --map tiny.tbsmap,missing.tbsmap --games 1
expect_refusal
expect_err 'missing\.tbsmap: .*No such file'
echo text >file.txt
expect_status 1 "$SENJUTSU" match random random --map tiny.tbsmap --games 2 --records file.txt/folder
expect_silent_out
expect_refusal
expect_err 'file\.txt/folder: '
expect_status 1 "$SENJUTSU" match random random --map tiny.tbsmap --games 2 --records file.txt
expect_refusal
expect_err 'file\.txt'
# Records cannot be written: the error comes before the first game.
expect_silent_out

# ---- clocks and faults ----

# Our own players obey any clock; an external program that breaks the rules loses, and is named.
expect_status 0 "$SENJUTSU" match uct:sims=100000000 random --map "$maps/duel.tbsmap" --games 2 --clock turn=0.1,grace=1 --json
expect "no fault of ours" [ "$(json_get forfeits "$out")" = 0 ]
expect_status 0 "$SENJUTSU" match "ext:cmd='$SENJUTSU_SABOTEUR' illegal" random --map "$maps/duel.tbsmap" --games 2 \
    --clock turn=10 --faults faults
expect_out "games forfeited by ext:cmd=.* illegal: 2 illegal$"
expect_out "games forfeited by random: none$"
expect "a bundle for each" [ "$(find faults -name 'fault-00000[12].json' | wc -l)" -eq 2 ]
expect_status 0 "$SENJUTSU" check --programs --replay faults/fault-000001.json
expect_status 0 "$SENJUTSU" match "ext:cmd='$SENJUTSU_SABOTEUR' exit" random --map "$maps/duel.tbsmap" --games 2 --json
expect_out '"crash": 2'
expect_status 2 "$SENJUTSU" match random random --clock trun=1
expect_err "option .trun. is unknown; known are turn, move, game"
expect_status 2 "$SENJUTSU" match random random --clock byoyomi=1
expect_err "increment and byoyomi need game"

# ---- a store ----

expect_status 0 "$SENJUTSU" match random acteval --map "$maps/duel.tbsmap" --games 6 --quiet --store m.db
sed 's/, [0-9.]* games a second$//; /a decision$/d' "$out" >played
expect_status 0 "$SENJUTSU" match --store m.db
expect_no_out 'games a second' # none was played now
sed '/a decision$/d' "$out" >shown
expect_same shown played
expect_status 0 "$SENJUTSU" match random acteval --map "$maps/duel.tbsmap" --games 10 --quiet --json --store m.db
keep_more=$(json_get wins.0 "$out")
expect_status 0 "$SENJUTSU" match random acteval --map "$maps/duel.tbsmap" --games 10 --quiet --json
expect "more games to be those of a longer match" [ "$(json_get wins.0 "$out")" -eq "$keep_more" ]
expect_status 1 "$SENJUTSU" match random acteval --map "$maps/duel.tbsmap" --seed 2 --store m.db
expect_err 'm\.db was begun with other arguments: the seed was 1 and is now 2$'
expect_status 1 "$SENJUTSU" match acteval acteval --map "$maps/duel.tbsmap" --store m.db
expect_err 'm\.db was begun with other arguments: player 1 was "random" and is now "acteval"$'
expect_status 1 "$SENJUTSU" match random acteval --map "$maps/duel.tbsmap" --one-sided --store m.db
expect_err 'm\.db was begun with other arguments: '
expect_status 2 "$SENJUTSU" match random acteval --store m.db --continue
expect_err 'continue belongs to --store alone'
expect_status 2 "$SENJUTSU" match --store m.db --map duel
expect_err 'map is given, but no players$'
# A given option counts also with its default value.
for option in games:100 seed:1 alpha:0.05; do
    expect_status 2 "$SENJUTSU" match --store m.db --${option%:*} ${option#*:}
    expect_err "${option%:*} is given, but no players\$"
done
expect_status 1 "$SENJUTSU" match --store none.db --continue
expect_err 'none\.db: there is no such store$'
expect_status 0 "$SENJUTSU" match random pimc:sims=5 --game synth --games 4 --quiet --store synth.db
# What depends on the machine goes: the speed, which only games that were played have, and the time of a decision.
sed 's/, [0-9.]* games a second$//; s/: [0-9.]* ms/:/' "$out" >played
expect_status 0 "$SENJUTSU" match --store synth.db
sed 's/: [0-9.]* ms/:/' "$out" >shown
expect_same shown played
# An event's store is no match's, and the other way round.
expect_status 0 "$SENJUTSU" tournament --players random,first --maps duel --quiet --store event.db
expect_status 1 "$SENJUTSU" match --store event.db
expect_err "event\.db: is the store of a tournament; 'senjutsu tournament --store event\.db' shows it\$"
expect_status 1 "$SENJUTSU" match random first --map "$maps/duel.tbsmap" --store event.db
expect_err "event\.db: is the store of a tournament; 'senjutsu tournament --store event\.db' shows it\$"
for command in 'tournament --store' 'map judge duel --store' 'tournament --players random,first --maps duel --store'; do
    # shellcheck disable=SC2086 # words
    expect_status 1 "$SENJUTSU" $command synth.db
    expect_err "synth\.db: is the store of a match; 'senjutsu match --store synth\.db' shows it\$"
done
# A sequential test that is decided plays no more games.
stored() {
    python3 -c 'import sqlite3; print(sqlite3.connect("sprt.db").execute("SELECT count(*) FROM game").fetchone()[0])'
}
sprt="match acteval random --map duel --games 400 --sprt 0,300 --jobs 2 --quiet --store sprt.db"
# shellcheck disable=SC2086 # words
expect_status 0 "$SENJUTSU" $sprt
expect_out 'H1 accepted'
before=$(stored)
# shellcheck disable=SC2086 # likewise
expect_status 0 "$SENJUTSU" $sprt
expect_out 'H1 accepted'
expect "no further games" [ "$(stored)" -eq "$before" ]
# ---- verifying a match: every game follows from the number of the game and the seed ----

for name in event.db synth.db; do
    expect_status 0 "$SENJUTSU" verify --quiet $name
done
expect_out '^synth\.db: ok, 4 games executed again, the match is complete$'
expect_status 0 "$SENJUTSU" verify --quiet sprt.db
expect_out "^sprt\.db: ok, $before games executed again, not all games of the match: stopped, or decided by a test\$"
expect_status 0 "$SENJUTSU" match acteval random --map "$maps/duel.tbsmap,standard" --one-sided --games 5 --quiet --store whole.db
expect_status 0 "$SENJUTSU" verify --quiet --json whole.db
expect_out '"complete": true'
# broken NAME STATEMENT SENTENCE: a store in which the statement has changed something.
broken() {
    cp whole.db "$1.db"
    python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()' "$1.db" "$2"
    expect_status 1 "$SENJUTSU" verify --quiet "$1.db"
    expect_out "$3"
}
broken payoff 'UPDATE game SET payoff = 1 - payoff WHERE number = 3' "^game 3: 'red annihilation' is 1 for the first side, the store says 0\$"
broken seed 'UPDATE game SET seed = 5 WHERE number = 1' '^game 1 in the store is not the one that the schedule has there$'
broken number 'UPDATE game SET number = 9 WHERE number = 4' '^game 9: games before it are missing that the schedule depends on$'
broken fewer "UPDATE text SET value = '{\"games\": 4, \"alpha\": 0.05, \"beta\": 0.05}' WHERE name = 'match_end'" '^game 4: the schedule has no such game$'
for games in 0 99999999999 -4294967295 '"5"'; do
    broken end "UPDATE text SET value = '{\"games\": $games, \"alpha\": 0.05, \"beta\": 0.05}' WHERE name = 'match_end'" \
        '^is no match of two players with 1 to 10000000 games$'
    expect_status 1 "$SENJUTSU" match --store end.db
    expect_err 'end\.db: its number of games cannot be read$'
done
for end in '{"games": 0}' '{"games": 99999999999}' '{"games": "5"}' '[' ''; do
    broken end "UPDATE text SET value = '$end' WHERE name = 'match_end'" '^is no match of two players with 1 to 10000000 games$'
done

# A program named in a store is not permitted by that.
expect_status '0 1' "$SENJUTSU" match 'ext:cmd=exit 3' random --map "$maps/duel.tbsmap" --games 2 --quiet --store ext.db
expect_status 1 "$SENJUTSU" match --store ext.db --continue --quiet
expect_err '--programs'

# ---- Ctrl-C ----

# A shell without job control starts background programs with the signal ignored; the program asks for it anyway.
# timeout passes the signal on once (--foreground: not to the group too, which would be a second Ctrl-C).
command_line="senjutsu match random random --games 10000000 --records stopped, with SIGINT after the tenth game"
timeout --foreground -s KILL "$limit" "$SENJUTSU" match random random --map "$maps/standard.tbsmap" --games 10000000 \
    --records stopped >"$out" 2>"$err" &
program=$!
wait_until [ -e stopped/game-000010.json ]
kill -INT $program
wait $program
status=$?
expect "the match to end by itself with status 130" [ "$status" -eq 130 ]
expect_out '^  stopped after [0-9]+ of 10000000 games$'
expect_out '^  in all +[0-9]+ '
games=$(sed -n 's/^  stopped after \([0-9]*\) of .*/\1/p' "$out")
expect "a record of each of the $games games, and nothing else" [ "$(find stopped -type f | wc -l)" -eq "${games:-0}" ]
expect "no unfinished file" [ -z "$(find stopped ! -name 'game-[0-9]*.json' -type f)" ]
for record in stopped/game-000001.json "$(printf 'stopped/game-%06d.json' "${games:-0}")"; do
    expect_status 0 "$SENJUTSU" replay --check "$record"
done
expect "all records to be whole" [ "$(find stopped -type f -exec tail -n 1 {} ';' | grep -c '^}$')" -eq "${games:-0}" ]

finish
