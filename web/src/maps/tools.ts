// SPDX-License-Identifier: MIT
//
// What the editor's tools do with a stroke of the pointer: where it begins, where it goes, where it ends. A stroke is
// always drawn on the map that was there before it, so that a rectangle or a unit can follow the pointer.

import type { Cell, TbsMap } from "../api/types";
import { same } from "../board/grid";
import {
  cellsOfRectangle,
  fill,
  isTooMany,
  moveUnit,
  paint,
  placeUnit,
  PLAIN,
  removeUnits,
  terrainAt,
  unitAt,
  type UnitBrush,
} from "./edit";
import type { Symmetry } from "./symmetry";

export type Tool = "paint" | "fill" | "rectangle" | "unit" | "move" | "erase" | "pick";

export const TOOLS: readonly { tool: Tool; key: string }[] = [
  { tool: "paint", key: "b" },
  { tool: "fill", key: "f" },
  { tool: "rectangle", key: "r" },
  { tool: "unit", key: "u" },
  { tool: "move", key: "m" },
  { tool: "erase", key: "e" },
  { tool: "pick", key: "i" },
];

export interface Hand {
  tool: Tool;
  terrain: number;
  brush: UnitBrush;
  symmetry: Symmetry;
}

export interface Stroke {
  start: Cell;
  before: TbsMap; // the map before the stroke
  erasesUnits: boolean;
  hadUnit: boolean; // there was a unit at its start
  moved: boolean;
}

export interface Limits {
  most: number; // units of a side
}

/** Placing is rejected if a side would exceed the maximum of units. */
function place(map: TbsMap, cell: Cell, hand: Hand, limits: Limits): TbsMap {
  const placed = placeUnit(map, cell, hand.brush, hand.symmetry);
  return isTooMany(placed, limits.most) && !isTooMany(map, limits.most) ? map : placed;
}

export function beginStroke(map: TbsMap, cell: Cell, hand: Hand, limits: Limits): { stroke: Stroke; map: TbsMap } {
  const hadUnit = unitAt(map, cell) !== null;
  const placed = hand.tool === "unit" && !hadUnit ? place(map, cell, hand, limits) : map;
  const stroke: Stroke = { start: cell, before: placed, erasesUnits: hadUnit, hadUnit, moved: false };
  return { stroke, map: draw(placed, stroke, cell, hand) };
}

/** One more cell of the stroke. */
function draw(map: TbsMap, stroke: Stroke, cell: Cell, hand: Hand): TbsMap {
  const { symmetry, terrain } = hand;
  switch (hand.tool) {
    case "paint":
      return paint(map, [cell], terrain, symmetry);
    case "fill":
      return same(cell, stroke.start) ? fill(map, cell, terrain, symmetry) : map;
    case "rectangle":
      return paint(stroke.before, cellsOfRectangle(stroke.start, cell), terrain, symmetry);
    case "unit":
    case "move":
      return moveUnit(stroke.before, stroke.start, cell, symmetry);
    case "erase":
      return stroke.erasesUnits ? removeUnits(map, [cell], symmetry) : paint(map, [cell], PLAIN, symmetry);
    case "pick":
      return map;
  }
}

export function continueStroke(map: TbsMap, stroke: Stroke, cell: Cell, hand: Hand): { stroke: Stroke; map: TbsMap } {
  const moved = stroke.moved || !same(cell, stroke.start);
  return { stroke: { ...stroke, moved }, map: draw(map, stroke, cell, hand) };
}

/** A click on a unit replaces it by the selected one. */
export function endStroke(map: TbsMap, stroke: Stroke, hand: Hand, limits: Limits): TbsMap {
  return hand.tool === "unit" && stroke.hadUnit && !stroke.moved ? place(map, stroke.start, hand, limits) : map;
}

/** The selection that would draw the content of a cell. */
export function pick(map: TbsMap, cell: Cell, hand: Hand): Hand {
  const unit = unitAt(map, cell);
  if (unit === null) return { ...hand, tool: "paint", terrain: terrainAt(map, cell) };
  const { type, side, hp, done } = unit;
  return { ...hand, tool: "unit", brush: { type, side, hp, done: done ?? false } };
}

/** Does the tool need two cells when used with the keyboard? */
export function needsTwo(map: TbsMap, cell: Cell, tool: Tool): boolean {
  return tool === "rectangle" || (tool === "move" && unitAt(map, cell) !== null);
}
