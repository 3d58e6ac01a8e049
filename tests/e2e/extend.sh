#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A new player and a new game, added as CONTRIBUTING.md says: the commands that it shows run in a copy of the sources, the
# new and changed files are compiled with this build's own flags, and the program with them plays.
. "$(dirname "$0")/lib.sh"

build=$(cd "$(dirname "$SENJUTSU")" && pwd)
if ! ninja -C "$build" -t commands senjutsu >commands 2>/dev/null || [ ! -s commands ]; then
    skip "this build does not tell its commands: it was not made by ninja"
    finish
fi
cp -R "$SENJUTSU_ROOT/src" "$SENJUTSU_ROOT/include" "$SENJUTSU_ROOT/layers.txt" "$SENJUTSU_ROOT/docs" .
awk '/`e2e-extend` runs these commands/ { on = 1 } on && /^    / { print substr($0, 5); seen = 1 } /^$/ { if (seen) on = seen = 0 }' \
    "$SENJUTSU_ROOT/CONTRIBUTING.md" >steps
expect "commands for a player and a game" [ "$(grep -c . steps)" -ge 7 ]
expect_status 0 sh -e steps
expect_silent_err
expect_status 0 "$SENJUTSU_ROOT/tools/check-layers" "$PWD"
expect_status 0 "$SENJUTSU_ROOT/tools/check-architecture" "$PWD"

# Compiles a file of the copy with the flags of one that the build knows.
compile() { # FILE KNOWN-FILE
    command=$(grep -e "-c [^ ]*$2\$" commands | head -n 1 |
        sed "s| -I| -I$PWD/src -I|; s| -MD .*| -c $PWD/$1 -o $PWD/$(echo "$1" | tr / _).o|")
    (cd "$build" && sh -c "$command")
}
for pair in src/player/lazy.c:src/player/random.c src/player/registry.c:src/player/registry.c \
    src/game/mine/mine.c:src/game/tictactoe/tictactoe.c src/game/registry.c:src/game/registry.c; do
    compile "${pair%:*}" "${pair#*:}" || expect "${pair%:*} compiles" false
done
link=$(grep -e ' -o senjutsu ' commands | sed "s| -o senjutsu | -o $PWD/senjutsu $PWD/src_player_lazy.c.o $PWD/src_player_registry.c.o $PWD/src_game_mine_mine.c.o $PWD/src_game_registry.c.o |")
(cd "$build" && sh -c "$link") || expect "the program is linked" false
mine=$PWD/senjutsu

expect_status 0 "$mine" games --check 20 --game mine
expect_status 0 "$mine" match lazy uct:sims=30 --game mine --games 4 --quiet
for player in first pwuct:sims=30 minmax dlmc:turns=4 aas ismcts:sims=30 pimc:sims=20 iimc:sims=4 amcts:sims=4; do
    expect_status 0 "$mine" match lazy "$player" --game mine --games 2 --quiet
done
expect_status 0 "$mine" tournament --players lazy,random,minmax --game mine --games 2 --quiet
expect_status 0 "$mine" solve --game mine --position board=xx.oo....
expect_out 'solved: x wins in 1 turn'
expect_status 0 "$mine" analyze --game mine --player minmax
printf 'b2\nquit\n' >typed
expect_status 0 sh -c '"$0" play --game mine --second lazy <typed' "$mine"
expect_out 'o plays'
printf 'newgame mine\ngo\nquit\n' >typed
expect_status 0 sh -c '"$0" engine --player lazy <typed' "$mine"
expect_out '^best '
expect_status 0 "$mine" match lazy random --map duel --games 2 --quiet

finish
