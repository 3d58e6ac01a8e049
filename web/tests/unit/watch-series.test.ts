// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { GeisterPiece, GeisterState, Side, State, Step, LiveGame, TbsState, Thoughts } from "../../src/api/types";
import { stateAt, stepsAround } from "../../src/watch/follow";
import { adviserChances, hasAny, material, materials, ownChance, playerChances, plies, turnStarts } from "../../src/watch/series";
import { seenDid, seenState, seenStep } from "../../src/watch/spectator_view";

function tbs(turn: number, hp: [number, number]): TbsState {
  return {
    game: "tbs", mover: (turn % 2) as Side, turn, text: "", result: "none", payoff: null, over: false,
    units: [], turn_limit: 20, threshold: 0, hp,
  };
}

function thoughts(side: Side, chance: number | null): Thoughts {
  const did = { kind: "pass" as const, side };
  const best = { action: "pass", did, value: 1, chance, at_most: false, visits: 1, line: [] };
  return { side, player: "uct", candidates: [best], total: 1, simulations: 1, nodes: 1, depth: 1, seconds: 0 };
}

function step(ply: number, side: Side, state: State, chance: number | null = null, own: number | null = null): Step {
  return { ply, side, action: "pass", did: { kind: "pass", side }, state, ms: 1, chance, thoughts: thoughts(side, own) };
}

/** Two actions of red, one of blue, one of red. */
const steps = [
  step(1, 0, tbs(0, [20, 20]), 0.5, 0.6),
  step(2, 0, tbs(1, [20, 15]), 0.7, null),
  step(3, 1, tbs(2, [12, 15]), null, 0.3),
  step(4, 0, tbs(3, [12, 9]), 0.8, 0.9),
];

const liveGame = {
  steps, start: tbs(0, [20, 20]), state: tbs(3, [12, 9]), over: false, ply: 4, mover: 1, result: "none",
} as unknown as LiveGame;

describe("a game as lines", () => {
  it("has a point for the start and one for every action", () => {
    expect(plies(liveGame)).toEqual([0, 1, 2, 3, 4]);
    expect(adviserChances(liveGame)).toEqual([null, 0.5, 0.7, null, 0.8]);
    expect(materials(liveGame, 1)).toEqual([20, 20, 15, 15, 9]);
  });

  it("finds the starts of turns", () => {
    expect(turnStarts(liveGame)).toEqual([0, 2, 3, 4]);
  });

  it("gives every player's own chance as the first side's, until it thinks again", () => {
    expect(ownChance(thoughts(1, 0.3))).toBeCloseTo(0.7);
    expect(ownChance(null)).toBeNull();
    expect(playerChances(liveGame, 0)).toEqual([0.6, 0.6, 0.6, 0.9, 0.9]);
    expect(playerChances(liveGame, 1)).toEqual([null, null, 0.7, 0.7, 0.7]);
  });

  it("detects empty charts", () => {
    expect(hasAny([null, null])).toBe(false);
    expect(hasAny([null, 0])).toBe(true);
  });

  it("finds the state after any number of actions", () => {
    expect(stateAt(liveGame, 0)).toBe(liveGame.start);
    expect(stateAt(liveGame, 2)).toBe(steps[1]?.state);
    expect(stateAt(liveGame, 99)).toBe(liveGame.state);
  });
});

describe("around a position", () => {
  it("finds what led to it and what was chosen there", () => {
    expect(stepsAround(liveGame, 0)).toEqual({ last: null, next: steps[0] });
    expect(stepsAround(liveGame, 2)).toEqual({ last: steps[1], next: steps[2] });
    expect(stepsAround(liveGame, 4)).toEqual({ last: steps[3], next: null });
  });
});

describe("through one player's eyes", () => {
  const piece = (side: Side, letter: string, fate: GeisterPiece["fate"] = "board"): GeisterPiece => ({
    side, letter, at: fate === "board" ? [0, 0] : null, fate, colour: "red",
  });
  const state: GeisterState = {
    game: "geister", mover: 0, turn: 4, text: "", result: "none", payoff: null, over: false, phase: "play", ply: 4,
    plies_max: 200, pieces: [piece(0, "A"), piece(1, "A"), piece(1, "B", "taken")], exits: { forward: true, sideways: true },
  };
  const colours = (of: State) => (of.game === "geister" ? of.pieces.map((p) => p.colour) : []);

  it("hides the other's colours on the board, and no others", () => {
    expect(colours(seenState(state, "all"))).toEqual(["red", "red", "red"]);
    expect(colours(seenState(state, "first"))).toEqual(["red", "unknown", "red"]);
    expect(colours(seenState(state, "second"))).toEqual(["unknown", "red", "red"]);
    expect(colours(seenState({ ...state, over: true }, "first"))).toEqual(["red", "red", "red"]);
  });

  it("hides the other's set-up and thoughts", () => {
    expect(seenDid({ kind: "setup", side: 1, reds: "ABCD" }, "first")).toEqual({ kind: "setup", side: 1, reds: null });
    expect(seenDid({ kind: "setup", side: 0, reds: "ABCD" }, "first")).toEqual({ kind: "setup", side: 0, reds: "ABCD" });
    expect(seenStep(step(1, 1, state), "first").thoughts).toBeNull();
    expect(seenStep(step(1, 1, state), "second").thoughts).not.toBeNull();
  });

  it("counts what is left", () => {
    expect([material(state, 0), material(state, 1)]).toEqual([1, 1]);
  });
});
