// SPDX-License-Identifier: MIT
//
// Sounds of a game: fights, quiet moves, the end.

import type { Side, Step, LiveGame } from "../api/types";
import { winnerOf } from "../app/names";
import type { Sound } from "../app/sound";

function endName(result: string, you: Side[]): Sound {
  const winner = winnerOf(result);
  if (winner === null) return "move";
  return you.length === 1 && you[0] !== winner ? "loss" : "win";
}

export function soundName(step: Step, you: Side[]): Sound | null {
  const { did, state } = step;
  if (state.over) return endName(state.result, you);
  if (did.kind === "pass" || did.kind === "resign" || did.kind === "setup") return null;
  const fights = (did.kind === "tbs" && did.target !== undefined) || (did.kind === "geister" && did.took !== undefined);
  return fights ? "attack" : "move";
}

/** The sound of an end without a step, e.g. on time. Null: the last step had its sound. */
export function endSoundName({ steps, start, result, you }: Pick<LiveGame, "steps" | "start" | "result" | "you">): Sound | null {
  const last = steps[steps.length - 1]?.state ?? start;
  return last.over ? null : endName(result, you);
}
