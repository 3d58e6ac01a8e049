// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { EvolvedCounts, EvolvedMap, EvolveResult, JudgeResult, MapInfo, Share, TbsMap } from "../../src/api/types";
import { wordsOf } from "../../src/common/messages";
import { words } from "../../src/common/text";
import { browse, EVERYTHING, mapPath, sizeOf } from "../../src/maps/browse";
import { isFresh, latestGeneration, NO_GALLERY, parentsOf, sharesOf, strengthSelected } from "../../src/maps/evolution";
import { fairnessOf, readJudgement, readShare, strengthOf } from "../../src/maps/judgement";

const share = (value: number, low: number, high: number, games = 100): Share => ({ value, low, high, games });

describe("fairness in words", () => {
  it.each([
    [share(0.5, 0.42, 0.58), "fair"],
    [share(0.5, 0.35, 0.65), "about_fair"],
    [share(0.55, 0.51, 0.62), "about_fair"],
    [share(0.62, 0.52, 0.72), "leans_red"],
    [share(0.38, 0.28, 0.48), "leans_blue"],
    [share(0.7, 0.64, 0.74), "favours_red"],
    [share(0.2, 0.1, 0.29), "favours_much_blue"],
    [share(0.62, 0.45, 0.75), "unclear"],
    [share(0.5, 0.1, 0.9), "unclear"],
    [share(0.5, 0, 1, 0), "unknown"],
  ])("%o is %s", (red, word) => {
    expect(fairnessOf(red, 0.1)).toBe(word);
  });
});

describe("strength in words", () => {
  it.each([
    [share(0.9, 0.85, 0.95), "decides"],
    [share(0.81, 0.75, 0.86), "tells"],
    [share(0.6, 0.52, 0.68), "tells_little"],
    [share(0.5, 0.42, 0.58), "hardly"],
    [share(0.4, 0.32, 0.48), "reversed"],
    [share(0.55, 0.45, 0.65), "unclear"],
    [share(0.5, 0, 1, 0), "unknown"],
  ])("%o is %s", (strong, word) => {
    expect(strengthOf(strong)).toBe(word);
  });
});

const judged: JudgeResult = {
  games: 580,
  strong: {
    both: { value: 0.81, interval: [0.75, 0.86], games: 240 },
    as_red: { value: 0.83, interval: [0.75, 0.89], games: 120 },
    as_blue: { value: 0.79, interval: [0.71, 0.85], games: 120 },
  },
  red_between_equals: { value: 0.7, interval: [0.64, 0.74], games: 340 },
  decisive: { value: 0.87, interval: [0.84, 0.9], games: 580 },
  turns: 10.2,
  first_turn_kills: { red: { mean: 0.4, any: 0.4 }, blue: { mean: 0.1, any: 0.1 } },
  annihilations: 500,
  forfeits: 0,
  fairness: "favours red",
  strength: "strength tells",
  tight: true,
  looks: {
    natural: 0.9,
    coherence: 0.8,
    roads: 0,
    isolated_roads: 0,
    road_ends: 0,
    red: { first_attacks: 8, attackers: 2, no_prey: 1, stranded: 2 },
    blue: { first_attacks: 8, attackers: 2, no_prey: 0, stranded: 0 },
  },
  remarks: [{ weight: "fault", text: "red is favoured" }],
  players: ["muct:sims=250", "muct:sims=10"],
  rules: "tubstap",
  seed: 1,
  width: 0.05,
  fair: 0.1,
  games_min: 100,
  games_max: 2000,
  complete: true,
};

describe("a judgement", () => {
  it("is read", () => {
    const found = readJudgement(judged, 0.1);
    expect(found.red).toEqual(share(0.7, 0.64, 0.74, 340));
    expect(found.asBlue.games).toBe(120);
    expect(found.fairness).toBe("favours_red");
    expect(found.telling).toBe("tells");
    expect(found.sides[0]).toEqual({ firstKills: 0.4, anyFirstKill: 0.4, firstAttacks: 8, attackers: 2, useless: 3 });
    expect(found.remarks).toEqual([{ weight: "fault", text: "red is favoured" }]);
  });

  it("may not be there yet", () => {
    const found = readJudgement(null, 0.1);
    expect(found.games).toBe(0);
    expect([found.fairness, found.telling]).toEqual(["unknown", "unknown"]);
    expect(found.turns).toBeNull();
    expect(found.sides[1].useless).toBeNull();
    expect(found.remarks).toEqual([]);
  });

  it("does not know what was not played", () => {
    const early = { ...judged, games: 30, strong: { ...judged.strong, both: null, as_blue: null }, red_between_equals: null };
    const found = readJudgement(early, 0.1);
    expect(found.red.games).toBe(0); // only contests have been played
    expect(found.strength.games).toBe(0); // and those with red alone
    expect([found.fairness, found.telling]).toEqual(["unknown", "unknown"]);
  });

  it("has shares in either form", () => {
    expect(readShare({ value: 0.4, low: 0.3, high: 0.5, games: 9 })).toEqual(share(0.4, 0.3, 0.5, 9));
    expect(readShare({ value: 0.4, interval: [0.3, 0.5], games: 9 })).toEqual(share(0.4, 0.3, 0.5, 9));
    expect(readShare(null).games).toBe(0);
  });
});

