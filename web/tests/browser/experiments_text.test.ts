// SPDX-License-Identifier: MIT
//
// Every text of every experiment has its Japanese. The program itself makes the results, from the trials in
// tests/expected/repro, so that it does not matter how its sources are written.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

import type { ExperimentInfo, Message, ReproResult } from "../../src/api/types";
import { findings as findingTable, labels as labelTable, plots as plotTable, sources as sourceTable, verdicts } from "../../src/experiments/findings_text";
import { drawnText, findingText, labelText, plotText, sourceText, unitText } from "../../src/experiments/result_text";
import { program } from "./support";

const folder = mkdtempSync(join(tmpdir(), "senjutsu-repro-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: string[]) => execFileSync(program, args, { encoding: "utf8", env: { PATH: folder } }); // without gnuplot

/** All results: journals are continued by the same version only, and hold as many trials as their first line has. */
function resultsOfAll(): ReproResult[] {
  const out = join(folder, "out");
  const journals = new URL("../../../tests/expected/repro/", import.meta.url);
  const version = run(["--version"]).split(/\s+/)[1]!;
  const names = (JSON.parse(run(["repro", "list", "--json"])) as ExperimentInfo[]).map(({ name }) => name);
  const trials = new Map<string, string>();
  mkdirSync(out);
  for (const file of readdirSync(journals).filter((name) => name.endsWith(".journal"))) {
    const journal = readFileSync(new URL(file, journals), "utf8").replace("program=ANY", `program=${version}`);
    trials.set(file.replace(".journal", ""), / trials=(\d+)/.exec(journal)![1]!);
    writeFileSync(join(out, file), journal);
  }
  let before = "1"; // an experiment without a journal evaluates the trials of the one before it
  const groups = names.map((name) => ({ name, trials: (before = trials.get(name) ?? before) }));
  for (const count of new Set(groups.map((one) => one.trials)))
    run(["repro", ...groups.filter((one) => one.trials === count).map(({ name }) => name), "--trials", count, "--jobs", "1", "--quiet", "--out", out]);
  return names.map((name) => JSON.parse(readFileSync(join(out, `${name}.json`), "utf8")) as ReproResult);
}

const results = resultsOfAll();
const plots = results.flatMap((result) => result.plots);
const messages: Message[] = results.flatMap(({ rows, findings, plots: drawn, parameters: { cells } }) => [
  ...[...rows, ...cells].flatMap((one) => one.label_messages ?? []),
  ...findings.flatMap((one) => one.first_messages ?? []),
  ...drawn.flatMap((one) => (one.texts ?? []).flatMap((text) => text.messages)),
]);
const unique = (texts: string[]) => [...new Set(texts)];

/** What a plot shows: axes, keys and titles of its script, words in its data. */
function textsIn(plot: { name: string }): string[] {
  const read = (ending: string) => readFileSync(join(folder, "out", `${plot.name}.${ending}`), "utf8");
  const data = read("csv").split("\n").slice(1).join("\n");
  const found = [...read("gp").matchAll(/(?:label(?: \d+)?|title) "([^"]+)"/g), ...data.matchAll(/(?:^|,)(?:"([^"]+)"|([^",\n]*[a-z]{3}[^",\n]*))/gm)];
  return unique(found.flatMap(([, quoted, plain]) => (quoted ?? plain ?? "").split("\\n"))); // a title of two lines
}

/** Rules, presets, maps, players, games, and names of methods and papers are the same in both languages. */
const names =
  /[-+]?inf|\b(nan|always|never|keep|both|designer|duel|rooms|lane|standard|eacp|purple|random|synth|kuhn|geister|less|uniform|block|region|nissy|march|geist|guess|gst|senjutsu|progressive widening|Min-Max|TUBSTAP|SRPG|Age of Empires 2|StarCraft 2|Civilization V)\b|“.*”|[A-Z][a-z]+(?=[・、])/g;

function expectJapanese(japanese: string, english: string): void {
  if (/[a-z]{3}/.test(english.replace(names, ""))) expect(japanese, english).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
  expect(japanese.replace(names, ""), english).not.toMatch(/[a-z]{3}|\{\w?\d/);
}

describe("Japanese texts of all experiments", () => {
  it.each(results.map((result): [string, ReproResult] => [result.name, result]))("%s", (_, result) => {
    expectJapanese(sourceText(result, "ja"), result.source);
    expect(sourceText(result, "en")).toBe(result.source);
    expect(result.rows.length).toBeGreaterThan(0);
    for (const row of result.rows) {
      expectJapanese(labelText(row, "ja"), row.label);
      expect(labelText(row, "en")).toBe(row.label);
      expect(row.label_messages?.map(({ text }) => text).join("")).toBe(row.label);
      expect(unitText(row.unit, "ja")).not.toMatch(/[a-z]{3}/);
      expect(Object.keys(verdicts)).toContain(row.code);
    }
    for (const finding of result.findings) {
      const japanese = findingText(finding, "ja");
      expectJapanese(japanese, finding.text);
      for (const arg of (finding.args ?? []).filter((one) => /^\d+$/.test(one))) expect(japanese.split(/[^\d]+/)).toContain(arg);
      expect(findingText(finding, "en")).toBe(finding.text);
    }
    for (const plot of result.plots) {
      expectJapanese(plotText(plot, "ja"), plot.title);
      for (const text of textsIn(plot)) {
        expectJapanese(drawnText(text, plot, result, "ja"), text);
        expect(drawnText(text, plot, result, "en")).toBe(text);
      }
    }
  });

  it.each([
    ["findings", findingTable, results.flatMap((result) => result.findings.map(({ code }) => code ?? ""))],
    ["labels", labelTable, messages.map(({ code }) => code ?? "").filter((code) => code !== "")],
    ["plots", plotTable, plots.map(({ name }) => name)],
    ["sources", sourceTable, results.map(({ name }) => name)],
  ])("there is one for each of the %s, and none besides", (_, table, used) => expect(Object.keys(table).sort()).toEqual(unique(used).sort()));
});
