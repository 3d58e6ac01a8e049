#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu check --leaks: players that see only what they may, and what it refuses.
. "$(dirname "$0")/lib.sh"

expect_status 0 "$SENJUTSU" check --leaks pimc:sims=20 --positions 20 --twins 3
expect_silent_err
expect_out '^pass  synth:df=0\.5: 20 positions, [0-9]+ other states that look alike: the same views, the same answers$'
expect_out '^pass  kuhn: '
expect_out '^pass  fusion: '
expect_no_out '^(fail|skip)'
expect_out '^pimc:sims=20: no leaks in [0-9]+ games$'
expect_no_out "$(printf '\033')"

expect_status 0 "$SENJUTSU" check random ismcts:sims=20 --leaks --game synth:df=0.3 --positions 30 --json --seed 5
expect_silent_err
expect "balanced JSON" [ -z "$(json_get unbalanced "$out")" ]
expect "clean" [ "$(json_get players.1.clean "$out")" = true ]
expect "the game" [ "$(json_get players.1.games.0.game "$out")" = '"synth:df=0.3"' ]
expect "positions" [ "$(json_get players.1.games.0.positions "$out")" = 30 ]
expect "no leaks" [ "$(json_get players.1.games.0.answers "$out")" = 0 ]

# A clock would make answers differ: work takes its place.
expect_status 0 "$SENJUTSU" check --leaks pimc:time=1 --game kuhn --positions 5
expect_out '^note  answers under a clock differ by themselves: pimc:time=1 is asked for 200 simulations instead$'
expect_out '^pass  kuhn: '

# An external program receives what its side sees, and a seed; a program without a seed varies by itself.
expect_status 0 "$SENJUTSU" check --leaks "ext:cmd=$SENJUTSU engine --player pimc:sims=20" --game kuhn --positions 8
expect_out '^pass  kuhn: 8 positions'
cat >moody <<'END'
#!/bin/sh
n=0
while read -r verb rest; do
    case $verb in
    sjp) echo 'id name moody'; echo 'game kuhn'; echo ok ;;
    go) n=$(((n * 5 + 3) % 16)); if [ $n -ge 8 ]; then echo 'best bet'; else echo 'best pass'; fi; echo ok ;;
    quit) exit ;;
    *) echo ok ;;
    esac
done
END
chmod +x moody
expect_status 1 "$SENJUTSU" check --leaks "ext:cmd=./moody" --game kuhn --positions 8
expect_out '^unsteady  kuhn: [0-9]+ of 16 questions got another answer the second time, so answers prove nothing; first: '
expect_out '^ext:cmd=./moody: nothing is known about 1 of 1 game: its answers vary by themselves$'

# Players that can play no game of the list, and games without hidden information, show nothing: that is no success.
expect_status 1 "$SENJUTSU" check --leaks acteval
expect_out '^skip  kuhn: cannot play it: acteval'
expect_out '^acteval: there was no game to look at$'
expect_status 1 "$SENJUTSU" check --leaks random --game synth:df=1 --positions 3
expect_out '^skip  synth:df=1: in none of [0-9]+ positions was anything hidden'

# refused PATTERN ARGUMENT …
refused() {
    pattern=$1
    shift
    expect_status 2 "$SENJUTSU" check "$@"
    expect_silent_out
    expect_refusal
    expect_err "$pattern"
}
refused 'a player is needed' --leaks
refused "player 'nobody' is unknown" --leaks nobody
refused 'tbs: it hides nothing' --leaks random --game tbs
refused "game 'chess' is unknown" --leaks random --game chess
refused "is one of our own players" random --game kuhn
refused 'twins belongs to --leaks' random --twins 7
refused 'map belongs to checking programs' --leaks random --map duel
refused 'grace belongs to checking programs' --leaks random --grace 5
refused 'timeout belongs to checking programs' --leaks random --timeout 2
refused 'different questions' --leaks random --replay x.json
refused 'twins 0: expected' --leaks random --twins 0

finish
