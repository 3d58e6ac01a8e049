// SPDX-License-Identifier: MIT
//
// What the report of an event says (docs/tournaments.md), and what its tables are made of.

import type { TournamentParams } from "../api/types";

export interface Score {
  wins: number;
  draws: number;
  losses: number;
  games: number;
  score: number;
  interval: [number, number];
}

export interface Standing extends Score {
  player: string;
  spec: string;
  place: number;
  shared: boolean;
  points: number;
  as_first: Score;
  as_second: Score;
  elo: number | null;
  elo_error: number | null;
  faults: Record<string, number>;
  byes: number;
  disqualified: boolean;
}

export interface Pairing extends Score {
  player: string;
  opponent: string;
}

export interface MapRow {
  map: string;
  games: number;
  first_side: Score;
}

export interface Highlight {
  kind: string;
  game: number;
  text: string;
}

export interface MatchFigures {
  players: [string, string];
  games: number;
  games_wanted: number;
  wins: [number, number];
  draws: number;
  score: number;
  interval: [number, number];
  elo: { difference: number | null; error: number | null; interval: [number | null, number | null]; superiority: number | null };
}

export interface Report {
  title: string;
  game: string;
  format: string;
  complete: boolean;
  games: number;
  games_expected: number;
  standings: Standing[];
  pairings: Pairing[];
  maps: MapRow[];
  highlights: Highlight[];
  match?: MatchFigures;
}

/** One cell of the cross-table: how the row's player did against the column's; null: they have not met. */
export type CrossCell = Score | null;

function turned(score: Score): Score {
  return {
    wins: score.losses,
    draws: score.draws,
    losses: score.wins,
    games: score.games,
    score: 1 - score.score,
    interval: [1 - score.interval[1], 1 - score.interval[0]],
  };
}

/** Rows and columns in the order of the standings. */
export function crossTable(report: Report): CrossCell[][] {
  const met = new Map<string, Score>();
  const key = (a: string, b: string) => JSON.stringify([a, b]);
  for (const pairing of report.pairings) {
    if (pairing.games === 0) continue;
    met.set(key(pairing.player, pairing.opponent), pairing);
    met.set(key(pairing.opponent, pairing.player), turned(pairing));
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

export function ratings(report: Report): RatingPoint[] {
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

/** Elo over the course of an event, as far as this page has seen it. */
export interface Course {
  games: number[];
  elo: Record<string, (number | null)[]>; // by player, one a point
}

export const noCourse: Course = { games: [], elo: {} };
const COURSE_POINTS_MAX = 400;

/** The course with a new look at the event; the same one when no game was played since. */
export function lengthened(course: Course, report: Report): Course {
  const last = course.games[course.games.length - 1];
  if (report.games === 0 || last === report.games) return course;
  if (last !== undefined && last > report.games) return lengthened(noCourse, report); // another run of the event
  const from = course.games.length >= COURSE_POINTS_MAX ? 1 : 0;
  const elo: Course["elo"] = {};
  for (const one of report.standings) {
    const before = course.elo[one.player] ?? course.games.map(() => null);
    elo[one.player] = [...before.slice(from), one.elo];
  }
  return { games: [...course.games.slice(from), report.games], elo };
}

/** How many games an event will have, as far as that can be said before it; null: it depends on what happens. */
export function gamesPlanned(wish: {
  players: number;
  maps: number;
  games: number;
  format: NonNullable<TournamentParams["format"]>;
  rounds: number;
}): number | null {
  const { players, maps, games, format, rounds } = wish;
  const meeting = maps * games;
  if (players < 2) return 0;
  if (format === "round-robin") return ((players * (players - 1)) / 2) * meeting;
  if (format === "gauntlet") return (players - 1) * meeting;
  if (format === "swiss") return (rounds > 0 ? rounds : Math.ceil(Math.log2(players))) * Math.floor(players / 2) * meeting;
  return null; // ties of a knock-out are played again
}

/** Highlights in Japanese, by the patterns of the sentences; null: an unknown one. */
export function highlightJa(sentence: string): string | null {
  const patterns: [RegExp, string][] = [
    [/^(.+) beat (.+), rated (\d+) above it, in (\d+) turns? on (.+)$/, "$1 が格上（+$3）の $2 に $4 ターンで勝利（$5）"],
    [/^(.+) beat (.+), rated (\d+) above it, in (\d+) turns?$/, "$1 が格上（+$3）の $2 に $4 ターンで勝利"],
    [/^The lead changed (\d+) times before (.+) beat (.+) in (\d+) turns? on (.+)$/, "優勢が $1 回入れ替わり、$2 が $3 に $4 ターンで勝利（$5）"],
    [/^The lead changed (\d+) times before (.+) drew with (.+) in (\d+) turns? on (.+)$/, "優勢が $1 回入れ替わり、$2 と $3 は $4 ターンで引き分け（$5）"],
    [/^(.+) beat (.+) in (?:only )?(\d+) turns? on (.+)$/, "$1 が $2 に $3 ターンで勝利（$4）"],
    [/^(.+) beat (.+) in (?:only )?(\d+) turns?$/, "$1 が $2 に $3 ターンで勝利"],
  ];
  const found = patterns.find(([pattern]) => pattern.test(sentence));
  return found === undefined ? null : sentence.replace(found[0], found[1]);
}
