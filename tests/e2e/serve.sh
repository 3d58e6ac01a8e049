#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu serve: the page and the API of the built program, hostile requests, refused options, and its end.
. "$(dirname "$0")/lib.sh"

XDG_DATA_HOME=$PWD/home
unset BROWSER DISPLAY WAYLAND_DISPLAY
export XDG_DATA_HOME

# start_server OPTION …: in the background, on a port of its own; leaves $address, $port and $server.
start_server() {
    : >server.out
    : >server.err
    # shellcheck disable=SC2016 # the inner shell's
    timeout --foreground -s KILL "$limit" sh -c 'echo $$ >server.pid; exec "$@"' sh "$SENJUTSU" serve --port 0 "$@" \
        >server.out 2>server.err &
    server=$!
    wait_for 'http://[^ ]*:[0-9]+/'
    address=$(sed -n 's|.*\(http://[^ ]*\).*|\1|p' server.out | head -n 1)
    port=$(printf '%s\n' "$address" | sed 's|.*:\([0-9]*\)/.*|\1|')
}

# end_server STATUS: as a process manager does it. The signal goes to the program itself: the timeout around it would
# turn the status into its own.
end_server() {
    kill -TERM "$(cat server.pid)"
    expect_server_end "$server" "senjutsu serve" "$1"
}

# Requests in a few lines: METHOD PATH [HEADER ...] [-- BODY]; the status goes to $out's first line, then headers, an
# empty line and the body, of a stream until its first event. Without Python's own HTTP, which takes three times as long
# to start as all the rest.
cat >ask.py <<'END'
import socket, sys
port, method, path, *headers = sys.argv[1:]
body = b''
if '--' in headers:
    body = headers[headers.index('--') + 1].encode()
    headers = headers[:headers.index('--')] + [f'Content-Length: {len(body)}']
if not any(line.startswith('Host: ') for line in headers):
    headers = [f'Host: 127.0.0.1:{port}'] + headers
peer = socket.create_connection(('127.0.0.1', int(port)), 60)
peer.sendall('\r\n'.join([f'{method} {path} HTTP/1.1', *headers, 'Connection: close', '', '']).encode('latin-1') + body)
answer = peer.makefile('rb')
print(answer.readline().split()[1].decode())
followed = False
while (line := answer.readline().decode('latin-1').rstrip('\r\n')) != '':
    print(line)
    followed = followed or line == 'Content-Type: text/event-stream'
print()
sys.stdout.flush()
while line := answer.readline():
    sys.stdout.buffer.write(line.rstrip(b'\r\n') + b'\n')
    if followed and b'data: ' in line:
        break
END

# ask STATUS METHOD PATH [HEADER …] [-- BODY]
ask() {
    wanted_status=$1
    shift
    expect_status 0 python3 -I -S ask.py "$port" "$@"
    expect "the answer $wanted_status" [ "$(head -n 1 "$out")" = "$wanted_status" ]
}
json='Content-Type: application/json'

# ---- refused options ----

expect_status 0 "$SENJUTSU" serve --help
expect_out '^  --port N '
expect_out 'senjutsu serve --open'
for wrong in '--port 70000' '--port x' '--bind' '--token short' '--token with/slash1' '--jobs 0' '--unknown' 'surplus'; do
    # shellcheck disable=SC2086 # words
    expect_status 2 "$SENJUTSU" serve $wrong
    expect_refusal
done
expect_status 1 "$SENJUTSU" serve --port 0 --bind 300.0.0.1
expect_refusal
expect_err "'300.0.0.1' is no address"
expect_status 1 "$SENJUTSU" serve --port 0 --page nowhere
expect_refusal
expect_err 'nowhere: expected the folder of a built page'
expect_status 1 "$SENJUTSU" serve --port 0 --host 'two words'
expect_refusal
: >file
expect_status 1 "$SENJUTSU" serve --port 0 --data file
expect_refusal
expect_err 'file: is no folder'
expect_status 1 env -u XDG_DATA_HOME -u HOME "$SENJUTSU" serve --port 0
expect_refusal
expect_err -- '--data'

if ! command -v python3 >/dev/null 2>&1; then
    skip "there is no python3 to send requests with"
    finish
