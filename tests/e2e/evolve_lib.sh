# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What the tests of making maps share, beside event_lib.sh.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"

fast='--strong acteval --weak random'
# shellcheck disable=SC2034 # for those who read this file
tiny="$fast --born 16 --population 8 --generations 4 --verify 10 --show 3"

# evolve OPTION …: one that must succeed.
evolve() {
    expect_status 0 "$SENJUTSU" evolve --quiet "$@"
}

# refused_evolve STATUS SENTENCE OPTION …: one that must be refused.
refused_evolve() {
    refused_command evolve "$@"
}

# Everything but the store, whose games have dates. same_folder DIR DIR
# shellcheck disable=SC2317 # called by expect
same_folder() {
    diff -r --exclude='games.db*' "$1" "$2" >diff.out 2>&1 || ! head -5 diff.out
}
