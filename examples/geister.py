#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small player for Geister: it takes what it can, leaves when it can, and otherwise walks at random.

It plays by the official server's rules (a piece leaves its corner to the north or sideways) and receives only what
its side sees: `position board=14R24R… mover=first ply=12 from=… moves=AN/BN/…`. The board has x, y and a colour for
A to H of the first player and for those of the second one, as the first player sees them; 99 is a taken
piece, u an unknown colour.
"""
import random
import sys

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
rng = random.Random(1)


def pieces(fields):
    """My pieces (letter: cell and colour) and the other's cells, with my side at the bottom."""
    board, second = fields["board"], fields["mover"] == "second"
    triples = [board[i : i + 3] for i in range(0, 48, 3)]
    own, other = (triples[8:], triples[:8]) if second else (triples[:8], triples[8:])

    def cell(triple):
        x, y = int(triple[0]), int(triple[1])
        return None if x > 5 else (5 - x, 5 - y) if second else (x, y)

    mine = {"ABCDEFGH"[i]: (cell(t), t[2].upper()) for i, t in enumerate(own) if cell(t)}
    return mine, {cell(t) for t in other if cell(t)}


def choose(fields):
    if fields["ply"] == "setup":
        return "".join(sorted(rng.sample("ABCDEFGH", 4)))
    mine, theirs = pieces(fields)
    taken = {cell for cell, _ in mine.values()}
    moves, captures = [], []
    for letter, ((x, y), colour) in mine.items():
        if colour == "B" and y == 0 and x in (0, 5):
            return letter + "N"  # out
        for way, (dx, dy) in STEPS.items():
            to = (x + dx, y + dy)
            if to not in taken and 0 <= to[0] <= 5 and 0 <= to[1] <= 5:
                (captures if to in theirs else moves).append(letter + way)
    return rng.choice(captures or moves)


position = {}
for line in map(str.strip, sys.stdin):
    verb, _, rest = line.partition(" ")
    if verb == "quit":
        break
    elif verb == "sjp":
        print("id name geister.py\nid version 1\ngame geister\noption seed number 1\nok", flush=True)
    elif verb == "setoption" and rest.startswith("seed "):
        rng.seed(rest)
        print("ok", flush=True)
    elif verb == "position":
        position = dict(field.split("=", 1) for field in rest.split())
        print("ok", flush=True)
    elif verb == "go" and position:
        print("best", choose(position), flush=True)
        print("ok", flush=True)
    elif verb in ("newgame", "stop"):
        print("ok", flush=True)
    elif verb:
        print("error unknown command", verb, flush=True)
