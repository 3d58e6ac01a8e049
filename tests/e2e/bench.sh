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
    printf '%s\n' "$1" | grep -q -E '^"[0-9a-f]{16}"$'
}

expect_status 0 "$SENJUTSU" bench --json --seconds 0.05
expect_silent_err
for row in small medium large; do
    expect "$row.unit_actions_per_second above 0" positive $row.unit_actions_per_second
    expect "$row.games_per_second above 0" positive $row.games_per_second
    expect "$row.all_cores.unit_actions_per_second above 0" positive $row.all_cores.unit_actions_per_second
done
expect "the large map on the boards for large maps" [ "$(json_get large.game "$out")" = '"tbs-wide"' ]
signature=$(json_get signature "$out")
expect "a signature of 16 hexadecimal digits" is_signature "$signature"
expect "the compiler" [ -n "$(json_get compiler "$out")" ]
expect "balanced JSON" [ -z "$(json_get unbalanced "$out")" ]

# The same in every run, with every compiler, in every kind of build: it is a file of the project.
expect_status 0 "$SENJUTSU" bench --signature
expect_silent_err
expect_out "^(signature )?$(printf %s "$signature" | tr -d '"')$"
expect_count 1 ''
expect "bench/SIGNATURE to be there" [ -s "$SENJUTSU_ROOT/bench/SIGNATURE" ]
[ ! -e "$SENJUTSU_ROOT/bench/SIGNATURE" ] || expect_same "$out" "$SENJUTSU_ROOT/bench/SIGNATURE"

expect_status 0 "$SENJUTSU" bench --map tiny.tbsmap --seconds 0.05
expect_out '^small: tiny\.tbsmap, 4 x 3 cells, 2 and 2 units'
expect_out 'random playouts, one core +[0-9.]+ million actions/s'
expect_count 1 '^(small|medium|large): '
expect_out "^signature $(printf %s "$signature" | tr -d '"')$"
expect_status 0 "$SENJUTSU" bench --map "$maps/battle16.tbsmap" --seconds 0.05 --json --rules paper
expect "large.unit_actions_per_second above 0" positive large.unit_actions_per_second

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
