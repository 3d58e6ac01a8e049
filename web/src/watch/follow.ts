// SPDX-License-Identifier: MIT
import type { State, Step, Table } from "../api/types";

/** The state after this many actions. */
export function stateAt(table: Table, ply: number): State {
  return ply <= 0 ? table.start : (table.steps[ply - 1]?.state ?? table.state);
}

/** The action that led to it, and the one that was chosen there. */
export function stepsAround(table: Table, ply: number): { last: Step | null; next: Step | null } {
  return { last: table.steps[ply - 1] ?? null, next: table.steps[ply] ?? null };
}
