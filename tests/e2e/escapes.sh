#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Texts of programs and files may contain control sequences of a terminal: none of them reaches the terminal or our
# files.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# Escape sequences with ESC and with the one-character CSI (as UTF-8 and as a bare byte), BEL, DEL, a backspace, a
# carriage return, and a mark that turns the direction of writing.
cat >bot.py <<'END'
import sys
evil = '\x1b[2J\x1b]0;title\x07\u009b31m\u202eX\x7f\x08\rY'
bare = b'\x9b31m\x1b[31m\n'
out, mode, in_map = sys.stdout.buffer, sys.argv[1], False
def say(text):
    out.write(text.encode() + b'\n')
    out.flush()
sys.stderr.buffer.write(evil.encode() + b'\n' + bare)
sys.stderr.flush()
for line in sys.stdin:
    in_map = line.startswith('map') or in_map and not line.startswith('endmap')
    if in_map:
        continue
    if line.startswith('quit'):
        break
    if line.startswith('sjp'):
        say('id name ' + evil + '\nid version ' + evil + '\ngame tbs\noption ' + evil + ' number 1\nok')
    elif not line.startswith('go'):
        say('ok')
    elif mode == 'garbage':
        say(evil)
    elif mode == 'bare':
        out.write(bare)
        out.flush()
    elif mode == 'illegal':
        say('best ' + evil + '\nok')
    elif mode == 'error':
        say('error ' + evil)
    elif mode == 'exit':
        sys.exit(3)
    else:
        say('info ' + evil + '\nbest pass\nok')
END
write_tiny_map tiny.tbsmap

# is_harmless FILE …: UTF-8 without control characters but line ends and tabs.
# shellcheck disable=SC2317 # called by expect
is_harmless() {
    python3 - "$@" <<'END'
import re, sys
for name in sys.argv[1:]:
    text = open(name, 'rb').read().decode()
    if re.search('[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]', text):
        sys.exit(1)
END
}

# expect_harmless COMMAND …: whatever its status.
expect_harmless() {
    expect_status "0 1" "$@"
    expect "nothing that a terminal obeys" is_harmless "$out" "$err"
}

for mode in garbage bare illegal error exit info; do
    bot="ext:cmd=exec python3 $PWD/bot.py $mode"
    expect_harmless "$SENJUTSU" match "$bot" random --games 1 --map tiny.tbsmap --faults "faults-$mode" --records "$mode"
    expect "nothing that a terminal obeys in the record" is_harmless "$mode"/*
    expect_harmless "$SENJUTSU" replay "$mode/game-000001.json"
    [ "$mode" = info ] && continue
    expect "nothing that a terminal obeys in the bundle" is_harmless "faults-$mode"/*
    expect_harmless "$SENJUTSU" check --replay "faults-$mode/fault-000001.json" "$bot" --timeout 2
done
expect_harmless "$SENJUTSU" analyze --player "ext:cmd=exec python3 $PWD/bot.py illegal" --map tiny.tbsmap
for mode in illegal info; do
    bot="ext:cmd=exec python3 $PWD/bot.py $mode"
    expect_harmless "$SENJUTSU" check "$bot" --map tiny.tbsmap --positions 1 --verbose
    expect_harmless "$SENJUTSU" check "$bot" --map tiny.tbsmap --positions 1 --json
done
expect_harmless "$SENJUTSU" play --map tiny.tbsmap --red "ext:cmd=exec python3 $PWD/bot.py illegal" --blue random
expect_harmless "$SENJUTSU" tournament --players "ext:cmd=exec python3 $PWD/bot.py error,random" --maps tiny.tbsmap \
    --games 1 --store event.db --out pages
expect "nothing that a terminal obeys in the pages" is_harmless pages/*.* pages/faults/*
expect_harmless "$SENJUTSU" verify event.db

# Files of strangers.
python3 - <<'END'
import json
evil = '\x1b[2J\x1b]0;title\x07\u009b31m\u202eX\x7f\x08\rY'
record = json.load(open('info/game-000001.json'))
for key in ('players', 'comment', 'date', 'result'):
    if key in record:
        record[key] = [evil, evil] if key == 'players' else evil
json.dump(record, open('evil.json', 'w'))
bundle = json.load(open('faults-error/fault-000001.json'))
bundle['reason'] = bundle['clock'] = evil
json.dump(bundle, open('bundle.json', 'w'))
json.dump([{'name': evil + str(i), 'player': 'random', 'author': evil} for i in range(2)], open('entries.json', 'w'))
open('evil.tbsmap', 'w').write(open('tiny.tbsmap').read().replace('Four', evil.replace('\r', '')).replace('[tests]', '[' + evil.replace('\r', '').replace(']', '') + ']'))
END
expect_harmless "$SENJUTSU" replay evil.json
expect_harmless "$SENJUTSU" replay evil.json --check
expect_harmless "$SENJUTSU" check --replay bundle.json "ext:cmd=exec python3 $PWD/bot.py error"
expect_harmless "$SENJUTSU" map show evil.tbsmap
expect_harmless "$SENJUTSU" map check evil.tbsmap
expect_harmless "$SENJUTSU" tournament --entries entries.json --maps evil.tbsmap --games 1 --store evil.db --quiet
expect_harmless "$SENJUTSU" verify evil.db

# A match's store names players, maps and the ways in which games ended.
expect_status 0 "$SENJUTSU" match random random --games 2 --map tiny.tbsmap --quiet --store match.db
python3 - <<'END'
import json, sqlite3
evil = '\x1b[2J\x1b]0;title\x07\u009b31m\u202eX\x7f\x08\rY'
store = sqlite3.connect('match.db')
match = json.loads(store.execute("SELECT value FROM text WHERE name = 'match'").fetchone()[0])
match['players'][0]['spec'] = match['maps'][0]['name'] = evil
match['maps'].append(match['maps'][0])
store.execute("UPDATE text SET value = ? WHERE name = 'match'", [json.dumps(match)])
store.execute("UPDATE game SET result = ?", ['red ' + evil])
store.commit()
END
expect_status 0 "$SENJUTSU" match --store match.db
expect_out '31m.*X'
expect_harmless "$SENJUTSU" match --store match.db
expect_harmless "$SENJUTSU" match --store match.db --json
expect_harmless "$SENJUTSU" match --store match.db --continue

finish
