// SPDX-License-Identifier: MIT
//
// What the tables of an event are made of, from its report (docs/tournaments.md).

import type { EventFormat, EventResult, Score } from "../api/types";

/** One cell of the cross-table: how the row's player did against the column's; null: they have not met. */
export type CrossCell = Met | null;

interface Met extends Score {
  score: number;
}

function turned(score: Met): Met {
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
export function crossTable(report: EventResult): CrossCell[][] {
  const met = new Map<string, Met>();
  const key = (a: string, b: string) => JSON.stringify([a, b]);
  for (const pairing of report.pairings) {
    if (pairing.score === null) continue;
    const seen = { ...pairing, score: pairing.score };
    met.set(key(pairing.player, pairing.opponent), seen);
    met.set(key(pairing.opponent, pairing.player), turned(seen));
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

export function ratings(report: EventResult): RatingPoint[] {
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
export function lengthened(course: Course, report: EventResult): Course {
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
  format: EventFormat;
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
