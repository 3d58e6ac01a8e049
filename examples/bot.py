#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The smallest player: it needs nothing but Python. Put your ideas into best()."""
import sys


def best(board, plays):
    """An action that is legal on this map (its lines) after these actions. Passing always is."""
    return "pass"


board, plays, in_map = [], [], False
for line in map(str.strip, sys.stdin):
    verb, _, rest = line.partition(" ")
    if in_map and line != "endmap":
        board.append(line)
    elif verb == "map":
        board, plays, in_map = [], [], True
    elif verb == "quit":
        break
    elif verb in ("sjp", "newgame", "endmap", "play", "undo", "go", "stop"):
        in_map = False
        plays = plays + [rest] if verb == "play" else plays[:-1] if verb == "undo" else plays
        if verb == "sjp":
            print("id name bot.py\nid version 1\ngame tbs")
        if verb == "go":
            print("best", best(board, plays))
        print("ok", flush=True)
    elif verb:
        print("error unknown command", verb, flush=True)
