// SPDX-License-Identifier: MIT
import type { State, Step, LiveGame } from "../api/types";

/** The state after this many actions. */
export function stateAt(liveGame: LiveGame, ply: number): State {
  return ply <= 0 ? liveGame.start : (liveGame.steps[ply - 1]?.state ?? liveGame.state);
}

/** The action that led to it, and the one that was chosen there. */
export function stepsAround(liveGame: LiveGame, ply: number): { last: Step | null; next: Step | null } {
  return { last: liveGame.steps[ply - 1] ?? null, next: liveGame.steps[ply] ?? null };
}
