#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu replay: showing and checking records, and finding what was changed in them.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap
escape=$(printf '\033')

# A game of four turns that ends with blue's resignation in JSON, unfinished in .sgf (which has no resignations).
script_of_game() {
    cat <<'END'
0:3,1x2

1:3,3

2:4,1x0

3:4,2

0:3,1x2

end

END
}
{
    script_of_game
    printf 'save game.sgf\nsave half.json\nresign\ny\n'
} | feed
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap --blue human --save game.json
for record in game.sgf half.json game.json; do
    expect_status 0 "$SENJUTSU" replay --check "$record"
    expect_out "^$record: ok, [0-9]+ actions, "
    expect_count 1 ''
    expect_silent_err
done
expect_out 'red resignation$'

# ---- showing ----

actions=$(awk '/"actions": \[/ { on = 1; next } on && /\]/ { exit } on { n++ } END { print n }' game.json)
expect_status 0 "$SENJUTSU" replay game.json
expect_silent_err
expect_no_out "$escape"
expect_count $((actions + 1)) "^action [0-9]+ of $actions[,;]"
expect_out '^human \(red\) against human \(blue\)'
expect_out "^action 0 of $actions, .*red to move; HP 17 : 20$"
expect_out "^action 1 of $actions, .*red to move; last: 0:3,1x2; HP 14 : 16$"
expect_out '^result: red resignation$'
expect_status 0 "$SENJUTSU" replay half.json
cp "$out" by-json
expect_status 0 "$SENJUTSU" replay game.sgf
grep '^ [0-9] ' "$out" >boards.sgf
grep '^ [0-9] ' by-json >boards.json
# Turn-ends are "stay" actions in .sgf, so it has more steps; the last board is the same.
tail -n 3 boards.sgf >last.sgf
tail -n 3 boards.json >last.json
tr '>-' '  ' <last.sgf >plain.sgf
tr '>-' '  ' <last.json >plain.json
expect_same plain.sgf plain.json

expect_status 0 "$SENJUTSU" replay game.json --at 1
expect_count 1 '^action '
expect_out "^action 1 of $actions, .*HP 14 : 16$"
expect_out '^ 1 +\. +\. +>0P7 +2p6'
expect_status 0 "$SENJUTSU" replay game.json --at 0
expect_out "^action 0 of $actions, .*HP 17 : 20$"
expect_status "1 2" "$SENJUTSU" replay game.json --at 99
expect_refusal
expect_err 'game\.json'
expect_silent_out
expect_status 2 "$SENJUTSU" replay game.json --at -1
expect_refusal
expect_status 2 "$SENJUTSU" replay game.json --at last
expect_refusal
expect_status 2 "$SENJUTSU" replay
expect_refusal
expect_status 2 "$SENJUTSU" replay game.json game.sgf
expect_refusal

# ---- changed records ----

# changed FILE SED-EDIT NEW-NAME PATTERN: the check of the changed record fails and reports the place, in one line.
changed() {
    sed "$2" "$1" >"$3"
    expect "the edit $2 to change $1" [ "$(cmp "$1" "$3" >/dev/null; echo $?)" -eq 1 ]
    expect_status 1 "$SENJUTSU" replay --check "$3"
    cat "$out" "$err" >said
    expect "one line that matches: $4" [ "$(grep -c -E -e "$4" said) $(wc -l <said)" = "1 1" ]
    expect_status 1 "$SENJUTSU" play --load "$3"
    expect_refusal
}
line_of() {
    grep -n -F -e "$1" "$2" | head -n 1 | cut -d : -f 1
}
line=$(line_of 'ACTION[0,3,1,1,1,2,4,1,2,4,3]' game.sgf)
expect "the first attack to be in the record" [ -n "$line" ]
changed game.sgf 's/^ACTION\[0,3,1,1,1,2,4,1,2,4,3\]/ACTION[0,3,1,1,1,2,4,1,2,5,3]/' damage.sgf \
    "damage\\.sgf:$line: action 1: .*5.*4"
