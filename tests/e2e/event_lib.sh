# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the tests of whole events share, beside lib.sh: running them, comparing them, and finding what they left behind.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# Sanitizer builds are five times slower and keep what was freed.
is_sanitized() {
    "$SENJUTSU" --version | grep -q sanitizers
}

# tournament OPTION …: one that must succeed.
tournament() {
    expect_status 0 "$SENJUTSU" tournament --quiet "$@"
}

# refused STATUS SENTENCE OPTION …: one that must be refused, in one sentence that matches.
refused() {
    refused_status=$1 refused_sentence=$2
    shift 2
    expect_status "$refused_status" "$SENJUTSU" tournament --quiet "$@"
    expect_silent_out
    expect_refusal
    expect_err "$refused_sentence"
}

# lasting FILE: a result as JSON without what depends on the machine; `times` stands last.
lasting() {
    sed '/^  "times": {$/,$d' "$1"
}

# keep NAME: the JSON just printed, for comparing.
keep() {
    lasting "$out" >"$1"
    expect "a result of more than 20 lines" [ "$(wc -l <"$1")" -gt 20 ]
}

# same_result NAME: is the JSON just printed the one that was kept?
same_result() {
    lasting "$out" >again.json
    expect_same "$1" again.json
}

# games_of CSV: games.csv without what depends on the machine. No name may have a comma in it.
games_of() {
    cut -d, -f1-14 "$1"
}

# Is every game there once? numbered CSV COUNT
numbered() {
    awk -F, -v count="$2" 'NR > 1 { if ($1 != NR - 2) bad = 1 } END { exit bad || NR - 1 != count }' "$1"
}

# Everything that a command of this test started works in this test's folder, wherever it went and whatever it
# forgot. Copies of this shell are not meant, nor who has ended and is only not waited for yet.
left_behind() {
    left_self=$(tr '\0' ' ' </proc/$$/cmdline)
    for left_process in /proc/[0-9]*; do
        case $(readlink "$left_process/cwd" 2>/dev/null) in
        "$folder"*) ;;
        *) continue ;;
        esac
        left_command=$(tr '\0' ' ' 2>/dev/null <"$left_process/cmdline")
        if [ "$left_command" != "$left_self" ] &&
            grep -q '^State:[[:space:]]*[^ZX]' "$left_process/status" 2>/dev/null; then
            printf '%s %s\n' "${left_process#/proc/}" "$left_command"
        fi
    done 2>/dev/null
}

# What was left may still be about to end.
nothing_left() {
    left_waited=0
    while left_behind >"$folder/box/left" && [ -s "$folder/box/left" ] && [ $left_waited -lt "$1" ]; do
        sleep 0.2
        left_waited=$((left_waited + 1))
    done
    [ ! -s "$folder/box/left" ] || ! cat "$folder/box/left"
}

# expect_nothing_left: within half a minute, because a machine may be slow.
expect_nothing_left() {
    expect "no process of this test to be left" nothing_left 150
}
