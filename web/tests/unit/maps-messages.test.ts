// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { Cell, Message } from "../../src/api/types";
import { newMap, placeUnit } from "../../src/maps/edit";
import { cellsOf, messages_ja, sentenceIn } from "../../src/maps/messages";

const names: Record<string, string> = { red: "赤軍", blue: "青軍", panzer: "戦車", sea: "海", fighter: "戦闘機", wood: "森" };
const word = (name: string) => names[name] ?? name;
const map = placeUnit(placeUnit(newMap(4, 4), [2, 3], { type: "panzer", side: "red", hp: 10 }), [4, 4], {
  type: "panzer",
  side: "blue",
  hp: 10,
});

const message = (code: string, args: string[], more: Partial<Message> = {}): Message => ({ text: "English", code, args, ...more });

describe("problems of a map in Japanese", () => {
  const cases: [string, string[], Partial<Message>, string, Cell[]][] = [
    ["problem.border", ["0", "3", "sea"], { cells: [[0, 3]] }, "海", [[0, 3]]],
    ["problem.unit_terrain", ["0", "panzer", "2", "3", "sea"], { cells: [[2, 3]] }, "戦車", [[2, 3]]],
    ["problem.unit_outside", ["1", "panzer", "7", "9", "4", "4"], { cells: [[7, 9]] }, "盤の外", [[7, 9]]],
    ["problem.hp", ["1", "120", "99"], { unit: 1 }, "120", [[4, 4]]],
    ["problem.hp_high", ["0", "20", "10"], { unit: 0 }, "通常の10", [[2, 3]]],
    ["problem.same_cell", ["0", "1", "4", "4"], { cells: [[4, 4]] }, "同じマス", [[4, 4]]],
    ["problem.no_units", ["red"], {}, "赤軍にユニットがありません", []],
    ["problem.side_units", ["blue", "70", "64"], {}, "64体まで", []],
    ["problem.number", ["TURNLIMIT", "x", "1", "9999"], {}, "TURNLIMIT", []],
    ["problem.unit_number", ["1", "team", "7", "0", "1"], { unit: 1 }, "ユニット1の陣営が「7」です", [[4, 4]]],
    ["problem.json_number", ["turn_limit", "is out of range or no number", "1", "9999"], {}, "turn_limitは1〜9999の整数", []],
    ["problem.json_unit_missing", ["1", "hp", "is missing", "1", "99"], { unit: 1 }, "ユニット1：hpがありません。1〜99の整数", [[4, 4]]],
    ["problem.json_name", ["1", "type", "'", "tank", "'", "fighter or infantry"], { unit: 1 }, "ユニット1のtypeはfighter or infantryの", [[4, 4]]],
  ];
  it.each(cases)("%s", (code, args, more, part, cells) => {
    expect(sentenceIn("ja", message(code, args, more), word)).toContain(part);
    expect(sentenceIn("ja", message(code, args, more), word)).toMatch(/。$/);
    expect(cellsOf(message(code, args, more), map)).toEqual(cells);
  });

  it("is a sentence in English, too", () => {
    expect(sentenceIn("en", { text: "red has no units", code: "problem.no_units", args: ["red"] })).toBe("Red has no units.");
    expect(sentenceIn("en", { text: "Nothing here." })).toBe("Nothing here.");
  });

  it("stays English when it is new, or without a code", () => {
    expect(sentenceIn("ja", { text: "the moon is full", code: "problem.moon", args: [] }, word)).toBe("The moon is full.");
    expect(sentenceIn("ja", { text: "red has no units" }, word)).toBe("Red has no units.");
    expect(cellsOf({ text: "look at (3, 4)" }, map)).toEqual([]);
    expect(cellsOf({ text: "", unit: 7, cells: [[1, 2]] }, map)).toEqual([[1, 2]]);
  });
});

describe("remarks about a map in Japanese", () => {
  const cases: [string, string[], Cell[], string][] = [
    ["remark.favoured", ["red", "70", "between equals"], [], "赤軍が有利です：同じ強さどうしの対局で得点率70%です。"],
    ["remark.even_either", ["50", "with either player"], [], "どちらの側も有利ではありません：どちらが指しても赤軍の得点率は50%です。"],
    ["remark.mover_wins", ["second", "90"], [], "同じ強さどうしの対局では後手が90%勝ちます。"],
    ["remark.first_some", ["blue", "1", "3", "red", "61"], [], "青軍は最初のターンで、61%の対局で赤軍の3体のうち1体を倒します。"],
    ["remark.first_all_always", ["red", "2", "blue"], [], "赤軍は最初のターンで、毎回青軍の2体すべてを倒します。"],
    ["remark.never_attacks", ["red", "panzer", " at (3, 4)"], [[3, 4]], "赤軍の戦車 (3, 4) は一度も攻撃しません。"],
    ["remark.idle", ["blue", "fighter", "", "8"], [[2, 2]], "青軍の戦闘機 (2, 2) が攻撃するのは対局の8%だけです。"],
    ["remark.isolated_roads", ["2", " at (3, 4) and (5, 1)"], [[3, 4], [5, 1]], "孤立した道路が2か所あります：(3, 4)、(5, 1)。"],
    ["remark.isolated_roads", ["9", ""], [], "孤立した道路が9か所あります。"],
    ["remark.limit_always", [], [], "すべての対局がターン上限まで続きます。"],
    ["remark.strewn_all", ["woods", " or ", "sea", "", "", ""], [], "地形が散らばっています：森・海がまったくまとまっていません。"],
    ["remark.patches", ["woods", ", ", "mountains", " and ", "sea", ""], [], "森・山・海がまとまりを成しています。"],
  ];
  it.each(cases)("%s %s", (code, args, cells, japanese) => {
    expect(sentenceIn("ja", message(code, args, { cells }), word)).toBe(japanese);
    expect(cellsOf(message(code, args, { cells }), map)).toEqual(cells);
  });
});

it.each(Object.entries(messages_ja))("%s ends as a sentence, or with a reason", (_code, text) => expect(text).toMatch(/(。|：\{1\})$/));
