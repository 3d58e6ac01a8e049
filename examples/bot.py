#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The smallest player: it needs nothing but Python. Put your own code at the line with "best"."""
import sys

board, plays, in_map = [], [], False  # the map's lines, and what was played since
for line in map(str.strip, sys.stdin):
    verb, _, rest = line.partition(" ")
    if in_map and verb != "endmap":
        board.append(line)
    elif verb == "quit":
        break
    elif verb == "map":
        board, plays, in_map = [], [], True
    elif verb in ("sjp", "newgame", "endmap", "play", "undo", "go", "stop"):
        in_map = False
        plays = plays + [rest] if verb == "play" else plays[:-1] if verb == "undo" else plays
        answer = {"sjp": "id name bot.py\nid version 1\ngame tbs\n", "go": "best pass\n"}.get(verb, "")
        print(answer + "ok", flush=True)
    elif verb:
        print("error unknown command", verb, flush=True)
