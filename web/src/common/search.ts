// SPDX-License-Identifier: MIT
import type { MapInfo } from "../api/types";

/** The entries with all words in name or description; `tell` translates a description. */
export function searchMaps(maps: MapInfo[], text: string, describe: (map: MapInfo) => string = (map) => map.comment): MapInfo[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return maps.filter((map) => {
    const all = `${map.name} ${map.comment} ${describe(map)} ${map.author}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}
