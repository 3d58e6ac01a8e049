// SPDX-License-Identifier: MIT
//
// A variation: a position, a line of moves from it, and the current place in the line. A new move removes the later
// ones.

import type { Actions, Did, StartingPosition, PlayedPosition, Source, State, TbsMap } from "../api/types";

export interface Position {
  state: State;
  map: TbsMap | null;
  actions: Actions | null | undefined; // undefined: not requested yet
}

export interface TriedMove {
  action: string;
  did: Did;
  state: State; // afterwards
  actions: Actions | null | undefined;
}

export interface Variation {
  source: Source; // of the root
  start: StartingPosition; // game and map, for any source
  root: Position;
  moves: TriedMove[];
  at: number; // number of moves made
}

export function startVariation(source: Source, start: StartingPosition, root: Position): Variation {
  return { source, start, root, moves: [], at: 0 };
}

export function positionOf(v: Variation): Position {
  const last = v.at === 0 ? undefined : v.moves[v.at - 1];
  return last === undefined ? v.root : { state: last.state, map: v.root.map, actions: last.actions };
}

export function goTo(v: Variation, at: number): Variation {
  return { ...v, at: Math.min(v.moves.length, Math.max(0, at)) };
}

/** Replaces the line by the moves played from the root, and shows its end or the given place. */
export function withPlayed(v: Variation, played: PlayedPosition, at = played.steps.length): Variation {
  const last = played.steps.length - 1;
  const moves = played.steps.map(({ action, did, state }, index) => ({
    action: action ?? "",
    did,
    state,
    actions: index === last ? played.actions : undefined,
  }));
  return goTo({ ...v, moves }, at);
}

/** The legal actions at the shown place, when known. */
export function withActions(v: Variation, actions: Actions | null): Variation {
  if (v.at === 0) return { ...v, root: { ...v.root, actions } };
  return { ...v, moves: v.moves.map((move, index) => (index === v.at - 1 ? { ...move, actions } : move)) };
}

/** Is it the next move of the line? Then no request is needed, and the rest of the line stays. */
export function isNext(v: Variation, action: string): boolean {
  return v.moves[v.at]?.action === action;
}

/** The moves from the root to the current place. */
export function actionsUpTo(v: Variation): string[] {
  return v.moves.slice(0, v.at).map((move) => move.action);
}

/** Game and map only, without the other fields of a source. */
export function startOf(source: Source): StartingPosition {
  const { game, map, map_text, rules } = source;
  return {
    game,
    ...(map === undefined ? {} : { map }),
    ...(map_text === undefined ? {} : { map_text }),
    ...(rules === undefined ? {} : { rules }),
  };
}

/** The current place as a source: the root's source, or the position text after moves. */
export function sourceOf(v: Variation): Source {
  return v.at === 0 ? v.source : { ...startOf(v.start), position: positionOf(v).state.text };
}
