# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Published experiments, made small. Those that take seconds are run; all of them are summed up from the trials in the
# journals beside this file, where times are as fixed as results. EXPECTED=journals makes those journals again, which takes
# minutes and is needed when an experiment, its maps or its players change.

trials_of() {
    case $1 in
    tbs-table5 | tbs-table6 | tbs-fig4) echo 3 ;;
    tbs-table7 | tbs-fig5 | tbs-remedies | mapgen-cost | synth-fig[2489] | synth-switching | geister-fusion) echo 2 ;;
    *) echo 1 ;;
    esac
}
journals=$SENJUTSU_ROOT/tests/expected/repro
mkdir empty
# There are no programs in that path: gnuplot's pictures differ between versions.
repro() {
    shot env PATH="$folder/work/empty" "$SENJUTSU" repro "$@" --quiet
}
if [ "${EXPECTED:-}" = journals ]; then
    for old in "$journals"/*.journal; do
        name=$(basename "$old" .journal)
        repro "$name" --trials "$(trials_of "$name")" --out made
        sed -e '1s/ program=[^ ]*/ program=ANY/' "made/$name.journal" >"$old"
    done
fi

shot "$SENJUTSU" repro list
shot "$SENJUTSU" repro list --json

# The trials themselves, but for the columns with times.
for name in tbs-fig2 tbs-fig4 tbs-fig5 tbs-table5 tbs-table6 tbs-remedies mapgen-cost geister-fusion synth-fig2 synth-fig4 synth-readings \
    synth-switching; do
    expect_status 0 "$SENJUTSU" repro $name --trials 1 --jobs 2 --quiet --out fresh
    awk -F , '{ count = split($0, part, "\""); $0 = ""
            for (i = 1; i <= count; i++) { if (i % 2 == 0) gsub(",", ";", part[i]); $0 = $0 part[i] } }
        NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /(^|_)(ms|seconds)(_|$)/) skip[i] = 1 }
        { line = ""; for (i = 1; i <= NF; i++) if (!(i in skip)) line = line "," $i; print substr(line, 2) }' \
        "fresh/$name-trials.csv" >"$name-trials.csv"
    files "$name-trials.csv"
done
version=$("$SENJUTSU" --version | awk 'NR == 1 { print $2 }')
mkdir kept
for journal in "$journals"/*.journal; do
    name=$(basename "$journal" .journal)
    sed -e "1s/ program=ANY/ program=$version/" "$journal" >"kept/$name.journal"
    repro "$name" --trials "$(trials_of "$name")" --out kept --jobs 1
    for file in kept/"$name"*.csv kept/"$name"*.gp kept/"$name".json; do
        [ -e "$file" ] && sums "$file"
    done
done
repro report kept
sed 's/"pictures":{\("[^"\\]*":"\(\\.\|[^"\\]\)*",*\)*}//g' kept/report.html >page.html # the maps' pictures are Cairo's, which differ between versions
sums page.html
repro synth-fig2 --json --trials 2 --out kept

# A program in gnuplot's place: one that draws, one that stops half-way, one that fails.
mkdir fake
draw_with() {
    {
        echo '#!/bin/sh'
        echo "plot=\$(basename \"\$2\" .gp)"
        printf '%s\n' "$@"
    } >fake/gnuplot
    chmod +x fake/gnuplot
    shot env PATH="$folder/work/fake:/usr/bin:/bin" "$SENJUTSU" repro tbs-fig2 --json --out drawn
    (cd drawn && LC_ALL=C ls) >names.txt
    files names.txt
}
draw_with "printf '<svg><g id=\"%s\"/></svg>\\n\\n' \"\$1 \$plot \$#\" >\"\$3/\$plot.svg\"" \
    "printf 'xIEND\\256B\\140\\202' >\"\$3/\$plot.png\""
files drawn/tbs-fig2-scatter.svg
shot "$SENJUTSU" repro report drawn
sed '/^<script>$/,/^<\/script>$/d;/^<style>$/,/^<\/style>$/d' drawn/report.html >drawn.html # the rest is made of web/
files drawn.html
draw_with "printf '<svg><g' >\"\$3/\$plot.svg\""
draw_with "printf '<svg></svg>' >\"\$3/\$plot.svg\"" "printf 'IEN' >\"\$3/\$plot.png\""
draw_with 'echo noise' 'echo noise >&2' 'exit 3'
# shellcheck disable=SC2016 # the number is the program's
draw_with 'kill -9 $$'
