#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu players: the list, one of them, and as JSON.
. "$(dirname "$0")/lib.sh"

expect_status 0 "$SENJUTSU" players
expect_silent_err
expect_out '^random +[a-z]'
expect_out '^acteval +[a-z]'
expect_out '^ +cover +0\.\.1 \[0\.05\]'

expect_status 0 "$SENJUTSU" players acteval
expect_silent_err
expect_out '^acteval '
expect_out '^ +style +paper\|sample \[paper\]'
expect_no_out '^random '

expect_status "1 2" "$SENJUTSU" players nobody
expect_silent_out
expect_refusal
expect_err "'nobody'"
expect_status 2 "$SENJUTSU" players acteval random
expect_silent_out
expect_refusal

expect_status 0 "$SENJUTSU" players --json
expect_silent_err
expect "balanced JSON" [ -z "$(json_get unbalanced "$out")" ]
names=$(flatten "$out" | sed -n 's/^[0-9]*\.name="\(.*\)"$/\1/p')
expect "several names" [ "$(printf '%s\n' "$names" | wc -l)" -ge 2 ]
expect "acteval's options" [ -n "$(flatten "$out" | sed -n 's/^[0-9]*\.options\.[0-9]*\.name="style"$/x/p')" ]
cp "$out" all.json

# Every listed player can be opened by its name and plays one game against itself.
write_tiny_map tiny.tbsmap
for name in $names; do
    expect_status 0 "$SENJUTSU" players "$name"
    expect_out "^$name "
    case $name in
    ext) spec="ext:cmd=$SENJUTSU engine" ;; # an external program: the option for its command is required
    gst-? | nissy | geist) spec=$name:sims=100 ;;
    purple | eacp) spec=$name:depth=2 ;;
    *) spec=$name ;;
    esac
    case $name in
    gst-? | nissy | purple | march | eacp | guess | pg | geist) where="--game geister" ;;
    *) where="--map tiny.tbsmap" ;;
    esac
    # shellcheck disable=SC2086 # two words
    expect_status 0 "$SENJUTSU" match "$spec" "$spec" --games 1 $where --json
    expect "no forfeit" [ "$(json_get forfeits "$out")" = 0 ]
done

finish
