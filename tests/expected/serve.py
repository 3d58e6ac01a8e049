# SPDX-License-Identifier: MIT
"""More requests to `senjutsu serve`, beside those of api.py: streams, games of every kind, what is refused, and (with
the word `again`) what a second server finds in the data folder of the first one."""
import json, os, re, socket, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import api
from api import ask, dropped, known, masked, port, show, table, wait, words

HUMAN = {'kind': 'human', 'name': 'me'}
UNSEEN = ('chance', 'thinking', 'progress', 'board')  # events that come when the machine gets to it
dropped.update(('build', 'compiler', 'cores', 'data', 'pictures'))


def player(spec):
    return {'kind': 'player', 'spec': spec}


class Stream:
    """Server-sent events of one path, read one at a time."""

    def __init__(self, path, headers=()):
        self.peer = socket.create_connection(('127.0.0.1', port), 120)
        lines = [f'GET {path} HTTP/1.1', f'Host: 127.0.0.1:{port}', *headers, 'Connection: close', '', '']
        self.peer.sendall('\r\n'.join(lines).encode())
        self.file, self.left, self.name = self.peer.makefile('rb'), b'', words(path)
        head = [self.file.readline().decode().strip()]
        while head[-1]:
            head.append(self.file.readline().decode().strip())
        kind = next((line for line in head if line.lower().startswith('content-type')), '-')
        print(f'stream {self.name}\n{head[0]} {kind}')

    def event(self):
        while b'\n\n' not in self.left:
            size = int(self.file.readline() or b'0', 16)
            if size == 0:
                return None, None
            self.left += self.file.read(size)
            self.file.readline()
        text, _, self.left = self.left.partition(b'\n\n')
        fields = dict(line.split(': ', 1) for line in text.decode().split('\n') if ': ' in line)
        return fields.get('event', '-'), fields.get('data', '')

    def until(self, last):
        """Prints events up to the first one of that name."""
        name = ''
        while name != last and name is not None:
            name, data = self.event()
            if name in UNSEEN or name == '-':
                continue
            shown = data if not data or name is None else json.dumps(masked(json.loads(data)), sort_keys=True)
            print(f'  {self.name} {name} {brief(shown)}')
        if name in (None, 'end'):
            self.peer.close()
        print()


def brief(text):
    text = text or ''
    return text if len(text) <= 400 else f'{api.zlib.crc32(text.encode()):08x} {text[:60]!r}'


# ---- tables ----


def do(path, verb, body):
    return show('POST', f'{path}/{verb}', body)


def rested(t):
    """Is the game over, and has the adviser finished? It does not comment on secret setups."""
    return t['over'] and all(step['chance'] is not None or step['did']['kind'] == 'setup' for step in t['steps'])


def refused_tables():
    seats = [HUMAN, HUMAN]
    for body in ({}, {'seats': []}, {'seats': [HUMAN, 3]}, {'seats': [HUMAN, HUMAN, HUMAN]}, {'seats': [HUMAN, {'kind': 3}]},
                 {'seats': [HUMAN, {}]}, {'seats': [{**HUMAN, 'spec': 'uct'}, HUMAN]}, {'seats': [{**HUMAN, 'age': 3}, HUMAN]},
                 {'seats': [{'kind': 'human', 'name': 'x' * 64}, HUMAN]}, {'seats': [{'kind': 'human', 'name': 7}, HUMAN]},
                 {'seats': [HUMAN, {'kind': 'player'}]}, {'seats': [HUMAN, {'kind': 'player', 'spec': 3}]}, {'seats': [HUMAN, player('')]},
                 {'seats': [HUMAN, player('geist')]}, {'seats': [HUMAN, player('uct:memory=99999')]}, {'seats': [HUMAN, player('uct:sims=0')]},
                 {'seats': [HUMAN, player('uct:threads=999')]}, {'seats': [HUMAN, player('uct:memory=65536')]}, {'seats': [HUMAN, player('ext')]},
                 {'seats': seats, 'clock': 5}, {'seats': seats, 'clock': 'x' * 600}, {'seats': seats, 'seed': -1}, {'seats': seats, 'seed': '18446744073709551616'},
                 {'seats': seats, 'seed': '007'}, {'seats': seats, 'seed': 1.5}, {'seats': seats, 'thoughts': 'no'}, {'seats': seats, 'position': 'x'},
                 {'seats': seats, 'position': 4}, {'seats': seats, 'map': 'duel', 'map_text': 'x'}, {'seats': seats, 'map_text': ''},
                 {'seats': seats, 'map_text': ' {"format": 1}'}, {'seats': seats, 'map': 'a b', 'map_text': 'x'}, {'seats': seats, 'map': ''},
                 {'seats': seats, 'rules': 'x'}, {'seats': seats, 'game': 'tbs:rules=x'}, {'seats': seats, 'game': 'tbs:x=1'}, {'seats': seats, 'game': ''},
                 {'seats': seats, 'game': 'kuhn', 'map': 'duel'}, {'seats': seats, 'game': 'kuhn', 'map_text': 'x'}, {'seats': seats, 'game': 'kuhn', 'rules': 'x'},
                 {'seats': seats, 'game': 'kuhn', 'seed': 3}, {'seats': seats, 'game': 'synth:tree=x'}, {'seats': seats, 'more': 1},
                 {'seats': seats, 'game': 'geister', 'position': 'MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u'}):
        show('POST', '/api/tables', body)
    for body in ({}, {'record': 3}, {'text': 3}, {'record': {}, 'text': ''}, {'record': {}}, {'text': ''}, {'more': 1}, {'text': '{}'}):
        show('POST', '/api/tables/load', body)