fi

# ---- page and API ----

start_server --open
expect "the usual address" [ "$address" = "http://127.0.0.1:$port/" ]
expect "the default data folder to be made" [ -d home/senjutsu ]
expect "a message with the way to stop it" server_said 'Ctrl-C stops'
expect "a message that there is no browser" server_said 'open the address yourself'
ask 200 GET /
expect_out '^Content-Type: text/html'
expect_out "^Content-Security-Policy: default-src 'none'; script-src 'self'"
expect_out '^X-Content-Type-Options: nosniff$'
expect_out '<title>'
tag=$(sed -n 's/^ETag: //p' "$out" | tr -d '\r')
ask 304 GET / "If-None-Match: $tag"
ask 200 HEAD /
ask 200 GET /api/about
expect_out '^Cache-Control: no-store$'
expect_out '"version"'
ask 200 GET /api/games
expect_out '"tbs"'

# ---- hostile requests ----

ask 403 GET /api/about 'Host: evil.example'
expect_out 'none of the names'
ask 403 GET /api/about "Host: evil.example:$port"
ask 403 GET /api/about 'Origin: http://evil.example'
ask 403 POST /api/tables 'Origin: null' "$json" -- '{}'
ask 403 GET /api/about 'Sec-Fetch-Site: cross-site'
for path in /../../etc/passwd /%2e%2e/%2e%2e/etc/passwd /..%2fetc/passwd '/assets/..%5c..' /%00 //etc/passwd /%ff; do
    ask 400 GET "$path"
    expect_no_out 'root:'
done
ask 404 GET /etc/passwd
ask 404 GET /api/nothing
ask 404 GET /api/tables/abcdefghijklmnop
ask 400 GET '/api/maps/mine/..'
ask 400 GET '/api/maps/mine/../../x'
ask 405 DELETE /
ask 405 OPTIONS /api/tables
ask 415 POST /api/tables 'Content-Type: text/plain' -- '{}'
ask 400 POST /api/tables "$json" -- '{"game":'
ask 400 POST /api/tables "$json" -- '[]'
ask 404 POST /api/tables "$json" -- '{"game":"tbs","map":"../../etc/passwd","seats":[{"kind":"human"},{"kind":"human"}]}'
expect_out '"error":'
awk 'BEGIN { printf "{\"game\":\""; for (i = 0; i < 500000; i++) printf "0123456789"; print "\"}" }' >huge.json
cat >huge.py <<'END'
import socket, sys
peer = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 60)
body = open('huge.json', 'rb').read()
peer.sendall(b'POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n'
             % len(body))
peer.sendall(body)
print(peer.recv(100).decode().splitlines()[0])
END
expect_status 0 python3 -I -S huge.py "$port"
expect_out '413'
ask 200 GET /api/about # the server stays unaffected

# ---- a game and its event stream ----

ask 201 POST /api/tables "$json" -- \
    '{"game":"tbs","map":"duel","seats":[{"kind":"human"},{"kind":"human"}],"seed":1}'
table=$(sed -n 's/.*"id":"\([a-z0-9]*\)".*/\1/p' "$out")
expect "an id" [ -n "$table" ]
ask 200 GET "/api/tables/$table/events"
expect_out '^event: table$'
expect_out '^data: \{"id":'

# ---- another server ----

expect_status 1 "$SENJUTSU" serve --port "$port" --data other
expect_refusal
expect_err "port $port on 127.0.0.1 is taken .* --port"
expect_status 1 "$SENJUTSU" serve --port 0
expect_refusal
expect_err 'another run .* \(--data names another folder\)'
end_server 143
expect_silent_err
expect_out '^stopping'

# It contains keys and hidden colours: only its owner may read it.
expect "a game's file to be private" [ "$(ls -l "home/senjutsu/tables/$table.json" | cut -c1-10)" = -rw------- ]

# Earlier data are there again.
start_server
ask 200 GET "/api/tables/$table"
end_server 143

# ---- for other machines ----

