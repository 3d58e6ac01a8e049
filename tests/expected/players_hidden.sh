# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the players of games with hidden information think, and how their games end.

think() {
    game=$1
    shift
    for player in "$@"; do
        s analyze --game "$game" --player "$player" --json
    done
}

think synth:tree=5,df=0.3 random pimc:sims=60 pimc:sims=0,constant=3,root=ucb1,c=0.7 pimc:sims=50,root=roundrobin,value=sum \
    pimc:evaluator=minimax,worlds=all pimc:sims=40,evaluator=minimax,depth=2 pimc:leaves=300 \
    iimc:sims=30,inner=6 iimc:sims=20,inner=0,constant=1,opponent=pimc iimc:sims=16,inner=4,evaluator=minimax,worlds=all \
    amcts:sims=30,inner=5 amcts:constant=1,inner=3,rule=6g amcts:sims=20,inner=3,rule=6x,w0=4 amcts:sims=20,inner=3,rule=6c \
    amcts:sims=20,inner=3,rule=6q,keep=yes amcts:sims=20,inner=3,rule=6i,theta=0.3 amcts:sims=20,inner=3,rule=always,skip=no \
    amcts:sims=20,inner=3,rule=random,theta=0.9 amcts:sims=20,inner=3,rule=never \
    ismcts:sims=80 ismcts:sims=60,bound=tuned,choose=mean ismcts:sims=60,expand=4,c=0.3,seed=5,threads=2
think synth:tree=9,worlds=4,depth=5,branching=3,payoffs=signs,uncorr=mirror,lc=0.6,df=0.8 pimc:sims=40 ismcts:sims=60 \
    amcts:sims=20,inner=3
think synth:tree=2,worlds=2,depth=4,branching=4,uncorr=different,r=9,mu=0.4,sd=0.2,bias=0.3 pimc:sims=40 iimc:sims=20,inner=3
think synth:tree=2,depth=5,uncorr=extreme,df=1 pimc:worlds=all,sims=200 ismcts:sims=40
think fusion pimc:evaluator=minimax pimc:sims=50 ismcts:sims=60 iimc:sims=20,inner=4
think kuhn pimc:sims=50 ismcts:sims=90,bound=tuned amcts:sims=30,inner=3
s analyze --game kuhn --player ismcts:sims=60 --no-color
s analyze --game synth:tree=4 --player pimc:sims=60 --seed 3 --no-color --top 1

games() {
    game=$1
    first=$2
    second=$3
    s match "$first" "$second" --game "$game" --games 12 --quiet --jobs 1 --records records --json
    sums records/*
    rm -rf records
}
games synth:df=0.4 amcts:sims=12,inner=2 pimc:sims=20
games synth:tree=3,branching=3,depth=4 ismcts:sims=20 random
for rule in 6e,power=0.5 6s,power=1 6v 6n 6d 6l 6m,w0=4 6k 6j 6c,power=2; do
    s match "amcts:sims=12,inner=2,rule=$rule" amcts:sims=12,inner=2 --game synth:df=0.6 --games 12 --quiet --jobs 1 --json
done
s match amcts:rule=6k,power=1 random --game synth --games 2
games kuhn pimc:sims=30 ismcts:sims=40
games fusion pimc:evaluator=minimax ismcts:sims=30
s match pimc:sims=20 random --game kuhn --games 40 --quiet --seed 4
s match pimc:sims=20 random --game synth:df=0.9 --games 40 --quiet --one-sided

s exploit random pimc:sims=40 ismcts:sims=40 --game kuhn --samples 6 --jobs 1
s exploit pimc:evaluator=minimax ismcts:sims=40 random --game fusion --samples 6 --jobs 2 --json
s exploit random pimc:sims=20 --game synth:df=0.3,depth=4,worlds=4 --trees 2 --samples 2 --gap 0.01
s exploit --player random --game synth:tree=1,depth=5,worlds=2,df=0.6 --samples 2 --gap 0.01 --json
s exploit random --game synth:depth=5 --nodes 500
s exploit random --game tbs
s exploit random --game geister
for game in synth synth:payoffs=signs,lc=0.6,df=0.9,branching=3,depth=4 kuhn fusion tictactoe race geister:plies=30; do
    s measure --game "$game" --games 300 --jobs 1 --seed 2
done
s measure --games 150 --jobs 2 --json
s measure --game tictactoe --games 60 --json
s measure --map duel --games 40 --last 3
s measure --game kuhn --map duel
s check --leaks pimc:sims=10 ismcts:sims=10 random --game kuhn --positions 5
s check --leaks pimc:sims=10 --game synth --positions 6 --json
s check --leaks purple:depth=2 guess pg --game geister --positions 3 --twins 2
for game in synth kuhn fusion geister tbs tbs-wide synth:worlds=2,depth=3,branching=4,payoffs=signs; do
    s games --check 20 --game "$game"
done
s games --json
s players --json