def people():
    """Two people, with everything they can ask of each other."""
    one, keys = table('people', {'map': 'duel', 'seed': 1, 'clock': 'turn=600', 'seats': [HUMAN, {'kind': 'human'}]})
    path, (red, blue) = f'/api/tables/{one}', keys
    streams = [Stream(f'{path}/events{at}') for at in ('', f'?key={red}', f'?key={blue}', f'?key={red},{blue}')]

    def told(name):
        for stream in streams:
            stream.until(name)

    told('table')
    for at in ('?key=x', f'?key={red},x', f'?key={red},{red}', f'?key={blue},{red}', '?key='):
        show('GET', path + at)
    for body in ({}, {'key': red}, {'key': red, 'ply': 0}, {'key': red, 'ply': 'x', 'action': 'pass'}, {'key': red, 'ply': -1, 'action': 'pass'},
                 {'key': red, 'ply': 4001, 'action': 'pass'}, {'key': red, 'ply': 4000, 'action': 'pass'}, {'key': red, 'ply': 0, 'action': ''},
                 {'key': red, 'ply': 0, 'action': 4}, {'key': 5, 'ply': 0, 'action': 'pass'}, {'key': '', 'ply': 0, 'action': 'pass'},
                 {'key': red, 'ply': 0, 'action': 'pass', 'more': 1}):
        do(path, 'action', body)
    do(path, 'take-back', {'key': red})
    do(path, 'answer', {'key': red})
    do(path, 'answer', {'key': red, 'accept': True})
    do(path, 'undo', {'key': blue})
    do(path, 'undo', {'key': f'{red},{blue}'})
    do(path, 'action', {'key': red, 'ply': 0, 'action': '0:4,3x2'})
    told('step')
    do(path, 'undo', {'key': red})
    told('table')
    do(path, 'action', {'key': f'{blue},{red}', 'ply': 0, 'action': '1:3,2x2'})
    told('step')
    do(path, 'take-back', {'key': blue})
    do(path, 'take-back', {'key': red})
    told('offer')
    do(path, 'take-back', {'key': red})
    told('offer')
    do(path, 'answer', {'key': red, 'accept': True})
    do(path, 'answer', {'key': blue, 'accept': 'yes'})
    do(path, 'answer', {'key': blue, 'accept': False})
    told('offer')
    do(path, 'action', {'key': red, 'ply': 1, 'action': 'pass'})
    told('step')
    do(path, 'action', {'key': blue, 'ply': 2, 'action': 'pass'})
    told('step')
    do(path, 'take-back', {'key': red})
    told('offer')
    show('GET', f'{path}?key={blue}')
    do(path, 'take-back', {'key': blue})
    do(path, 'answer', {'key': blue, 'accept': True})
    told('table')
    do(path, 'action', {'key': red, 'ply': 0, 'action': 'pass'})
    told('step')
    do(path, 'take-back', {'key': f'{red},{blue}'})
    told('table')
    do(path, 'stop', {})
    show('GET', f'{path}/record?form=sgf&key={red}')
    show('POST', '/api/positions', {'table': one, 'key': 'x'})
    show('POST', '/api/positions', {'table': one, 'after': 1})
    show('GET', '/api/tables')
    do(path, 'resign', {'key': blue})
    told('end')
    do(path, 'resign', {'key': red})
    do(path, 'undo', {'key': red})
    do(path, 'stop', {})
    show('GET', path)
    Stream(f'{path}/events?key={red}').until('end')
    show('DELETE', path)
    show('DELETE', path + '?key=wrong')


