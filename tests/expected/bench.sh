# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# All of `bench`, as text and as JSON. Time passes only when the clock is read, and there is one core: what is measured
# depends on the work done and on the number of readings, and is the same in every run. A speed that is computed
# wrongly, other work, or another number of repetitions shows here.
need_faults

# built: what depends on this build as W.
built() {
    sed -E -e 's/"(compiler|build|version)": "[^"]*"/"\1": W/' | without_new
}
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
counted='monotonic 0 each=0.001; cores 1'
"$with_faults" "$counted" "$SENJUTSU" bench --seconds 0.01 >text 2>&1 &
as_text=$!
"$with_faults" "$counted" "$SENJUTSU" bench --seconds 0.014 --json >json 2>&1
line "status of --json: $?"
wait $as_text
line "status: $?"
for name in text json; do
    line "= $name"
    built <$name >>"$found"
done
line "balanced JSON: $(json_get unbalanced json)"
line "left in TMPDIR: $(find "$TMPDIR" -name 'senjutsu-bench-*')"
# A new player is timed, too, which moves the clock for all later players: the numbers cannot be compared until it is in
# registered.txt.
if [ -n "$NEW_NAMES" ]; then
    sed -E 's/ +[0-9]+(\.[0-9]+)?/ N/g' "$expected" >"$folder/box/without_numbers"
    expected=$folder/box/without_numbers
    sed -E 's/ +[0-9]+(\.[0-9]+)?/ N/g' "$found" >"$folder/box/found"
    mv "$folder/box/found" "$found"
fi
