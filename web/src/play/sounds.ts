// SPDX-License-Identifier: MIT
import type { Side, Step } from "../api/types";
import { winnerOf } from "../app/names";
import { playSound, type Sound } from "../app/sound";

/** What a step sounds like to who sits there: fights, quiet moves, the end. */
export function soundName(step: Step, you: Side[]): Sound | null {
  const { did, state } = step;
  if (state.over) {
    const winner = winnerOf(state.result);
    if (winner === null) return "move";
    return you.length === 1 && you[0] !== winner ? "loss" : "win";
  }
  if (did.kind === "pass" || did.kind === "resign" || did.kind === "setup") return null;
  const fights = (did.kind === "tbs" && did.target !== undefined) || (did.kind === "geister" && did.took !== undefined);
  return fights ? "attack" : "move";
}

export function soundOf(step: Step, you: Side[]): void {
  const sound = soundName(step, you);
  if (sound !== null) playSound(sound);
}
