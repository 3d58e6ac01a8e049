#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Games other than the tactical one, most of them with hidden information, through match, analyze, play, replay, games
# and engine: what is shown to whom, payoffs in the game's own count, records, and what does not go together.
. "$(dirname "$0")/lib.sh"

json_number() {
    json_get "$1" "$out"
}

# is NUMBER OPERATOR NUMBER
is() {
    awk "BEGIN { exit !($1 $2 $3) }"
}

# ---- games ----

expect_status 0 "$SENJUTSU" games
for game in synth fusion kuhn geister; do
    expect_out "^$game +[A-Za-z]"
done
expect_out '^ +hidden information: each side \(player, nature\) '
expect_status 0 "$SENJUTSU" games kuhn
expect_out '^ +payoffs from -2 to 2 chips$'
expect_no_out '^synth'
expect_status 0 "$SENJUTSU" games synth
expect_out '^ +df +0\.\.1 \[0\.5\]'
expect_status 0 "$SENJUTSU" games fusion --json
expect "the mark" [ "$(json_number 0.hidden_information)" = true ]
expect_status 0 "$SENJUTSU" games tbs --json
expect "no mark" [ "$(json_number 0.hidden_information)" = false ]
for spec in kuhn fusion synth:df=0.3,depth=5,branching=3; do
    expect_status 0 "$SENJUTSU" games --check 30 --game $spec
    expect_out "^$spec: the laws hold over 30 random games$"
done

# ---- wrong usage ----

for command in 'match random random' 'analyze --player random' play 'games --check 1'; do
    # shellcheck disable=SC2086 # words
    expect_status 2 "$SENJUTSU" $command --game kuhn --map standard
    expect_err '^senjutsu [a-z]+: --map does not go with --game kuhn, which is played without maps$'
    # shellcheck disable=SC2086
    expect_status 2 "$SENJUTSU" $command --game chess
    expect_err "game 'chess' is unknown"
    # shellcheck disable=SC2086
    expect_status 2 "$SENJUTSU" $command --game synth:df=2
    expect_err 'df=2: expected a number from 0 to 1'
done
expect_status 2 "$SENJUTSU" match random random --game kuhn --rules paper
expect_err '^senjutsu match: --rules does not go with --game kuhn'
expect_status 2 "$SENJUTSU" match random random --game kuhn --format sgf
expect_err "a record of [a-z]+ has no form 'sgf'; expected json"
expect_status 2 "$SENJUTSU" play --game kuhn --save game.sgf
expect_err "a record of [a-z]+ has no form 'sgf'; expected json"
for command in evolve 'map judge duel'; do
    # shellcheck disable=SC2086 # words
    expect_status 2 "$SENJUTSU" $command --game kuhn
    expect_err '--game is unknown: only the tactical game is understood here$'
done
expect_status 1 "$SENJUTSU" solve --game kuhn
expect_err 'kuhn hides something: see .senjutsu exploit.; expected a game in which nothing is hidden$'
for spec in '' ' ' : kuhn: kuhn,synth 'synth:df=0.5 depth=4' synth:df=nan synth:df=0.1,df=0.2 synth:colour=1 kuhn:df=0; do
    expect_status 2 "$SENJUTSU" match random random --game "$spec"
    expect_err '(is no name|has no .=.|expected a number|given twice|is unknown)'
done
expect_status 1 "$SENJUTSU" match random random --game synth:worlds=3
expect_refusal
expect_status 1 "$SENJUTSU" match acteval random --game kuhn
expect_refusal

# ---- the tactical game by that name ----

expect_status 0 "$SENJUTSU" match random acteval --games 6 --map duel --rules paper --jobs 1 --json
sed '/"times"/,$d' "$out" >as_map.json
expect_status 0 "$SENJUTSU" match random acteval --games 6 --game tbs:rules=paper --map duel --jobs 1 --json
sed '/"times"/,$d' "$out" >as_game.json
expect_same as_map.json as_game.json
expect "nothing about payoffs" lacks 'payoff|leaves|"game"' as_game.json
expect "its sides" grep -q as_red as_game.json

# ---- match ----

