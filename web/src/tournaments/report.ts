// SPDX-License-Identifier: MIT
//
// Data of the tables of a tournament, from its report (docs/tournaments.md).

import type { TournamentFormat, TournamentResult, Highlight, Score } from "../api/types";
import type { Language } from "../app/text";

/** One cell of the cross-table: how the row's player did against the column's; null: no games. */
export type CrossCell = Met | null;

interface Met extends Score {
  score: number;
  points: number; // of the row's player
}

function turned(score: Met, points: number): Met {
  return {
    points,
    wins: score.losses,
    draws: score.draws,
    losses: score.wins,
    games: score.games,
    score: 1 - score.score,
    interval: [1 - score.interval[1], 1 - score.interval[0]],
  };
}

/** Rows and columns in the order of the standings. */
export function crossTable(report: TournamentResult): CrossCell[][] {
  const met = new Map<string, Met>();
  const key = (a: string, b: string) => JSON.stringify([a, b]);
  for (const pairing of report.pairings) {
    if (pairing.score === null) continue;
    const seen = { ...pairing, score: pairing.score, points: pairing.points[0] };
    met.set(key(pairing.player, pairing.opponent), seen);
    met.set(key(pairing.opponent, pairing.player), turned(seen, pairing.points[1]));
  }
  return report.standings.map((row) => report.standings.map((column) => met.get(key(row.player, column.player)) ?? null));
}

/** How good a score is, in five steps, for a cell's shade: 0 poor … 4 excellent. */
export function shade(score: number): number {
  return Math.min(4, Math.max(0, Math.floor(score * 5)));
}

export interface RatingPoint {
  player: string;
  elo: number;
  error: number;
}

export function ratings(report: TournamentResult): RatingPoint[] {
  return report.standings
    .filter((one) => one.elo !== null)
    .map((one) => ({ player: one.player, elo: one.elo ?? 0, error: one.elo_error ?? 0 }));
}

/** The ends of the rating axis: whole hundreds around all error bars. */
export function ratingRange(points: RatingPoint[]): [number, number] {
  if (points.length === 0) return [-100, 100];
  const low = Math.min(...points.map((point) => point.elo - point.error));
  const high = Math.max(...points.map((point) => point.elo + point.error));
  return [Math.floor(low / 100) * 100, Math.ceil(high / 100) * 100 || 100];
}

/** Elo history of a tournament, as far as this page has received it. */
export interface EloHistory {
  games: number[];
  elo: Record<string, (number | null)[]>; // by player, one a point
}

export const noHistory: EloHistory = { games: [], elo: {} };
const HISTORY_POINTS_MAX = 400;

/** Adds the current report to the history; unchanged without new games. */
export function lengthened(history: EloHistory, report: TournamentResult): EloHistory {
  const last = history.games[history.games.length - 1];
  if (report.games === 0 || last === report.games) return history;
  if (last !== undefined && last > report.games) return lengthened(noHistory, report); // another run of the tournament
  const from = history.games.length >= HISTORY_POINTS_MAX ? 1 : 0;
  const elo: EloHistory["elo"] = {};
  for (const one of report.standings) {
    const before = history.elo[one.player] ?? history.games.map(() => null);
    elo[one.player] = [...before.slice(from), one.elo];
  }
  return { games: [...history.games.slice(from), report.games], elo };
}

/** The planned number of games; null: depends on results. */
export function gamesPlanned(settings: {
  players: number;
  maps: number;
  games: number;
  format: TournamentFormat;
  rounds: number;
}): number | null {
  const { players, maps, games, format, rounds } = settings;
  const meeting = maps * games;
  if (players < 2) return 0;
  if (format === "round-robin") return ((players * (players - 1)) / 2) * meeting;
  if (format === "gauntlet") return (players - 1) * meeting;
  if (format === "swiss") return (rounds > 0 ? rounds : Math.ceil(Math.log2(players))) * Math.floor(players / 2) * meeting;
  return null; // ties of a knock-out are played again
}

/** What a player with a fault did, in Japanese, by the fault. */
export const rulings_ja: Readonly<Record<string, string>> = {
  none: "棄権",
  illegal: "反則の手",
  crash: "異常終了または切断",
  hang: "無応答のため停止",
  late: "時間切れ後の応答",
  garbage: "プロトコルにない応答",
  protocol: "手順に合わない応答",
};

/** A highlight in Japanese; null: it has no parts (a result of an earlier version), or an unknown fault. */
function highlightJa({ players, drawn, turns, lead_changes, above, map, fault, more }: Highlight): string | null {
  if (players === undefined) return null;
  const [first, second] = players;
  const place = map === undefined ? "" : `（${map}）`;
  if (fault !== undefined) {
    const ruling = rulings_ja[fault];
    return ruling === undefined ? null : `${first} が${ruling}により ${second} に敗北${place}${more === undefined ? "" : `。同様にあと ${more} 回`}`;
  }
  const history = lead_changes === undefined ? "" : `優勢が ${lead_changes} 回入れ替わり、`;
  const after = turns === undefined ? "" : ` ${turns} ターンで`;
  const isUpset = above !== undefined && above !== null;
  const other = isUpset ? `格上（+${above}）の ${second}` : second;
  const game = drawn === true ? `${first} と ${other} は${after}引き分け` : `${first} が${isUpset ? "" : " "}${other} に${after}勝利`;
  return `${history}${game}${place}`;
}

export function highlightText(highlight: Highlight, at: Language): string {
  return (at === "ja" ? highlightJa(highlight) : null) ?? highlight.text;
}
