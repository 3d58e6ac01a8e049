// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { Cell, TbsMap } from "../../src/api/types";
import {
  cellsOfPatch,
  cellsOfRectangle,
  clear,
  fill,
  isPlayable,
  isSymmetric,
  isTooMany,
  makeSymmetric,
  moveUnit,
  newMap,
  paint,
  placeUnit,
  removeUnits,
  resize,
  sideCount,
  terrainAt,
  unitAt,
  type UnitBrush,
} from "../../src/maps/edit";
import { partnerOf, symmetryFits, SYMMETRIES } from "../../src/maps/symmetry";

const WOOD = 3;
const SEA = 2;
const panzer: UnitBrush = { type: "panzer", side: "red", hp: 10, done: false };
const infantry: UnitBrush = { type: "infantry", side: "blue", hp: 7, done: true };

function borderIsClosed(map: TbsMap): boolean {
  return map.terrain.every((row, y) =>
    [...row].every((digit, x) => isPlayable(map, [x, y]) || digit === "0"),
  );
}

function shapeIsRight(map: TbsMap): boolean {
  return map.terrain.length === map.height && map.terrain.every((row) => row.length === map.width);
}

describe("a new map", () => {
  it("has the border around the playable cells", () => {
    const map = newMap(4, 2);
    expect(map.terrain).toEqual(["000000", "011110", "011110", "000000"]);
    expect([map.width, map.height]).toEqual([6, 4]);
  });
});

describe("painting", () => {
  it("changes the cells and nothing else, and not in place", () => {
    const map = newMap(3, 3);
    const painted = paint(map, [[1, 1], [3, 2]], WOOD);
    expect(painted.terrain).toEqual(["00000", "03110", "01130", "01110", "00000"]);
    expect(map.terrain[1]).toBe("01110");
    expect(painted.units).toBe(map.units);
  });

  it("leaves the border and what is outside alone", () => {
    const map = newMap(3, 3);
    expect(paint(map, [[0, 0], [4, 2], [2, 4], [-1, 2], [9, 9]], WOOD)).toBe(map);
  });

  it("gives the same map back when nothing changes", () => {
    const map = newMap(3, 3);
    expect(paint(map, [[2, 2]], 1)).toBe(map);
  });

  it.each([
    ["mirror", [3, 1]],
    ["flip", [1, 3]],
    ["turn", [3, 3]],
    ["diagonal", [1, 1]],
    ["antidiagonal", [3, 3]],
  ] as const)("with %s paints the partner as well", (symmetry, partner) => {
    const painted = paint(newMap(3, 3), [[1, 1]], WOOD, symmetry);
    expect(terrainAt(painted, [1, 1])).toBe(WOOD);
    expect(terrainAt(painted, partner as unknown as Cell)).toBe(WOOD);
    expect(painted.terrain.join("").split("3").length - 1).toBe(symmetry === "diagonal" ? 1 : 2);
    expect(isSymmetric(painted, symmetry)).toBe(true);
  });

  it("takes diagonals for nothing where the map is no square", () => {
    const map = newMap(4, 3);
    expect(symmetryFits("diagonal", map)).toBe(false);
    expect(partnerOf(map, "antidiagonal", [4, 1])).toEqual([4, 1]);
    expect(terrainAt(paint(map, [[4, 1]], SEA, "diagonal"), [4, 1])).toBe(SEA);
  });
});

describe("symmetries", () => {
  it.each(SYMMETRIES)("%s: the partner's partner is the cell itself, and playable", (symmetry) => {
    for (const map of [newMap(5, 5), newMap(4, 4), newMap(6, 3)])
      for (let y = 1; y < map.height - 1; y++)
        for (let x = 1; x < map.width - 1; x++) {
          const partner = partnerOf(map, symmetry, [x, y]);
          expect(isPlayable(map, partner)).toBe(true);
          expect(partnerOf(map, symmetry, partner)).toEqual([x, y]);
        }
  });

  it.each(SYMMETRIES)("%s: half a map becomes a whole one", (symmetry) => {
    let map = newMap(5, 5);
    map = paint(map, [[1, 1], [2, 1], [4, 2], [3, 3]], WOOD);
    map = placeUnit(map, [1, 2], panzer);
    map = placeUnit(map, [5, 4], infantry);
    const whole = makeSymmetric(map, symmetry);
    expect(isSymmetric(whole, symmetry)).toBe(true);
    expect(makeSymmetric(whole, symmetry)).toEqual(whole);
    expect(borderIsClosed(whole)).toBe(true);
  });

  it("sees what is not symmetric", () => {
    expect(isSymmetric(paint(newMap(4, 4), [[1, 1]], WOOD), "mirror")).toBe(false);
    expect(isSymmetric(placeUnit(newMap(4, 4), [1, 1], panzer), "turn")).toBe(false);
    const both = placeUnit(placeUnit(newMap(4, 4), [1, 1], panzer), [4, 4], panzer);
    expect(isSymmetric(both, "turn")).toBe(false); // the same side twice
  });
});

