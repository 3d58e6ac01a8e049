// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { LiveGame, TbsMap, TbsState } from "../../src/api/types";
import { readRoute } from "../../src/app/route";
import { budgetOf, mapOfPosition, readRequest, liveGameSource } from "../../src/analyse/place";
import { decodeText } from "../../src/watch/decode";
import { gameFrom } from "../../src/watch/play_here";

const request = (hash: string) => readRequest(readRoute(hash).query);

describe("what an address asks for", () => {
  it("is a place in a game", () => {
    expect(request("#/analyse?table=abc&after=12")).toEqual({ from: "table", table: "abc", after: 12 });
    expect(request("#/analyse?table=abc&key=k&after=-1")).toEqual({ from: "table", table: "abc", key: "k" });
  });

  it("is a starting position or a text", () => {
    expect(request("#/analyse")).toEqual({ from: "nothing" });
    expect(request("#/analyse?map=duel")).toEqual({ from: "start", source: { game: "tbs", map: "duel" } });
    expect(request("#/analyse?game=geister&position=x")).toEqual({ from: "start", source: { game: "geister", position: "x" } });
  });
});

describe("what is sent", () => {
  it("names a live game's position", () => {
    const liveGame = { id: "abc", ground: { game: "geister" } } as LiveGame;
    expect(liveGameSource(liveGame, 3)).toEqual({ game: "geister", table: "abc", after: 3 });
    expect(liveGameSource(liveGame, 0, "k")).toEqual({ game: "geister", table: "abc", after: 0, key: "k" });
  });

  it("has only the budget that was chosen", () => {
    const budget = { sims: 100, time_ms: 50 };
    expect(budgetOf({ kind: "own", ...budget })).toEqual({});
    expect(budgetOf({ kind: "sims", ...budget })).toEqual({ sims: 100 });
    expect(budgetOf({ kind: "time", ...budget })).toEqual({ time_ms: 50 });
  });

  it("begins a game from a position, with a person on either side", () => {
    const player = { kind: "player", spec: "uct" };
    expect(gameFrom({ game: "tbs", map: "duel" }, "turn 3", 0, "uct").seats).toEqual([{ kind: "human" }, player]);
    expect(gameFrom({ game: "tbs", map: "duel" }, "turn 3", 1, "uct").seats).toEqual([player, { kind: "human" }]);
    expect(gameFrom({ game: "tbs", map: "duel" }, "turn 3", 1, "uct")).toMatchObject({ map: "duel", position: "turn 3" });
  });
});

describe("a position as a map", () => {
  it("has the units that are left and the turns that are left", () => {
    const map = { format: "senjutsu-map", width: 5, height: 3, turn_limit: 20, threshold: 4, terrain: ["00000", "01110", "00000"], units: [] } as TbsMap;
    const unit = { id: 3, type: "panzer", side: 1 as const, x: 2, y: 1, hp: 7, done: true };
    const state = { turn: 6, turn_limit: 20, units: [unit] } as unknown as TbsState;
    expect(mapOfPosition(map, state)).toEqual({ ...map, turn_limit: 14, units: [{ x: 2, y: 1, type: "panzer", side: "blue", hp: 7 }] });
  });
});

describe("a record's bytes", () => {
  it("are UTF-8, or else Shift JIS", () => {
    expect(decodeText(new TextEncoder().encode("{\"先手\":1}"))).toBe("{\"先手\":1}");
    expect(decodeText(Uint8Array.from([0x90, 0xe6, 0x8e, 0xe8]))).toBe("先手");
  });
});
