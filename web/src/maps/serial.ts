// SPDX-License-Identifier: MIT
//
// Serialisation of drawings. Input from outside (files, the browser's storage) is validated; the server checks the
// rules.

import type { TbsMap, TbsMapUnit } from "../api/types";
import { terrainAt } from "./edit";

const NOTE_BYTES_MAX = 399; // limit of author and comment in a map file

/** As many whole characters as a map file has room for; without brackets and semicolons, which are syntax there. */
export function tidyNote(note: string): string {
  const harmless = note.replace(/[\r\n]+/g, " ").replace(/\[/g, "(").replace(/\]/g, ")").replace(/;/g, ",");
  let kept = "";
  let bytes = 0;
  for (const character of harmless) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > NOTE_BYTES_MAX) break;
    kept += character;
  }
  return kept;
}

/** For the server: empty notes are left out. */
export function toTbsMap(map: TbsMap): TbsMap {
  const { author, comment, ...rest } = map;
  const notes: Pick<TbsMap, "author" | "comment"> = {};
  if (author !== undefined && author.trim() !== "") notes.author = tidyNote(author.trim());
  if (comment !== undefined && comment.trim() !== "") notes.comment = tidyNote(comment.trim());
  const units = map.units.map(({ x, y, type, side, hp, done }) => ({ x, y, type, side, hp, done: done ?? false }));
  return { ...rest, ...notes, units };
}

/** Equal for maps that would be saved as the same file. */
export function fingerprint(map: TbsMap): string {
  const { format, width, height, turn_limit, threshold, author, comment, terrain, units } = toTbsMap(map);
  const rows = units.map((unit) => [unit.x, unit.y, unit.type, unit.side, unit.hp, unit.done]);
  return JSON.stringify([format, width, height, turn_limit, threshold, author ?? "", comment ?? "", terrain, rows]);
}

// ---- from outside ----

function isWhole(value: unknown, low: number, high: number): value is number {
  return Number.isInteger(value) && (value as number) >= low && (value as number) <= high;
}

function isNote(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

const EDGE_MAX = 64; // far beyond what the rules allow: protects against nonsense

function isUnit(value: unknown): value is TbsMapUnit {
  const unit = value as TbsMapUnit | null;
  return (
    typeof unit === "object" &&
    unit !== null &&
    isWhole(unit.x, 0, EDGE_MAX) &&
    isWhole(unit.y, 0, EDGE_MAX) &&
    typeof unit.type === "string" &&
    (unit.side === "red" || unit.side === "blue") &&
    isWhole(unit.hp, 0, 999) &&
    (unit.done === undefined || typeof unit.done === "boolean")
  );
}

/** The value as a map, or null if invalid. */
export function readMap(value: unknown): TbsMap | null {
  const map = value as TbsMap | null;
  if (typeof map !== "object" || map === null || map.format !== "senjutsu-map") return null;
  if (!isWhole(map.width, 3, EDGE_MAX) || !isWhole(map.height, 3, EDGE_MAX)) return null;
  if (!isWhole(map.turn_limit, 0, 1e6) || !isWhole(map.threshold, 0, 1e7)) return null;
  if (!isNote(map.author) || !isNote(map.comment)) return null;
  if (!Array.isArray(map.terrain) || map.terrain.length !== map.height) return null;
  const digits = new RegExp(`^[0-6]{${map.width}}$`);
  if (!map.terrain.every((row) => typeof row === "string" && digits.test(row))) return null;
  if (!Array.isArray(map.units) || !map.units.every(isUnit)) return null;
  return { ...map, author: map.author ?? "", comment: map.comment ?? "" };
}

// ---- names ----

/** A name that a map can be saved under: 1 to 64 letters, digits, '_' or '-'. */
export function isName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name);
}

/** The nearest such name, for suggestions: "mine/my map.tbsmap" is "my-map"; "" when nothing is left. */
export function toName(text: string): string {
  return text
    .replace(/^.*\//, "")
    .replace(/\.(tbsmap|json)$/i, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
}

/** The first of name, name-2, name-3, … that is free. */
export function freeName(wanted: string, taken: (name: string) => boolean): string {
  if (!taken(wanted)) return wanted;
  for (let number = 2; ; number++) {
    const name = `${wanted.slice(0, 60)}-${number}`;
    if (!taken(name)) return name;
  }
}

/** How many cells of each terrain there are, without the border. */
export function terrainCounts(map: TbsMap): Map<number, number> {
  const counts = new Map<number, number>();
  for (let y = 1; y < map.height - 1; y++)
    for (let x = 1; x < map.width - 1; x++) {
      const terrain = terrainAt(map, [x, y]);
      counts.set(terrain, (counts.get(terrain) ?? 0) + 1);
    }
  return counts;
}
