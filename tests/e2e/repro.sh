#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu repro: the list, results as text, JSON and files, going on after an interruption, the page.
. "$(dirname "$0")/lib.sh"

# Experiments that answer at once; the tactical ones need the papers' positions and longer.
quick=tbs-fig2

# ---- list ----

expect_status 0 "$SENJUTSU" repro list
for name in tbs-fig2 tbs-branching tbs-fig4 tbs-fig5 tbs-table5 tbs-table6 tbs-table7 tbs-remedies; do
    expect_out "^$name +[a-z]"
done
expect_out '^ +published: UCT 17%, PW-UCT 89%'
expect_out '^ +takes: '
expect_silent_err
expect_status 0 "$SENJUTSU" repro list --json
expect "eight tactical experiments" [ "$(grep -c '"group": "tbs"' "$out")" -eq 8 ]

# ---- wrong usage ----

refused() {
    pattern=$1
    shift
    expect_status 2 "$SENJUTSU" repro "$@"
    expect_silent_out
    expect_refusal
    expect_err "$pattern"
}
refused "what\\?"
refused "'tbs-fig99' is no experiment" tbs-fig99
refused "'nonsense' is no experiment" $quick nonsense
refused "trials 0: expected a whole number from 1" $quick --trials 0
refused "jobs x: expected" $quick --jobs x
refused "list takes no name" list tbs
refused "report takes one folder" report
refused "report takes one folder" report a b
refused "colour is unknown" $quick --colour
expect_status 1 "$SENJUTSU" repro report nowhere
expect_refusal
expect_err "nowhere: holds no result"
echo text >file.txt
expect_status 1 "$SENJUTSU" repro $quick --out file.txt
expect_silent_out
expect_refusal
expect_err "file.txt: is no folder"

# ---- one experiment ----

expect_status 0 "$SENJUTSU" repro $quick
expect_out '^tbs-fig2: principal components'
expect_out '^seed 1, 2 repetitions in all'
expect_out '^  TUBSTAP lies towards the board games .* holds$'
expect_out '^  holds: '
expect_silent_err
expect "nothing to be kept without --out" [ "$(find . -type f | wc -l)" -eq 1 ]

expect_status 0 "$SENJUTSU" repro $quick --json --seed 12
expect "its name" [ "$(json_get name "$out")" = '"tbs-fig2"' ]
expect "the seed" [ "$(json_get seed "$out")" = 12 ]
for key in label published ours low high verdict trials; do
    expect "rows with $key" [ -n "$(json_get rows.0.$key "$out")" ]
done
expect "a claim without a figure" [ "$(json_get rows.0.published "$out") $(json_get rows.0.verdict "$out")" = 'null "holds"' ]
expect "findings" [ "$(json_get findings.0.holds "$out")" = true ]

# ---- files ----

pictures() {
    command -v gnuplot >/dev/null 2>&1
}
expect_status 0 "$SENJUTSU" repro $quick --out kept
for file in tbs-fig2.json tbs-fig2.csv tbs-fig2-trials.csv tbs-fig2.journal tbs-fig2-scatter.csv tbs-fig2-scatter.gp; do
    expect "kept/$file" [ -s "kept/$file" ]
done
if pictures; then
    expect_silent_err
    expect "a picture as SVG" grep -q '<svg' kept/tbs-fig2-scatter.svg
    expect "a picture as PNG" [ -s kept/tbs-fig2-scatter.png ]
else
    skip "no gnuplot here: no pictures"
fi
# The same without gnuplot: all but the pictures, and a sentence.
mkdir empty
expect_status 0 env PATH="$folder/work/empty" "$SENJUTSU" repro $quick --out plain
expect_err '^no picture was made: there is no gnuplot'
expect_same kept/tbs-fig2-scatter.csv plain/tbs-fig2-scatter.csv
expect_same kept/tbs-fig2-scatter.gp plain/tbs-fig2-scatter.gp
expect_same kept/tbs-fig2-trials.csv plain/tbs-fig2-trials.csv
expect "no picture" [ ! -e plain/tbs-fig2-scatter.svg ]

# A journal of another run is refused, and set aside when asked.
expect_status 1 "$SENJUTSU" repro $quick --out kept --seed 2
expect_silent_out
expect_refusal
expect_err 'kept/tbs-fig2\.journal: was made with seed 1, not 2; .*--fresh'
expect_status 0 "$SENJUTSU" repro $quick --out kept --seed 2 --fresh --quiet
expect "the old journal" grep -q 'seed=1 ' kept/tbs-fig2.journal.old
expect "the new one" grep -q 'seed=2 ' kept/tbs-fig2.journal

