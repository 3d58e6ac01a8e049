// SPDX-License-Identifier: MIT
//
// Drawing a map, as functions from a map to a map: nothing is changed in place, which makes undo simple. A change
// without effect returns the same object. Coordinates are the file's, with a border of no-entry cells around those
// that can be drawn on.

import type { Cell, TbsMap, TbsMapUnit } from "../api/types";
import { same } from "../board/grid";
import { partnerOf, type Symmetry } from "./symmetry";

export const NO_ENTRY = 0;
export const PLAIN = 1;

/** A unit without its position. */
export type UnitBrush = Omit<TbsMapUnit, "x" | "y">;

// ---- looking ----

export function isPlayable(map: Pick<TbsMap, "width" | "height">, [x, y]: Cell): boolean {
  return x >= 1 && y >= 1 && x < map.width - 1 && y < map.height - 1;
}

export function terrainAt(map: TbsMap, [x, y]: Cell): number {
  return Number(map.terrain[y]?.[x] ?? NO_ENTRY);
}

/** The unit's index, its id; -1: no unit there. */
export function unitIndexAt(map: TbsMap, [x, y]: Cell): number {
  return map.units.findIndex((unit) => unit.x === x && unit.y === y);
}

export function unitAt(map: TbsMap, cell: Cell): TbsMapUnit | null {
  return map.units[unitIndexAt(map, cell)] ?? null;
}

export function sideCount(map: TbsMap, side: TbsMapUnit["side"]): number {
  return map.units.filter((unit) => unit.side === side).length;
}

export function otherSide(side: TbsMapUnit["side"]): TbsMapUnit["side"] {
  return side === "red" ? "blue" : "red";
}

export function playableCells(map: Pick<TbsMap, "width" | "height">): Cell[] {
  const cells: Cell[] = [];
  for (let y = 1; y < map.height - 1; y++) for (let x = 1; x < map.width - 1; x++) cells.push([x, y]);
  return cells;
}

// ---- new maps ----

function row(width: number, inside: (x: number) => number): string {
  let digits = "";
  for (let x = 0; x < width; x++) digits += x === 0 || x === width - 1 ? NO_ENTRY : inside(x);
  return digits;
}

function rows(width: number, height: number, inside: (x: number, y: number) => number): string[] {
  return Array.from({ length: height }, (_, y) =>
    row(width, (x) => (y === 0 || y === height - 1 ? NO_ENTRY : inside(x, y))),
  );
}

/** Plain everywhere; the size is that of the playable cells. */
export function newMap(columns: number, lines: number): TbsMap {
  const [width, height] = [columns + 2, lines + 2];
  return {
    format: "senjutsu-map",
    width,
    height,
    turn_limit: 30,
    threshold: 10,
    author: "",
    comment: "",
    terrain: rows(width, height, () => PLAIN),
    units: [],
  };
}

/** Clears the board; size, limits and notes stay. */
export function clear(map: TbsMap): TbsMap {
  return { ...map, terrain: newMap(map.width - 2, map.height - 2).terrain, units: [] };
}

export type Anchor = "top-left" | "centre" | "bottom-right";

function shiftFor(anchor: Anchor, before: number, after: number): number {
  if (anchor === "top-left") return 0;
  return anchor === "centre" ? Math.floor((after - before) / 2) : after - before;
}

/** Another size (playable cells); cut-off parts are lost, new cells are plain. */
export function resize(map: TbsMap, columns: number, lines: number, anchor: Anchor = "top-left"): TbsMap {
  const [width, height] = [columns + 2, lines + 2];
  if (width === map.width && height === map.height) return map;
  const dx = shiftFor(anchor, map.width, width);
  const dy = shiftFor(anchor, map.height, height);
  const from = (x: number, y: number): Cell => [x - dx, y - dy];
  const terrain = rows(width, height, (x, y) =>
    isPlayable(map, from(x, y)) ? terrainAt(map, from(x, y)) : PLAIN,
  );
  const units = map.units
    .map((unit) => ({ ...unit, x: unit.x + dx, y: unit.y + dy }))
    .filter((unit) => isPlayable({ width, height }, [unit.x, unit.y]));
  return { ...map, width, height, terrain, units };
}

// ---- terrain ----

function setTerrain(map: TbsMap, cells: Cell[], terrain: (cell: Cell) => number): TbsMap {
  const changed = map.terrain.map((digits) => digits.split(""));
  let differs = false;
  for (const cell of cells) {
    const digits = changed[cell[1]];
    const wanted = String(terrain(cell));
    if (digits === undefined || !isPlayable(map, cell) || digits[cell[0]] === wanted) continue;
    digits[cell[0]] = wanted;
    differs = true;
  }
  return differs ? { ...map, terrain: changed.map((digits) => digits.join("")) } : map;
}

/** The cells and their partners. */
function withPartners(map: TbsMap, cells: Cell[], symmetry: Symmetry): Cell[] {
  return symmetry === "none" ? cells : cells.flatMap((cell) => [cell, partnerOf(map, symmetry, cell)]);
}

export function paint(map: TbsMap, cells: Cell[], terrain: number, symmetry: Symmetry = "none"): TbsMap {
  return setTerrain(map, withPartners(map, cells, symmetry), () => terrain);
}

export function cellsOfRectangle([x0, y0]: Cell, [x1, y1]: Cell): Cell[] {
  const cells: Cell[] = [];
  for (let y = Math.min(y0, y1); y <= Math.max(y0, y1); y++)
    for (let x = Math.min(x0, x1); x <= Math.max(x0, x1); x++) cells.push([x, y]);
  return cells;
}

