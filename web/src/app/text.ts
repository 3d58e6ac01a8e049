// SPDX-License-Identifier: MIT
//
// Two languages. Each screen keeps its own dictionary, English and Japanese side by side; the compiler checks that
// both have the same keys. "{name}" in a text is filled from the parameters.

import { useEffect, useState } from "preact/hooks";

export type Language = "en" | "ja";
export type Dictionary<Keys extends string = string> = Record<Language, Record<Keys, string>>;

/** Checks that both languages have the same keys. */
export function dictionary<Keys extends string>(en: Record<Keys, string>, ja: Record<NoInfer<Keys>, string>): Dictionary<Keys> {
  return { en, ja };
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
export function useText<Keys extends string>(words: Dictionary<Keys>): Say<Keys> {
  const at = useLanguage();
  return (key, params) => fill(words[at][key], params);
}
