// SPDX-License-Identifier: MIT
//
// The games of this browser: ids and keys, kept so that a reload, or a visit next week, goes on where it was left.

export interface SavedGame {
  id: string;
  keys: string; // of the seats at this screen, in their order, with a comma between them
  invite: string | null; // the other seat's key, to be sent to somebody
  game: string;
  map: string;
  against: string; // a player's spec; "" for a person
  started: number; // milliseconds since 1970
  over: boolean;
}

const PLACE = "senjutsu.games";
const KEPT = 30;

export interface Storage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

/** A browser may forbid storage; then games live as long as their page. */
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
    return []; // somebody else's, or broken: begin anew
  }
}

function write(list: SavedGame[], to: Storage | null): void {
  try {
    to?.setItem(PLACE, JSON.stringify(list.slice(0, KEPT)));
  } catch {
    // full or forbidden: the game goes on without being kept
  }
}

/** Newest first; what is known of the same game is replaced. */
export function saveGame(game: SavedGame, to: Storage | null = storage()): void {
  write([game, ...savedGames(to).filter(({ id }) => id !== game.id)], to);
}

export function changeGame(id: string, change: Partial<SavedGame>, to: Storage | null = storage()): void {
  write(savedGames(to).map((game) => (game.id === id ? { ...game, ...change } : game)), to);
}

/** What a game that came by a link is, once that is known; what is known already stays. */
export function describeGame(id: string, about: Pick<SavedGame, "game" | "map" | "against">, to: Storage | null = storage()): void {
  if (findGame(id, to)?.game === "") changeGame(id, about, to);
}

export function forgetGame(id: string, to: Storage | null = storage()): void {
  write(savedGames(to).filter((game) => game.id !== id), to);
}

export const findGame = (id: string, from: Storage | null = storage()): SavedGame | null =>
  savedGames(from).find((game) => game.id === id) ?? null;
