#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu engine: the whole protocol, in batches and as a conversation.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap

# talk: the engine with the lines that were fed to it. Never at the end of a pipe: a subshell would lose the counts.
talk() {
    expect_status 0 "$SENJUTSU" engine
    expect_silent_err
}

# ---- greeting, options, games ----

feed <<'END'
sjp 1
END
talk
expect_out '^id name senjutsu$'
expect_out '^id version [0-9]+\.[0-9]+\.[0-9]+$'
expect_out '^game tbs$'
expect_out '^game tbs-wide$'
expect_out '^option player [a-z]+ acteval$'
expect_out '^option seed [a-z]+ 1$'
expect "ok as the last line" [ "$(tail -n 1 "$out")" = ok ]

# answered LINE PATTERN: the engine's one-line answer to one line, on the tiny map.
answered() {
    printf 'map tiny.tbsmap\n%s\n' "$1" | feed
    talk
    expect "'ok' and one line that matches: $2" \
        awk -v p="$2" 'NR == 1 && $0 != "ok" { bad = 1 } NR == 2 && $0 !~ p { bad = 1 }
                      END { exit bad || NR != 2 }' "$out"
}
answered 'sjp 2' '^error .*sjp 1'
answered 'setoption player random' '^ok$'
answered 'setoption player acteval:style=sample' '^ok$'
answered 'setoption player nobody' "^error player 'nobody' is unknown; known are "
answered 'setoption player acteval:stile=x' "^error .*'stile' is unknown; known are style"
answered 'setoption seed 7' '^ok$'
answered 'setoption seed seven' '^error .*seed'
answered 'setoption colour red' "^error .*'colour'"
answered 'setoption' '^error '
answered 'newgame tbs' '^ok$'
answered 'newgame tbs rules=paper' '^ok$'
answered 'newgame tbs-wide' '^ok$'
answered 'newgame chess' "^error .*'chess' is unknown"
answered 'newgame' '^error '
answered 'newgame tbs rules=chess' '^error .*rules=chess .*tubstap.*paper'
answered 'newgame tbs tempo=3' "^error .*'tempo' is unknown; known are rules"
answered 'newgame tbs rules' "^error 'rules' has no '='"
answered 'abracadabra' "^error unknown command 'abracadabra'"
answered 'legal some' "^error .*'some'"
answered 'perft' '^error .*depth'
answered 'perft -1' '^error .*depth'
answered 'perft 1000' '^error .*depth'
answered 'undo' '^error nothing to undo'
answered 'stop' '^ok$'
answered 'go sims' '^error '
answered 'go sims 0' '^error '
answered 'go time soon' '^error '
answered 'go home' '^error '
answered 'map missing.tbsmap' '^error missing\.tbsmap: .*No such file'
answered 'play' '^error '
answered 'play 0:4,1' "^error '0:4,1' is illegal: unit 0 cannot end its move there"
answered 'play 2:3,1' "^error '2:3,1' is illegal"
answered 'play 0:1,1x2' "^error '0:1,1x2' is illegal: unit 0 cannot attack unit 2 from there"
answered 'play 99:1,1' "^error '99:1,1' "
answered 'play 0:1,1 0:1,2' '^error '

# Before there is a position.
printf '%s\n' state legal 'legal all' 'play pass' undo go 'perft 1' | feed
talk
expect_count 7 '^error no position yet'
expect_count 7 ''
# A new game replaces the old position, a failed one leaves it unchanged.
printf '%s\n' 'map tiny.tbsmap' 'newgame chess' state 'newgame tbs' state | feed
talk
expect_count 1 '^turn 0 side red'
expect "an error as the last line" [ "$(tail -n 1 "$out")" = 'error no position yet; send map first' ]

# ---- maps and states ----

