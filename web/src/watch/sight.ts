// SPDX-License-Identifier: MIT
//
// A fully visible game as one player sees it. Only for games that the viewer may see completely: hidden information
// never leaves the server.

import type { Did, GeisterPiece, Side, State, Step } from "../api/types";

export type Sight = "all" | "first" | "second";

/** The side whose colours are not seen; null: both are. */
export function unseenSide(sight: Sight): Side | null {
  return sight === "all" ? null : sight === "first" ? 1 : 0;
}

/** At the end everything is shown to both. */
export function seenState(state: State, sight: Sight): State {
  const unseen = unseenSide(sight);
  if (unseen === null || state.game !== "geister" || state.over) return state;
  const isMasked = (piece: GeisterPiece) => piece.side === unseen && piece.fate === "board";
  return { ...state, pieces: state.pieces.map((piece) => (isMasked(piece) ? { ...piece, colour: "unknown" } : piece)) };
}

export function seenDid(did: Did, sight: Sight): Did {
  return did.kind === "setup" && did.side === unseenSide(sight) ? { ...did, reds: null } : did;
}

/** The evaluations of a player reveal its colours. */
export function seenStep(step: Step, sight: Sight): Step {
  const hidden = step.side === unseenSide(sight);
  return { ...step, did: seenDid(step.did, sight), thoughts: hidden ? null : step.thoughts };
}
