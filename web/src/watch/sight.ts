// SPDX-License-Identifier: MIT
//
// A fully visible game as one player sees it. Only for games that the viewer may see completely: hidden information
// never leaves the server.

import type { Did, GeisterState, Side, State, Step } from "../api/types";

export type Sight = "all" | "first" | "second";

/** The side whose colours are not seen; null: both are. */
export function unseenSide(sight: Sight): Side | null {
  return sight === "all" ? null : sight === "first" ? 1 : 0;
}

function maskedPieces(state: GeisterState, unseen: Side): GeisterState {
  const pieces = state.pieces.map((piece) =>
    piece.side === unseen && piece.fate === "board" ? { ...piece, colour: "unknown" as const } : piece,
  );
  return { ...state, pieces };
}

/** At the end everything is shown to both. */
export function seenState(state: State, sight: Sight): State {
  const unseen = unseenSide(sight);
  return unseen === null || state.game !== "geister" || state.over ? state : maskedPieces(state, unseen);
}

export function seenDid(did: Did, sight: Sight): Did {
  return did.kind === "setup" && did.side === unseenSide(sight) ? { ...did, reds: null } : did;
}

/** The evaluations of a player reveal its colours. */
export function seenStep(step: Step, sight: Sight): Step {
  const hidden = step.side === unseenSide(sight);
  return { ...step, did: seenDid(step.did, sight), thoughts: hidden ? null : step.thoughts };
}
