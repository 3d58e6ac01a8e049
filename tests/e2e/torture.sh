#!/bin/sh
# SPDX-License-Identifier: MIT
#
# An event with every fault that the saboteur implements, beside honest players: it ends, each fault gets its own
# ruling, no honest player gets one, nothing is left behind, and memory does not grow.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"
: "${SENJUTSU_SABOTEUR:?names the program that misbehaves}"
limit=200

# Each player's mode and its ruling. `-`: no fault. Where two rulings are listed the speed of the machine decides.
cat >modes <<'END_OF_MODES'
exit crash
exit-mid crash
crash crash
fork-exit crash
daemon crash
half-line-exit crash
close crash
sleep hang
sleep-start hang
sleep-ignore-term hang
half-line hang
flood garbage
flood-lines garbage
garbage garbage
banner garbage
illegal illegal
wrong-game illegal
nul-bytes illegal
silent-ok protocol
unsolicited protocol
twice protocol
empty protocol
error protocol
stderr-flood -,late,hang
fork-survivors -
pass -
honest -
cr-lf -
options -
END_OF_MODES

# The three challengers meet each of them once.
games=$((3 * $(wc -l <modes)))

# A new mode of the saboteur must be listed here.
expect_status 2 "$SENJUTSU_SABOTEUR" nosuch
modes=$(sed 's/.*expected one of//' "$err")
for mode in $modes; do
    [ "$mode" = late ] || expect "the mode $mode to be in the list" grep -q "^$mode " modes
done

{
    printf '[{"spec": "acteval"}, {"spec": "random"}, {"spec": "ext:cmd=%s engine --player random,start=60000"}' "$SENJUTSU"
    while read -r mode _; do
        [ "$mode" = sleep-start ] && patience=1500 || patience=60000
        printf ',\n{"name": "%s", "spec": "ext:cmd=%s %s,start=%d"}' "$mode" "$SENJUTSU_SABOTEUR" "$mode" "$patience"
    done <modes
    echo ']'
} >entries.json

# ---- the event, with an eye on its memory ----

peak=0
watch_memory() {
    while now=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB$/\1/p' "/proc/$1/status" 2>/dev/null) && [ -n "$now" ]; do
        peak=$now
        sleep 0.1
    done
}

# Beside it, because there is nothing to do in it but wait: a clock that is short for one of them only. In-process
# players decide at once, which may take a while on a loaded machine.
{
    echo '[{"spec": "acteval"}, {"spec": "random"},'
    echo "{\"name\": \"late\", \"spec\": \"ext:cmd=$SENJUTSU_SABOTEUR late 1 4000,start=60000\"}]"
} >late.json
timeout "$limit" "$SENJUTSU" tournament --programs --entries late.json --format gauntlet --challengers 2 --games 2 --maps duel \
    --clock turn=3,grace=0.1,patience=60 --jobs 4 --out late-pages --quiet --json >late.out 2>late.err &
late=$!

command_line="senjutsu tournament --entries entries.json --store torture.db …"
timeout -s KILL "$limit" sh -c 'echo $$ >pid; exec "$@"' sh \
    "$SENJUTSU" tournament --programs --entries entries.json --format gauntlet --challengers 3 --games 1 --maps duel \
    --clock turn=2,grace=1,patience=1 --jobs 8 --store torture.db --out pages --json --quiet >"$out" 2>"$err" &
program=$!
until [ -s pid ]; do sleep 0.05; done
watch_memory "$(cat pid)"
wait $program
status=$?
expect "the event to end well" [ $status -eq 0 ]
expect "nothing on standard error but what --programs allows" \
    [ -z "$(grep -v -e '^  ext:' -e ' --programs allows it:$' "$err")" ]
wait $late
late_status=$?
expect_nothing_left
if is_sanitized; then
    skip "a sanitizer build keeps what was freed: its memory says nothing"
else
    expect "a look at its memory" [ "$peak" -gt 0 ]
    expect "less than 200 MB of memory, not $peak kB" [ "$peak" -lt 200000 ]