cat >state.expected <<'END'
turn 0 side red limit 8 threshold 2
unit 0 red panzer 1,1 hp 10 ready
unit 1 red infantry 1,3 hp 7 ready
unit 2 blue panzer 4,1 hp 10 ready
unit 3 blue fighter 4,3 hp 10 ready
result none
end
END
# last_lines COUNT FILE: the end of the output, into a file.
last_lines() {
    tail -n "$1" "$out" >"$2"
}
for game in tbs tbs-wide 'tbs path=wide'; do
    { printf 'newgame %s\nmap\n' "$game"; cat tiny.tbsmap; printf 'endmap\nstate\n'; } | feed
    talk
    last_lines 7 state
    expect_same state state.expected
    printf 'newgame %s\nmap tiny.tbsmap\nstate\n' "$game" | feed
    talk
    last_lines 7 state
    expect_same state state.expected
done
# A broken map is refused with its line; the position stays unchanged.
{ printf 'map tiny.tbsmap\nmap\n'; sed 's/fighter/figther/' tiny.tbsmap; printf 'endmap\nstate\n'; } | feed
talk
expect_out "^error map:14: unit 'figther' is unknown"
last_lines 7 state
expect_same state state.expected

cat >legal.expected <<'END'
0:3,1x2
0:1,1
0:1,2
0:2,1
0:2,3
0:3,1
0:3,2
0:3,3
1:1,2
1:1,3
1:2,1
1:2,3
1:3,2
1:3,3
end
END
# With the attacks on the fighter, which panzers and infantry cannot hurt.
awk '{ print } $0 == "0:3,1x2" { print "0:3,3x3" } $0 == "0:3,3" { print "1:3,3x3" }' legal.expected >all.expected
for game in tbs tbs-wide; do
    printf 'newgame %s\nmap tiny.tbsmap\nlegal\n' "$game" | feed
    talk
    last_lines 15 legal
    expect_same legal legal.expected
    printf 'newgame %s\nmap tiny.tbsmap\nlegal all\n' "$game" | feed
    talk
    last_lines 17 all
    expect_same all all.expected
done

# ---- playing and taking back ----

printf '%s\n' 'map tiny.tbsmap' 'play 0:3,1x2' state | feed
talk
expect_out '^unit 0 red panzer 3,1 hp 7 done$'
expect_out '^unit 2 blue panzer 4,1 hp 6 ready$'
printf '%s\n' 'map tiny.tbsmap' 'play 0:3,3x3' state | feed
talk
expect_out '^unit 0 red panzer 3,3 hp 10 done$'
printf '%s\n' 'map tiny.tbsmap' 'play pass' state | feed
talk
expect_out '^turn 1 side blue limit 8 threshold 2$'
# An illegal action, or one that was taken back, leaves no trace.
printf '%s\n' 'map tiny.tbsmap' 'play 0:4,1' state | feed
talk
last_lines 7 state
expect_same state state.expected
printf '%s\n' 'map tiny.tbsmap' 'play 0:3,1x2' 'play 1:1,2' 'play 3:4,2' undo undo undo state undo | feed
talk
grep -v '^ok' "$out" | sed '$d' >state
expect_same state state.expected
expect_count 1 '^error nothing to undo'
printf '%s\n' 'map tiny.tbsmap' 'play pass' 'play resign' state legal 'play pass' go undo state | feed
talk
expect_out '^result red resignation$'
expect_count 2 '^error .*the game is over'
expect_out '^result none$'

# ---- perft ----

for map in tiny.tbsmap "$maps/duel.tbsmap" "$maps/standard.tbsmap" "$maps/late_start.tbsmap"; do
    for game in tbs tbs-wide; do
        printf '%s\n' "newgame $game" "map $map" 'perft 0' 'perft 1' 'perft 2' legal | feed
        talk
        grep '^nodes' "$out" >"perft.$game"
        lines=$(grep -c '^[0-9]*:' "$out")
        expect "perft 0 to be 1" [ "$(sed -n 1p "perft.$game")" = "nodes 1" ]
        expect "perft 1 to be the number of legal actions" [ "$(sed -n 2p "perft.$game")" = "nodes $lines" ]
    done
    expect_same perft.tbs perft.tbs-wide