describe("rectangles and patches", () => {
  it("has a rectangle from any two corners", () => {
    expect(cellsOfRectangle([3, 2], [2, 1])).toEqual([[2, 1], [3, 1], [2, 2], [3, 2]]);
  });

  it("fills what hangs together, side by side only", () => {
    const map = paint(newMap(3, 3), [[2, 1], [1, 2]], WOOD);
    expect(cellsOfPatch(map, [1, 1])).toEqual([[1, 1]]);
    const filled = fill(map, [3, 3], SEA);
    expect(filled.terrain).toEqual(["00000", "01320", "03220", "02220", "00000"]);
  });

  it("fills the partner's patch, too", () => {
    const map = paint(newMap(5, 1), [[3, 1]], WOOD);
    expect(fill(map, [1, 1], SEA, "mirror").terrain[1]).toBe("0223220");
  });

  it("does nothing from the border", () => {
    const map = newMap(3, 3);
    expect(fill(map, [0, 0], SEA)).toBe(map);
  });
});

describe("units", () => {
  it("are added at the end and replaced where they stand", () => {
    let map = placeUnit(newMap(3, 3), [1, 1], panzer);
    map = placeUnit(map, [2, 2], infantry);
    expect(map.units.map((unit) => unit.type)).toEqual(["panzer", "infantry"]);
    map = placeUnit(map, [1, 1], { ...panzer, hp: 4 });
    expect(map.units[0]).toEqual({ x: 1, y: 1, ...panzer, hp: 4 });
    expect(placeUnit(map, [2, 2], infantry)).toBe(map);
    expect(placeUnit(map, [0, 2], infantry)).toBe(map);
  });

  it("have a counterpart of the other side, but not on the axis", () => {
    const map = placeUnit(newMap(3, 3), [1, 1], panzer, "turn");
    expect(unitAt(map, [3, 3])).toEqual({ x: 3, y: 3, ...panzer, side: "blue" });
    expect(sideCount(map, "red")).toBe(1);
    expect(placeUnit(newMap(3, 3), [2, 2], panzer, "turn").units).toHaveLength(1);
    expect(placeUnit(newMap(3, 3), [2, 1], panzer, "mirror").units).toHaveLength(1);
  });

  it("are taken away, with their counterparts when wanted", () => {
    const map = placeUnit(newMap(3, 3), [1, 1], panzer, "turn");
    expect(removeUnits(map, [[1, 1]]).units).toHaveLength(1);
    expect(removeUnits(map, [[1, 1]], "turn").units).toHaveLength(0);
    expect(removeUnits(map, [[2, 2]])).toBe(map);
  });

  it("move, and change places", () => {
    let map = placeUnit(placeUnit(newMap(3, 3), [1, 1], panzer), [2, 2], infantry);
    map = moveUnit(map, [1, 1], [3, 1]);
    expect(unitAt(map, [3, 1])?.type).toBe("panzer");
    expect(unitAt(map, [1, 1])).toBeNull();
    map = moveUnit(map, [3, 1], [2, 2]);
    expect(unitAt(map, [2, 2])?.type).toBe("panzer");
    expect(unitAt(map, [3, 1])?.type).toBe("infantry");
    expect(map.units.map((unit) => unit.type)).toEqual(["panzer", "infantry"]); // the numbers stay
    expect(moveUnit(map, [2, 2], [0, 2])).toBe(map);
    expect(moveUnit(map, [1, 3], [2, 3])).toBe(map);
  });

  it("take their counterpart along", () => {
    let map = placeUnit(newMap(4, 4), [1, 1], panzer, "turn");
    map = moveUnit(map, [1, 1], [2, 1], "turn");
    expect(unitAt(map, [2, 1])?.side).toBe("red");
    expect(unitAt(map, [3, 4])?.side).toBe("blue");
    map = moveUnit(map, [2, 1], [3, 4], "turn"); // onto its counterpart
    expect(unitAt(map, [3, 4])?.side).toBe("red");
    expect(isSymmetric(map, "turn")).toBe(true);
  });

  it("move alone onto the axis, and where there is no counterpart", () => {
    const odd = moveUnit(placeUnit(newMap(3, 3), [1, 1], panzer, "turn"), [1, 1], [2, 2], "turn");
    expect(unitAt(odd, [3, 3])?.side).toBe("blue");
    const different = placeUnit(placeUnit(newMap(4, 4), [1, 1], panzer), [4, 4], infantry);
    expect(unitAt(moveUnit(different, [1, 1], [1, 2], "turn"), [4, 4])?.type).toBe("infantry");
  });

  it("are counted against the most of a side", () => {
    const map = placeUnit(newMap(3, 3), [1, 1], panzer, "turn");
    expect(isTooMany(map, 1)).toBe(false);
    expect(isTooMany(placeUnit(map, [1, 2], panzer), 1)).toBe(true);
  });
});

