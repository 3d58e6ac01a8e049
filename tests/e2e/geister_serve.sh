#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu geister serve: games of a player of ours against clients of a few lines, compared to the byte; their records;
# the output for viewers; refused options.
. "$(dirname "$0")/lib.sh"

# start_server OPTION …: in the background, on ports of its own; leaves $first, $second and $server. With $descriptors set
# it has only so many.
descriptors=
start_server() {
    : >server.out
    : >server.err
    (
        # shellcheck disable=SC3045 # what POSIX leaves out, every sh has
        [ -z "$descriptors" ] || ulimit -n "$descriptors"
        exec timeout --foreground -s KILL "$limit" "$SENJUTSU" geister serve --first-port 0 --second-port 0 "$@"
    ) >server.out 2>server.err &
    server=$!
    wait_for '^listening on '
    first=$(cat server.out server.err | sed -n "s/.*first player's port \([0-9]*\),.*/\1/p")
    second=$(cat server.out server.err | sed -n "s/.*second player's port \([0-9]*\).*/\1/p")
}

# end_server STATUS: the server's output becomes the output of the command run last.
end_server() {
    expect_server_end "$server" "senjutsu geister serve" "$1"
}

# said_in_all: all lines of the server that ended last, without ports, tokens and times.
said_in_all() {
    sed -E -e 's/([:/]|port )[0-9]+/\1N/g' -e 's/token=[0-9a-f]{16,}/token=RANDOM/' -e 's/, [0-9.]+ s\)/, T s)/' "$out" "$err" |
        sed -e 's/127N\.0/127.0/' -e 's#//N\.#//127.#' -e 's#\[:N\]#[::1]#' -e 's#::N:#::1:#'
}

# Of all shells only bash can connect.
if command -v bash >/dev/null 2>&1; then
    cat >client.bash <<'END'
