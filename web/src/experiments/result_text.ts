// SPDX-License-Identifier: MIT
//
// Texts of the library about a result (src/repro), in the current language: verdicts, summaries and findings by code,
// plots and sources by name, labels by their English. Unknown ones stay English.

import { number } from "../app/format";
import { fill, type Language } from "../app/text";
import type { Message, ReproRow } from "../api/types";
import { translated, type Texts } from "../common/messages";
import { drawn, findings, phrases, plots, sources, summaries, units, verdicts } from "./findings_text";

/** 15500 as "15,500", 39.7 as "39.7": three significant digits, no powers of ten. */
function factor(told: string, at: Language): string {
  const value = Number(told);
  return number(value, value >= 100 ? 0 : 1, at);
}

export function verdictText(row: Pick<ReproRow, "verdict" | "code" | "args">, at: Language): string {
  const { verdict, code, args } = row;
  if (at === "ja") return translated({ text: verdict, code, args }, verdicts, (times) => factor(times, at)) ?? verdict;
  const times = code === "verdict.faster" || code === "verdict.slower" ? args?.[0] : undefined;
  return times === undefined ? verdict : `${code === "verdict.faster" ? "faster" : "slower"} (× ${factor(times, at)})`;
}

export function summaryText(told: { summary: string; summary_messages?: Message[] }, at: Language): string {
  const parts = at === "ja" ? (told.summary_messages ?? []).map((message) => translated(message, summaries)) : [];
  return parts.length === 0 || parts.includes(null) ? told.summary : parts.map((part) => `${part}。`).join("");
}

// ---- labels ----

const NUMBER = "[-+]?(?:[\\d.]+(?:e[-+]?\\d+)?|nan|inf)";

/** A label with numbers and names in it, as a pattern: "depth %d". */
function patternOf(label: string): RegExp {
  const pattern = label.replace(/%%|%[.\d]*[dfgs]|[.*+?^${}()|[\]\\]/g, (found) =>
    found === "%%" ? "%" : !found.startsWith("%") ? `\\${found}` : found.endsWith("s") ? "(.*?)" : `(${NUMBER})`,
  );
  return new RegExp(`^${pattern}$`);
}

/** Null: the table has no such label. */
function labelOf(known: [RegExp, string][], label: string): string | null {
  for (const [pattern, text] of known) {
    const parts = pattern.exec(label);
    if (parts !== null) return fill(text, Object.fromEntries(parts.map((part, at) => [at, at === 0 ? part : phraseOf(part)])));
  }
  return null;
}

const labels = (table: Texts) => Object.entries(table).map(([label, text]): [RegExp, string] => [patternOf(label), text]);
const knownPhrases = labels(phrases);
const joints: Texts = { ": ": "：", ", ": "、" };

/** Translates the whole label, or else its parts; names and specs are unchanged. */
function phraseOf(text: string): string {
  if (phrases[text] !== undefined) return phrases[text];
  const pieces = text.split(/(: |, )/);
  if (pieces.length > 1) return pieces.map((piece) => joints[piece] ?? phraseOf(piece)).join("");
  return labelOf(knownPhrases, text) ?? text;
}

export function findingText(finding: Message, at: Language): string {
  return at === "ja" ? (translated(finding, findings, phraseOf) ?? finding.text) : finding.text;
}

export function plotText(plot: { name: string; title?: string }, at: Language): string {
  return (at === "ja" ? plots[plot.name] : undefined) ?? plot.title ?? plot.name;
}

export function sourceText(experiment: { name: string; source?: string }, at: Language): string {
  return (at === "ja" ? sources[experiment.name] : undefined) ?? experiment.source ?? "";
}

const knownDrawn = labels(drawn);

/** A text in a plot: its title, an axis, an entry of the key, or the label of a row. */
export function drawnText(text: string, plot: { name: string; title?: string }, at: Language): string {
  if (text === plot.title) return plotText(plot, at);
  return at === "ja" ? (labelOf(knownDrawn, text) ?? phraseOf(text)) : text;
}

/** The label of a row. */
export function labelText(label: string, at: Language): string {
  return at === "ja" ? phraseOf(label) : label;
}

export function unitText(unit: string, at: Language): string {
  return at === "ja" ? (units[unit] ?? unit) : unit;
}

/** A title as a heading: English starts with a capital. */
export function heading(title: string): string {
  return title.slice(0, 1).toUpperCase() + title.slice(1);
}
