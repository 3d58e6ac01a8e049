// SPDX-License-Identifier: MIT
//
// Data of the tables of a tournament, from its report (docs/tournaments.md).

import type { EventFormat, EventResult, Score } from "../api/types";
import type { Both } from "../app/text";

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
export function crossTable(report: EventResult): CrossCell[][] {
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

/** Elo history of a tournament, as far as this page has received it. */
export interface Course {
  games: number[];
  elo: Record<string, (number | null)[]>; // by player, one a point
}

export const noCourse: Course = { games: [], elo: {} };
const COURSE_POINTS_MAX = 400;

/** Adds the current report to the history; unchanged without new games. */
export function lengthened(course: Course, report: EventResult): Course {
  const last = course.games[course.games.length - 1];
  if (report.games === 0 || last === report.games) return course;
  if (last !== undefined && last > report.games) return lengthened(noCourse, report); // another run of the tournament
  const from = course.games.length >= COURSE_POINTS_MAX ? 1 : 0;
  const elo: Course["elo"] = {};
  for (const one of report.standings) {
    const before = course.elo[one.player] ?? course.games.map(() => null);
    elo[one.player] = [...before.slice(from), one.elo];
  }
  return { games: [...course.games.slice(from), report.games], elo };
}

/** The planned number of games; null: depends on results. */
export function gamesPlanned(settings: {
  players: number;
  maps: number;
  games: number;
  format: EventFormat;
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

const HIGHLIGHT =
  /^(?:The lead changed (\d+) times before )?(.+?) (beat|drew with) (.+?)(?:, rated (\d+) above it,)?(?: in (\d+) turns?)?(?: on (\S+))?$/;

const FAULT = /^(.+?) (forfeited|chose|stopped|gave|answered)( .*?)?: it lost to (.+?)(?: on (\S+?))?(?:, and the same way (\d+) more times?)?$/;

/** What a player with a fault did, by the fault. */
export const rulings: Record<string, Both> = {
  none: ["forfeited", "棄権"],
  illegal: ["chose an action that the rules forbid", "反則の手"],
  crash: ["stopped running, or the connection to it was lost", "異常終了または切断"],
  hang: ["gave no answer long after its time was over, and was stopped", "無応答のため停止"],
  late: ["answered after its time was over", "時間切れ後の応答"],
  garbage: ["answered with something that is no line of the protocol", "プロトコルにない応答"],
  protocol: ["answered with a line that is wrong at that point", "手順に合わない応答"],
};

function faultJa(sentence: string): string | null {
  const [, loser, verb = "", rest = "", winner, map, more] = FAULT.exec(sentence) ?? [];
  const ruling = Object.values(rulings).find(([english]) => english === verb + rest)?.[1];
  if (ruling === undefined) return null;
  const place = map === undefined ? "" : `（${map}）`;
  return `${loser} が${ruling}により ${winner} に敗北${place}${more === undefined ? "" : `。同様にあと ${more} 回`}`;
}

/** Highlights in Japanese, by the parts of the sentence; null: unknown form. */
export function highlightJa(sentence: string): string | null {
  const found = HIGHLIGHT.exec(sentence);
  if (found === null) return faultJa(sentence);
  const [, changes, first, how, second, above, turns, map] = found;
  const course = changes === undefined ? "" : `優勢が ${changes} 回入れ替わり、`;
  const other = above === undefined ? second : `格上（+${above}）の ${second}`;
  const after = turns === undefined ? "" : ` ${turns} ターンで`;
  const place = map === undefined ? "" : `（${map}）`;
  const game = how === "beat" ? `${first} が${above === undefined ? " " : ""}${other} に${after}勝利` : `${first} と ${other} は${after}引き分け`;
  return `${course}${game}${place}`;
}
