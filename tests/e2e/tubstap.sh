#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu tubstap: real games over TCP between processes, the same as without a network; clients that misbehave are
# ruled against and the next game is played.
. "$(dirname "$0")/lib.sh"

write_tiny_map tiny.tbsmap

# start_server OPTION …: in the background, on a port of its own; leaves $port and $server.
start_server() {
    : >server.out
    : >server.err
    timeout "$limit" "$SENJUTSU" tubstap serve --port 0 --wait 40 "$@" >server.out 2>server.err &
    server=$!
    wait_for '^listening on '
    port=$(cat server.out server.err | sed -n 's/^listening on .* port \([0-9]*\);.*/\1/p')
}

# end_server STATUS: the server's output becomes the output of the command run last.
end_server() {
    expect_server_end "$server" "senjutsu tubstap serve" "$1"
}

actions_of() {
    awk '/"actions": \[/ { on = 1 } on { print } /\]/ { on = 0 }' "$1"
}

# ---- two clients ----

start_server --map "tiny.tbsmap" --games 1 --records net
expect "a port" [ -n "$port" ]
timeout "$limit" "$SENJUTSU" tubstap join "127.0.0.1:$port" --player acteval --name first >red.out 2>red.err &
red=$!
expect "the first client to be announced" wait_for '^first is here$'
expect_status 0 "$SENJUTSU" tubstap join "127.0.0.1:$port" --player random --name second
expect_silent_err
expect_out '^game 1: blue against first: (won|lost|drawn): (red|blue|draw) [a-z]+ \([0-9]+ turns, [0-9]+ actions\)$'
wait $red
expect "the first client to end well" [ $? -eq 0 ]
expect "nothing on its standard error" is_empty red.err
expect "it to be red" grep -q '^game 1: red against second: ' red.out
end_server 0
expect_out '^game 1 on tiny.tbsmap: first \(red\) - second \(blue\): (red|blue|draw) '
expect_out '^1 of 1 game: red won [01], blue [01], [01] drawn, 0 forfeited$'
expect_silent_err
expect_status 0 "$SENJUTSU" match acteval random --one-sided --map tiny.tbsmap --games 1 --records local --quiet
actions_of net/game-000001.json >a
actions_of local/game-000001.json >b
expect "some actions" [ "$(wc -l <a)" -gt 3 ]
expect_same a b

# ---- one client against a player of ours, several maps and games ----

start_server --map "tiny.tbsmap,$maps/battle16.tbsmap" --red acteval:style=sample --games 3 --records net1 --json
expect_status 0 "$SENJUTSU" tubstap join "127.0.0.1:$port" --player random --games 3 --time 20000
expect_silent_err
expect_count 3 '^game [123]: blue against acteval:style=sample: '
end_server 0
expect "3 games" [ "$(json_get games "$out")" = 3 ]
expect "no forfeits" [ "$(json_get forfeits "$out")" = 0 ]
expect "the second map" [ "$(json_get list.1.map "$out")" = "\"$maps/battle16.tbsmap\"" ]
expect "the client's name" [ "$(json_get list.2.players.1 "$out")" = '"random"' ]
expect_status 0 "$SENJUTSU" match acteval:style=sample random --one-sided --map "tiny.tbsmap,$maps/battle16.tbsmap" \
    --games 3 --records local1 --quiet
for i in 1 2 3; do
    actions_of "net1/game-00000$i.json" >a
    actions_of "local1/game-00000$i.json" >b
    expect_same a b
done

# ---- clients that misbehave: ruled, and the next game is played ----

# A client in a few lines. Of all shells only bash can connect.
if command -v bash >/dev/null 2>&1; then
    cat >rogue.bash <<'END'
# rogue.bash PORT ANSWER: proper until Genmove, then ANSWER (or "leave", or "silence").
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
while IFS= read -r -t 50 line <&3; do
    case $line in
    name*) printf '= rogue\r\n\r\n' >&3 ;;
    Genmove*)
        case $2 in
        leave) exit 0 ;;
        silence) ;;
        huge) head -c 200000 /dev/zero | tr '\0' x >&3 ;;
        *) printf '%s\r\n\r\n' "$2" >&3 ;;
        esac ;;
    *) printf '= \r\n\r\n' >&3 ;;
    esac
