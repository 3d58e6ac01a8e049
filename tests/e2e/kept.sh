#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Files of earlier versions (tests/kept, one archive a version) are opened, shown and continued by this version.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

cat >client.py <<'END'
import atexit, json, signal, subprocess, sys, time, urllib.request
server = subprocess.Popen([sys.argv[1], 'serve', '--quiet', '--port', '0', '--data', 'data'], stdout=subprocess.PIPE,
                          text=True)
address = server.stdout.readline().strip().rstrip('/')
atexit.register(server.kill)
def ask(path):
    with urllib.request.urlopen(address + path, timeout=120) as answer:
        return json.load(answer)
print('damaged', len(ask('/api/about')['damaged']))
games = [ask(f"/api/tables/{game['id']}") for game in ask('/api/tables')]
for line in sorted(f"game {game['ground']['game']} {game['ply']}{' over' * game['over']} {game['clocks']['limits']}"
                   for game in games):
    print(line.rstrip())
print('map', ask('/api/maps/mine/tiny')['map']['width'])
for _ in range(600): # one was stopped in the middle, and continues
    if all(job['state'] == 'done' for job in ask('/api/jobs')):
        break
    time.sleep(0.2)
for job in sorted(ask('/api/jobs'), key=lambda job: (job['kind'], job['progress']['total'])):
    print('job', job['kind'], job['state'], 'result' in ask(f"/api/jobs/{job['id']}"), job['progress']['done'])
server.send_signal(signal.SIGTERM)
print('ended', server.wait())
END

# What a judgement printed, without the time that it took.
timeless() {
    sed '/^Intervals are/s/, [0-9.]* s\.$//' "$1"
}

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

    expect_status 0 "$SENJUTSU" verify swiss.db
    expect_out '^swiss\.db: ok, 16 games executed again'
    expect_status 0 "$SENJUTSU" tournament --store swiss.db
    expect_out '^1  first +2\.5 +4 +1 +3 +0 +62\.5%'
    expect_status 0 "$SENJUTSU" verify faulty.db
    expect_status 0 "$SENJUTSU" tournament --store faulty.db
    expect_out '^2  ext:cmd=exit 3 +0 +2 +0 +0 +2 '
    expect_out 'exit 3 stopped running, .*: it lost to first on tiny'

    # Judged maps: nothing is played again, more games are those of a longer judgement.
    judge="--strong acteval --weak random --seed 3"
    # shellcheck disable=SC2086 # words
    expect_status 0 "$SENJUTSU" map judge tiny.tbsmap $judge --games 24 --min-games 4 --store judged.db
    timeless "$out" >judged
    timeless judged.txt >judged.before
    expect_same judged judged.before
    # shellcheck disable=SC2086 # likewise
    expect_status 0 "$SENJUTSU" map judge tiny.tbsmap $judge --games 60 --min-games 30 --store judged.db
    timeless "$out" >longer
    # shellcheck disable=SC2086 # likewise
    expect_status 0 "$SENJUTSU" map judge tiny.tbsmap $judge --games 60 --min-games 30
    timeless "$out" >at_once
    expect_same at_once longer
    expect_status 1 "$SENJUTSU" replay judged.db --game 0
    expect_err 'game 0 was played by an earlier version, .*; games that this version plays can be replayed$'
    expect_status 0 "$SENJUTSU" replay judged.db --game 40 --check

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
    expect_status 0 "$SENJUTSU" evolve --out archive --continue --quiet
    expect_out '^46 maps judged, 692 games \(692 of them found in the folder\)'
    tail -n +2 "$out" >shown
    tail -n +2 archive.txt >shown.before
    expect_same shown shown.before
    cp experiments/tbs-table5.journal before
    # The experiment has more cells now: its journal is refused and stays as it is, its result can still be read.
    expect_status 1 "$SENJUTSU" repro tbs-table5 --trials 2 --seed 2 --quiet --out experiments
    expect_err 'tbs-table5\.journal: was made with version 2, not [0-9]+; '
    expect_same experiments/tbs-table5.journal before
    expect_status 0 "$SENJUTSU" repro report experiments

    # Records in every format, logs, reports of faults.
    for record in records/*/* logs/* saved/*; do
        expect_status 0 "$SENJUTSU" replay "$record" --check
        expect_out ': ok, [0-9]+ actions'
    done
    expect_status '0 1' "$SENJUTSU" check --replay faults/fault-000001.json 'ext:cmd=exit 3'
    expect_out '^reproduced: crash'

    # Saved games go on. Learning continues as if it had not been interrupted.
    for game in tbs.json:'left after 3 actions' tbs.sgf:'left after 4 actions' tictactoe.json:'left after 2 actions' \
        kuhn.json:'is over' geister.txt:'is over'; do
        echo quit | feed
        expect_status 0 "$SENJUTSU" play --load "saved/${game%%:*}"
        expect_out "${game#*:}"
    done
    expect_status 0 "$SENJUTSU" train geister-pg --resume pg.weights.state --games 512 --against random --quiet
    expect_status 0 "$SENJUTSU" train geister-pg --games 512 --every 128 --seed 5 --against random --quiet --out whole.weights
    expect "the same weights" cmp -s pg.weights whole.weights
    expect_status 0 "$SENJUTSU" match pg:weights=pg.weights random --game geister --games 2 --quiet

    # Maps and rules as JSON.
    expect_status 0 "$SENJUTSU" map check tiny.json
    expect_out '^tiny\.json: ok'
    expect_status 0 "$SENJUTSU" tournament --players random,first --maps tiny.tbsmap --rules-file rules.json --show-rules
    expect_same "$out" rules.json

    # The workbench's folder.
    expect_status 0 timeout -s KILL "$limit" python3 ../client.py "$SENJUTSU"
    cat >answers <<'END'
damaged 0
game geister 0
game kuhn 0
game tbs 1 game=1000,byoyomi=10
game tbs 2
game tictactoe 0 over
map 6
job evolve done True 119
job judge done True 4
job match done True 4
job repro done True 6
job tournament done True 2
job tournament done True 60
ended 143
END
    expect_same "$out" answers
    cd ..
done
finish
