// SPDX-License-Identifier: MIT
//
// Texts of the library about a result (src/repro), in the current language: verdicts, summaries and findings by code,
// plots and sources by name, labels by their parts. Unknown ones stay English.

import { number } from "../app/format";
import type { Language } from "../app/text";
import type { Finding, Message, ReproPlot, ReproResult, ReproRow } from "../api/types";
import { translated } from "../common/messages";
import { findings, labels, plots, sources, summaries, units, verdicts } from "./findings_text";

/** 15500 as "15,500", 39.7 as "39.7": three significant digits, no powers of ten. */
function factor(text: string, at: Language): string {
  const value = Number(text);
  return number(value, value >= 100 ? 0 : 1, at);
}

export function verdictText(row: Pick<ReproRow, "verdict" | "code" | "args">, at: Language): string {
  const { verdict, code, args } = row;
  if (at === "ja") return translated({ text: verdict, code, args }, verdicts, (times) => factor(times, at)) ?? verdict;
  const times = code === "verdict.faster" || code === "verdict.slower" ? args?.[0] : undefined;
  return times === undefined ? verdict : `${code === "verdict.faster" ? "faster" : "slower"} (× ${factor(times, at)})`;
}

export function summaryText(result: { summary: string; summary_messages?: Message[] }, at: Language): string {
  const parts = at === "ja" ? (result.summary_messages ?? []).map((message) => translated(message, summaries)) : [];
  return parts.length === 0 || parts.includes(null) ? result.summary : parts.map((part) => `${part}。`).join("");
}

/** A label in parts. A part without a code is the same in every language, except for its punctuation. Without parts (a
 *  result of an earlier version) it stays English. */
function partsText(text: string, parts: readonly Message[] | undefined, at: Language): string {
  if (at === "en" || parts === undefined) return text;
  return parts.map((part) => translated(part, labels) ?? part.text.replaceAll(": ", "：").replaceAll(", ", "、")).join("");
}

export function findingText(finding: Finding, at: Language): string {
  if (at === "en") return finding.text;
  const word = (arg: string) => partsText(arg, arg === finding.args?.[0] ? finding.first_messages : [{ text: arg }], at);
  return translated(finding, findings, word) ?? finding.text;
}

export function plotText(plot: { name: string; title?: string }, at: Language): string {
  return (at === "ja" ? plots[plot.name] : undefined) ?? plot.title ?? plot.name;
}

export function sourceText(experiment: { name: string; source?: string }, at: Language): string {
  return (at === "ja" ? sources[experiment.name] : undefined) ?? experiment.source ?? "";
}

export type Scaled = Partial<Pick<ReproResult, "trials" | "trials_whole" | "quick" | "scale">>;

/** "quick, 40 of 500 trials" of a run that is smaller than the whole experiment, else "". */
export function scaleText(result: Scaled, at: Language): string {
  const text = result.scale ?? "";
  if (text === "" || at === "en") return text;
  const args = [String(result.trials), String(result.trials_whole)];
  return translated({ text, code: result.quick === true ? "summary.quick" : "summary.part", args }, summaries) ?? text;
}

/** A title with the scale behind it. */
export function scaled(title: string, result: Scaled, at: Language): string {
  const scale = scaleText(result, at);
  if (scale === "") return title;
  return at === "ja" ? `${title}（${scale}）` : `${title} (${scale})`;
}

/** A text in a plot: its title, an axis, an entry of the key, or the label of a row. */
export function drawnText(text: string, plot: ReproPlot, result: Scaled & { rows?: readonly ReproRow[] }, at: Language): string {
  if (at === "en") return text;
  if (text === plot.title) return plotText(plot, at);
  if (text === result.scale) return scaleText(result, at);
  const parts = plot.texts?.find((one) => one.text === text)?.messages ?? result.rows?.find((row) => row.label === text)?.label_messages;
  return partsText(text, parts, at);
}

/** The label of a row, or of a cell. */
export function labelText(of: { label: string; label_messages?: Message[] }, at: Language): string {
  return partsText(of.label, of.label_messages, at);
}

export function unitText(unit: string, at: Language): string {
  return at === "ja" ? (units[unit] ?? unit) : unit;
}

/** A title as a heading: English starts with a capital. */
export function heading(title: string): string {
  return title.slice(0, 1).toUpperCase() + title.slice(1);
}
