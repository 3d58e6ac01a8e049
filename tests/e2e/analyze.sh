#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu analyze: where a position comes from, its evaluation, the recommended turn, Ctrl-C.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap
escape=$(printf '\033')

# Times are the only part that may differ; they stand in an object of their own.
without_times() {
    awk '/^  "times": / { skipping = 1 } !skipping { print } /^  }/ { skipping = 0 }' "$1"
}

# list NAME FILE: an array of strings in our JSON, one entry a line.
list() {
    flatten "$2" | sed -n "s/^$1\\.[0-9]*=\"\\(.*\\)\"\$/\\1/p"
}

# ---- the turn is that of a game ----

expect_status 0 "$SENJUTSU" play --map "$maps/standard.tbsmap" --red acteval --blue acteval --seed 5 --save game.json
list actions game.json >played
expect_status 0 "$SENJUTSU" analyze --map "$maps/standard.tbsmap" --player acteval --seed 5 --json
cp "$out" red.json
list recommended_turn red.json >turn
expect "six actions" [ "$(wc -l <turn)" -eq 6 ]
head -n 6 played >first
expect_same turn first
expect "the choice to begin the turn" [ "$(json_get chosen red.json)" = "\"$(head -n 1 played)\"" ]
expect "red's first turn" [ "$(json_get side red.json) $(json_get turn red.json)" = '"red" 0' ]
expect "the game to go on" [ "$(json_get result_after_turn red.json)" = '"none"' ]

# Blue's stream of random numbers is untouched when its first turn begins.
expect_status 0 "$SENJUTSU" analyze --after game.json:6 --player acteval --seed 5 --json
list recommended_turn "$out" >turn
sed -n 7,12p played >second
expect_same turn second
expect "blue's first turn" [ "$(json_get side "$out") $(json_get turn "$out")" = '"blue" 1' ]
expect "the record to be named" [ "$(json_get after.record "$out") $(json_get after.actions "$out")" = '"game.json:6" 6' ]
expect "no map to be named" [ "$(json_get map "$out")" = null ]

# In the middle of a turn only the rest of it is recommended.
expect_status 0 "$SENJUTSU" analyze --after game.json:4 --player acteval --json
expect "two actions" [ "$(list recommended_turn "$out" | wc -l)" -eq 2 ]
expect "still red's turn" [ "$(json_get side "$out") $(json_get turn "$out")" = '"red" 0' ]
expect_status 0 "$SENJUTSU" analyze --after game.json:0 --player acteval --seed 5 --json
list recommended_turn "$out" >turn
expect_same turn first

# ---- a record and its map ----

# The record's map is used, unless another one is given; the actions must be legal there.
expect_status 0 "$SENJUTSU" analyze --after game.json:6 --map "$maps/standard.tbsmap" --player acteval --seed 5 --json
list recommended_turn "$out" >turn
expect_same turn second
expect_status 1 "$SENJUTSU" analyze --after game.json:6 --map tiny.tbsmap --player acteval
expect_refusal
expect_silent_out
expect_err 'game\.json on the map of --map: action [0-9]+, .*, is illegal'
expect_status 0 "$SENJUTSU" analyze --after game.json:1 --rules paper --player acteval --json
expect "the paper's rules" [ "$(json_get rules "$out")" = '"paper"' ]
expect_status 0 "$SENJUTSU" analyze --map tiny.tbsmap --player acteval --json
expect "the platform's rules" [ "$(json_get rules "$out")" = '"tubstap"' ]

# A file may really have a colon and a number at the end of its name.
cp game.json odd:3
expect_status 1 "$SENJUTSU" analyze --after odd:3 --player acteval
expect_err 'the game is over'
expect_status 1 "$SENJUTSU" analyze --after game.json --player acteval
expect_refusal
expect_silent_out
expect_err 'nothing to analyze: the game is over, (red|blue) won (by annihilation|at the turn limit)'
cp "$err" over
expect_status 1 "$SENJUTSU" analyze --after "game.json:$(wc -l <played)" --player acteval
expect_same over "$err"
expect_status 0 "$SENJUTSU" analyze --after "game.json:$(($(wc -l <played) - 1))" --player acteval --no-turn

