#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu bench: what scripts read of it, and the signature that must not change.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap

# positive PATH: a number above 0 in the JSON?
positive() {
    awk -v n="$(json_get "$1" "$out")" 'BEGIN { exit !(n + 0 > 0) }'
}
is_signature() {
    printf '%s\n' "$1" | grep -q -x -E '[0-9a-f]{16}'
}

# Every run makes the signature, which takes half a minute in a sanitizer build: one run must do there, the other two
# are left to the other builds and run at the same time. What is measured on one map is said before the signature is
# made, and the signature as text is that of another run: so that one is ended when it has said it. No time is checked
# here.

# collect PROCESS NAME: what one of them said, as if it had been run now.
collect() {
    wait "$1"
    status=$?
    cp "$2.out" "$out"
    cp "$2.err" "$err"
    expect "status 0" [ $status -eq 0 ]
    expect_silent_err
}

map_measured() {
    grep -q 'copying a state' map.out || has_ended $with_map
}

with_map= alone=
"$SENJUTSU" --version | grep -q sanitizers || {
    "$SENJUTSU" bench --signature >signature.out 2>signature.err &
    alone=$!
    "$SENJUTSU" bench --map tiny.tbsmap --seconds 0.05 >map.out 2>map.err &
    with_map=$!
    wait_until map_measured
    kill -KILL $with_map 2>/dev/null
    wait $with_map 2>/dev/null
}

expect_status 0 "$SENJUTSU" bench --json --seconds 0.05
expect_silent_err
for row in small medium large; do
    expect "$row.unit_actions_per_second above 0" positive $row.unit_actions_per_second
    expect "$row.games_per_second above 0" positive $row.games_per_second
    expect "$row.all_cores.unit_actions_per_second above 0" positive $row.all_cores.unit_actions_per_second
done
expect "the large map on the boards for large maps" [ "$(json_get large.game "$out")" = '"tbs-wide"' ]
expect "judging.ms_per_map above 0" positive judging.ms_per_map
expect "judging.thinking_ms above 0" positive judging.thinking_ms
expect "hidden.playout_ns above 0" positive hidden.playout_ns
expect "hidden.cfr_iterations_per_second above 0" positive hidden.cfr_iterations_per_second
for figure in random_moves_per_second leave_games_per_second gst_a_playouts_per_second gst_b_playouts_per_second \
    gst_c_playouts_per_second purple_ms purple_nodes policy_moves_per_second; do
    expect "geister.$figure above 0" positive geister.$figure
done
expect "the compiler" [ -n "$(json_get compiler "$out")" ]
expect "balanced JSON" [ -z "$(json_get unbalanced "$out")" ]
late=$(flatten "$out" | grep -c '^searches\..*\.overrun_ms=')
expect "how late each player was on the largest map (not of $late players)" [ "$late" -ge 13 ]
signature=$(json_get signature "$out" | tr -d '"')
expect "a signature of 16 hexadecimal digits" is_signature "$signature"

if [ -n "$with_map" ]; then
    command_line="senjutsu bench --map tiny.tbsmap --seconds 0.05"
    cp map.out "$out"
    cp map.err "$err"
    expect_silent_err
    expect_out '^small: tiny\.tbsmap, 4 x 3 cells, 2 and 2 units'
    expect_out 'random playouts, one core +[0-9.]+ million actions/s'
    expect_count 1 '^(small|medium|large): '
    expect_out '^  copying a state '
else
    skip "bench --map: this is a sanitizer build, and slow"
fi

# The same in every run, with every compiler, in every kind of build: it is a file of the project.
if [ -n "$alone" ]; then
    command_line="senjutsu bench --signature"
    collect $alone signature
    expect_out "^(signature )?$signature$"
    expect_count 1 ''
else
    printf 'signature %s\n' "$signature" >"$out"
fi
expect "bench/SIGNATURE to be there" [ -s "$SENJUTSU_ROOT/bench/SIGNATURE" ]
[ ! -e "$SENJUTSU_ROOT/bench/SIGNATURE" ] || expect_same "$out" "$SENJUTSU_ROOT/bench/SIGNATURE"

expect_status 1 "$SENJUTSU" bench --map missing.tbsmap --seconds 0.05
expect_silent_out
expect_refusal
expect_err 'missing\.tbsmap'
expect_status 2 "$SENJUTSU" bench --seconds 0
expect_refusal
expect_status 2 "$SENJUTSU" bench --seconds long
expect_refusal
expect_status 2 "$SENJUTSU" bench extra
expect_refusal
expect_err "'extra'"

finish