changed game.sgf 's/^ACTION\[0,3,1,1,1,2,4,1,2,4,3\]/ACTION[0,3,1,1,1,2,4,1,2,4,0]/' counter.sgf \
    "counter\\.sgf:$line: action 1: .*0.*3"
changed game.sgf 's/^ACTION\[0,3,1,1,1,2,4,1,2,4,3\]/ACTION[0,3,3,1,1,2,4,1,2,4,3]/' illegal.sgf \
    "illegal\\.sgf:$line: action 1: .*illegal"
line=$(line_of 'TURNINFO[1,' game.sgf)
changed game.sgf 's/^TURNINFO\[1,1,/TURNINFO[1,0,/' turn.sgf "turn\\.sgf:$line: "
changed game.sgf 's/^TURNINFO\[0,0,2\]/TURNINFO[0,0,3]/' count.sgf "count\\.sgf:[0-9]+: "
changed game.json 's/"0:3,1x2"/"0:3,3x2"/' illegal.json "illegal\\.json: action 1: '0:3,3x2' is illegal"
changed game.json 's/"1:3,3"/"7:3,3"/' nobody.json "nobody\\.json: action 2: '7:3,3' "
changed game.json 's/"red resignation"/"blue resignation"/' result.json \
    'result\.json: .*result.*blue resignation.*red resignation'
changed half.json 's/"result": "none"/"result": "red annihilation"/' won.json \
    'won\.json: .*result.*red annihilation.*none'
changed game.json 's/1,1,panzer,0/1,1,cannon,0/' map.json 'map\.json: action 1: '
changed game.json 's/SIZEX\[6\]/SIZEX[5]/' size.json 'size\.json: '
changed game.json 's/"version": 1/"version": 2/' version.json 'version\.json: .*version'
changed game.json 's/"senjutsu-record"/"other"/' format.json 'format\.json: .*format'
changed game.json '/"actions"/d' actions.json 'actions\.json'

# The actions before a difference are still shown, and the difference is reported.
expect_status 1 "$SENJUTSU" replay damage.sgf
expect_out '^action 0 of 0'
expect_err 'damage\.sgf:[0-9]+: action 1: '

# ---- a game of a store ----

expect_status 0 "$SENJUTSU" tournament --players acteval,random --maps tiny.tbsmap --store event.db --quiet
expect_status 0 "$SENJUTSU" replay event.db --game 1 --check
expect_out '^event\.db: ok, [0-9]+ actions, '
expect_status 0 "$SENJUTSU" replay event.db --game 1 --save one.sgf
expect_status 0 "$SENJUTSU" replay event.db --game 1 --save one.json
for record in one.sgf one.json; do
    expect_status 0 "$SENJUTSU" replay --check "$record"
done
expect_status 0 "$SENJUTSU" replay event.db --game 0 --at 0
expect_out '^(acteval|random) [(]red[)] against '
expect_status 1 "$SENJUTSU" replay event.db
expect_err 'event\.db: is a store of many games; --game N says which'
expect_status 1 "$SENJUTSU" replay event.db --game 2
expect_err 'event\.db: there is no game 2 in it'
expect_status 1 "$SENJUTSU" replay game.json --game 0
expect_err 'game\.json: is no store'
expect_status 1 "$SENJUTSU" replay nosuch.db --game 1
expect_err 'nosuch\.db: cannot be opened: No such file or directory'
expect_status 1 "$SENJUTSU" replay . --game 1
expect_err ' \.: cannot be read: Is a directory'
expect_status 1 "$SENJUTSU" replay - --game 1 </dev/null
expect_err '-: is no store'

# ---- the platform's own record ----

sample=$shared/golden/tbs/sample_map04.sgf
if [ -e "$sample" ]; then
    expect_status 0 "$SENJUTSU" replay --check "$sample"
    expect_out ': ok, 16 actions, blue annihilation$'
else
    skip "no record of the platform beside the project"
fi

finish