done
END
    start_server --map tiny.tbsmap --blue random --games 6 --clock turn=3,patience=0.2 --records faults --format sgf
    for answer in leave silence huge nonsense "= 0,4,1,1,1,-1,0,0,1,0,0" "= -1,-1,-1,0,0,-1,0,0,0,0,0"; do
        timeout "$limit" bash rogue.bash "$port" "$answer" 2>/dev/null
    done
    end_server 0
    expect_count 1 ': blue crash \('
    expect_count 1 ': blue hang \('
    expect_count 2 ': blue garbage \('
    expect_count 1 ': blue illegal \('
    expect_count 1 ': blue resignation \('
    expect_out '^  red forfeits: the connection was closed before it answered Genmove$'
    expect_out '^  red forfeits: no answer to Genmove$'
    expect_out '^  red forfeits: a line of more than 65536 bytes after Genmove$'
    expect_out "^  red forfeits: its answer to Genmove does not begin with '=': 'nonsense'$"
    expect_out '^6 of 6 games: red won 0, blue 6, 0 drawn, 5 forfeited$'
    expect "a record of each game" [ "$(find faults -name 'game-00000[1-6].sgf' | wc -l)" -eq 6 ]
    expect "what is known of each fault" [ "$(find faults -name '*.fault.json' | wc -l)" -eq 5 ]
    expect "what the culprit was sent" grep -q 'opponent random' faults/game-000001.fault.json

    # Unknown clients get no seat; a client that leaves while another is awaited loses its seat.
    start_server --map tiny.tbsmap --games 1 --answer 20
    bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; printf 'GET / HTTP/1.0\r\n\r\n' >&3; cat <&3" >/dev/null 2>&1
    wait_for 'turned away'
    bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; read -r line <&3; printf '= ghost\r\n\r\n' >&3; sleep 0.3" 2>/dev/null
    expect "the ghost" wait_for '^ghost is here$'
    "$SENJUTSU" tubstap join "127.0.0.1:$port" --player random --name one >one.out 2>&1 &
    one=$!
    expect "the first of two clients" wait_for '^one is here$'
    expect_status 0 "$SENJUTSU" tubstap join "127.0.0.1:$port" --player random --name two
    wait $one
    expect "the first client to end well" [ $? -eq 0 ]
    end_server 0
    expect_out "^a connection was turned away: "
    expect_out '^ghost left before the game began$'
    expect_out '^game 1 on tiny.tbsmap: one \(red\) - two \(blue\): '
else
    skip "there is no bash for a client"
fi

# ---- refused options ----

expect_status 1 "$SENJUTSU" tubstap join 127.0.0.1:1 --player random --retry 0
expect_refusal
expect_err '127.0.0.1:1: '
expect_status 1 "$SENJUTSU" tubstap serve --port 0 --map tiny.tbsmap --wait 0.2
expect_err 'no client connected'
expect_out '^0 of 1 game: '
expect_status 1 "$SENJUTSU" tubstap serve --map missing.tbsmap
expect_refusal
for wrong in "serve --red random --blue random" "serve --red nobody" "serve --clock turn=x" "serve --format pdf" \
    "serve --port 70000" "serve more" "join" "join a b --player random" "join 127.0.0.1" \
    "join 127.0.0.1:0 --player random" "join [::1 --player random" "join 127.0.0.1 --player nobody" "dance" ""; do
    # shellcheck disable=SC2086 # the words are meant to be split
    expect_status 2 "$SENJUTSU" tubstap $wrong
    expect_refusal
done
for verb in "" serve join; do
    # shellcheck disable=SC2086 # likewise
    expect_status 0 "$SENJUTSU" tubstap $verb --help
    expect_out '^usage: senjutsu tubstap '
    expect_silent_err
done

# ---- Ctrl-C ----

expect_interrupted 130 "$SENJUTSU" tubstap serve --map tiny.tbsmap --port 0

finish
