// SPDX-License-Identifier: MIT
//
// The games of this browser: ids and keys, stored so that a reload or a later visit can continue.

export interface SavedGame {
  id: string;
  keys: string; // of the seats at this screen, in order, separated by commas
  invite: string | null; // the other seat's key, for the invitation
  game: string;
  map: string;
  against: string; // a player's spec; "" for a human
  started: number; // milliseconds since 1970
  over: boolean;
}

const PLACE = "senjutsu.games";
const KEPT = 30;

export interface Storage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

/** Without storage games are lost with their page. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

const isSaved = (one: unknown): one is SavedGame =>
  typeof one === "object" && one !== null && typeof (one as SavedGame).id === "string" && typeof (one as SavedGame).keys === "string";

export function savedGames(from: Storage | null = storage()): SavedGame[] {
  try {
    const list: unknown = JSON.parse(from?.getItem(PLACE) ?? "[]");
    return Array.isArray(list) ? list.filter(isSaved) : [];
  } catch {
    return []; // foreign or damaged data: start empty
  }
}

function write(list: SavedGame[], to: Storage | null): void {
  try {
    to?.setItem(PLACE, JSON.stringify(list.slice(0, KEPT)));
  } catch {
    // storage full or forbidden: the game is not stored
  }
}

/** Newest first; replaces an entry of the same game. */
export function saveGame(game: SavedGame, to: Storage | null = storage()): void {
  write([game, ...savedGames(to).filter(({ id }) => id !== game.id)], to);
}

export function changeGame(id: string, change: Partial<SavedGame>, to: Storage | null = storage()): void {
  write(savedGames(to).map((game) => (game.id === id ? { ...game, ...change } : game)), to);
}

/** Adds the description of a game opened by a link; existing descriptions stay. */
export function describeGame(id: string, about: Pick<SavedGame, "game" | "map" | "against">, to: Storage | null = storage()): void {
  if (findGame(id, to)?.game === "") changeGame(id, about, to);
}

export function forgetGame(id: string, to: Storage | null = storage()): void {
  write(savedGames(to).filter((game) => game.id !== id), to);
}

export const findGame = (id: string, from: Storage | null = storage()): SavedGame | null =>
  savedGames(from).find((game) => game.id === id) ?? null;