# The actions before a difference from the rules can be analysed.
printf '0:3,1x2\n\n1:3,3\n\nsave cut.sgf\nquit\n' | feed
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap --blue human
sed 's/^ACTION\[1,3,3,1,3,/ACTION[1,2,2,1,3,/' cut.sgf >bad.sgf
expect "the edit to change the record" [ "$(cmp cut.sgf bad.sgf >/dev/null; echo $?)" -eq 1 ]
expect_status 0 "$SENJUTSU" analyze --after cut.sgf --player acteval
expect_out 'blue to move; HP red 14, blue 16$'
expect_status 0 "$SENJUTSU" analyze --after bad.sgf:1 --player acteval
expect_out 'red to move; HP red 14, blue 16$'
expect_status 1 "$SENJUTSU" analyze --after bad.sgf --player acteval
expect_refusal
expect_err 'bad\.sgf:[0-9]+: action 2: '

# ---- for people ----

expect_status 0 "$SENJUTSU" analyze --map tiny.tbsmap --player acteval
expect_silent_err
expect_no_out "$escape"
expect_out '^turn 1 of 8, red to move; HP red 17, blue 20$'
expect_out '^ 1 +0P10 '
expect_out '^acteval chooses 0:3,1x2: red panzer 0 moves from 1,1 to 3,1 and attacks blue panzer 2: damage 4 of 10 HP, counter-attack 3 of 10 HP$'
expect_out '^value 1\.[0-9][0-9][0-9]; '
expect_out '^acteval lists no candidates: only its choice is known\.$'
expect_out '^Recommended turn:$'
expect_out '^  0:3,1x2      red panzer 0 moves from 1,1 to 3,1 and attacks '
expect_out '^  1:[0-9],[0-9] +red infantry 1 '
expect_no_out 'ends the game'
expect_status 0 "$SENJUTSU" analyze --map tiny.tbsmap --player random --no-turn
expect_out '^random chooses '
expect_out '^value unknown; '
expect_no_out 'Recommended turn'
expect_status 0 "$SENJUTSU" analyze --map tiny.tbsmap --player random --no-turn --json
expect "no value" [ "$(json_get value "$out")" = null ]
expect "no turn" [ "$(json_get recommended_turn "$out") $(json_get result_after_turn "$out")" = "null null" ]

# A turn that ends the game is reported as such.
sed -e 's/UNIT\[4,3,.*//' -e 's/panzer,1,10/panzer,1,1/' -e 's/UNITNUMBLUE\[2\]/UNITNUMBLUE[1]/' tiny.tbsmap >won.tbsmap
expect_status 0 "$SENJUTSU" analyze --map won.tbsmap --player acteval
expect_out '^  0:3,1x2 .*\(destroyed\)'
expect_out '^This ends the game: red won by annihilation\.$'
expect_status 0 "$SENJUTSU" analyze --map won.tbsmap --player acteval --json
expect "the end in JSON" [ "$(json_get result_after_turn "$out")" = '"red annihilation"' ]
sed 's/TURNLIMIT\[8\]/TURNLIMIT[1]/' tiny.tbsmap >limit.tbsmap
expect_status 0 "$SENJUTSU" analyze --map limit.tbsmap --player acteval
expect_out '^This ends the game: a draw at the turn limit\.$'

# A player that fails in the middle of the turn.
cat >tired <<'END'
in_map=
while read -r word rest; do
    case $in_map$word in
    sjp) printf 'id name tired\ngame tbs\nok\n' ;;
    map) in_map=yes ;;
    yesendmap) in_map= && echo ok ;;
    go) if [ -e went ]; then echo 'error enough'; else : >went && printf 'best 0:3,1x2\nok\n'; fi ;;
    quit) exit ;;
    yes*) ;;
    *) echo ok ;;
    esac
done
END
for how in --no-color --json; do
    rm -f went
    expect_status 1 "$SENJUTSU" analyze --map tiny.tbsmap --player 'ext:cmd=sh tired' $how
    expect_err "^senjutsu analyze: ext:cmd=sh tired: 'error enough' is no answer to 'go'\$"
    expect_no_out 'ends the game|recommended_turn'
done

# ---- a player that searches ----

expect_status 0 "$SENJUTSU" analyze --map "$maps/standard.tbsmap" --player uct --sims 300 --seed 3 --json
expect_silent_err
cp "$out" uct.json
without_times uct.json >one
expect "ten candidates" [ "$(flatten uct.json | grep -c '^candidates\.[0-9]*\.action=')" -eq 10 ]
expect "300 simulations" [ "$(json_get simulations uct.json)" = 300 ]
expect "as many visits as simulations at most" awk -v visits="$(flatten uct.json |
    awk -F = '/^candidates\.[0-9]*\.visits=/ { n += $2 } END { print n }')" 'BEGIN { exit !(visits > 0 && visits <= 300) }'
