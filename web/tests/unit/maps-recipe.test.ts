// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { EvolvePreset, Param } from "../../src/api/types";
import { newMap, paint, placeUnit, type UnitBrush } from "../../src/maps/edit";
import { changedOptions, groupOptions, optionsFor } from "../../src/maps/recipe";

const param = (name: string, fallback: string, kind: Param["kind"] = "int"): Param => ({ name, kind, default: fallback, help: name });
const preset: EvolvePreset = {
  name: "designer",
  help: "",
  options: [
    param("width", "6"),
    param("height", "6"),
    param("red_min", "3"),
    param("red_max", "6"),
    param("blue_min", "3"),
    param("blue_max", "6"),
    param("hp_low", "5"),
    param("hp_high", "10"),
    param("terrain", "plain=60,wood=16", "text"),
    param("symmetry", "turn", "choice"),
    param("turn_limit", "30"),
    param("threshold", "10"),
    param("strong", "muct:sims=250", "text"),
    param("born", "80"),
  ],
};
const panzer: UnitBrush = { type: "panzer", side: "red", hp: 10 };

/** Three panzers a side, turned by 180°. */
function evenMap(cells: number) {
  let map = newMap(cells, cells);
  for (const x of [1, 2, 3]) map = placeUnit(map, [x, 1], panzer, "turn");
  return map;
}

describe("options", () => {
  it("are grouped, and none is lost", () => {
    const groups = groupOptions(preset.options);
    expect(groups.map((group) => group.name)).toEqual(["maps", "judgement", "algorithm"]);
    expect(groups.flatMap((group) => group.options)).toHaveLength(preset.options.length);
    expect(groups[1]?.options.map((one) => one.name)).toEqual(["strong"]);
    expect(groups[2]?.options.map((one) => one.name)).toEqual(["born"]);
  });

  it("are sent where they differ", () => {
    expect(changedOptions(preset, { width: "6", born: "20", nonsense: "1" })).toEqual({ born: "20" });
  });
});

describe("beginning with maps", () => {
  it("changes nothing for maps that the recipe could have made", () => {
    expect(optionsFor([evenMap(6)], preset)).toEqual({});
    expect(optionsFor([], preset)).toEqual({});
  });

  it("widens the recipe for others", () => {
    let map = placeUnit(paint(evenMap(8), [[4, 4]], 2), [1, 3], { type: "cannon", side: "blue", hp: 2 });
    map = { ...map, turn_limit: 16 };
    expect(optionsFor([map], preset)).toEqual({
      width: "8",
      height: "8",
      hp_low: "2",
      terrain: "plain=60,wood=16,sea=4",
      symmetry: "none",
      turn_limit: "16",
    });
  });

  it("has room for fewer units on small maps", () => {
    const map = placeUnit(newMap(3, 3), [1, 1], panzer, "turn");
    expect(optionsFor([map], preset)).toMatchObject({ red_min: "1", red_max: "3", blue_min: "1", blue_max: "3" });
  });

  it("gives up a symmetry where a unit is its own partner", () => {
    const map = placeUnit(evenMap(7), [4, 4], panzer);
    expect(optionsFor([map], preset)["symmetry"]).toBe("none");
  });

  it("detects walls and even terrain", () => {
    const even = { ...preset, options: [param("terrain", "even", "text")] };
    expect(optionsFor([paint(evenMap(6), [[1, 4]], 2)], even)).toEqual({});
    expect(optionsFor([paint(evenMap(6), [[1, 4]], 0)], even)["terrain"]).toContain("wall=1");
  });
});
