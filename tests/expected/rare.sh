# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Output of commands at the edges: finished games, results that are not reached, unusable files and names.

lines_shown=90
write_tiny_map tiny.tbsmap

# ---- positions ----

"$SENJUTSU" match random acteval --map duel --games 2 --quiet --records games >/dev/null
s analyze --after games/game-000001.json
s analyze --after games/game-000001.json:99
s analyze --after games/game-000001.json:-1
s analyze --after games/nothing.json
s analyze --position x
s analyze --game kuhn --position x
s analyze --after games/game-000001.json:8 --player minmax:depth=3 --no-color
s analyze --after games/game-000001.json:8 --player minmax:depth=3 --json
s analyze --map duel --player minmax:depth=3 --top 1 --no-color
s analyze --map duel --player uct:sims=5 --top 2 --no-color
s analyze --map standard --player uct:sims=300 --top 0 --no-turn --json
s analyze --map duel --player muct:sims=20 --sims 7 --top 3 --no-color --seed 4
s analyze --game geister:plies=3 --player purple:depth=2 --top 2
s analyze --game kuhn --player pimc:sims=20 --json
s analyze --game synth:tree=2 --player amcts:sims=30
s solve --map duel --nodes 1
s solve --after games/game-000002.json
s solve --after games/game-000001.json:8 --json
s solve --after games/game-000001.json:7
s solve --after games/game-000001.json:6 --nodes 40
s solve --after games/game-000001.json:5 --nodes 300 --json
s solve --after games/game-000001.json:4 --nodes 1000 --wdl
s solve --after games/game-000001.json:8 --nodes 800
s solve --after games/game-000002.json:6 --nodes 1600
s solve --after games/game-000002.json:7 --nodes 200 --json
s solve --after games/game-000002.json:8 --nodes 800
s solve --after games/game-000002.json:8 --nodes 800 --wdl --json
s analyze --map duel --player uct:sims=4000,horizon=0 --top 1 --no-turn --no-color
s analyze --game geister --sims 3 --top 2
s replay games/game-000001.json --at 99
s replay games/game-000001.json --at 0 --no-color
s replay games/game-000001.json --game 1
s replay games/nothing.json
s replay games/game-000001.json --save no/where.json
s replay tiny.tbsmap
s replay games/game-000001.json --view first
sed 's/"0:/"1:/' games/game-000001.json >wrong.json
s replay wrong.json --check

# ---- matches, players, games ----

s match random random --game kuhn --games 1 --quiet
s match random random --game kuhn --games 1 --quiet --json
s match random pimc:sims=5 --game kuhn --games 7 --quiet --one-sided --seed 3
s match random random --map duel --games 2 --quiet --records tiny.tbsmap
s match random random --map nothing --games 2
s match random random --map duel,tiny.tbsmap,duel --games 2 --quiet
s match random random --map duel --games 2 --quiet --format txt
s match random random --map duel --sprt x
s match random random --map duel --sprt 5,0
s match random random --map duel --alpha 0.1
s match random random --map duel --clock x
s match random random --game kuhn --map duel
s match random random --game kuhn --rules paper
s match random
s players a b
s games a b
s games kuhn
s games --check 3 --game kuhn
s games --check 2 --game synth --seed 4
s games --check 2 --map duel
s verify nothing.db
s verify tiny.tbsmap
s tournament --entries nothing.json --maps duel
s tournament --entries tiny.tbsmap --maps duel
s tournament --store nothing.db --continue
s tournament --players random,acteval --maps duel --out tiny.tbsmap
s tournament --players random,acteval --maps duel --out ''
s tournament --players random,acteval --maps duel --format x
s tournament --players random,acteval --maps duel --points 1
s tournament --players random,acteval --maps nothing
mkdir folder
s tournament --players random,acteval --maps folder
cp tiny.tbsmap folder/.tbsmap
s tournament --players random,acteval --maps folder
cp tiny.tbsmap folder/one.tbsmap
s tournament --players random,acteval --maps folder --games 1 --quiet
"$SENJUTSU" tournament --players random,acteval --maps duel --games 2 --store event.db --quiet >/dev/null
s tournament --players random,acteval,random,acteval --format swiss --rounds 1 --maps duel --games 1 --quiet
s tournament --players random,acteval --game tbs:rules=paper
s tournament --store event.db
s tournament --store event.db --json
s tournament --store event.db --players random,random
s tournament --store event.db --players random,acteval --maps duel --games 4 --continue --quiet
s verify event.db --quiet
s verify event.db --json
s replay event.db --game 1 --no-color --at 3
s replay event.db --game 99
s replay event.db --game 0 --check
s replay event.db