def against(game, spec, action, word):
    """A person, and a player that answers."""
    body = {'game': game, 'seats': [HUMAN, player(spec)], **({'seed': 4} if game == 'tbs' else {})}
    one, keys = table(word, {**body, **({'map': 'duel'} if game == 'tbs' else {})})
    path = f'/api/tables/{one}'
    do(path, 'action', {'key': keys[0], 'ply': 0, 'action': action})
    if game == 'tbs':
        do(path, 'action', {'key': keys[0], 'ply': 1, 'action': 'pass'})
        wait(f'{path}?key={keys[0]}', lambda t: t['mover'] == 0)
        show('GET', f'{path}?key={keys[0]}')
        do(path, 'take-back', {'key': keys[0]})
        show('GET', f'{path}?key={keys[0]}')
        do(path, 'stop', {})
        do(path, 'resign', {'key': keys[0]})
        show('GET', path)
    return path


def players():
    """Games between players, up to their end, with the players' thoughts and the adviser's comments."""
    for number, (body, specs) in enumerate((
            ({'game': 'tbs', 'map': 'duel', 'rules': 'paper'}, ('uct:sims=30', 'minmax:depth=1')), ({'game': 'kuhn'}, ('ismcts:sims=20', 'random')),
            ({'game': 'synth:tree=2'}, ('random', 'ismcts:sims=10')), ({'game': 'fusion'}, ('random', 'ismcts:sims=10')),
            ({'game': 'geister:plies=8'}, ('pg', 'random')), ({'map': 'duel', 'thoughts': False, 'clock': 'game=600'}, ('uct:sims=30', 'acteval')))):
        one, _ = table(f'players-{number}', {**body, 'seed': 11, 'seats': [player(spec) for spec in specs]})
        if one is None:
            continue
        path = f'/api/tables/{one}'
        wait(path, rested)
        dropped.discard('chance')
        whole = json.loads(ask('GET', path)[2])
        print(f'chances of players-{number}', [step['chance'] for step in whole['steps']], brief(json.dumps(masked(whole), sort_keys=True)), '\n')
        show('GET', path)
        for form in ('json', 'sgf', 'log'):
            show('GET', f'{path}/record?form={form}')
        show('POST', '/api/positions', {'table': one})
        do(path, 'stop', {})
        Stream(f'{path}/events').until('end')
        if number % 2:
            show('DELETE', path)
    one, _ = table('endless', {'map': 'standard', 'seed': 3, 'seats': [player('uct:sims=90000000')] * 2})
    path = f'/api/tables/{one}'
    show('GET', path)
    show('GET', f'{path}/record')
    do(path, 'stop', {'more': 1})
    do(path, 'stop', {})
    show('GET', path)


def hidden():
    """What each side may see of a game with hidden parts."""
    one, keys = table('ghosts', {'game': 'geister', 'seats': [HUMAN, HUMAN]})
    path, (first, second) = f'/api/tables/{one}', keys
    streams = [Stream(f'{path}/events{at}') for at in ('', f'?key={first}', f'?key={second}', f'?key={first},{second}')]

    def told(*names):
        for stream, name in zip(streams, names):
            stream.until(name)

    told('table', 'table', 'table', 'table')
    moves = ['ABCD', 'EFGH', 'AN', 'AN', 'AN', 'AN', 'AN', 'HN', 'AN']
    for ply, move in enumerate(moves):
        key = first if ply % 2 == 0 else second
        if 'ply' in (do(path, 'action', {'key': key, 'ply': ply, 'action': move}) or {}):
            told('step', 'step', 'step', 'table')
        if ply in (0, 1, 6, 8):
            for at in ('', f'?key={first}', f'?key={second}', f'?key={first},{second}'):
                show('GET', path + at)
            for verb in ('undo', 'take-back'):
                do(path, verb, {'key': 'nobody'})
    for key in (first, second, f'{first},{second}', None, 'x'):
        for after in (0, 1, 3, None):
            show('POST', '/api/positions', {'table': one, 'key': key, 'after': after})
    do(path, 'take-back', {'key': first})
    do(path, 'answer', {'key': second, 'accept': True})
    do(path, 'take-back', {'key': second})
    show('GET', f'{path}/record?form=log')
    do(path, 'resign', {'key': f'{first},{second}'})
    told('end', 'end', 'end', 'end')
    show('GET', path)
    log = show('GET', f'{path}/record?form=log')
    log = ask('GET', f'{path}/record?form=log')[2].decode()
    loaded = show('POST', '/api/tables/load', {'text': log})
    if 'id' in loaded:
        show('GET', f'/api/tables/{known("loaded", loaded["id"])}')
    against('geister', 'random', 'ABCD', 'ghost-player')


