// SPDX-License-Identifier: MIT
//
// The exits at Geister's corners, as seen on the screen (the viewer at the bottom).

import type { Cell, GeisterState } from "../api/types";

/** Directions in which a corner may be left: up or down, and to the side, by the rules. */
export function outward([x, y]: Cell, exits: GeisterState["exits"]): Cell[] {
  const ways: Cell[] = [];
  if (exits.forward) ways.push([0, y === 0 ? -1 : 1]);
  if (exits.sideways) ways.push([x === 0 ? -1 : 1, 0]);
  return ways;
}

const keys: Record<string, Cell> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** Does this key lead off the board from this corner? */
export function isOutward(key: string, corner: Cell, exits: GeisterState["exits"]): boolean {
  const step = keys[key];
  return step !== undefined && outward(corner, exits).some(([dx, dy]) => dx === step[0] && dy === step[1]);
}
