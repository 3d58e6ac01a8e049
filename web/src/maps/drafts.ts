// SPDX-License-Identifier: MIT
//
// Unsaved drawings are stored in the browser, keyed by their origin, so that a reload or a closed window loses nothing.
// Only the newest are kept.

import type { TbsMap } from "../api/types";
import { fingerprint, readMap } from "./serial";

export interface Draft {
  from: string; // "" for a new map, "duel", "mine/x", or a key from another screen
  name: string; // name for saving
  map: TbsMap;
  saved: string | null; // fingerprint of the saved map; null: none
  at: number; // milliseconds; when it was last changed
}

export type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const PREFIX = "senjutsu.map-draft.";
const DRAFTS_MAX = 24;

export function isDirty(draft: Pick<Draft, "map" | "saved">): boolean {
  return fingerprint(draft.map) !== draft.saved;
}

function parse(text: string | null): Draft | null {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Draft;
    const map = readMap(value.map);
    const ok =
      map !== null &&
      typeof value.from === "string" &&
      typeof value.name === "string" &&
      typeof value.at === "number" &&
      (value.saved === null || typeof value.saved === "string");
    return ok ? { ...value, map } : null;
  } catch {
    return null;
  }
}

export function loadDraft(from: string, storage: Storage): Draft | null {
  return parse(storage.getItem(PREFIX + from));
}

/** Newest first. */
export function listDrafts(storage: Storage): Draft[] {
  const drafts: Draft[] = [];
  for (let i = 0; i < storage.length; i++) {
    const key = storage.key(i);
    const draft = key !== null && key.startsWith(PREFIX) ? parse(storage.getItem(key)) : null;
    if (draft !== null) drafts.push(draft);
  }
  return drafts.sort((a, b) => b.at - a.at);
}

export function removeDraft(from: string, storage: Storage): void {
  storage.removeItem(PREFIX + from);
}

/** False if the browser's storage is full or forbidden: then leaving the page would lose the drawing. */
export function keepDraft(draft: Draft, storage: Storage): boolean {
  try {
    storage.setItem(PREFIX + draft.from, JSON.stringify(draft));
  } catch {
    return false;
  }
  for (const old of listDrafts(storage).slice(DRAFTS_MAX)) removeDraft(old.from, storage);
  return true;
}
