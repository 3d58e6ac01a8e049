#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Files that earlier versions wrote (tests/kept, one archive a version) are opened, shown and continued by this one.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

cat >client.py <<'END'
import atexit, json, signal, subprocess, sys, urllib.request
server = subprocess.Popen([sys.argv[1], 'serve', '--quiet', '--port', '0', '--data', 'data'], stdout=subprocess.PIPE,
                          text=True)
address = server.stdout.readline().strip().rstrip('/')
atexit.register(server.kill)
def ask(path):
    with urllib.request.urlopen(address + path, timeout=120) as answer:
        return json.load(answer)
print('damaged', len(ask('/api/about')['damaged']))
for game in sorted(ask('/api/tables'), key=lambda game: game['ground']['game']):
    print('game', game['ground']['game'], ask(f"/api/tables/{game['id']}")['ply'])
for job in sorted(ask('/api/jobs'), key=lambda job: job['kind']):
    print('job', job['kind'], job['state'], 'result' in ask(f"/api/jobs/{job['id']}"))
server.send_signal(signal.SIGTERM)
print('ended', server.wait())
END

for archive in "$SENJUTSU_ROOT"/tests/kept/*.tar.gz; do
    rm -rf old
    mkdir old
    tar -xzf "$archive" -C old
    cd old || exit 1

    # Stores of events: finished ones are shown, verified and replayed, the stopped one ends as the finished one did.
    expect_status 0 "$SENJUTSU" tournament --store event.db
    expect_out '^12 of 12 games, complete'
    expect_out '^ +3  random +2 +8 +0 +4 +4 +25\.0%'
    grep '^ *[0-9-]*  ' "$out" >finished
    expect_status 0 "$SENJUTSU" verify event.db
    expect_out '^event\.db: ok, 12 games executed again'
    expect_status 0 "$SENJUTSU" replay event.db --game 3 --check
    expect_out '^event\.db: ok, 14 actions, draw limit'
    expect_status 0 "$SENJUTSU" verify kuhn.db
    expect_status 0 "$SENJUTSU" tournament --store stopped.db
    expect_err 'the tournament is not over; --continue continues it'
    expect_status 0 "$SENJUTSU" tournament --store stopped.db --continue --quiet
    expect_out '^12 of 12 games, .*complete'
    grep '^ *[0-9-]*  ' "$out" >continued
    expect_same continued finished

    # Runs of map generation and of an experiment.
    expect_status 0 "$SENJUTSU" evolve --out evolution --continue --quiet
    expect_out 'strong scored 100\.0 % in the 24 games'
    cp evolution/results.json whole.json
    # They have no records; games that this version adds have.
    expect_status 1 "$SENJUTSU" replay evolution/games.db --game 0
    expect_err 'game 0 was played by an earlier version, .*; games that this version plays can be replayed$'
    expect_status 0 "$SENJUTSU" evolve --out evolution-stopped --continue --quiet
    expect_same evolution-stopped/results.json whole.json
    games=$(python3 -c 'import sqlite3; print(sqlite3.connect("evolution-stopped/games.db").execute("SELECT max(number) FROM game").fetchone()[0])')
    expect_status 0 "$SENJUTSU" replay evolution-stopped/games.db --game "$games" --check
    cp experiments/tbs-table5.journal before
    expect_status 0 "$SENJUTSU" repro tbs-table5 --trials 2 --seed 2 --quiet --out experiments
    expect_out '2 of 3 findings hold'
    expect_same experiments/tbs-table5.journal before
    expect_status 0 "$SENJUTSU" repro report experiments

    # Records in every format, logs, reports of faults.
    for record in records/*/* logs/*; do
        expect_status 0 "$SENJUTSU" replay "$record" --check
        expect_out ': ok, [0-9]+ actions'
    done
    expect_status '0 1' "$SENJUTSU" check --replay faults/fault-000001.json 'ext:cmd=exit 3'
    expect_out '^reproduced: crash'

    # The workbench's folder.
    expect_status 0 timeout -s KILL "$limit" python3 ../client.py "$SENJUTSU"
    cat >answers <<'END'
damaged 0
game geister 0
game tbs 2
job evolve done True
job judge done True
job match done True
job repro done True
job tournament done True
ended 143
END
    expect_same "$out" answers
    cd ..
done
finish
