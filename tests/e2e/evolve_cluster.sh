#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Making maps on the ranks of a cluster: the same folder as on threads, and one message for an error.
# shellcheck source=tests/e2e/evolve_lib.sh
. "$(dirname "$0")/evolve_lib.sh"
# shellcheck source=tests/e2e/mpi_lib.sh
. "$(dirname "$0")/mpi_lib.sh"

# ranks COUNT OPTION …
ranks() {
    ranks_count=$1
    shift
    on_ranks "$ranks_count" evolve --quiet "$@"
}

# shellcheck disable=SC2086 # options
ranks 3 $tiny --out ranks
skip_without_mpi
expect "three ranks to end well" [ $status -eq 0 ]
# shellcheck disable=SC2086 # options
evolve $tiny --out first
expect "the same folder by ranks" same_folder first ranks
ranks 3 --out ranks
expect "three ranks to show it" [ $status -eq 0 ]
expect "the same folder again" same_folder first ranks
designer="--preset designer $fast --generations 4 --verify 10"
# shellcheck disable=SC2086 # options
evolve $designer --out archive
# shellcheck disable=SC2086 # options
ranks 3 $designer --out ranks-archive
expect "three ranks to make an archive" [ $status -eq 0 ]
expect "the same archive by ranks" same_folder archive ranks-archive
for arguments in '--games 11' '--from nosuch' '--out ranks --seed 2'; do
    # shellcheck disable=SC2086 # options
    ranks 3 $arguments
    expect "it to be refused, and not by running out of time" is_one_of $status '1 2'
    expect "one rank to say so" [ "$(grep -c '^senjutsu evolve: ' "$err")" -eq 1 ]
done

finish