start_server --bind 0.0.0.0 --data shared/deep/er --host event.example.org
expect "folders to be made" [ -d shared/deep/er ]
token=$(printf '%s\n' "$address" | sed -n 's/.*?token=\([0-9a-f]*\)$/\1/p')
expect "a token of 32 characters" [ "${#token}" -eq 32 ]
ask 401 GET /
ask 401 GET /api/about
ask 401 GET /api/about "Authorization: Bearer ${token}0"
ask 200 GET /api/about "Authorization: Bearer $token"
ask 200 GET "/?token=$token"
expect_out "^Set-Cookie: senjutsu-$port=$token; Path=/; HttpOnly; SameSite=Strict\$"
ask 200 GET / "Cookie: senjutsu-$port=$token"
ask 200 GET /api/about "Cookie: senjutsu-$port=$token" "Host: event.example.org:$port"
ask 200 GET /api/about "Cookie: senjutsu-$port=$token" "Host: 10.1.2.3:$port"
ask 403 GET /api/about "Cookie: senjutsu-$port=$token" 'Host: evil.example'
end_server 143

start_server --token our-own-token --quiet
expect "nothing but the address" [ "$(cat server.out)" = "http://127.0.0.1:$port/?token=our-own-token" ]
ask 401 GET /api/about
ask 200 GET /api/about 'Authorization: Bearer our-own-token'
end_server 143
expect "nothing more to be said" [ "$(wc -l <"$out")" -eq 1 ]

# ---- a requested browser is started, without a shell ----

cat >browser <<'END'
#!/bin/sh
printf '%s\n' "$@" >opened
END
chmod +x browser
BROWSER="./nothing:$PWD/browser" export BROWSER
start_server --open --token a-token-of-ours
unset BROWSER
wait_until [ -s opened ]
expect "the browser to get the address" [ "$(cat opened)" = "$address" ]
end_server 143

# started PROGRAM: which browser was given the address of the server.
started() {
    expect "$1 to be started" wait_until [ -s opened ]
    expect "$1 to get the address and the surroundings" [ "$(cat opened)" = "$1 $address 1 as-it-was 1" ]
    children=/proc/$(cat server.pid)/task/$(cat server.pid)/children
    if [ -e "$children" ]; then expect "the ended browser to be forgotten" wait_until lacks '[0-9]' "$children"; fi
    end_server 143
    expect_no_out 'open the address yourself'
    rm -f opened
}
mkdir bin elsewhere
for name in bin/first bin/second bin/xdg-open elsewhere/sensible-browser; do
    printf '%s\n' '#!/bin/sh' "echo \"\${0##*/} \$1 \$SENJUTSU_EXEMPT \$KEPT \$#\" >'$PWD/opened.new'" "exec /bin/mv '$PWD/opened.new' '$PWD/opened'" >$name
    chmod +x $name
done
rm -f opened
path=$PATH
# Names with arguments, and those of missing programs, are skipped.
KEPT=as-it-was
export BROWSER PATH DISPLAY WAYLAND_DISPLAY KEPT
BROWSER="first %s:first	x:first x:nothing::second:first" PATH="$PWD/bin:$path" start_server --open --data browsers
started second
BROWSER='' DISPLAY=:9 PATH="$PWD/bin:$PWD/elsewhere:$path" start_server --open --data browsers
started xdg-open
unset DISPLAY
BROWSER=nothing WAYLAND_DISPLAY=w PATH="$PWD/elsewhere:$path" start_server --open --data browsers
if [ ! -e /usr/bin/xdg-open ]; then started sensible-browser; else end_server 143; fi
unset BROWSER WAYLAND_DISPLAY
PATH=$path

# ---- IPv6 ----

if [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6; then
    start_server --bind ::1 --data six
    expect "brackets around the address" [ "$address" = "http://[::1]:$port/" ]
    end_server 143
    start_server --bind :: --data six
    expect "an address that can be opened here" [ "${address%%\?*}" = "http://localhost:$port/" ]
    end_server 143
else
    skip "this machine has no IPv6"
fi

# ---- the page from a folder ----

mkdir page
echo 'from a folder' >page/index.html
ln -s /etc/passwd page/passwd.txt
start_server --page page
ask 200 GET /
expect_out '^from a folder$'
ask 404 GET /passwd.txt
end_server 143

finish
