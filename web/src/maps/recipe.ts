// SPDX-License-Identifier: MIT
//
// An evolution's options: their groups, differences from the preset, and the changes needed for given start maps.

import type { EvolvePreset, Param, TbsMap } from "../api/types";
import { terrainNames } from "../app/names";
import { same } from "../board/grid";
import { isSymmetric, playableCells, sideCount, unitAt } from "./edit";
import { terrainCounts } from "./serial";
import { partnerOf, SYMMETRIES, type Symmetry } from "./symmetry";

export type Options = Record<string, string>;

const sections = {
  maps: "width height red_min red_max blue_min blue_max hp_low hp_high types terrain symmetry placement patches turn_limit threshold rules",
  judgement: "strong weak games peers natural verify fair",
} as const;

/** The options in groups; unknown ones belong to the algorithm. */
export function groupOptions(options: readonly Param[]): { name: "maps" | "judgement" | "algorithm"; options: Param[] }[] {
  const isOf = (name: keyof typeof sections) => (param: Param) => sections[name].split(" ").includes(param.name);
  const [maps, judgement] = [options.filter(isOf("maps")), options.filter(isOf("judgement"))];
  const algorithm = options.filter((param) => !maps.includes(param) && !judgement.includes(param));
  return [
    { name: "maps", options: maps },
    { name: "judgement", options: judgement },
    { name: "algorithm", options: algorithm },
  ];
}

/** Only differences from the preset are sent. */
export function changedOptions(preset: EvolvePreset, wanted: Options): Options {
  const known = preset.options.filter((param) => wanted[param.name] !== undefined && wanted[param.name] !== param.default);
  return Object.fromEntries(known.map((param) => [param.name, wanted[param.name] as string]));
}

// ---- start maps ----

const WEIGHT_OF_NEW = 4;

/** "plain=60,wood=16" extended by the terrains of the maps; "even" means all six equally. */
function terrainFor(maps: TbsMap[], fallback: string): string {
  const weights = fallback === "even" ? ["plain=1", "wood=1", "mountain=1", "sea=1", "road=1", "fortress=1"] : fallback.split(",");
  const known = new Set(weights.map((part) => part.split("=")[0]));
  const there = new Set(maps.flatMap((map) => [...terrainCounts(map).keys()]));
  const missing = [...there].map((digit) => (digit === 0 ? "wall" : (terrainNames[digit] ?? ""))).filter((name) => !known.has(name));
  if (missing.length === 0) return fallback;
  const weight = fallback === "even" ? 1 : WEIGHT_OF_NEW;
  return [...weights, ...missing.map((name) => `${name}=${weight}`)].join(",");
}

/** Symmetry as in the presets: no unit on a cell that is its own partner. */
function hasSymmetry(map: TbsMap, symmetry: Symmetry): boolean {
  const isAlone = (cell: [number, number]) => same(partnerOf(map, symmetry, cell), cell) && unitAt(map, cell) !== null;
  return isSymmetric(map, symmetry) && !playableCells(map).some(isAlone);
}

function symmetryFor(maps: TbsMap[], fallback: string): string {
  const wanted = SYMMETRIES.find((one) => one === fallback) ?? "none";
  return wanted === "none" || maps.every((map) => hasSymmetry(map, wanted)) ? fallback : "none";
}

/** A preset with its ranges widened to include the maps. All maps must have the size of the first. */
export function optionsFor(maps: TbsMap[], preset: EvolvePreset): Options {
  const first = maps[0];
  if (first === undefined) return {};
  const defaultOf = (name: string) => preset.options.find((param) => param.name === name)?.default ?? "";
  const room = Math.max(1, Math.floor(((first.width - 2) * (first.height - 2)) / 3));
  const counts = { red: maps.map((map) => sideCount(map, "red")), blue: maps.map((map) => sideCount(map, "blue")) };
  const hps = maps.flatMap((map) => map.units.map((unit) => unit.hp));
  const least = (name: string, values: number[]) => String(Math.min(Number(defaultOf(name)), ...values));
  const most = (name: string, values: number[], cap = Infinity) => String(Math.max(Math.min(Number(defaultOf(name)), cap), ...values));
  return changedOptions(preset, {
    width: String(first.width - 2),
    height: String(first.height - 2),
    red_min: least("red_min", [...counts.red, room]),
    blue_min: least("blue_min", [...counts.blue, room]),
    red_max: most("red_max", counts.red, room),
    blue_max: most("blue_max", counts.blue, room),
    hp_low: least("hp_low", hps),
    hp_high: most("hp_high", hps),
    terrain: terrainFor(maps, defaultOf("terrain")),
    symmetry: symmetryFor(maps, defaultOf("symmetry")),
    turn_limit: String(first.turn_limit),
    threshold: String(first.threshold),
  });
}
