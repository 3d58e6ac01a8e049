// SPDX-License-Identifier: MIT
//
// A table that is being watched, event by event.

import type { State, Step, Table, TableEvents, Thoughts } from "../api/types";

/** What is seen of a table: the game, and what the player to move thinks at this moment. */
export interface Watched {
  table: Table;
  thinking: Thoughts | null;
}

/** The state after so many actions. */
export function stateAt(table: Table, ply: number): State {
  return ply <= 0 ? table.start : (table.steps[ply - 1]?.state ?? table.state);
}

/** Steps come in order; one that is told again takes its old place. */
function withStep(steps: Step[], step: Step): Step[] {
  if (step.ply === steps.length + 1) return [...steps, step];
  return steps.map((old) => (old.ply === step.ply ? step : old));
}

export function stepCame(seen: Watched, event: TableEvents["step"]): Watched {
  const { step, ...rest } = event;
  const steps = withStep(seen.table.steps, step);
  const last = steps[steps.length - 1] ?? step;
  const table: Table = {
    ...seen.table,
    ...rest,
    steps,
    state: last.state,
    ply: last.ply,
    mover: last.state.mover,
    over: last.state.over,
    result: last.state.result,
  };
  return { table, thinking: null };
}

export function chanceCame(seen: Watched, event: TableEvents["chance"]): Watched {
  const steps = seen.table.steps.map((step) => (step.ply === event.ply ? { ...step, chance: event.chance } : step));
  return { ...seen, table: { ...seen.table, steps } };
}

export function thoughtsCame(seen: Watched, event: TableEvents["thinking"]): Watched {
  const table = { ...seen.table, thinking: event.side, clocks: event.clocks };
  return { table, thinking: event.thoughts };
}
