#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Commands while one allocation fails, many allocations in turn: each reports missing memory, or gives the same result
# as without the failure (scarce.py). SCARCE_DENSITY=N tries more of them.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_faults
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: there is no python3 to run them with"
    exit 77
fi

expect_status 0 "$SENJUTSU" match random acteval --games 2 --map duel --quiet --records .
expect_status 0 "$SENJUTSU" match random acteval --games 1 --map duel --quiet --records . --format sgf
expect_status 0 "$SENJUTSU" tournament --players random,acteval,acteval:style=sample --maps duel --games 2 --jobs 1 --quiet --store event.db
cat >lines <<'END'
newgame tbs
map duel
state
actions
go sims 20
perft 2
newgame geister side=0
go sims 20
newgame kuhn
quit
END
cat >cases <<'END'
$SENJUTSU map show standard --legend
$SENJUTSU map check duel standard
$SENJUTSU map stats duel --json
$SENJUTSU map random --seed 3 --out $OUT/map.tbsmap
$SENJUTSU map list
$SENJUTSU games --json
$SENJUTSU players
$SENJUTSU players --json
$SENJUTSU replay game-000001.json --check
$SENJUTSU replay game-000001.json --at 3
$SENJUTSU replay game-000001.sgf --at 2
$SENJUTSU verify event.db
$SENJUTSU tournament --store event.db
$SENJUTSU tournament --store event.db --json
$SENJUTSU plan --elo 20 --json
$SENJUTSU engine --player uct:sims=20,memory=1 <lines
$SENJUTSU match random acteval --games 2 --map duel --quiet --jobs 1 --json
$SENJUTSU tournament --players random,acteval --maps duel --games 2 --jobs 1 --quiet --json
$SENJUTSU analyze --map duel --player uct:sims=20,memory=1 --json
$SENJUTSU analyze --game geister --player gst-a:sims=20,memory=1 --no-color
$SENJUTSU solve --game tictactoe --json
$SENJUTSU map judge duel --strong acteval --weak random --games 4 --min-games 4 --jobs 1 --json
$SENJUTSU evolve --strong acteval --weak random --born 4 --population 2 --generations 1 --games 2 --verify 2 --show 1 --jobs 1 --width 4 --height 4 --quiet --json
$SENJUTSU exploit random --game kuhn --samples 2 --jobs 1 --json
END
checks=$((checks + 1))
command_line="scarce.py"
python3 -I -S "$SENJUTSU_ROOT/tests/e2e/scarce.py" cases >"$out" 2>"$err" || fail "every failed allocation to be reported or made up for"
expect_out '^[0-9]+ cases, [0-9]+ runs, 0 wrong$'
finish
