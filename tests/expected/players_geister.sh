# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the players of Geister think, in positions from the beginning, the middle and near the end, and their games.

middle='MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u'
late='MOV?99r31R99r43R02B99b25B99b41u33u99r99b20u10u99r99b'
think() {
    for player in "$@"; do
        s analyze --game geister --position "$middle" --player "$player" --json
        s analyze --game geister --position "$late" --player "$player" --no-color --seed 2 --top 3
    done
}
think random pg pg:style=sample guess purple:depth=3 purple:depth=5,memory=1 eacp:depth=2 eacp:depth=2,combine=worst \
    eacp:depth=2,combine=votes gst-a:sims=60 gst-a:sims=80,merge=yes,choose=visits,policy=random,c=0.4 gst-b:sims=60 \
    gst-b:sims=60,expand=3,threads=2,merge=yes gst-c:sims=60 gst-c:sims=60,reading=again gst-c:sims=60,reading=letter,merge=yes \
    nissy:sims=60,mate=4 nissy:sims=40,mate=0 geist:sims=60,mate=5,guard=3 \
    geist:sims=60,models=no,mate=0,guard=0,draw=0.1,explore=2 geist:sims=50,depth=2,known=0.9,follow=0.3,sharpness=3,doubt=0.4 \
    ismcts:sims=60 pimc:sims=40
s analyze --game geister --player geist:sims=40 --no-color

games() {
    game=$1
    first=$2
    second=$3
    s match "$first" "$second" --game "$game" --games 4 --quiet --jobs 1 --records records --json
    sums records/*
    for view in first second all; do
        s replay records/game-000002.json --view $view --at 9 --no-color
    done
    s replay records/game-000003.json --no-color
    s replay records/game-000001.json --check
    s replay records/game-000001.json --save game.txt
    files game.txt
    rm -rf records game.txt
}
games geister pg:style=sample guess
games geister:rules=uctgeister,plies=60 purple:depth=2 geist:sims=8,mate=3,guard=1,depth=1
games geister:rules=geister-rl gst-a:sims=20 eacp:depth=1
games geister:rules=handyrl,exits=both nissy:sims=10,mate=2 gst-c:sims=15
games geister:rules=cpp-lib,plies=40 random pg:setup=strong
games geister gst-b:sims=15,setup=ABCD guess:setup=strong
s train geister-pg --games 60 --out pg.weights --quiet
s train geister-setups --games 1 --quiet
