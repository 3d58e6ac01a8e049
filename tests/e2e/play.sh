#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu play: games with their commands on standard input.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap
escape=$(printf '\033')

# last_board FILE: the heading and the rows of the last board in the output.
last_board() {
    awk '/^turn [0-9]+ of / { text = "" } { text = text $0 "\n" } END { printf "%s", text }' "$1" |
        grep -E '^(turn| [0-9] )'
}

# ---- looking, moving, attacking, taking back ----

feed <<'END'
help
units
0
3,1 x2
n
units
3,1 x2
y
units
undo
board
hint
1
1,2

end

quit
END
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap --blue random --seed 5
expect_silent_err
expect_no_out "$escape"
expect_out '^Type help for the commands\.$'
expect_out '^turn 1 of 8, red to move; HP red 17, blue 20$'
expect_out '^ +3:4,2x9 '
expect_out '^red> +0 +red +panzer +at +1,1 +HP 10 +7 moves, 1 attack'
expect_out '^ +1 +red +infantry +at +1,3 +HP +7 +6 moves, 0 attacks'
# The picked unit, the cells it can reach and the enemy it can hurt are marked.
expect_out '^ 1 +>0P10 +\[\.\] +\[\.\] +!2p10'
expect_out '3,1 x2 .*damage 4, counter-attack 3$'
expect_out 'red panzer 0 moves from 1,1 to 3,1 and attacks blue panzer 2: damage 4 of 10 HP, counter-attack 3 of 10 HP'
expect_out 'Not done\.'
expect_count 1 '^turn 1 of 8, red to move; HP red 14, blue 16$'
expect_out '^red> +0 +red +panzer +at +3,1 +HP +7 +has acted$'
expect_out 'uct would play: red '
expect_out '^  type: [01]:[0-9],[0-9]'
expect_out 'red infantry 1 moves from 1,3 to 1,2\. Do it\?'
expect_out 'End the turn with 1 unit'
expect_out '^turn 2 of 8, blue to move'
expect_out '^blue (panzer 2|fighter 3) '
expect_out '^turn 3 of 8, red to move'
expect_out '^The game was left after [0-9]+ actions\.$'

# A refused action changes nothing; so does one that was taken back.
feed <<'END'
0:3,1x2
n
0:3,1x2
y
undo
save after.json
quit
END
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap --save left.json
expect "no action in the record" [ "$(json_get actions after.json)" = '[]' ]
last_board "$out" >after
feed </dev/null
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap
last_board "$out" >before
expect_same before after

# ---- saving and loading ----

feed <<'END'
0:3,1x2

save half.json
save half.sgf
quit
END
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap
expect_count 1 'Saved to half\.json [(]JSON[)]\.'
expect_count 1 'Saved to half\.sgf [(]sgf[)]\.'
for record in half.json half.sgf; do
    expect_status 0 "$SENJUTSU" replay --check "$record"
    expect_out "^$record: ok, 1 actions?, none$"
done
feed <<'END'
0:3,1x2

board
END
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap
last_board "$out" >saved
for record in half.json half.sgf; do
    expect_status 0 "$SENJUTSU" play --load "$record"
    last_board "$out" >loaded
    expect_same saved loaded
done
# The loaded game goes on, with the same red turn, and is saved as one game.
feed <<'END'
0:1,1
1:1,2

END
expect_status 0 "$SENJUTSU" play --load half.json --blue random --save whole.json
expect_out "'0:1,1' is illegal: .*acted"
expect_out '^turn 2 of 8, blue to move'
expect_status 0 "$SENJUTSU" replay --check whole.json
expect "the old and the new action" \
    [ "$(json_get actions.0 whole.json) $(json_get actions.1 whole.json)" = '"0:3,1x2" "1:1,2"' ]

# A game that has not begun is a game too.
for record in empty.json empty.sgf; do
    feed <<'END'
quit
END
    expect_status 0 "$SENJUTSU" play --map tiny.tbsmap --save "$record"
    expect_status 0 "$SENJUTSU" replay --check "$record"
    expect_out ": ok, 0 actions, none$"
    expect_status 0 "$SENJUTSU" play --load "$record"
    expect_out '^turn 1 of 8, red to move; HP red 17, blue 20$'
done

# The end of the input in the middle of a game, even of a question.
for record in cut.json cut.sgf; do
    printf '1:1,2\ny\n0:3,1x2\n' | feed
    expect_status 0 "$SENJUTSU" play --map tiny.tbsmap --save "$record"
    expect_out '^The game was left after 1 actions?\.$'
    expect_out "^Saved to $record [(](JSON|sgf)[)]\\.$"
    expect_status 0 "$SENJUTSU" replay --check "$record"
    expect_out ': ok, 1 actions?, none$'
