# SPDX-License-Identifier: MIT
"""scarce.py CASES: runs each command of the file CASES while one allocation fails, for many allocations.

A case is a line "COMMAND … [<INPUT]", for the shell; the variable OUT names a folder for its files. Its output with
a failed allocation is that of a run without one, and the status 0; or the status is 1 and the message reports
missing memory. Prints a line for each case that does something else, and how many runs there were."""
import os
import re
import subprocess
import sys
import tempfile

DENSITY = int(os.environ.get('SCARCE_DENSITY', '2'))  # allocations up to this one all fail in turn, later ones less often
RUNS_MAX = 4000
STEADY = 'monotonic 0 each=0.001; cores 1'  # time passes only when the clock is read: times are the same in every run


def run(case, rules, log):
    environment = {**os.environ, 'LD_PRELOAD': os.environ['SENJUTSU_FAULTS'], 'FAULTS': STEADY + rules, 'FAULTS_LOG': log,
                   'FAULTS_PROGRAM': 'senjutsu'}
    with tempfile.TemporaryDirectory(dir='.') as folder:
        environment['OUT'] = folder
        done = subprocess.run(['sh', '-c', 'exec ' + case], stdin=subprocess.DEVNULL, capture_output=True, env=environment,
                              timeout=120, check=False)
        files = {}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), 'rb') as file:
                files[name] = file.read()
    out = re.sub(rb'"date": "[^"]*"', b'"date": D', done.stdout.replace(folder.encode(), b'OUT'))
    return done.returncode, out, done.stderr, files


def has_failed(log):
    if not os.path.exists(log):
        return False
    with open(log, 'rb') as file:
        return b'ENOMEM' in file.read()


def judge(case, log):
    """What is wrong, or None; and the number of runs."""
    status, out, err, files = run(case, '', log)
    if status != 0:
        return f'status {status} without a fault: {err[-300:]}', 1
    n, runs = 1, 0
    while runs < RUNS_MAX:
        if os.path.exists(log):
            os.unlink(log)
        found = run(case, f'; memory ENOMEM from={n} count=1', log)
        runs += 1
        if not has_failed(log):
            return None, runs
        if found[0] == 1 and b'memory' in found[2]:
            pass
        elif found[0] != 0:
            return f'allocation {n}: status {found[0]}: {found[2][-300:]}', runs
        elif (found[1], found[3]) != (out, files):
            return f'allocation {n}: status 0 and another result', runs
        n += 1 + n // (DENSITY * 8) if n >= DENSITY else 1
    return None, runs


def main():
    total, wrong = 0, 0
    log = os.path.abspath('faults.log')
    with open(sys.argv[1], encoding='utf-8') as file:
        cases = [line.strip() for line in file if line.strip() and not line.startswith('#')]
    for case in cases:
        problem, runs = judge(case, log)
        total += runs
        if problem:
            wrong += 1
            print(f'{case}: {problem}')
        elif runs < 2:
            wrong += 1
            print(f'{case}: no allocation has failed')
    print(f'{len(cases)} cases, {total} runs, {wrong} wrong')
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
