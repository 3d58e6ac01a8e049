// SPDX-License-Identifier: MIT
//
// The rules of a tournament in words.

import type { TournamentResult } from "../api/types";
import { number } from "../app/format";
import type { Say } from "../app/text";
import type { words } from "./text";

export type T = Say<keyof typeof words>;

/** "Round robin, 2 games per pairing and map; then a knock-out of the best 4" */
export function formatSentence({ report, on_maps }: { report: Pick<TournamentResult, "rules" | "maps">; on_maps: boolean }, t: T): string {
  const { format, rounds, challengers, games, maps, playoff, final } = report.rules;
  const parts = [
    t(format, { challengers }) + (format === "swiss" && rounds > 0 ? t("rounds", { rounds }) : ""),
    t(on_maps ? "games_each_map" : "games_each", { games }),
  ];
  if (maps.per_pairing > 0 && maps.per_pairing < report.maps.length) parts.push(t("maps_drawn", { maps: maps.per_pairing }));
  if (maps.not_own) parts.push(t("not_own"));
  if (playoff.places > 0) parts.push(t("playoff", { places: playoff.places }));
  if (final.players > 0) parts.push(t("final", { players: final.players }));
  return parts.join(t("and"));
}

export function clockSentence(clock: TournamentResult["rules"]["clock"], t: T): string {
  const limits = (["turn", "move", "game", "increment", "byoyomi"] as const).filter((name) => clock[name] > 0);
  return limits.length === 0 ? t("no_clock") : limits.map((name) => t(`clock_${name}`, { s: clock[name] })).join(t("and"));
}

export function gamesSentence({ complete, games, games_expected }: TournamentResult, t: T): string {
  return complete ? number(games) : t("games_so_far", { games: number(games), all: number(games_expected) });
}
