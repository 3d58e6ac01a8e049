#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Chaos: an event of external bots, on threads and on ranks, that is killed and stopped, alone and together with its
# bots and ranks, on a machine that runs out of disk, descriptors, processes and memory and whose clocks jump. After
# each death the same command is run again. In the end the table, the games and their records are those of an
# uninterrupted event.
#
# What happens follows from CHAOS_SEED; CHAOS_ROUNDS is the number of rounds, CHAOS_ONLY selects kinds ("ranks", "fault
# [1-4]"). CHAOS_SHOW=1 prints each round; a failure prints seed and round.
#
# A bot that is killed alone has lost its game, as one that crashed: bots are killed together with who would rule so.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"
need_faults
seed=${CHAOS_SEED:-1} rounds=${CHAOS_ROUNDS:-24}

bot="ext:cmd=$SENJUTSU engine --player"
# The event has a clock, but these players do not use it, and none needs a thousandth of it.
players="$bot random,$bot acteval:style=sample,$bot acteval,acteval"
set -- --quiet --json --players "$players" --maps duel,standard --games 10 --clock turn=60,grace=5

ranks='' recovery=''
if command -v mpirun >/dev/null 2>&1 && ! "$SENJUTSU" --version | grep -q 'without MPI'; then
    # shellcheck source=tests/e2e/mpi_lib.sh
    . "$(dirname "$0")/mpi_lib.sh"
    # shellcheck disable=SC2154 # set there
    ranks="mpirun $mpi_options -n 3"
    case $mpi_options in
    *oversubscribe*) recovery=--enable-recovery ;; # Open MPI's
    esac
else
    skip "no ranks: there is no mpirun, or this build has no MPI"
fi

# ---- results that must be the same ----

# records STORE: each game's, without date and times.
records() {
    python3 - "$1" <<'END'
import json, sqlite3, sys
for game, text in sqlite3.connect(sys.argv[1]).execute('SELECT game, json FROM record ORDER BY game'):
    record = json.loads(text)
    record.pop('date')
    record.pop('milliseconds')
    print(game, json.dumps(record, sort_keys=True))
END
}

tournament --jobs 2 --store quiet.db --out quiet-pages "$@"
keep quiet.json
records quiet.db >quiet.records
games=$(json_get games "$out")
expect "$games records" [ "$(wc -l <quiet.records)" -eq "$games" ]

# same_as_quiet ARGUMENT …: the event's end, run once more to be shown.
same_as_quiet() {
    tournament --jobs 2 --store event.db --out pages "$@"
    same_result quiet.json
    same_games quiet-pages pages
    records event.db >event.records
    expect_same quiet.records event.records
    expect_status 0 "$SENJUTSU" verify --quiet event.db
    rm -rf event.db* pages
}

# ---- the plan ----

# A line a round: where it runs, what happens, a pause in seconds, an argument. Every kind comes before one comes again.
plan() {
    awk -v seed="$1" -v rounds="$2" -v has_ranks="${ranks:+1}" -v only="${CHAOS_ONLY:-.}" \
        -v recovers="$recovery" '
        function draw(n) { return int(rand() * n) }
        function add(where, what, argument) {
            if ((where " " what " " argument) ~ only) kinds[++count] = where " " what " " argument
        }
        BEGIN {
            srand(seed)
            split("KILL TERM INT HUP", signals)
            for (i = 1; i <= 4; i++) add("threads", "signal", signals[i])
            add("threads", "pause", "-"); add("threads", "pause-bots", "-"); add("threads", "kill-all", "-")
            for (i = 1; i <= 9; i++) add("threads", "fault", i)
            for (i = 1; i <= 2; i++) add("threads", "limit", i)
            if (has_ranks) {
                add("ranks", "signal", "KILL"); add("ranks", "signal", "TERM"); add("ranks", "kill-rank", "-")
                if (recovers) add("ranks", "lose-rank", "-")
                add("ranks", "pause", "-"); add("ranks", "fault", 1 + draw(6))
            }
            for (round = 0; round < rounds; round++) {
                if (round % count == 0)
                    for (i = count; i > 1; i--) { j = 1 + draw(i); t = kinds[i]; kinds[i] = kinds[j]; kinds[j] = t }
                printf "%s %.2f %d\n", kinds[round % count + 1], rand() * 0.5, 1 + draw(60)
            }
        }'
}

# The rules of a fault: rules_of KIND NUMBER.
rules_of() {
    case $1 in
    1) echo "disk ENOSPC path=*/event.db* from=$2" ;;
    2) echo "sync EIO path=*/event.db* from=$2 count=1" ;;
    3) echo "write EIO path=*/event.db* from=$2 count=2" ;;
    4) echo "realtime -86400 at=0.0$2 every=0.1; realtime 172800 at=0.1 every=0.2" ;;
    5) echo "descriptors EMFILE from=$2 count=3" ;;
    6) echo "processes EAGAIN from=$2 count=2" ;;
    7) echo "memory,map ENOMEM from=${2}00 count=1" ;;
    8) echo "memory ENOMEM min=60000 from=$2" ;;
    9) echo "monotonic 100 at=0.$2" ;;
    esac
}

