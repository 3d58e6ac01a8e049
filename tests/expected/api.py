# SPDX-License-Identifier: MIT
"""Asks `senjutsu serve` for everything its HTTP API has and prints the answers. What differs from run to run (ids, keys,
dates, times) is replaced by a word; a long answer is a checksum."""
import json, os, re, socket, sys, time, urllib.parse, zlib

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from known_only import known_only

port = int(sys.argv[1])
names = {}  # id or key -> word
TIMES = re.compile(r'(^|_)(ms|seconds|time|times|milliseconds|left|used|elapsed|eta|rate|longest|clock_left)(_|$)|per_second')
LONG = 1500
dropped = {'version'}


def ask(method, path, body=None, headers=()):
    sent = b'' if body is None else json.dumps(body).encode() if not isinstance(body, bytes) else body
    lines = [f'{method} {path} HTTP/1.1', f'Host: 127.0.0.1:{port}', *headers, 'Connection: close']
    if body is not None:
        lines += ['Content-Type: application/json', f'Content-Length: {len(sent)}']
    with socket.create_connection(('127.0.0.1', port), 120) as peer:
        peer.sendall('\r\n'.join([*lines, '', '']).encode() + sent)
        answer = peer.makefile('rb').read()
    head, _, text = answer.partition(b'\r\n\r\n')
    status, *rest = head.decode('latin-1').split('\r\n')
    kind = next((line.split(': ')[1] for line in rest if line.lower().startswith('content-type')), '-')
    kind += ''.join(f', {line}' for line in rest if line.lower().startswith(('allow:', 'content-disposition:')))
    if any(line.lower() == 'transfer-encoding: chunked' for line in rest):
        text = unchunked(text)
    return int(status.split()[1]), kind, text


def unchunked(text):
    out = b''
    while text:
        size, _, text = text.partition(b'\r\n')
        out, text = out + text[:int(size, 16)], text[int(size, 16) + 2:]
    return out


def masked(value, key=''):
    if key == 'keys' and isinstance(value, list):
        return [None if inner is None else 'KEY' for inner in value]
    if key == 'id' and isinstance(value, str) and re.fullmatch('[a-z0-9]{16}', value):
        return names.get(value, 'ID')
    if key == 'comment_message':
        return value['code']  # the arguments of a late ruling are measured
    if isinstance(value, dict):
        return {name: masked(inner, name) for name, inner in value.items() if name not in dropped}
    if TIMES.search(key) and isinstance(value, (int, float, list)) and not isinstance(value, bool):
        return 'T'
    if isinstance(value, list):
        return [masked(inner, key) for inner in (sorted(value) if key == 'damaged' else value)]
    return words(value) if isinstance(value, str) else value


def words(text):
    for name, word in names.items():
        text = text.replace(name, word)
    text = re.sub(r'20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z', 'DATE', text)
    text = re.sub(r'\d+ [A-Z][a-z]+ 20\d\d, \d\d:\d\d UTC', 'DATE', text)
    text = re.sub(r'late, after [0-9.]+ s of', 'late, after T s of', text)
    return re.sub(r'senjutsu \d+\.\d+\.\d+\S*', 'senjutsu V', text)


def show(method, path, body=None, headers=()):
    status, kind, text = ask(method, path, body, headers)
    (dropped.add if path.startswith('/api/tables') else dropped.discard)('chance')  # it comes later than the action
    try:
        value = json.loads(text)
        if path == '/api/jobs' and isinstance(value, dict):
            value.pop('progress', None)  # it has begun
        shown = known_only(json.dumps(masked(value), sort_keys=True, ensure_ascii=False))
    except ValueError:
        value = None
        page = re.sub(r'<(script|style)>\n.*?\n</\1>\n', '', text.decode('utf-8', 'replace'), flags=re.S)  # of web/
        shown = words(page)
        shown = re.sub(r'(,\d+\.\d{3}){4}$', ',T', shown, flags=re.M)
    given = '' if body is None else ' ' + (json.dumps(body) if not isinstance(body, bytes) else repr(body))
    print(f'{method} {words(path)}{words(given)[:300]}\n{status} {words(kind)}')
    for at in range(0, max(len(shown), 1), LONG):
        part = shown[at:at + LONG]
        print(part if len(shown) <= LONG else f'  {zlib.crc32(part.encode()):08x} {part[:70]!r}')
    print()
    return value


