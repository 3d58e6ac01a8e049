# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Making maps: which maps come out under which recipe, and the files of a gallery. Pictures of maps stay out: what Cairo
# writes differs between its versions.

fast='--strong acteval --weak random --quiet --verify 6 --show 3'
made=0
# made OPTION …: the result, and all stored files.
made() {
    made=$((made + 1))
    # shellcheck disable=SC2086 # several words
    s evolve $fast "$@" --out gallery-$made
    find gallery-$made -type f ! -name 'games.db*' ! -path '*/pictures/*' | sort >list
    while read -r file; do sums "$file"; done <list
}

for preset in paper designer random; do
    s evolve --preset $preset --show-recipe
    made --preset $preset --born 10 --population 6 --generations 3 --games 4 --peers 4 --seed 7
done
made --born 12 --population 6 --generations 3 --games 4 --selection tournament --tournament 2 --crossover block --mutation all \
    --mutation-rate 2 --width 8 --height 5 --red-max 3 --blue-min 2 --blue-max 4
made --born 12 --population 6 --generations 3 --games 4 --selection best --crossover region --crossover-rate 0.5 \
    --mutation terrain,hp,place --hp-low 3 --hp-high 7 --types F,I,P,R --tidy yes --symmetry turn
made --born 12 --population 6 --generations 4 --games 4 --mutation type,add,remove --symmetry mirror --placement halves \
    --patches 0.7 --terrain plain=50,sea=20,wood=30 --natural 0.3 --tidy yes --race yes --peers 4
made --born 12 --population 6 --generations 3 --games 6 --method archive --mutation all --reevaluate 20 --fair 0.3 \
    --peers 4 --symmetry flip --tidy yes
made --born 12 --population 6 --generations 5 --games 4 --method archive --mutation all --peers 2 --seed 3 --race yes --budget 150
made --born 12 --population 6 --generations 3 --games 4 --method random --patches 0.4 --placement halves --rules paper
made --preset designer --born 10 --population 6 --generations 3 --games 4 --peers 4 --seed 2 --strong muct:sims=6 \
    --weak muct:sims=2 --turn-limit 12 --threshold 3
made --born 8 --population 4 --generations 2 --games 4 --from standard --mutation all --peers 2
# More maps than there is room for at first among those that were made already; few of them are different.
made --born 700 --population 6 --generations 1 --games 2 --method archive --mutation all --budget 30 --width 2 --height 2 \
    --red-max 1 --blue-max 1 --hp-low 10 --types I,P --terrain plain=1,wood=1
# shellcheck disable=SC2086
s evolve $fast --born 10 --population 6 --generations 2 --games 4 --json --seed 11
s evolve --out gallery-1 --quiet
s evolve --population 7
s evolve --types X
s evolve --terrain lava=3
