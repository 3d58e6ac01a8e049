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
"$SENJUTSU" bench --seconds 0.01 >text 2>&1
"$SENJUTSU" bench --seconds 0.01 --json >json 2>&1
lines_shown=600
for name in text json; do
    measured <$name >$name.txt
    files $name.txt
done
