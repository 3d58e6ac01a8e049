// SPDX-License-Identifier: MIT
//
// Results of an evolution so far.

import type { EvolvedMap, EvolveResult } from "../api/types";
import { readShare } from "./judgement";

/** What a gallery shows. */
export type Gallery = Pick<EvolveResult, "maps_made" | "games" | "fitness_max" | "verified" | "recipe" | "generations" | "maps">;

/** An evolution that has just begun has no result. */
export const NO_GALLERY: Gallery = { maps_made: 0, games: 0, fitness_max: null, verified: false, recipe: {}, generations: [], maps: [] };

/** The number of the latest generation. A row behind the last generation is of the best maps, judged again. */
export function latestGeneration({ generations, recipe }: Pick<Gallery, "generations" | "recipe">): number {
  return Math.min(generations.at(-1)?.generation ?? 0, Number(recipe["generations"] ?? Infinity));
}

export const isFresh = (one: EvolvedMap): boolean => one.qualities.from === "fresh";

export function sharesOf({ qualities }: EvolvedMap) {
  return {
    red: readShare(qualities.red), // between equals
    strength: readShare(qualities.strength),
    asRed: readShare(qualities.strong_red),
    asBlue: readShare(qualities.strong_blue),
    decisive: readShare(qualities.decisive),
  };
}

/** The strong player's score against the weak one in the games that selected the map; null without such games. */
export function strengthSelected({ judgement: { strong_red, strong_blue } }: EvolvedMap): number | null {
  const games = [strong_red, strong_blue].reduce((sum, { wins, draws, losses }) => sum + wins + draws + losses, 0);
  return games === 0 ? null : (strong_red.wins + strong_blue.wins + (strong_red.draws + strong_blue.draws) / 2) / games;
}

/** "28, 31"; "" for a map without parents. */
export function parentsOf(one: EvolvedMap): string {
  return one.parents.filter((id) => id !== null).join(", ");
}
