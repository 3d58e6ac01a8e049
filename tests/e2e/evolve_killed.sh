#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Making maps while the program is killed without warning: the folder is that of an uninterrupted run.
# shellcheck source=tests/e2e/evolve_lib.sh
. "$(dirname "$0")/evolve_lib.sh"

# killed NAME OPTION …: killed some times, then left to its end. The moments are shares of the time that it takes
# undisturbed; every other one counts from when something is stored.
killed() {
    name=$1
    shift
    begun=$(date +%s%N)
    evolve "$@" --jobs 2 --out "$name-whole"
    taken=$(($(date +%s%N) - begun))
    # The speed of the machine varies: a run that ends too early is started again and killed sooner.
    for hurry in 1 4 16 64; do
        rm -rf "$name"
        kills=0
        counted=-
        for moment in $moments; do
            pause=$(awk -v part="$moment" -v all="$taken" -v hurry=$hurry 'BEGIN { printf "%.3f", all * 1e-9 * part / 100 / hurry }')
            kill_after "$pause" "$counted" "$SENJUTSU" evolve --quiet "$@" --jobs 2 --out "$name" && kills=$((kills + 1))
            [ "$counted" = - ] && counted=$name/games.db || counted=-
        done
        [ $kills -lt 3 ] || break
    done
    printf '%s: killed %d times\n' "$name" "$kills"
    command_line="senjutsu evolve $*, after $kills kills"
    expect "$name to be killed several times, not $kills" [ "$kills" -ge 3 ]
    evolve "$@" --jobs 4 --out "$name"
    expect "$name: the folder of an uninterrupted run" same_folder "$name-whole" "$name"
}

moments='8 7 2 9 6 5 1 10' sims=10
is_sanitized && moments='8 5 2 7 1' sims=2
slow="--strong muct:sims=$sims --weak random --verify 20"
# shellcheck disable=SC2086 # options
killed generations $slow --born 24 --population 12 --generations 6 --games 4
# shellcheck disable=SC2086 # options
killed raced $slow --born 24 --population 12 --generations 6 --games 12 --race yes --peers 2
# shellcheck disable=SC2086 # options
killed archive --preset designer $slow --born 24 --population 12 --generations 3 --show 6

finish
