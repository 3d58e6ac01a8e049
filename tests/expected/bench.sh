# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What `bench` says, but for what it measures: rows, columns, units, published figures, the counts of work that is fixed.

# measured: numbers before a unit, shares and what stands in JSON with a fraction as N.
measured() {
    sed -E -e 's/ +-?[0-9]+(\.[0-9]+)? (million|thousand|games\/s|maps\/s|ns|ms|us|a second|times|simulations|iterations)/ N \2/g' \
        -e 's/[0-9.]+%/N%/g' -e 's/[0-9]+ cores/N cores/' -e 's/-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?(,?)$/N\2/' \
        -e 's/"(threads|cores|workers)": [0-9]+/"\1": N/' -e 's/"(compiler|build|version)": "[^"]*"/"\1": W/'
}
"$SENJUTSU" bench --seconds 0.01 >text 2>&1 &
as_text=$!
"$SENJUTSU" bench --seconds 0.01 --json >json 2>&1
wait $as_text
lines_shown=600
for name in text json; do
    measured <$name >$name.txt
    files $name.txt
done

# above_0 PATH …: these numbers of the JSON are positive; measured() hides them.
above_0() {
    for path in "$@"; do
        line "$path: $(awk -v n="$(json_get "$path" json)" 'BEGIN { print (n + 0 > 0 ? "above 0" : n) }')"
    done
}
for row in small medium large; do
    above_0 $row.unit_actions_per_second $row.games_per_second $row.all_cores.unit_actions_per_second
done
above_0 judging.ms_per_map judging.thinking_ms hidden.playout_ns hidden.cfr_iterations_per_second
for figure in random_moves_per_second leave_games_per_second gst_a_playouts_per_second gst_b_playouts_per_second \
    gst_c_playouts_per_second purple_ms purple_nodes policy_moves_per_second; do
    above_0 geister.$figure
done
line "balanced JSON: $(json_get unbalanced json)"
