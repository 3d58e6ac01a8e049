# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# The answers of the workbench's server, by api.py beside this file.

if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: there is no python3 to send requests with"
    exit 77
fi
: >server.out
: >server.err
timeout --foreground -s KILL "$limit" "$SENJUTSU" serve --port 0 --quiet --data data >server.out 2>server.err &
server=$!
wait_for 'http://[^ ]*:[0-9]+/'
port=$(sed -n 's|.*:\([0-9]*\)/.*|\1|p' server.out | head -n 1)
expect_status 0 python3 -I -S "$SENJUTSU_ROOT/tests/expected/api.py" "$port"
expect_silent_err
plain <"$out" >>"$found"
kill -TERM $server
wait $server
expect_status 0 true
