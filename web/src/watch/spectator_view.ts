// SPDX-License-Identifier: MIT
//
// A fully visible game as one player sees it. Only for games that the viewer may see completely: hidden information
// never leaves the server.

import type { Did, GeisterPiece, Side, State, Step } from "../api/types";

export type SpectatorView = "all" | "first" | "second";

/** The side whose colours are not seen; null: both are. */
export function unseenSide(view: SpectatorView): Side | null {
  return view === "all" ? null : view === "first" ? 1 : 0;
}

/** At the end everything is shown to both. */
export function seenState(state: State, view: SpectatorView): State {
  const unseen = unseenSide(view);
  if (unseen === null || state.game !== "geister" || state.over) return state;
  const isMasked = (piece: GeisterPiece) => piece.side === unseen && piece.fate === "board";
  return { ...state, pieces: state.pieces.map((piece) => (isMasked(piece) ? { ...piece, colour: "unknown" } : piece)) };
}

export function seenDid(did: Did, view: SpectatorView): Did {
  return did.kind === "setup" && did.side === unseenSide(view) ? { ...did, reds: null } : did;
}

/** The evaluations of a player reveal its colours. */
export function seenStep(step: Step, view: SpectatorView): Step {
  const hidden = step.side === unseenSide(view);
  return { ...step, did: seenDid(step.did, view), thoughts: hidden ? null : step.thoughts };
}