def placed():
    """Games that begin in the middle."""
    for position in ('turn red 3\n', 'MOV:14R24R34R44R15B25B35B45B41r31r21r11r40b30b20b10b'):
        body = {'map': 'duel'} if position.startswith('turn') else {'game': 'geister'}
        table('none', {**body, 'position': position, 'seats': [HUMAN, HUMAN]})
    start = json.loads(ask('POST', '/api/positions/play', {'source': {'map': 'duel'}, 'actions': ['0:4,3x2']})[2])['state']['text']
    one, keys = table('placed', {'map': 'duel', 'seed': 2, 'position': start, 'seats': [HUMAN, player('acteval')]})
    if one:
        path = f'/api/tables/{one}'
        show('GET', f'{path}?key={keys[0]}')
        do(path, 'undo', {'key': keys[0]})
        do(path, 'action', {'key': keys[0], 'ply': 0, 'action': 'pass'})
        wait(f'{path}?key={keys[0]}', lambda t: t['mover'] == 0)
        show('GET', f'{path}?key={keys[0]}')
        show('GET', f'{path}/record')
        show('POST', '/api/positions', {'table': one, 'after': 1})


def clocks():
    """A person that does not answer."""
    one, keys = table('late', {'map': 'duel', 'seed': 1, 'clock': 'turn=0.2', 'seats': [HUMAN, player('acteval')]})
    path = f'/api/tables/{one}'
    over = wait(path, lambda t: t['over'])
    print(words(f"{over['result']}, {over['comment']}, {over['state']['payoff']}, {over['state']['result']}, {over['clocks']['running']}"))
    do(path, 'action', {'key': keys[0], 'ply': 0, 'action': 'pass'})


# ---- analyses ----


def analyses():
    duel = {'map': 'duel'}
    for body in ({}, {'source': 3}, {'source': {}, 'kind': 'x'}, {'source': {}, 'kind': 3}, {'source': duel, 'top': 4097}, {'source': duel, 'sims': 0},
                 {'source': duel, 'sims': 1000000001}, {'source': duel, 'time_ms': 0}, {'source': duel, 'time_ms': 3600001}, {'source': duel, 'seed': 'x'},
                 {'source': duel, 'player': 3}, {'source': duel, 'player': 'nobody'}, {'source': duel, 'player': 'uct:x=1'}, {'source': duel, 'more': 1},
                 {'source': {'key': 'x'}}, {'source': {'after': 1}}, {'source': {'table': 'x', 'record': 'y'}}, {'source': {'position': 'x', 'record': 'y'}},
                 {'source': {'table': 'x'}}, {'source': {'record': 'x'}}, {'source': {'record': 3}}, {'source': {'map': 'nowhere'}}, {'source': {'more': 1}}):
        show('POST', '/api/analyses', body)
    late_duel = ['0:4,3x2', '1:3,2x2', '2:4,2', '3:3,4']
    for number, body in enumerate((
            {'source': duel, 'player': 'uct:sims=40', 'top': 1, 'seed': 5}, {'source': duel, 'player': 'acteval'}, {'source': duel, 'sims': 50, 'player': 'uct', 'top': 4096},
            {'source': {'game': 'kuhn'}, 'player': 'ismcts:sims=30'}, {'source': {'game': 'synth:tree=2'}, 'player': 'ismcts:sims=10'},
            {'source': {'game': 'geister', 'position': 'MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u'}, 'player': 'geist:sims=20'},
            {'source': duel, 'kind': 'solve', 'sims': 50})):
        made = show('POST', '/api/analyses', body)
        if 'id' not in made:
            continue
        path = '/api/analyses/' + known(f'thought-{number}', made['id'])
        wait(path, lambda a: a['state'] != 'running')
        show('GET', path)
        Stream(path + '/events').until('end')
    made = show('POST', '/api/analyses', {'source': {'map': 'standard'}, 'player': 'uct:sims=90000000'})
    path = '/api/analyses/' + known('stopped', made['id'])
    show('DELETE', path)
    wait(path, lambda a: a['state'] != 'running')
    stopped = json.loads(ask('GET', path)[2])
    print(stopped['state'], stopped['error'], len(stopped['turn']), '\n')
    for source in ({'map': 'duel'}, {'game': 'kuhn'}):
        for actions in (late_duel, 'x', [3], ['x'], ['pass'] * 513, ['pass'] * 40, ['bet', 'pass'], ['pass', 'bet', 'bet', 'bet']):
            show('POST', '/api/positions/play', {'source': source, 'actions': actions})
    show('POST', '/api/positions/play', {'source': {'game': 'geister', 'position': 'MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u'}, 'actions': []})
    show('POST', '/api/positions/play', {'source': duel, 'actions': [], 'more': 1})
    record = json.loads(ask('GET', f'/api/tables/{[i for i, w in api.names.items() if w == "players-0"][0]}/record')[2])
    for source in ({'record': record, 'after': 0}, {'record': record, 'after': 99}, {'record': json.dumps(record)}, {'record': {**record, 'actions': ['pass', 'x']}, 'after': 1},
                   {'record': {**record, 'actions': ['pass', 'x']}}, {'record': record, 'after': -1}):
        show('POST', '/api/positions', source)


