// SPDX-License-Identifier: MIT
//
// What a game sounds like to who sits there: fights, quiet moves, the end.

import type { Side, Step, Table } from "../api/types";
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

/** The end when no step has made it: a clock ran out, say. Null: the last step was heard. */
export function endSoundName({ steps, start, result, you }: Pick<Table, "steps" | "start" | "result" | "you">): Sound | null {
  const last = steps[steps.length - 1]?.state ?? start;
  return last.over ? null : endName(result, you);
}
