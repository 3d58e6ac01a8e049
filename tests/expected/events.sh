# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Matches and events: tables, statistics, JSON, result pages and stores that are gone on with.

s match random acteval --games 30 --quiet
s match acteval acteval:style=sample --map duel,standard8,islands --games 60 --quiet --seed 5 --json
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
