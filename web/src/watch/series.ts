// SPDX-License-Identifier: MIT
//
// A game as lines of a chart: the win probability after each action, by the adviser and each player, and the
// material. Probabilities are always the first side's, so that the lines can be compared.

import type { Side, State, Step, LiveGame, Thoughts } from "../api/types";
import { stateAt } from "./follow";

/** 0, 1, … the number of actions. */
export function plies(liveGame: LiveGame): number[] {
  return Array.from({ length: liveGame.steps.length + 1 }, (_, ply) => ply);
}

/** Positions at which a turn begins, the first one and the last position among them. */
export function turnStarts(liveGame: LiveGame): number[] {
  const last = liveGame.steps.length;
  return plies(liveGame).filter(
    (ply) => ply === 0 || ply === last || stateAt(liveGame, ply).turn !== stateAt(liveGame, ply - 1).turn,
  );
}

export function adviserChances(liveGame: LiveGame): (number | null)[] {
  return [null, ...liveGame.steps.map((step) => step.chance)];
}

/** The first side's chance, by the player's own best candidate. */
export function ownChance(thoughts: Thoughts | null): number | null {
  const chance = thoughts?.candidates[0]?.chance ?? null;
  if (thoughts === null || chance === null) return null;
  return thoughts.side === 0 ? chance : 1 - chance;
}

/** The latest evaluation of a player at every position: it changes only when the player is to move. */
export function playerChances(liveGame: LiveGame, side: Side): (number | null)[] {
  let last: number | null = null;
  const thought = (step: Step | undefined) => {
    if (step !== undefined && step.side === side) last = ownChance(step.thoughts) ?? last;
    return last;
  };
  return plies(liveGame).map((ply) => thought(liveGame.steps[ply]));
}

/** HP in the tactical game, pieces on the board in Geister; null where a game has neither. */
export function material(state: State, side: Side): number | null {
  if (state.game === "tbs") return state.hp[side];
  if (state.game === "geister") return state.pieces.filter((p) => p.side === side && p.fate === "board").length;
  return null;
}

export function materials(liveGame: LiveGame, side: Side): (number | null)[] {
  return plies(liveGame).map((ply) => material(stateAt(liveGame, ply), side));
}

export function hasAny(values: (number | null)[]): boolean {
  return values.some((value) => value !== null);
}
