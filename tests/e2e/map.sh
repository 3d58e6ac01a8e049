#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu map: show, check, draw, convert, random, stats.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap
escape=$(printf '\033')

# ---- show ----

expect_status 0 "$SENJUTSU" map show tiny.tbsmap --ids
expect_out '^tiny\.tbsmap: 4 x 3 cells, limit 8 turns, threshold 2, 2 red and 2 blue units$'
expect_out '^ 1 +0P10 +\. +\. +2p10\*'
expect_out '^ 2 +\. +# += +~'
expect_out '^ 3 +1I7 ?@ +\. +\. +3f10'
expect_no_out "$escape"
expect_silent_err
expect_status 0 env TERM=xterm-256color "$SENJUTSU" map show tiny.tbsmap --legend
expect_out 'F fighter .* I infantry'
expect_out '~ sea'
expect_no_out "$escape"
expect_status 0 "$SENJUTSU" map show "$maps/duel.tbsmap" tiny.tbsmap
expect_count 2 'cells, limit [0-9]+ turns'

# ---- check ----

expect_status 0 "$SENJUTSU" map check "$maps"/*.tbsmap
for file in "$maps"/*.tbsmap; do
    expect "'ok' for $file" grep -q -x -F -e "$file: ok" "$out"
done
expect_status 0 "$SENJUTSU" map check --json tiny.tbsmap
expect "ok to be true" [ "$(json_get 0.ok "$out")" = true ]

# broken SED-EDIT LINE PATTERN: the tiny map with that edit has a problem in that line that reads so.
broken() {
    sed "$1" tiny.tbsmap >broken.tbsmap
    expect_status 1 "$SENJUTSU" map check broken.tbsmap
    expect_out "^broken\\.tbsmap:$2: .*$3"
    expect_refusal
}
broken 's/panzer,1/panzr,1/' 13 "'panzr' is unknown; expected fighter, attacker, panzer"
broken 's/SIZEX\[6/SIZEX[9999/' 1 "SIZEX is '9999'; expected a number"
broken 's/SIZEX\[6/SIZEX[six/' 1 "SIZEX is 'six'"
broken 's/0,1,0,5,2,0/0,1,0,5,2/' 8 'row 2 has 5 cells'
broken 's/0,1,0,5,2,0/0,1,0,5,9,0/' 8 "terrain '9' at 4,2"
broken 's/\[1,1,panzer,0/[2,2,panzer,0/' 11 'unit 0 .*2,2 .*no-entry'
broken 's/\[1,3,inf/[1,1,inf/' 12 'units 0 and 1 both stand at 1,1'
broken 's/\[1,3,inf/[9,9,inf/' 12 'unit 1 .*9,9.*outside'
broken 's/,7,0\]/,0,0]/' 12 "HP is '0'"
broken 's/infantry,0/infantry,2/' 12 "team is '2'"
broken 's/TURNLIMIT\[8/TURNLIMIT[0/' 2 "TURNLIMIT is '0'"

expect_status 1 "$SENJUTSU" map check --json broken.tbsmap tiny.tbsmap
expect "the first file not to be ok" [ "$(json_get 0.ok "$out")" = false ]
expect "the problem to be in line 2" [ "$(json_get 0.problems.0.line "$out")" = 2 ]
expect "the second file to be ok" [ "$(json_get 1.ok "$out")" = true ]

# A map with a problem that `check` calls fatal cannot be played.
expect_status 1 "$SENJUTSU" map show broken.tbsmap
expect_refusal
expect_err 'broken\.tbsmap:2: '

# ---- draw ----

# begins_with FILE BYTES
begins_with() {
    [ "$(head -c "${#2}" "$1" | od -An -c)" = "$(printf %s "$2" | od -An -c)" ]
}

if ! draws; then
    skip "map draw: this build is without Cairo"
else
    for kind in png svg pdf; do
        expect_status 0 "$SENJUTSU" map draw tiny.tbsmap --out "tiny.$kind" --cell 24
        expect_silent_err
        expect "tiny.$kind to be written" [ -s "tiny.$kind" ]
    done
    expect "a PNG" begins_with tiny.png "$(printf '\211PNG\r')"
    expect "an SVG" grep -q '<svg ' tiny.svg
    expect "a whole SVG" grep -q '</svg>' tiny.svg
    expect "a PDF" begins_with tiny.pdf '%PDF-1.'
    expect "a whole PDF" grep -q -a '%%EOF' tiny.pdf
    cp tiny.png first.png
    expect_status 0 "$SENJUTSU" map draw tiny.tbsmap --out tiny.png --cell 24
    expect_same first.png tiny.png
    rm -f tiny.png
    expect_status 0 "$SENJUTSU" map draw tiny.tbsmap
    expect "the picture here, under the map's name" begins_with tiny.png "$(printf '\211PNG\r')"
    expect_status 2 "$SENJUTSU" map draw tiny.tbsmap --out tiny.gif
    expect_refusal
    expect_err '\.png, \.svg or \.pdf'
    expect_status 2 "$SENJUTSU" map draw tiny.tbsmap --cell 0
    expect_refusal
fi

# ---- convert ----

for file in tiny.tbsmap "$maps/duel.tbsmap" "$maps/late_start.tbsmap" "$maps/largest.tbsmap"; do
    expect_status 0 "$SENJUTSU" map convert "$file" --out once.tbsmap
    expect_status 0 "$SENJUTSU" map convert once.tbsmap --out twice.tbsmap
    expect_same once.tbsmap twice.tbsmap
    expect_status 0 "$SENJUTSU" map convert "$file" --out map.json
    expect "the JSON to name its format" [ "$(json_get format map.json)" = '"senjutsu-map"' ]
    expect_status 0 "$SENJUTSU" map convert map.json --out back.tbsmap
    expect_same once.tbsmap back.tbsmap
    expect_status 0 "$SENJUTSU" map convert once.tbsmap --json
    expect_same "$out" map.json
done

# What the platform's own editor leaves behind: CRLF, Shift_JIS, all on one line.
{
    printf 'AUTHOR[\223\214\213\236];'
    tr -d '\n' <tiny.tbsmap | sed 's/AUTHOR\[tests\];//'
    printf '\r\n'
} >foreign.tbsmap
expect_status 0 "$SENJUTSU" map convert foreign.tbsmap --out ours.tbsmap
expect "the author in UTF-8" grep -q "AUTHOR\\[$(printf '\346\235\261\344\272\254')\\]" ours.tbsmap
expect "no carriage return" lacks "$(printf '\r')" ours.tbsmap
sed 's/AUTHOR.*/AUTHOR[tests];/' ours.tbsmap >renamed.tbsmap
"$SENJUTSU" map convert tiny.tbsmap >canonical.tbsmap
expect_same renamed.tbsmap canonical.tbsmap

