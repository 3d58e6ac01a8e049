#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu bench: the output that scripts read, and the signature that must not change.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap

# All it measures, as text and as JSON, is in tests/expected/bench.sh. Here: one map, the signature alone, refusals. What
# is measured on one map comes before the signature is made; the run ends there.

map_measured() {
    grep -q 'copying a state' map.out || has_ended $with_map
}
"$SENJUTSU" bench --map tiny.tbsmap --seconds 0.05 >map.out 2>map.err &
with_map=$!
wait_until map_measured
kill -KILL $with_map 2>/dev/null
wait $with_map 2>/dev/null
command_line="senjutsu bench --map tiny.tbsmap --seconds 0.05"
cp map.out "$out"
cp map.err "$err"
expect_silent_err
expect_out '^small: tiny\.tbsmap, 4 x 3 cells, 2 and 2 units'
expect_out 'random playouts, one core +[0-9.]+ million actions/s'
expect_count 1 '^(small|medium|large): '
expect_out '^  copying a state '

# The signature is the same in every run: it is a file of the project. Half a minute with sanitizers: there
# game_signatures, geister_signatures and expected-rare show that the other compiler's code computes the same.
if "$SENJUTSU" --version | grep -q sanitizers; then
    skip "bench --signature: this is a sanitizer build, and slow"
else
    expect_status 0 "$SENJUTSU" bench --signature
    expect_silent_err
    expect_out '^signature [0-9a-f]{16}$'
    expect_count 1 ''
    expect_same "$out" "$SENJUTSU_ROOT/bench/SIGNATURE"

    # A file name that is not UTF-8 cannot stand in JSON: the figures do.
    odd=$(printf '\377').tbsmap
    cp tiny.tbsmap "$odd"
    expect_status 0 "$SENJUTSU" bench --map "$odd" --seconds 0.05 --json
    expect_out '"copy_ns": [0-9.]+'
fi

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
