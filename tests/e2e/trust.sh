#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Files from outside (docs/trust.md): a store, a folder, a bundle, a list of entries or a conversation may name
# programs, connections and files; none of them is used unless it was typed here or allowed. The programs leave a mark.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"

escape=$(printf '\033')
mark="touch $folder/work/started && exec sleep 1000"
tiny_event='--maps duel --games 2'

# A run of ours that is stopped while its program sleeps: what it leaves behind names that program.
leave_behind() {
    rm -f started
    command_line="senjutsu $*, with SIGINT"
    timeout --foreground -s KILL "$limit" "$SENJUTSU" "$@" >"$out" 2>"$err" &
    program=$!
    expect "what was typed to be started" wait_until [ -e started ]
    kill -INT $program
    wait $program
    rm -f started
}

# nothing_started COMMAND ...: refused, with a sentence and without a mark; the terminal is safe.
nothing_started() {
    expect_status 1 "$@"
    expect "no program to be started" [ ! -e started ]
    expect_silent_out
    expect_err ' names players that do what was not typed on this command line:$'
    expect_err '^Nothing of that was done\. .*--programs allows it\.$'
    expect "no escape sequence" lacks "$escape" "$err"
}

# has_started COMMAND ...: runs it until its program is at work, then stops it.
has_started() {
    command_line="senjutsu $*"
    timeout --foreground -s KILL "$limit" "$SENJUTSU" "$@" >"$out" 2>"$err" &
    program=$!
    expect "the program to be started" wait_until [ -e started ]
    kill -INT $program
    wait $program
    rm -f started
}

# ---- a store ----

# shellcheck disable=SC2086 # options
leave_behind tournament --quiet --players "random,ext:cmd=$mark" $tiny_event --store event.db
cp event.db before.db
tournament --store event.db
expect "no program to be started" [ ! -e started ]
expect_out '^0 of 2 games'
expect_err '^senjutsu tournament: the tournament is not over; --continue continues it$'
expect_same event.db before.db
nothing_started "$SENJUTSU" tournament --quiet --store event.db --continue
expect_err '^  ext:cmd=touch .*/started && exec sleep 1000 \(starts a program\)$'
expect_status 0 "$SENJUTSU" tournament --quiet --store event.db --out pages
expect "no program to be started" [ ! -e started ]
refused 2 'nothing is played without --continue' --store event.db --programs
refused 2 '--continue belongs to --store alone' --players random,acteval --continue
# Allowed, or typed again: it goes on without a question.
has_started tournament --quiet --store event.db --continue --programs
expect_err '^senjutsu tournament: event.db names players that do this, and --programs allows it:$'
# shellcheck disable=SC2086 # options
has_started tournament --quiet --players "random,ext:cmd=$mark" $tiny_event --store event.db
expect "no question" lacks 'names players' "$err"

# An event that was played to its end is shown without starting its program; this also holds for our own events.
# shellcheck disable=SC2086 # options
tournament --players "random,ext:cmd=touch started && exit 3" $tiny_event --store over.db
rm -f started
tournament --store over.db
expect_out '^2 of 2 games.* complete$'
tournament --json --store over.db --continue --programs
expect "nothing to be played again" [ ! -e started ]
nothing_started "$SENJUTSU" tournament --quiet --store over.db --continue

# ---- a list of entries: within other players, connections, files, and control sequences ----

entries() {
    printf '[{"name": "a", "spec": "random"}, {"name": "b", "spec": "%s"}]\n' "$1" >entries.json
    nothing_started "$SENJUTSU" tournament --quiet --entries entries.json --maps duel
}
entries 'split:player=[ext:cmd=touch started]'
expect_err '^  ext:cmd=touch started \(starts a program\)$'
entries 'first:player=[split:player=[ext:cmd=touch started]],then=random'
entries 'first:player=random,then=[ext:cmd=touch started,options=[a=b]]'
expect_err '^  ext:cmd=touch started,options=\[a=b\] \(starts a program\)$'
entries 'ext:host=127.0.0.1,port=9'
expect_err '^  ext:host=127.0.0.1,port=9 \(opens a connection\)$'
entries 'ext:listen=127.0.0.1:0999'
entries 'geist:weights=/dev/zero'
expect_err '^  geist:weights=/dev/zero \(reads a file\)$'
entries 'pg:weights=/etc/passwd'
entries 'ext:cmd=touch started \u001bc\u009b2K\u0007 \u202e'
expect_err '^  ext:cmd=touch started \\x1Bc\\u\{009B\}2K\\x07 \\u\{202E\} \(starts a program\)$'
# A typed option permits nothing else: neither other options of the program, nor the program within another player.
printf '[{"name": "b", "spec": "ext:cmd=touch started,options=[a=b]"}]\n' >entries.json
nothing_started "$SENJUTSU" tournament --quiet --players 'random,ext:cmd=touch started' --entries entries.json --maps duel
printf '[{"name": "b", "spec": "first:player=[ext:cmd=false],then=random"}]\n' >entries.json
tournament --players 'random,ext:cmd=false' --entries entries.json --maps duel

