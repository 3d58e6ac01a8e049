#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A new player, a new game, a new column of the standings and a new option, added as CONTRIBUTING.md says: the commands that
# it shows run in a copy of the sources, the new and changed files are compiled with this build's own flags, and the program
# with them has them everywhere.
. "$(dirname "$0")/lib.sh"

build=$(cd "$(dirname "$SENJUTSU")" && pwd)
if ! ninja -C "$build" -t commands senjutsu >commands 2>/dev/null || [ ! -s commands ]; then
    skip "this build does not tell its commands: it was not made by ninja"
    finish
fi
cp -R "$SENJUTSU_ROOT/src" "$SENJUTSU_ROOT/include" "$SENJUTSU_ROOT/layers.txt" "$SENJUTSU_ROOT/docs" .
awk '/`e2e-extend` runs/ { on = 1 } on && /^    / { print substr($0, 5); seen = 1 } /^$/ { if (seen) on = seen = 0 }' \
    "$SENJUTSU_ROOT/CONTRIBUTING.md" >steps
expect "commands for a player, a game, a column and an option" [ "$(grep -c . steps)" -ge 10 ]
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
    src/game/mine/mine.c:src/game/tictactoe/tictactoe.c src/game/registry.c:src/game/registry.c \
    src/tournament/report.c:src/tournament/report.c src/cli/match.c:src/cli/match.c; do
    compile "${pair%:*}" "${pair#*:}" || expect "${pair%:*} compiles" false
done
# They come before the library with the old ones; the command's own old file is left out.
objects=
for object in src_*.o; do objects="$objects $PWD/$object"; done
link=$(grep -e ' -o senjutsu ' commands | sed "s| senjutsu.p/src_cli_match.c.o||; s| -o senjutsu | -o $PWD/senjutsu$objects |")
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

# The column, in every form.
expect_status 0 "$mine" tournament --players lazy,random --game mine --games 2 --quiet --out pages
expect_out '^ *# +player .* L +as second +score'
for file in standings.csv results.json; do
    expect "the column in $file" grep -q second_score pages/$file
done
expect "the column on the page" grep -q '<th scope="col">as second</th>' pages/cross-table.html

# The option: named in the help, read, and refused outside its range.
expect_status 0 "$mine" match --help
expect_out '^  --pause SECONDS +between two games'
expect_status 0 "$mine" match lazy random --game mine --games 2 --quiet --pause 1.5
expect_status 2 "$mine" match lazy random --game mine --games 2 --pause 61
expect_err '--pause 61: expected a number from 0 to 60'

finish
