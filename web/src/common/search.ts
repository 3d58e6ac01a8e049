// SPDX-License-Identifier: MIT
import type { MapInfo } from "../api/types";

/** Those whose name or description has all the words. */
export function searchMaps(maps: MapInfo[], text: string): MapInfo[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return maps.filter((map) => {
    const all = `${map.name} ${map.comment} ${map.author}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}