def known(word, text):
    names[text] = word
    return text


def wait(path, is_over):
    for _ in range(4000):
        value = json.loads(ask('GET', path)[2])
        if is_over(value):
            return value
        time.sleep(0.02)
    sys.exit(f'{path}: does not end')


def table(word, body):
    made = show('POST', '/api/tables', body)
    if made is None or 'id' not in made:
        return None, [None, None]
    for side, key in enumerate(made['keys']):
        if key:
            known(f'{word}-key-{side}', key)
    return known(word, made['id']), made['keys']


PLAYER = {'kind': 'player', 'spec': 'acteval'}
HUMAN = {'kind': 'human', 'name': 'me'}


def read_only():
    for path in ('games', 'players', 'tbs', 'experiments', 'presets/tournament', 'presets/evolve', 'maps', 'maps/duel', 'maps/largest',
                 'maps/duel/file', 'maps/nowhere', 'maps/mine/x', 'tables', 'jobs', 'nothing', 'tables/0123456789abcdef', 'jobs/0123456789abcdef',
                 'analyses/0123456789abcdef', 'jobs/0123456789abcdef/games', 'tables/x', 'maps/../x'):
        show('GET', '/api/' + path)
    for method in ('PUT', 'DELETE', 'POST', 'PATCH'):
        show(method, '/api/games', {})
    show('HEAD', '/api/games')


def maps():
    text = ask('GET', '/api/maps/duel/file')[2].decode()
    show('PUT', '/api/maps/mine/two', {'text': text})
    details = show('GET', '/api/maps/mine/two')
    show('PUT', '/api/maps/mine/three', {'map': details.get('map')})
    show('GET', '/api/maps/mine/three/file')
    show('PUT', '/api/maps/mine/bad', {'text': text.replace('panzer', 'panzr')})
    show('PUT', '/api/maps/mine/a b', {'text': text})
    show('POST', '/api/maps/check', {'text': text.replace('panzer', 'panzr').replace(',10,', ',12,')})
    show('POST', '/api/maps/check', {'text': text})
    show('POST', '/api/maps/check', {'text': 3})
    show('POST', '/api/maps/check', {'text': text, 'more': 1})
    for body in ({}, {'seed': 7, 'width': 8, 'height': 5, 'units': 3}, {'symmetric': True, 'seed': '18446744073709551615'}, {'width': 0},
                 {'width': 2, 'height': 2, 'units': 9}, {'units': 'many'}):
        show('POST', '/api/maps/random', body)
    show('GET', '/api/maps')
    show('DELETE', '/api/maps/mine/two')
    show('DELETE', '/api/maps/mine/two')
    for body in (b'{', b'[]', b'{"seed": 1, "seed": 2}', b'{"seed": ' + b'[' * 40 + b']' * 40 + b'}'):
        show('POST', '/api/maps/random', body)


def positions():
    for body in ({}, {'map': 'duel'}, {'game': 'geister'}, {'game': 'kuhn', 'seed': 3}, {'game': 'synth:tree=2'}, {'map': 'standard', 'rules': 'paper'},
                 {'game': 'geister', 'position': 'MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u'}, {'game': 'chess'}, {'map': 3}):
        show('POST', '/api/positions', body)
    for actions in (['0:4,3x2'], ['0:4,3x2', '1:3,2x2'], ['0:9,9'], ['pass'], []):
        show('POST', '/api/positions/play', {'source': {'map': 'duel'}, 'actions': actions})


