// SPDX-License-Identifier: MIT
//
// Undo and redo: the states before and after the current one. Changes with the same key, a brush stroke or the letters
// of one field, are one step.

export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  readonly key: string | null; // of the change in progress
}

const STEPS_MAX = 300;

export function begin<T>(present: T): History<T> {
  return { past: [], present, future: [], key: null };
}

/** A change without effect is not a step. */
export function change<T>(history: History<T>, present: T, key: string | null = null): History<T> {
  if (present === history.present) return history;
  if (key !== null && key === history.key) return { ...history, present, future: [] };
  return { past: [...history.past, history.present].slice(-STEPS_MAX), present, future: [], key };
}

/** Ends the current step: the next change begins another one. */
export function endStep<T>(history: History<T>): History<T> {
  return history.key === null ? history : { ...history, key: null };
}

export function undo<T>(history: History<T>): History<T> {
  if (history.past.length === 0) return history;
  return {
    past: history.past.slice(0, -1),
    present: history.past[history.past.length - 1] as T,
    future: [history.present, ...history.future],
    key: null,
  };
}

export function redo<T>(history: History<T>): History<T> {
  if (history.future.length === 0) return history;
  return {
    past: [...history.past, history.present],
    present: history.future[0] as T,
    future: history.future.slice(1),
    key: null,
  };
}
