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

/** A function that translates a help text to the current language; English if there is no translation. */
export function useHelp(): (english: string) => string {
  const at = useLanguage();
  const [, draw] = useState(0);
  const isMissing = at === "ja" && japanese === null;
  useEffect(() => {
    let gone = false;
    if (isMissing) load().then(() => gone || draw((n) => n + 1), () => {});
    return () => void (gone = true);
  }, [isMissing]);
  return (english) => (at === "ja" ? (japanese?.[english] ?? english) : english);
}