def tables():
    one, keys = table('one', {'game': 'tbs', 'map': 'duel', 'seed': 1, 'seats': [HUMAN, HUMAN]})
    key, other = keys
    show('GET', f'/api/tables/{one}?key={key}')
    show('GET', f'/api/tables/{one}')
    show('POST', f'/api/tables/{one}/action', {'key': key, 'ply': 0, 'action': '1:2,2'})
    show('POST', f'/api/tables/{one}/action', {'key': key, 'ply': 9, 'action': '1:3,2x2'})
    show('POST', f'/api/tables/{one}/action', {'key': other, 'ply': 0, 'action': '1:3,2x2'})
    show('POST', f'/api/tables/{one}/action', {'key': 'x', 'ply': 0, 'action': '1:3,2x2'})
    show('POST', f'/api/tables/{one}/action', {'key': key, 'ply': 0, 'action': '1:3,2x2'})
    show('POST', f'/api/tables/{one}/undo', {'key': key})
    show('POST', f'/api/tables/{one}/undo', {'key': key})
    show('POST', f'/api/tables/{one}/action', {'key': key, 'ply': 0, 'action': '0:4,3x2'})
    show('POST', f'/api/tables/{one}/action', {'key': key, 'ply': 1, 'action': 'pass'})
    show('POST', f'/api/tables/{one}/take-back', {'key': key})
    show('GET', f'/api/tables/{one}?key={other}')
    show('POST', f'/api/tables/{one}/answer', {'key': other, 'accept': True})
    show('GET', f'/api/tables/{one}/record?form=json')
    show('POST', f'/api/tables/{one}/stop', {'key': key})
    show('POST', f'/api/tables/{one}/resign', {'key': other})
    show('GET', f'/api/tables/{one}')
    show('GET', f'/api/tables/{one}/record?form=sgf')
    show('GET', f'/api/tables/{one}/record?form=log')
    show('GET', f'/api/tables/{one}/record?form=pdf')
    two, _ = table('two', {'map': 'duel', 'seed': 5, 'seats': [PLAYER, {'kind': 'player', 'spec': 'random'}]})
    wait(f'/api/tables/{two}', lambda t: t['over'] and t.get('record', 1))
    show('GET', f'/api/tables/{two}/record')
    record = json.loads(ask('GET', f'/api/tables/{two}/record')[2])
    three = show('POST', '/api/tables/load', {'record': record})
    known('three', three['id'])
    show('GET', f'/api/tables/{three["id"]}')
    show('POST', '/api/positions', {'record': record, 'after': 3})
    show('POST', '/api/positions', {'table': two, 'after': 2})
    show('POST', '/api/tables/load', {'text': 'nonsense'})
    ghosts, keys = table('ghosts', {'game': 'geister', 'seats': [HUMAN, HUMAN]})
    show('POST', f'/api/tables/{ghosts}/action', {'key': keys[0], 'ply': 0, 'action': 'ABCD'})
    show('POST', f'/api/tables/{ghosts}/action', {'key': keys[1], 'ply': 1, 'action': 'EFGH'})
    show('POST', f'/api/tables/{ghosts}/action', {'key': keys[0], 'ply': 2, 'action': 'AN'})
    for at in (f'?key={keys[0]}', f'?key={keys[1]}', f'?key={keys[0]},{keys[1]}', '', '?key=wrong'):
        show('GET', f'/api/tables/{ghosts}{at}')
    show('GET', f'/api/tables/{ghosts}/record')
    for body in ({'seats': [PLAYER]}, {'seats': [PLAYER, {'kind': 'player', 'spec': 'nobody'}]}, {'seats': [PLAYER, {'kind': 'cat'}]},
                 {'map': 'nowhere', 'seats': [PLAYER, PLAYER]}, {'game': 'geister', 'seed': 3, 'seats': [HUMAN, HUMAN]},
                 {'clock': 'turn=x', 'seats': [HUMAN, HUMAN]}, {'seats': [PLAYER, {'kind': 'player', 'spec': 'ext:cmd=true'}]}):
        table('none', body)
    show('DELETE', f'/api/tables/{ghosts}')
    show('DELETE', f'/api/tables/{ghosts}?key={keys[0]}')


