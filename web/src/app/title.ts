// SPDX-License-Identifier: MIT
//
// The window's title: what a screen shows just now, the screen, the program. Tabs, bookmarks and the list behind the back
// button tell places apart by it.

import { useEffect, useState } from "preact/hooks";

let subject = "";
const listeners = new Set<() => void>();

function change(wanted: string): void {
  subject = wanted;
  for (const tell of listeners) tell();
}

/** What is shown, as long as it is: "Spring cup", "duel". "" says nothing. */
export function useSubject(wanted: string): void {
  useEffect(() => {
    change(wanted);
    return () => change("");
  }, [wanted]);
}

export function titleOf(parts: string[]): string {
  return [...parts.filter((part) => part !== ""), "senjutsu"].join(" \u00b7 ");
}

/** Keeps the window's title; `screen` is the screen's name, "" at the start. */
export function useTitle(screen: string): void {
  const [, draw] = useState(0);
  useEffect(() => {
    const tell = () => draw((n) => n + 1);
    listeners.add(tell);
    tell(); // a screen that came together with this may have spoken already
    return () => void listeners.delete(tell);
  }, []);
  const title = titleOf([subject, screen]);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