describe("a gallery", () => {
  const map: TbsMap = { format: "senjutsu-map", width: 3, height: 3, turn_limit: 9, threshold: 1, terrain: ["000", "010", "000"], units: [] };
  const none = { red: 0, blue: 0 };
  const counted = { wins: 1, draws: 0, losses: 1 };
  const counts: EvolvedCounts = {
    strong_red: counted, strong_blue: counted, peers_red: counted, turns: 20, actions: 60, annihilated: 2, forfeits: 0,
    first_kills_red: [2], first_kills_blue: [2], attacked: [],
  };
  const evolved: EvolvedMap = {
    rank: 1,
    id: 43,
    generation: 2,
    note: "3 changes",
    parents: [28, null],
    place: [null, null],
    fitness: 0.94,
    fitness_fresh: 0.95,
    qualities: {
      from: "fresh",
      games: 300,
      strong_red: null,
      strong_blue: null,
      strength: null,
      red: { value: 0.5, low: 0.4, high: 0.6, games: 100 },
      decisive: null,
      turns: 13.1,
    },
    looks: {
      roads: 0, isolated_roads: 0, road_ends: 0, rough: 0, gathered: 0, strewn: 0, coherence: 1,
      no_prey: none, stranded: none, first_attacks: none, attackers: none, natural: 1,
    },
    remarks: [],
    judgement: counts,
    fresh: counts,
    map,
    text: "SIZEX[3];",
  };
  const result: EvolveResult = {
    format: "senjutsu-evolution",
    version: 1,
    seed: 1,
    recipe: { generations: 100 },
    maps_made: 81,
    evaluations: 80,
    games: 1120,
    verified: true,
    fitness_max: 1,
    features: [],
    generations: [{ generation: 0, evaluations: 20, games: 200, best: 0.4, mean: null, best_id: 43, filled: 0 }],
    maps: [evolved],
    lineage: [],
  };

  it("has shares of the games that count", () => {
    const { red, strength } = sharesOf(evolved);
    expect([red.games, strength.games]).toEqual([100, 0]);
    expect([isFresh(evolved), parentsOf(evolved), parentsOf({ ...evolved, parents: [null, null] })]).toEqual([true, "28", ""]);
  });

  it("counts no row of maps that were judged again", () => {
    const rows = (count: number) => Array.from({ length: count }, (_, generation) => ({ ...result.generations[0]!, generation }));
    const latest = (count: number) => latestGeneration({ recipe: { generations: 3 }, generations: rows(count) });
    expect([latest(0), latest(3), latest(4), latest(5)]).toEqual([0, 2, 3, 3]);
    expect(latestGeneration(NO_GALLERY)).toBe(0);
  });

  it("also has the score of the games that selected it", () => {
    const selected = { ...counts, strong_red: { wins: 3, draws: 1, losses: 0 }, strong_blue: { wins: 1, draws: 1, losses: 2 } };
    expect(strengthSelected({ ...evolved, judgement: selected })).toBe(0.625);
    const none = { wins: 0, draws: 0, losses: 0 };
    expect(strengthSelected({ ...evolved, judgement: { ...counts, strong_red: none, strong_blue: none } })).toBeNull();
  });

  it.each([
    ["birth", "stage.birth", [], "最初のマップ"],
    ["generation 1 of 100", "stage.generation", ["1", "100"], "100世代中の第1世代"],
    ["generation 1 of 100", undefined, undefined, "generation 1 of 100"],
    ["judging the best again", "stage.again", [], "最良のマップを再判定中"],
    ["verifying", "stage.verify", [], "最良のマップを新しい対局で確認中"],
    ["dreaming", "stage.unknown", [], "dreaming"],
  ])("is in the stage '%s', by its code", (note, code, args, text) => expect(wordsOf(note, { code, args }, words, "ja")).toBe(text));
});

describe("browsing", () => {
  const info = (name: string, width: number, units: number, comment = ""): MapInfo => ({
    name,
    mine: name.startsWith("mine/"),
    width,
    height: 4,
    units: [units, units],
    comment,
    author: "author",
  });
  const maps = [info("lane", 15, 6, "A lane"), info("duel", 4, 2, "The smallest"), info("mine/x", 8, 9), info("map10", 6, 1), info("map9", 6, 1)];
  const names = (wanted: Partial<typeof EVERYTHING>) => browse(maps, { ...EVERYTHING, ...wanted }).map((map) => map.name);

  it("shows one's own first, then by name as people count", () => {
    expect(names({})).toEqual(["mine/x", "duel", "lane", "map9", "map10"]);
  });

  it("finds words anywhere, all of them", () => {
    expect(names({ words: "  SMALLEST duel " })).toEqual(["duel"]);
    expect(names({ words: "smallest lane" })).toEqual([]);
    expect(names({ words: "author" })).toHaveLength(5);
  });

  it("filters by owner and size, and sorts", () => {
    expect(names({ owner: "mine" })).toEqual(["mine/x"]);
    expect(names({ owner: "ours", size: "large" })).toEqual(["lane"]);
    expect(names({ order: "units" })[0]).toBe("map9");
    expect(names({ order: "cells" })[0]).toBe("duel");
    expect([4, 6, 7, 8, 9].map((width) => sizeOf({ width, height: 1 }))).toEqual(["small", "small", "medium", "medium", "large"]);
  });

  it("builds the addresses", () => {
    expect(mapPath("duel")).toBe("/api/maps/duel");
    expect(mapPath("mine/a-b")).toBe("/api/maps/mine/a-b");
  });
});
