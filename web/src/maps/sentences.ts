// SPDX-License-Identifier: MIT
//
// The server says what is wrong with a map, and what is odd about it, in English sentences of known forms. Here they
// are recognised: for Japanese, and for the cells they speak of.

import type { Language } from "../app/text";
import type { Cell, TbsMap } from "../api/types";
import { cellsNamed, forms, type Form, type Parts, type Words } from "./text_sentences";

function recognise(sentence: string): { form: Form; parts: Parts } | null {
  for (const one of forms) {
    const parts = one.pattern.exec(sentence);
    if (parts !== null) return { form: one, parts };
  }
  return null;
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** In the language wanted; what is not recognised stays as it is. */
export function sayIn(language: Language, sentence: string, word: Words): string {
  if (language === "en") return asSentence(sentence);
  const found = recognise(sentence);
  return found === null ? asSentence(sentence) : found.form.ja(found.parts, word);
}

export function isKnownSentence(sentence: string): boolean {
  return recognise(sentence) !== null;
}

/** The cells a sentence speaks of, as far as they are known. */
export function cellsOf(sentence: string, map: Pick<TbsMap, "units">): Cell[] {
  const found = recognise(sentence);
  if (found?.form.cell !== undefined) {
    const [x, y] = found.form.cell;
    return [[Number(found.parts[x]), Number(found.parts[y])]];
  }
  const unit = found?.form.unit === undefined ? undefined : map.units[Number(found.parts[found.form.unit])];
  return unit !== undefined ? [[unit.x, unit.y]] : cellsNamed(sentence);
}
