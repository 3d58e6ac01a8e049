#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu geister serve: games against a player of ours with clients in a few lines, to the byte; what is kept of
# them; what viewers see; what cannot be.
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

# end_server STATUS: what it said becomes the output of the command run last.
end_server() {
    expect_server_end "$server" "senjutsu geister serve" "$1"
}

# Of all shells only bash can connect.
if command -v bash >/dev/null 2>&1; then
    cat >client.bash <<'END'
# client.bash PORT LINE …: sends the next line whenever something is asked, shows all it hears. "close" closes, after
# the last line it only listens.
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
shift
while IFS= read -r -t 60 line <&3; do
    printf '%s\n' "$line"
    case $line in
    SET\?* | MOV\?*)
        [ "$1" = close ] && exit 0
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
    timeout "$limit" bash client.bash "$first" SET:ABCD >late.out 2>/dev/null
    end_server 0
    tr -d '\r' <illegal.out >plain.out
    expect "the question" grep -q '^SET?$' plain.out
    expect "the prompt" grep -q "^MOV?${start}41u31u21u11u40u30u20u10u\$" plain.out
    expect "the refusal" grep -q '^NG $' plain.out
    expect "the verdict, with all colours" grep -q -E "^LST:${start}41[rb]31[rb]21[rb]11[rb]40[rb]30[rb]20[rb]10[rb]\$" plain.out
    expect "lines that end with CR LF" [ "$(grep -c "$(printf '\r')\$" illegal.out)" -eq "$(wc -l <illegal.out)" ]
    expect "five lines" [ "$(wc -l <illegal.out)" -eq 5 ]
    expect "the late one to be told" grep -q '^LST:' late.out
    expect_count 1 '"game":1,.*"result":"second illegal","winner":1,.*"reason":"an illegal move"'
    expect_count 1 '"game":2,.*"result":"second crash","winner":1,'
    expect_count 1 '"game":3,.*"result":"second hang","winner":1,.*"reason":"no move in time"'
    expect_err '^3 games: first won 0, second 3, 0 drawn; faults: illegal 1, crash 1, hang 1$'
    expect "three logs" [ "$(find logs -name 'log-????-??-??-??-??-??-???.txt' | wc -l)" -eq 3 ]
    expect "three records" [ "$(find records -name 'geister-*.json' | wc -l)" -eq 3 ]
    log=$(grep -l 'illegal' logs/*)
    expect "what the client said" grep -q '^player=0,MOV:E,N$' "$log"
    expect "the fault" grep -q '^fault=0,illegal: an illegal move$' "$log"
    expect "the winner at the end" [ "$(tail -n 1 "$log")" = winner=1 ]
    for record in records/*; do
        expect_status 0 "$SENJUTSU" replay "$record" --check
    done

    # ---- two clients; what others see of them; Ctrl-C in the middle ----

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
    expect "nobody's colours" grep -q -a 'MV0:14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u' public.out
    expect "all colours" grep -q -a 'MV0:14B24B34B44B15R25R35R45R41r31r21r11r40b30b20b10b' all.out
    expect "nobody's colours for a guess" grep -q -a 'MV0:14u24u' guess.out
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

    # ---- our player's options may say which its reds are: viewers are told its name alone ----

    start_server --player purple:depth=1,setup=BCFG --viewer-port 0
    viewer=$(sed -n 's/^viewers: .*:\([0-9]*\)\/$/\1/p' server.out)
    : >a.out # what the last client was told must not be taken for this one's
    timeout "$limit" bash client.bash "$first" SET:ABCD >a.out 2>/dev/null &
    a=$!
    wait_until grep -q 'MOV?' a.out
    timeout "$limit" bash watch.bash "$viewer" /games 0 >games.out
    expect "the name and no more" grep -q '"players":\["127.0.0.1:[0-9]*","purple"\]' games.out
    kill -INT $server
    wait $a
    end_server 130

    # ---- more clients than games and descriptors: the game is played and kept, the others are sent away ----

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
    expect_silent_err
    expect "its log" [ "$(cat crowded/log-*.txt | grep -c '^winner=1$')" -eq 1 ]
else
    skip "there is no bash: nobody to connect"
fi

# ---- no descriptor is left: the server rests between its tries, and lets in who has waited ----

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

# ---- what cannot be ----

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
