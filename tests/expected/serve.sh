# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# More answers of the workbench's server, by serve.py beside this file: to a new server, and to another one that finds
# the data of the first, some of it damaged.

if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: there is no python3 to send requests with"
    exit 77
fi

# answers WORD …: the answers of a server to serve.py, which gets these words.
answers() {
    : >server.out
    : >server.err
    timeout --foreground -s KILL "$limit" "$SENJUTSU" serve --port 0 --quiet --data data >server.out 2>server.err &
    server=$!
    wait_for 'http://[^ ]*:[0-9]+/'
    port=$(sed -n 's|.*:\([0-9]*\)/.*|\1|p' server.out | head -n 1)
    expect_status 0 python3 -I -S "$SENJUTSU_ROOT/tests/expected/serve.py" "$port" "$@"
    expect_silent_err
    plain <"$out" >>"$found"
    kill -TERM $server
    wait $server
    expect_status 0 true
    sort server.err | plain >>"$found"
}

answers
: >data/tables/abcdefghijklmnop.json
echo '{}' >data/tables/abcdefghijklmnoq.json
echo '{"format": "senjutsu-table"' >data/tables/abcdefghijklmnor.json
mkdir data/jobs/abcdefghijklmnop data/jobs/nothing data/tables/abcdefghijklmnos.json
echo notes >data/jobs/abcdefghijklmnop/notes.txt
mkdir -p data/maps/folder.tbsmap/full
echo 'SIZEX[2];' >data/maps/broken.tbsmap
answers again
