#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Geister with everything that games have: match, tournament, records, replay, analyze, play, engine, check. Above all:
# no output shows a player more than its side can see.
. "$(dirname "$0")/lib.sh"

fast=purple:depth=1

# ---- match and records ----

expect_status 0 "$SENJUTSU" match $fast random --game geister --games 6 --seed 3 --records games --quiet
expect_silent_err
expect_out '^  as first  '
expect_out '^  as second  '
expect_out '^  how the games ended  '
expect_out '^  (escape|blues|reds|limit)  '
expect_out 'Elo difference'
# The same games as logs of the official server.
expect_status 0 "$SENJUTSU" match $fast random --game geister --games 2 --seed 3 --records logs --format log --quiet
expect_status 0 "$SENJUTSU" replay logs/game-000001.txt --check
expect_out '^logs/game-000001\.txt: ok, [0-9]+ actions, '
expect_status 2 "$SENJUTSU" match random random --game geister --format sgf
expect_err "a record of geister has no form 'sgf'; expected json or log\$"
expect_status 0 "$SENJUTSU" match $fast random --game geister --games 6 --seed 3 --json --jobs 1
won=$(json_get wins.0 "$out")
ways=$(grep -c '"how"' "$out")
expect "ways to end" [ "$ways" -ge 1 ]
expect "won" [ "$won" -ge 4 ]

