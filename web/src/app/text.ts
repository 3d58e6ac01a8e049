// SPDX-License-Identifier: MIT
//
// Two languages. Each screen keeps its own dictionary, English and Japanese side by side. "{name}" in a text is filled
// from the parameters.

import { useEffect, useState } from "preact/hooks";

export type Language = "en" | "ja";
export type Both = readonly [en: string, ja: string];

/** The compiler checks that every text has both languages. */
export function dictionary<Keys extends string>(words: Record<Keys, Both>): Record<Keys, Both> {
  return words;
}

export function pick(both: Both, at: Language): string {
  return both[at === "en" ? 0 : 1];
}

/** The stored choice, or the browser's language. */
export function firstLanguage(chosen: string | null, spoken: readonly string[]): Language {
  if (chosen === "en" || chosen === "ja") return chosen;
  const known = spoken.map((one) => one.slice(0, 2).toLowerCase()).find((one) => one === "ja" || one === "en");
  return known === "ja" ? "ja" : "en";
}

let current: Language = "en";
const listeners = new Set<() => void>();

export function language(): Language {
  return current;
}

export function setLanguage(wanted: Language): void {
  current = wanted;
  document.documentElement.lang = wanted;
  for (const tell of listeners) tell();
}

/** The current language; the component is drawn again when it changes. */
export function useLanguage(): Language {
  const [, draw] = useState(0);
  useEffect(() => {
    const tell = () => draw((n) => n + 1);
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
  return current;
}

export type Params = Record<string, string | number>;

export function fill(text: string, params: Params = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

export type Say<Keys extends string> = (key: Keys, params?: Params) => string;

/** t("key", {name: value}) in the current language. */
export function useText<Keys extends string>(words: Record<Keys, Both>): Say<Keys> {
  const at = useLanguage();
  return (key, params) => fill(pick(words[key], at), params);
}
