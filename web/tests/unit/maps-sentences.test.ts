// SPDX-License-Identifier: MIT
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { newMap, placeUnit } from "../../src/maps/edit";
import { cellsOf, isKnownSentence, sayIn } from "../../src/maps/sentences";

const names: Record<string, string> = { red: "赤軍", blue: "青軍", panzer: "戦車", sea: "海", fighter: "戦闘機", wood: "森" };
const word = (name: string) => names[name] ?? name;
const map = placeUnit(placeUnit(newMap(4, 4), [2, 3], { type: "panzer", side: "red", hp: 10 }), [4, 4], {
  type: "panzer",
  side: "blue",
  hp: 10,
});

describe("what is wrong with a map", () => {
  it.each([
    ["border cell 0,3 is sea; the outer ring must be no-entry (0)", "海", [[0, 3]]],
    ["unit 0 (panzer) stands at 2,3 on sea, which it cannot enter", "戦車", [[2, 3]]],
    ["unit 1 (panzer) stands at 7,9, outside the playable cells 1..4,1..4", "盤の外", [[7, 9]]],
    ["unit 1 has HP 120; expected 1 to 99", "120", [[4, 4]]],
    ["unit 0 has HP 20, more than the usual 10", "通常の10", [[2, 3]]],
    ["units 0 and 1 both stand at 4,4", "同じマス", [[4, 4]]],
    ["red has no units", "赤軍にユニットがありません", []],
    ["blue has 70 units; at most 64 fit", "64体まで", []],
    ["TURNLIMIT is 'x'; expected a number from 1 to 9999", "TURNLIMIT", []],
    ["turn_limit is out of range or no number; expected a whole number from 1 to 9999", "turn_limit", []],
    ["unit 1: hp is missing; expected a whole number from 1 to 99", "ユニット1", [[4, 4]]],
    ["unit 1: type is 'tank'; expected fighter, attacker, panzer, cannon, antiair or infantry", "ユニット1", [[4, 4]]],
  ] as const)("%s", (sentence, part, cells) => {
    expect(sayIn("ja", sentence, word)).toContain(part);
    expect(sayIn("ja", sentence, word)).toMatch(/。$/);
    expect(cellsOf(sentence, map)).toEqual(cells);
  });

  it("is a sentence in English, too", () => {
    expect(sayIn("en", "red has no units", word)).toBe("Red has no units.");
    expect(sayIn("en", "Nothing here.", word)).toBe("Nothing here.");
  });

  it("stays as it is when it is new", () => {
    expect(isKnownSentence("the moon is full")).toBe(false);
    expect(sayIn("ja", "the moon is full", word)).toBe("The moon is full.");
    expect(cellsOf("look at (3, 4)", map)).toEqual([[3, 4]]);
  });
});

describe("what is remarkable about it", () => {
  it.each([
    ["red is favoured: it scores 70% between equals", "赤軍が有利です：同じ強さどうしの対局で得点率70%です。"],
    ["blue's first turn destroys 1 of 3 red units in 61% of games", "青軍は最初のターンで、61%の対局で赤軍の3体のうち1体を倒します。"],
    ["red's first turn destroys all 2 blue units in every game", "赤軍は最初のターンで、毎回青軍の2体すべてを倒します。"],
    ["the red panzer at (3, 4) never attacks", "赤軍の戦車 (3, 4) は一度も攻撃しません。"],
    ["the blue fighter attacks in only 8% of games", "青軍の戦闘機が攻撃するのは対局の8%だけです。"],
    ["2 isolated roads at (3, 4) and (5, 1)", "孤立した道路が2か所あります：(3, 4)、(5, 1)。"],
    ["every game goes to the turn limit", "すべての対局がターン上限まで続きます。"],
    ["terrain is strewn: no woods or sea hang together", "地形が散らばっています：森・海がまったくまとまっていません。"],
    ["woods, mountains and sea lie in patches", "森・山・海がまとまりを成しています。"],
  ])("%s", (sentence, japanese) => {
    expect(sayIn("ja", sentence, word)).toBe(japanese);
  });

  it("names its cells", () => {
    expect(cellsOf("2 isolated roads at (3, 4) and (5, 1)", map)).toEqual([[3, 4], [5, 1]]);
    expect(cellsOf("the red panzer at (3, 4) never attacks", map)).toEqual([[3, 4]]);
  });
});

/** The formats of a C source's messages with numbers filled in: a sentence without translation fails here. */
function formats(file: string, call: RegExp): string[] {
  const source = readFileSync(new URL(`../../../src/${file}`, import.meta.url), "utf8").replace(/"\s*\n\s*"/g, "");
  return [...source.matchAll(call)].map((match) =>
    (match[1] as string)
      .replace(/\\"/g, '"')
      .replace(/%%/g, "%")
      .replace(/%(\.\d+)?f/g, "3.5")
      .replace(/%d/g, "3"),
  );
}

describe("the server's own sentences", () => {
  const problems = formats("game/tbs/map.c", /tbs_problems_add\([^";{]*"((?:[^"\\]|\\.)*)"/g).filter((format) => format !== "not enough memory");
  const remarks = formats("evolve/remarks.c", /add_remark\(m, [^"]*"((?:[^"\\]|\\.)*)"/g);

  it("are all found", () => {
    expect(problems.length).toBeGreaterThanOrEqual(19);
    expect(remarks.length).toBeGreaterThanOrEqual(25);
  });

  /** Values of %s: tried in turn until the sentence is recognised. */
  const phrases = ["red", "blue", "sea", "SIZEX", "first", "the red panzer", "in every game", "every game goes", "every game is", "", "between equals", "never attacks", "woods", "were", "has no enemy it can attack", "have no enemy they can attack"];

  function someFilling(format: string): boolean {
    if (!format.includes("%s")) return isKnownSentence(format);
    return phrases.some((phrase) => someFilling(format.replace("%s", phrase)));
  }

  it.each(problems)("map check: %s", (format) => {
    expect(someFilling(format)).toBe(true);
  });

  it.each(remarks)("remarks: %s", (format) => {
    expect(someFilling(format)).toBe(true);
  });
});