# ---- several ----

expect_status 0 "$SENJUTSU" repro $quick $quick --json
expect "a name twice to count once" [ "$(json_get name "$out")" = '"tbs-fig2"' ]

# ---- the page ----

expect_status 0 "$SENJUTSU" repro report kept
expect_out '^kept/report\.html$'
expect "a page" grep -q '^<!DOCTYPE html>' kept/report.html
expect "light and dark" grep -q 'color-scheme:light dark' kept/report.html
expect "the findings" grep -q 'TUBSTAP lies towards the board games' kept/report.html
sed '/^<script>$/,/^<\/script>$/d' kept/report.html >content.html
expect "nothing from elsewhere" lacks '(src|href)="(http|//)|url\((http|//)|<script>|<link|@import' content.html
if pictures; then expect "the picture inside" grep -q 'u003csvg' kept/report.html; fi
if command -v xmllint >/dev/null 2>&1; then
    sed '/^<style>$/,/^<\/style>$/d' content.html >plain.html
    expect_status 0 xmllint --noout plain.html
else
    skip "no xmllint here: the page is not parsed"
fi

# ---- games: workers, interruption ----

if [ ! -e "$maps/paper_fig6.tbsmap" ]; then
    skip "maps/paper_fig6.tbsmap is not there"
    finish
fi

# without_times FILE: the JSON without measured times.
without_times() {
    grep -v '"seconds": ' "$1"
}
for jobs in 1 2; do
    expect_status 0 "$SENJUTSU" repro tbs-table5 --trials 2 --jobs $jobs --json --out "jobs-$jobs"
    without_times "$out" >"jobs-$jobs.json"
    cut -d , -f 1-8 "jobs-$jobs/tbs-table5-trials.csv" >"jobs-$jobs.csv"
    expect "sixteen games" [ "$(find "jobs-$jobs/tbs-table5-games" -name 'trial-0000*.json' | wc -l)" -eq 16 ]
done
expect_same jobs-1.json jobs-2.json
expect_same jobs-1.csv jobs-2.csv
for i in 01 12; do
    expect_same "jobs-1/tbs-table5-games/trial-0000$i.json" "jobs-2/tbs-table5-games/trial-0000$i.json"
    expect_status 0 "$SENJUTSU" replay --check "jobs-1/tbs-table5-games/trial-0000$i.json"
done
expect "labels as published" grep -q '"label": "fig. 6, A-heavy"' jobs-1.json

# The journal of half a run, cut in a line: the rest is done again, and the result is that of an uninterrupted run.
mkdir -p half/tbs-table5-games
head -c "$(($(wc -c <jobs-1/tbs-table5.journal) / 2))" jobs-1/tbs-table5.journal >half/tbs-table5.journal
expect_status 0 "$SENJUTSU" repro tbs-table5 --trials 2 --json --out half
without_times "$out" >half.json
expect_same jobs-1.json half.json
expect "not all games played again" [ "$(find half/tbs-table5-games -type f | wc -l)" -lt 12 ]

# Ctrl-C preserves finished work and prints how to continue.
command_line="senjutsu repro tbs-table5 --trials 100000 --out stopped, with SIGINT"
timeout --foreground -s KILL "$limit" "$SENJUTSU" repro tbs-table5 --trials 100000 --out stopped >"$out" 2>"$err" &
program=$!
wait_until has_lines 4 stopped/tbs-table5.journal
kill -INT $program
wait $program
status=$?
expect "status 130" [ "$status" -eq 130 ]
expect_silent_out
expect_err '^tbs-table5: stopped after [0-9]+ of 800000 repetitions; they are stored in stopped: the same command'
trials=$(sed -n 's/.*stopped after \([0-9]*\) of.*/\1/p' "$err")
expect "a line of the journal for each" [ "$(wc -l <stopped/tbs-table5.journal)" -eq $((${trials:-0} + 1)) ]
expect "a game for each" [ "$(find stopped/tbs-table5-games -type f | wc -l)" -eq "${trials:-0}" ]
expect_status 1 "$SENJUTSU" repro tbs-table5 --trials 7 --out stopped
expect_refusal
expect_err 'was made with trials 100000, not 7'

finish
