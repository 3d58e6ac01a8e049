// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { Cell, TbsMap } from "../../src/api/types";
import { isSymmetric, newMap, paint, placeUnit, terrainAt, unitAt } from "../../src/maps/edit";
import { draftPlace, readPlace } from "../../src/maps/places";
import { beginStroke, continueStroke, endStroke, needsTwo, pick, TOOLS, type Hand } from "../../src/maps/tools";

const hand = (part: Partial<Hand>): Hand => ({
  tool: "paint",
  terrain: 3,
  brush: { type: "panzer", side: "red", hp: 10, done: false },
  symmetry: "none",
  ...part,
});

/** A whole stroke over the cells. */
function stroke(map: TbsMap, cells: Cell[], with_: Hand, most = 64): TbsMap {
  const [first, ...rest] = cells as [Cell, ...Cell[]];
  let now = beginStroke(map, first, with_, { most });
  for (const cell of rest) now = continueStroke(now.map, now.stroke, cell, with_);
  return endStroke(now.map, now.stroke, with_, { most });
}

describe("a stroke", () => {
  it("paints all it goes over", () => {
    expect(stroke(newMap(3, 1), [[1, 1], [2, 1]], hand({})).terrain[1]).toBe("03310");
  });

  it("fills once, where it begins", () => {
    const map = paint(newMap(4, 1), [[2, 1]], 2);
    expect(stroke(map, [[1, 1], [2, 1], [3, 1]], hand({ tool: "fill" })).terrain[1]).toBe("032110");
  });

  it("draws a rectangle that follows the hand and leaves nothing behind", () => {
    const map = stroke(newMap(4, 4), [[1, 1], [4, 4], [2, 2]], hand({ tool: "rectangle" }));
    expect(map.terrain).toEqual(["000000", "033110", "033110", "011110", "011110", "000000"]);
  });

  it("places a unit, and carries it along", () => {
    const map = stroke(newMap(4, 4), [[1, 1], [2, 1], [3, 3]], hand({ tool: "unit" }));
    expect(map.units).toHaveLength(1);
    expect(unitAt(map, [3, 3])?.type).toBe("panzer");
  });

  it("replaces a unit that is only pointed at, and moves one that is dragged", () => {
    const map = placeUnit(newMap(4, 4), [1, 1], { type: "cannon", side: "blue", hp: 3 });
    expect(unitAt(stroke(map, [[1, 1]], hand({ tool: "unit" })), [1, 1])?.type).toBe("panzer");
    const moved = stroke(map, [[1, 1], [2, 2]], hand({ tool: "unit" }));
    expect(unitAt(moved, [2, 2])?.type).toBe("cannon");
    expect(moved.units).toHaveLength(1);
  });

  it("passes over others without taking them along", () => {
    let map = placeUnit(newMap(4, 1), [1, 1], { type: "cannon", side: "red", hp: 3 });
    map = placeUnit(map, [2, 1], { type: "infantry", side: "red", hp: 3 });
    const moved = stroke(map, [[1, 1], [2, 1], [3, 1]], hand({ tool: "move" }));
    expect(unitAt(moved, [2, 1])?.type).toBe("infantry");
    expect(unitAt(moved, [3, 1])?.type).toBe("cannon");
  });

  it("comes back to where it began", () => {
    const map = placeUnit(newMap(4, 1), [1, 1], { type: "cannon", side: "red", hp: 3 });
    const same = stroke(map, [[1, 1], [2, 1], [1, 1]], hand({ tool: "unit" }));
    expect(unitAt(same, [1, 1])?.type).toBe("cannon");
  });

  it("erases units, or terrain, by what it begins on", () => {
    let map = paint(newMap(3, 1), [[1, 1], [2, 1], [3, 1]], 3);
    map = placeUnit(placeUnit(map, [1, 1], hand({}).brush), [2, 1], hand({}).brush);
    const units = stroke(map, [[1, 1], [2, 1], [3, 1]], hand({ tool: "erase" }));
    expect(units.units).toEqual([]);
    expect(units.terrain[1]).toBe("03330");
    const terrain = stroke(map, [[3, 1], [2, 1]], hand({ tool: "erase" }));
    expect(terrain.units).toHaveLength(2);
    expect(terrain.terrain[1]).toBe("03110");
  });

  it("places no more units than fit", () => {
    const map = stroke(newMap(3, 1), [[1, 1]], hand({ tool: "unit" }), 1);
    expect(stroke(map, [[2, 1]], hand({ tool: "unit" }), 1)).toBe(map);
    expect(stroke(map, [[2, 1]], hand({ tool: "unit", brush: { type: "panzer", side: "blue", hp: 1 } }), 1).units).toHaveLength(2);
  });

  it.each(TOOLS.map(({ tool }) => tool))("%s keeps a symmetric map symmetric", (tool) => {
    let map = placeUnit(paint(newMap(5, 5), [[1, 2], [2, 2]], 3, "turn"), [2, 1], hand({}).brush, "turn");
    map = stroke(map, [[2, 1], [2, 2], [1, 2]], hand({ tool, symmetry: "turn" }));
    expect(isSymmetric(map, "turn")).toBe(true);
  });
});

describe("picking", () => {
  it("takes what is there into the hand", () => {
    const map = placeUnit(paint(newMap(3, 3), [[1, 1]], 5), [2, 2], { type: "cannon", side: "blue", hp: 4, done: true });
    expect(pick(map, [1, 1], hand({ tool: "pick" }))).toMatchObject({ tool: "paint", terrain: 5 });
    expect(pick(map, [2, 2], hand({ tool: "pick" }))).toMatchObject({
      tool: "unit",
      brush: { type: "cannon", side: "blue", hp: 4, done: true },
    });
    expect(terrainAt(map, [1, 1])).toBe(5);
  });

  it("lists the tools that need two places", () => {
    const map = placeUnit(newMap(3, 3), [2, 2], hand({}).brush);
    expect(needsTwo(map, [1, 1], "rectangle")).toBe(true);
    expect(needsTwo(map, [2, 2], "move")).toBe(true);
    expect(needsTwo(map, [1, 1], "move")).toBe(false);
    expect(needsTwo(map, [2, 2], "paint")).toBe(false);
  });
});

describe("addresses", () => {
  it("are understood", () => {
    expect(readPlace({ rest: [], query: {} })).toEqual({ at: "list" });
    expect(readPlace({ rest: ["mine", "x"], query: {} })).toEqual({ at: "details", name: "mine/x" });
    expect(readPlace({ rest: ["edit"], query: {} })).toEqual({ at: "edit", from: "", isDraft: false });
    expect(readPlace({ rest: ["edit", "mine", "x"], query: {} })).toEqual({ at: "edit", from: "mine/x", isDraft: false });
    expect(readPlace({ rest: ["edit"], query: { draft: "evolve:j1:4" } })).toEqual({ at: "edit", from: "evolve:j1:4", isDraft: true });
    expect(readPlace({ rest: ["judge", "j1"], query: {} })).toEqual({ at: "judge", job: "j1" });
    expect(readPlace({ rest: ["evolve"], query: { from: "duel,mine/x" } })).toEqual({ at: "evolve", job: null, from: ["duel", "mine/x"] });
  });

  it("lead back to drafts", () => {
    expect(draftPlace("")).toBe("#/maps/edit");
    expect(draftPlace("mine/x")).toBe("#/maps/edit/mine/x");
    expect(draftPlace("evolve:j1:4")).toContain("draft=");
  });
});
