#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu serve while memory runs out, again and again at another moment: it ends with a sentence and status 1, the
# programs that it started end with it, and the next start has every move, game, map and job that was acknowledged.
# A job that alone wants more memory than there is fails, and the server goes on.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_faults

cat >program <<END
#!/bin/sh
echo \$\$ >>'$PWD/pids'
exec '$SENJUTSU' engine --player random
END
chmod +x program

cat >client.py <<'END'
import json, os, random, signal, subprocess, sys, time, urllib.error, urllib.request
senjutsu, with_faults, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
here = os.getcwd()
random.seed(5)

class Server:
    def __init__(self, rule):
        self.process = subprocess.Popen(
            [with_faults, rule, senjutsu, 'serve', '--quiet', '--port', '0', '--programs', '--data', here + '/data'],
            stdout=subprocess.PIPE, stderr=open('errors', 'w'), text=True)
        self.address = self.process.stdout.readline().strip().rstrip('/')
        if not self.address:
            sys.exit(f'no server: status {self.process.wait()}, {open("errors").read()}')
    def ask(self, path, body=None, method=None):
        request = urllib.request.Request(self.address + path, None if body is None else json.dumps(body).encode(),
                                         {'Content-Type': 'application/json'}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as failure:
            return failure.code, None
        except (OSError, ValueError):
            return 0, None # the connection ended without a whole answer

def expect(what, holds):
    print('ok' if holds else 'NOT OK', what)

tables, maps, jobs, ended = {}, set(), set(), 0

def check(server, round):
    for table, kept in tables.items():
        status, now = server.ask(f'/api/tables/{table}')
        if status != 200 or now['ply'] < kept['ply']:
            expect(f'round {round}: {table} has its {kept["ply"]} moves: {status} {now and now["ply"]}', False)
        else:
            kept['ply'] = now['ply']
    for name in maps:
        if server.ask(f'/api/maps/mine/{name}')[0] != 200:
            expect(f'round {round}: map {name} is there', False)
    for job in jobs:
        if server.ask(f'/api/jobs/{job}')[0] != 200:
            expect(f'round {round}: job {job} is there', False)
    damaged = server.ask('/api/about')[1]['damaged']
    if damaged:
        expect(f'round {round}: nothing is damaged: {damaged}', False)

outside = {'kind': 'player', 'spec': f'ext:cmd={here}/program'}

# A game in which the program is to move: it is started at once.
def start_program(server):
    server.ask('/api/tables', {'map': 'duel', 'seats': [outside, {'kind': 'human'}]})
    for _ in range(200):
        if os.path.exists('pids') or server.process.poll() is not None:
            return
        time.sleep(0.05)

def work(server):
    for step in range(40):
        if server.process.poll() is not None:
            return
        kind = random.randrange(8)
        if kind == 0:
            seats = [{'kind': 'human'}, outside if step % 3 == 0 else {'kind': 'human'}]
            status, made = server.ask('/api/tables', {'map': 'duel', 'seats': seats})
            if status in (200, 201):
                tables[made['id']] = {'ply': 0, 'keys': made['keys']}
        elif kind == 1:
            name = f'm{random.randrange(1000)}'
            if server.ask(f'/api/maps/mine/{name}', {'map': duel}, 'PUT')[0] in (200, 201):
                maps.add(name)
        elif kind == 2 and len(jobs) < 6:
            status, made = server.ask('/api/jobs', {'kind': 'match', 'params': {'players': ['random', 'random'], 'games': 2}})
            if status in (200, 201, 202):
                jobs.add(made['id'])
        elif tables:
            table = random.choice(list(tables))
            kept = tables[table]
            side = 0 if kept['keys'][1] is None else kept['ply'] % 2
            status, answer = server.ask(f'/api/tables/{table}/action',
                                        {'key': kept['keys'][side], 'ply': kept['ply'], 'action': 'pass'})
            if status == 200:
                kept['ply'] = answer['ply']

def alive(pid):
    try:
        return open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[0] != 'Z'
    except OSError:
        return False

def programs_end():
    pids = [int(line) for line in open('pids')] if os.path.exists('pids') else []
    for _ in range(100):
        if not any(alive(pid) for pid in pids):
            return len(pids), True
        time.sleep(0.1)
    return len(pids), False

server = Server('')
duel = server.ask('/api/maps/duel')[1]
duel = duel.get('map', duel)
start_program(server)
work(server)
for round in range(rounds):
    check(server, round)
    server.process.kill()
    server.process.wait()
    rule = f'memory ENOMEM while={here}/scarce from={random.randrange(1, 600)}'
    server = Server(rule + (' count=1' if round % 3 == 0 else ''))
    open('scarce', 'w').close()
    work(server)
    os.remove('scarce')
    status = server.process.poll()
    if status is None: # only a library met the fault, and recovered
        server.process.kill()
    else:
        ended += 1
        sentence = open('errors').read()
        if status != 1 or 'not enough memory' not in sentence:
            expect(f'round {round}: it ends with 1 and a sentence: {status} {sentence}', False)
    server.process.wait()
    started, over = programs_end()
    if not over:
        expect(f'round {round}: programs end with it', False)
    server = Server('')
check(server, rounds)
server.process.send_signal(signal.SIGTERM)
server.process.wait()
expect(f'{ended} of {rounds} servers ended without memory', ended >= rounds // 2)
moves = sum(kept['ply'] for kept in tables.values())
expect(f'{len(tables)} games, {moves} moves, {len(jobs)} jobs, {len(maps)} maps', len(tables) > 2 and moves > 10 and jobs and maps)
expect(f'{started} programs were started', started > 0)

# A job that is too large for the machine fails; the server goes on, and starts again.
few = {'strong': 'random', 'weak': 'random'}
server = Server('memory ENOMEM min=200000000')
for kind, params in (('repro', {'experiment': 'synth-space', 'trials': 1000000}),
                     ('evolve', {'preset': 'paper', 'options': {**few, 'born': '1000000', 'games': '8'}}),
                     ('evolve', {'preset': 'designer', 'options': {**few, 'born': '300000', 'games': '8', 'peers': '0'}}),
                     ('evolve', {'options': {**few, 'born': '2', 'population': '2', 'games': '1000000'}})):
    job = (server.ask('/api/jobs', {'kind': kind, 'params': params})[1] or {}).get('id')
    now = {}
    for _ in range(200):
        now = server.ask(f'/api/jobs/{job}')[1] or {}
        if now.get('state') not in ('waiting', 'running'):
            break
        time.sleep(0.05)
    expect(f'{params} fails: {now.get("error")}', now.get('state') == 'failed' and 'not enough memory' in now['error'])
server.process.kill()
server.process.wait()
server = Server('')
expect('the server starts again', server.ask('/api/about')[0] == 200)
server.process.kill()
server.process.wait()
END
expect_status 0 timeout -s KILL "$limit" python3 client.py "$SENJUTSU" "$with_faults" 12
expect "everything to be so" [ "$(grep -c '^ok' "$out")" -eq 8 ]
expect "nothing else" [ "$(grep -c 'NOT OK' "$out")" -eq 0 ]
finish