done

# ---- go ----

for words in go 'go sims 10' 'go time 20' 'go sims 10 time 20'; do
    printf '%s\n' 'map tiny.tbsmap' "$words" state | feed
    talk
    expect_count 1 '^best [^ ]+$'
    expect "a legal action" grep -q -x -F -e "$(sed -n 's/^best //p' "$out")" legal.expected
    sed '1,/^best/d' "$out" | sed 1d >state
    expect_same state state.expected
    expect "every other line an info, ok or the state" \
        awk '!/^(info [a-z]+ |best |ok$|turn |unit |result |end$)/ { exit 1 }' "$out"
done
# The same seed gives the same answer; one that was set counts.
printf '%s\n' 'setoption player random' 'map tiny.tbsmap' 'setoption seed 5' go go 'setoption seed 5' go go | feed
talk
grep '^best' "$out" >bests
expect "the same two answers again" [ "$(sed -n 1,2p bests)" = "$(sed -n 3,4p bests)" ]

# A whole turn: the actions can be played one after the other and then the other side is to move.
for map in tiny.tbsmap "$maps/standard.tbsmap" "$maps/battle16.tbsmap"; do
    for player in acteval random; do
        printf '%s\n' "setoption player $player" "map $map" 'go turn' | feed
        talk
        sed -n 's/^best //p' "$out" | tr ' ' '\n' | sed 's/^/play /' >turn
        expect "several actions" [ "$(wc -l <turn)" -ge 2 ]
        { printf 'map %s\n' "$map"; cat turn; echo state; } | feed
        talk
        expect_count $(($(wc -l <turn) + 1)) '^ok$'
        expect_out '^turn 1 side blue '
    done
done

# ---- lines ----

awk '{ printf "%s\r\n", $0 }' <<'END' >crlf
map tiny.tbsmap
play 0:3,1x2
state
quit
END
feed <crlf
talk
expect_count 2 '^ok$'
expect_out '^unit 2 blue panzer 4,1 hp 6 ready$'
expect "no carriage return in the answer" lacks "$(printf '\r')" "$out"
{ printf 'map\r\n'; awk '{ printf "%s\r\n", $0 }' tiny.tbsmap; printf 'endmap\r\nlegal\r\n'; } | feed
talk
last_lines 15 legal
expect_same legal legal.expected

printf '\n  \n\t\n  state  \n\n' | feed
talk
expect_count 1 ''

printf 'map tiny.tbsmap\nquit\nstate\n' | feed
talk
expect_count 1 ''
printf 'map tiny.tbsmap\nlegal' | feed
talk
last_lines 15 legal
expect_same legal legal.expected
printf 'map\nSIZEX[6];\n' | feed
talk
feed </dev/null
expect_status 0 "$SENJUTSU" engine
expect_silent_out

ten_megabytes() {
    head -c 10000000 /dev/zero | tr '\0' x
    echo
}
{ echo 'map tiny.tbsmap'; ten_megabytes; echo state; } | feed
talk
expect_count 1 '^error .*65536'
sed 1,2d "$out" >state
expect_same state state.expected
# Within a map too: one answer to it, after its end, and that is no ok, because a line of it was not read.
{ echo map; cat tiny.tbsmap; ten_megabytes; echo endmap; echo 'sjp 2'; } | feed
talk
expect_count 2 ''
expect_count 2 '^error '
# More map than any map can be.
{
    echo map
    head -c 6000000 /dev/zero | tr '\0' x | fold -w 60000
    printf '\nendmap\nsjp 2\n'
} | feed
talk
expect_count 2 '^error '
expect_count 2 ''
head -c 20000 "$SENJUTSU" | feed
talk
expect "nothing but errors to a binary file" awk '!/^error /{ exit 1 }' "$out"

