// SPDX-License-Identifier: MIT
//
// Geometry of boards: cells, keyboard steps between them, the cells along a pointer stroke.

import type { Cell, Side } from "../api/types";

/** The cells that can be pointed at, both ends included. */
export interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function same(a: Cell | null | undefined, b: Cell | null | undefined): boolean {
  return a === b || (!!a && !!b && a[0] === b[0] && a[1] === b[1]);
}

export function isInside(extent: Extent, [x, y]: Cell): boolean {
  return x >= extent.left && x <= extent.right && y >= extent.top && y <= extent.bottom;
}

/** The playable cells of a map given with its border. */
export function playable(map: { width: number; height: number }): Extent {
  return { left: 1, top: 1, right: map.width - 2, bottom: map.height - 2 };
}

const steps: Record<string, Cell> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Where the cursor goes; null: not a cursor key. With Control to the edge; Home and End along the row. */
export function cursorAfter(extent: Extent, at: Cell, key: string, far = false): Cell | null {
  if (key === "Home") return [extent.left, at[1]];
  if (key === "End") return [extent.right, at[1]];
  if (key === "PageUp") return [at[0], extent.top];
  if (key === "PageDown") return [at[0], extent.bottom];
  const step = steps[key];
  if (step === undefined) return null;
  const length = far ? 1000 : 1;
  return [
    clamp(at[0] + step[0] * length, extent.left, extent.right),
    clamp(at[1] + step[1] * length, extent.top, extent.bottom),
  ];
}

/** All cells from one (excluded) to another: a fast pointer skips cells, a stroke must not. */
export function stroke(from: Cell, to: Cell): Cell[] {
  const length = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
  return Array.from({ length }, (_, n) => {
    const share = (n + 1) / length;
    return [Math.round(from[0] + (to[0] - from[0]) * share), Math.round(from[1] + (to[1] - from[1]) * share)];
  });
}

/** Geister's board seen from one side: rotated for the second player. Its own inverse. */
export function turned(cell: Cell, from: Side): Cell {
  return from === 0 ? cell : [5 - cell[0], 5 - cell[1]];
}
