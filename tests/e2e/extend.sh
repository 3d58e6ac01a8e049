#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A new player, a new game, a new column of the standings and a new option, added as in CONTRIBUTING.md: its commands
# run in a copy of the sources, the new and changed files are compiled with this build's own flags, and the program with
# them has them everywhere.
. "$(dirname "$0")/lib.sh"

build=$(cd "$(dirname "$SENJUTSU")" && pwd)
if ! ninja -C "$build" -t commands senjutsu >commands 2>/dev/null || [ ! -s commands ]; then
    skip "this build does not tell its commands: it was not made by ninja"
    finish
fi
cp -R "$SENJUTSU_ROOT/src" "$SENJUTSU_ROOT/include" "$SENJUTSU_ROOT/layers.txt" "$SENJUTSU_ROOT/docs" .
awk '/`e2e-extend`/ { on = 1 } on && /^    / { print substr($0, 5); seen = 1 } /^$/ { if (seen) on = seen = 0 }' \
    "$SENJUTSU_ROOT/CONTRIBUTING.md" >steps
# Under other names, so that a source tree with the applied commands passes, too.
sed -i 's/lazy/idler/g; s/\bmine/ours/g; s/&mine/\&ours/g; s/second_score/latter_score/; s/as second/as latter/; s/\bpause/halt/g' steps
expect "commands for a player, a game, a column and an option" [ "$(grep -c . steps)" -ge 10 ]
expect_status 0 sh -e steps
expect_silent_err
# A third game takes a map: one word, with a rule set and without an author.
cat >part <<'END'
#include "base/mem.h"
static struct scenario *load(const struct game_source *source, const struct game *game, struct err *e) {
    if (strncmp(source->text, "cells", 5) != 0) {
        err_set(e, "%s: not a map of this game", source->name);
        return NULL;
    }
    struct scenario *scenario = mem_alloc(sizeof *scenario);
    scenario->game = game;
    return scenario;
}
static void write_map(const struct scenario *scenario, struct text *out) {
    (void)scenario;
    text_add_string(out, "cells\n");
}
static const char *rules(const struct scenario *scenario) {
    (void)scenario;
    return "plain";
}
static const struct game_offer offer = {
    .takes_map = true, .opponent = "random", .adviser = "random", .commentator = "random", .commentator_work = 1};
END
mkdir src/game/mapped
sed -e 's/tictactoe/mapped/g' -e '/^static const struct game_face/r part' -e 's/{PLAIN_NOTATION,/& .write_map = write_map, .rules = rules,/' \
    -e 's/^    .scenario_size = .*/    .load = load, .offer = \&offer,/' src/game/tictactoe/tictactoe.c >src/game/mapped/mapped.c
sed -i 's|kuhn_game,|& mapped_game,|' src/game/plain.h
sed -i 's|&kuhn_game,|& \&mapped_game,|' src/game/registry.c
expect_status 0 "$SENJUTSU_ROOT/tools/check-layers" "$PWD"
expect_status 0 "$SENJUTSU_ROOT/tools/check-architecture" "$PWD"

# Compiles a file of the copy with the flags of a file of the build.
compile() { # FILE FILE-OF-THE-BUILD
    command=$(grep -e "-c [^ ]*$2\$" commands | head -n 1 |
        sed "s| -I| -I$PWD/src -I|; s| -MD .*| -c $PWD/$1 -o $PWD/$(echo "$1" | tr / _).o|")
    (cd "$build" && sh -c "$command")
}
for pair in src/player/idler.c:src/player/random.c src/player/registry.c:src/player/registry.c \
    src/game/ours/ours.c:src/game/tictactoe/tictactoe.c src/game/mapped/mapped.c:src/game/tictactoe/tictactoe.c \
    src/game/registry.c:src/game/registry.c \
    src/tournament/report.c:src/tournament/report.c src/cli/match.c:src/cli/match.c; do
    compile "${pair%:*}" "${pair#*:}" || expect "${pair%:*} compiles" false