expect_status 0 "$SENJUTSU" match random pimc --game synth:df=0.5 --games 40 --seed 2
expect_silent_err
expect_out '^  as first '
expect_out '^  as second '
expect_no_out 'red|blue'
expect_out '^  mean payoff [0-9.]+ of 0\.\.4 \([0-9.]+ to [0-9.]+\), over 20 pairs$'
expect_out '^  pimc: [0-9.]+ ms and 400\.0 leaf evaluations a decision$'
expect_status 0 "$SENJUTSU" match random pimc --game synth:df=0.5 --games 40 --seed 2 --jobs 1 --json
cp "$out" one.json
expect_status 0 "$SENJUTSU" match random pimc --game synth:df=0.5 --games 40 --seed 2 --jobs 3 --json
sed '/"times"/,$d' "$out" >three
sed '/"times"/,$d' one.json >one
expect_same one three
expect "the game" [ "$(json_number game)" = '"synth"' ]
expect "the scale" [ "$(json_number payoff.high)" = 4.0 ]
expect "a loss" is "$(json_number payoff.mean)" '<' 2
expect "an interval around it" is "$(json_number payoff.interval.0)" '<' "$(json_number payoff.mean)"
expect "its other end" is "$(json_number payoff.interval.1)" '>' "$(json_number payoff.mean)"
expect "the pairs" [ "$(json_number payoff.observations)" = 20 ]
expect "leaves" [ "$(json_number leaves_per_decision.1)" = 400.0 ]
expect "the seats" [ "$(json_number as_first.draws)" -ge 0 ]

# Random players are equal: half is within the interval, although the first seat has the advantage.
expect_status 0 "$SENJUTSU" match random random --game synth --games 400 --seed 4 --json
expect "half at most" is "$(json_number payoff.interval.0)" '<=' 2
expect "half at least" is "$(json_number payoff.interval.1)" '>=' 2
expect "an advantage of the first seat" is "$(json_number as_first.score)" '>' "$(json_number as_second.score) + 0.3"
expect_status 0 "$SENJUTSU" match pimc pimc --game synth:df=1,tree=5,worlds=1 --games 3
expect_out '^  mean payoff [0-9.]+ of 0\.\.4 \(0\.000 to 4\.000\), over 1 pair$'
expect_status 0 "$SENJUTSU" match ismcts ismcts --game fusion --games 8
expect_out '^  mean payoff 0\.000 of -1\.\.1 \(0\.000 to 0\.000\), over 4 pairs, all alike: no spread to go by$'
expect_status 0 "$SENJUTSU" match random random --game kuhn --games 21 --one-sided
expect_out '^  mean payoff -?[0-9.]+ of -2\.\.2 chips \(.*\), over 21 games$'
expect_no_out '^  as second'

# ---- records and replay ----

expect_status 0 "$SENJUTSU" match random random --game synth:df=0.25,worlds=16 --games 4 --records games --seed 5
for number in 1 2 3 4; do
    expect_status 0 "$SENJUTSU" replay games/game-00000$number.json --check
    expect_out ': ok, 6 actions, [0-4] of 4$'
    "$SENJUTSU" replay games/game-00000$number.json --at 0 | grep tree= >start$number
done
expect_same start1 start2
expect_same start3 start4
expect "another deal" [ "$(cat start1)" != "$(cat start3)" ]
expect "no deal of its own" lacks '"deal"|"rules"|"map"' games/game-000001.json
expect "the deal of the first" grep -q '"deal"' games/game-000002.json
expect "the options" grep -q '"options": "worlds=16,df=0.25"' games/game-000002.json
expect_status 0 "$SENJUTSU" replay games/game-000002.json
expect_out '^random \(first\) against random \(second\)'
expect_out '^action 3 of 6, second to move; last: [LR]$'
expect_out '^  tree=[0-9]+ moves=[LR]{6} types=[0-9]+,[0-9]+$'
expect_out '^first gets [0-4] of 4$'
expect_status 1 "$SENJUTSU" replay games/game-000002.json --save game.sgf
expect_err "a record of [a-z]+ has no form 'sgf'; expected json"
expect_status 0 "$SENJUTSU" replay games/game-000002.json --save copy.json
expect_same games/game-000002.json copy.json

