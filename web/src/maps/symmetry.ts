// SPDX-License-Identifier: MIT
//
// The symmetry brush: where a cell's partner lies. What is drawn on a cell is drawn on its partner as well, with the
// other side's units.

import type { Cell, TbsMap } from "../api/types";

export type Symmetry = "none" | "mirror" | "flip" | "turn" | "diagonal" | "antidiagonal";

export const SYMMETRIES: readonly Symmetry[] = ["none", "mirror", "flip", "turn", "diagonal", "antidiagonal"];

type Size = Pick<TbsMap, "width" | "height">;

/** The diagonals need a square. */
export function symmetryFits(symmetry: Symmetry, { width, height }: Size): boolean {
  return width === height || (symmetry !== "diagonal" && symmetry !== "antidiagonal");
}

const partners: Record<Symmetry, (cell: Cell, size: Size) => Cell> = {
  none: (cell) => cell,
  mirror: ([x, y], { width }) => [width - 1 - x, y],
  flip: ([x, y], { height }) => [x, height - 1 - y],
  turn: ([x, y], { width, height }) => [width - 1 - x, height - 1 - y],
  diagonal: ([x, y]) => [y, x],
  antidiagonal: ([x, y], { width }) => [width - 1 - y, width - 1 - x],
};

/** The cell itself without symmetry, on the axis, and in the centre. */
export function partnerOf(size: Size, symmetry: Symmetry, cell: Cell): Cell {
  return symmetryFits(symmetry, size) ? partners[symmetry](cell, size) : cell;
}