# client.bash PORT LINE …: sends the next line at each prompt and prints every received line. "pause" waits 0.3 s before
# the following line, "close" closes, after the last line the client only receives.
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
shift
while IFS= read -r -t 60 line <&3; do
    printf '%s\n' "$line"
    case $line in
    SET\?* | MOV\?*)
        [ "$1" = close ] && exit 0
        [ "$1" = pause ] && sleep 0.3 && shift
        [ $# -gt 0 ] && printf '%s\r\n' "$1" >&3
        [ $# -gt 0 ] && shift ;;
    esac
done
END
    start='14R24R34R44R15B25B35B45B'

    # ---- one game after the other: each ends by a fault of the client ----

    start_server --player random --games 3 --budget 0 --timeout 0.7 --log logs --records records --viewer-port 0 --json
    timeout "$limit" bash client.bash "$first" SET:ABCD MOV:E,N >illegal.out 2>/dev/null
    timeout "$limit" bash client.bash "$first" SET:ABCD close >left.out 2>/dev/null
    late_from=$(date +%Y-%m-%d-%H-%M-%S-%3N)
    timeout "$limit" bash client.bash "$first" SET:ABCD >late.out 2>/dev/null
    late_to=$(date -d '-0.6 seconds' +%Y-%m-%d-%H-%M-%S-%3N)
    end_server 0
    tr -d '\r' <illegal.out >plain.out
    expect "the question" grep -q '^SET?$' plain.out
    expect "the prompt" grep -q "^MOV?${start}41u31u21u11u40u30u20u10u\$" plain.out
    expect "the refusal" grep -q '^NG $' plain.out
    expect "the verdict, with all colours" grep -q -E "^LST:${start}41[rb]31[rb]21[rb]11[rb]40[rb]30[rb]20[rb]10[rb]\$" plain.out
    expect "lines that end with CR LF" [ "$(grep -c "$(printf '\r')\$" illegal.out)" -eq "$(wc -l <illegal.out)" ]
    expect "five lines" [ "$(wc -l <illegal.out)" -eq 5 ]
    expect "the late client to receive LST:" grep -q '^LST:' late.out
    expect_count 1 '"game":1,.*"result":"second illegal","winner":1,.*"reason":"an illegal move"'
    expect_count 1 '"game":2,.*"result":"second crash","winner":1,'
    expect_count 1 '"game":3,.*"result":"second hang","winner":1,.*"reason":"no move in time"'
    expect_err '^3 games: first won 0, second 3, 0 drawn; faults: illegal 1, crash 1, hang 1$'
    # Everything in these lines, but for ports and times.
    sed -E -e 's/"127\.0\.0\.1:[0-9]+"/"PEER"/' -e 's/"seconds":[0-9.e-]+/"seconds":T/' -e 's/"used_ms":\[[^]]*\]/"used_ms":T/' "$out" >games.json
    cat >games.expected <<'END'
{"game":1,"players":["PEER","random"],"result":"second illegal","winner":1,"plies":0,"fault":"illegal","reason":"an illegal move","seconds":T,"used_ms":T,"rejected":[1,0]}
{"game":2,"players":["PEER","random"],"result":"second crash","winner":1,"plies":0,"fault":"crash","reason":"the connection was closed","seconds":T,"used_ms":T,"rejected":[0,0]}
{"game":3,"players":["PEER","random"],"result":"second hang","winner":1,"plies":0,"fault":"hang","reason":"no move in time","seconds":T,"used_ms":T,"rejected":[0,0]}
END
    expect_same games.json games.expected
    expect "a log named by the time of its first command" awk -v name="$(ls logs | tail -n 1)" -v from="log-$late_from.txt" \
        -v to="log-$late_to.txt" 'BEGIN { exit !(name >= from && name <= to) }'
    expect "three logs" [ "$(find logs -name 'log-????-??-??-??-??-??-???.txt' | wc -l)" -eq 3 ]
    expect "three records" [ "$(find records -name 'geister-*.json' | wc -l)" -eq 3 ]
    log=$(grep -l 'illegal' logs/*)
    expect "what the client said" grep -q '^player=0,MOV:E,N$' "$log"
    expect "the fault" grep -q '^fault=0,illegal: an illegal move$' "$log"
    expect "the winner at the end" [ "$(tail -n 1 "$log")" = winner=1 ]
    for record in records/*; do
        expect_status 0 "$SENJUTSU" replay "$record" --check
    done

    # ---- two clients; the output for viewers; Ctrl-C in the middle ----

    start_server --viewer-port 0 --viewer-token secret --official-log --log official
    viewer=$(sed -n 's/^viewers: .*:\([0-9]*\)\/$/\1/p' server.out)
    timeout "$limit" bash client.bash "$first" SET:ABCD >a.out 2>/dev/null &
    a=$!
    timeout "$limit" bash client.bash "$second" SET:EFGH >b.out 2>/dev/null &
    b=$!
    wait_until grep -q 'MOV?' a.out
    cat >watch.bash <<'END'
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
printf 'GET %s HTTP/1.1\r\nHost: here\r\n%s\r\n' "$2" "${4:+Upgrade: websocket
Connection: Upgrade
Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==
Sec-WebSocket-Version: 13
}" >&3
if [ "$3" -gt 0 ]; then head -c "$3" <&3; else cat <&3; fi
END
    # 139 bytes of the answer, then a frame of 54.
    timeout "$limit" bash watch.bash "$viewer" /ws/geister 193 ws >public.out
    timeout "$limit" bash watch.bash "$viewer" '/ws/geister/1?token=secret' 193 ws >all.out
    timeout "$limit" bash watch.bash "$viewer" '/ws/geister?token=secre' 193 ws >guess.out
    timeout "$limit" bash watch.bash "$viewer" /games 0 >games.out
    timeout "$limit" bash watch.bash "$viewer" / 0 >page.out
    timeout "$limit" bash watch.bash "$viewer" /nothing 0 >nothing.out
    expect "the handshake" grep -q -a 'Sec-WebSocket-Accept: BACScCJPNqyz+UBoqMH89VmURoA=' public.out
    expect "no hidden colours" grep -q -a 'MV0:14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u' public.out
    expect "all colours" grep -q -a 'MV0:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b' all.out
    expect "no hidden colours for a guessed token" grep -q -a 'MV0:14u24u' guess.out
    expect "the running game" grep -q '"running":\[{"game":1,' games.out
    expect "a page" grep -q -i '</html>' page.out
    expect "a refusal" grep -q '^HTTP/1.1 404 ' nothing.out
    kill -INT $server
    wait $a $b
    end_server 130
    expect_out '^game 1: .*: stopped \(0 moves, '
    expect_out '^0 games: first won 0, second 0, 0 drawn; faults: none$'
    expect_silent_err
    expect "a log of the game that was stopped" [ "$(cat official/log-*.txt | wc -l)" -eq 2 ]

    # ---- our player's options may contain its red pieces: viewers receive its name only ----

    start_server --player purple:depth=1,setup=BCFG --viewer-port 0
    viewer=$(sed -n 's/^viewers: .*:\([0-9]*\)\/$/\1/p' server.out)
    : >a.out # output of the previous client must not be taken for this one's
    timeout "$limit" bash client.bash "$first" SET:ABCD >a.out 2>/dev/null &
    a=$!
    wait_until grep -q 'MOV?' a.out
    timeout "$limit" bash watch.bash "$viewer" /games 0 >games.out
    expect "the name and no more" grep -q '"players":\["127.0.0.1:[0-9]*","purple"\]' games.out
    kill -INT $server
    wait $a
    end_server 130

    # ---- the announcement, and options that limit clients ----

    # Ports that were free a moment ago are asked for by their numbers.
    start_server --viewer-port 0 --player random --side first --rules uctgeister
    viewer=$(sed -n 's/^viewers: .*:\([0-9]*\)\/$/\1/p' server.out)
    kill -INT $server
    end_server 130
    said_in_all >said
    cat >said.expected <<'END'
listening on 127.0.0.1: first player's port N, second player's port N
random plays first in every game
viewers: http://127.0.0.1:N/
with all colours: http://127.0.0.1:N/?token=RANDOM
0 games: first won 0, second 0, 0 drawn; faults: none
END
    expect_same said said.expected
    start_server --first-port "$first" --second-port "$second" --viewer-port "$viewer" --viewer-open --quiet --waiting 1 \
        --setup-time 0.3 --linger 0.1 --games 1
    cat >said.expected <<END
listening on 127.0.0.1: first player's port $first, second player's port $second
viewers: http://127.0.0.1:$viewer/
all viewers at that port see all colours: players must not reach it
END
    expect_same server.out said.expected
    # One client may wait; another one is sent away. The third chooses no reds, and loses.
    : >waits.out
    timeout "$limit" bash client.bash "$first" SET:ABCD >waits.out 2>/dev/null &
    a=$!
    wait_until grep -q 'SET?' waits.out
    timeout "$limit" bash client.bash "$first" SET:ABCD >away.out 2>/dev/null
    timeout "$limit" bash client.bash "$second" >mute.out 2>/dev/null
    wait $a
    end_server 0
    expect "nothing for the second client" is_empty away.out
    expect "the question for the third" grep -q '^SET?' mute.out
    cat >>said.expected <<'END'
1 game: first won 1, second 0, 0 drawn; faults: hang 1
0 stopped, 1 connections turned away
END
    expect_same server.out said.expected

    # Time is charged for moves.
    start_server --player random --games 1 --json --no-viewer
    timeout "$limit" bash client.bash "$first" SET:ABCD pause MOV:A,N close >/dev/null 2>&1
    end_server 0
    used=$(sed 's/.*"used_ms":\[\([0-9.]*\).*/\1/' "$out") seconds=$(sed 's/.*"seconds":\([0-9.]*\).*/\1/' "$out")
    expect "300 ms to be charged, and no more than the game took (not $used)" \
        awk -v used="$used" -v seconds="$seconds" 'BEGIN { exit !(used >= 290 && used <= seconds * 1000 + 1) }'
    expect_out '"result":"second crash","winner":1,"plies":2,"fault":"crash",.*"rejected":\[0,0\]\}$'

    # An illegal move need not end the game, and one address may have one connection.
    start_server --player random --games 1 --no-ng-terminate --per-address 1 --budget 0.6 --timeout 0.3 --json --no-viewer
    timeout "$limit" bash client.bash "$first" SET:ABCD MOV:E,N >again.out 2>/dev/null &
    again=$!
    wait_until grep -q -s 'NG' again.out
    timeout "$limit" bash client.bash "$first" SET:ABCD >other.out 2>/dev/null
    wait $again
    end_server 0
    expect "nothing for a second connection" is_empty other.out
    expect_out '"result":"second hang","winner":1,"plies":0,"fault":"hang","reason":"no move in time",.*"rejected":\[1,0\]\}$'
    expect "a game of 0.9 seconds" awk -v seconds="$(sed 's/.*"seconds":\([0-9.]*\).*/\1/' "$out")" 'BEGIN { exit !(seconds >= 0.88) }'
    said_in_all | sed '/^{/d' >said
    cat >said.expected <<'END'
listening on 127.0.0.1: first player's port N, second player's port N
random plays second in every game
1 game: first won 0, second 1, 0 drawn; faults: hang 1
0 stopped, 1 connections turned away
END
    expect_same said said.expected

    # ---- more clients than games and descriptors: the game is played and recorded, the others are disconnected ----

    cat >crowd.bash <<'END'
# crowd.bash FIRST SECOND: twelve pairs, of which the first plays, badly.
for i in {1..12}; do
    exec {a[i]}<>"/dev/tcp/127.0.0.1/$1" {b[i]}<>"/dev/tcp/127.0.0.1/$2" || exit 1
done
printf 'SET:ABCD\r\n' >&${b[1]}
while IFS= read -r -t 60 line <&${a[1]}; do
    printf '%s\n' "$line"
    case $line in
    SET\?*) printf 'SET:ABCD\r\n' >&${a[1]} ;;
    MOV\?*) printf 'MOV:E,N\r\n' >&${a[1]} ;;
    esac
done
END
    descriptors=30
    start_server --games 1 --log crowded --no-viewer --linger 0.1
    descriptors=
    timeout "$limit" bash crowd.bash "$first" "$second" >crowd.out 2>/dev/null
    end_server 0
    expect "the verdict" grep -q '^LST:' crowd.out
    expect_out '^1 game: first won 0, second 1, 0 drawn; faults: illegal 1$'
    expect_out '^0 stopped, 22 connections turned away$'
    said_in_all >said
    cat >said.expected <<'END'
listening on 127.0.0.1: first player's port N, second player's port N
game 1: 127.0.0.1:N - 127.0.0.1:N: second illegal (0 moves, T s)
  first forfeits: an illegal move
1 game: first won 0, second 1, 0 drawn; faults: illegal 1
0 stopped, 22 connections turned away
END
    expect_same said said.expected
    expect_silent_err
    expect "its log" [ "$(cat crowded/log-*.txt | grep -c '^winner=1$')" -eq 1 ]
else
    skip "there is no bash for a client"
fi

# ---- no descriptor is left: the server pauses between its attempts, and accepts the waiting clients ----

if has_faults; then
    : >short
    : >server.out
    : >server.err
    FAULTS_LOG=$PWD/accepts timeout --foreground -s KILL "$limit" "$with_faults" 'accept EMFILE while=short' "$SENJUTSU" geister serve \
        --first-port 0 --second-port 0 --no-viewer --player random --games 1 >server.out 2>server.err &
    server=$!
    wait_for '^listening on '
    first=$(sed -n "s/.*first player's port \([0-9]*\),.*/\1/p" server.out)
    begun=$(date +%s)
    "$SENJUTSU" geister join "127.0.0.1:$first" --player random >joined.out 2>&1 &
    client=$!
    wait_until has_lines 3 accepts
    sleep 1
    tries=$(grep -c EMFILE accepts)
    most=$(((($(date +%s) - begun) + 2) * 11)) # ten a second
    expect "tries with rests between them (it was $tries, at most $most)" [ "$tries" -le $most ]
    rm short
    wait $client
    end_server 0
    expect "the game to be played" grep -q '^game 1: first player: [a-z]*: ' joined.out
else
    skip "this build has no library that makes faults"
fi

# ---- refused options ----

for wrong in "--first-port 70000" "--budget -1" "--rules nothing" "--player nobody" "--player acteval" "--side third" \
    "--viewer-token a/b" "--no-viewer --viewer-open" "--official-log" "--games -1" "more"; do
    # shellcheck disable=SC2086 # the words are meant to be split
    expect_status 2 "$SENJUTSU" geister serve $wrong
    expect_refusal
done
expect_status 1 "$SENJUTSU" geister serve --first-port 0 --second-port 0 --viewer-port 0 --log missing/folder
expect_refusal
if [ -d /proc/self ]; then
    expect_status 1 "$SENJUTSU" geister serve --first-port 0 --second-port 0 --viewer-port 0 --log /proc/self
    expect_err '^senjutsu geister serve: /proc/self/.writable: cannot be written'
fi
expect_status 1 "$SENJUTSU" geister serve --first-port 40999 --second-port 40999 --no-viewer
expect_err 'port 40999 is wanted twice'
for verb in "" serve; do
    # shellcheck disable=SC2086 # likewise
    expect_status 0 "$SENJUTSU" geister $verb --help
    expect_out '^usage: senjutsu geister '
    expect_silent_err
done
expect_interrupted 130 "$SENJUTSU" geister serve --first-port 0 --second-port 0 --viewer-port 0

finish
