// SPDX-License-Identifier: MIT
//
// Sentences of the library about a result (src/repro, English), in the current language. Unknown ones stay English.

import { number } from "../app/format";
import type { Language } from "../app/text";
import { translated, translations } from "../common/sentences";
import { drawn, findings, phrases, plots, sources, summaries, units } from "./findings_text";

/** 15500 as "15,500", 39.7 as "39.7": three significant digits, no powers of ten. */
function factor(told: string, at: Language): string {
  const value = Number(told);
  return number(value, value >= 100 ? 0 : 1, at);
}

const verdicts: Record<string, string> = {
  "inside our interval": "区間内",
  "outside our interval": "区間外",
  "no published figure": "論文に値なし",
  "nothing of ours to compare": "比べる値なし",
  "too short to measure": "短すぎて測れません",
  holds: "成り立つ",
  "does not hold": "成り立たない",
};

export function verdictWords(verdict: string, at: Language): string {
  const [, word, times] = /^(faster|slower) \(x ([\d.e+-]+)\)$/.exec(verdict) ?? [];
  if (word !== undefined && times !== undefined) {
    const shown = factor(times, at);
    if (at === "en") return `${word} (× ${shown})`;
    return word === "faster" ? `${shown}倍速い` : `${shown}倍遅い`;
  }
  return at === "ja" ? (verdicts[verdict] ?? verdict) : verdict;
}

const knownSummaries = translations(summaries);

export function summaryWords(summary: string, at: Language): string {
  if (at === "en") return summary;
  const [first = "", second = ""] = summary.split("; ", 2);
  const [held, inside] = [translated(knownSummaries, first), translated(knownSummaries, second)];
  return held === null || inside === null ? summary : `${held}。${inside}`;
}

const knownPhrases = translations(phrases);
const joints: Readonly<Record<string, string>> = { ": ": "：", ", ": "、" };

/** Translates the whole text, or else its parts; names and specs are unchanged. */
function phraseWords(text: string): string {
  if (phrases[text] !== undefined) return phrases[text];
  const pieces = text.split(/(: |, )/);
  if (pieces.length > 1) return pieces.map((piece) => joints[piece] ?? phraseWords(piece)).join("");
  return translated(knownPhrases, text, phraseWords) ?? text;
}

function saying(table: Readonly<Record<string, string>>): (text: string, at: Language) => string {
  const known = translations(table);
  return (text, at) => (at === "ja" ? (translated(known, text, phraseWords) ?? text) : text);
}

export const findingWords = saying(findings);
export const plotWords = saying(plots);
export const sourceWords = saying(sources);

const knownDrawn = translations({ ...drawn, ...plots });

/** Texts in a plot: title, axes, key, row labels. */
export function drawnWords(text: string, at: Language): string {
  return at === "ja" ? (translated(knownDrawn, text, phraseWords) ?? phraseWords(text)) : text;
}

/** The label of a row. */
export function labelWords(label: string, at: Language): string {
  return at === "ja" ? phraseWords(label) : label;
}

export function unitWords(unit: string, at: Language): string {
  return at === "ja" ? (units[unit] ?? unit) : unit;
}

/** A title as a heading: English starts with a capital. */
export function heading(title: string): string {
  return title.slice(0, 1).toUpperCase() + title.slice(1);
}
