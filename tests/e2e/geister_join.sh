#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu geister join: real games over TCP between processes; both clients and the server record the same game.
# Servers that do not exist, are silent, send other lines or end are reported by name.
. "$(dirname "$0")/lib.sh"

# start_server OPTION …: in the background, on ports of its own; leaves $first, $second and $server.
start_server() {
    : >server.out
    : >server.err
    timeout "$limit" "$SENJUTSU" geister serve --first-port 0 --second-port 0 --no-viewer "$@" \
        >server.out 2>server.err &
    server=$!
    wait_for '^listening on '
    first=$(cat server.out server.err | sed -n "s/.*first player's port \([0-9]*\),.*/\1/p")
    second=$(cat server.out server.err | sed -n "s/.*second player's port \([0-9]*\).*/\1/p")
}

actions_of() {
    awk '/"actions": \[/ { on = 1 } on { print } /\]/ { on = 0 }' "$1" | tr -d ' \n' | grep -o '"[A-H]*[A-Z]"' |
        tr '\n' ' '
}

result_of() {
    sed -n 's/.*"result": "\([^"]*\)".*/\1/p' "$1"
}

# But for the last move where a piece left: the other side does not see in which direction.
seen_of() {
    case $(result_of "$1") in
    *escape) actions_of "$1" | sed 's/[NEWS]" $/"/' ;;
    *) actions_of "$1" ;;
    esac
}

# joined PORT: is a client connected to it? The server prints nothing about a waiting client.
joined() {
    awk -v port="$(printf ':%04X$' "$1")" '$2 ~ port && $4 == "01" { found = 1 } END { exit !found }' \
        /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

wait_for_clients() {
    if [ ! -r /proc/net/tcp ]; then
        sleep 3
        return
    fi
    for port in "$@"; do
        expect "a client at port $port" wait_until joined "$port"
    done
}

# ---- whole games ----

start_server --games 3 --records kept
expect "two ports" [ -n "$first" ] && [ -n "$second" ]
timeout "$limit" "$SENJUTSU" geister join "127.0.0.1:$second" --second --player purple:depth=2 --games 3 --seed 5 \
    --records theirs --json >second.out 2>second.err &
other=$!
expect_status 0 "$SENJUTSU" geister join 127.0.0.1 --port "$first" --player random --games 3 --records ours
expect_silent_err
expect_out '^game 3: first player: (won|lost|drawn): (first|second|draw) [a-z]+ \([0-9]+ moves, longest [0-9]+ ms\)$'
expect_out '^3 of 3 games: [0-3] won, [0-3] drawn, [0-3] lost$'
wait $other
expect "the other client to end well" [ $? -eq 0 ]
expect "nothing on its standard error" is_empty second.err
expect "one line of JSON a game" [ "$(grep -c '^{"game":[123],"side":"second","player":"purple:depth=2","outcome":' second.out)" -eq 3 ]
wait $server
expect "the server to end with status 0" [ $? -eq 0 ]
ls kept >names
expect "three games kept by the server" [ "$(wc -l <names)" -eq 3 ]
for i in 1 2 3; do
    kept=kept/$(sed -n "${i}p" names)
    for side in ours theirs; do
        expect "the same result in game $i" [ "$(result_of "$kept")" = "$(result_of "$side/game-00000$i.json")" ]
        expect "the same moves in game $i" [ "$(seen_of "$kept")" = "$(seen_of "$side/game-00000$i.json")" ]
    done
    expect "moves" [ "$(actions_of "$kept" | wc -w)" -gt 10 ]
    expect_status 0 "$SENJUTSU" replay "ours/game-00000$i.json" --check
done

# ---- the time of a whole game: moves are charged, the choice of the reds is not ----

cat >slow.sh <<'END'
while read -r line; do
    case $line in
    go*)
        echo "${line#go time }" >>asked
        [ "$(wc -l <asked)" -gt 2 ] || sleep 0.2
        ;;
    esac
    printf '%s\n' "$line"
