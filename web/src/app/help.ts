// SPDX-License-Identifier: MIT
//
// Help texts that the server tells in English. Their Japanese comes in a file of its own, and only when it is wanted.

import { useEffect, useState } from "preact/hooks";

import { language, useLanguage } from "./text";

type Translations = Record<string, string>;

let japanese: Translations | null = null;
let coming: Promise<Translations> | null = null;

function load(): Promise<Translations> {
  coming ??= import("./help_ja").then((module) => (japanese = module.help_ja));
  coming.catch(() => (coming = null)); // asked again the next time
  return coming;
}

/** What the language at hand needs, before something is shown in it: English that turns into Japanese would jump. Never
 *  fails: English is better than nothing. */
export function helpReady(): Promise<void> {
  return language() === "ja" ? load().then(() => {}, () => {}) : Promise.resolve();
}

/** A function that says a help text in the language at hand; English where there is nothing better. */
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
