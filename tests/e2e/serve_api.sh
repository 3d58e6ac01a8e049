#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The API of senjutsu serve as documented: the commands of docs/http-api.md run one after the other, and must print the
# output below them. Then examples/api.py plays.
. "$(dirname "$0")/lib.sh"

if ! command -v python3 >/dev/null 2>&1; then
    skip "there is no python3"
    finish
fi

: >server.out
: >server.err
# shellcheck disable=SC2016 # the inner shell's
timeout --foreground -s KILL "$limit" sh -c 'echo $$ >server.pid; exec "$@"' sh \
    "$SENJUTSU" serve --port 0 --quiet --data data >server.out 2>server.err &
server=$!
wait_for 'http://[^ ]*:[0-9]+/'
address=$(head -n 1 server.out)
address=${address%/}

# ---- docs/http-api.md ----

# Blocks of commands become one script, with a separator line after each command that occurs in no output; the blocks
# behind the commands are the expected output. "…" stands for any text.
cat >blocks.py <<'END_OF_PYTHON'
import re, subprocess, sys
page, address = sys.argv[1:]
text = open(page, encoding='utf-8').read()
blocks = re.findall(r'^```sh\n(.*?)^```\n```\n(.*?)^```\n', text, re.DOTALL | re.MULTILINE)
assert len(blocks) >= 4, f'{len(blocks)} blocks of commands with what they say'
mark = '---- the next block ----'
script = f'\necho "{mark}"\n'.join(commands for commands, _ in blocks)
script = script.replace('http://localhost:8080', address)
ran = subprocess.run(['sh', '-e', '-c', script], stdout=subprocess.PIPE, encoding='utf-8', timeout=120)
said = ran.stdout.split(mark + '\n')
assert ran.returncode == 0, f'status {ran.returncode} after: {ran.stdout}'
for (commands, expected), got in zip(blocks, said, strict=True):
    pattern = re.escape(expected).replace('…', '.*')
    assert re.fullmatch(pattern, got), f'{commands}\nwas to say\n{expected}\nand said\n{got}'
END_OF_PYTHON
if command -v curl >/dev/null 2>&1 && command -v jq >/dev/null 2>&1; then
    expect_status 0 python3 blocks.py "$SENJUTSU_ROOT/docs/http-api.md" "$address"
    expect_silent_err
else
    skip "there is no curl or no jq to type the commands of docs/http-api.md with"
fi

# ---- examples/api.py ----

api=$SENJUTSU_ROOT/examples/api.py
expect_status 0 python3 "$api" "$address" play --map duel --against acteval --seed 1
expect_out '^ *1 red '
expect_out '^red annihilation'
expect_silent_err
expect_status 0 python3 "$api" "$address" play --game kuhn --seed 1
expect_out '^[+-]?[0-9]+ chips? '
expect_status 0 python3 "$api" "$address" watch --map duel --players random,acteval --seed 1
expect_out '^ *1 red '
expect_silent_err
expect_status 1 python3 "$api" "$address" play --map nowhere
expect_err "there is no map 'nowhere'"
expect_status 1 python3 "$api" http://localhost:1 play
expect_err 'is senjutsu serve running'

kill -TERM "$(cat server.pid)"
expect_server_end "$server" "senjutsu serve" 143
finish