done | "$SENJUTSU" engine --player random
END
start_server --games 1
timeout "$limit" "$SENJUTSU" geister join "127.0.0.1:$second" --second --player random >second.out 2>second.err &
other=$!
expect_status 0 "$SENJUTSU" geister join "127.0.0.1:$first" --player 'ext:cmd=exec sh ./slow.sh' --time 0 --budget 60
wait $other $server
expect "a share for the reds and for moves" [ "$(grep -c '^[1-9][0-9]*$' asked)" -gt 5 ]
expect "as much for the first move as for the reds" [ "$(sed -n 1p asked)" -eq "$(sed -n 2p asked)" ]
expect "less for the second move" [ "$(sed -n 3p asked)" -lt "$(sed -n 2p asked)" ]

# ---- the same seeds, the same games; old records stay ----

start_server --games 3
timeout "$limit" "$SENJUTSU" geister join "127.0.0.1:$second" --side second --player purple:depth=2 --games 3 --seed 5 \
    >second.out 2>second.err &
other=$!
expect_status 0 "$SENJUTSU" geister join "127.0.0.1:$first" --player random --games 3 --records ours --json
expect_out '"outcome":"(won|lost|drawn)","result":"[a-z ]+","plies":[0-9]+'
wait $other $server
for i in 1 2 3; do
    expect "game $i again" [ "$(actions_of "ours/game-00000$i.json")" = "$(actions_of "ours/game-00000$((i + 3)).json")" ]
done

# ---- faulty servers ----

expect_status 1 "$SENJUTSU" geister join "127.0.0.1:$first" --player random --retry 0.3 --games 2
expect_err "^senjutsu geister join: game 1: 127.0.0.1:$first: .*refused"
expect_out '^0 of 2 games'

# No opponent: Ctrl-C ends the waiting.
start_server
"$SENJUTSU" geister join "127.0.0.1:$first" --player random >alone.out 2>alone.err &
alone=$!
wait_for_clients "$first"
kill -TERM $alone
wait $alone
expect "the status of a client that was stopped" [ $? -eq 143 ]
expect "that it says so" grep -q '^senjutsu geister join: game 1: stopped$' alone.err

kill -TERM $server
wait $server

# A server that ends during a game: the game is lost, and the next game has no server.
start_server --wait 200
"$SENJUTSU" geister join "127.0.0.1:$first" --player random --retry 0.2 --games 2 >one.out 2>one.err &
one=$!
"$SENJUTSU" geister join "127.0.0.1:$second" --player random --retry 0.2 --games 2 >two.out 2>two.err &
two=$!
wait_for_clients "$first" "$second"
sleep 0.3
kill -TERM $server
wait $server
wait $one
expect "status 1 of the first client" [ $? -eq 1 ]
wait $two
expect "status 1 of the second client" [ $? -eq 1 ]
for who in one two; do
    expect "why, from client $who" grep -q -E '^senjutsu geister join: game [12]: .*(closed the connection|refused)' $who.err
done

# Another protocol.
write_tiny_map tiny.tbsmap
: >server.out
timeout "$limit" "$SENJUTSU" tubstap serve --map tiny.tbsmap --port 0 --wait 30 >server.out 2>server.err &
server=$!
wait_for '^listening on '
port=$(sed -n 's/^listening on .* port \([0-9]*\);.*/\1/p' server.out)
expect_status 1 "$SENJUTSU" geister join "127.0.0.1:$port" --player random --retry 0
expect_err "no SET\\? at the beginning: 'name' from the server: this is no line of a Geister server"
kill -TERM $server
wait $server

# ---- wrong usage ----

expect_status 2 "$SENJUTSU" geister join
expect_err 'one server is needed'
expect_status 2 "$SENJUTSU" geister join localhost --first --second --player random
expect_err 'not both'
expect_status 2 "$SENJUTSU" geister join localhost --side third --player random
expect_err 'expected first or second'
expect_status 2 "$SENJUTSU" geister join localhost:1 --port 2 --player random
expect_err 'two ports'
expect_status 2 "$SENJUTSU" geister join localhost --player nobody
expect_err 'nobody'
expect_status 2 "$SENJUTSU" geister join localhost --player random --rules none
expect_err 'rules'

finish