# ---- small games ----

s exploit random --game kuhn --gap 1e-12 --samples 2 --jobs 1
s exploit random --game kuhn --samples 4 --json --jobs 1
s exploit --game kuhn --jobs 1
s exploit random --game fusion --samples 2 --jobs 1
s exploit random pimc:sims=4 --game synth:depth=4 --trees 2 --samples 2 --jobs 1
s exploit random --game synth:tree=1,depth=4 --trees 2 --jobs 1
s exploit random --game tbs
s exploit random --game geister
s exploit random --game kuhn --nodes 5
# shellcheck disable=SC2046 # words of their own
s exploit $(seq 33 | sed 's/.*/random/') --game kuhn

# ---- maps ----

s map random --seed x
s map random --hp 3 --seed 2
s map random --hp 9-3
s map random --types X
s map random --terrain lava=1
s map random x
s map judge duel --strong random --weak random --tight 0.01 --games 20 --min-games 4 --quiet
s map judge duel tiny.tbsmap --strong random --weak random --tight 0.01 --games 20 --min-games 4 --quiet
s map judge
s map judge nothing --quiet
s map judge duel --strong nobody
s map judge duel --rules x
s map repair
s map repair duel tiny.tbsmap
s map repair duel --low 0.7 --high 0.3
s map repair duel --kinds x
repair="--strong random --weak random --sure 20 --quiet --jobs 1"
# shellcheck disable=SC2086 # several words
{
    s map repair duel $repair --games 120 --low 0.9 --high 1 --kinds hp --changes 1
    s map repair duel $repair --games 200 --low 0.8 --high 1 --kinds hp --decided 1
    s map repair duel $repair --games 60 --low 0.95 --high 1
    s map repair tiny.tbsmap $repair --games 200 --low 0.3 --high 0.7 --decided 1 --json
}
sed -e 's/panzer,1/panzr,1/' tiny.tbsmap >bad.tbsmap
s map show bad.tbsmap --no-color
s map convert bad.tbsmap
sed -e 's/UNITNUM[A-Z]*\[[0-9]*\];//g' tiny.tbsmap >loose.tbsmap
s map show loose.tbsmap --no-color
s map convert loose.tbsmap
s map convert loose.tbsmap --json
s map convert loose.tbsmap --out no/where.json
s map stats loose.tbsmap bad.tbsmap
{ sed '/^MAPCOM/d' tiny.tbsmap; printf 'MAPCOM[a\tb\177c\302\233d\303\251];\n'; } >odd.tbsmap
s map show odd.tbsmap --no-color
{ printf ' \n\t'; "$SENJUTSU" map convert tiny.tbsmap --json; } >blank.map
s map show blank.map --no-color
s map convert blank.map --out UPPER.JSON
files UPPER.JSON
s map convert nothing
{
    cat tiny.tbsmap
    for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6 7 8; do echo "UNIT[$i,3$j,infantry,0,10,0];"; done; done
} >worse.tbsmap
s map check worse.tbsmap loose.tbsmap
s map check worse.tbsmap loose.tbsmap nothing duel --json
s map show worse.tbsmap --no-color
{
    printf 'SIZEX[4];SIZEY[3];TURNLIMIT[8];HPTHRESHOLD[2];UNITNUMRED[1];UNITNUMBLUE[0];\n'
    printf 'MAP[0,0,0,0];\nMAP[0,1,1,0];\nMAP[0,0,0,0];\nUNIT[1,1,infantry,0,10,0];\n'
} >over.tbsmap
s map check over.tbsmap
s map stats over.tbsmap
s map stats over.tbsmap --json
s map show over.tbsmap --no-color
s solve --map over.tbsmap
s play --map over.tbsmap --red random --blue random
s map stats duel --limit-positions 5
s map stats battle30 --limit-positions 100000 --json

