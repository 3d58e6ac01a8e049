// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { Cell, GeisterPiece, GeisterState, TbsUnit } from "../../src/api/types";
import { describeGeister, describeTbs, exitOf } from "../../src/board/describe";
import { isOutward, outward } from "../../src/board/exits";
import { cursorAfter, isInside, playable, same, stroke, turned } from "../../src/board/grid";
import { arrowShape } from "../../src/board/marks";
import { isShallowEqual } from "../../src/board/memo";
import { groundStrokes, isBridge } from "../../src/board/terrain";

const extent = playable({ width: 8, height: 6 });

describe("the keyboard's cursor", () => {
  it("stays on the playable cells", () => {
    expect(extent).toEqual({ left: 1, top: 1, right: 6, bottom: 4 });
    expect(cursorAfter(extent, [1, 1], "ArrowLeft")).toEqual([1, 1]);
    expect(cursorAfter(extent, [6, 4], "ArrowDown")).toEqual([6, 4]);
    expect(cursorAfter(extent, [3, 3], "ArrowUp")).toEqual([3, 2]);
  });

  it("reaches every cell, and comes back to each", () => {
    const seen = new Set(["1,1"]);
    const open: Cell[] = [[1, 1]];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
        const next = cursorAfter(extent, at, key) as Cell;
        expect(isInside(extent, next)).toBe(true);
        if (!seen.has(String(next))) open.push(next);
        seen.add(String(next));
      }
    expect(seen.size).toBe(24);
  });

  it("leaps to edges, and leaves other keys alone", () => {
    expect(cursorAfter(extent, [3, 2], "ArrowRight", true)).toEqual([6, 2]);
    expect(cursorAfter(extent, [3, 2], "Home")).toEqual([1, 2]);
    expect(cursorAfter(extent, [3, 2], "PageDown")).toEqual([3, 4]);
    for (const key of ["Escape", "Enter", "a", "Tab"]) expect(cursorAfter(extent, [3, 2], key)).toBeNull();
  });
});

describe("painting", () => {
  it("leaves no gap, however quick the pointer is", () => {
    const path = stroke([1, 1], [6, 3]);
    expect(path.at(-1)).toEqual([6, 3]);
    let last: Cell = [1, 1];
    for (const cell of path) {
      expect(Math.max(Math.abs(cell[0] - last[0]), Math.abs(cell[1] - last[1]))).toBe(1);
      last = cell;
    }
    expect(stroke([2, 2], [2, 2])).toEqual([]);
  });
});

describe("Geister's orientation", () => {
  const cells = Array.from({ length: 36 }, (_, n): Cell => [n % 6, Math.floor(n / 6)]);

  it("turns the board for the second player, and back", () => {
    for (const cell of cells) {
      expect(turned(cell, 0)).toEqual(cell);
      expect(turned(turned(cell, 1), 1)).toEqual(cell);
    }
    expect(turned([0, 0], 1)).toEqual([5, 5]);
    expect(turned([1, 4], 1)).toEqual([4, 1]);
  });

  it("has two ways out a side, far from home", () => {
    expect(cells.filter((cell) => exitOf(cell) === 0)).toEqual([[0, 0], [5, 0]]);
    expect(cells.filter((cell) => exitOf(cell) === 1)).toEqual([[0, 5], [5, 5]]);
  });

  it("leaves as the rules have it", () => {
    const both = { forward: true, sideways: true };
    expect(outward([0, 0], both)).toEqual([[0, -1], [-1, 0]]);
    expect(outward([5, 5], { forward: false, sideways: true })).toEqual([[1, 0]]);
    expect(isOutward("ArrowUp", [0, 0], both)).toBe(true);
    expect(isOutward("ArrowRight", [0, 0], both)).toBe(false);
    expect(isOutward("ArrowLeft", [0, 0], { forward: true, sideways: false })).toBe(false);
    expect(isOutward("Enter", [0, 0], both)).toBe(false);
  });
});

