#!/bin/sh
# SPDX-License-Identifier: MIT
#
# examples/slurm/senjutsu.sbatch on a Slurm cluster of one machine: a time limit ends a run cleanly, a requeued job goes
# on from its store, a lost rank costs only its games in hand, a cancelled job stays away. ./test --cluster runs this.
# shellcheck source=tests/e2e/event_lib.sh
. "$(dirname "$0")/event_lib.sh"

for wanted in slurmctld slurmd sbatch mpirun; do
    command -v $wanted >/dev/null 2>&1 && continue
    echo "skipped: there is no $wanted (Debian: slurm-wlm, openmpi-bin)"
    exit 77
done
if [ "$(id -u)" -ne 0 ]; then
    echo "skipped: a Slurm cluster is started by root"
    exit 77
fi
if ! "$SENJUTSU_ROOT/tools/one-machine-slurm" start "$folder/slurm" 24 2>"$err"; then
    echo "skipped: Slurm does not start here: $(tail -n 1 "$err")"
    exit 77
fi
trap '"$SENJUTSU_ROOT/tools/one-machine-slurm" stop "$folder/slurm"; rm -rf "$folder"' EXIT
export SLURM_CONF="$folder/slurm/slurm.conf"
# More ranks than cores, started by root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
job_script=$SENJUTSU_ROOT/examples/slurm/senjutsu.sbatch

# ---- the event ----

# A bot that passes after a while: games take as long on any machine, and cost nothing.
cat >slow <<'END'
#!/bin/sh
while read -r verb _; do
    case $verb in
    sjp) printf 'id name slow\ngame tbs\nok\n' ;;
    go) sleep 0.1; printf 'best pass\nok\n' ;;
    quit) exit 0 ;;
    map) while read -r line && [ "$line" != endmap ]; do :; done; echo ok ;;
    *) echo ok ;;
    esac
done
END
chmod +x slow
event="--quiet --players ext:cmd=$PWD/slow,acteval,random --maps duel --games 60"
# shellcheck disable=SC2086 # options
tournament --json --jobs 16 $event
keep quiet.json
games=$(json_get games "$out")

# job OPTION …: submits the script for the store named last; leaves the job's number in $job.
submit() {
    store=$1
    shift
    # shellcheck disable=SC2086 # options
    expect_status 0 sbatch --parsable --output="$store.out" "$@" "$job_script" tournament $event --store "$store.db"
    job=$(cat "$out")
}

state() {
    scontrol --oneliner show job "$1" 2>/dev/null | sed -n 's/.* JobState=\([A-Z]*\).*/\1/p'
}

field() {
    scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"
}

# shellcheck disable=SC2317 # called by wait_until
is_state() {
    state "$1" | grep -q -E "^($2)\$"
}

stored() {
    "$SENJUTSU" verify --quiet --json "$1.db" 2>/dev/null | sed -n 's/^  "games": \([0-9]*\).*/\1/p'
}

# shellcheck disable=SC2317 # called by wait_until
has_stored() {
    now=$(stored "$1")
    [ "${now:-0}" -ge "$2" ]
}

expect_whole() {
    command_line="the job of $1"
    cp "$1.out" "$out"
    expect "$1: $games games" [ "$(stored "$1")" = "$games" ]
    tournament --json --store "$1.db"
    same_result quiet.json
}

# The ranks of a store, the first of them 0: our program with such a number in its environment.
rank_of() {
    left_behind | grep -- "--store $1.db" | while read -r id command _; do
        [ "$command" = "$SENJUTSU" ] && tr '\0' '\n' <"/proc/$id/environ" 2>/dev/null |
            grep -q "^OMPI_COMM_WORLD_RANK=$2\$" && echo "$id"
    done
}

# lose STORE RANK: kills that rank once there are games.
lose() {
    expect "$1: games in the store" wait_until has_stored "$1" 3
    kill -KILL "$(rank_of "$1" "$2")"
}

# All at once: none of them needs much of a core. Limits have a resolution of a minute, and a warning may come a minute
# earlier than it was asked for.
submit limit --time=1 --signal=B:USR1@50 --cpus-per-task=2
limit_job=$job
submit limit-ranks --time=1 --signal=B:USR1@50 --ntasks=3
limit_ranks_job=$job
submit ranks --ntasks=4
ranks_job=$job
submit leader --ntasks=3
leader_job=$job
submit requeued --ntasks=3
requeued_job=$job
submit cancelled --cpus-per-task=2
cancelled_job=$job

# ---- lost ranks, requeued from outside, cancelled ----

lose ranks 1
lose leader 0

expect "requeued: games in the store" wait_until has_stored requeued 3
kept=$(stored requeued)
expect_status 0 scontrol requeue "$requeued_job"
expect "requeued: an end of the first run" wait_until is_state "$requeued_job" PENDING
expect "requeued: at least $kept games are kept" [ "$(stored requeued)" -ge "$kept" ]

expect "cancelled: games in the store" wait_until has_stored cancelled 2
expect_status 0 scancel "$cancelled_job"
expect "cancelled: the job to end" wait_until is_state "$cancelled_job" CANCELLED
expect_status 0 "$SENJUTSU" verify --quiet cancelled.db
expect_out 'the tournament is not over yet'

# ---- their ends ----

# expect_complete NAME JOB RESTARTS: a job that came to its end by itself, with so many restarts.
expect_complete() {
    expect "$1: an end" wait_until is_state "$2" 'COMPLETED|FAILED|TIMEOUT|NODE_FAIL|CANCELLED'
    expect "$1: a complete job, not $(state "$2")" [ "$(state "$2")" = COMPLETED ]
    restarts=$(field "$2" Restarts)
    expect "$1: $3 restarts, not $restarts" is_one_of "$restarts" "$3"
    expect_whole "$1"
}

requeued_by_itself() {
    expect "$1: requeued by the script" grep -q '^senjutsu.sbatch: ended with status [0-9]*; requeued' "$1.out"
}

expect_complete ranks "$ranks_job" 0
expect "ranks: a word about the one that died" grep -q ': 1 of 4 ranks died; what they had in hand went to the others' ranks.out
expect_complete leader "$leader_job" 1
requeued_by_itself leader
expect_complete requeued "$requeued_job" 1
expect_complete limit "$limit_job" '1 2 3'
expect_complete limit-ranks "$limit_ranks_job" '1 2 3'
for name in limit limit-ranks; do
    requeued_by_itself $name
    expect "$name: a clean end of the first run" grep -q 'stopped after [0-9]* games' $name.out
done
expect "cancelled: not to come back" is_state "$cancelled_job" CANCELLED
[ "$failures" -eq 0 ] || tail -n 40 ./*.out "$folder/slurm/slurmctld.log"

finish
