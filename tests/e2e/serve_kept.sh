#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu serve on a disk that becomes full, and after kill -9: a move that was acknowledged is there, one that could not
# be saved was refused, and files that were emptied are named.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_faults

cat >client.py <<'END'
import json, os, signal, subprocess, sys, urllib.error, urllib.request
senjutsu, with_faults = sys.argv[1:]
here = os.getcwd()

class Server:
    def __init__(self):
        env = dict(os.environ, FAULTS_LOG=here + '/log')
        self.process = subprocess.Popen(
            [with_faults, f'disk ENOSPC path={here}/data/* while={here}/full', senjutsu, 'serve', '--quiet', '--port', '0',
             '--data', here + '/data'], stdout=subprocess.PIPE, stderr=open('errors', 'a'), env=env, text=True)
        self.address = self.process.stdout.readline().strip().rstrip('/')
        assert self.address.startswith('http'), self.address
    def ask(self, path, body=None):
        request = urllib.request.Request(self.address + path, None if body is None else json.dumps(body).encode(),
                                         {'Content-Type': 'application/json'})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as failure:
            return failure.code, json.load(failure)
    def end(self, how):
        self.process.send_signal(how)
        self.process.wait()

def expect(what, holds):
    print('ok' if holds else 'NOT OK', what)

server = Server()
seats = [{'kind': 'human'}, {'kind': 'human'}]
_, made = server.ask('/api/tables', {'map': 'duel', 'seats': seats})
table, keys = made['id'], made['keys']
def move(side, ply):
    return server.ask(f'/api/tables/{table}/action', {'key': keys[side], 'ply': ply, 'action': 'pass'})
def ply():
    return server.ask(f'/api/tables/{table}')[1]['ply']

open('log', 'w').close()
expect('a move is accepted', move(0, 0) == (200, {'ply': 1}))
lines = [line.split() for line in open('log')]
named = [i for i, line in enumerate(lines) if line[0] == 'rename' and line[2].endswith(f'/{table}.json')]
expect('its file is synced before it has its name',
       named and any(line[0] == 'sync' and line[1] == lines[named[0]][1] for line in lines[:named[0]]))
expect('its folder is synced before the answer is sent',
       any(line[0] == 'sync' and line[1].endswith('/data/tables') for line in lines[named[0]:]))
open('full', 'w').close()
status, answer = move(1, 1)
expect('a move on a full disk is refused', status == 507 and 'No space left on device' in answer['error'])
expect('nothing has changed', ply() == 1)
expect('no game is begun', server.ask('/api/tables', {'map': 'duel', 'seats': seats})[0] == 507)
expect('no job is begun', server.ask('/api/jobs', {'kind': 'match', 'params': {'players': ['random', 'random']}})[0] == 507)
os.remove('full')
expect('the move can be made again', move(1, 1) == (200, {'ply': 2}))
server.end(signal.SIGKILL)
server = Server()
expect('what was acknowledged is there after kill -9', ply() == 2)
expect('nothing is damaged', server.ask('/api/about')[1]['damaged'] == [])
server.end(signal.SIGTERM)
open(f'data/tables/{table}.json', 'w').close()
server = Server()
damaged = server.ask('/api/about')[1]['damaged']
expect('an emptied game is named', len(damaged) == 1 and table in damaged[0] and 'empty' in damaged[0])
expect('and left as it is', os.path.getsize(f'data/tables/{table}.json') == 0)
server.end(signal.SIGTERM)
END
expect_status 0 timeout -s KILL "$limit" python3 client.py "$SENJUTSU" "$with_faults"
expect "everything to be so" [ "$(grep -c '^ok' "$out")" -eq 12 ]
expect "nothing else" [ "$(grep -c 'NOT OK' "$out")" -eq 0 ]
expect "the emptied file in the log" grep -q 'warning: .*this game cannot be read: it is empty; the file is left as it is' errors
expect "no temporary files" [ -z "$(find data -name '*.tmp')" ]
finish