# ---- random ----

expect_status 0 "$SENJUTSU" map random --seed 7 --out one.tbsmap
expect_status 0 "$SENJUTSU" map random --seed 7
expect_same "$out" one.tbsmap
expect_status 0 "$SENJUTSU" map random --seed 8 --out other.tbsmap
expect "another seed to give another map" [ "$(cmp one.tbsmap other.tbsmap >/dev/null; echo $?)" -eq 1 ]
expect_status 0 "$SENJUTSU" map random --seed 3 --width 8 --height 5 --red 4 --blue 7 --limit 9 --threshold 1 \
    --types P,infantry --hp 3-5 --out made.tbsmap
expect_status 0 "$SENJUTSU" map check one.tbsmap other.tbsmap made.tbsmap
expect_status 0 "$SENJUTSU" map show made.tbsmap
expect_out ': 8 x 5 cells, limit 9 turns, threshold 1, 4 red and 7 blue units$'
expect "only the types and HP asked for" \
    awk -F '[][,]' '/^UNIT\[/ { if ($4 !~ /^(panzer|infantry)$/ || $6 < 3 || $6 > 5) exit 1 }' made.tbsmap
expect_status 0 "$SENJUTSU" map random --seed 5 --width 5 --height 4 --symmetric --units 3 --out turned.tbsmap
expect_status 0 "$SENJUTSU" map check turned.tbsmap
expect "terrain that is the same turned by 180 degrees" awk '/^MAP\[/ {
        gsub(/[^0-9]/, ""); back = ""
        for (i = length($0); i > 0; i--) back = back substr($0, i, 1)
        row[++n] = $0; turned[n] = back
    } END { for (i = 1; i <= n; i++) if (row[i] != turned[n + 1 - i]) exit 1; exit n != 6 }' turned.tbsmap
# Without a seed the map's comment must hold the one that was taken, so that it can be made again.
expect_status 0 "$SENJUTSU" map random --out found.tbsmap
seed=$(sed -n 's/^MAPCOM\[.*seed \([0-9]*\).*/\1/p' found.tbsmap)
expect_status 0 "$SENJUTSU" map random --seed "${seed:-none}"
expect_same "$out" found.tbsmap

# impossible PATTERN OPTION …: refused with a message that matches, and no file is written.
impossible() {
    pattern=$1
    shift
    expect_status "1 2" "$SENJUTSU" map random --seed 1 --out never.tbsmap "$@"
    expect_refusal
    expect_err "$pattern"
    expect "no file" [ ! -e never.tbsmap ]
}
impossible '120 units do not fit on 3 x 3' --units 60 --width 3 --height 3
impossible 'panzer has no terrain' --terrain sea=1 --types panzer
impossible 'no terrain has a weight' --terrain plain=0
impossible "'lava' is unknown; known are plain" --terrain lava=2
impossible "'X' is unknown; expected fighter" --types X
impossible 'width 99' --width 99
impossible 'hp.*1-10' --hp 5-20
impossible 'hp.*1-10' --hp 9-2
impossible 'extra' extra

# ---- stats ----

expect_status 0 "$SENJUTSU" map stats tiny.tbsmap
expect_out '^ +0 red +panzer +1,1 +10'
expect_out '^ +red +2 +13 +3 +1 +1 '
expect_silent_err
expect_status 0 "$SENJUTSU" map stats --json tiny.tbsmap
expect "13 moves" [ "$(json_get 0.sides.red.moves "$out")" = 13 ]
expect "3 attacks" [ "$(json_get 0.sides.red.attacks.all "$out")" = 3 ]
expect "1 attack with power" [ "$(json_get 0.sides.red.attacks.power "$out")" = 1 ]
expect "the fighter's HP" [ "$(json_get 0.units.3.hp "$out")" = 10 ]
expect_status 0 "$SENJUTSU" map stats --json --limit-positions 1000 "$maps/duel.tbsmap" "$maps/standard.tbsmap"
expect "a second map" [ "$(json_get 1.turn_limit "$out")" -gt 0 ]

# ---- wrong usage ----

expect_status 2 "$SENJUTSU" map
expect_refusal
expect_err 'show, check, draw, convert, random, stats, judge or repair'
expect_status 2 "$SENJUTSU" map paint
expect_refusal
expect_err "'paint'.*show, check"
for verb in show check draw convert stats; do
    expect_status 2 "$SENJUTSU" map "$verb"
    expect_silent_out
    expect_refusal
done

finish
