// SPDX-License-Identifier: MIT
//
// The server reports problems of a map in English sentences of known forms. They are recognised here for translation,
// and for the cells they mention.

import type { Language } from "../app/text";
import type { Cell, TbsMap } from "../api/types";
import { recognise } from "../common/sentences";
import { cellsNamed, forms, type Words } from "./text_sentences";

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** In the given language; unknown sentences stay English. */
export function sayIn(language: Language, sentence: string, word: Words): string {
  if (language === "en") return asSentence(sentence);
  const found = recognise(forms, sentence);
  return found === null ? asSentence(sentence) : found.form.ja(found.parts, word);
}

export function isKnownSentence(sentence: string): boolean {
  return recognise(forms, sentence) !== null;
}

/** The cells that a sentence mentions. */
export function cellsOf(sentence: string, map: Pick<TbsMap, "units">): Cell[] {
  const found = recognise(forms, sentence);
  if (found?.form.cell !== undefined) {
    const [x, y] = found.form.cell;
    return [[Number(found.parts[x]), Number(found.parts[y])]];
  }
  const unit = found?.form.unit === undefined ? undefined : map.units[Number(found.parts[found.form.unit])];
  return unit !== undefined ? [[unit.x, unit.y]] : cellsNamed(sentence);
}
