#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu serve behind a proxy that speaks TLS: a small one of Python's, and nginx with the configuration of
# docs/workbench.md where nginx is installed. The page's own requests must be answered, those of others refused.
. "$(dirname "$0")/lib.sh"

for tool in python3 openssl; do
    if ! command -v $tool >/dev/null 2>&1; then
        skip "there is no $tool to put a proxy with TLS in front with"
        checks=1
        finish
    fi
done

XDG_DATA_HOME=$PWD/home
export XDG_DATA_HOME
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=bench.example -keyout key.pem -out cert.pem \
    >/dev/null 2>&1 || fail "a certificate"

# Ends TLS and forwards the bytes unchanged in both directions. It prints its port before its target is set.
cat >proxy.py <<'END'
import os, socket, ssl, threading, time
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain('cert.pem', 'key.pem')
door = socket.create_server(('127.0.0.1', 0))
with open('proxy.port.new', 'w') as file:
    file.write(str(door.getsockname()[1]))
os.rename('proxy.port.new', 'proxy.port')
while not os.path.exists('backend.port'):
    time.sleep(0.02)
backend = int(open('backend.port').read())

def pump(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in source, target:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

def serve(client):
    try:
        client = context.wrap_socket(client, server_side=True)
        inner = socket.create_connection(('127.0.0.1', backend))
    except OSError:
        return
    threading.Thread(target=pump, args=(inner, client), daemon=True).start()
    pump(client, inner)

while True:
    threading.Thread(target=serve, args=(door.accept()[0],), daemon=True).start()
END

# ask.py PORT METHOD PATH [HEADER ...]: over TLS, as a browser does; status, headers and body, of a stream its beginning.
cat >ask.py <<'END'
import socket, ssl, sys
port, method, path, *headers = sys.argv[1:]
context = ssl.create_default_context(cafile='cert.pem')
context.check_hostname = False
peer = context.wrap_socket(socket.create_connection(('127.0.0.1', int(port)), 60), server_hostname='bench.example')
peer.sendall('\r\n'.join([f'{method} {path} HTTP/1.1', *headers, 'Connection: close', '', '']).encode())
answer = peer.makefile('rb')
print(answer.readline().split()[1].decode())
while (line := answer.readline().decode().rstrip('\r\n')) != '':
    print(line)
    if line == 'Content-Type: text/event-stream':
        sys.exit()
print()
sys.stdout.flush()
sys.stdout.buffer.write(answer.read())
END

# ask STATUS PORT METHOD PATH [HEADER ...]
ask() {
    wanted_status=$1
    shift
    expect_status 0 python3 ask.py "$@"
    expect "the answer $wanted_status" [ "$(head -n 1 "$out")" = "$wanted_status" ]
}

# start_server ORIGIN: leaves $server and $backend.
start_server() {
    : >server.out
    : >server.err
    # shellcheck disable=SC2016 # the inner shell's
    timeout --foreground -s KILL "$limit" sh -c 'echo $$ >server.pid; exec "$@"' sh "$SENJUTSU" serve --port 0 \
        --token the-right-token --origin "$1" >server.out 2>server.err &
    server=$!
    wait_for 'http://[^ ]*:[0-9]+/'
    backend=$(sed -n 's|.*http://[^ ]*:\([0-9]*\)/.*|\1|p' server.out | head -n 1)
}

# try_page PORT: requests of a browser that has the address with the token, and those of others.
try_page() {
    name=bench.example:$1
    cookie=__Host-senjutsu-$backend
    ask 401 "$1" GET / "Host: $name"
    ask 200 "$1" GET '/?token=the-right-token' "Host: $name"
    expect_out "^Set-Cookie: $cookie=the-right-token; Path=/; HttpOnly; SameSite=Strict; Secure\$"
    ask 200 "$1" GET /api/about "Host: $name" "Cookie: $cookie=the-right-token" "Origin: https://$name" \
        'Sec-Fetch-Site: same-origin'
    expect_out '"version"'
    ask 401 "$1" GET /api/about "Host: $name" "Cookie: senjutsu-$backend=the-right-token" "Origin: https://$name"
    for origin in "http://$name" https://bench.example "https://bench.example:1" "https://$name.evil.example" null \
        "https://evil.example"; do
        ask 403 "$1" GET /api/about "Host: $name" "Cookie: $cookie=the-right-token" "Origin: $origin"
    done
    ask 200 "$1" GET /api/jobs/events "Host: $name" "Cookie: $cookie=the-right-token" "Origin: https://$name"
}

python3 proxy.py 2>proxy.err &
proxy=$!
wait_until [ -e proxy.port ]
tls_port=$(cat proxy.port)
start_server "https://bench.example:$tls_port"
expect "the address of the page" server_said "^through your proxy: https://bench\.example:$tls_port/\?token=the-right-token"
printf '%s' "$backend" >backend.port.new
mv backend.port.new backend.port
try_page "$tls_port"

# The configuration that docs/workbench.md shows, with our own ports and files.
nginx=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v nginx)
if [ -n "$nginx" ]; then
    {
        echo "pid $PWD/nginx.pid; error_log $PWD/nginx.err; daemon off; worker_processes 1; events {} http {"
        echo "access_log off; client_body_temp_path $PWD/n1; proxy_temp_path $PWD/n2; fastcgi_temp_path $PWD/n3;"
        echo "uwsgi_temp_path $PWD/n4; scgi_temp_path $PWD/n5;"
        sed -n '/^    server {/,/^    }/p' "$SENJUTSU_ROOT/docs/workbench.md" | sed "
            s|listen 443 ssl|listen 127.0.0.1:$tls_port ssl|
            s|/etc/ssl/[^ ]*cert.pem|$PWD/cert.pem|
            s|/etc/ssl/[^ ]*key.pem|$PWD/key.pem|
            s|127.0.0.1:8080|127.0.0.1:$backend|"
        echo "}"
    } >nginx.conf
    kill $proxy
    wait $proxy 2>/dev/null
    "$nginx" -p "$PWD" -c "$PWD/nginx.conf" -e "$PWD/nginx.err" >nginx.out 2>&1 &
    proxy=$!
    answers() {
        python3 ask.py "$tls_port" GET / "Host: bench.example:$tls_port" >probe.out 2>/dev/null && [ -s probe.out ]
    }
    command_line="nginx with the configuration of docs/workbench.md"
    cp nginx.conf "$out"
    expect "nginx to answer" wait_until answers
    try_page "$tls_port"
else
    skip "there is no nginx to try the configuration of docs/workbench.md with"
fi
kill $proxy
wait $proxy 2>/dev/null
kill -TERM "$(cat server.pid)"
expect_server_end $server "senjutsu serve" 143

# ---- refused options ----

for wrong in bench.example https:// ftp://bench.example https://bench.example/path https://bench.example:x; do
    expect_status 2 "$SENJUTSU" serve --port 0 --origin "$wrong"
    expect_refusal
    expect_err 'no origin; expected https://NAME'
done

finish
