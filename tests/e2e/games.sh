#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu games: the list, one of them, as JSON, and the proof of the laws.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap

expect_status 0 "$SENJUTSU" games
expect_silent_err
expect_out '^tbs +[a-z]'
expect_out '^tbs-wide +[a-z]'
expect_out '^ +rules +tubstap\|paper \[tubstap\]'

expect_status 0 "$SENJUTSU" games tbs
expect_out '^tbs +[a-z]'
expect_no_out '^tbs-wide'
expect_status "1 2" "$SENJUTSU" games chess
expect_silent_out
expect_refusal
expect_err "'chess'"

expect_status 0 "$SENJUTSU" games --json
expect_silent_err
expect "balanced JSON" [ -z "$(json_get unbalanced "$out")" ]
expect "tbs first" [ "$(json_get 0.name "$out")" = '"tbs"' ]
expect "the size of a state" [ "$(json_get 0.state_bytes "$out")" -gt 0 ]
expect "its options" [ "$(json_get 0.options.0.name "$out")" = '"rules"' ]

expect_status 0 "$SENJUTSU" games --check 20
expect_silent_err
expect_out '^tbs.*laws hold over 20 random games'
expect_status 0 "$SENJUTSU" games --check 20 --map tiny.tbsmap --seed 9
expect_out 'laws hold over 20 random games on tiny\.tbsmap'
expect_status 0 "$SENJUTSU" games --check 2 --map "$maps/battle16.tbsmap"
expect_out 'laws hold over 2 random games'

expect_status 2 "$SENJUTSU" games --check 0
expect_silent_out
expect_refusal
expect_status 2 "$SENJUTSU" games --check some
expect_refusal
expect_status 1 "$SENJUTSU" games --check 1 --map missing.tbsmap
expect_silent_out
expect_refusal
expect_err 'missing\.tbsmap'

finish
