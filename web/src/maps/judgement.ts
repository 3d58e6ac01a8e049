// SPDX-License-Identifier: MIT
//
// Result of a fairness test. A new job has no result yet.

import type { JudgeResult, JudgeShare, Remark, Share } from "../api/types";

export type Fairness =
  | "unknown"
  | "unclear"
  | "fair"
  | "about_fair"
  | `${"leans" | "favours" | "favours_much"}_${"red" | "blue"}`;
export type Strength = "unknown" | "unclear" | "decides" | "tells" | "tells_little" | "hardly" | "reversed";

export interface SideFigures {
  firstKills: number | null; // enemies destroyed in the first turn, on average
  anyFirstKill: number | null; // share of games with at least one
  firstAttacks: number | null; // possible at the start
  attackers: number | null; // units that can make them
  useless: number | null; // useless units
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
  tight: boolean; // requested precision reached
  remarks: Remark[];
}

const NO_GAMES: Share = { value: 0.5, low: 0, high: 1, games: 0 };

/** Fairness tests and galleries have different interval formats. */
export function readShare(share: Share | JudgeShare | null | undefined): Share {
  if (share === null || share === undefined || share.games === 0) return NO_GAMES;
  if (!("interval" in share)) return share;
  const [low, high] = share.interval;
  return { value: share.value, low, high, games: share.games };
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

// ---- the result ----

const NO_FIGURES: SideFigures = { firstKills: null, anyFirstKill: null, firstAttacks: null, attackers: null, useless: null };

function sideFigures(result: JudgeResult | null, side: "red" | "blue"): SideFigures {
  if (result === null) return NO_FIGURES;
  const [kills, looks] = [result.first_turn_kills[side], result.looks[side]];
  return { firstKills: kills.mean, anyFirstKill: kills.any, firstAttacks: looks.first_attacks, attackers: looks.attackers, useless: looks.no_prey + looks.stranded };
}

export function readJudgement(result: JudgeResult | null, tolerance: number): Judgement {
  const games = result?.games ?? 0;
  const [strength, red] = [readShare(result?.strong.both), readShare(result?.red_between_equals)];
  const [asRed, asBlue] = [readShare(result?.strong.as_red), readShare(result?.strong.as_blue)];
  return {
    games,
    red,
    strength,
    asRed,
    asBlue,
    decisive: readShare(result?.decisive),
    turns: result?.turns ?? null,
    natural: result?.looks.natural ?? null,
    sides: [sideFigures(result, "red"), sideFigures(result, "blue")],
    fairness: fairnessOf(red, tolerance),
    telling: strengthOf(strength),
    tight: result?.tight ?? false,
    remarks: result?.remarks ?? [],
  };
}
