// SPDX-License-Identifier: MIT
//
// The ancestors of an evolved map, by generation.

import type { EvolveResult } from "../api/types";
import type { Language } from "../app/text";
import { wordsOf } from "../common/messages";
import { words } from "../maps/text_evolve";

export type Origin = EvolveResult["lineage"][number];

export interface AncestorGeneration {
  generation: number;
  shown: Origin[];
  more: number; // not shown
}

/** Limits of a list: the latest generations, the earliest ones, and maps of one generation. */
const LATEST = 10;
const EARLIEST = 4;
const OF_ONE_GENERATION = 4;

/** The latest generation first; of one generation the fittest. */
export function ancestorsOf(id: number, origins: Origin[]): { generations: AncestorGeneration[]; count: number; founders: number } {
  const known = new Map(origins.map((one) => [one.id, one]));
  const found = new Map<number, Origin>();
  const children = [known.get(id)];
  for (const child of children) // grows: a lineage may be longer than calls can be nested
    for (const parent of child?.parents ?? []) {
      const one = parent === null ? undefined : known.get(parent);
      if (one === undefined || found.has(one.id)) continue;
      found.set(one.id, one);
      children.push(one);
    }
  const all = [...found.values()].sort((a, b) => b.generation - a.generation || (b.fitness ?? -1) - (a.fitness ?? -1));
  const members = new Map<number, Origin[]>(all.map(({ generation }) => [generation, []]));
  for (const one of all) members.get(one.generation)?.push(one);
  const generations = [...members].map(([generation, of]) => ({ generation, shown: of.slice(0, OF_ONE_GENERATION), more: Math.max(0, of.length - OF_ONE_GENERATION) }));
  return { generations, count: all.length, founders: all.filter(({ parents }) => parents.every((one) => one === null)).length };
}

/** What a list shows of them; a number stands for so many generations in the middle. */
export function shownOf(generations: AncestorGeneration[]): (AncestorGeneration | number)[] {
  const hidden = generations.length - LATEST - EARLIEST;
  return hidden <= 1 ? generations : [...generations.slice(0, LATEST), hidden, ...generations.slice(-EARLIEST)];
}

/** "#62 200 (block of #59 × #60)" */
export function ancestorText({ id, fitness, note, note_message, parents }: Origin, number: (value: number) => string, at: Language): string {
  const of = parents.filter((parent) => parent !== null).map((parent) => `#${parent}`).join(" × ");
  return `#${id}${fitness === null ? "" : ` ${number(fitness)}`} (${wordsOf(note, note_message, words, at)}${of === "" ? "" : `${at === "en" ? " of " : "："}${of}`})`;
}
