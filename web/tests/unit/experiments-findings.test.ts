// SPDX-License-Identifier: MIT
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { drawn as drawnTable, findings as findingTable } from "../../src/experiments/findings_text";
import { drawnWords, findingWords, labelWords, plotWords, sourceWords, unitWords } from "../../src/experiments/sentences";

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

const findings = said("rows_add_finding\\(\\s*out,[^\"]*?STRING");
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

  it("is of today: no finding is kept that the library does not have any more", () => {
    expect(Object.keys(findingTable).filter((format) => !findings.includes(format))).toEqual([]);
  });

  it.each(findings)("finding: %s", (format) => {
    const english = example(format);
    expect(findingWords(english, "ja")).not.toBe(english);
    expectJapanese(findingWords(english, "ja"), english);
    expect(findingWords(english, "en")).toBe(english);
  });

  it.each(findings)("finding with all its numbers: %s", (format) => {
    const told = [...format.matchAll(/%[-+.\d]*[dfgs]/g)];
    let at = 10;
    const english = format.replace(/%[-+.\d]*[dfg]/g, () => String(++at)).replace(/%s/g, "").replace(/%%/g, "%");
    const japanese = findingWords(english, "ja");
    const numbers = told.filter(([place]) => !place.endsWith("s")).map((_, i) => String(11 + i));
    for (const number of numbers) expect(japanese.split(/[^\d]+/)).toContain(number);
  });

  it.each(plots)("plot: %s", (title) => {
    const english = example(title);
    expect(plotWords(english, "ja")).not.toBe(english);
    expectJapanese(plotWords(english, "ja"), english);
  });

  it.each(drawn)("in a plot: %s", (words) => {
    const english = example(words);
    expectJapanese(drawnWords(english, "ja").replace(/TUBSTAP|SRPG|Age of Empires 2|StarCraft 2|Civilization V/, ""), english.replace(/Age of Empires 2|StarCraft 2|Civilization V/, ""));
    expect(drawnWords(english, "en")).toBe(english);
  });

  it("no words are kept for plots that have them no more", () => {
    const places = ["disambiguation factor %g", "leaf correlation %g"]; // an axis and where it is held
    expect(Object.keys(drawnTable).filter((words) => !drawn.includes(words) && !places.includes(words))).toEqual([]);
  });

  it.each(papers)("source: %s", (source) => {
    expect(sourceWords(source, "ja")).not.toBe(source);
    expectJapanese(sourceWords(source, "ja"), source);
    expect(sourceWords(source, "en")).toBe(source);
  });

  it.each([...labels, ...inserted])("label: %s", (label) => expectJapanese(labelWords(example(label), "ja"), example(label)));

  it.each(endings)("label that ends with '%s'", (ending) => {
    const label = `UCT 100${example(ending)}`;
    expectJapanese(labelWords(label, "ja"), label);
    expect(labelWords(label, "ja")).toMatch(/^UCT 100/);
  });
});

describe("examples", () => {
  it.each([
    [
      "AMCTS gets more than PIMC: over all df 2.053 (2.041 to 2.065); above 2.00 by its interval at 9 of 10 df, below at 0 (at which df the paper sees it cannot be read)",
      "AMCTSはPIMCより多く得る：全dfで2.053（2.041〜2.065）。区間によれば、10個のdfのうち9個で2.00を超え、0個で下回る（論文がどのdfでそう見たかは読み取れない）",
    ],
    [
      "both sides' playouts by PIMC: AMCTS and IIMC are about equal: each mean within 0.05 of 2.00 (the farthest: -0.057)",
      "両者のプレイアウトをPIMCで：AMCTSとIIMCはほぼ互角：どの平均も2.00から0.05以内（最大の差：-0.057）",
    ],
    [
      "10000 leaves: AMCTS takes far less time than IIMC, at 10 of 10 df: IIMC needs 1.2 to 3.4 times the time, 5.6 to 1.2e+03 times the leaves",
      "葉10000枚：AMCTSはIIMCよりはるかに短い時間で済む（10個のdfのうち10個）：IIMCは1.2〜3.4倍の時間、5.6〜1.2e+03倍の葉を要する",
    ],
    [
      "PIMC does poorly where leaf correlation is low: it loses more at 0 and 0.25 than at 0.75 and 1: by 0.077 points (0.020 to 0.174)",
      "葉の相関が低いところでPIMCは弱い：損失は0と0.25で、0.75と1より大きい：差は0.077ポイント（0.020〜0.174）",
    ],
    [
      "C by formula (2) as it is printed is clearly weaker than both: 23.8% (15.8 to 34.1) against A, 26.2% (17.9 to 36.8) against B",
      "印刷どおりの式(2)によるCは両者より明らかに弱い：Aに対して23.8%（15.8〜34.1）、Bに対して26.2%（17.9〜36.8）",
    ],
    ["something new: 3 of 4", "something new: 3 of 4"],
  ])("finding: %s", (english, japanese) => expect(findingWords(english, "ja")).toBe(japanese));

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
    expect(labelWords(english, "ja")).toBe(japanese);
    expect(labelWords(english, "en")).toBe(english);
  });

  it("plots, sources and units", () => {
    expect(plotWords("Figure 6: AMCTS against PIMC, 0.01 s a move", "ja")).toBe("図6：AMCTS対PIMC、1手0.01秒");
    expect(plotWords("As figure 6, 10000 leaves a move in place of the time", "ja")).toBe("図6と同じ。時間の代わりに1手あたり葉10000枚");
    expect(sourceWords("Sato, Fujiki and Ikeda, section 7.4, table 7, figures 9 to 11", "ja")).toBe("佐藤・藤木・池田、7.4節、表7、図9〜11");
    expect(sourceWords("somebody, 2030", "ja")).toBe("somebody, 2030");
    expect([unitWords("points", "ja"), unitWords("ms", "ja"), unitWords("points", "en")]).toEqual(["ポイント", "ms", "points"]);
  });
});
