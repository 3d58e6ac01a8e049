// SPDX-License-Identifier: MIT
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { drawn as drawnTable, findings as findingTable } from "../../src/experiments/findings_text";
import { drawnText, findingText, labelText, plotText, sourceText, unitText } from "../../src/experiments/result_text";

const folder = new URL("../../../src/repro/", import.meta.url);

/** The library's sources without comments; what is written as several strings, or as a macro and a string, is one. */
function sources(): string {
  const text = readdirSync(folder)
    .filter((name) => /\.[ch]$/.test(name))
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("\n")
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\\\n/g, "\n");
  const macros = new Map([...text.matchAll(/#define ([A-Z]+_SOURCE) ("[^"]*")/g)].map((found) => [found[1]!, found[2]!]));
  return text
    .replace(/[A-Z]+_SOURCE(?= ")/g, (name) => macros.get(name) ?? name)
    .replace(/figure " #number/g, 'figure 2"')
    .replace(/(?<!\\)"\s+"/g, "");
}

const text = sources();
const STRING = '"((?:[^"\\\\]|\\\\.)*)"';

/** All strings that stand where the pattern says STRING. */
function said(...patterns: string[]): string[] {
  const found = patterns.flatMap((pattern) => [...text.matchAll(new RegExp(pattern.replaceAll("STRING", STRING), "g"))]);
  return [...new Set(found.map((one) => one[1]!.replace(/\\"/g, '"')))];
}

/** A format with something in each place; what comes without a space in front begins with a comma. */
function example(format: string): string {
  return format
    .replace(/(?<=\w)%s/g, ", 0.01 s")
    .replace(/%s/g, "PIMC")
    .replace(/%c/g, "A")
    .replace(/%d/g, "3")
    .replace(/%\+[.\d]*f/g, "-0.125")
    .replace(/%[.\d]*[fg]/g, "1.5e+03")
    .replace(/%%/g, "%");
}

/** Rules, presets, maps, players, and names of methods and papers are the same in both languages. */
const names = /\b(always|never|designer|duel|rooms|lane|standard|eacp|purple|progressive widening|Min-Max)\b|“.*”|[A-Z][a-z]+(?=[・、])/g;

function expectJapanese(japanese: string, english: string): void {
  if (/[a-z]{3}/.test(english.replace(names, ""))) expect(japanese).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
  expect(japanese.replace(names, "")).not.toMatch(/[a-z]{3}|\{\d/);
}

/** Findings as the server sends them: code, format, and arguments made from it. */
const findings = [...text.matchAll(/rows_add_finding\(\s*out,[^"]*?"(finding\.\w+)",\s*"((?:[^"\\]|\\.)*)"/g)].map((found): [string, string] => [found[1]!, found[2]!]);
const conversions = (format: string) => [...format.replaceAll("%%", "").matchAll(/%[-+.\d]*[dfgs]/g)].map(([place]) => place);
const plots = said(
  "(?:plot_add|plot_rows|plot_slices|synth_plot_\\w+|draw_(?:payoffs|costs))\\([^\";]*\"[^\"]*\",\\s*STRING",
  "\\bdraw\\(out, STRING",
  "snprintf\\(title, sizeof title, STRING",
);
const papers = said("\\.source =\\s*STRING");
const inserted = said("judge_(?:weakness|losses)\\([^\";{]*STRING", "SPACE_\\w+,\\s*STRING\\}");
const labels = said(
  "rows_add(?:_\\w+)?\\((?:out|data, out), STRING",
  "rows_label\\(label, STRING",
  "snprintf\\(label, sizeof label, STRING",
  "\\b(?:synth_add_rows|add_row|add_mean)\\(data,[^\";]*?STRING",
  "snprintf\\(what, sizeof what, STRING",
  "\\.label = STRING",
  "\\{STRING, \\w+, \\{", // cells
  "\\] = \\{STRING, \"[^\"]*\", [\\d]+\\}", // features of maps
  "\\{STRING, \\w+_(?:is|are|leans)_\\w+\\}", // claims
  "\\{SPACE_\\w+, STRING\\}",
  "\\{STRING, \\{\\d+, \\d+, \\d\\}", // pairs of players
);
/** What stands in plots beside titles and labels: axes, keys, and the games of figure 2. */
const drawn = [
  ...said(
    "struct plot_bars\\)\\{\"[^\"]*\", STRING",
    "\\.axis(?:_[xy])? =\\s*STRING",
    "set [xy]label \\\\\"((?:[^\"\\\\%]|%%|%\\.0f)+)\\\\\"",
    "[^g] title \\\\\"((?:[^\"\\\\%]|% |%d)+)\\\\\"",
    "\\[SPACE_\\w+\\] = \\{STRING, SPACE_",
    "(?:TOP - BOTTOM|ROW_HEIGHT), STRING\\}",
    "\\{STRING, (?:BOARD|BASIC|COMPLEX|AFFAIRS|SRPG), ",
  ),
  ...[...text.matchAll(/(?:leads\[\]|cluster_names\[CLUSTERS\]) = \{([^}]*)\}/g)].flatMap((found) => [...found[1]!.matchAll(/"([^"]*)"/g)].map((one) => one[1]!)),
];

/** What labels end with: after a comma, a colon or a space. */
const endings = said(
  "rows_label\\(label, [^\"]*?STRING\\)",
  "\\? \"[^\"]*\" : STRING\\);",
  "SYNTH_CELLS?\\(STRING",
  "#define [A-Z0-9_]+\\s+\"(, [^\"]*)\"",
  "\\{position STRING",
).filter((ending) => /^(, |: | )/.test(ending));

describe("what the library says, in Japanese", () => {
  it("is found in its sources", () => {
    expect(findings.length).toBe(text.match(/rows_add_finding\(\s*out,/g)!.length);
    expect(plots.length).toBeGreaterThanOrEqual(31);
    expect(papers.length).toBe(text.match(/\.source =/g)!.length);
    expect(inserted.length).toBeGreaterThanOrEqual(13);
    expect(labels.length).toBeGreaterThanOrEqual(80);
    expect(drawn.length).toBeGreaterThanOrEqual(50);
    expect(endings.length).toBeGreaterThanOrEqual(25);
  });

  it("has a text for every finding, and none besides", () => {
    expect(Object.keys(findingTable).sort()).toEqual([...new Set(findings.map(([code]) => code))].sort());
  });

  it.each(findings)("finding: %s", (code, format) => {
    const args = conversions(format).map((place, at) => (place.endsWith("s") ? "PIMC" : String(11 + at)));
    const japanese = findingText({ text: format, code, args }, "ja");
    expectJapanese(japanese, format);
    for (const arg of args.filter((one) => one !== "PIMC")) expect(japanese.split(/[^\d]+/)).toContain(arg);
    expect(findingText({ text: format, code, args }, "en")).toBe(format);
  });

  it.each(plots)("plot: %s", (title) => {
    const english = example(title);
    expect(plotText(english, "ja")).not.toBe(english);
    expectJapanese(plotText(english, "ja"), english);
  });

  it.each(drawn)("in a plot: %s", (words) => {
    const english = example(words);
    expectJapanese(drawnText(english, "ja").replace(/TUBSTAP|SRPG|Age of Empires 2|StarCraft 2|Civilization V/, ""), english.replace(/Age of Empires 2|StarCraft 2|Civilization V/, ""));
    expect(drawnText(english, "en")).toBe(english);
  });

  it("no words are kept for plots that have them no more", () => {
    const places = ["disambiguation factor %g", "leaf correlation %g"]; // an axis and where it is held
    expect(Object.keys(drawnTable).filter((words) => !drawn.includes(words) && !places.includes(words))).toEqual([]);
  });

  it.each(papers)("source: %s", (source) => {
    expect(sourceText(source, "ja")).not.toBe(source);
    expectJapanese(sourceText(source, "ja"), source);
    expect(sourceText(source, "en")).toBe(source);
  });

  it.each([...labels, ...inserted])("label: %s", (label) => expectJapanese(labelText(example(label), "ja"), example(label)));

  it.each(endings)("label that ends with '%s'", (ending) => {
    const label = `UCT 100${example(ending)}`;
    expectJapanese(labelText(label, "ja"), label);
    expect(labelText(label, "ja")).toMatch(/^UCT 100/);
  });
});

describe("examples", () => {
  it.each([
    [
      "finding.amcts_gets_more_over",
      ["", "", "PIMC", "2.053", "2.041", "2.065", "9", "10", "0"],
      "AMCTSはPIMCより多く得る：全dfで2.053（2.041〜2.065）。区間によれば、10個のdfのうち9個で2.00を超え、0個で下回る（論文がどのdfでそう見たかは読み取れない）",
    ],
    [
      "finding.amcts_about_equal_each",
      ["both sides' playouts by PIMC", ": ", "IIMC", "0.05", "-0.057"],
      "両者のプレイアウトをPIMCで：AMCTSとIIMCはほぼ互角：どの平均も2.00から0.05以内（最大の差：-0.057）",
    ],
    [
      "finding.amcts_takes_far_less",
      ["10000 leaves", ": ", "IIMC", "10", "10", "IIMC", "1.2", "3.4", "5.6", "1.2e+03"],
      "葉10000枚：AMCTSはIIMCよりはるかに短い時間で済む（10個のdfのうち10個）：IIMCは1.2〜3.4倍の時間、5.6〜1.2e+03倍の葉を要する",
    ],
    [
      "finding.points",
      ["PIMC does poorly where leaf correlation is low: it loses more at 0 and 0.25 than at 0.75 and 1", "0.077", "0.020", "0.174"],
      "葉の相関が低いところでPIMCは弱い：損失は0と0.25で、0.75と1より大きい：差は0.077ポイント（0.020〜0.174）",
    ],
    [
      "finding.clearly_weaker_both_against",
      ["C by formula (2) as it is printed", "23.8", "15.8", "34.1", "26.2", "17.9", "36.8"],
      "印刷どおりの式(2)によるCは両者より明らかに弱い：Aに対して23.8%（15.8〜34.1）、Bに対して26.2%（17.9〜36.8）",
    ],
    ["finding.new", ["3"], "in English"],
  ])("finding: %s", (code, args, japanese) => expect(findingText({ text: "in English", code, args }, "ja")).toBe(japanese));

  it.each([
    ["Min-Max depth 1 is wrong", "Min-Maxの深さ1は誤り"],
    ["UCT 1000", "UCT 1000"],
    ["UCT 1000 ms", "UCT 1000：時間"],
    ["fig. 4 twice, (c) threat, depth 1: positions", "図4を二つ、(c) 脅威の評価、深さ1：局面数"],
    ["df 0.6 to 1.0, both sides' playouts by PIMC: payoff", "df 0.6〜1.0、両者のプレイアウトをPIMCで：利得"],
    ["df 0.1, 6w keep against IIMC: leaves, IIMC's are 1", "df 0.1、6w keep 対 IIMC：葉の数、IIMCを1とする"],
    ["C as printed against A, both", "印刷どおりのC 対 A、先後合計"],
    ["B, total, even simulations", "B、合計、均等なシミュレーション"],
    ["10 actions, 6 units: n^r * r!", "10行動、6ユニット：n^r * r!"],
    ["variance of component 2 (%), not standardized", "第2主成分の寄与率（%）、標準化なし"],
  ])("label: %s", (english, japanese) => {
    expect(labelText(english, "ja")).toBe(japanese);
    expect(labelText(english, "en")).toBe(english);
  });

  it("plots, sources and units", () => {
    expect(plotText("Figure 6: AMCTS against PIMC, 0.01 s a move", "ja")).toBe("図6：AMCTS対PIMC、1手0.01秒");
    expect(plotText("As figure 6, 10000 leaves a move in place of the time", "ja")).toBe("図6と同じ。時間の代わりに1手あたり葉10000枚");
    expect(sourceText("Sato, Fujiki and Ikeda, section 7.4, table 7, figures 9 to 11", "ja")).toBe("佐藤・藤木・池田、7.4節、表7、図9〜11");
    expect(sourceText("somebody, 2030", "ja")).toBe("somebody, 2030");
    expect([unitText("points", "ja"), unitText("ms", "ja"), unitText("points", "en")]).toEqual(["ポイント", "ms", "points"]);
  });
});
