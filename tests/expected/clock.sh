# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What depends on time: budgets, clocks of games, progress, rates, the time that is left. Time passes only when the clock
# is read, and there is one core: all of it is the same in every run, and nothing is replaced by letters.
need_faults
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: there is no python3 to make a terminal with"
    exit 77
fi
counted='monotonic 0 each=0.001; cores 1'

# exactly: places of files and dates as letters, nothing else.
exactly() {
    sed -E -e "s#$folder/work#HERE#g" -e "s#$SENJUTSU_ROOT/maps/#MAPS/#g" -e 's#(HERE)?/[^ "]*/\.\./maps/#MAPS/#g' \
        -e 's/"date": ?"[^"]*"/"date": D/' -e 's/senjutsu [0-9]+\.[0-9]+\.[0-9]+[-+.a-z0-9]*/senjutsu V/'
}
# told NAME: the messages of the command run last.
told() {
    checks=$((checks + 1))
    {
        printf '$ %s\n' "$1"
        exactly <"$out" | brief
        exactly <"$err" | brief | sed 's/^/2> /'
        if [ "$status" -ne 0 ]; then echo "status $status"; fi
        echo
    } >>"$found"
}
t() {
    run "$with_faults" "$counted" "$SENJUTSU" "$@"
    told "$*"
}
# on COLUMNS ROWS INPUT ARGUMENT …: on a terminal, all that is drawn.
on() {
    columns=$1 rows=$2 typed=$3
    shift 3
    run "$with_faults" "$counted" python3 -I -S "$SENJUTSU_ROOT/tests/expected/terminal.py" --all "$columns" "$rows" \
        "$typed" "$SENJUTSU" "$@"
    told "on $columns x $rows: $*"
}
lines_shown=60
middle='MOV?99r31R99r43R02B99b25B99b41u33u99r99b20u10u99r99b'

# ---- thinking for a time ----

for player in uct pwuct muct minmax:depth=0 dlmc split:player=uct aas pimc ismcts; do
    t analyze --map standard --player "$player" --time 300 --top 2 --no-color
done
for player in uct:time=200 muct:time=200 dlmc:sims=1000000,time=200 minmax:depth=9,time=200 aas:time=50; do
    t analyze --map duel --player "$player" --json --top 1
done
for player in pimc iimc amcts ismcts; do
    t analyze --game synth:tree=1 --player "$player" --time 200 --json --top 1
    t analyze --game geister --player "$player" --time 200 --top 1 --no-color
done
for player in gst-a:c=1 gst-b:c=1 gst-c:c=1 purple:depth=20 eacp:depth=20 nissy:c=1 geist:mate=3; do
    t analyze --game geister --position "$middle" --player "$player" --time 200 --top 1 --no-color
    t analyze --game geister --position "$middle" --player "$player,time=100" --seed 3 --json --top 1
done
t analyze --map duel --player uct --time 700 --watch --no-turn --no-color
t analyze --map duel --player uct --time 600 --watch --json --top 1
t analyze --game geister --player gst-a --time 700 --watch --no-color --top 2
on 70 12 '' analyze --map duel --player uct --time 900 --watch
on 40 30 '' analyze --game geister --player gst-a --time 700 --watch --top 3
t solve --map duel --nodes 3000
t solve --map duel --time 1 --json
t solve --map standard --time 1
on 100 40 '' solve --map duel --time 3

# ---- clocks of games ----

t match uct:sims=20 random --games 4 --map duel --quiet --json
t match uct:sims=20 random --games 4 --map duel --quiet
for clock in turn=0.05 turn=1 game=1 game=0.3,byoyomi=0.1 game=0.5,increment=0.1 game=0.5,byoyomi=0.05,grace=0.02 move=0.05 move=0.02,patience=0.1; do
    t match uct muct --games 2 --map duel --quiet --clock "$clock"
done
t match geist:sims=10 gst-a --games 2 --game geister:plies=20 --quiet --clock turn=0.1 --json
t tournament --players uct:sims=20,acteval,random --maps duel --games 2 --jobs 1 --quiet --clock turn=0.2 --store event.db --json
t tournament --store event.db --json

# ---- progress ----

