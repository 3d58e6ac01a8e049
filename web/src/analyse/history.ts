// SPDX-License-Identifier: MIT
//
// Evaluation over time: the value of each candidate during the search.

import type { Candidate, Thoughts } from "../api/types";

export interface Moment {
  seconds: number;
  values: Map<string, number>; // by action
}

/** Limit, so that charts stay small for long searches. */
const momentsMax = 400;

/** Are all values win probabilities? Only then they are shown as per cent. */
export function areChances(candidates: Candidate[]): boolean {
  return candidates.length > 0 && candidates.every((candidate) => candidate.chance !== null);
}

export function remember(history: Moment[], thoughts: Thoughts): Moment[] {
  if (thoughts.candidates.length === 0) return history;
  const chances = areChances(thoughts.candidates);
  const values = new Map(thoughts.candidates.map((one) => [one.action, chances && one.chance !== null ? one.chance : one.value]));
  const moment = { seconds: thoughts.seconds, values };
  const last = history[history.length - 1];
  const before = last !== undefined && last.seconds >= moment.seconds ? history.slice(0, -1) : history;
  const kept = before.length < momentsMax ? before : before.filter((_, index) => index % 2 === 0); // every second one
  return [...kept, moment];
}

export interface ValueLine {
  action: string;
  values: (number | null)[];
}

/** The lines of the best candidates of the latest evaluation. */
export function valueLines(history: Moment[], thoughts: Thoughts, count = 4): ValueLine[] {
  return thoughts.candidates
    .slice(0, count)
    .map(({ action }) => ({ action, values: history.map((moment) => moment.values.get(action) ?? null) }));
}
