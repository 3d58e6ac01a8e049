// SPDX-License-Identifier: MIT
import type { Cell } from "../api/types";
import { same } from "../board/grid";

/** Steps between two cells, sideways and up or down. */
export const distance = (a: Cell, b: Cell): number => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);

export const hasCell = (cells: Cell[], cell: Cell): boolean => cells.some((one) => same(one, cell));
