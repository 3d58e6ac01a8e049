// SPDX-License-Identifier: MIT
//
// What an evolution has made so far, from its results.json.

import type { Share, TbsMap } from "../api/types";
import { member, numberIn, readRemarks, readShare, type Remark } from "./judgement";
import { readMap } from "./serial";

export interface Evolved {
  id: number;
  rank: number;
  generation: number;
  note: string;
  parents: number[];
  fitness: number | null; // by the games that selected it
  fitnessFresh: number | null; // by games that decided nothing
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

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function readEvolved(value: unknown): Evolved {
  const qualities = member(value, "qualities");
  const map = member(value, "map");
  return {
    id: numberIn(value, "id") ?? 0,
    rank: numberIn(value, "rank") ?? 0,
    generation: numberIn(value, "generation") ?? 0,
    note: text(member(value, "note")),
    parents: list(member(value, "parents")).filter((id): id is number => typeof id === "number"),
    fitness: numberIn(value, "fitness"),
    fitnessFresh: numberIn(value, "fitness_fresh"),
    fresh: member(qualities, "from") === "fresh",
    games: numberIn(qualities, "games") ?? 0,
    red: readShare(member(qualities, "red")),
    strength: readShare(member(qualities, "strength")),
    asRed: readShare(member(qualities, "strong_red")),
    asBlue: readShare(member(qualities, "strong_blue")),
    decisive: readShare(member(qualities, "decisive")),
    turns: numberIn(qualities, "turns"),
    natural: numberIn(member(value, "looks"), "natural"),
    remarks: readRemarks(member(value, "remarks")),
    text: text(member(value, "text")) || text(map), // the folder's own file has the text as "map"
    map: readMap(map),
  };
}

function readGeneration(value: unknown): Generation {
  return {
    number: numberIn(value, "generation") ?? 0,
    evaluations: numberIn(value, "evaluations") ?? 0,
    games: numberIn(value, "games") ?? 0,
    best: numberIn(value, "best"),
    mean: numberIn(value, "mean"),
    filled: numberIn(value, "filled") ?? 0,
  };
}

export function readGallery(result: unknown): Gallery {
  return {
    made: numberIn(result, "maps_made") ?? 0,
    games: numberIn(result, "games") ?? 0,
    fitnessMax: numberIn(result, "fitness_max"),
    verified: member(result, "verified") === true,
    generations: list(member(result, "generations")).map(readGeneration),
    maps: list(member(result, "maps")).map(readEvolved),
  };
}

export type Stage =
  | { name: "stage_birth" | "stage_again" | "stage_verify" }
  | { name: "stage_generation"; number: string; total: string };

/** Where an evolution is, from the note of its progress; null: the note says something else. */
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
