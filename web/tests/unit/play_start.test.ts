// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { changeGame, describeGame, findGame, forgetGame, saveGame, savedGames, type SavedGame } from "../../src/play/saved";
import * as start from "../../src/play/start_logic";

const settings: start.Settings = {
  game: "tbs", mode: "player", map: "duel", opponent: "uct", side: "0", clock: "none",
  custom: { kind: "turn", seconds: 45, byoyomi: 0 }, seed: "",
};

describe("a new live game", () => {
  it("has the person on the side that was chosen for", () => {
    expect(start.newLiveGame(settings, 0)).toEqual({ game: "tbs", map: "duel", seats: [{ kind: "human" }, { kind: "player", spec: "uct" }] });
    expect(start.newLiveGame({ ...settings, game: "geister" }, 1).seats[0]).toEqual({ kind: "player", spec: "uct" });
    expect(start.sideOf("random", () => 0.7)).toBe(1);
    expect(start.sideOf("1")).toBe(1);
  });

  it("writes clocks as on a command line", () => {
    expect(start.clockOf(settings)).toBe("");
    expect(start.clockOf({ ...settings, clock: "custom" })).toBe("turn=45");
    expect(start.clockOf({ clock: "custom", custom: { kind: "game", seconds: 300, byoyomi: 5 } })).toBe("game=300,byoyomi=5");
    expect(start.clockOf({ clock: "custom", custom: { kind: "game", seconds: 300, byoyomi: 0 } })).toBe("game=300");
  });

  it("has a seed only when one was given", () => {
    expect(start.newLiveGame({ ...settings, seed: "7" }, 0)).toMatchObject({ seed: "7" });
    expect(start.newLiveGame(settings, 0)).not.toHaveProperty("seed");
    expect(start.newLiveGame({ ...settings, game: "geister", seed: "7" }, 0)).not.toHaveProperty("seed");
    expect(start.seedProblem("12x")).toBe(true);
    expect(start.seedProblem("")).toBe(false);
  });

  it("keeps the keys that belong to this browser", () => {
    const made = { id: "t1", keys: ["a", "b"] as [string, string] };
    expect(start.toSave({ ...settings, mode: "screen" }, 0, made, 1)).toMatchObject({ keys: "a,b", invite: null });
    expect(start.toSave({ ...settings, mode: "browsers" }, 1, made, 1)).toMatchObject({ keys: "b", invite: "a" });
    expect(start.toSave(settings, 0, { id: "t1", keys: ["a", null] }, 1)).toMatchObject({ keys: "a", invite: null, against: "uct" });
  });
});

describe("saved games", () => {
  const memory = () => {
    const data = new Map<string, string>();
    return { getItem: (name: string) => data.get(name) ?? null, setItem: (name: string, value: string) => void data.set(name, value) };
  };
  const game = (id: string): SavedGame => ({ id, keys: "k", invite: null, game: "tbs", map: "", against: "", started: 0, over: false });

  it("are kept newest first, each once", () => {
    const place = memory();
    for (const id of ["a", "b", "a"]) saveGame(game(id), place);
    expect(savedGames(place).map(({ id }) => id)).toEqual(["a", "b"]);
    changeGame("b", { over: true }, place);
    expect(findGame("b", place)?.over).toBe(true);
    forgetGame("a", place);
    expect(findGame("a", place)).toBeNull();
  });

  it("are described later when they came by a link", () => {
    const place = memory();
    saveGame({ ...game("a"), game: "" }, place);
    describeGame("a", { game: "geister", map: "", against: "geist" }, place);
    expect(findGame("a", place)).toMatchObject({ game: "geister", against: "geist", keys: "k" });
    describeGame("a", { game: "tbs", map: "", against: "" }, place);
    expect(findGame("a", place)?.game).toBe("geister");
  });

  it("are at most thirty", () => {
    const place = memory();
    for (let i = 0; i < 40; i++) saveGame(game(`g${i}`), place);
    expect(savedGames(place)).toHaveLength(30);
  });

  it("survive a broken or foreign storage", () => {
    const place = memory();
    place.setItem("senjutsu.games", "{not json");
    expect(savedGames(place)).toEqual([]);
    place.setItem("senjutsu.games", '[1, {"id": "x"}]');
    expect(savedGames(place)).toEqual([]);
    expect(savedGames(null)).toEqual([]);
  });
});
