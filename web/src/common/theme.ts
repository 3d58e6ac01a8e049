// SPDX-License-Identifier: MIT
//
// How the page looks: light or dark, its scale. Stored in the browser; the style sheet does the rest.

import { useEffect, useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";
const key = "senjutsu.theme";
const scaleKey = "senjutsu.projector";
const listeners = new Set<() => void>();
const system = matchMedia("(prefers-color-scheme: dark)");

/** The stored value; null if the browser has no storage (private windows). */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // valid until the page is closed
  }
}

let chosen: Theme = (stored(key) as Theme | null) ?? "auto";
let projector = stored(scaleKey) === "yes";

function show(): void {
  const root = document.documentElement;
  if (chosen === "auto") delete root.dataset["theme"];
  else root.dataset["theme"] = chosen;
  if (projector) root.dataset["scale"] = "projector";
  else delete root.dataset["scale"];
  for (const tell of listeners) tell();
}

system.addEventListener("change", show);
show();

export function theme(): Theme {
  return chosen;
}

export function setTheme(wanted: Theme): void {
  chosen = wanted;
  store(key, wanted);
  show();
}

export function isProjector(): boolean {
  return projector;
}

export function setProjector(on: boolean): void {
  projector = on;
  store(scaleKey, on ? "yes" : "no");
  show();
}

/** Changes with colours and sizes; for canvas drawings. */
export function useTheme(): string {
  const [, draw] = useState(0);
  useEffect(() => {
    const tell = () => draw((n) => n + 1);
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
  return `${chosen} ${system.matches} ${projector}`;
}
