# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # err and SENJUTSU are the other library's
#
# For tests that run on the ranks of a cluster; sourced after the library of the test. Where there is no mpirun, the
# test is skipped.

if ! command -v mpirun >/dev/null 2>&1; then
    echo "skipped: there is no mpirun"
    exit 77
fi

# The tests use more ranks than cores, and may run as root: Open MPI needs an option for each. All ranks are on this
# machine, but Open MPI still requires a command that reaches other machines.
case $(mpirun --version 2>&1) in
*'Open MPI'* | *OpenRTE*) mpi_options='--oversubscribe --allow-run-as-root' ;;
*) mpi_options= ;;
esac
OMPI_MCA_plm_rsh_agent='sh'
# Memory that MPI itself holds until the end is not a leak of ours.
ASAN_OPTIONS=${ASAN_OPTIONS:-}${ASAN_OPTIONS:+:}detect_leaks=0
export OMPI_MCA_plm_rsh_agent ASAN_OPTIONS

# on_ranks COUNT ARGUMENT …: senjutsu on so many ranks.
on_ranks() {
    mpi_count=$1
    shift
    # shellcheck disable=SC2086 # a list of words
    run mpirun $mpi_options -n "$mpi_count" "$SENJUTSU" "$@"
}

# skip_without_mpi: after the first run. A build without MPI refuses ranks, and there is nothing to test.
skip_without_mpi() {
    grep -q 'built without MPI' "$err" || return 0
    echo "skipped: this build has no MPI"
    exit 77
}
