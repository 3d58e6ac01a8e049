#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu train: learning from nothing, stopping and going on, set-ups, and what it refuses.
. "$(dirname "$0")/lib.sh"

learn() {
    expect_status 0 "$SENJUTSU" train geister-pg --recipe own:batch=32,keep=64 --against random --against-games 10 "$@"
    expect_silent_err
}

# The same in one go, on more threads, and with a stop in the middle.
learn --seed 5 --games 256 --every 128 --out whole
expect_out '^ +128 +[0-9]+ +[0-9.]+% '
expect_out '^whole: weights after 256 games; continue with --resume whole\.state$'
learn --seed 5 --games 256 --threads 3 --out threads --quiet
learn --seed 5 --games 128 --out parts --quiet
expect_status 0 "$SENJUTSU" train geister-pg --resume parts.state --games 256 --against random --json
expect "256 games" [ "$(json_get games "$out")" = 256 ]
expect "a complete run" [ "$(json_get complete "$out")" = true ]
for other in threads parts; do
    expect "the same weights as in one go ($other)" cmp -s whole $other
    expect "the same state as in one go ($other)" cmp -s whole.state $other.state
done

# What was learned is never overwritten: neither by the same command again, nor by another run that goes on elsewhere.
cp whole kept
cp whole.state kept.state
expect_status 1 "$SENJUTSU" train geister-pg --recipe own:batch=32,keep=64 --seed 6 --games 128 --out whole
expect_err '^senjutsu train geister-pg: whole\.state is there already and would be overwritten; continue with --resume whole\.state, choose another name, or remove it$'
expect_status 1 "$SENJUTSU" train geister-pg --resume parts.state --games 512 --out whole
expect_err 'whole\.state is there already'
rm whole.state
expect_status 1 "$SENJUTSU" train geister-pg --games 128 --out whole
expect_err 'whole is there already and would be overwritten; choose another name, or remove it'
expect "the weights as they were" cmp -s whole kept
cp kept.state whole.state
echo precious >mine.weights
expect_status 1 "$SENJUTSU" train geister-geist --games 1 --value-games 1 --out mine.weights
expect_err '^senjutsu train geister-geist: mine\.weights is there already and would be overwritten'
expect "the file as it was" [ "$(cat mine.weights)" = precious ]

# A signal in the middle loses nothing: what is there can be gone on with.
"$SENJUTSU" train geister-pg --games 1000000000 --every 256 --against random --against-games 2 --out stopped >stopped.log 2>&1 &
training=$!
# shellcheck disable=SC2317 # called by wait_until
has_learned() {
    [ "$(sed -n 's/^games //p' "$1" 2>/dev/null | tail -n 1 | tr -d 0)" != "" ]
}
expect "some games" wait_until has_learned stopped.state
kill -TERM $training
wait $training
status=$?
expect "the status after a signal" [ $status = 143 ]
expect "a line about it" grep -q '^Interrupted\. stopped: weights after [1-9][0-9]* games' stopped.log
games=$(sed -n 's/^games //p' stopped.state)
learn_on=$((games + 256))
expect_status 0 "$SENJUTSU" train geister-pg --resume stopped.state --games $learn_on --against stopped --quiet

# A kill at any moment loses nothing either: the files are complete, and the continued run gives the same result.
"$SENJUTSU" train geister-pg --recipe own:batch=32,keep=64 --seed 5 --games 1000000000 --every 32 --out killed \
    --against random --against-games 2 --quiet &
training=$!
expect "some games" wait_until has_learned killed.state
sleep 0.2
kill -KILL $training
wait $training 2>/dev/null
games=$(($(sed -n 's/^games //p' killed.state) + 32))
learn --resume killed.state --games $games --quiet
learn --seed 5 --games $games --out unharmed --quiet
expect "the same weights as without being killed" cmp -s killed unharmed
expect "the same state as without being killed" cmp -s killed.state unharmed.state

# The weights are for the player.
expect_status 0 "$SENJUTSU" match pg:weights=whole random --game geister --games 4

expect_status 0 "$SENJUTSU" train geister-pg --recipes
expect_out '^  lambda '
expect_out '^  own:rule=plain,sides=first,'

# What it refuses.
expect_status 2 "$SENJUTSU" train geister-pg --recipe mine
expect_err "recipe 'mine' is unknown; expected own or published"
expect_status 1 "$SENJUTSU" train geister-pg --resume whole.state --games 128
expect_err 'whole\.state has 256 games already'
expect_status 1 "$SENJUTSU" train geister-pg --resume whole.state --seed 6
expect_err 'was begun with seed 5'
expect_status 1 "$SENJUTSU" train geister-pg --resume whole
expect_err "whole:1: expected 'senjutsu geister learning 1'"
expect_status 1 "$SENJUTSU" train geister-pg --resume whole.state --recipe published
expect_err 'was begun with recipe own:.*; leave --recipe out'
head -c 2000 whole.state >cut.state
expect_status 1 "$SENJUTSU" train geister-pg --resume cut.state
expect_err 'cut\.state:[0-9]+: '
expect_status 1 "$SENJUTSU" train geister-pg --out nowhere/mine # at once, not after many games
expect_silent_out
expect_err 'nowhere/mine\.state: cannot be written'
expect_status 1 "$SENJUTSU" train geister-pg --against nobody
expect_err 'nobody'
expect_status 2 "$SENJUTSU" train geister-pg --games 0

expect_status 0 "$SENJUTSU" train geister-setups --games 1 --weights whole --json
expect "all set-ups" [ "$(json_get setups.69.reds "$out")" != "" ]
expect_status 0 "$SENJUTSU" train geister-setups --games 1 --threads 2
expect_out '^The weighted set scores [0-9.]+% against random set-ups; the best single answer to it [0-9.]+%\.$'
expect_status 0 "$SENJUTSU" train --help
expect_out 'train geister-setups'

finish
