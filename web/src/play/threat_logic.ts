// SPDX-License-Identifier: MIT
//
// Threats of the enemy: the server computes the actions of the same position with the other side to move.

import type { Cell, Side, TbsActions, TbsUnit } from "../api/types";
import { hasCell } from "./cells";

const NAMES = ["red", "blue"] as const;

/** A position's text with that side to move and all its units ready; null when the text is not of the tactical game. */
export function asTurnOf(text: string, side: Side): string | null {
  if (!/^turn \d+ side (red|blue) /.test(text)) return null;
  return text
    .replace(/ side (red|blue) /, ` side ${NAMES[side]} `)
    .replace(/^(unit .*) (ready|done)$/gm, (_, unit: string) => `${unit} ready`);
}

export interface Threat {
  reach: Cell[]; // of one unit, or of all
  victims: { cell: Cell; damage: number }[]; // largest damage of one attack
}

/** Threats of one enemy unit (null: of all). */
export function threatOf(actions: TbsActions, units: TbsUnit[], id: number | null): Threat {
  const threat: Threat = { reach: [], victims: [] };
  const worst = new Map<number, number>();
  for (const unit of actions.units) {
    if (id !== null && unit.id !== id) continue;
    for (const cell of unit.stays) if (!hasCell(threat.reach, cell)) threat.reach.push(cell);
    for (const [, , target, damage] of unit.attacks) worst.set(target, Math.max(damage, worst.get(target) ?? 0));
  }
  for (const { id: victim, x, y } of units) {
    const damage = worst.get(victim) ?? 0;
    if (damage > 0) threat.victims.push({ cell: [x, y], damage });
  }
  return threat;
}