# The mean payoff and its interval are computed from the records: a pair is one observation, Student's t with 9 degrees.
expect_status 0 "$SENJUTSU" match pimc:sims=20 random --game synth --games 21 --records graded --seed 9 --json
for record in graded/*.json; do json_get result "$record"; done | awk '
    { value[NR] = substr($1, 2) + 0 }
    END {
        for (i = 1; i < NR; i += 2) { x = (value[i] + 4 - value[i + 1]) / 2; n++; sum += x; squares += x * x }
        mean = sum / n; half = 2.262157 * sqrt((squares - n * mean * mean) / (n - 1) / n)
        printf "%.4f %.4f %.4f %d\n", mean, mean - half, mean + half, n
    }' >wanted
printf '%.4f %.4f %.4f %d\n' "$(json_number payoff.mean)" "$(json_number payoff.interval.0)" \
    "$(json_number payoff.interval.1)" "$(json_number payoff.observations)" >told
expect_same wanted told

# Records that were edited: an inconsistency is reported.
# spoil SED-COMMAND ANSWER
spoil() {
    sed "$1" games/game-000002.json >spoilt.json
    for command in 'replay --check' 'analyze --player pimc --after' 'play --first random --second random --load'; do
        # shellcheck disable=SC2086 # words
        expect_status 1 "$SENJUTSU" $command spoilt.json
        expect_err "spoilt\\.json: .*$2"
    done
}
spoil 's/worlds=16,df=0.25/worlds=3/' 'worlds=3 is no power of two'
spoil 's/worlds=16,df=0.25/df=7/' 'df=7: expected a number from 0 to 1'
spoil 's/worlds=16,df=0.25/df=0.25 worlds=16/' 'expected a number from 0 to 1'
spoil 's/worlds=16,df=0.25/depth=4/' "action 5: '[LR]' is illegal: the game is over"
spoil 's/worlds=16,df=0.25/branching=3/' "action 1: '[LR]' is no action; expected 0 to 2"
spoil 's/"game": "synth"/"game": "kuhn"/' "kuhn: option 'worlds' is unknown"
spoil 's/"game": "synth"/"game": "tbs"/' 'is empty; expected a map'
spoil 's/"options"/"rules"/' 'do not belong to synth'
spoil 's/"deal": .*/"deal": 1.5,/' '"deal" is no whole number'
spoil 's/"result": .*/"result": "5 of 4",/' 'the actions end with "[0-4] of 4"'
expect_status 1 "$SENJUTSU" verify games/game-000002.json
expect_err 'is not a store of games'
expect_status 1 "$SENJUTSU" map show games/game-000002.json
expect_err 'this JSON is no map'
expect_status 1 "$SENJUTSU" solve --after games/game-000002.json:2
expect_err 'synth hides something: see .senjutsu exploit.; expected a game in which nothing is hidden'

# ---- analyze ----

# With the world known a1 is worth 1, and per-world search assumes that it will be known; a player that searches
# information sets does not.
expect_status 0 "$SENJUTSU" analyze --game fusion --player pimc:evaluator=minimax
expect_silent_err
expect_out '^  world=\? moves=-$'
expect_out '^>  1  a1 +\+1\.00'
expect_out '^   2  a2 +\+0\.50'
expect_status 0 "$SENJUTSU" analyze --game fusion --player ismcts:sims=20000
expect_out '^>  1  a2 +\+0\.50'
expect_out '^   2  a1 +[+-]0\.[0-3]'
expect_status 0 "$SENJUTSU" analyze --game fusion --player ismcts:sims=20000 --json
expect "its choice" [ "$(json_number chosen)" = '"a2"' ]
expect "its value" is "$(json_number value)" '>' 0.499
expect "the scale" [ "$(json_number scale.low)" = -1.0 ]
expect "what is seen" [ "$(json_number view)" = '"world=? moves=-"' ]

expect_status 0 "$SENJUTSU" analyze --game kuhn --player pimc --seed 4
expect_out '^kuhn, first to move, as first sees it$'
expect_out '^  cards=[JQK],\? moves=-$'
expect_out '^value [+-][0-9.]+ of -2\.\.2 chips; 400 simulations, 400 leaf evaluations'
expect_status 0 "$SENJUTSU" analyze --after games/game-000002.json:3 --player pimc
expect_out '^  tree=[0-9]+ moves=[LR]{3} types=\?[0-9-]*,[0-9]+$'
expect_status 0 "$SENJUTSU" analyze --game synth:depth=1,df=0 --player pimc
expect_out '^This ends the game: who gets what depends on what is hidden\.$'
expect_status 0 "$SENJUTSU" analyze --after games/game-000002.json:5 --player random --json
expect "an end that depends on what is hidden" [ "$(json_number result_after_turn)" != '"none"' ]
expect "no scale" [ "$(json_number scale)" = null ]
expect_status 1 "$SENJUTSU" analyze --after games/game-000002.json --player pimc
expect_err 'the game is over, first gets [0-4] of 4$'
expect_status 1 "$SENJUTSU" analyze --after games/game-000002.json:3 --map duel
expect_err 'is a game of synth, which is played without maps'
expect_status 2 "$SENJUTSU" analyze --after games/game-000002.json:3 --game synth
expect_err 'the record says what was played'

# ---- play ----