/** The connected cells of the same terrain (four neighbours). */
export function cellsOfPatch(map: TbsMap, start: Cell): Cell[] {
  if (!isPlayable(map, start)) return [];
  const terrain = terrainAt(map, start);
  const seen = new Set([start[1] * map.width + start[0]]);
  const found: Cell[] = [start];
  for (let at = 0; at < found.length; at++) {
    const [x, y] = found[at] as Cell;
    for (const next of [[x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1]] as Cell[]) {
      const key = next[1] * map.width + next[0];
      if (seen.has(key) || !isPlayable(map, next) || terrainAt(map, next) !== terrain) continue;
      seen.add(key);
      found.push(next);
    }
  }
  return found;
}

export function fill(map: TbsMap, start: Cell, terrain: number, symmetry: Symmetry = "none"): TbsMap {
  return paint(map, cellsOfPatch(map, start), terrain, symmetry);
}

// ---- units ----

function setUnit(map: TbsMap, cell: Cell, brush: UnitBrush): TbsMap {
  const unit: TbsMapUnit = { x: cell[0], y: cell[1], ...brush };
  const at = unitIndexAt(map, cell);
  if (at < 0) return { ...map, units: [...map.units, unit] };
  const there = map.units[at] as TbsMapUnit;
  if (sameUnit(there, unit)) return map;
  return { ...map, units: map.units.map((other, i) => (i === at ? unit : other)) };
}

function sameUnit(a: UnitBrush, b: UnitBrush): boolean {
  return a.type === b.type && a.side === b.side && a.hp === b.hp && (a.done ?? false) === (b.done ?? false);
}

/** Replaces a unit there, keeping its number; cells on the axis of symmetry have no partner. */
export function placeUnit(map: TbsMap, cell: Cell, brush: UnitBrush, symmetry: Symmetry = "none"): TbsMap {
  if (!isPlayable(map, cell)) return map;
  const partner = partnerOf(map, symmetry, cell);
  const placed = setUnit(map, cell, brush);
  return same(partner, cell) ? placed : setUnit(placed, partner, { ...brush, side: otherSide(brush.side) });
}

/** Would a side exceed the maximum of units? */
export function isTooMany(map: TbsMap, most: number): boolean {
  return sideCount(map, "red") > most || sideCount(map, "blue") > most;
}

export function removeUnits(map: TbsMap, cells: Cell[], symmetry: Symmetry = "none"): TbsMap {
  const wanted = withPartners(map, cells, symmetry);
  const units = map.units.filter((unit) => !wanted.some((cell) => same(cell, [unit.x, unit.y])));
  return units.length === map.units.length ? map : { ...map, units };
}

/** Swaps the units of two cells. */
function exchange(map: TbsMap, a: Cell, b: Cell): TbsMap {
  const [first, second] = [unitIndexAt(map, a), unitIndexAt(map, b)];
  const place = (unit: TbsMapUnit, [x, y]: Cell): TbsMapUnit => ({ ...unit, x, y });
  const units = map.units.map((unit, i) => (i === first ? place(unit, b) : i === second ? place(unit, a) : unit));
  return { ...map, units };
}

/** Is the unit on the partner cell this one's counterpart? */
function hasCounterpart(map: TbsMap, cell: Cell, partner: Cell): boolean {
  const [unit, other] = [unitAt(map, cell), unitAt(map, partner)];
  return unit !== null && other !== null && sameUnit({ ...unit, side: otherSide(unit.side) }, other);
}

/** Moves a unit; swaps places with a unit there. Its counterpart moves along. */
export function moveUnit(map: TbsMap, from: Cell, to: Cell, symmetry: Symmetry = "none"): TbsMap {
  if (same(from, to) || unitAt(map, from) === null || !isPlayable(map, to)) return map;
  const [fromPartner, toPartner] = [partnerOf(map, symmetry, from), partnerOf(map, symmetry, to)];
  const alone =
    same(fromPartner, from) || same(toPartner, to) || same(to, fromPartner) || !hasCounterpart(map, from, fromPartner);
  const moved = exchange(map, from, to);
  return alone ? moved : exchange(moved, fromPartner, toPartner);
}

// ---- symmetry of the whole ----

function comesFirst(map: TbsMap, cell: Cell, partner: Cell): boolean {
  return cell[1] * map.width + cell[0] < partner[1] * map.width + partner[0];
}

/** Copies the left (upper) half to the other one, with sides swapped. */
export function makeSymmetric(map: TbsMap, symmetry: Symmetry): TbsMap {
  if (symmetry === "none") return map;
  const partner = (cell: Cell) => partnerOf(map, symmetry, cell);
  const second = playableCells(map).filter((cell) => comesFirst(map, partner(cell), cell));
  const kept = map.units.filter(({ x, y }) => !comesFirst(map, partner([x, y]), [x, y]));
  const mirrored = kept
    .filter(({ x, y }) => comesFirst(map, [x, y], partner([x, y])))
    .map((unit): TbsMapUnit => {
      const [x, y] = partner([unit.x, unit.y]);
      return { ...unit, x, y, side: otherSide(unit.side) };
    });
  return { ...setTerrain(map, second, (cell) => terrainAt(map, partner(cell))), units: [...kept, ...mirrored] };
}

export function isSymmetric(map: TbsMap, symmetry: Symmetry): boolean {
  return playableCells(map).every((cell) => {
    const partner = partnerOf(map, symmetry, cell);
    if (same(partner, cell)) return true;
    const empty = unitAt(map, cell) === null && unitAt(map, partner) === null;
    return terrainAt(map, cell) === terrainAt(map, partner) && (empty || hasCounterpart(map, cell, partner));
  });
}