# ---- jobs ----


def refused_jobs():
    two = ['acteval', 'random']
    for body in ({}, {'kind': 3}, {'kind': 'match'}, {'kind': 'match', 'params': []}, {'kind': 'match', 'params': {}, 'more': 1}):
        show('POST', '/api/jobs', body)
    for kind, params in (
            ('match', {}), ('match', {'players': two, 'more': 1}), ('match', {'players': [3, 'random']}), ('match', {'players': ['random'] * 65}),
            ('match', {'players': [{'spec': 'random', 'age': 3}, 'random']}), ('match', {'players': [{'name': 'x'}, 'random']}), ('match', {'players': []}),
            ('match', {'players': [*two, 'uct']}), ('match', {'players': two, 'maps': []}), ('match', {'players': two, 'maps': [3]}),
            ('match', {'players': two, 'maps': 'duel'}), ('match', {'players': two, 'maps': ['nowhere']}), ('match', {'players': two, 'games': 100001}),
            ('match', {'players': two, 'games': 1.5}), ('match', {'players': two, 'game': 'kuhn', 'maps': ['duel']}), ('match', {'players': two, 'game': 'x'}),
            ('match', {'players': two, 'clock': 'x'}), ('match', {'players': two, 'rules': 'x'}), ('match', {'players': two, 'seed': -1}),
            ('match', {'players': two, 'title': 3}), ('match', {'players': ['geist', 'random']}), ('match', {'players': ['ext:cmd=x', 'random']}),
            ('tournament', {'players': two, 'format': 'x'}), ('tournament', {'players': two, 'preset': 'x'}), ('tournament', {'players': two, 'rounds': 1001}),
            ('tournament', {'players': two, 'rounds': -1}), ('tournament', {'players': [f'uct:sims={i}' for i in range(1, 41)], 'games': 9999}),
            ('tournament', {'players': [f'uct:sims={i}' for i in range(1, 41)], 'games': 9999, 'format': 'swiss'}),
            ('tournament', {'players': [f'uct:sims={i}' for i in range(1, 41)], 'games': 9999, 'format': 'swiss', 'rounds': 900}),
            ('judge', {}), ('judge', {'map': 'nowhere'}), ('judge', {'map_text': 'x'}), ('judge', {'map': 'duel', 'more': 1}), ('judge', {'map': 'duel', 'strong': 'x'}),
            ('judge', {'map': 'duel', 'weak': 'x'}), ('judge', {'map': 'duel', 'weak': 'geist'}), ('judge', {'map': 'duel', 'strong': 'geist'}),
            ('judge', {'map': 'duel', 'rules': 'x'}), ('judge', {'map': 'duel', 'tight': 0.004}), ('judge', {'map': 'duel', 'games': 1}),
            ('judge', {'map': 'duel', 'games': 10000001}), ('judge', {'map': 'duel', 'games': 50, 'min_games': 51}), ('judge', {'map': 'duel', 'min_games': -1}),
            ('judge', {'map': 'duel', 'fair': 0.0009}), ('judge', {'map': 'duel', 'fair': 0.51}), ('judge', {'map': 'duel', 'fair': 'x'}), ('judge', {'map': 'duel', 'seed': 'x'}),
            ('evolve', {'more': 1}), ('evolve', {'seconds': -1}), ('evolve', {'seconds': 1000000001}), ('evolve', {'options': 3}), ('evolve', {'options': {'games': 3}}),
            ('evolve', {'options': {'preset': 'paper'}}), ('evolve', {'options': {'strong': 'x'}}), ('evolve', {'options': {'weak': 'ext:cmd=x'}}),
            ('evolve', {'options': {'nothing': '3'}}), ('evolve', {'options': {'games': 'x'}}), ('evolve', {'from': []}), ('evolve', {'from': [3]}), ('evolve', {'from': ['nowhere']}),
            ('evolve', {'from': ['largest']}), ('evolve', {'seed': 'x'}), ('evolve', {'preset': 3}), ('repro', {}), ('repro', {'experiment': 3}),
            ('repro', {'experiment': 'tbs-fig2', 'trials': 0}), ('repro', {'experiment': 'tbs-fig2', 'quick': 1}), ('repro', {'experiment': 'tbs-fig2', 'seed': -1}),
            ('repro', {'experiment': 'tbs-fig2', 'more': 1})):
        show('POST', '/api/jobs', {'kind': kind, 'params': params})