expect "values in order" awk -F = '/^candidates\.[0-9]*\.value=/ { if (n++ && $2 > last) exit 1; last = $2 }' <<END
$(flatten uct.json)
END
expect "the choice to be a candidate" grep -q "^candidates\\..*\\.action=$(json_get chosen uct.json)\$" <<END
$(flatten uct.json)
END
for i in 0 4 9; do
    expect "line $i to begin with its action" \
        [ "$(json_get "candidates.$i.line.0" uct.json)" = "$(json_get "candidates.$i.action" uct.json)" ]
done
expect "speed" awk -v s="$(json_get times.simulations_per_second uct.json)" 'BEGIN { exit !(s > 0) }'
expect "a whole turn" [ "$(list recommended_turn uct.json | wc -l)" -eq 6 ]
expect_status 0 "$SENJUTSU" analyze --map "$maps/standard.tbsmap" --player uct --sims 300 --seed 3 --json
without_times "$out" >two
expect_same one two
expect_status 0 "$SENJUTSU" analyze --map "$maps/standard.tbsmap" --player uct --sims 300 --seed 4 --json
without_times "$out" >two
expect "another seed to think otherwise" [ "$(cmp one two >/dev/null; echo $?)" -eq 1 ]

# The turn of a search is that of a game, too: asking for its thoughts changes nothing.
expect_status 0 "$SENJUTSU" play --map tiny.tbsmap --red uct:sims=200 --blue random --seed 9 --save searched.json
list actions searched.json | head -n 2 >first
expect_status 0 "$SENJUTSU" analyze --map tiny.tbsmap --player uct:sims=200 --seed 9 --json
list recommended_turn "$out" >turn
expect_same turn first
expect "the turn's budget to be shared out" [ "$(json_get simulations "$out")" = 100 ]

expect_status 0 "$SENJUTSU" analyze --map tiny.tbsmap --player uct --sims 200 --top 3
expect_silent_err
expect_no_out "$escape"
expect_out '^value [0-9.]+; 200 simulations, [0-9]+ nodes, depth [0-9]+, '
expect_count 3 '^[> ] +[0-9]+  [01]:[0-9],[0-9](x[0-9])? +[0-9.]+ +[0-9]+  (panzer|infantry) '
expect_count 1 '^>'
expect_out '^      3 of 14 candidates$'
expect_out '^          then .* \|'
# All candidates, whatever their number.
for top in 0 1000000; do
    expect_status 0 "$SENJUTSU" analyze --map "$maps/bridge.tbsmap" --player uct --sims 3000 --top $top --no-turn --json
    expect "all candidates" [ "$(grep -c '"at_most"' "$out")" = "$(json_get candidates_total "$out")" ]
    expect "more than a few" [ "$(json_get candidates_total "$out")" -gt 100 ]
done
expect_status 0 "$SENJUTSU" analyze --map "$maps/bridge.tbsmap" --player split:player=uct --sims 3000 --top 99 --no-turn --json
expect "as many as were wanted" [ "$(grep -c '"at_most"' "$out")" = 99 ]
# A position of several independent groups, with room for more candidates than the default.
expect_status 0 "$SENJUTSU" analyze --map "$maps/islands.tbsmap" --player split:player=uct --sims 50 --top 99 --no-turn --json
expect_status 0 "$SENJUTSU" analyze --map "$maps/bridge.tbsmap" --player minmax:plies=1 --top 0 --no-turn
expect_no_out ' of [0-9]+ candidates$'
expect_status 0 "$SENJUTSU" analyze --map tiny.tbsmap --player uct --time 20 --no-turn --json
expect "20 ms of thinking, or little less" awk -v s="$(json_get times.seconds "$out")" 'BEGIN { exit !(s >= 0.015) }'

# ---- watching ----

# Not on a terminal: a line for each refresh, before the rest; with --json objects, the last of them the result. How
# many refreshes there are before an end that comes by itself is a matter of speed.
expect_status 0 "$SENJUTSU" analyze --map tiny.tbsmap --player uct --sims 200 --no-turn --watch
expect_no_out "$escape"
expect_count 1 ' chooses '
expect_status 0 "$SENJUTSU" analyze --map tiny.tbsmap --player uct --sims 200 --no-turn --watch --json
expect_count 1 '"chosen":'
expect "the result last" [ "$(tail -n 1 "$out" | grep -c '^{"map":')" -eq 1 ]

