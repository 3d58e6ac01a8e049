// SPDX-License-Identifier: MIT
//
// Trying moves out: a position, and a line of moves from it with a place in it. A new move cuts off what came after.

import type { Actions, Did, Ground, Source, State, TbsMap } from "../api/types";

/** The answer of POST /api/positions. */
export interface Position {
  state: State;
  map: TbsMap | null;
  actions: Actions | null;
}

export interface TriedMove {
  action: string;
  did: Did;
  state: State; // afterwards
  actions: Actions | null;
}

export interface Variation {
  source: Source; // of the root
  ground: Ground; // what is played, whatever the source is
  root: Position;
  moves: TriedMove[];
  at: number; // so many of them are made
}

export function startVariation(source: Source, ground: Ground, root: Position): Variation {
  return { source, ground, root, moves: [], at: 0 };
}

export function positionOf(v: Variation): Position {
  const last = v.at === 0 ? undefined : v.moves[v.at - 1];
  return last === undefined ? v.root : { state: last.state, map: v.root.map, actions: last.actions };
}

export function goTo(v: Variation, at: number): Variation {
  return { ...v, at: Math.min(v.moves.length, Math.max(0, at)) };
}

/** Going on along the line that is there keeps the rest of it. */
export function withMove(v: Variation, move: TriedMove): Variation {
  if (v.moves[v.at]?.action === move.action) return goTo(v, v.at + 1);
  const moves = [...v.moves.slice(0, v.at), move];
  return { ...v, moves, at: moves.length };
}

/** The move that is already there, when it is the one that was chosen. */
export function knownMove(v: Variation, action: string): TriedMove | null {
  const next = v.moves[v.at];
  return next?.action === action ? next : null;
}

/** What was played from the root up to here. */
export function actionsUpTo(v: Variation): string[] {
  return v.moves.slice(0, v.at).map((move) => move.action);
}

/** The ground alone, without what else a source may have. */
export function groundOf(source: Source): Ground {
  const { game, map, map_text, rules } = source;
  return {
    game,
    ...(map === undefined ? {} : { map }),
    ...(map_text === undefined ? {} : { map_text }),
    ...(rules === undefined ? {} : { rules }),
  };
}

/** The place in the line as a source of its own: as the root was given, or by its text after moves were tried. */
export function sourceOf(v: Variation): Source {
  return v.at === 0 ? v.source : { ...groundOf(v.ground), position: positionOf(v).state.text };
}
