// SPDX-License-Identifier: MIT
//
// A table as the page keeps it, brought up to date by the server's events; and what its clocks show between them.

import type { Clocks, Did, Side, Step, Table, TableEvents } from "../api/types";
import { winnerOf } from "../app/names";

/** A step is taken in once and in order; one that does not follow is left out, and the caller asks for the whole. */
export function addStep(table: Table, event: TableEvents["step"]): Table | null {
  const { step } = event;
  if (step.ply <= table.steps.length) return table; // seen already
  if (step.ply !== table.steps.length + 1) return null;
  return {
    ...table,
    steps: [...table.steps, step],
    state: step.state,
    ply: step.ply,
    mover: step.state.mover,
    over: step.state.over,
    result: step.state.result,
    actions: event.actions,
    clocks: event.clocks,
    thinking: event.thinking,
    may: event.may,
    offer: null,
  };
}

export function addChance(table: Table, event: TableEvents["chance"]): Table {
  const set = (step: Step): Step => (step.ply === event.ply ? { ...step, chance: event.chance } : step);
  return { ...table, steps: table.steps.map(set) };
}

/** The side a person at this screen plays now: the mover if it is ours, otherwise the first we hold. */
export function seatToShow(you: Side[], mover: Side | null): Side | null {
  return mover !== null && you.includes(mover) ? mover : (you[0] ?? null);
}

/** Keys are kept in the order of their seats, with a comma between them; the one of a side. */
export function keyOf(keys: string, you: Side[], side: Side): string | null {
  return keys.split(",")[you.indexOf(side)] ?? null;
}

const lostOnTime = (result: string, side: Side): boolean => result.endsWith(" late") && winnerOf(result) === (side === 0 ? 1 : 0);

/** What a clock shows `since` milliseconds after the server told it; the one that ran out stays where it did. */
export function clockLeft(clocks: Clocks, side: Side, since: number, result = "none"): number | null {
  const left = clocks.left_ms[side];
  if (left === null) return null;
  if (lostOnTime(result, side)) return 0;
  return clocks.running === side ? Math.max(0, left - since) : left;
}

const LOW_MS = 10_000;
export const isLow = (left: number | null): boolean => left !== null && left < LOW_MS;

// ---- the move list ----

/** A step as somebody may hear it who must not know the colours of either side. */
export function withoutSecrets(step: Step): Step {
  return step.did.kind === "setup" ? { ...step, action: null, did: { ...step.did, reds: null } } : step;
}

export interface TurnRows {
  side: Side;
  turn: number; // counted from 1
  steps: Step[];
}

/** Steps put together turn by turn: a side's actions in a row. */
export function byTurn(steps: Step[]): TurnRows[] {
  const rows: TurnRows[] = [];
  for (const step of steps) {
    const last = rows[rows.length - 1];
    if (last !== undefined && last.side === step.side && !endsTurn(last.steps[last.steps.length - 1]?.did)) last.steps.push(step);
    else rows.push({ side: step.side, turn: rows.length + 1, steps: [step] });
  }
  return rows;
}

const endsTurn = (did: Did | undefined): boolean => did?.kind === "pass" || did?.kind === "resign";
