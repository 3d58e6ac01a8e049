# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Everything that `map` prints and writes.

s map list
for map in duel standard rooms late_start archipelago24 paper_fig5; do
    s map show $map --legend
    s map convert $map --json
    s map convert $map
done
s map show duel islands --ids --no-color
s map show largest
s map check duel standard
s map check "$maps/rivers20.tbsmap" --json
for map in duel standard bridge ambush islands late_start handicap siege24 battle30 skirmish_air; do
    s map stats $map --limit-positions 20000
done
s map stats duel skirmish_cannon mountain_pass largest fortress_siege --json --limit-positions 2000
s map stats endgame --limit-positions 0

write_tiny_map tiny.tbsmap
{
    sed -e 's/panzer,1/panzr,1/' -e 's/TURNLIMIT\[8\]/TURNLIMIT[0]/' tiny.tbsmap
    echo 'UNIT[2,2,infantry,0,12,0];UNIT[2,2,infantry,1,3,7];NONSENSE[3];MAP[1,2'
} >bad.tbsmap
s map check bad.tbsmap nowhere.tbsmap
s map check bad.tbsmap --json
printf 'SIZEX[3];SIZEY[3];MAP[0,0,0];MAP[0,9,0];MAP[0,0,0];' >empty.tbsmap
s map check empty.tbsmap
s map convert tiny.tbsmap --out tiny.json
s map convert tiny.json --out again.tbsmap
files tiny.json again.tbsmap

seed=1
for options in '' '--symmetric' '--width 9 --height 5 --units 3' '--red 2 --blue 7 --hp 3-9' '--types F,I,R --limit 30' \
    '--terrain plain=40,sea=30,wall=10,fortress=9 --threshold 9' '--width 12 --height 12 --units 12 --symmetric --types U,P' \
    '--width 2 --height 1 --units 1'; do
    # shellcheck disable=SC2086 # several words
    s map random --seed $seed $options
    seed=$((seed + 1))
done
s map random --width 3 --height 3 --units 5 --seed 1
s map random --terrain sea=1 --seed 1

quick="--strong muct:sims=6 --weak random --tight 0.2 --min-games 24 --games 40 --quiet"
# shellcheck disable=SC2086
{
    s map judge tiny.tbsmap duel $quick
    s map judge skirmish_infantry handicap ambush $quick --json
    s map judge tiny.tbsmap $quick --rules paper --seed 3 --fair 0.01
}
cat >lopsided.tbsmap <<'END'
SIZEX[8];SIZEY[7];TURNLIMIT[16];HPTHRESHOLD[3];
MAP[0,0,0,0,0,0,0,0];
MAP[0,1,1,1,1,1,1,0];
MAP[0,1,3,1,1,3,1,0];
MAP[0,1,1,4,4,1,1,0];
MAP[0,1,3,1,1,3,1,0];
MAP[0,1,1,1,1,1,1,0];
MAP[0,0,0,0,0,0,0,0];
UNIT[1,2,infantry,0,10,0];UNIT[1,3,infantry,0,10,0];UNIT[1,4,infantry,0,10,0];
UNIT[6,2,infantry,1,9,0];UNIT[6,3,infantry,1,8,0];UNIT[6,4,infantry,1,8,0];
END
repair="--strong muct:sims=2 --weak random --sure 40 --games 900 --low 0.35 --high 0.65 --quiet"
# shellcheck disable=SC2086
{
    s map repair lopsided.tbsmap $repair
    s map repair lopsided.tbsmap $repair --seed 2 --json --out repaired.json
    s map repair lopsided.tbsmap $repair --kinds move,swap
    s map repair lopsided.tbsmap $repair --kinds terrain --changes 2
    s map repair lopsided.tbsmap $repair --kinds hp --high 0.5 --low 0.45 --games 300
}
files repaired.json
s map repair lopsided.tbsmap --strong muct:sims=2 --weak random --low 0 --high 1 --quiet
if draws; then
    s map draw duel --out duel.svg
    s map draw largest --out large.svg --cell 9
else
    skip "this build draws no pictures"
fi