def job(word, kind, params):
    made = show('POST', '/api/jobs', {'kind': kind, 'params': params})
    return '/api/jobs/' + known(word, made['id'])


def finished(path):
    return wait(path, lambda j: j['state'] in ('done', 'failed', 'cancelled'))


def jobs():
    for number, (kind, params) in enumerate((
            ('match', {'players': [{'spec': 'acteval', 'name': 'a', 'author': 'b'}, 'random'], 'maps': ['duel', 'duel_panzer'], 'games': 3, 'title': 'Three games', 'seed': 7}),
            ('match', {'players': ['random', 'random'], 'game': 'kuhn', 'games': 4}), ('tournament', {'players': ['random', 'pg'], 'game': 'geister:plies=20', 'preset': 'quick'}),
            ('tournament', {'players': ['random', 'acteval', 'acteval:style=sample', 'random'], 'maps': ['duel'], 'format': 'swiss', 'rounds': 2, 'games': 2}),
            ('tournament', {'players': ['random', 'acteval', 'acteval:style=sample'], 'maps': ['duel'], 'format': 'knock-out', 'clock': 'turn=60'}),
            ('judge', {'map_text': ask('GET', '/api/maps/duel/file')[2].decode(), 'strong': 'acteval', 'weak': 'random', 'games': 24, 'rules': 'paper', 'fair': 0.5, 'tight': 0.5}),
            ('evolve', {'preset': 'designer', 'from': ['mine/small'], 'seed': 3, 'seconds': 600, 'options': {'strong': 'acteval', 'weak': 'random', 'born': '4', 'population': '2', 'generations': '1', 'games': '2', 'verify': '2', 'show': '1'}}),
            ('repro', {'experiment': 'tbs-fig2', 'quick': True, 'trials': 1, 'seed': 3}), ('repro', {'experiment': 'tbs-fig2', 'seed': 4}))):
        made = show('POST', '/api/jobs', {'kind': kind, 'params': params})
        if 'id' not in made:
            continue
        path = '/api/jobs/' + known(f'work-{number}', made['id'])
        finished(path)
        show('GET', path)
        Stream(path + '/events').until('end')
        if number < 5:
            for at in ('', '?from=0', '?count=2', '?from=2&count=1', '?from=99', '?from=-1', '?count=0', '?count=1001', '?count=x', '?from=x'):
                show('GET', f'{path}/games{at}')
            for at in ('0', '1', '2', '-1', 'x', '1000000000', '3/record', '1/record', 'x/record'):
                show('GET', f'{path}/games/{at}')
        for file in [name for name in json.loads(ask('GET', path)[2])['files'] if name.endswith('.png')][:1]:
            status, type_of_file, picture = ask('GET', f'{path}/files/{file}')
            print(file, status, type_of_file, picture[:4], '\n')
        for at in ('nothing', 'job.json', 'maps/nothing', '..%2fjob.json', 'maps/0000.tbsmap'):
            show('GET', f'{path}/files/{at}')
        show('POST', f'{path}/cancel', {'more': 1})
    show('GET', '/api/jobs')
    show('GET', '/api/experiments')
    endless()