done
# They come before the library with the old ones; the command's own old file is left out.
objects=
for object in src_*.o; do objects="$objects $PWD/$object"; done
link=$(grep -e ' -o senjutsu ' commands | sed "s| senjutsu.p/src_cli_match.c.o||; s| -o senjutsu | -o $PWD/senjutsu$objects |")
(cd "$build" && sh -c "$link") || expect "the program is linked" false
extended=$PWD/senjutsu

expect_status 0 "$extended" games --check 20 --game ours
expect_status 0 "$extended" match idler uct:sims=30 --game ours --games 4 --quiet
for player in first pwuct:sims=30 minmax dlmc:turns=4 aas ismcts:sims=30 pimc:sims=20 iimc:sims=4 amcts:sims=4; do
    expect_status 0 "$extended" match idler "$player" --game ours --games 2 --quiet
done
expect_status 0 "$extended" tournament --players idler,random,minmax --game ours --games 2 --quiet
expect_status 0 "$extended" solve --game ours --position board=xx.oo....
expect_out 'solved: x wins in 1 turn'
expect_status 0 "$extended" analyze --game ours --player minmax
printf 'b2\nquit\n' >typed
expect_status 0 sh -c '"$0" play --game ours --second idler <typed' "$extended"
expect_out 'o plays'
printf 'newgame ours\ngo\nquit\n' >typed
expect_status 0 sh -c '"$0" engine --player idler <typed' "$extended"
expect_out '^best '
expect_status 0 "$extended" match idler random --map duel --games 2 --quiet

# With a map.
echo cells >a.map
expect_status 0 "$extended" games --check 20 --game mapped --map a.map
expect_status 0 "$extended" match idler uct:sims=30 --game mapped --map a.map --games 2 --quiet --json
expect_out '"rules": "plain"'
expect_status 2 "$extended" match idler random --game mapped --map a.map --games 2 --format sgf --records records
expect_err "a record of mapped has no form 'sgf'; expected json\$"
expect_status 0 "$extended" tournament --players idler,random --game mapped --maps a.map --games 2 --quiet --store mapped.db
expect_status 0 "$extended" verify mapped.db
expect_status 0 "$extended" match idler random --game mapped --map a.map --games 2 --quiet --records mapped
expect_status 0 "$extended" analyze --after mapped/game-000001.json:1 --player random --map a.map
expect_out '^mapped'
expect_status 1 "$extended" solve --game mapped --map "$SENJUTSU_ROOT/maps/duel.tbsmap"
expect_err 'duel\.tbsmap: not a map of this game'

# On the page: a whole game through its API.
if command -v python3 >/dev/null 2>&1; then
    : >server.out
    : >server.err
    timeout --foreground -s KILL "$limit" "$extended" serve --port 0 --quiet --data data >server.out 2>server.err &
    server=$!
    wait_for 'http://[^ ]*:[0-9]+/'
    address=$(head -n 1 server.out)
    expect_status 0 python3 "$SENJUTSU_ROOT/examples/api.py" "${address%/}" play --game ours --against idler --seed 1
    expect_out '^ *1 x '
    expect_silent_err
    kill -TERM $server
    wait $server
else
    skip "there is no python3 to play through the API with"
fi

# The column, in every form.
expect_status 0 "$extended" tournament --players idler,random --game ours --games 2 --quiet --out pages
expect_out '^ *# +player .* L .*as latter +.*score'
for file in standings.csv results.json; do
    expect "the column in $file" grep -q latter_score pages/$file
done
expect "the column on the page" grep -q '<th scope="col">as latter</th>' pages/cross-table.html

# The option: named in the help, read, and refused outside its range.
expect_status 0 "$extended" match --help
expect_out '^  --halt SECONDS +between two games'
expect_status 0 "$extended" match idler random --game ours --games 2 --quiet --halt 1.5
expect_status 2 "$extended" match idler random --game ours --games 2 --halt 61
expect_err '--halt 61: expected a number from 0 to 60'

finish
