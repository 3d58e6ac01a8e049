// SPDX-License-Identifier: MIT
//
// What the library says of a result in English sentences (src/repro/rows.c), in the language at hand. What is not known
// stays as it is.

import { number } from "../app/format";
import type { Language } from "../app/text";

/** 15500 as "15,500", 39.7 as "39.7": three digits are told, and powers of ten are nobody's reading. */
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

const findings: [RegExp, string][] = [
  [/^The finding holds$/, "結論は成り立ちます"],
  [/^The finding does not hold$/, "結論は成り立ちません"],
  [/^All findings hold \((\d+) of \d+\)$/, "$1件の結論すべてが成り立ちます"],
  [/^(\d+) of (\d+) findings holds?$/, "$2件の結論のうち$1件が成り立ちます"],
];

const figures: [RegExp, string][] = [
  [/^the paper gives no figure that could lie in an interval\.$/, "論文に区間と比べられる値はありません。"],
  [/^the published figure lies inside our interval\.$/, "論文の値は区間内にあります。"],
  [/^all published figures lie inside our intervals\.$/, "論文の値はすべて区間内にあります。"],
  [/^(\d+) of (\d+) published figures lies? inside our intervals\.$/, "論文の値$2個のうち$1個が区間内にあります。"],
];

function replaced(text: string, patterns: [RegExp, string][]): string | null {
  const found = patterns.find(([pattern]) => pattern.test(text));
  return found === undefined ? null : text.replace(found[0], found[1]);
}

export function summaryWords(summary: string, at: Language): string {
  if (at === "en") return summary;
  const [first = "", second = ""] = summary.split("; ", 2);
  const [held, inside] = [replaced(first, findings), replaced(second, figures)];
  return held === null || inside === null ? summary : `${held}。${inside}`;
}

/** A title as a heading: English begins with a capital. */
export function heading(title: string): string {
  return title.slice(0, 1).toUpperCase() + title.slice(1);
}
