# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the players of the tactical game think: all their candidates with values and visits, and the turn they play.

think() {
    map=$1
    shift
    for player in "$@"; do
        s analyze --map "$map" --player "$player" --top 6 --json
    done
}

think standard random acteval acteval:style=sample \
    acteval:fighter=2,attacker=3,panzer=1.5,cannon=4,antiair=0.5,infantry=0.7,cover=0.2,approach=0.9 \
    uct:sims=60 uct:sims=200,c=0.3,choose=visits,horizon=4,cut=loss \
    uct:sims=90,policy=uniform,expand=3,first=attacks uct:sims=90,policy=uniform-all,first=any,transpositions=yes \
    uct:sims=90,reuse=yes,seed=7 uct:sims=90,threads=3 uct:sims=300,horizon=0 uct:sims=300,horizon=1,seed=3 \
    pwuct:sims=200 pwuct:sims=400,base=1.1,scale=5,offset=1,switch=150,base2=1.3,shift2=20,scale2=4,offset2=-2,choose=visits \
    muct:sims=40 muct:sims=120,c=0.4,expand=3,seed=5 \
    minmax:depth=1 minmax:plies=2,ties=random minmax:plies=3,eval=threat,prune=attacks minmax:plies=2,order=fixed,sort=none \
    'minmax:depth=0,nodes=3000,values=[F:2,I:0.5],sort=attacks,table=no' \
    dlmc:turns=10,sims=5 dlmc:turns=12,sims=4,horizon=0,policy=uniform 'dlmc:turns=8,sims=3,horizon=1,values=[I:1,P:2],threads=2' \
    aas aas:rest=greedy,eval=threat aas:rest=stay,length=2,values=I:2 aas:samples=3,merge=no,seed=4 \
    'split:player=[minmax:plies=2]' 'split:player=[uct:sims=60],horizon=1' \
    'first:player=[dlmc:turns=5,sims=3],then=[uct:sims=50],turns=1' 'first:player=acteval,then=random,turns=2'
think skirmish_air acteval uct:sims=80 muct:sims=60 minmax:plies=2,eval=threat dlmc:turns=8,sims=4 aas:eval=threat
think skirmish_cannon acteval uct:sims=80 minmax:plies=2 minmax:plies=2,prune=attacks aas aas:rest=greedy dlmc:turns=8,sims=4
think battle16 acteval:style=sample uct:sims=40 pwuct:sims=60 aas:length=1,nodes=300 'split:player=[acteval],horizon=1'
think late_start acteval uct:sims=80 muct:sims=50 'first:player=acteval,then=uct,turns=1'
think rooms 'split:player=[minmax:plies=2],horizon=1' 'split:player=[dlmc:turns=5,sims=3],horizon=2' aas
think largest acteval random uct:sims=12
think endgame minmax:depth=3 minmax:depth=0,nodes=20000 uct:sims=300,horizon=0
s analyze --map endgame --player minmax:depth=2 --rules paper --no-color
s analyze --map duel --player uct:sims=100 --no-turn --top 0 --no-color
s analyze --map duel --player minmax:depth=1 --watch --json
s analyze --map duel --player uct --sims 50 --seed 9 --no-color
