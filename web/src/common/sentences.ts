// SPDX-License-Identifier: MIT
//
// The server sends some English sentences of known forms. They are recognised here by their form for translation; the
// forms and their translations are with the screens.

import { fill } from "../app/text";

/** A sentence, followed by the variable parts of its form. */
export type Parts = readonly string[];

export function recognise<Form extends { pattern: RegExp }>(forms: readonly Form[], sentence: string): { form: Form; parts: Parts } | null {
  for (const form of forms) {
    const parts = form.pattern.exec(sentence);
    if (parts !== null) return { form, parts };
  }
  return null;
}

const NUMBER = "([-+]?(?:[\\d.]+(?:e[-+]?\\d+)?|nan|inf))";

/** Pattern of the output of a printf format. */
function patternOf(format: string): RegExp {
  const pattern = format.replace(/%%|%[-+.\d]*(?:ll?|z)?[dfgsuc]|[.*+?^${}()|[\]\\]/g, (found) => {
    if (found === "%%") return "%";
    if (!found.startsWith("%")) return `\\${found}`;
    return found.endsWith("s") ? "(.*?)" : found.endsWith("c") ? "(.)" : NUMBER;
  });
  return new RegExp(`^${pattern}$`);
}

export interface Translation {
  pattern: RegExp;
  text: string; // "{1}" is the first variable part
}

/** From C formats and their translations; the first match is used. */
export function translations(table: Readonly<Record<string, string>>): Translation[] {
  return Object.entries(table).map(([format, text]) => ({ pattern: patternOf(format), text }));
}

/** Null: no match. `word` translates the parts. */
export function translated(known: readonly Translation[], sentence: string, word: (part: string) => string = (part) => part): string | null {
  const found = recognise(known, sentence);
  return found === null ? null : fill(found.form.text, Object.fromEntries(found.parts.map((part, at) => [at, at === 0 ? part : word(part)])));
}
