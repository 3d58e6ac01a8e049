// SPDX-License-Identifier: MIT
//
// The position given by the address, and requests to the server from the form.

import type { Source, LiveGame, TbsMap, TbsState } from "../api/types";
import type { Route } from "../app/route";

export type Request =
  | { from: "nothing" }
  | { from: "table"; table: string; key?: string; after?: number }
  | { from: "start"; source: Source };

/** "#/analyse?table=ID&after=12", "?game=tbs&map=duel", with "&position=…" a text. */
export function readRequest(query: Route["query"]): Request {
  const { table, key, after, game, map, rules, position } = query;
  if (table !== undefined) {
    const number = Number(after);
    return {
      from: "table",
      table,
      ...(key === undefined ? {} : { key }),
      ...(after !== undefined && Number.isInteger(number) && number >= 0 ? { after: number } : {}),
    };
  }
  if (game === undefined && map === undefined) return { from: "nothing" };
  const source: Source = {
    game: game ?? "tbs",
    ...(map === undefined ? {} : { map }),
    ...(rules === undefined ? {} : { rules }),
    ...(position === undefined ? {} : { position }),
  };
  return { from: "start", source };
}

export function liveGameSource(liveGame: LiveGame, after: number, key?: string): Source {
  return { game: liveGame.ground.game, table: liveGame.id, after, ...(key === undefined ? {} : { key }) };
}

/** A position as a map that begins with it: current units and remaining turns. Red always moves first. */
export function mapOfPosition(map: TbsMap, state: TbsState): TbsMap {
  return {
    ...map,
    turn_limit: Math.max(1, state.turn_limit - state.turn),
    units: state.units.map(({ x, y, type, side, hp }) => ({ x, y, type, side: side === 0 ? "red" : "blue", hp })),
  };
}

export interface Budget {
  kind: "own" | "sims" | "time";
  sims: number;
  time_ms: number;
}

export function budgetOf(budget: Budget): { sims?: number; time_ms?: number } {
  if (budget.kind === "sims") return { sims: budget.sims };
  return budget.kind === "time" ? { time_ms: budget.time_ms } : {};
}