done

# ---- resigning ----

feed <<'END'
resign
n
units
resign
y
END
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap --save resigned.json
expect_out 'over after .*: blue \(acteval\) wins \(resignation\)\.$'
expect_count 1 '^ +2 +blue +panzer'
expect_status 0 "$SENJUTSU" replay --check resigned.json
expect_out ': ok, 1 actions?, blue resignation$'

# ---- two people, to the end ----

i=0
while [ $i -lt 8 ]; do
    printf 'end\n\n'
    i=$((i + 1))
done | feed
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap --blue human --save passed.sgf
expect_out '^The game is over after 8 turns: blue \(human\) wins \(limit\)\.$'
# The game is over: no side is to move, and there is no ninth turn of eight.
expect_no_out '^turn 9 of 8'
expect_status 0 "$SENJUTSU" replay --check passed.sgf
expect_out ', blue limit$'

# ---- answers to impossible commands ----

# answered INPUT PATTERN: that line is answered in such words, and the game goes on to the next command.
answered() {
    printf '%s\nunits\n' "$1" | feed
    expect_status 0 "$SENJUTSU" play --map tiny.tbsmap
    expect_out "$2"
    expect_out 'red +infantry +at +1,3'
    expect_out '^The game was left after 0 actions\.$'
}
answered 'abracadabra' "'abracadabra' is no action; expected UNIT:X,Y"
answered '99' "^red> 99 is none of your units"
answered '2' "^red> 2 is none of your units"
answered '-1' "is none of your units|is no action"
answered '99999999999999999999' "is none of your units|is no action"
answered '3,1' "Pick one of your units first"
answered 'x2' "Pick one of your units first"
answered '0:4,1' "'0:4,1' is illegal: unit 0 cannot end"
answered '0:9,9' "'0:9,9' is illegal"
answered '2:3,1' "'2:3,1' is illegal"
answered '0:1,1x2' "'0:1,1x2' is illegal: unit 0 cannot attack unit 2 from there"
answered '0:1,1x0' "'0:1,1x0' is illegal"
answered 'undo' "nothing to take back"
answered 'save' "save FILE"
answered 'save nowhere/at/all.json' '^red> red> '
expect_err "^senjutsu play: nowhere/at/all\.json: .*No such file"
printf '1\nx2\n1\nx99\n1\n4,1\n' | feed
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap
expect_out 'Unit 1 cannot attack 2\.'
expect_out 'Unit 1 cannot attack 99\.'
expect_out "'1:4,1' is illegal"

# A line is one command, however long: the rest of it must not be taken for further commands.
{
    awk 'BEGIN { for (i = 0; i < 1000; i++) printf "abcdefghij" }'
    printf '\nunits\n'
} | feed
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap
expect_count 1 'is not understood'

# ---- computers ----

expect_status 0 "$SENJUTSU" play --red acteval --blue random --map "$maps/standard.tbsmap" --seed 2 --save watched.sgf
expect_silent_err
expect_no_out '> '
expect_out '^The game is over after [0-9]+ turns: (red \(acteval\) wins|blue \(random\) wins|a draw)'
grep -v '^Saved' "$out" >first
expect_status 0 "$SENJUTSU" replay --check watched.sgf
expect_out ': ok, [1-9][0-9]* actions, (red|blue|draw) '
expect_status 0 "$SENJUTSU" play --red acteval --blue random --map "$maps/standard.tbsmap" --seed 2
expect_same "$out" first
expect_status 0 "$SENJUTSU" play --red random --blue random --map "$maps/battle16.tbsmap" --rules paper
expect_out '^The game is over after '

# ---- wrong usage ----

expect_status 2 "$SENJUTSU" play --red nobody
expect_silent_out
expect_refusal
expect_err "'nobody' is unknown; known are .*human"
expect_status 2 "$SENJUTSU" play extra
expect_refusal
expect_status 2 "$SENJUTSU" play --map tiny.tbsmap --rules chess
expect_refusal
expect_err 'tubstap.*paper'
expect_status 1 "$SENJUTSU" play --load tiny.tbsmap
expect_silent_out
expect_refusal
expect_err '^senjutsu play: tiny\.tbsmap: '
echo text >file.txt
expect_status 1 "$SENJUTSU" play --map tiny.tbsmap --save file.txt/game.json
expect_refusal
expect_err 'file\.txt/game\.json: '

finish
