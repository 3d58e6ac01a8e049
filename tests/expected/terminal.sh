# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What commands show on a terminal: colours, pictures that are drawn again and again, questions.

if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: there is no python3 to make a terminal with"
    exit 77
fi
# on COLUMNS ROWS INPUT ARGUMENT …
on() {
    columns=$1 rows=$2 typed=$3
    shift 3
    shot python3 -I -S "$SENJUTSU_ROOT/tests/expected/terminal.py" "$columns" "$rows" "$typed" "$SENJUTSU" "$@"
}
laws() {
    shot python3 -I -S "$SENJUTSU_ROOT/tests/expected/terminal.py" --laws 70 20 '' "$SENJUTSU" "$@"
}
seen() {
    pattern=$1
    shift
    shot python3 -I -S "$SENJUTSU_ROOT/tests/expected/terminal.py" --until "$pattern" 100 20 '' "$SENJUTSU" "$@"
}
lines_shown=90

on 100 40 '' match random acteval --games 12 --jobs 1
on 100 40 '' tournament --players random,acteval,muct:sims=2 --maps duel --jobs 1
on 60 12 '' tournament --players random,acteval,muct:sims=2,aas:length=1,uct:sims=3,dlmc:turns=1\;sims=1 --maps duel --jobs 1
on 40 24 '' tournament --players acteval,random --maps duel --jobs 1 --games 1
on 100 40 '' repro tbs-fig2 --jobs 1
on 100 40 '' evolve --strong acteval --weak random --born 8 --population 4 --generations 2 --games 4 --verify 4 --show 2 --jobs 1
on 100 40 '' map show duel islands --legend
on 100 40 '' analyze --map duel --player minmax:depth=1
on 60 40 '' analyze --game geister --player pg --top 3
on 100 40 '' solve --map duel --nodes 3000
on 100 40 '' train geister-pg --games 32 --every 16 --recipe own:batch=16,keep=32 --against random --against-games 2 --out pg
on 100 40 '' train geister-setups --games 1 --threads 1
"$SENJUTSU" tournament --players random,acteval --maps duel --games 2 --store event.db --quiet >/dev/null
on 100 40 '' verify event.db
on 100 40 '' verify event.db --quiet
"$SENJUTSU" match random acteval --map duel --games 1 --quiet --records games >/dev/null
on 100 40 '\nn\nb\n4\n99\n-1\nx\nq\n' replay games/game-000001.json
on 100 40 '\n\nq\n' replay games/game-000001.json --no-color
on 100 40 '\n\d' replay games/game-000001.json --no-color
on 100 40 'help\n0\n4,3 x2\ny\nboard\nundo\nquit\n' play --map duel --blue acteval --seed 2
on 100 40 'ABCD\nAN\nEN\nhint\nquit\n' play --game geister --second random --seed 2
on 100 40 'bet\nquit\n' play --game kuhn --second random --seed 2
laws analyze --map standard --player uct --time 700 --watch --no-turn
laws analyze --game geister --player gst-a --time 700 --watch

# Runs that would take hours, until they have drawn a line that matches.
slow="--strong uct:sims=300 --weak random --jobs 1"
seen '.K[1-9][0-9]* of .* games' match random acteval --map duel --games 10000000 --jobs 1
# shellcheck disable=SC2086 # several words
{
    seen '.K.* games' map judge duel $slow --tight 0.005 --games 1000000
    seen '.K.*maps are clear' map judge duel standard $slow --tight 0.005 --games 1000000
    seen '.K.*judging' map repair standard $slow --games 1000000
}
seen '.K.*cost' map repair standard --strong muct:sims=2 --weak random --jobs 1 --sure 20 --low 0.499999 --high 0.500001 --games 100000000
seen '.K.* [02-9] turns deep' solve --map standard --time 0
seen '.K[1-9][0-9]* of .* games' train geister-pg --games 100000000 --against random --out slow
seen '.K.*[1-9] of 70 set-ups' train geister-setups --games 1000 --threads 1
seen '.K.*] [1-9][0-9]* of' repro tbs-table5 --trials 100000 --jobs 1
seen '[1-9][0-9]* of [0-9]+ games' tournament --players random,uct:sims=20 --maps duel --games 10000 --jobs 1

# Its first picture comes only where the machine is slow.
laws map judge duel --strong muct:sims=3 --weak random --tight 0.3 --games 30 --min-games 20 --jobs 1

# A client shows its progress on one line.
timeout "$limit" "$SENJUTSU" geister serve --first-port 0 --second-port 0 --no-viewer --games 1 --player random --seed 4 \
    --budget 0 >server.out 2>server.err &
server=$!
wait_for '^listening on '
port=$(sed -n "s/^listening on .*first player's port \([0-9]*\),.*/\1/p" server.out)
line "$(python3 -I -S "$SENJUTSU_ROOT/tests/expected/terminal.py" 60 40 '' "$SENJUTSU" geister join "127.0.0.1:$port" \
    --player random --seed 2 --time 0 | sed 's/longest [0-9]* ms/longest T ms/')"
wait $server
