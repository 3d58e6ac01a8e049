#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The experiments on synthetic trees through the program: the list, all of them made small under one name with their
# files and their page, and the same result for any workers.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

figures="fig2 fig3 fig4 fig5 fig6 fig7 fig8 fig9"
expect_status 0 "$SENJUTSU" repro list
for name in $figures readings switching; do
    expect_out "^synth-$name +[a-zA-Z]"
done

# One name for all of them; with a clock that runs, for figures 6 to 9.
expect_status 0 "$SENJUTSU" repro synth-all --trials 1 --quiet --out all
expect "ten results" [ "$(grep -c '^synth-' "$out")" -eq 10 ]
expect_out '^  df 0.1, 0.01 s: amcts:time=10 against pimc:time=10 \(synth:df=0.1\)$'
for name in $figures readings switching; do
    for file in json csv journal; do
        expect "synth-$name.$file" [ -s "all/synth-$name.$file" ]
    done
done
# Figures 3 and 5 use the games of 2 and 4.
expect_same all/synth-fig2-trials.csv all/synth-fig3-trials.csv
expect_same all/synth-fig4-trials.csv all/synth-fig5-trials.csv
expect "the game in the parameters" grep -q '"game": "synth:df=0.1"' all/synth-fig2.json
if command -v gnuplot >/dev/null 2>&1; then
    for picture in fig2-payoff fig3-time fig5-leaves-thinking fig8-payoff-leaves readings-cost switching-lead; do
        expect "synth-$picture" [ -s "all/synth-$picture.svg" ]
        expect "synth-$picture" [ -s "all/synth-$picture.png" ]
    done
fi
expect_status 0 "$SENJUTSU" repro report all
expect "the page" grep -q 'the lost equation (6)' all/report.html

# The columns that no clock writes: payoffs and leaves.
for jobs in 1 3; do
    expect_status 0 "$SENJUTSU" repro synth-fig2 --trials 4 --jobs $jobs --quiet --out "jobs-$jobs"
    cut -d , -f 1-6,9-11,13- "jobs-$jobs/synth-fig2-trials.csv" >"jobs-$jobs.csv"
done
expect "forty deals" [ "$(wc -l <jobs-1.csv)" -eq 41 ]
expect_same jobs-1.csv jobs-3.csv

finish