# ---- a folder of evolve ----

few='--born 4 --population 2 --generations 1 --games 2 --verify 2 --show 1'
# shellcheck disable=SC2086 # options

leave_behind evolve --quiet --strong acteval --weak "ext:cmd=$mark # ${escape}c" $few --out theirs
cp theirs/games.db before.db
expect_status 0 "$SENJUTSU" evolve --quiet --out theirs
expect "no program to be started" [ ! -e started ]
expect_err '^senjutsu evolve: theirs holds 0 games of a run that is not over; --continue continues it$'
expect_same theirs/games.db before.db
nothing_started "$SENJUTSU" evolve --quiet --out theirs --continue
expect_err '^  ext:cmd=touch .* # \\x1Bc \(starts a program\)$'
nothing_started "$SENJUTSU" evolve --quiet --strong acteval --out theirs --continue
expect_status 0 "$SENJUTSU" evolve --quiet --out theirs --show-recipe
expect "no program to be started" [ ! -e started ]
has_started evolve --quiet --out theirs --continue --programs
# shellcheck disable=SC2086 # options
has_started evolve --quiet --strong acteval --weak "ext:cmd=$mark # ${escape}c" $few --out theirs
expect "no question" lacks 'names players' "$err"
expect_status 2 "$SENJUTSU" evolve --quiet --continue
expect_refusal
# A run described by the command line continues without a question.
# shellcheck disable=SC2086 # options
expect_status 0 "$SENJUTSU" evolve --quiet --strong acteval --weak random $few --out ours
rm ours/index.html
# shellcheck disable=SC2086 # options
expect_status 0 "$SENJUTSU" evolve --quiet --strong acteval --weak random $few --out ours
expect "the page to be written again" [ -s ours/index.html ]
rm ours/index.html
expect_status 0 "$SENJUTSU" evolve --quiet --out ours
expect_out '^Everything is in ours/index.html$'
expect "nothing to be written where it is only shown" [ ! -e ours/index.html ]

# ---- a bundle ----

"$SENJUTSU" match "ext:cmd=touch started && exit 3" random --games 1 --one-sided --map duel --quiet --faults faults >"$out" 2>"$err"
bundle=$(echo faults/*.json)
expect "a bundle" [ -s "$bundle" ]
rm -f started
nothing_started "$SENJUTSU" check --replay "$bundle"
expect_err '^  ext:cmd=touch started && exit 3 \(starts a program\)$'
sed 's/exit 3/\\u001bc\\u0007/' "$bundle" >forged.json
nothing_started "$SENJUTSU" check --replay forged.json
expect_err '^  ext:cmd=touch started && \\x1Bc\\x07 \(starts a program\)$'
sed 's/exit 3/\\u001b]0;no partner/' "$bundle" >odd.json
expect_status 1 "$SENJUTSU" check --replay odd.json --programs
expect_err 'a bracket has no partner$'
expect "no escape sequence" lacks "$escape" "$err"
expect "no program to be started" [ ! -e started ]
run "$SENJUTSU" check --replay forged.json --programs
expect "the program to be started" [ -e started ]
expect "no escape sequence" lacks "$escape" "$out"
rm -f started
run "$SENJUTSU" check --replay "$bundle" 'ext:cmd=touch started && exit 3'
expect "what was typed to be started" [ -e started ]
rm -f started
expect_status 2 "$SENJUTSU" check ext:cmd=true --programs
expect_refusal

# ---- a conversation ----

talk='newgame tbs\nmap %s\nsetoption player %s\ngo\nquit\n'
for spec in 'ext:cmd=touch started' 'split:player=[ext:cmd=touch started]' 'first:then=[ext:host=127.0.0.1,port=9]' \
    'pg:weights=/etc/passwd'; do
    # shellcheck disable=SC2059 # a format
    printf "$talk" "$maps/duel.tbsmap" "$spec" | feed
    expect_status 0 "$SENJUTSU" engine
    expect "no program to be started" [ ! -e started ]
    expect_out '^error needs leave, '
done
# shellcheck disable=SC2059 # a format
printf "$talk" "$maps/duel.tbsmap" 'ext:cmd=touch started' | feed
expect_status 0 "$SENJUTSU" engine --programs
expect "it to be started where that was allowed" [ -e started ]
rm -f started
expect_status 2 "$SENJUTSU" engine --programs --listen 0
expect_refusal

# ---- a person at the terminal ----

# asked ANSWER: what a terminal shows is in $out.
asked() {
    printf '%s\n' "$1" >answer
    command_line="senjutsu check --replay on a terminal, answered $1"
    timeout "$limit" script -qec "'$SENJUTSU' check --replay '$bundle'" /dev/null <answer >"$out" 2>"$err"
    status=$?
    expect_out 'Allow this\? \[y/N\]'
}
if command -v script >/dev/null 2>&1; then
    for answer in n '' no x 'yes, but'; do
        asked "$answer"
        expect "no program to be started" [ ! -e started ]
    done
    asked y
    expect "it to be started" [ -e started ]
else
    skip "there is no script(1) to make a terminal"
fi

expect_nothing_left
finish