expect_status 2 "$SENJUTSU" engine --player nobody
expect_refusal
expect_silent_out
expect_status 2 "$SENJUTSU" engine extra
expect_refusal

# ---- a conversation ----

mkfifo to from
command_line="senjutsu engine, in conversation"
timeout "$limit" "$SENJUTSU" engine --player random <to >from 2>"$err" &
engine=$!
exec 3>to 4<from
trap "" PIPE # an engine that has died must be a failed check, not the end of this script
: >"$out"

# say LINE: sends the line and writes the whole answer, up to ok, end or error, to the file `answer`.
say() {
    printf "%s\n" "$1" >&3 2>/dev/null
    : >answer
    while IFS= read -r line <&4; do
        printf '%s\n' "$line" >>answer
        case $line in ok | end | error*) break ;; esac
    done
    cp answer "$out"
}
last_word() {
    tail -n 1 answer
}

# A random game by hand: pick one of the legal actions, play it, until there is a result.
say "map $maps/duel.tbsmap"
expect "ok to the map" [ "$(last_word)" = ok ]
say state
cp answer first
seed=4711 played=0 refused=0
while say state && grep -q '^result none$' answer && [ $played -lt 200 ]; do
    say legal
    sed '$d' answer >choices
    seed=$((seed * 16807 % 2147483647))
    pick=$(awk -v n="$seed" '{ line[NR] = $0 } END { print line[n % NR + 1] }' choices)
    say "play $pick"
    [ "$(last_word)" = ok ] || refused=$((refused + 1))
    played=$((played + 1))
done
expect "every action to be accepted" [ $refused -eq 0 ]
expect "a result in fewer than 200 actions" [ $played -lt 200 ]
expect "a game of some length" [ $played -gt 8 ]
expect_out '^result (red|blue) annihilation$|^result (red|blue|draw) limit$'
say legal
expect "no legal action" [ "$(cat answer)" = end ]
say go
expect "no answer to go" grep -q '^error .*over' answer
while [ $played -gt 0 ]; do
    say undo
    [ "$(last_word)" = ok ] || break
    played=$((played - 1))
done
expect "all actions to be taken back" [ $played -eq 0 ]
say state
expect_same first answer

# A stop ends an endless command, is answered after it, and does not affect later commands.
say "map $maps/standard.tbsmap"
printf 'perft 30\n' >&3
sleep 0.3
printf 'stop\n' >&3
IFS= read -r first_answer <&4
IFS= read -r second_answer <&4
expect "an error and then ok (not: $first_answer, $second_answer)" \
    [ "${first_answer%% *} $second_answer" = "error ok" ]
say 'perft 1'
expect "a later command not to be stopped" [ "$(last_word)" = ok ]
say stop
expect "ok to a stop of nothing" [ "$(last_word)" = ok ]
say go
expect "an answer to go after a stop" grep -q '^best ' answer
printf 'quit\n' >&3
wait $engine
status=$?
exec 3>&- 4<&-
expect "the engine to end by itself after quit, with its input open" [ $status -eq 0 ]
expect_silent_err

# ---- over TCP ----

# An engine that listens prints its address.
"$SENJUTSU" engine --listen 0 --player random >listening 2>"$err" &
server=$!
wait_until [ -s listening ]
port=$(sed -n 's/^listening on 127\.0\.0\.1://p' listening)
command_line="senjutsu engine --listen 0"
cp listening "$out"
expect "the place it listens at" [ -n "$port" ]

# Several at once, each with a session of its own: the games are those of the same player started here.
expect_status 0 "$SENJUTSU" match "ext:host=127.0.0.1,port=$port" acteval --games 4 --jobs 2 --seed 3 --map tiny.tbsmap \
    --quiet --records over-tcp
expect_no_out forfeit
expect_status 0 "$SENJUTSU" match "ext:cmd=$SENJUTSU engine --player random" acteval --games 4 --jobs 1 --seed 3 \
    --map tiny.tbsmap --quiet --records started
