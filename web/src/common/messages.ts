// SPDX-License-Identifier: MIT
//
// Messages of the server: a code, arguments and the English text. Screens have Japanese texts by code. In them "{1}" is
// the first argument, "{w1}" the same translated as a word, "{s1}" as a further word of a list ("" stays ""), "{cell}" the
// first cell, "{cells}" all of them.

import type { Cell, Message } from "../api/types";
import { fill, pick, type Both, type Language } from "../app/text";

export type Texts = Readonly<Record<string, string>>;
export type Words = (name: string) => string;

const nameOf = ([x, y]: Cell) => `(${x}, ${y})`;

/** Null: there is no translation. */
export function translated(message: Message, texts: Texts, word: Words = (name) => name): string | null {
  const text = message.code === undefined ? undefined : texts[message.code];
  if (text === undefined) return null;
  const cells = (message.cells ?? []).map(nameOf);
  const params: Record<string, string> = { cell: cells[0] ?? "", cells: cells.length === 0 ? "" : `：${cells.join("、")}` };
  (message.args ?? []).forEach((arg, at) => {
    params[at + 1] = arg;
    params[`w${at + 1}`] = word(arg);
    params[`s${at + 1}`] = arg === "" ? "" : `・${word(arg)}`;
  });
  return fill(text, params);
}

/** By a dictionary of both languages; the server's text where it lacks the code. */
export function wordsOf(text: string, message: Omit<Message, "text"> | undefined, words: Readonly<Record<string, Both>>, at: Language): string {
  const both = words[message?.code ?? ""];
  return both === undefined ? text : (translated({ text, ...message }, { [message?.code ?? ""]: pick(both, at) }) ?? text);
}
