// SPDX-License-Identifier: MIT
//
// Results of an evolution so far.

import type { EvolvedMap, EvolveGeneration, EvolveResult, Remark, Share, TbsMap } from "../api/types";
import { readShare } from "./judgement";

export interface Evolved {
  id: number;
  rank: number;
  generation: number;
  note: string;
  parents: number[];
  fitness: number | null; // by the games that selected it
  fitnessFresh: number | null; // by games not used for selection
  fresh: boolean; // the shares are of fresh games
  games: number;
  red: Share; // between equals
  strength: Share;
  asRed: Share;
  asBlue: Share;
  decisive: Share;
  turns: number | null;
  natural: number | null;
  remarks: Remark[];
  text: string; // .tbsmap
  map: TbsMap | null;
}

export interface Generation {
  number: number;
  evaluations: number;
  games: number;
  best: number | null;
  mean: number | null;
  filled: number; // kinds of good maps, or different maps
}

export interface Gallery {
  made: number;
  games: number;
  fitnessMax: number | null;
  verified: boolean;
  generations: Generation[];
  maps: Evolved[];
}

function readEvolved(one: EvolvedMap): Evolved {
  const { qualities } = one;
  return {
    id: one.id,
    rank: one.rank,
    generation: one.generation,
    note: one.note,
    parents: one.parents.filter((id) => id !== null),
    fitness: one.fitness,
    fitnessFresh: one.fitness_fresh,
    fresh: qualities.from === "fresh",
    games: qualities.games,
    red: readShare(qualities.red),
    strength: readShare(qualities.strength),
    asRed: readShare(qualities.strong_red),
    asBlue: readShare(qualities.strong_blue),
    decisive: readShare(qualities.decisive),
    turns: qualities.turns,
    natural: one.looks.natural,
    remarks: one.remarks,
    text: one.text,
    map: one.map,
  };
}

function readGeneration({ generation, evaluations, games, best, mean, filled }: EvolveGeneration): Generation {
  return { number: generation, evaluations, games, best, mean, filled };
}

export function readGallery(result: EvolveResult | null): Gallery {
  return {
    made: result?.maps_made ?? 0,
    games: result?.games ?? 0,
    fitnessMax: result?.fitness_max ?? null,
    verified: result?.verified ?? false,
    generations: (result?.generations ?? []).map(readGeneration),
    maps: (result?.maps ?? []).map(readEvolved),
  };
}

export type Stage =
  | { name: "stage_birth" | "stage_again" | "stage_verify" }
  | { name: "stage_generation"; number: string; total: string };

/** The stage of an evolution, from its progress note; null: unknown form. */
export function readStage(note: string): Stage | null {
  const known: Record<string, Stage> = {
    birth: { name: "stage_birth" },
    "judging the best again": { name: "stage_again" },
    verifying: { name: "stage_verify" },
  };
  const generation = /^generation (\d+) of (\d+)$/.exec(note);
  if (generation === null) return known[note] ?? null;
  return { name: "stage_generation", number: generation[1] ?? "", total: generation[2] ?? "" };
}
