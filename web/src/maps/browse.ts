// SPDX-License-Identifier: MIT
//
// Search for maps: words, size, source, and order.

import type { MapInfo } from "../api/types";
import { searchMaps } from "../common/pickers";

export type Owner = "all" | "ours" | "mine";
export type Size = "all" | "small" | "medium" | "large";
export type Order = "name" | "cells" | "units";

export interface Wanted {
  words: string;
  owner: Owner;
  size: Size;
  order: Order;
}

export const EVERYTHING: Wanted = { words: "", owner: "all", size: "all", order: "name" };

/** The longer edge decides: up to 6, up to 8 (one word a board), more. */
export function sizeOf(map: Pick<MapInfo, "width" | "height">): Exclude<Size, "all"> {
  const edge = Math.max(map.width, map.height);
  return edge <= 6 ? "small" : edge <= 8 ? "medium" : "large";
}

/** Among equals own maps come first, then names decide. */
const orders: Record<Order, (a: MapInfo, b: MapInfo) => number> = {
  name: (a, b) => Number(b.mine) - Number(a.mine) || a.name.localeCompare(b.name, "en", { numeric: true }),
  cells: (a, b) => a.width * a.height - b.width * b.height,
  units: (a, b) => a.units[0] + a.units[1] - b.units[0] - b.units[1],
};

export function browse(maps: readonly MapInfo[], wanted: Wanted, describe?: (map: MapInfo) => string): MapInfo[] {
  return searchMaps([...maps], wanted.words, describe)
    .filter((map) => wanted.owner === "all" || map.mine === (wanted.owner === "mine"))
    .filter((map) => wanted.size === "all" || sizeOf(map) === wanted.size)
    .sort((a, b) => orders[wanted.order](a, b) || orders.name(a, b));
}

/** "mine/x" as the parts of an address. */
export function nameParts(name: string): string[] {
  return name.split("/");
}

export function mapPath(name: string): string {
  return `/api/maps/${nameParts(name).map(encodeURIComponent).join("/")}`;
}
