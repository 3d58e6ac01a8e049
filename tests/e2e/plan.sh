#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu plan: games for a difference, a difference for games, and what it refuses.
. "$(dirname "$0")/lib.sh"

# near PATH VALUE TOLERANCE: a number of the JSON.
near() {
    awk -v a="$(json_get "$1" "$out")" -v b="$2" -v t="$3" 'BEGIN { d = a - b; exit !(a != "" && d <= t && -d <= t) }'
}

expect_status 0 "$SENJUTSU" plan --elo 20 --json
expect_silent_err
expect "3268 games, one-sided" [ "$(json_get games.one_sided "$out")" = 3268 ]
expect "3926 games, two-sided" [ "$(json_get games.two_sided "$out")" = 3926 ]
expect "about 1602 games of a sequential test" near sprt_games.if_none 1602 4
expect "the expected score" near score 0.52875 0.0001

expect_status 0 "$SENJUTSU" plan --elo 20 --draws 0.2 --alpha 0.05 --power 0.95
expect_silent_err
expect_out '^To show a difference of 20 Elo \(a score of 52\.9%\) with 20% draws, alpha 0\.05 and power 0\.95:$'
expect_out '^  one-sided test +2614 games '
expect_out '^  two-sided test +3140 games '
expect_out '^  sequential test +[0-9]+ games '
expect_out 'senjutsu match A B --games [0-9]+ --sprt 0,20 --alpha 0\.05 --beta 0\.05$'

# The other way round: 3268 games show 20 Elo.
expect_status 0 "$SENJUTSU" plan --games 3268 --json
expect "20 Elo, one-sided" near elo.one_sided 20 0.01
expect_status 0 "$SENJUTSU" plan --games 1000
expect_out '^  one-sided test +36\.[0-9] Elo or more '
expect_out '^  error bars +± +21\.5 Elo '
expect_status 0 "$SENJUTSU" plan --games 2 --draws 0.9
expect_out 'nothing: too few games'
expect_status 0 "$SENJUTSU" plan --games 2 --draws 0.9 --json
expect "null for what cannot be shown" [ "$(json_get elo.one_sided "$out")" = null ]

# refused PATTERN ARGUMENT …
refused() {
    pattern=$1
    shift
    expect_status 2 "$SENJUTSU" plan "$@"
    expect_silent_out
    expect_refusal
    expect_err "$pattern"
}
refused "one of --elo, --games and --published is needed"
refused "one of --elo, --games and --published is needed" --elo 5 --games 10
refused "belong together" --of 5
refused "published 101: expected per cent, from 0 to 100" --published 101 --of 5
refused "draws does not belong to --published" --published 10 --of 5 --draws 0.2
refused "elo 0: expected a number from 0\.1 to 1000" --elo 0
refused "elo x: expected a number" --elo x
refused "elo nan: expected a number" --elo nan
refused "games 0: expected a whole number from 1" --games 0
refused "draws 1: expected a number from 0 to 0\.99" --elo 5 --draws 1
refused "power 1: expected" --elo 5 --power 1
refused "alpha 0: expected" --elo 5 --alpha 0
refused "900 Elo leaves no room for 50% draws; expected at most 190 Elo" --elo 900 --draws 0.5
refused "'5' is not wanted here" 5

# Beside a published share: more trials where theirs are few, and none where they are too few.
expect_status 0 "$SENJUTSU" plan --published 35 --of 500 --power 0.8 --json
expect "trials" [ "$(json_get trials "$out")" = 321 ]
expect_status 0 "$SENJUTSU" plan --published 50 --of 100
expect_out '^No number of trials tells whether a share agrees within 10 points with a published 50% of 100, with$'

finish
