// SPDX-License-Identifier: MIT
//
// Keys that work anywhere on a screen. They ignore typing in text fields, shortcuts of the browser, and keys that a
// component has already handled (a board and its arrow keys).

import { useEffect, useRef } from "preact/hooks";

const signs: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "␣",
  Escape: "Esc",
  Enter: "↵",
  Delete: "Del",
  Backspace: "⌫",
};

/** How a key is written on a button. */
export function keySign(key: string): string {
  return signs[key] ?? key.toUpperCase();
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input:not([type=checkbox],[type=radio]), textarea, select") !== null;
}

/** Space and Enter press the button that has the focus; a key for the whole screen must not take them away. */
function pressesFocused(event: KeyboardEvent): boolean {
  const isPress = event.key === " " || event.key === "Enter";
  return isPress && event.target instanceof HTMLElement && event.target.closest("button, a, summary, [role=tab]") !== null;
}

export function isFor(event: KeyboardEvent, key: string): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (isTyping(event.target) || pressesFocused(event)) return false;
  return event.key === key || (key.length === 1 && event.key.toLowerCase() === key.toLowerCase());
}

export function useHotkey(key: string | undefined, act: () => void, enabled = true): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (key === undefined || !enabled) return undefined;
    const press = (event: KeyboardEvent) => {
      if (!isFor(event, key) || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [key, enabled]);
}