expect_no_out forfeit
for game in 1 2 3 4; do
    flatten over-tcp/game-00000$game.json | grep '^actions\.' >a
    flatten started/game-00000$game.json | grep '^actions\.' >b
    expect "some actions" [ -s a ]
    expect_same a b
done
kill -INT $server
wait $server
status=$?
expect "it to end by itself after Ctrl-C" [ $status -eq 130 ]

# The reverse direction: the player connects to us, on the port that is free again.
"$SENJUTSU" match "ext:listen=127.0.0.1:$port,wait=60" acteval --games 2 --jobs 1 --seed 3 --map tiny.tbsmap --quiet \
    >match.out 2>match.err &
match=$!
tries=0
until "$SENJUTSU" engine --connect "127.0.0.1:$port" --player random >"$out" 2>"$err" || [ $tries -ge 500 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
wait $match
status=$?
command_line="senjutsu engine --connect 127.0.0.1:$port"
expect "the match to be played" [ $status -eq 0 ]
cp match.out "$out"
cp match.err "$err"
expect_no_out forfeit
expect_out 'in all'

expect_status 2 "$SENJUTSU" engine --listen 1 --connect a:1
expect_refusal
expect_status 2 "$SENJUTSU" engine --listen nowhere
expect_refusal
expect_status 2 "$SENJUTSU" engine --connect 5000
expect_refusal
expect_status 1 "$SENJUTSU" engine --connect 127.0.0.1:1
expect_refusal
expect_status 1 "$SENJUTSU" engine --listen 256.256.256.256:0
expect_refusal

# ---- programs that misbehave ----

if [ -n "${SENJUTSU_SABOTEUR:-}" ]; then
    # A match continues after any fault of a player, and reports the fault.
    for mode in exit exit-mid crash garbage illegal error unsolicited flood flood-lines fork-exit; do
        expect_status 0 "$SENJUTSU" match "ext:cmd=$SENJUTSU_SABOTEUR $mode" acteval --games 2 --map tiny.tbsmap --json
        expect "2 forfeits" [ "$(json_get forfeits "$out")" = 2 ]
    done
    for mode in sleep sleep-ignore-term half-line; do
        expect_status 0 "$SENJUTSU" match "ext:cmd=$SENJUTSU_SABOTEUR $mode,timeout=200" acteval --games 2 \
            --map tiny.tbsmap --json
        expect "2 forfeits" [ "$(json_get forfeits "$out")" = 2 ]
    done
    for mode in pass cr-lf honest stderr-flood fork-survivors; do
        expect_status 0 "$SENJUTSU" match "ext:cmd=$SENJUTSU_SABOTEUR $mode" acteval --games 2 --map tiny.tbsmap --json
        expect "no forfeit" [ "$(json_get forfeits "$out")" = 0 ]
    done

    # When we are killed in the middle, our processes end too.
    "$SENJUTSU" match "ext:cmd=$SENJUTSU_SABOTEUR sleep-ignore-term" random --games 1 --one-sided --map tiny.tbsmap --quiet \
        >"$out" 2>"$err" &
    match=$!
    carriers() {
        grep -l -s -E "SENJUTSU_LINK=([0-9]+-[0-9]+,)*$match-" /proc/[0-9]*/environ | wc -l
    }
    carried() {
        [ "$(carriers)" -gt 0 ]
    }
    # shellcheck disable=SC2317 # called by wait_until
    not_carried() {
        ! carried
    }
    if [ -r /proc/self/environ ]; then
        command_line="senjutsu match against a program that sleeps, killed"
        expect "a program that was started" wait_until carried
        kill -KILL $match
        wait $match 2>/dev/null
        status=$?
        expect "nothing left of it" wait_until not_carried
    else
        kill -INT $match
        wait $match
        skip "there is no /proc to look for processes in"
    fi
else
    skip "SENJUTSU_SABOTEUR is not set"
fi

finish
