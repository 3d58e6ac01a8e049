// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { Did, Side, State, Step, Thoughts } from "../../src/api/types";
import { areChances, remember, valueLines } from "../../src/analyse/history";
import { actionsUpTo, goTo, isNext, positionOf, sourceOf, startVariation, withActions, withPlayed } from "../../src/analyse/variation";
import { arrowWeight, cellsOfDid, drawnArrows, lineArrows } from "../../src/thoughts/arrows";

const move = (from: [number, number], to: [number, number], side: Side = 0): Did => ({
  kind: "tbs", unit: 1, type: "infantry", side, from, to,
});

describe("a line as arrows", () => {
  it("numbers actions, and draws a move with an attack as two arrows of one number", () => {
    const attack: Did = {
      ...(move([3, 3], [4, 3], 1) as Extract<Did, { kind: "tbs" }>),
      target: { id: 2, type: "panzer", at: [5, 3], damage: 4, counter: 1, destroyed: false, lost: false },
    };
    const arrows = lineArrows([{ action: "a", did: move([1, 1], [2, 1]) }, { action: "b", did: attack }]);
    expect(arrows.map(({ from, to, kind, side, number }) => ({ from, to, kind, side, number }))).toEqual([
      { from: [1, 1], to: [2, 1], kind: "move", side: 0, number: 1 },
      { from: [3, 3], to: [4, 3], kind: "move", side: 1, number: 2 },
      { from: [4, 3], to: [5, 3], kind: "attack", side: 1, number: 2 },
    ]);
  });

  it("draws nothing for who stays or passes, but counts it", () => {
    const arrows = lineArrows([
      { action: "a", did: move([1, 1], [1, 1]) },
      { action: "b", did: { kind: "pass", side: 0 } },
      { action: "c", did: { kind: "geister", side: 1, letter: "A", from: [0, 0], to: null } },
    ]);
    expect(arrows).toHaveLength(1);
    expect(arrows[0]).toMatchObject({ to: null, number: 3 });
  });

  it("draws only the beginning of a long line, thinner and thinner", () => {
    const line = Array.from({ length: 20 }, (_, i) => ({ action: String(i), did: move([i, 1], [i + 1, 1]) }));
    const arrows = lineArrows(line, 5);
    expect(arrows).toHaveLength(5);
    const weights = arrows.map((arrow) => arrow.weight);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(Math.min(...weights)).toBeGreaterThan(0.2);
    expect(arrowWeight(0, 1)).toBe(1);
  });

  it("draws what comes first on top, with its number", () => {
    const arrows = drawnArrows([
      { action: "a", did: move([1, 1], [2, 1]) },
      { action: "b", did: move([2, 1], [3, 1]) },
    ]);
    expect(arrows.map(({ label }) => label)).toEqual(["2", "1"]);
  });

  it("finds an action's cells", () => {
    expect(cellsOfDid(move([1, 2], [3, 4]))).toEqual({ from: [1, 2], to: [3, 4], target: null });
    expect(cellsOfDid({ kind: "resign", side: 0 })).toBeNull();
  });
});

function thoughts(seconds: number, values: [string, number, number | null][]): Thoughts {
  const did: Did = { kind: "pass", side: 0 };
  const candidates = values.map(([action, value, chance]) => ({ action, did, value, chance, at_most: false, visits: 1, line: [] }));
  return { side: 0, player: "uct", candidates, total: 9, simulations: 1, nodes: 1, depth: 1, seconds };
}

describe("how a search changed its mind", () => {
  it("keeps each candidate's line, with gaps where it was not among them", () => {
    const last = thoughts(0.3, [["b", 3, null], ["a", 2, null]]);
    const history = [thoughts(0.1, [["a", 1, null]]), thoughts(0.2, [["a", 2, null], ["b", 1, null]]), last].reduce(remember, []);
    expect(valueLines(history, last)).toEqual([
      { action: "b", values: [null, 1, 3] },
      { action: "a", values: [1, 2, 2] },
    ]);
    expect(valueLines(history, last, 1)).toHaveLength(1);
  });

  it("takes chances where all values are chances", () => {
    const now = thoughts(1, [["a", 9, 0.25]]);
    expect(areChances(now.candidates)).toBe(true);
    expect(areChances(thoughts(1, [["a", 9, 0.2], ["b", 1, null]]).candidates)).toBe(false);
    expect(valueLines(remember([], now), now)[0]?.values).toEqual([0.25]);
  });

  it("stays small, and stores a moment only once", () => {
    const twice = [thoughts(0.5, [["a", 1, null]]), thoughts(0.5, [["a", 2, null]])].reduce(remember, []);
    expect(twice).toHaveLength(1);
    const many = Array.from({ length: 3000 }, (_, i) => thoughts(i, [["a", i, null]])).reduce(remember, []);
    expect(many.length).toBeLessThanOrEqual(400);
    expect(many[many.length - 1]?.seconds).toBe(2999);
  });
});

describe("trying moves out", () => {
  const state = (text: string) => ({ text }) as State;
  const root = { state: state("root"), map: null, actions: null };
  const start = startVariation({ game: "tbs", table: "x", after: 3 }, { game: "tbs", map: "duel" }, root);
  const end = { game: "plain" as const, list: ["c"] };
  const played = (...actions: string[]) => ({
    steps: actions.map((action, i) => ({ ply: i + 1, action, did: { kind: "pass", side: 0 }, state: state(`after ${action}`) }) as Step),
    state: state("end"), map: null, actions: end,
  });

  it("goes forth and back along its line", () => {
    const line = withPlayed(start, played("a", "b"));
    expect(positionOf(line).state.text).toBe("after b");
    expect(positionOf(goTo(line, 1)).state.text).toBe("after a");
    expect(positionOf(goTo(line, -5))).toBe(root);
    expect(goTo(line, 9).at).toBe(2);
    expect(actionsUpTo(goTo(line, 1))).toEqual(["a"]);
  });

  it("shows any place of a line that was played, and the rest of the line", () => {
    const line = withPlayed(start, played("a", "b", "c"), 1);
    expect(line.at).toBe(1);
    expect(isNext(line, "b")).toBe(true);
    expect(isNext(line, "c")).toBe(false);
  });

  it("learns what may be done in the middle of a line when it is looked at", () => {
    const line = withPlayed(start, played("a", "b"));
    expect(positionOf(line).actions).toBe(end);
    expect(positionOf(goTo(line, 1)).actions).toBeUndefined();
    const middle = withActions(goTo(line, 1), null);
    expect(positionOf(middle).actions).toBeNull();
    expect(positionOf(goTo(middle, 2)).actions).toBe(end);
  });

  it("names the place as the root was named, or by its text", () => {
    expect(sourceOf(start)).toEqual({ game: "tbs", table: "x", after: 3 });
    expect(sourceOf(withPlayed(start, played("a")))).toEqual({ game: "tbs", map: "duel", position: "after a" });
  });
});
