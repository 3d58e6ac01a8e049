// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { GeisterActions, GeisterState } from "../../src/api/types";
import * as geister from "../../src/play/geister_logic";

const state: GeisterState = {
  game: "geister", phase: "play", mover: 0, turn: 4, ply: 4, plies_max: 300, text: "", result: "none", payoff: null, over: false,
  exits: { forward: true, sideways: true },
  pieces: [
    { side: 0, letter: "A", at: [0, 0], fate: "board", colour: "blue" },
    { side: 0, letter: "B", at: [2, 3], fate: "board", colour: "red" },
    { side: 0, letter: "C", at: null, fate: "taken", colour: "red" },
    { side: 1, letter: "A", at: [2, 2], fate: "board", colour: "unknown" },
  ],
};
const actions: GeisterActions = {
  game: "geister",
  setup: false,
  moves: [
    { action: "AN", letter: "A", from: [0, 0], to: null },
    { action: "AW", letter: "A", from: [0, 0], to: null },
    { action: "AE", letter: "A", from: [0, 0], to: [1, 0] },
    { action: "BN", letter: "B", from: [2, 3], to: [2, 2] },
    { action: "BW", letter: "B", from: [2, 3], to: [1, 3] },
  ],
};

describe("clicks in Geister", () => {
  it("choose an own piece, then a neighbouring cell", () => {
    expect(geister.click(state, actions, null, [2, 3])).toEqual({ chosen: "B", action: null });
    expect(geister.click(state, actions, "B", [1, 3])).toEqual({ chosen: null, action: "BW" });
  });

  it("take the other's piece, but do not choose it", () => {
    expect(geister.click(state, actions, "B", [2, 2]).action).toBe("BN");
    expect(geister.click(state, actions, null, [2, 2])).toEqual({ chosen: null, action: null });
  });

  it("let go what was chosen", () => {
    expect(geister.click(state, actions, "B", [2, 3])).toEqual({ chosen: null, action: null });
    expect(geister.click(state, actions, "B", [5, 5])).toEqual({ chosen: null, action: null });
    expect(geister.click(state, actions, "B", [0, 0])).toEqual({ chosen: "A", action: null });
  });

  it("mean nothing when it is not our turn", () => {
    expect(geister.click(state, null, "B", [2, 2])).toEqual({ chosen: null, action: null });
  });

  it("drop a dragged piece only where it may go", () => {
    expect(geister.drop(actions, "B", [2, 2])).toBe("BN");
    expect(geister.drop(actions, "B", [4, 4])).toBeNull();
  });

  it("leave from a corner once, whichever way", () => {
    expect(geister.exits(actions)).toEqual([[0, 0]]);
    expect(geister.leave(actions, [0, 0])).toBe("AN");
    expect(geister.leave(actions, [5, 0])).toBeNull();
  });

  it("mark where a piece may go and what it may take", () => {
    expect(geister.marks(state, actions, "B")).toEqual([
      { cell: [2, 3], mark: "selected" },
      { cell: [2, 2], mark: "take" },
      { cell: [1, 3], mark: "reach" },
    ]);
  });

  it("go through the pieces in a circle", () => {
    expect(geister.nextPiece(actions, null)).toBe("A");
    expect(geister.nextPiece(actions, "B")).toBe("A");
    expect(geister.nextPiece(null, "B")).toBeNull();
  });
});

describe("the set-up", () => {
  it("swaps a good and a bad piece, and leaves two alike", () => {
    expect(geister.swap("ABCD", "A", "H")).toBe("BCDH");
    expect(geister.swap("ABCD", "H", "A")).toBe("BCDH");
    expect(geister.swap("ABCD", "A", "B")).toBe("ABCD");
  });

  it("is always four different pieces", () => {
    for (let seed = 0; seed < 50; seed++) {
      let number = seed;
      const random = () => ((number = (number * 16807 + 11) % 2147483647), number / 2147483647);
      expect(geister.isSetup(geister.randomSetup(random))).toBe(true);
    }
    expect(geister.isSetup("ABC")).toBe(false);
    expect(geister.isSetup("ABCC")).toBe(false);
    expect(geister.isSetup("ABCX")).toBe(false);
  });

  it("works by tapping two pieces", () => {
    const once = geister.clickSetup(state, 0, { reds: "BCDE", chosen: null }, [0, 0]);
    expect(once).toEqual({ reds: "BCDE", chosen: "A" });
    expect(geister.clickSetup(state, 0, once, [2, 3])).toEqual({ reds: "ACDE", chosen: null });
    expect(geister.clickSetup(state, 0, once, [0, 0])).toEqual({ reds: "BCDE", chosen: null });
    expect(geister.clickSetup(state, 0, once, [2, 2])).toEqual({ reds: "BCDE", chosen: null });
  });

  it("colours one side only", () => {
    const shown = geister.withSetup(state, 0, "ACDE");
    expect(shown.pieces.map((piece) => piece.colour)).toEqual(["red", "blue", "red", "unknown"]);
  });
});

describe("the curtain", () => {
  it("falls between two people at one screen, and only there", () => {
    expect(geister.needsCurtain([0, 1], 1, 0)).toBe(true);
    expect(geister.needsCurtain([0, 1], 0, null)).toBe(true);
    expect(geister.needsCurtain([0, 1], 0, 0)).toBe(false);
    expect(geister.needsCurtain([0], 0, null)).toBe(false);
    expect(geister.needsCurtain([0, 1], null, 0)).toBe(false);
  });
});