record=games/game-000001.json
expect "the game" grep -q '"game": "geister"' $record
expect "a set-up first" [ "$(json_get actions.0 $record | tr -d '"' | grep -c -E '^[A-H]{4}$')" = 1 ]
expect "then moves" [ "$(json_get actions.2 $record | tr -d '"' | grep -c -E '^[A-H][NEWS]$')" = 1 ]
expect_status 0 "$SENJUTSU" replay $record --check

# ---- replay: all, or the view of one side ----

reds=$(json_get actions.0 $record | tr -d '"')
expect_status 0 "$SENJUTSU" replay $record --at 2
expect_out "^action 2 of [0-9]+, first to move; last: [A-H]{4}, second chooses [A-H]{4} as its reds$"
expect_out '^    4  \.   A[rb]  B[rb]  C[rb]  D[rb]  \.$'
expect_out '^    1  \.   d[rb]  c[rb]  b[rb]  a[rb]  \.$'
expect_status 0 "$SENJUTSU" replay $record --at 1 --view second
expect_out '; last: first has chosen its reds$'
expect_no_out "$reds"
expect_status 0 "$SENJUTSU" replay $record --at 2 --view second
expect_out '^    1  \.   d\?  c\?  b\?  a\?  \.$'
expect_out '^    4  \.   A[rb]  B[rb]  C[rb]  D[rb]  \.$'
expect_status 0 "$SENJUTSU" replay $record
expect_out '(won after [0-9]+ moves: |a draw after)'
expect_no_out "$(printf '\033')"
escaped=$(grep -l -E '"result": "(first|second) escape"' games/*.json | head -n 1)
expect "a game that ended with an escape" [ -n "$escaped" ]
for side in first second; do # which way a piece left is as public as any move
    expect_status 0 "$SENJUTSU" replay "$escaped" --view $side
    expect_out '^action ([0-9]+) of \1; last: [A-H][NEW], (first|second) moves [A-Ha-h] [a-z]+, off the board$'
done
expect_status 2 "$SENJUTSU" replay $record --view third
expect_err 'expected first, second or all'
expect_status 2 "$SENJUTSU" replay $record --view first --save seen.json
expect_err '--view does not go with --save'

# ---- the official server's logs ----

expect_status 0 "$SENJUTSU" replay $record --save game.txt
expect "set-ups" [ "$(head -n 2 game.txt | grep -c -E '^player=[01],SET:[A-H]{4}$')" = 2 ]
expect "its winner" [ "$(tail -n 1 game.txt | grep -c -E '^winner=[012]$')" = 1 ]
expect_status 0 "$SENJUTSU" replay game.txt --save again.json
expect "the same actions" [ "$(json_get actions.9 again.json)" = "$(json_get actions.9 $record)" ]
expect_status 0 "$SENJUTSU" replay again.json --save again.txt
expect "the same log" cmp -s game.txt again.txt
sed 's/^winner=.*/winner=2/' game.txt >lie.txt
expect_status 1 "$SENJUTSU" replay lie.txt --check
expect_out 'the log says winner=2'
printf 'player=1,SET:ABCD\r\nplayer=0,MOV:A,N\r\nplayer=0,SET:EFGH\r\nplayer=0,MOV:A,S\r\n' >ng.txt
expect_status 0 "$SENJUTSU" replay ng.txt --check
expect_out 'ok, 2 actions, second illegal$'
printf 'player=0,SET:ABCD\nnonsense\n' >bad.txt
expect_status 1 "$SENJUTSU" replay bad.txt --check
expect_err "bad\.txt:2: 'nonsense' is no line of a log"

# ---- analyze ----

board=14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u
expect_status 0 "$SENJUTSU" analyze --game geister --position "MOV?$board" --player purple:depth=2 --top 3
expect_silent_err
expect_out '^    4  \.   Ar  Br  Cr  Dr  \.$'
expect_out '^    1  \.   d\?  c\?  b\?  a\?  \.$'
expect_out '^purple:depth=2 chooses [A-H][NEWS]: moves [A-H] (north|east|west|south) to [0-5],[0-5]$'
expect_status 0 "$SENJUTSU" analyze --game geister --position "board=$board mover=first ply=0 from=- moves=-" --player $fast --json
expect "balanced JSON" [ -z "$(json_get unbalanced "$out")" ]
expect_status 0 "$SENJUTSU" analyze --after $record:12 --player $fast
expect_out 'as first sees it$'
expect_status 1 "$SENJUTSU" analyze --game geister --position 14R --player $fast
expect_err "^senjutsu analyze: --position: '14R' is no position; expected the 48 characters"
expect_status 1 "$SENJUTSU" analyze --game geister --position "14R14R${board#??????}" --player $fast
expect_err '^senjutsu analyze: --position: board: two pieces stand on the same cell$'
expect_status 0 "$SENJUTSU" analyze --game geister --position "$(printf ' MOV?%s\r ' $board)" --player $fast
expect_status 2 "$SENJUTSU" analyze --after $record --position $board --player $fast
expect_err 'does not go with --after'

# ---- play: the other's colours stay hidden ----

feed <<'END'
help
b c f g
an
hint
undo
d north
foo
quit
END
expect_status 0 "$SENJUTSU" play --game geister --second $fast --seed 4
expect_out 'second has chosen its reds$'
expect_no_out 'second chooses'
expect_out '^    4  \.   Ab  Br  Cr  Db  \.$'
expect_no_out '^    . .* [a-h][rb] '
expect_out 'would play [A-H][NEWS]: first moves [A-H]'
expect_out "'FOO' is no move"
expect_out 'gives the same random numbers again'
printf 'bcfg\nan\nsave middle.txt\nquit\n' | feed
expect_status 0 "$SENJUTSU" play --game geister --second $fast --seed 4
expect_out "Saved to middle\.txt \(a server's log\)"
expect_status 0 "$SENJUTSU" replay middle.txt --check
printf 'bcfg\nquit\n' | feed
expect_status 0 "$SENJUTSU" play --game geister --first $fast --second human --seed 4
expect_out 'first has chosen its reds'
expect_out 'first moves [a-h] (north|east|west|south)'

# A colour that was seen stays seen: neither side's undo goes back behind the move that took a piece.
printf '\n%s\n' bcfg abef an he an hw an >hunt
{
    cat hunt
    printf '\nundo\nhe\n\nundo\nboard\nquit\n'
} | feed
expect_status 0 "$SENJUTSU" play --game geister --first human --second human
expect_count 2 'That turn showed something hidden, so it cannot be taken back\.$'
expect_out '^  taken from second: db'
expect_out '^The game was left after 8 actions\.$'
{
    cat hunt
    printf '\nhe\n\nbn\n\nundo\nundo\nquit\n'
} | feed
expect_status 0 "$SENJUTSU" play --game geister --first human --second human --save hunted.json
expect_count 1 'cannot be taken back'
expect_out '^The game was left after 7 actions\.$'
feed <<'END'
undo
quit
END
expect_status 0 "$SENJUTSU" play --load hunted.json --first random --second human
expect_no_out 'cannot be taken back'
feed <<'END'
undo
quit
END
expect_status 0 "$SENJUTSU" play --load hunted.json --first human --second random
expect_count 1 'cannot be taken back'
expect_status 2 "$SENJUTSU" play --load hunted.json --seed 3

# ---- tournament ----

expect_status 0 "$SENJUTSU" tournament --players $fast,random,purple:depth=2 --game geister:plies=60 --games 2 --store event.db --out pages --quiet
expect_silent_err
expect_no_out ' on geister'
expect_status 0 "$SENJUTSU" verify event.db
expect_out '6 games executed again, the standings follow'
expect_status 0 "$SENJUTSU" tournament --store event.db --quiet
expect "the game on the page" grep -q 'geister:plies=60' pages/results.html
sed '/<script/,/<\/script>/d' pages/cross-table.html >tables.html
expect "the players in its tables" grep -q 'purple:depth=2' tables.html
expect "no maps on the page" lacks 'and map' tables.html
expect_status 0 "$SENJUTSU" replay event.db --game 3 --at 4
expect_status 1 "$SENJUTSU" tournament --players random,$fast --game geister --maps duel
expect_err '--maps: geister is played without maps'
expect_status 0 "$SENJUTSU" tournament --players pimc:sims=20,random --game kuhn --games 4 --json --quiet
expect "payoffs in chips" [ "$(json_get standings.0.payoff.unit "$out")" = '"chips"' ]
expect "pairs" [ "$(json_get standings.0.payoff.observations "$out")" = 2 ]
printf '{"game": "synth:df=0.5", "games": 4}\n' >rules.json
expect_status 0 "$SENJUTSU" tournament --players random,pimc:sims=20 --rules-file rules.json --store synth.db --quiet
expect_out 'payoff'
expect_status 0 "$SENJUTSU" verify synth.db
expect_status 1 "$SENJUTSU" tournament --players random,pimc:sims=20 --game kuhn --store synth.db --quiet
expect_err 'was begun with other arguments'

# ---- engine and programs outside ----

printf 'state\nplay BCFG\nstate\nplay ADEH\nlegal\ngo\nquit\n' | feed
expect_status 0 "$SENJUTSU" engine --game geister --player $fast
expect_silent_err
expect_no_out '[0-9]R'
expect_out '^best [A-H][NEWS]$'
if command -v python3 >/dev/null 2>&1; then
    cat >listen.sh <<'END'
tee -a heard | python3 "$SENJUTSU_ROOT/examples/geister.py"
END
    expect_status 0 "$SENJUTSU" match 'ext:cmd=sh listen.sh' random --game geister --games 4 --jobs 1 --records outside --quiet
    expect_no_out 'forfeited'
    grep -v -E '^(sjp 1|setoption seed [0-9]{1,10}|newgame geister|position .*|go)$' heard >others
    expect "no other lines" is_empty others
    # It receives the colours of the opponent's taken pieces: 99r and 99b, and u for all others.
    grep 'mover=first' heard | grep -v 'ply=setup' | sed 's/^position board=.\{24\}\(.\{24\}\).*/\1/' | grep -E '([0-5][0-5][rbRB])' >told
    expect "no colours on the board" is_empty told
    expect_status 0 "$SENJUTSU" check 'ext:cmd=python3 "$SENJUTSU_ROOT/examples/geister.py"' --game geister --positions 12
    expect_out 'ready for a tournament$'
    expect_out '^skip  undo: '
else
    skip "there is no Python"
fi
expect_status 0 "$SENJUTSU" check --leaks $fast random --game geister --positions 12
expect_out "^pass  geister: 12 positions"

finish