def endless():
    """One that is stopped, goes on and is removed; others wait behind it."""
    dropped.update(('progress', 'result', 'files'))
    long = {'players': ['uct:sims=900000', 'uct:sims=800000'], 'maps': ['standard'], 'games': 900}
    paths = [job(f'long-{i}', 'match', long) for i in range(3)]
    show('GET', '/api/jobs')
    show('POST', f'{paths[2]}/resume', {})
    show('POST', f'{paths[2]}/cancel', {})
    show('POST', f'{paths[2]}/cancel', {})
    show('GET', f'{paths[2]}/games?count=2')
    show('GET', f'{paths[2]}/games/0')
    show('POST', f'{paths[2]}/resume', {})
    for path in paths[:2]:
        show('POST', f'{path}/cancel', {})
        finished(path)
        show('GET', path)
    show('DELETE', paths[0])
    show('GET', paths[0])
    show('POST', f'{paths[0]}/cancel', {})
    show('DELETE', paths[2])
    show('GET', '/api/jobs')
    dropped.difference_update(('progress', 'result', 'files'))
    list_events = Stream('/api/jobs/events')
    dropped.update(('progress',))
    list_events.until('jobs')
    list_events.peer.close()
    dropped.discard('progress')


# ---- the same data, by another server ----


def again():
    for path in ('about', 'tables', 'jobs', 'experiments', 'maps'):
        show('GET', '/api/' + path)
    show('PUT', '/api/maps/mine/folder', {'text': ask('GET', '/api/maps/duel/file')[2].decode()})
    show('DELETE', '/api/maps/mine/folder')
    for name in ('folder', 'broken', 'small', 'large', 'none', 'x.y'):
        show('GET', f'/api/maps/mine/{name}')
        show('GET', f'/api/maps/mine/{name}/file')
    show('DELETE', '/api/maps/mine/x.y')
    for name, word in list(api.names.items()):
        if re.fullmatch('(people|players-[0-9]|ghosts|placed|late|loaded|endless|tbs-player|ghost-player)', word):
            show('GET', f'/api/tables/{name}')
            for side in (0, 1):
                keys = [key for key, w in api.names.items() if w == f'{word}-key-{side}']
                if keys and word != 'late':
                    show('GET', f'/api/tables/{name}?key={keys[0]}')
        elif re.fullmatch('work-[0-9]|long-[0-9]', word):
            dropped.update(('progress',) if word.startswith('long') else ())
            show('GET', f'/api/jobs/{name}')
            show('GET', f'/api/jobs/{name}/games?count=9')
            show('GET', f'/api/jobs/{name}/games/1')
            dropped.discard('progress')


if __name__ == '__main__':
    if len(sys.argv) > 2:
        api.names.update(json.load(open('names.json')))
        again()
    else:
        show('GET', '/api/about')
        small = json.loads(ask('POST', '/api/maps/random', {'seed': 5, 'units': 3})[2])['text']
        show('PUT', '/api/maps/mine/small', {'text': small})
        show('PUT', '/api/maps/mine/large', {'text': ask('GET', '/api/maps/largest/file')[2].decode()})
        for body in ({}, {'map': 3}, {'map': {}, 'text': ''}, {'map': {}}, {'text': ' ' * 1048577}, {'text': '{'}, {'text': ' \n{"format": 3}'},
                     {'text': small + 'UNIT[1,1,tank,0,10,0];\n' * 300}, {'text': small.replace('SIZEX[8]', 'SIZEX[9]')}, {'text': small.replace(',10,', ',0,')}):
            show('POST', '/api/maps/check', body)
        refused_tables()
        people()
        against('tbs', 'uct:sims=20', '0:4,3x2', 'tbs-player')
        players()
        hidden()
        placed()
        clocks()
        analyses()
        refused_jobs()
        jobs()
        json.dump(api.names, open('names.json', 'w'))
