# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Games over the networks of the two platforms: the output of servers and clients, logs and records.

# start NAME COMMAND …: a server in the background.
start() {
    : >server.out
    : >server.err
    timeout "$limit" "$SENJUTSU" "$@" >server.out 2>server.err &
    server=$!
    wait_for '^listening on '
    port=$(cat server.out server.err | sed -n "s/^listening on .*port \([0-9]*\)[;,].*/\1/p" | head -n 1)
    second=$(cat server.out server.err | sed -n "s/.*second player's port \([0-9]*\).*/\1/p")
}

# Ports, tokens and times differ.
without_ports() {
    sed -E -e 's/(port|127\.0\.0\.1:|localhost:|token=) ?[0-9A-Za-z]+/\1 N/g' -e 's/longest [0-9]+ ms/longest T ms/g' \
        -e 's/"(ms|longest_ms|[a-z_]*ms)":[0-9.]+/"\1":T/g' -e 's/[0-9.]+ s\)/T s)/' -e 's/"used_ms":\[[^]]*\]/"used_ms":T/' "$1" | plain
}
said() {
    for file in "$@"; do
        checks=$((checks + 1))
        { echo "= $file"; without_ports "$file"; echo; } >>"$found"
    done
}

# ---- Geister ----

start geister serve --first-port 0 --second-port 0 --no-viewer --games 3 --log log --records kept --wait 0
timeout "$limit" "$SENJUTSU" geister join "127.0.0.1:$second" --second --player purple:depth=1 --games 3 --seed 5 --time 0 \
    --records theirs --json >second.out 2>second.err &
other=$!
timeout "$limit" "$SENJUTSU" geister join 127.0.0.1 --port "$port" --player pg:style=sample --games 3 --time 0 --records ours \
    >first.out 2>first.err
wait $other $server
said server.out server.err first.out first.err second.out second.err
n=0
for file in log/*; do
    n=$((n + 1))
    { head -n 2 "$file" | sort; tail -n +3 "$file"; } >"log-$n.txt" # either may choose its reds first
    sums "log-$n.txt"
done
n=0
for file in kept/*; do
    n=$((n + 1))
    without_ports "$file" >"kept-$n.json"
    sums "kept-$n.json"
done
for file in ours/* theirs/*; do
    plain <"$file" | tr -d '0123456789.' >letters # ports
    echo "$file: $(cksum <letters)" >>"$found"
done
start geister serve --first-port 0 --second-port 0 --no-viewer --games 2 --player guess --side first --seed 4 --json --rules uctgeister \
    --official-log --log official --budget 0
timeout "$limit" "$SENJUTSU" geister join "127.0.0.1:$second" --second --player random --games 2 --seed 2 --rules uctgeister >one.out 2>one.err
wait $server
said server.out server.err one.out one.err

# ---- the tactical platform ----

write_tiny_map tiny.tbsmap
start tubstap serve --port 0 --wait 40 --map "tiny.tbsmap,$maps/duel.tbsmap" --red acteval --games 3 --records net
timeout "$limit" "$SENJUTSU" tubstap join "127.0.0.1:$port" --player random --name guest --games 3 --seed 2 >join.out 2>join.err
wait $server
said server.out server.err join.out join.err
for file in net/*; do
    sums "$file"
done
start tubstap serve --port 0 --wait 40 --map "$maps/duel.tbsmap" --blue random --games 1 --records sgf --format sgf --json
timeout "$limit" "$SENJUTSU" tubstap join "127.0.0.1:$port" --player acteval:style=sample >join.out 2>join.err
wait $server
said server.out server.err join.out join.err
sums sgf/*

# A player that cannot play there, records that cannot be written, and a server that is stopped while one of two clients
# waits for the second game.
start tubstap serve --port 0 --wait 40 --map tiny.tbsmap --blue pg --games 1
timeout "$limit" "$SENJUTSU" tubstap join "127.0.0.1:$port" --player random --retry 0 >join.out 2>join.err
line "client: status $?"
wait $server
line "server: status $?"
said server.out server.err join.out join.err
start tubstap serve --port 0 --wait 40 --map tiny.tbsmap --blue random --games 2 --records gone
rmdir gone
timeout "$limit" "$SENJUTSU" tubstap join "127.0.0.1:$port" --player random --retry 0 >join.out 2>join.err
line "client: status $?"
wait $server
line "server: status $?"
said server.out server.err join.out join.err
: >server.out
: >server.err
"$SENJUTSU" tubstap serve --port 0 --wait 100 --map tiny.tbsmap --games 2 --json >server.out 2>server.err &
server=$!
wait_for '^listening on '
port=$(sed -n 's/^listening on .*port \([0-9]*\);.*/\1/p' server.err)
"$SENJUTSU" tubstap join "127.0.0.1:$port" --player random --name patient --games 2 --seed 4 >patient.out 2>patient.err &
client=$!
wait_for '^patient is here'
timeout "$limit" "$SENJUTSU" tubstap join "127.0.0.1:$port" --player random --name quick --seed 5 >join.out 2>join.err
line "quick: status $?"
is_back() {
    [ "$(grep -c '^patient is here' server.err)" -eq 2 ]
}
wait_until is_back
wait_until has_lines 1 patient.out # while it waits for the second game
kill -INT $server
wait $server
line "server: status $?"
wait $client
line "patient: status $?"
said server.out server.err patient.out patient.err join.out join.err
