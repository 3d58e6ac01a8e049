// SPDX-License-Identifier: MIT
//
// Help texts that the server sends in English. Their Japanese is in a separate file, loaded on demand.

import { useEffect, useState } from "preact/hooks";

import { language, useLanguage } from "./text";

type Translations = Record<string, string>;

let japanese: Translations | null = null;
let coming: Promise<Translations> | null = null;

function load(): Promise<Translations> {
  coming ??= import("./help_ja").then((module) => (japanese = module.help_ja));
  coming.catch(() => (coming = null)); // retried the next time
  return coming;
}

/** Loads the texts of the current language before the first render, so that English does not change to Japanese later.
 *  Never fails: the fallback is English. */
export function helpReady(): Promise<void> {
  return language() === "ja" ? load().then(() => {}, () => {}) : Promise.resolve();
}

/** The entry of a name; one for all of its kind serves where it has none of its own. */
export function helpOf(texts: Translations, kind: string, name: string, part?: string): string | undefined {
  return part === undefined ? texts[`${kind}.${name}`] : (texts[`${kind}.${name}.${part}`] ?? texts[`${kind}.*.${part}`]);
}

/** A function that gives the help text of a name in the current language: kind, name, and the name of an option or a part.
 *  The server's English if there is no translation. */
export function useHelp(): (english: string, kind: string, name: string, part?: string) => string {
  const at = useLanguage();
  const [, draw] = useState(0);
  const isMissing = at === "ja" && japanese === null;
  useEffect(() => {
    let gone = false;
    if (isMissing) load().then(() => gone || draw((n) => n + 1), () => {});
    return () => void (gone = true);
  }, [isMissing]);
  return (english, kind, name, part) => (at === "ja" && japanese !== null ? (helpOf(japanese, kind, name, part) ?? english) : english);
}