# ---- the keyboard ----

printf 'undo\n7\n-1\n0\n4,3 x2\ny\n0\n0:4,3x2\nx9\nx2\nsave\nsave no/where.json\nsave kept.sgf\nend\nn\nresign\nn\nresign\ny\n' | feed
s play --map duel --blue acteval --seed 2 --no-color --save over.json
sums over.json kept.sgf
printf '2,2\n1\nx\nx9\nx0\nx2\n\n0\nx2\ny\nunits\nend\nunits\nhint\nend\n\nquit\n' | feed
s play --map duel --blue acteval --seed 2 --no-color --red human
printf 'undo\nactions\nsave\nsave no/where.json\nsave kuhn.json\nbet\nundo\nboard\nnonsense\nhint\npass\n' | feed
s play --game kuhn --second random --seed 7 --no-color
printf 'help\nhint\npass\nundo\npass\nbet\n' | feed
s play --load kuhn.json --seed 5 --second random
s play --load nothing.json
s play --map nothing
s play --red nobody
s play --game kuhn --map duel
s play --game kuhn --save x.sgf --first random --second random
s play --red random --first random --second nobody
s play --red random --blue random --map tiny.tbsmap --seed 3 --no-color --save played.sgf
files played.sgf

# ---- places and names ----

long=$(printf '%05000d' 1)
# too_long COMMAND …: refused before anything is done; the name itself is left out.
too_long() {
    line "$* LONG: $(timeout "$limit" "$SENJUTSU" "$@" "$long" 2>&1 </dev/null | sed 's/00*/0/g' | head -n 1)"
}
too_long repro report
too_long repro tbs-fig2 --quiet --trials 1 --out
too_long train geister-pg --out
too_long geister join 127.0.0.1:1 --retry 0 --rules
too_long geister join 127.0.0.1:1 --retry 0 --records
too_long tubstap serve --port 0 --records
too_long serve --port 0 --data
too_long match random random --games 1 --quiet --records
too_long tournament --players random,acteval --out
too_long evolve --out
too_long map convert duel --out
too_long map repair duel --kinds
s serve --port 0 --data kept --host "$(seq -s , 20)"
s serve --port 0 --data kept --host 'no host!'
s serve --port 0 --data kept --origin x
s match random random --games 1 --quiet --map "$(yes duel | head -n 65 | tr '\n' ,)"
s geister join 127.0.0.1:1 --retry 0 --records tiny.tbsmap
s engine --longest 5
s check --replay x a b
s check --replay x --game kuhn
s check ext:cmd=true --map over.tbsmap

for place in '' ':' ':1' '[::1' '[::1]x' '[]:5' 'host:0' 'host:65536' 'host:x' '[::1]:0'; do
    s tubstap join "$place" --player random --retry 0
done
s tubstap join
s tubstap join a b
s geister join
s geister join 127.0.0.1:1 --port 2
s geister join 127.0.0.1:1 --retry 0 --player random
s tubstap join 127.0.0.1:1 --retry 0 --player random
s geister join 127.0.0.1:1 --player nobody
s geister serve --rules nothing
s geister serve --player nobody
s geister serve --side third
s tubstap serve --map nothing
s tubstap serve --clock x
s tubstap serve --format x
s engine --player nobody
s engine --game nothing
s engine --listen x
s check
s check nobody
s check random acteval
s check --leaks random --game tbs
s check --leaks random --game kuhn --positions 20
s check --leaks pimc:sims=5 ismcts:sims=5 --game kuhn --positions 10 --json
s check --leaks random --game fusion
s check --replay nothing.json
s check acteval
s repro
s repro nothing
s repro list x
s repro report
s repro report nothing
s repro tbs-fig2 --trials 1 --jobs 1 --json --quiet
s repro tbs-fig2 tbs-fig2 --trials 1 --jobs 1 --json --quiet
s bench --map nothing
s train geister-pg --out no/where
s train geister-pg --resume nothing
s train geister-pg --recipe nothing
s train geister-pg --against nothing --games 10
s train geister-setups --weights nothing
s train geister-geist --out no/where --games 4 --value-games 2
s evolve --out tiny.tbsmap
s evolve --strong nobody
