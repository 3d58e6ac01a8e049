#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A player that leaves the rules to `senjutsu engine`: every command is passed on to it, so the engine holds the
position and computes the legal actions and the results of attacks. Only `go` is answered here: by the first attack
there is (`legal` lists a unit's attacks before its moves), or else by a random move.

    wrap.py [PATH-TO-SENJUTSU]
"""
import pathlib
import random
import shutil
import subprocess
import sys

built = pathlib.Path(__file__).resolve().parent.parent / "build" / "senjutsu"
program = sys.argv[1] if len(sys.argv) > 1 else shutil.which("senjutsu") or str(built)
engine = subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def ask(command):
    """The engine's answer, line by line; the last line is its status."""
    engine.stdin.write(command + "\n")
    answer = [engine.stdout.readline().rstrip("\n")]
    while answer[-1] and answer[-1] not in ("ok", "end") and not answer[-1].startswith("error"):
        answer.append(engine.stdout.readline().rstrip("\n"))
    return answer


def best():
    actions = ask("legal")[:-1]
    return next((a for a in actions if "x" in a), None) or random.choice(actions)


board = None
for line in map(str.strip, sys.stdin):
    verb = line.split(" ")[0]
    if verb == "quit":
        break
    if board is not None or line == "map":  # a map has one answer, after its last line
        board = (board or []) + [line]
        if line != "endmap":
            continue
        line, board = "\n".join(board), None
    if not line:
        continue
    if verb == "sjp":
        answer = ["id name wrap.py", "id version 1", "game tbs", "ok"]
    elif verb == "go" and "turn" not in line and ask("legal")[0].count(":"):
        answer = ["best " + best(), "ok"]
    elif verb == "go":
        answer = ["error there is no single action to choose"]
    else:
        answer = ask(line)
    print("\n".join(answer), flush=True)
