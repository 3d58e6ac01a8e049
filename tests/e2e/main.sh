#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The program without a subcommand, and what all subcommands have in common.
. "$(dirname "$0")/lib.sh"

expect_status 0 "$SENJUTSU"
expect_out '^senjutsu [0-9]+\.[0-9]+\.[0-9]+: '
expect_out 'senjutsu play'
expect_silent_err

expect_status 0 "$SENJUTSU" --version
expect_out '^senjutsu [0-9]+\.[0-9]+\.[0-9]+ \((gcc|clang) [0-9.]+, [a-z]+ .*build.*, with(out)? Cairo, with(out)? MPI\)$'
expect_count 1 ''

expect_status 0 "$SENJUTSU" --help
expect_out '^usage: senjutsu COMMAND'
expect_out 'Exit status: 0 success, 1 failure, 2 wrong usage'
expect_silent_err
cp "$out" help

expect_status 2 "$SENJUTSU" nonsense
expect_silent_out
expect_refusal
expect_err "^senjutsu: .*'nonsense'"

expect_status 2 "$SENJUTSU" --nonsense
expect_silent_out
expect_refusal

expect_status 2 "$SENJUTSU" ''
expect_silent_out
expect_refusal

# Every subcommand: in the list, with a help of its own, and the same answer to an option that does not exist.
for name in play match tournament verify plan analyze solve map replay repro check engine tubstap bench players games; do
    expect "--help to list $name" grep -q "^  $name  *[a-z]" help
    expect_status 0 "$SENJUTSU" "$name" --help
    expect_out "^usage: senjutsu $name"
    expect_out '^Examples:$'
    expect_out "^  .*senjutsu $name"
    expect_silent_err
    expect "lines of at most 120 columns" awk 'length($0) > 120 { exit 1 }' "$out"
    [ "$name" = map ] || [ "$name" = tubstap ] || expect_out '^  --help '

    expect_status 2 "$SENJUTSU" "$name" --no-such-option
    expect_silent_out
    expect_refusal
    expect_err 'no-such-option'
done

for verb in show check draw convert random stats; do
    expect_status 0 "$SENJUTSU" map "$verb" --help
    expect_out "^usage: senjutsu map $verb"
    expect_out '^Examples:$'
    expect_out "^  .*senjutsu map $verb"
    expect_silent_err
done

# A reader that closes the pipe does not end the program by a signal.
checks=$((checks + 1))
command_line="senjutsu games, into a pipe that is closed at once"
{ "$SENJUTSU" games 2>"$err"; echo $? >code; } | :
status=$(cat code)
is_one_of "$status" "0 1" || fail "status 0 or 1"

# Standard descriptors that are closed at the start do not become files of ours, which would then receive messages.
command_line="senjutsu serve <&- 2>&-"
sh -c 'echo $$ >pid; exec "$SENJUTSU" serve --port 0 --data data <&- 2>&-' >said &
wait_until grep -q http said
if [ -e "/proc/$(cat pid)/fd" ]; then
    for fd in 0 2; do
        expect "descriptor $fd to be /dev/null" [ "$(readlink "/proc/$(cat pid)/fd/$fd")" = /dev/null ]
    done
fi
kill "$(cat pid)"
wait $!
expect "status 143" [ $? -eq 143 ]

# Our own maps are found by their bare names, from any folder.
expect_status 0 "$SENJUTSU" map show duel
expect_out 'duel.*4 x 4 cells'

# A machine without a free thread for a moment: the clock's thread is tried again, after a rest.
if has_faults; then
    expect_status 0 env FAULTS_PROGRAM=senjutsu "$with_faults" 'thread EAGAIN seconds=0-0.2' "$SENJUTSU" match random random \
        --games 1 --jobs 1 --map "$maps/duel.tbsmap" --quiet
    expect_silent_err
fi

finish
