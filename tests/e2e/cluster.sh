#!/bin/sh
# SPDX-License-Identifier: MIT
#
# An event on the ranks of a cluster has the table it has on threads, also when a rank is killed and it goes on.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"
# shellcheck source=tests/e2e/mpi_lib.sh
. "$(dirname "$0")/mpi_lib.sh"
limit=120

# ranks COUNT OPTION …: a tournament on so many ranks.
ranks() {
    ranks_count=$1
    shift
    on_ranks "$ranks_count" tournament --quiet "$@"
}

ranks 1 --players random,acteval --maps duel
skip_without_mpi
expect "one rank to do it alone" [ $status -eq 0 ]
expect_out '^2 of 2 games.* complete$'

is_sanitized && games=10 || games=30
event="--players uct:sims=300,uct:sims=200,acteval,random --maps standard,duel --games $games"
swiss="--players uct:sims=100,uct:sims=60,acteval,random,first --maps duel --format swiss --final 2 --games 4"

# ---- the same table ----

for kind in event swiss; do
    [ $kind = event ] && arguments=$event || arguments=$swiss
    # shellcheck disable=SC2086 # options
    tournament --json --jobs 1 $arguments
    keep $kind.json
    # shellcheck disable=SC2086 # options
    tournament --json --jobs 8 $arguments
    same_result $kind.json
    # shellcheck disable=SC2086 # options
    ranks 3 --json $arguments --store $kind.db --out $kind-pages
    expect "three ranks to end well" [ $status -eq 0 ]
    same_result $kind.json
    expect "every game once" numbered $kind-pages/games.csv "$(json_get games "$out")"
    expect_status 0 "$SENJUTSU" verify --quiet $kind.db
    ranks 3 --json --store $kind.db
    expect "three ranks to show it" [ $status -eq 0 ]
    same_result $kind.json
done

# ---- a rank is stopped for a while ----

# A player that stops its rank, once, when it is asked for an action, and an opponent that is at fault: the results
# of the games have records, reports of faults and void games.
cat >stopper.sh <<'END'
while read -r line; do
    case $line in
    quit*) exit ;;
    map*) while read -r line && [ "$line" != endmap ]; do :; done ;;
    go*)
        [ -e stopped ] || { : >stopped && kill -STOP "$PPID" && sleep 1.6 && kill -CONT "$PPID"; }
        echo 'best pass'
        ;;
    esac
    echo ok
done
END
ranks 2 --json --players 'ext:cmd=exec sh ./stopper.sh,ext:cmd=exit 3' --maps duel --clock turn=60 --store stopped.db
expect "two ranks to end well" [ $status -eq 0 ]
expect "one void game, the one that it begins" [ "$(json_get times.voids.0.game "$out")" = 1 ]
expect "and no other" [ -z "$(json_get times.voids.1.game "$out")" ]
expect "two faults" [ "$(json_get standings.1.faults.crash "$out")" = 2 ]
expect_status 0 "$SENJUTSU" verify stopped.db
expect_out '^game 1, stopped for [1-9][0-9.]* s after 0 actions$'

# ---- an error is reported once ----

for arguments in "--players random,acteval --maps nosuch" "--store nosuch.db" "--players random,nosuch"; do
    # shellcheck disable=SC2086 # options
    ranks 3 $arguments
    expect "it to be refused, and not by running out of time" is_one_of $status '1 2'
    expect "one rank to say so" [ "$(grep -c '^senjutsu tournament: ' "$err")" -eq 1 ]
done

# ---- a rank is killed ----

# A player that waits in its fifth and later games while there is a file "hold": both ranks that play get so far, with
# results stored and others to come, however fast the machine is.
cat >holder.sh <<'END'
while read -r line; do
    case $line in
    quit*) exit ;;
    newgame*) echo game >>games ;;
    map*) while read -r line && [ "$line" != endmap ]; do :; done ;;
    go*)
        if [ -e hold ] && [ "$(wc -l <games)" -ge 5 ]; then
            : >"waits.$PPID"
            while [ -e hold ]; do sleep 0.05; done
        fi
        echo 'best pass'
        ;;
    esac
    echo ok
done
END
holder='ext:cmd=exec sh ./holder.sh'
# hold_event OPTION …: begins an event on three ranks, and returns when ranks 1 and 2 wait in a game.
hold_event() {
    rm -f games waits.*
    : >hold
    # shellcheck disable=SC2086 # options
    timeout $limit mpirun $mpi_options "$@" -n 3 "$SENJUTSU" tournament --quiet --json \
        --players "uct:sims=100,acteval,$holder" --maps duel --games 12 --store held.db >"$out" 2>"$err" &
    program=$!
    command_line="mpirun $* -n 3 senjutsu tournament, with rank 1 killed"
    wait_until both_held
}

# shellcheck disable=SC2317 # called by wait_until
both_held() {
    [ "$(find . -maxdepth 1 -name 'waits.[0-9]*' | wc -l)" -eq 2 ]
}

# rank_process RANK: this test's program with that number in its environment.
rank_process() {
    left_behind | while read -r id _; do
        tr "\0" "\n" 2>/dev/null <"/proc/$id/environ" | grep -q -E "^(OMPI_COMM_WORLD_RANK|PMI_RANK)=$1\$" &&
            [ "$(readlink "/proc/$id/exe")" = "$(readlink -f "$SENJUTSU")" ] && echo "$id"
    done
}

tournament --json --jobs 1 --players "uct:sims=100,acteval,$holder" --maps duel --games 12
keep held.json

hold_event
kill -KILL "$(rank_process 1)"
wait $program
status=$?
expect "the run to fail" [ $status -ne 0 ]
expect "and not by running out of time" [ $status -ne 124 ]
rm hold
expect_nothing_left
expect_status 0 "$SENJUTSU" verify --quiet --json held.db
expect_out '^  "games": [1-9]'
cp held.db alone.db
for file in held.db-wal held.db-shm; do
    [ ! -e $file ] || cp $file "alone${file#held}"
done
ranks 3 --json --store held.db --continue --programs
expect "three ranks to go on" [ $status -eq 0 ]
same_result held.json
tournament --json --store alone.db --continue --programs --jobs 2
same_result held.json
expect_status 0 "$SENJUTSU" verify --quiet held.db
expect_status 0 "$SENJUTSU" verify --quiet alone.db

# ---- a rank is killed, and the others are left alone ----

# Rank 0 is stopped while the others finish a game. MPI announces a result that is longer than the limit before it
# transfers it: rank 1 is killed between the two.
case $mpi_options in
*oversubscribe*)
    rm held.db
    OMPI_MCA_btl_vader_eager_limit=256
    export OMPI_MCA_btl_vader_eager_limit
    hold_event --enable-recovery
    leader=$(rank_process 0)
    kill -STOP "$leader"
    rm hold
    sleep 1
    kill -KILL "$(rank_process 1)"
    kill -CONT "$leader"
    wait $program
    status=$?
    expect "the others to end well" [ $status -eq 0 ]
    expect_err '^senjutsu tournament: 1 of 3 ranks died; what they had in hand went to the others$'
    same_result held.json
    expect_nothing_left
    expect_status 0 "$SENJUTSU" verify --quiet held.db
    ;;
*) skip "only Open MPI's mpirun is known to leave the other ranks alone" ;;
esac

finish