on 100 40 '' match random acteval --games 40 --jobs 1 --map duel
on 50 40 '' match uct:sims=10 acteval --games 20 --jobs 1 --map duel
on 100 40 '' tournament --players random,acteval,muct:sims=2 --maps duel --games 4 --jobs 1
on 60 12 '' tournament --players random,acteval,muct:sims=2,uct:sims=3 --maps duel --jobs 1
on 100 40 '' verify event.db
on 100 40 '' repro tbs-fig2 --jobs 1 --trials 4
on 100 40 '' evolve --strong acteval --weak random --born 8 --population 4 --generations 3 --games 4 --verify 4 --show 2 --jobs 1
on 60 40 '' evolve --strong acteval --weak random --born 8 --population 4 --generations 3 --games 4 --verify 0 --show 1 --jobs 1 --time 2
t evolve --strong acteval --weak random --born 8 --population 4 --generations 9 --games 4 --verify 4 --show 1 --jobs 1 --time 3 --json
on 100 40 '' map judge duel --strong muct:sims=3 --weak random --tight 0.3 --games 60 --min-games 20 --jobs 1
on 100 40 '' exploit random pimc:sims=20 --game synth:depth=4 --trees 2 --samples 4 --gap 0.01 --jobs 1
on 100 40 '' exploit random --game kuhn --samples 4 --jobs 1
t exploit random pimc:sims=20 --game kuhn --samples 4 --jobs 1 --json
on 100 40 '' check --leaks pimc:sims=10 random --game kuhn --positions 5
on 100 40 '' train geister-pg --games 64 --every 16 --recipe own:batch=16,keep=32 --against random --against-games 2 --out pg
on 100 40 '' train geister-setups --games 1 --threads 1
t train geister-pg --games 32 --every 16 --recipe own:batch=16,keep=32 --against random --against-games 2 --out pg2 --json
on 100 40 '' games --check 20 --game kuhn
on 100 40 '' map stats duel standard

# ---- minutes and hours ----

# Steps of the clock of up to a quarter of a second: longer ones count as a pause of the program.
slowly() {
    counted='monotonic 0 each=0.03; cores 1'
    "$@"
    counted='monotonic 0 each=0.001; cores 1'
}
small="--strong acteval --weak random --games 4 --jobs 1"
# shellcheck disable=SC2086 # words of their own
{
    slowly t evolve $small --born 12 --population 6 --generations 2 --verify 4 --show 2
    slowly t evolve $small --born 150 --population 40 --generations 2 --verify 4 --show 1 --out long
    slowly on 120 40 '' evolve $small --born 60 --population 20 --generations 2 --verify 4 --show 1
    slowly on 120 40 '' evolve $small --born 60 --population 20 --generations 9 --verify 4 --show 1 --time 900
    t evolve $small --born 150 --population 40 --generations 2 --verify 4 --show 1 --out long
    t evolve $small --born 12 --population 6 --generations 3 --verify 0 --show 3 --method archive --peers 2
    on 120 40 '' evolve $small --born 12 --population 6 --generations 3 --verify 6 --show 3 --method archive --peers 2 --reevaluate 30
    t evolve $small --born 12 --population 6 --generations 3 --verify 4 --show 1 --method random --budget 40
    t evolve $small --born 12 --population 6 --budget 1 --verify 4
    t evolve --strong random --weak random --games 4 --jobs 1 --born 6 --population 4 --generations 1 --verify 30 --show 1
    t evolve --strong random --weak acteval --games 4 --jobs 1 --born 6 --population 4 --generations 1 --verify 30 --show 2
    t evolve $small --born 6 --population 4 --generations 1 --verify 0 --show 1 --from duel,duel --width 4 --height 4
    t evolve $small --from duel,,duel
    t evolve $small --quiet --born 6 --population 4 --generations 1 --verify 0 --show 1 --out "it's"
    on 100 40 '' evolve $small --quiet --born 6 --population 4 --generations 1 --verify 0 --show 1
}
slowly on 100 40 '' match random acteval --games 200 --jobs 1
slowly on 100 40 '' tournament --players random,acteval,acteval:style=sample --maps duel --games 30 --jobs 1
slowly on 100 40 '' repro tbs-fig2 --jobs 1 --trials 30
slowly on 100 40 '' train geister-pg --games 320 --every 160 --recipe own:batch=16,keep=32 --against random --against-games 2 --out pg3
slowly on 100 40 '' exploit random pimc:sims=20 --game synth:depth=4 --trees 3 --samples 4 --gap 0.01 --jobs 1
slowly on 100 40 '' solve --map duel --time 100
slowly t solve --map duel --time 100 --json

# ---- cores ----

for cores in -1 0 1 2 1023 1024 1025; do
    line "$cores cores: $("$with_faults" "cores $cores" "$SENJUTSU" train geister-setups --help | grep threads)"
done
