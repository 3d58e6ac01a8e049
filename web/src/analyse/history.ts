// SPDX-License-Identifier: MIT
//
// How a search changed its mind: each candidate's value over the time that was thought.

import type { Candidate, Thoughts } from "../api/types";

export interface Moment {
  seconds: number;
  values: Map<string, number>; // by action
}

/** Charts stay small and quick whatever the length of the search. */
const momentsMax = 400;

/** Is every candidate's value a chance to win? Only then are they told as per cent. */
export function areChances(candidates: Candidate[]): boolean {
  return candidates.length > 0 && candidates.every((candidate) => candidate.chance !== null);
}

function valuesOf(thoughts: Thoughts): Map<string, number> {
  const chances = areChances(thoughts.candidates);
  return new Map(thoughts.candidates.map((one) => [one.action, chances && one.chance !== null ? one.chance : one.value]));
}

/** Every second moment goes when there are too many. */
function thinned(history: Moment[]): Moment[] {
  return history.length < momentsMax ? history : history.filter((_, index) => index % 2 === 0);
}

export function remember(history: Moment[], thoughts: Thoughts): Moment[] {
  if (thoughts.candidates.length === 0) return history;
  const moment = { seconds: thoughts.seconds, values: valuesOf(thoughts) };
  const last = history[history.length - 1];
  const before = last !== undefined && last.seconds >= moment.seconds ? history.slice(0, -1) : history;
  return [...thinned(before), moment];
}

export interface ValueLine {
  action: string;
  values: (number | null)[];
}

/** The lines of the best candidates of the latest thoughts. */
export function valueLines(history: Moment[], thoughts: Thoughts, count = 4): ValueLine[] {
  return thoughts.candidates
    .slice(0, count)
    .map(({ action }) => ({ action, values: history.map((moment) => moment.values.get(action) ?? null) }));
}
