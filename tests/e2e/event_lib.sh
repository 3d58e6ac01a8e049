# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the tests of whole events share, beside lib.sh: running them, comparing them, and finding what they left behind.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# Sanitizer builds are five times slower and hold freed memory.
is_sanitized() {
    "$SENJUTSU" --version | grep -q sanitizers
}

# tournament OPTION …: one that must succeed.
tournament() {
    expect_status 0 "$SENJUTSU" tournament --quiet "$@"
}

# refused_command COMMAND STATUS SENTENCE OPTION …: one that must be refused, in one sentence that matches.
refused_command() {
    refused_name=$1 refused_status=$2 refused_sentence=$3
    shift 3
    expect_status "$refused_status" "$SENJUTSU" "$refused_name" --quiet "$@"
    expect_silent_out
    expect_refusal
    expect_err "$refused_sentence"
}

# refused STATUS SENTENCE OPTION …: a tournament that must be refused.
refused() {
    refused_command tournament "$@"
}

# lasting FILE: a result as JSON without what depends on the machine; `times` stands last.
lasting() {
    sed '/^  "times": {$/,$d' "$1"
}

# keep NAME: stores the JSON just printed, for a comparison.
keep() {
    lasting "$out" >"$1"
    expect "a result of more than 20 lines" [ "$(wc -l <"$1")" -gt 20 ]
}

# same_result NAME: does the JSON just printed equal the stored one?
same_result() {
    lasting "$out" >again.json
    expect_same "$1" again.json
}

# games_of CSV: games.csv without what depends on the machine. No name may have a comma in it.
games_of() {
    cut -d, -f1-14 "$1"
}

# same_games FOLDER FOLDER: have two results the same games?
same_games() {
    games_of "$1/games.csv" >first.csv
    games_of "$2/games.csv" >second.csv
    expect_same first.csv second.csv
}

# in_order STORE: what a program that was killed has left. Killed early enough there is no store, or nothing in it.
# shellcheck disable=SC2317 # called by expect
in_order() {
    "$SENJUTSU" verify --quiet "$1" >verify.out 2>verify.err && return 0
    grep -q -E 'No such file|is empty|has no tournament in it' verify.err && return 0
    cat verify.out verify.err
    return 1
}

# Is every game there once? numbered CSV COUNT
numbered() {
    awk -F, -v count="$2" 'NR > 1 { if ($1 != NR - 2) bad = 1 } END { exit bad || NR - 1 != count }' "$1"
}

# The counts of all players add up, and the points add up to all points of the event.
# shellcheck disable=SC2317 # called by expect
counts_add_up() {
    flatten "$out" | awk -F= '
        /^complete=/ { complete = $2 }
        /^games=/ { games = $2 }
        /^standings\.[0-9]+\.(wins|draws|losses|games|points|walkovers|place)=/ {
            split($1, path, ".")
            value[path[2], path[3]] = $2
            if (path[2] + 1 > players) players = path[2] + 1
        }
        END {
            if (complete != "true" || players < 2 || games < 1) exit 1
            for (i = 0; i < players; i++) {
                wins += value[i, "wins"]; losses += value[i, "losses"]; draws += value[i, "draws"]
                main += value[i, "games"]; points += value[i, "points"]; walkovers += value[i, "walkovers"]
                if (value[i, "wins"] + value[i, "draws"] + value[i, "losses"] != value[i, "games"]) exit 1
                if (value[i, "points"] != value[i, "wins"] + value[i, "draws"] / 2 + value[i, "walkovers"]) exit 1
                if (value[i, "place"] > i + 1) exit 1
            }
            exit !(wins == losses && main % 2 == 0 && main / 2 <= games && points == main / 2 + walkovers)
        }'
}

# full_event GAMES OPTION …: plays it and checks its JSON.
full_event() {
    event_games=$1
    shift
    tournament --json "$@"
    expect "$event_games games" [ "$(json_get games "$out")" = "$event_games" ]
    expect "as many as were expected" [ "$(json_get games_expected "$out")" = "$event_games" ]
    expect "counts and points that add up" counts_add_up
}

# Lists the processes that a command of this test started: all of them have this test's folder as working directory,
# also those without a parent. Copies of this shell do not count, nor do processes that have ended and are not reaped
# yet.
left_behind() {
    left_self=$(tr '\0' ' ' </proc/$$/cmdline)
    # shellcheck disable=SC2044 # numbers
    for left_process in $(find /proc/[0-9]*/cwd -maxdepth 0 -lname "$folder*" 2>/dev/null); do
        left_process=${left_process%/cwd}
        left_command=$(tr '\0' ' ' 2>/dev/null <"$left_process/cmdline")
        if [ "$left_command" != "$left_self" ] &&
            grep -q '^State:[[:space:]]*[^ZX]' "$left_process/status" 2>/dev/null; then
            printf '%s %s\n' "${left_process#/proc/}" "$left_command"
        fi
    done 2>/dev/null
}

# bytes_of STORE: of its files together.
bytes_of() {
    cat "$1" "$1-wal" 2>/dev/null | wc -c
}

# Something was written to the store, or its writer has ended.
# shellcheck disable=SC2317 # called by wait_until
store_moved() {
    [ "$(bytes_of "$1")" -ne "$2" ] || has_ended "$3"
}

# kill_after PAUSE STORE COMMAND …: starts the command and kills it without warning after so many seconds, where STORE
# is not - counted from when something was written to it. False when it had ended by then.
kill_after() {
    kill_pause=$1 kill_store=$2
    shift 2
    [ "$kill_store" = - ] || kill_bytes=$(bytes_of "$kill_store")
    "$@" >"$out" 2>"$err" &
    killed=$!
    [ "$kill_store" = - ] || wait_until store_moved "$kill_store" "$kill_bytes" $killed
    sleep "$kill_pause"
    kill -KILL $killed 2>/dev/null
    # `wait` hides the message of the shell about the killed process.
    wait $killed 2>/dev/null
    [ $? -eq 137 ]
}

# saboteurs: how many are at work. Others have the name in their arguments.
saboteurs() {
    left_behind | awk -v name="$SENJUTSU_SABOTEUR" '$2 == name { n++ } END { print n + 0 }'
}

# saboteurs_at_work COUNT: so many at least.
saboteurs_at_work() {
    [ "$(saboteurs)" -ge "$1" ]
}

# What was left may still be about to end.
nothing_left() {
    left_waited=0
    while left_behind >"$folder/box/left" && [ -s "$folder/box/left" ] && [ $left_waited -lt "$1" ]; do
        sleep 0.1
        left_waited=$((left_waited + 1))
    done
    [ ! -s "$folder/box/left" ] || ! cat "$folder/box/left"
}

# expect_nothing_left: within two minutes, because a machine may be slow.
expect_nothing_left() {
    expect "no process of this test to be left" nothing_left 1200
}