# limited KIND NUMBER COMMAND …: under a limit of the shell, which the bots inherit. What starves them is their fault:
# memory runs short by a fault alone.
# shellcheck disable=SC3045 # the shells of Linux know these
limited() {
    case $1 in
    1) ulimit -n $((20 + $2)) ;;
    2) ulimit -f $((8 * $2)) ;;
    esac
    shift 2
    exec "$@"
}

# ---- a round ----

# shellcheck disable=SC2317 # called by wait_until
is_over() {
    ! grep -q '^State:[[:space:]]*[^ZX]' "/proc/$1/status" 2>/dev/null
}

# ours NAME: the processes of this test whose command begins so.
ours() {
    left_behind | awk -v start="$1" 'index(substr($0, index($0, " ") + 1), start) == 1 { print $1 }'
}

# signal_to SIGNAL PROCESS …: those that are still there.
signal_to() {
    signal_name=$1
    shift
    for process; do kill -"$signal_name" "$process" 2>/dev/null; done
}

# disturb WHAT ARGUMENT: what happens to the program, whose number is in $program.
disturb() {
    case $1 in
    signal) signal_to "$2" $program ;;
    pause)
        # shellcheck disable=SC2046 # numbers
        set -- $(ours "$SENJUTSU tournament")
        signal_to STOP "$@"
        sleep 0.4
        signal_to CONT "$@"
        ;;
    pause-bots)
        # shellcheck disable=SC2046 # numbers
        set -- $(ours "$SENJUTSU engine")
        signal_to STOP "$@"
        sleep 0.2
        signal_to CONT "$@"
        ;;
    kill-all)
        signal_to STOP $program
        # shellcheck disable=SC2046 # numbers
        signal_to KILL $(ours "$SENJUTSU engine")
        signal_to KILL $program
        ;;
    kill-rank | lose-rank)
        # shellcheck disable=SC2046 # numbers
        set -- $(ours "$SENJUTSU tournament")
        [ $# -lt 2 ] || signal_to KILL "$2"
        ;;
    esac
}

# number_of SIGNAL
# shellcheck disable=SC2317 # called by ended_well
number_of() {
    case $1 in
    HUP) echo 1 ;;
    INT) echo 2 ;;
    KILL) echo 9 ;;
    TERM) echo 15 ;;
    esac
}

# Ends that a disturbed program may have: done, a refusal in a sentence, or by the signal it got. What mpirun makes of
# signals and statuses is its own.
# shellcheck disable=SC2317 # called by expect
ended_well() {
    case $where-$kind-$status in
    *-0) return 0 ;;
    ranks-*-1 | ranks-signal-* | ranks-kill-rank-137) return 0 ;;
    threads-signal-*) [ "$status" -eq $((128 + $(number_of "$argument"))) ] ;;
    threads-kill-all-137) return 0 ;;
    threads-*-1) grep -q -E '^senjutsu( tournament)?: .*[a-z]' "$err" ;;
    *) return 1 ;;
    esac
}

# play COMMAND …: the event with these disturbances.
play() {
    case $where in
    ranks)
        [ "$kind" = lose-rank ] && set -- "$recovery" "$@"
        # shellcheck disable=SC2086 # a list of words
        set -- $ranks "$@"
        ;;
    threads) set -- "$@" --jobs $((number % 4 + 1)) ;;
    esac
    case $kind in
    fault) exec "$with_faults" "$(rules_of "$argument" "$number")" "$@" ;;
    limit) limited "$argument" "$number" "$@" ;;
    *) exec "$@" ;;
    esac
}

plan "$seed" "$rounds" >"$folder/box/plan"
round=0 deaths=0 ends=0
export FAULTS_SEED="$seed"
while read -r where kind argument pause number; do
    round=$((round + 1))
    command_line="CHAOS_SEED=$seed CHAOS_ROUNDS=$round $0; the last round: $where $kind $argument $pause $number"
    before=$(bytes_of event.db)
    play "$SENJUTSU" tournament --store event.db "$@" </dev/null >"$out" 2>"$err" &
    program=$!
    case $kind in
    fault | limit) ;;
    *)
        # A rank that dies while MPI starts ends all, and sometimes leaves mpirun waiting.
        case $kind in
        *-rank) wait_until store_moved event.db "$before" $program ;;
        esac
        sleep "$pause"
        disturb "$kind" "$argument"
        ;;
    esac
    expect "an end" wait_until is_over $program
    wait $program 2>/dev/null
    status=$?
    [ -z "${CHAOS_SHOW:-}" ] || printf '%s: %s %s\n' "$command_line" "$status" "$(head -n 1 "$err")"
    expect "a good end" ended_well
    expect_nothing_left
    expect "a store in order" in_order event.db
    [ $status -eq 0 ] || deaths=$((deaths + 1))
    if [ $status -eq 0 ]; then
        ends=$((ends + 1))
        shown=$command_line
        same_as_quiet "$@"
        [ $failures -eq 0 ] || printf '%s\n' "$shown"
    fi
    [ $failures -eq 0 ] || break
done <"$folder/box/plan"
same_as_quiet "$@"
printf '%d rounds of seed %s, %d deaths, %d ends\n' $round "$seed" $deaths $((ends + 1))
[ -n "${CHAOS_ONLY:-}" ] || expect "several deaths, not $deaths" [ $deaths -ge $((rounds / 5)) ]

finish
