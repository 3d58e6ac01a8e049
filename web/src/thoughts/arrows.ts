// SPDX-License-Identifier: MIT
//
// The main line of a player as numbered arrows on the board.

import type { Cell, Did, Side } from "../api/types";
import { same } from "../board/grid";

export interface LineArrow {
  from: Cell;
  to: Cell | null; // null: off the board
  kind: "move" | "attack";
  side: Side;
  number: number; // 1: the first action of the line
  weight: number; // later ones are thinner
}

export interface LineAction {
  action: string;
  did: Did;
}

/** Thinner with each step, down to a minimum. */
export function arrowWeight(index: number, count: number): number {
  return count <= 1 ? 1 : 1 - 0.65 * (index / (count - 1));
}

function arrowsOfDid(did: Did, number: number, weight: number): LineArrow[] {
  if (did.kind === "geister") return [{ from: did.from, to: did.to, kind: did.took ? "attack" : "move", side: did.side, number, weight }];
  if (did.kind !== "tbs") return [];
  const { from, to, side, target } = did;
  const arrows: LineArrow[] = [];
  if (!same(from, to)) arrows.push({ from, to, kind: "move", side, number, weight });
  if (target !== undefined) arrows.push({ from: to, to: target.at, kind: "attack", side, number, weight });
  return arrows;
}

/** At most `limit` actions are drawn: more would hide the board. */
export function lineArrows(line: LineAction[], limit = 6): LineArrow[] {
  const shown = line.slice(0, limit);
  return shown.flatMap(({ did }, index) => arrowsOfDid(did, index + 1, arrowWeight(index, shown.length)));
}

/** Numbered, in drawing order: earlier actions are on top. */
export function drawnArrows(line: LineAction[]): (LineArrow & { label: string })[] {
  return lineArrows(line)
    .map((arrow) => ({ ...arrow, label: String(arrow.number) }))
    .reverse();
}

/** The cell an action ends on, where its number or mark goes; null where it has none. */
export function cellsOfDid(did: Did): { from: Cell; to: Cell | null; target: Cell | null } | null {
  if (did.kind === "tbs") return { from: did.from, to: did.to, target: did.target?.at ?? null };
  if (did.kind === "geister") return { from: did.from, to: did.to, target: null };
  return null;
}
