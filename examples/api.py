#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A game through the HTTP API of `senjutsu serve`, with nothing but Python's own library: a beginning for tools that
play, watch or write down games. The API is described in docs/http-api.md.

    senjutsu serve --port 8080
    python3 examples/api.py http://localhost:8080 play --map duel --against acteval
    python3 examples/api.py http://localhost:8080 watch --map duel --players uct,acteval

The address is the one that the server has printed, with its ?token= if it has one.
"""
import argparse
import json
import random
import sys
import urllib.error
import urllib.parse
import urllib.request


class Server:
    def __init__(self, address):
        parts = urllib.parse.urlsplit(address)
        self.address = f"{parts.scheme}://{parts.netloc}"
        self.headers = {"Content-Type": "application/json"}
        for token in urllib.parse.parse_qs(parts.query).get("token", []):
            self.headers["Authorization"] = "Bearer " + token

    def open(self, path, body=None):
        """Returns the open answer; a refusal ends the program with the server's sentence."""
        data = None if body is None else json.dumps(body).encode()
        try:
            return urllib.request.urlopen(urllib.request.Request(self.address + path, data, self.headers))
        except urllib.error.HTTPError as refusal:
            sys.exit(f"{refusal.code}: {json.load(refusal)['error']}")
        except urllib.error.URLError as problem:
            sys.exit(f"{self.address}: {problem.reason}; is senjutsu serve running?")

    def post(self, path, body):
        return json.load(self.open(path, body))

    def events(self, path):
        """Yields name and data of each event of a stream until it ends."""
        name = None
        for line in self.open(path):
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data" and name == "end":
                return
            elif field == "data":
                yield name, json.loads(value)


def choose(actions, rng):
    """Returns our action as text. Replace this: `actions` holds all legal actions."""
    if actions["game"] == "tbs":
        unit = rng.choice(actions["units"])
        if unit["attacks"]:
            x, y, target, damage, counter = max(unit["attacks"], key=lambda a: a[3] - a[4])
            return f"{unit['id']}:{x},{y}x{target}"
        x, y = rng.choice(unit["stays"])
        return f"{unit['id']}:{x},{y}"
    if actions["game"] == "geister":
        return "ABCD" if actions["setup"] else rng.choice(actions["moves"])["action"]
    return rng.choice(actions["list"])


def show(step, sides):
    action = step["action"] or "(hidden)"
    chance = "" if step["chance"] is None else f"  {100 * step['chance']:.0f} % for {sides[0]}"
    print(f"{step['ply']:4} {sides[step['side']]:6} {action}{chance}", flush=True)


def follow(server, made, sides, rng):
    """Prints the steps of a live game and plays where we have a seat."""
    path = f"/api/tables/{made['id']}"
    keys = ",".join(key for key in made["keys"] if key)
    table, shown = None, 0
    for name, data in server.events(f"{path}/events?key={keys}"):
        if name not in ("table", "step"):
            continue  # thoughts, chances, offers; others may come with later versions
        table = data if name == "table" else table
        steps = data["steps"] if name == "table" else [data["step"]]
        for step in steps[shown if name == "table" else 0 :]:
            show(step, sides)
            shown = step["ply"]
        if data["actions"] is not None:
            server.post(f"{path}/action", {"key": keys, "ply": shown, "action": choose(data["actions"], rng)})
    print(table["result"], table["comment"])


def main():
    parser = argparse.ArgumentParser(description="a game through the HTTP API of senjutsu serve")
    parser.add_argument("address", help="http://localhost:8080")
    parser.add_argument("what", choices=["play", "watch"])
    parser.add_argument("--game", default="tbs", help="the game's spec (%(default)s)")
    parser.add_argument("--map", help="of the tactical game, a name of /api/maps")
    parser.add_argument("--against", default="random", help="play: our opponent (%(default)s)")
    parser.add_argument("--players", default="random,random", help="watch: both players (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    server = Server(options.address)
    games = {game["name"]: game for game in json.load(server.open("/api/games"))}
    first, second = ("", options.against) if options.what == "play" else options.players.split(",")
    seats = [{"kind": "player", "spec": spec} if spec else {"kind": "human", "name": "api.py"} for spec in (first, second)]
    game = games[options.game.partition(":")[0]]
    table = {"game": options.game, "seats": seats, **({"map": options.map} if options.map else {})}
    if options.what == "watch" or not game["hidden"]:  # with hidden information the seed would reveal it
        table["seed"] = options.seed
    made = server.post("/api/tables", table)
    follow(server, made, game["sides"], random.Random(options.seed))


if __name__ == "__main__":
    main()