feed <<'END'
help
raise
actions
state
bet
bet
END
expect_status 0 "$SENJUTSU" play --game kuhn --second random --seed 3 --save kuhn.json
expect_silent_err
expect_out "'raise' is no action; expected pass or bet"
expect_out '^first \(pass, bet\)> pass, bet$'
expect_out '^  cards=[JQK],\? moves=-$'
expect_out '^  cards=[JQK],[JQK] moves=bet,(pass|bet)$'
expect_out '^The game is over: first gets [+-][12] chips?\.$'
expect_out '^--seed 3 deals the same again\.$'
expect "nothing hidden before the end" \
    [ "$(grep -n 'cards=[JQK],[JQK]' "$out" | cut -d: -f1)" -gt "$(grep -n 'second plays' "$out" | cut -d: -f1)" ]
expect_status 0 "$SENJUTSU" replay kuhn.json --check
expect_out ': ok, 2 actions, [+-][12] chips?$'

feed <<'END'
L
quit
END
expect_status 0 "$SENJUTSU" play --game synth:df=0 --second pimc --seed 8 --save left.json
expect_out '^  tree=[0-9]+ moves=L[LR] types=[0-7],\?$'
expect_out '^The game was left after 2 actions\.$'
feed <<'END'
L
L
END
expect_status 0 "$SENJUTSU" play --load left.json --second random
expect_out '^  tree=[0-9]+ moves=L[LR]L[LR]L[LR] types=[0-7],[0-7]$'
expect_out '^The game is over: first gets [0-4] of 4\.$'

# Two people: each sees its own card after the other one has turned away.
printf '\npass\n\nbet\n\nbet\n' >two
feed <two
expect_status 0 "$SENJUTSU" play --game kuhn --first human --second human --seed 5
expect_out "Now it is second's turn; the other one looks away"
expect_out '^  cards=\?,[JQK] moves=pass$'
expect_out '^The game is over: first gets [+-]2 chips\.$'
expect_status 0 "$SENJUTSU" play --game fusion --first random --second random
expect_out '^  world=[xy] moves=-$'
expect_status 2 "$SENJUTSU" play --game kuhn --load left.json
expect_err 'the record says what is played'
for option in '--map duel' '--rules paper' '--seed 4'; do
    # shellcheck disable=SC2086 # words
    expect_status 2 "$SENJUTSU" play --load left.json $option
    expect_err "^senjutsu play: ${option% *} does not go with --load: the record says what is played$"
done

# The terminal shows the second player nothing of the first player's view.
if command -v script >/dev/null 2>&1 && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    printf '\npass\n\nbet\n\nbet\n' >two
    TERM=xterm script -qec "$SENJUTSU play --game kuhn --first human --second human --seed 5" /dev/null <two >"$out" 2>"$err"
    expect "a wiped screen at each change" [ "$(grep -c "$(printf '\033')\[2J" "$out")" = 2 ]
else
    skip "there is no script(1) that makes terminals"
fi

# ---- outside ----

expect_status 0 "$SENJUTSU" match "ext:cmd=$SENJUTSU engine --player pimc" random --game synth:df=0.9 --games 6 --jobs 1
expect_silent_err
expect_no_out 'forfeited'

# What an external program receives: its own card or type, never the other's before it is public, no seed and no deal.
cat >listen.sh <<'END'
tee -a heard | "$SENJUTSU" engine --player pimc
END
for spec in kuhn fusion synth:df=0; do
    rm -rf heard outside
    expect_status 0 "$SENJUTSU" match 'ext:cmd=sh listen.sh' random --game $spec --games 5 --jobs 1 --records outside
    expect_no_out 'forfeited'
    grep -v -E '^(sjp 1|setoption seed [0-9]{1,10}|newgame (kuhn|fusion|synth df=0)|position .*|go)$' heard >others
    expect "no other lines" is_empty others
    grep '^position ' heard >positions
    expect "positions" [ "$(wc -l <positions)" -ge 3 ]
    expect "something hidden in each of them" lacks '^[^?]*$' positions
    for record in outside/*.json; do
        json_get seed "$record"
        json_get deal "$record" 2>/dev/null
    done | tr -d '"' | grep -E '^[0-9]+$' >secrets
    expect "seeds" [ "$(wc -l <secrets)" -ge 5 ]
    grep -F -f secrets heard >told
    expect "none of them sent" is_empty told
done
expect_status 1 "$SENJUTSU" match "ext:cmd=true,turn=yes" random --game kuhn --games 2
expect_refusal
expect_err 'turn=yes'

finish