fi

# ---- its rulings ----

expect "all games" [ "$(json_get complete "$out")-$(json_get games "$out")" = "true-$games" ]
expect "every game once" numbered pages/games.csv "$games"

# The columns from behind, because a name may have commas: fault is the 10th of the last 10.
faults_of() {
    awk -F, -v name="$1" 'NR > 1 && $(NF - 8) == name { print $(NF - 9) }' pages/games.csv | sort -u | paste -s -d, -
}

while read -r mode rulings; do
    found=$(faults_of "$mode")
    case $rulings in
    -) expect "no fault of $mode, not $found" [ "$found" = "" ] ;;
    -,*) expect "nothing but $rulings of $mode, not $found" [ -z "$(echo "$found" | tr ',' '\n' | grep -v -E '^(late|hang)?$')" ] ;;
    *) expect "$rulings of $mode, not '$found'" [ "$found" = "$rulings" ] ;;
    esac
done <modes

# In JSON, too: {"player": NAME, … "faults": {RULING: N}}.
flatten "$out" | awk -F= '
    /^standings\.[0-9]+\.player=/ { split($1, at, "."); name[at[2]] = substr($0, index($0, "=") + 1) }
    /^standings\.[0-9]+\.faults\./ { split($1, at, "."); print name[at[2]], at[4], $2 }' | tr -d '"' >faults
while read -r mode rulings; do
    case $rulings in
    -*) ;;
    *) expect "the JSON to count $rulings of $mode" grep -q -E "^$mode $rulings [1-3]\$" faults ;;
    esac
done <modes
expect "no honest player to be at fault" lacks '^(acteval|random|ext:|honest|pass|cr-lf|options|fork-survivors) ' faults
expect "each fault in a bundle" \
    [ "$(find pages/faults -name 'game-*.json' | wc -l)" -eq "$(awk '{ n += $NF } END { print n }' faults)" ]
expect "each game that had none to have none" \
    [ "$(find pages/faults -name 'game-*.json' | wc -l)" -eq "$(awk -F, 'NR > 1 && $(NF - 9) != ""' pages/games.csv | wc -l)" ]

expect_status 0 "$SENJUTSU" verify torture.db
expect_out "^torture.db: ok, $games games executed again"

# ---- its bundles ----

# The game of that player's first fault.
bundle_of() {
    awk -F, -v name="$1" '$(NF - 8) == name { printf "pages/faults/game-%06d.json\n", $1; exit }' pages/games.csv
}

for mode in crash illegal garbage error exit; do
    bundle=$(bundle_of $mode)
    expect_status 0 "$SENJUTSU" check --programs --replay "$bundle"
    expect "it to say that the same happened" grep -q -i -E 'same|reproduced' "$out"
done

# ---- late ----

command_line="senjutsu tournament --entries late.json …" status=$late_status
cp late.out "$out"
cp late.err "$err"
expect "status 0" [ $status -eq 0 ]
expect "nothing on standard error but what --programs allows" \
    [ -z "$(grep -v -e '^  ext:' -e ' --programs allows it:$' "$err")" ]
expect "one player to be late" grep -q -E ',late,late,' late-pages/games.csv
expect "no other player to be at fault" [ "$(awk -F, 'NR > 1 && $(NF - 8) !~ /^(late)?$/' late-pages/games.csv)" = "" ]

# ---- out after three ----

# A disqualified player is not asked again, and the event still ends.
expect_status 0 "$SENJUTSU" tournament --players "ext:cmd=$SENJUTSU_SABOTEUR illegal,random,acteval,random" --maps duel \
    --games 2 --disqualify-after 2 --json --quiet
expect "the saboteur to be out" [ "$(json_get standings.3.disqualified "$out")" = true ]
expect "its first meeting to be all it played" [ "$(json_get standings.3.games "$out")" = 2 ]
expect "an end" [ "$(json_get complete "$out")" = true ]

finish
