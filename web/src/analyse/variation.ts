// SPDX-License-Identifier: MIT
//
// Trying moves out: a position, and a line of moves from it with a place in it. A new move cuts off what came after.

import type { Actions, Did, Ground, PlayedPosition, Source, State, TbsMap } from "../api/types";

export interface Position {
  state: State;
  map: TbsMap | null;
  actions: Actions | null | undefined; // undefined: not asked for yet
}

export interface TriedMove {
  action: string;
  did: Did;
  state: State; // afterwards
  actions: Actions | null | undefined;
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

/** What was played from the root on takes the place of the line, with its end, or another place in it, shown. */
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

/** What may be done at the place that is shown, once it is known. */
export function withActions(v: Variation, actions: Actions | null): Variation {
  if (v.at === 0) return { ...v, root: { ...v.root, actions } };
  return { ...v, moves: v.moves.map((move, index) => (index === v.at - 1 ? { ...move, actions } : move)) };
}

/** Is it what the line goes on with? Then there is nothing to ask, and the rest of the line stays. */
export function isNext(v: Variation, action: string): boolean {
  return v.moves[v.at]?.action === action;
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