# ---- Ctrl-C ----

# stopped ARGUMENT ...: an analysis of an hour's length, interrupted.
stopped() {
    expect_interrupted 130 "$SENJUTSU" analyze --map "$maps/standard.tbsmap" --player uct --time 3600000 "$@"
}
stopped
expect_out '^uct chooses '
expect_out '^Stopped early: '
expect_count 1 '^  [0-9]+:[0-9],[0-9].* red '
# A refresh was printed before the interruption.
stopped --watch
expect_no_out "$escape"
expect_out '^action 1 of the turn: [0-9]+:[0-9],[0-9](x[0-9]+)?, value [0-9.]+; [0-9]+ simulations, '
expect_count 1 ' chooses '
# Output is flushed at once, also to a file or a pipe.
for form in '' --json; do
    : >live # the lines of the one before would be taken for its own
    command_line="senjutsu analyze --watch $form >live"
    # shellcheck disable=SC2086 # a word or none
    "$SENJUTSU" analyze --map "$maps/standard.tbsmap" --player uct --time 3600000 --watch $form >live 2>"$err" &
    program=$!
    expect "a line before the end" wait_until grep -q -E '^action 1 of the turn: |"so_far":true' live
    [ -n "$form" ] || expect "it at once, and not a block of lines" [ "$(wc -c <live)" -lt 4096 ]
    kill -TERM $program
    wait $program
    status=$?
    expect "status 143" [ $status -eq 143 ]
done
stopped --json --watch
expect "an object a line" [ "$(grep -c '^{.*}$' "$out")" -eq "$(wc -l <"$out")" ]
expect_out '^\{"so_far":true,"decision":1,"simulations":[0-9]+,.*"candidates":\[\{"action":"'
expect_count 1 '"chosen":'
expect "the result last" [ "$(tail -n 1 "$out" | grep -c '^{"map":')" -eq 1 ]
tail -n 1 "$out" >last
expect "it to be marked" grep -q '"stopped":true' last
expect "candidates" grep -q '"visits":[1-9]' last
expect "one action of the turn" grep -q '"recommended_turn":\["[^"]*"\]' last
expect "no mark otherwise" [ "$(json_get stopped uct.json)" = false ]

# ---- wrong usage ----

# refused STATUS PATTERN ARGUMENT …
refused() {
    wanted_status=$1 pattern=$2
    shift 2
    expect_status "$wanted_status" "$SENJUTSU" analyze "$@"
    expect_silent_out
    expect_refusal
    expect_err "$pattern"
}
refused 2 "'nobody' is unknown; known are .*acteval" --player nobody
refused 2 "'stile' is unknown; known are style, " --player acteval:stile=paper
refused 2 "rule.*chess.*tubstap.*paper" --rules chess
refused 2 "top -1: expected a whole number from 0" --top -1
refused 2 "time -5: expected a whole number" --time -5
refused 2 "sims many: expected a whole number" --sims many
refused 2 "seed x: expected a whole number" --seed x
refused 2 "'duel' is not wanted here" duel
refused 2 "after needs a value: RECORD" --after
refused 2 "after game\.json:x: expected RECORD or RECORD:N" --after game.json:x --player acteval
refused 2 "after game\.json:-1: expected RECORD or RECORD:N" --after game.json:-1 --player acteval
refused 2 "after game\.json:: expected RECORD or RECORD:N" --after game.json: --player acteval
refused 1 "game\.json: has $(wc -l <played) actions, not 9999" --after game.json:9999 --player acteval
refused 1 'missing\.json: .*No such file' --after missing.json --player acteval
refused 1 'missing\.json: .*No such file' --after missing.json:3 --player acteval
refused 1 'missing\.tbsmap: .*No such file' --map missing.tbsmap --player acteval
refused 1 'tiny\.tbsmap' --after tiny.tbsmap --player acteval

expect_status 0 "$SENJUTSU" analyze --help
expect_out '^usage: senjutsu analyze \[options\]$'
expect_out '^  --after RECORD\[:N\] '
expect_out '^  senjutsu analyze --after game\.json:12 '
if [ -e /dev/full ]; then
    # shellcheck disable=SC2016 # the inner shell expands it
    expect_status 1 sh -c '"$1" analyze --map tiny.tbsmap --player acteval >/dev/full' sh "$SENJUTSU"
    expect_err 'standard output cannot be written: No space'
fi

finish
