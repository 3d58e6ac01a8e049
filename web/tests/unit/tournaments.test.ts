// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { TournamentResult, Highlight, Score, Standing } from "../../src/api/types";
import {
  crossTable,
  gamesPlanned,
  highlightText,
  lengthened,
  noHistory,
  ratingRange,
  shade,
} from "../../src/tournaments/report";

const score = (wins: number, draws: number, losses: number): Score => {
  const games = wins + draws + losses;
  return { wins, draws, losses, games, score: (wins + draws / 2) / games, interval: [0.2, 0.7] };
};

const standing = (player: string, elo: number | null): Standing => ({
  ...score(1, 1, 1),
  player,
  spec: player,
  place: 1,
  shared: false,
  points: 1,
  as_first: score(1, 0, 0),
  as_second: score(0, 1, 0),
  elo,
  elo_error: 50,
  tie_breaks: {},
  faults: {},
  byes: 0,
  walkovers: 0,
  decided_by: "main",
  disqualified: false,
});

const report = (games: number, elo: number | null = 10): TournamentResult => ({
  title: "",
  game: "tbs",
  format: "round-robin",
  seed: 1,
  complete: false,
  games,
  games_expected: 10,
  ratings_connected: true,
  standings: [standing("a", elo), standing("b", elo === null ? null : -elo), standing("c", null)],
  pairings: [{ player: "a", opponent: "b", ...score(3, 1, 0), points: [3.5, 0.5], superiority: 0.9 }],
  meetings: [],
  maps: [],
  highlights: [],
  rules: {
    title: "", game: "tbs", rule_set: "", format: "round-robin", rounds: 0, challengers: 1, games: 2, both_sides: false, disqualify_after: 0,
    points: { win: 1, draw: 0.5, loss: 0 },
    clock: { turn: 0, move: 0, game: 0, increment: 0, byoyomi: 0, grace: 0.1, patience: 2 },
    maps: { per_pairing: 0, not_own: false },
    playoff: { places: 0, games: 2, repeats: 3 },
    final: { players: 0, games: 2 },
    tie_breaks: [],
  },
  times: { date: "", seconds: null, players: [], voids: [] },
});

describe("the cross-table", () => {
  it("has each meeting from both sides", () => {
    const table = crossTable(report(4));
    expect(table[0]?.[1]?.score).toBeCloseTo(0.875);
    expect(table[1]?.[0]?.score).toBeCloseTo(0.125);
    expect(table[1]?.[0]?.wins).toBe(0);
    expect(table[1]?.[0]?.interval[0]).toBeCloseTo(0.3);
    expect(table[1]?.[0]?.interval[1]).toBeCloseTo(0.8);
  });
  it("is empty where two have not met, and on the diagonal", () => {
    const table = crossTable(report(4));
    expect(table[0]?.[0]).toBeNull();
    expect(table[0]?.[2]).toBeNull();
  });
  it("shades scores in five steps", () => {
    expect([0, 0.19, 0.2, 0.5, 0.8, 1].map(shade)).toEqual([0, 0, 1, 2, 4, 4]);
  });
});

describe("the history of ratings", () => {
  it("grows when games were played, and only then", () => {
    const one = lengthened(noHistory, report(2));
    expect(one.games).toEqual([2]);
    expect(one.elo["a"]).toEqual([10]);
    expect(lengthened(one, report(2))).toBe(one);
    expect(lengthened(one, report(5, 20)).elo["b"]).toEqual([-10, -20]);
  });
  it("begins again when the event does", () => {
    expect(lengthened(lengthened(noHistory, report(9)), report(1)).games).toEqual([1]);
  });
  it("has no beginning before the first game", () => {
    expect(lengthened(noHistory, report(0))).toBe(noHistory);
  });
});

describe("the rating axis", () => {
  it("ends at whole hundreds around all bars", () => {
    expect(ratingRange([{ player: "a", elo: 120, error: 30 }, { player: "b", elo: -310, error: 5 }])).toEqual([-400, 200]);
    expect(ratingRange([])).toEqual([-100, 100]);
  });
});

describe("how many games there will be", () => {
  const settings = { players: 4, maps: 2, games: 2, rounds: 0 };
  it("is counted for formats that are known before", () => {
    expect(gamesPlanned({ ...settings, format: "round-robin" })).toBe(24);
    expect(gamesPlanned({ ...settings, format: "gauntlet" })).toBe(12);
    expect(gamesPlanned({ ...settings, format: "swiss" })).toBe(16);
    expect(gamesPlanned({ ...settings, format: "swiss", rounds: 3 })).toBe(24);
  });
  it("is open for a knock-out, and none for one player", () => {
    expect(gamesPlanned({ ...settings, format: "knock-out" })).toBeNull();
    expect(gamesPlanned({ ...settings, players: 1, format: "round-robin" })).toBe(0);
  });
});

describe("highlights", () => {
  const highlight = (kind: Highlight["kind"], parts: Partial<Highlight>): Highlight => ({ kind, game: 1, weight: 1, text: "in English", drawn: false, ...parts });
  it.each([
    [
      highlight("upset", { players: ["random", "uct:sims=60"], above: 407, turns: 24, map: "standard" }),
      "random が格上（+407）の uct:sims=60 に 24 ターンで勝利（standard）",
    ],
    [
      highlight("lead-changes", { players: ["uct", "random"], lead_changes: 3, turns: 24, map: "standard" }),
      "優勢が 3 回入れ替わり、uct が random に 24 ターンで勝利（standard）",
    ],
    [highlight("short-win", { players: ["acteval", "random"], turns: 5, map: "duel" }), "acteval が random に 5 ターンで勝利（duel）"],
    [
      highlight("lead-changes", { players: ["purple", "random"], lead_changes: 27, turns: 77 }),
      "優勢が 27 回入れ替わり、purple が random に 77 ターンで勝利",
    ],
    [highlight("lead-changes", { players: ["purple", "random"], drawn: true, lead_changes: 2 }), "優勢が 2 回入れ替わり、purple と random は引き分け"],
    [highlight("upset", { players: ["random", "purple"], above: 300 }), "random が格上（+300）の purple に勝利"],
    [
      highlight("fault", { players: ["bot", "random"], fault: "crash", map: "duel", more: 3 }),
      "bot が異常終了または切断により random に敗北（duel）。同様にあと 3 回",
    ],
    [highlight("fault", { players: ["bot", "random"], fault: "none" }), "bot が棄権により random に敗北"],
    [highlight("short-win", { players: ["a beat b", "c on d"], turns: 1, map: "e f" }), "a beat b が c on d に 1 ターンで勝利（e f）"],
    [highlight("fault", { players: ["bot", "random"], fault: "a new one" }), "in English"],
    [{ kind: "upset", game: 1, weight: 1, text: "random beat uct, rated 407 above it," } as const, "random beat uct, rated 407 above it,"],
  ])("%j", (one, japanese) => {
    expect(highlightText(one, "ja")).toBe(japanese);
    expect(highlightText(one, "en")).toBe(one.text);
  });
});
