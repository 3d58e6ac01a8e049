// SPDX-License-Identifier: MIT
//
// Some things the server says in English sentences of known forms. Here a sentence is recognised by its form, so that it
// can be said in another language; the forms and their translations are with the screens.

import { fill } from "../app/text";

/** A sentence, and behind it what its form leaves open. */
export type Parts = readonly string[];

export function recognise<Form extends { pattern: RegExp }>(forms: readonly Form[], sentence: string): { form: Form; parts: Parts } | null {
  for (const form of forms) {
    const parts = form.pattern.exec(sentence);
    if (parts !== null) return { form, parts };
  }
  return null;
}

const NUMBER = "([-+]?(?:[\\d.]+(?:e[-+]?\\d+)?|nan|inf))";

/** What a format of C's printf can make. */
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
  text: string; // "{1}" is the first part that the form leaves open
}

/** From C formats and their translations; the first that fits is taken. */
export function translations(table: Readonly<Record<string, string>>): Translation[] {
  return Object.entries(table).map(([format, text]) => ({ pattern: patternOf(format), text }));
}

/** Null: none of these. `word` says the parts. */
export function translated(known: readonly Translation[], sentence: string, word: (part: string) => string = (part) => part): string | null {
  const found = recognise(known, sentence);
  return found === null ? null : fill(found.form.text, Object.fromEntries(found.parts.map((part, at) => [at, at === 0 ? part : word(part)])));
}
