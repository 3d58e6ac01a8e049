// SPDX-License-Identifier: MIT
import type { MapInfo } from "../api/types";

/** Those whose name or description has all the words; `tell` says a description in the language at hand. */
export function searchMaps(maps: MapInfo[], text: string, tell: (comment: string) => string = (comment) => comment): MapInfo[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return maps.filter((map) => {
    const all = `${map.name} ${map.comment} ${tell(map.comment)} ${map.author}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}
