#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The experiments on map generation through the program: the list, one of them made small with its files and its page,
# the same result for any workers, and Ctrl-C during a trial.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

expect_status 0 "$SENJUTSU" repro list
for name in trials cost random features crossover readings; do
    expect_out "^mapgen-$name +[a-z]"
done
expect_status 0 "$SENJUTSU" repro list --json
expect "six of them" [ "$(grep -c '"group": "mapgen"' "$out")" -eq 6 ]

# lasting FILE: the JSON without measured times.
lasting() {
    awk '/"label": "ten games on one map"|"text": .* ms\)"/ { timed = 1 } /^ *}/ { timed = 0 }
         !timed && !/"seconds": /' "$1"
}

for jobs in 1 3; do
    expect_status 0 "$SENJUTSU" repro mapgen-cost --trials 3 --jobs $jobs --json --quiet --out "jobs-$jobs"
    lasting "$out" >"jobs-$jobs.json"
    cut -d , -f 1-6 "jobs-$jobs/mapgen-cost-trials.csv" >"jobs-$jobs.csv"
    for file in json csv journal; do
        expect "mapgen-cost.$file" [ -s "jobs-$jobs/mapgen-cost.$file" ]
    done
done
expect "what the clock did not say" [ "$(wc -l <jobs-1.json)" -gt 20 ]
expect_same jobs-1.json jobs-3.json
expect_same jobs-1.csv jobs-3.csv
# One trial has no interval; JSON has no word for infinity.
expect_status 0 "$SENJUTSU" repro mapgen-cost --trials 1 --json --out one
expect "no interval of one trial" [ "$(json_get rows.1.low "$out")" = null ]
if command -v python3 >/dev/null 2>&1; then
    expect "JSON that others read" python3 -m json.tool "$out" /dev/null
fi
expect_status 0 "$SENJUTSU" repro report one
expect "the page" grep -q 'how long it takes to judge one map' one/report.html

# A trial may take a minute; Ctrl-C does not wait for it.
command_line="senjutsu repro mapgen --trials 1000 --jobs 2 --out stopped, with SIGINT"
timeout --foreground -s KILL "$limit" "$SENJUTSU" repro mapgen --trials 1000 --jobs 2 --out stopped >"$out" 2>"$err" &
program=$!
wait_until [ -s stopped/mapgen-trials.journal ]
kill -INT $program
wait $program
status=$?
expect "status 130" [ "$status" -eq 130 ]
expect_silent_out
expect_err '^mapgen-trials: stopped after [0-9]+ of 1000 repetitions; they are stored in stopped: the same command'
expect "one sentence" [ "$(wc -l <"$err")" -eq 1 ]

finish
