// SPDX-License-Identifier: MIT
//
// Input for the tactical game: the meaning of a click in each situation. Reachable cells,
// targets and damage come from the server's list of actions.

import type { BoardArrow, CellMark } from "../board/tbs";
import type { Cell, TbsActions, TbsUnit } from "../api/types";
import { same } from "../board/grid";
import { distance, hasCell } from "./cells";

export interface Situation {
  units: TbsUnit[];
  actions: TbsActions | null; // null: not our turn
}

/** The state of a choice. */
export type Pick =
  | { step: "none" }
  | { step: "unit"; unit: number } // chosen; where to?
  | { step: "place"; unit: number; at: Cell; aim: number | null }; // a destination; then stay or attack

export const NOTHING: Pick = { step: "none" };

export interface Strike {
  target: number;
  at: Cell; // from here
  damage: number;
  counter: number;
}

export function unitAt(units: TbsUnit[], cell: Cell): TbsUnit | null {
  return units.find((unit) => unit.x === cell[0] && unit.y === cell[1]) ?? null;
}

function find(situation: Situation, id: number): TbsUnit | null {
  return situation.units.find((unit) => unit.id === id) ?? null;
}

function choices(situation: Situation, id: number): TbsActions["units"][number] | null {
  return situation.actions?.units.find((unit) => unit.id === id) ?? null;
}

export const canAct = (situation: Situation, id: number): boolean => choices(situation, id) !== null;

/** Units that can still act in this turn, in the order of their numbers. */
export function ready(situation: Situation): number[] {
  return (situation.actions?.units ?? []).map((unit) => unit.id).sort((a, b) => a - b);
}

/** The unit after (or before) `from` among those that can still act, cyclically. */
export function nextReady(situation: Situation, from: number | null, step: 1 | -1 = 1): number | null {
  const list = ready(situation);
  if (list.length === 0) return null;
  const index = from === null ? -1 : list.indexOf(from);
  if (index < 0) return (step === 1 ? list[0] : list[list.length - 1]) ?? null;
  return list[(index + step + list.length) % list.length] ?? null;
}

/** All attacks of a unit. Those that do no damage are legal but never better than staying, so they are not offered. */
export function strikes(situation: Situation, id: number): Strike[] {
  return (choices(situation, id)?.attacks ?? [])
    .map(([x, y, target, damage, counter]): Strike => ({ target, at: [x, y], damage, counter }))
    .filter((strike) => strike.damage > 0);
}

export function strikesFrom(situation: Situation, id: number, at: Cell): Strike[] {
  return strikes(situation, id).filter((strike) => same(strike.at, at));
}

/** The cell to attack from if only the target was chosen: least counter damage, then shortest path. */
export function bestStrike(situation: Situation, id: number, target: number): Strike | null {
  const unit = find(situation, id);
  if (unit === null) return null;
  const way = (strike: Strike): number => distance(strike.at, [unit.x, unit.y]);
  const worse = (a: Strike, b: Strike): number => b.damage - a.damage || a.counter - b.counter || way(a) - way(b);
  return strikes(situation, id).filter((strike) => strike.target === target).sort(worse)[0] ?? null;
}

export function destinations(situation: Situation, id: number): Cell[] {
  const list = choices(situation, id);
  if (list === null) return [];
  const cells = [...list.stays];
  for (const { at } of strikes(situation, id)) if (!hasCell(cells, at)) cells.push(at);
  return cells;
}

const mayStay = (situation: Situation, id: number, at: Cell): boolean =>
  hasCell(choices(situation, id)?.stays ?? [], at);

export const stayAction = (unit: number, at: Cell): string => `${unit}:${at[0]},${at[1]}`;
export const strikeAction = (unit: number, strike: Strike): string => `${stayAction(unit, strike.at)}x${strike.target}`;

export interface Outcome {
  pick: Pick;
  action: string | null; // to be sent
}

const keep = (pick: Pick): Outcome => ({ pick, action: null });
const send = (action: string): Outcome => ({ pick: NOTHING, action });

/** What a click on an empty or own cell, or on an enemy, means while a unit is chosen. */
function clickWithUnit(situation: Situation, id: number, cell: Cell): Outcome {
  if (hasCell(destinations(situation, id), cell)) return keep({ step: "place", unit: id, at: cell, aim: null });
  const there = unitAt(situation.units, cell);
  if (there === null) return keep(NOTHING);
  if (canAct(situation, there.id)) return keep({ step: "unit", unit: there.id });
  const strike = bestStrike(situation, id, there.id);
  return keep(strike === null ? NOTHING : { step: "place", unit: id, at: strike.at, aim: there.id });
}

function clickWithPlace(situation: Situation, pick: Pick & { step: "place" }, cell: Cell): Outcome {
  if (same(cell, pick.at)) return stay(situation, pick);
  const there = unitAt(situation.units, cell);
  const strike = there && strikesFrom(situation, pick.unit, pick.at).find(({ target }) => target === there.id);
  if (strike) return send(strikeAction(pick.unit, strike));
  return clickWithUnit(situation, pick.unit, cell);
}

export function click(situation: Situation, pick: Pick, cell: Cell): Outcome {
  if (situation.actions === null) return keep(NOTHING);
  if (pick.step === "unit") return clickWithUnit(situation, pick.unit, cell);
  if (pick.step === "place") return clickWithPlace(situation, pick, cell);
  const there = unitAt(situation.units, cell);
  return keep(there !== null && canAct(situation, there.id) ? { step: "unit", unit: there.id } : NOTHING);
}