describe("cells in words", () => {
  const units: TbsUnit[] = [{ id: 0, type: "infantry", side: 0, x: 3, y: 1, hp: 7, done: false }];
  const terrain = ["00000", "01130", "00000"];

  it("describes terrain, unit, state and marks", () => {
    expect(describeTbs({ terrain, units }, [3, 1], "en")).toBe("3,1: wood, red infantry, 7 HP, can act");
    expect(describeTbs({ terrain, units: [{ ...units[0]!, done: true }] }, [3, 1], "ja")).toBe("3,1：森、赤軍の歩兵、HP7、行動済み");
    const marks = [{ cell: [1, 1] as Cell, mark: "reach" }, { cell: [1, 1] as Cell, mark: "cursor" }];
    expect(describeTbs({ terrain, units, marks, notes: [{ cell: [1, 1], text: "−5" }] }, [1, 1], "en")).toBe("1,1: plain, can be reached, −5");
  });

  it("describes only known properties of a ghost", () => {
    const piece: GeisterPiece = { side: 1, letter: "C", at: [2, 2], fate: "board", colour: "unknown" };
    const state = { game: "geister", pieces: [piece] } as unknown as GeisterState;
    expect(describeGeister({ state }, [2, 2], "en")).toBe("2,2: second C, ghost");
    expect(describeGeister({ state, belief: [{ letter: "C", side: 1, red: 0.7 }] }, [2, 2], "ja")).toBe("2,2：後手のC、おばけ、悪いおばけの確率70%");
    expect(describeGeister({ state }, [0, 0], "en")).toBe("0,0: empty, exit (First)");
  });
});

describe("the ground", () => {
  const map = (rows: string[]) => ({ width: rows[0]?.length ?? 0, height: rows.length, terrain: rows });

  it("is some paths, however large the map", () => {
    const rows = ["0".repeat(34), ...Array.from({ length: 32 }, (_, y) => `0${Array.from({ length: 32 }, (_, x) => (x + y) % 7).join("")}0`), "0".repeat(34)];
    const strokes = groundStrokes(map(rows));
    expect(strokes.length).toBeLessThan(30);
    expect(new Set(strokes.map((one) => one.name)).size).toBe(strokes.length);
    for (const one of strokes) expect(one.d).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("draws the same map the same, and leaves details out where asked", () => {
    const small = map(["00000", "01230", "04560", "00000"]);
    expect(groundStrokes(small)).toEqual(groundStrokes(small));
    expect(groundStrokes(small, false).every(({ name }) => name.startsWith("base-") || name === "grid")).toBe(true);
  });

  it("distinguishes a bridge from a road", () => {
    const river = map(["00000", "02520", "01110", "01510", "00000"]);
    expect(isBridge(river, 2, 1)).toBe(true);
    expect(isBridge(river, 2, 3)).toBe(false);
    expect(isBridge(river, 1, 1)).toBe(false);
  });
});

describe("drawing", () => {
  it("points arrows from one cell to another, and makes a ring of a stay", () => {
    const arrow = arrowShape([0.5, 0.5], [3.5, 0.5], 1, 40);
    const [start, end] = arrow.shaft.slice(1).split("L").map((point) => Number(point.split(" ")[0]));
    expect(start).toBeGreaterThan(20);
    expect(end).toBeGreaterThan(start ?? 0);
    expect(end).toBeLessThan(140);
    expect(arrowShape([1, 1], [1, 1], 1, 40).head).toBe("");
    expect(arrowShape([0, 0], [1, 0], 0, 40).width).toBeLessThan(arrow.width);
  });

  it("draws again only what has changed", () => {
    const marks = [1];
    expect(isShallowEqual({ a: 1, marks }, { a: 1, marks })).toBe(true);
    expect(isShallowEqual({ a: 1, marks }, { a: 1, marks: [1] })).toBe(false);
    expect(isShallowEqual({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  });

  it("compares cells by value", () => {
    expect(same([1, 2], [1, 2])).toBe(true);
    expect(same([1, 2], null)).toBe(false);
    expect(same(null, null)).toBe(true);
  });
});
