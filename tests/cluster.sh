#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Starts $CLUSTER_TEST on three ranks, in as many ways as a run can end. Without mpirun the test is skipped: meson takes
# the status 77 as skipped.
set -u

if [ -z "${CLUSTER_TEST:-}" ]; then
    echo "skipped: this build has no MPI"
    exit 77
fi
# shellcheck source=tests/e2e/mpi_lib.sh
. "$(dirname "$0")/e2e/mpi_lib.sh"

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

# ranks N SECONDS ARGUMENT …: never longer than that, so that a rank that waits for ever is a failure.
ranks() {
    count=$1 seconds=$2
    shift 2
    # shellcheck disable=SC2086 # a list of words
    timeout "$seconds" mpirun $mpi_options -n "$count" "$CLUSTER_TEST" "$@" >"$folder/out" 2>"$folder/err"
}

# expect NAME CONDITION …
expect() {
    name=$1
    shift
    if "$@"; then
        echo "ok: $name"
        return
    fi
    echo "not ok: $name"
    cat "$folder/out" "$folder/err"
    failed=1
}

# shellcheck disable=SC2317 # called by expect
all_done() {
    [ "$status" -eq 0 ] && [ "$(grep -c 'is done$' "$folder/out")" -eq "$1" ]
}

# shellcheck disable=SC2317 # called by expect
is_one_of() {
    for choice in $2; do
        [ "$1" = "$choice" ] && return 0
    done
    return 1
}

ranks 3 120 all "$folder/flag"
status=$?
expect "three ranks" all_done 3

ranks 1 60 alone -
status=$?
expect "one rank alone" all_done 1

ranks 1 60 lifelines -
status=$?
expect "lifelines show who has died" all_done 1

for rank in 0 1; do
    ranks 3 60 leave $rank
    status=$?
    expect "rank $rank gives up" all_done 3
done

# shellcheck disable=SC2317 # called by expect
has_aborted() {
    [ "$status" -eq 1 ] && [ "$(grep -c 'lacks memory$' "$folder/out")" -eq "$1" ] &&
        ! grep -q 'cluster_test\.c' "$folder/err"
}

ranks 2 60 shortage later
status=$?
expect "a rank without memory for a message ends all" has_aborted 1
ranks 1 60 shortage 'at once'
status=$?
expect "a rank without memory for its start ends all" has_aborted 0

# autopsy: 0 when every game is in the store, 3 when a part of them is.
autopsy() {
    "$CLUSTER_TEST" autopsy "$folder/games.db" >"$folder/out" 2>"$folder/err"
}

# Without further options mpirun ends all ranks when one has died; chance decides which of them is faster.
ranks 3 60 death "$folder/games.db"
status=$?
expect "a dying rank does not leave others waiting" [ $status -ne 124 ]
autopsy
status=$?
expect "what had landed is safe" is_one_of $status '0 3'

# With recovery the other ranks survive and do the work.
case $mpi_options in
*oversubscribe*) ;;
*)
    echo "skipped: only Open MPI's mpirun is known to leave the other ranks alone"
    exit $failed
    ;;
esac
plain=$mpi_options
mpi_options="$plain --enable-recovery"
rm -f "$folder"/games.db*
ranks 3 120 death "$folder/games.db"
status=$?
expect "the others do what a dead rank had in hand" all_done 2
autopsy
status=$?
expect "and every job's result is there" [ $status -eq 0 ]
ranks 3 60 deaths -
status=$?
expect "rank 0 alone gives up" all_done 1
ranks 3 60 leaderless -
status=$?
expect "without rank 0 the others give up" [ "$(grep -c 'is done$' "$folder/out")" -eq 2 ]

# Over connections, as between machines, Open MPI itself may fail in a transfer to the dead rank.
mpi_options="$plain --enable-recovery --mca btl tcp,self"
for kind in death deaths leaderless; do
    rm -f "$folder"/games.db*
    ranks 3 60 $kind "$folder/games.db"
    status=$?
    expect "$kind over connections leaves no rank waiting" [ $status -ne 124 ]
done

exit $failed
