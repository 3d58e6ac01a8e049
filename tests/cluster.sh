#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Starts $CLUSTER_TEST on three ranks, in as many ways as a run can end. Without mpirun there is nothing to test: 77
# says so to meson.
set -u

if [ -z "${CLUSTER_TEST:-}" ]; then
    echo "skipped: this build has no MPI"
    exit 77
fi
if ! command -v mpirun >/dev/null 2>&1; then
    echo "skipped: there is no mpirun"
    exit 77
fi

# What MPI itself keeps until the end is not ours to free.
ASAN_OPTIONS=${ASAN_OPTIONS:-}${ASAN_OPTIONS:+:}detect_leaks=0
export ASAN_OPTIONS

# More ranks than cores are usual here; Open MPI asks to be told so, and does not like to be run by root.
case $(mpirun --version 2>&1) in
*'Open MPI'* | *OpenRTE*) options='--oversubscribe --allow-run-as-root' ;;
*) options= ;;
esac

# All ranks are on this machine, but Open MPI insists on a way to reach others.
OMPI_MCA_plm_rsh_agent='sh'
export OMPI_MCA_plm_rsh_agent

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

# ranks N SECONDS ARGUMENT …: never longer than that, so that a rank that waits for ever is a failure.
ranks() {
    count=$1 seconds=$2
    shift 2
    # shellcheck disable=SC2086 # a list of words
    timeout "$seconds" mpirun $options -n "$count" "$CLUSTER_TEST" "$@" >"$folder/out" 2>"$folder/err"
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
ended_badly() {
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ] && ! grep -q 'survived' "$folder/err"
}

ranks 3 120 all "$folder/flag"
status=$?
expect "three ranks" all_done 3

ranks 1 60 alone -
status=$?
expect "one rank alone" all_done 1

for rank in 0 1; do
    ranks 3 60 leave $rank
    status=$?
    expect "rank $rank gives up" all_done 3
done

ranks 3 60 death "$folder/games.db"
status=$?
expect "a dying rank ends the run" ended_badly
"$CLUSTER_TEST" autopsy "$folder/games.db" >"$folder/out" 2>"$folder/err"
status=$?
expect "what had landed is safe" [ "$status" -eq 0 ]

exit $failed
