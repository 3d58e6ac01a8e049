// SPDX-License-Identifier: MIT
//
// The window's title: the current content, the screen, the program. Tabs, bookmarks and the browser's history show it.

import { useEffect, useState } from "preact/hooks";

let subject = "";
const listeners = new Set<() => void>();

function change(wanted: string): void {
  subject = wanted;
  for (const tell of listeners) tell();
}

/** The current content while mounted: "Spring cup", "duel"; "" for none. */
export function useSubject(wanted: string): void {
  useEffect(() => {
    change(wanted);
    return () => change("");
  }, [wanted]);
}

export function titleOf(parts: string[]): string {
  return [...parts.filter((part) => part !== ""), "senjutsu"].join(" \u00b7 ");
}

/** Keeps the window's title; `screen` is the screen's name, "" on the home screen. */
export function useTitle(screen: string): void {
  const [, draw] = useState(0);
  useEffect(() => {
    const tell = () => draw((n) => n + 1);
    listeners.add(tell);
    tell(); // a screen mounted at the same time may have set its title already
    return () => void listeners.delete(tell);
  }, []);
  const title = titleOf([subject, screen]);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
