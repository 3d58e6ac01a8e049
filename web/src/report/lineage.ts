// SPDX-License-Identifier: MIT
//
// The ancestors of an evolved map, by generation.

import type { EvolveResult } from "../api/types";

export type Origin = EvolveResult["lineage"][number];

export interface AncestorGeneration {
  generation: number;
  shown: Origin[];
  more: number; // not shown
}

const OF_ONE_GENERATION = 4;

/** The latest generation first; of one generation the fittest. */
export function ancestorsOf(id: number, origins: Origin[]): { generations: AncestorGeneration[]; count: number; founders: number } {
  const known = new Map(origins.map((one) => [one.id, one]));
  const found = new Map<number, Origin>();
  const add = (child: Origin | undefined) => {
    for (const parent of child?.parents ?? []) {
      const one = parent === null ? undefined : known.get(parent);
      if (one === undefined || found.has(one.id)) continue;
      found.set(one.id, one);
      add(one);
    }
  };
  add(known.get(id));
  const all = [...found.values()].sort((a, b) => b.generation - a.generation || (b.fitness ?? -1) - (a.fitness ?? -1));
  const generations = [...new Set(all.map((one) => one.generation))].map((generation) => {
    const members = all.filter((one) => one.generation === generation);
    return { generation, shown: members.slice(0, OF_ONE_GENERATION), more: Math.max(0, members.length - OF_ONE_GENERATION) };
  });
  return { generations, count: all.length, founders: all.filter(({ parents }) => parents.every((one) => one === null)).length };
}
