// SPDX-License-Identifier: MIT
//
// State of a live game, updated by the server's events; and the clocks between events.

import type { Clocks, Did, Side, Step, LiveGame, LiveGameEvents } from "../api/types";
import { winnerOf } from "../app/names";

/** Adds a step once and in order; a gap is ignored, and the caller reloads the game. */
export function addStep(liveGame: LiveGame, event: LiveGameEvents["step"]): LiveGame | null {
  const { step } = event;
  if (step.ply <= liveGame.steps.length) return liveGame; // already known
  if (step.ply !== liveGame.steps.length + 1) return null;
  return {
    ...liveGame,
    steps: [...liveGame.steps, step],
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

export function addChance(liveGame: LiveGame, event: LiveGameEvents["chance"]): LiveGame {
  const set = (step: Step): Step => (step.ply === event.ply ? { ...step, chance: event.chance } : step);
  return { ...liveGame, steps: liveGame.steps.map(set) };
}

/** The side a person at this screen plays now: the side to move if held, otherwise the first held. */
export function seatToShow(you: Side[], mover: Side | null): Side | null {
  return mover !== null && you.includes(mover) ? mover : (you[0] ?? null);
}

/** The key of a side; keys are stored in seat order, separated by commas. */
export function keyOf(keys: string, you: Side[], side: Side): string | null {
  return keys.split(",")[you.indexOf(side)] ?? null;
}

const lostOnTime = (result: string, side: Side): boolean => result.endsWith(" late") && winnerOf(result) === (side === 0 ? 1 : 0);

/** What a clock shows `since` milliseconds after the server's report; an expired clock stays at zero. */
export function clockLeft(clocks: Clocks, side: Side, since: number, result = "none"): number | null {
  const left = clocks.left_ms[side];
  if (left === null) return null;
  if (lostOnTime(result, side)) return 0;
  return clocks.running === side ? Math.max(0, left - since) : left;
}

const LOW_MS = 10_000;
export const isLow = (left: number | null): boolean => left !== null && left < LOW_MS;

// ---- the move list ----

/** A step without the colours of either side. */
export function withoutSecrets(step: Step): Step {
  return step.did.kind === "setup" ? { ...step, action: null, did: { ...step.did, reds: null } } : step;
}

export interface TurnRows {
  side: Side;
  turn: number; // counted from 1
  steps: Step[];
}

/** Steps grouped by turn: consecutive actions of a side. */
export function byTurn(steps: Step[]): TurnRows[] {
  const rows: TurnRows[] = [];
  for (const step of steps) {
    const last = rows[rows.length - 1];
    if (last !== undefined && last.side === step.side && !endsTurn(last.steps[last.steps.length - 1]?.did)) last.steps.push(step);
    else rows.push({ side: step.side, turn: rows.length + 1, steps: [step] });
  }
  return rows;
}

/** The last turn of the other side, of the first `ply` steps; empty once the user has started the next turn. */
export function lastTurn(liveGame: Pick<LiveGame, "steps" | "you">, ply: number, mover: Side | null): Step[] {
  const steps = liveGame.steps.slice(0, ply);
  const side = steps[steps.length - 1]?.side;
  if (side === undefined || (side === mover && liveGame.you.includes(side))) return [];
  let first = steps.length;
  while (steps[first - 1]?.side === side && steps[first - 1]?.did.kind !== "setup") first--;
  return steps.slice(first);
}

const endsTurn = (did: Did | undefined): boolean => did?.kind === "pass" || did?.kind === "resign";
