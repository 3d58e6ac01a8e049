// SPDX-License-Identifier: MIT
//
// What a judgement says, from the JSON of `senjutsu map judge`. The result of a job that has just begun has little of
// it: everything may be missing.

import type { Share } from "../api/types";

export interface Remark {
  weight: "good" | "note" | "fault";
  text: string;
}

export type Fairness =
  | "unknown"
  | "unclear"
  | "fair"
  | "about_fair"
  | `${"leans" | "favours" | "favours_much"}_${"red" | "blue"}`;
export type Strength = "unknown" | "unclear" | "decides" | "tells" | "tells_little" | "hardly" | "reversed";

export interface SideFigures {
  firstKills: number | null; // enemies destroyed in the first turn, on average
  anyFirstKill: number | null; // share of games in which there is one
  firstAttacks: number | null; // possible at once
  useless: number | null; // units without use
}

export interface Judgement {
  games: number;
  red: Share; // red's score between equals
  strength: Share; // strong against weak, both sides together
  asRed: Share;
  asBlue: Share;
  decisive: Share;
  turns: number | null;
  natural: number | null;
  sides: [SideFigures, SideFigures];
  fairness: Fairness;
  telling: Strength;
  tight: boolean; // as narrow as was asked for
  remarks: Remark[];
}

type Loose = Record<string, unknown>;

/** What an object of unknown shape has under a name. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Loose)[name] : undefined;
}

export function numberIn(value: unknown, name: string): number | null {
  const found = member(value, name);
  return typeof found === "number" ? found : null;
}

const NO_GAMES: Share = { value: 0.5, low: 0, high: 1, games: 0 };

/** {"value", "low", "high", "games"} or {"value", "interval": [low, high], "games"}. */
export function readShare(value: unknown): Share {
  const interval = member(value, "interval");
  const ends = Array.isArray(interval) ? (interval as unknown[]) : [numberIn(value, "low"), numberIn(value, "high")];
  const share = { value: numberIn(value, "value"), games: numberIn(value, "games") };
  const [low, high] = ends;
  if (share.value === null || !share.games || typeof low !== "number" || typeof high !== "number") return NO_GAMES;
  return { value: share.value, low, high, games: share.games };
}

export function readRemarks(value: unknown): Remark[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown): Remark[] => {
    const [weight, text] = [member(item, "weight"), member(item, "text")];
    if (typeof text !== "string") return [];
    return [{ weight: weight === "good" || weight === "fault" ? weight : "note", text }];
  });
}

// ---- verdicts ----

const leanings = ["leans", "favours", "favours_much"] as const;

/** The same words for the same numbers as on the command line (docs/map-generation.md). */
export function fairnessOf(red: Share, tolerance: number): Fairness {
  if (red.games === 0) return "unknown";
  const [low, high, value] = [red.low - 0.5, red.high - 0.5, red.value - 0.5];
  if (low >= -tolerance && high <= tolerance) return "fair";
  if (Math.abs(value) <= tolerance && low >= -2 * tolerance && high <= 2 * tolerance) return "about_fair";
  const side = low > 0 ? "red" : "blue";
  const beyond = side === "red" ? low : -high;
  if (beyond <= 0) return "unclear";
  return `${leanings[beyond > 2 * tolerance ? 2 : beyond > tolerance ? 1 : 0]}_${side}`;
}

export function strengthOf(strong: Share): Strength {
  const { low, high, games } = strong;
  if (games === 0) return "unknown";
  if (low > 0.5) return low > 0.8 ? "decides" : low > 0.6 ? "tells" : "tells_little";
  if (high < 0.6) return high < 0.5 ? "reversed" : "hardly";
  return "unclear";
}

// ---- the whole ----

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function sideFigures(result: unknown, side: "red" | "blue"): SideFigures {
  const kills = member(member(result, "first_turn_kills"), side);
  const looks = member(member(result, "looks"), side);
  return {
    firstKills: numberIn(kills, "mean"),
    anyFirstKill: numberIn(kills, "any"),
    firstAttacks: numberIn(looks, "first_attacks"),
    useless: sum(numberIn(looks, "no_prey"), numberIn(looks, "stranded")),
  };
}

/** Of one map: the result itself, or the first of its maps. */
function mapResult(result: unknown): unknown {
  const maps = member(result, "maps");
  return Array.isArray(maps) ? maps[0] : result;
}

/** What is guessed from games of another kind, before there are any of its own, is not shown as known. */
export function readJudgement(result: unknown, tolerance: number): Judgement {
  const one = mapResult(result);
  const strong = member(one, "strong");
  const games = numberIn(one, "games") ?? 0;
  const contests = readShare(member(strong, "both"));
  const [asRed, asBlue] = [readShare(member(strong, "as_red")), readShare(member(strong, "as_blue"))];
  const red = games > contests.games ? readShare(member(one, "red_between_equals")) : NO_GAMES;
  const strength = asRed.games > 0 && asBlue.games > 0 ? contests : NO_GAMES;
  return {
    games,
    red,
    strength,
    asRed,
    asBlue,
    decisive: readShare(member(one, "decisive")),
    turns: numberIn(one, "turns"),
    natural: numberIn(member(one, "looks"), "natural"),
    sides: [sideFigures(one, "red"), sideFigures(one, "blue")],
    fairness: fairnessOf(red, tolerance),
    telling: strengthOf(strength),
    tight: member(one, "tight") === true,
    remarks: readRemarks(member(one, "remarks")),
  };
}