describe("size", () => {
  const map = placeUnit(paint(newMap(3, 3), [[1, 1], [3, 3]], WOOD), [3, 3], panzer);

  it("grows with plain at the right and below", () => {
    const larger = resize(map, 4, 4);
    expect(larger.terrain).toEqual(["000000", "031110", "011110", "011310", "011110", "000000"]);
    expect(unitAt(larger, [3, 3])?.type).toBe("panzer");
  });

  it("keeps the middle or the last corner", () => {
    const middle = resize(map, 5, 5, "centre");
    expect(terrainAt(middle, [2, 2])).toBe(WOOD);
    expect(unitAt(middle, [4, 4])?.type).toBe("panzer");
    expect(unitAt(resize(map, 5, 5, "bottom-right"), [5, 5])?.type).toBe("panzer");
    expect(resize(middle, 3, 3, "centre")).toEqual(map);
  });

  it("shrinks and loses who no longer fits", () => {
    const smaller = resize(map, 2, 2);
    expect(smaller.units).toHaveLength(0);
    expect(shapeIsRight(smaller)).toBe(true);
    expect(borderIsClosed(smaller)).toBe(true);
    expect(resize(map, 3, 3)).toBe(map);
  });

  it("stays when everything is cleared", () => {
    const empty = clear({ ...map, comment: "kept" });
    expect(empty.terrain).toEqual(newMap(3, 3).terrain);
    expect(empty.units).toEqual([]);
    expect(empty.comment).toBe("kept");
  });
});

describe("a long random drawing", () => {
  /** Small and repeatable; its quality does not matter here. */
  function numbers(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % below;
    };
  }

  it.each(SYMMETRIES)("keeps its shape, one unit a cell, and %s", (symmetry) => {
    const next = numbers(7);
    let map = newMap(5, 5);
    for (let i = 0; i < 600; i++) {
      const cell: Cell = [next(7), next(7)];
      const brush: UnitBrush = { type: next(2) === 0 ? "panzer" : "cannon", side: next(2) === 0 ? "red" : "blue", hp: 1 + next(10) };
      const steps = [
        () => paint(map, [cell], next(7), symmetry),
        () => fill(map, cell, next(7), symmetry),
        () => placeUnit(map, cell, brush, symmetry),
        () => removeUnits(map, [cell], symmetry),
        () => paint(map, cellsOfRectangle(cell, [next(7), next(7)]), next(7), symmetry),
      ];
      map = (steps[next(steps.length)] as () => TbsMap)();
      expect(shapeIsRight(map) && borderIsClosed(map)).toBe(true);
      const places = new Set(map.units.map((unit) => `${unit.x},${unit.y}`));
      expect(places.size).toBe(map.units.length);
      expect(map.units.every((unit) => isPlayable(map, [unit.x, unit.y]))).toBe(true);
      expect(isSymmetric(map, symmetry)).toBe(true);
    }
  });
});