def analyses():
    for number, body in enumerate((
            {'source': {'map': 'duel'}, 'player': 'uct:sims=80', 'top': 3}, {'source': {'map': 'duel'}, 'player': 'minmax:depth=1'},
            {'source': {'map': 'duel'}, 'kind': 'solve', 'sims': 20000}, {'source': {'game': 'kuhn'}, 'player': 'ismcts:sims=50', 'seed': 2},
            {'source': {'game': 'geister', 'position': 'MOV?14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u'}, 'player': 'pg'},
            {'source': {'map': 'duel'}, 'player': 'geist'}, {'source': {'map': 'duel'}, 'top': 0}, {'source': {'game': 'kuhn'}, 'kind': 'solve'})):
        made = show('POST', '/api/analyses', body)
        if 'id' in made:
            path = '/api/analyses/' + known(f'analysis-{number}', made['id'])
            wait(path, lambda a: a.get('state', 'done') != 'running' and not a.get('running', False))
            show('GET', path)
            show('DELETE', path)


def refused_players():
    """Players within players: none may use the system, however deep it stands, and what is wrong is named with its place."""
    nested = 'random'
    for _ in range(8):
        nested = f'first:player=[{nested}]'
    for player in ('uct:=3', 'nobody', 'split:player=[uct:=3]', 'split:player=[nobody]', 'split:player=[uct:sims=x]',
                   'ext', 'ext:cmd=./bot', 'split:player=[ext:cmd=./bot]', 'first:player=[split:player=[ext:host=10.0.0.1]]',
                   'pg:weights=secret', 'first:then=[pg:weights=secret]', nested):
        show('POST', '/api/analyses', {'source': {'map': 'duel'}, 'player': player})


def jobs():
    for number, (kind, params) in enumerate((
            ('match', {'players': ['acteval', 'random'], 'maps': ['duel'], 'games': 6}),
            ('tournament', {'players': ['acteval', 'random', 'acteval:style=sample'], 'maps': ['duel'], 'games': 2}),
            ('judge', {'map': 'duel', 'strong': 'muct:sims=3', 'weak': 'random', 'tight': 0.3, 'games': 30, 'min_games': 20}),
            ('evolve', {'options': {'strong': 'acteval', 'weak': 'random', 'born': '8', 'population': '4', 'generations': '2',
                                    'games': '4', 'verify': '4', 'show': '2'}}),
            ('repro', {'experiment': 'tbs-fig2'}), ('match', {'players': ['acteval']}), ('match', {'players': ['nobody', 'random']}),
            ('tournament', {'players': ['acteval', 'random'], 'games': 0}), ('repro', {'experiment': 'x'}), ('evolve', {'preset': 'x'}),
            ('judge', {'map': 'duel', 'tight': 5}), ('nothing', {}))):
        made = show('POST', '/api/jobs', {'kind': kind, 'params': params})
        if 'id' not in made:
            continue
        path = '/api/jobs/' + known(f'job-{number}', made['id'])
        job = wait(path, lambda j: j['info']['state'] in ('done', 'failed') if 'info' in j else j['state'] in ('done', 'failed'))
        show('GET', path)
        show('GET', path + '/games?from=1&count=3')
        show('GET', path + '/games/1')
        show('GET', path + '/games/1/record')
        show('GET', path + '/games/99')
        show('POST', path + '/cancel', {})
        show('POST', path + '/resume', {})
        for file in sorted(str(f if isinstance(f, str) else f.get('name')) for f in job.get('files', [])):
            if not file.endswith(('.png', '.db')) and 'pictures/' not in file and not (kind == 'repro' and file.endswith('.svg')):
                show('GET', f'{path}/files/{urllib.parse.quote(file)}')
        show('DELETE', path)


if __name__ == '__main__':
    read_only()
    maps()
    positions()
    tables()
    analyses()
    refused_players()
    jobs()