/** "Stay here": also a second click on the destination. */
export function stay(situation: Situation, pick: Pick): Outcome {
  if (pick.step !== "place" || !mayStay(situation, pick.unit, pick.at)) return keep(pick);
  return send(stayAction(pick.unit, pick.at));
}

export function attack(situation: Situation, pick: Pick, target: number): Outcome {
  if (pick.step !== "place") return keep(pick);
  const strike = strikesFrom(situation, pick.unit, pick.at).find((one) => one.target === target);
  return strike === undefined ? keep(pick) : send(strikeAction(pick.unit, strike));
}

/** Escape: one step back. */
export function back(pick: Pick): Pick {
  return pick.step === "place" ? { step: "unit", unit: pick.unit } : NOTHING;
}

/** After a change of the position: clears a choice that is no longer possible. */
export function stillPossible(situation: Situation, pick: Pick): Pick {
  if (pick.step === "none" || !canAct(situation, pick.unit)) return NOTHING;
  if (pick.step === "unit") return pick;
  return hasCell(destinations(situation, pick.unit), pick.at) ? pick : { step: "unit", unit: pick.unit };
}

// ---- the picture ----

export interface Picture {
  units: TbsUnit[]; // the chosen one at its destination
  marks: { cell: Cell; mark: CellMark }[];
  arrows: BoardArrow[];
  notes: { cell: Cell; text: string; tone: "good" | "bad" | "plain" }[];
}

/** "-5" with a true minus sign. */
const less = (number: number): string => (number === 0 ? "0" : `\u2212${number}`);

function reachMarks(situation: Situation, id: number): Picture["marks"] {
  const marks: Picture["marks"] = destinations(situation, id).map((cell) => ({ cell, mark: "reach" }));
  const targets = new Set(strikes(situation, id).map(({ target }) => target));
  for (const target of targets) {
    const unit = find(situation, target);
    if (unit !== null) marks.push({ cell: [unit.x, unit.y], mark: "attack" });
  }
  return marks;
}

const wayTo = (unit: TbsUnit, to: Cell): BoardArrow[] =>
  same([unit.x, unit.y], to) ? [] : [{ from: [unit.x, unit.y], to, kind: "move" }];

/** Preview of a fight, with the counter damage at the attacker. */
function addFight(picture: Picture, strike: Strike, enemy: Cell): void {
  picture.arrows.push({ from: strike.at, to: enemy, kind: "attack" });
  picture.notes.push({ cell: strike.at, text: less(strike.counter), tone: strike.counter > 0 ? "bad" : "plain" });
}

/** A chosen unit: reachable cells and targets; for the target under the pointer also the counter damage. */
function pictureOfUnit(situation: Situation, unit: TbsUnit, hover: Cell | null): Picture {
  const notes: Picture["notes"] = [];
  for (const target of new Set(strikes(situation, unit.id).map((strike) => strike.target))) {
    const strike = bestStrike(situation, unit.id, target);
    const enemy = find(situation, target);
    if (strike && enemy) notes.push({ cell: [enemy.x, enemy.y], text: less(strike.damage), tone: "good" });
  }
  const marks = [...reachMarks(situation, unit.id), { cell: [unit.x, unit.y] as Cell, mark: "selected" as const }];
  const picture: Picture = { units: situation.units, marks, arrows: [], notes };
  const pointed = hover && unitAt(situation.units, hover);
  const strike = pointed && bestStrike(situation, unit.id, pointed.id);
  if (!hover || !strike) return picture;
  picture.arrows.push(...wayTo(unit, strike.at));
  addFight(picture, strike, hover);
  return picture;
}

function pictureOfPlace(situation: Situation, unit: TbsUnit, pick: Pick & { step: "place" }): Picture {
  const from: Cell = [unit.x, unit.y];
  const picture: Picture = {
    units: situation.units.map((one) => (one.id === unit.id ? { ...one, x: pick.at[0], y: pick.at[1] } : one)),
    marks: destinations(situation, unit.id).map((cell) => ({ cell, mark: "reach" })),
    arrows: wayTo(unit, pick.at),
    notes: [],
  };
  picture.marks.push({ cell: from, mark: "from" }, { cell: pick.at, mark: "selected" });
  for (const strike of strikesFrom(situation, unit.id, pick.at)) {
    const enemy = find(situation, strike.target);
    if (enemy === null) continue;
    const cell: Cell = [enemy.x, enemy.y];
    picture.marks.push({ cell, mark: pick.aim === enemy.id ? "target" : "attack" });
    picture.notes.push({ cell, text: less(strike.damage), tone: "good" });
    if (pick.aim === enemy.id) addFight(picture, strike, cell);
  }
  return picture;
}

/** The board with the current choice, or with the unit under the pointer. */
export function picture(situation: Situation, pick: Pick, hover: Cell | null): Picture {
  const plain: Picture = { units: situation.units, marks: [], arrows: [], notes: [] };
  const unit = pick.step === "none" ? null : find(situation, pick.unit);
  if (unit !== null && pick.step === "place") return pictureOfPlace(situation, unit, aimed(situation, pick, hover));
  if (unit !== null) return pictureOfUnit(situation, unit, hover);
  const pointed = hover && unitAt(situation.units, hover);
  return pointed ? { ...plain, marks: reachMarks(situation, pointed.id) } : plain;
}

/** Pointing at a target shows its fight. */
export function aimed(situation: Situation, pick: Pick & { step: "place" }, hover: Cell | null): Pick & { step: "place" } {
  const there = hover && unitAt(situation.units, hover);
  const can = there && strikesFrom(situation, pick.unit, pick.at).some(({ target }) => target === there.id);
  return can ? { ...pick, aim: there.id } : pick;
}
