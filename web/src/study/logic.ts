// SPDX-License-Identifier: MIT
//
// A participant's way through a study: which step is shown, how far it is, and what this browser keeps of it. The
// server decides what comes next.

import type { LiveGame, Side, Study, StudyGame, StudyMap, StudyTexts } from "../api/types";
import { readRoute } from "../app/route";
import type { Language } from "../app/text";

export const textIn = (texts: StudyTexts, at: Language): string => texts[at];

/** Paragraphs of a text: an empty line is between them. */
export const paragraphs = (text: string): string[] => text.split(/\n\s*\n/).map((part) => part.trim()).filter((part) => part !== "");

// ---- links ----

export type Link = { participant: string } | { open: string };

/** "#/p/KEY" and "#/open/CODE"; null: no link of a study. */
export function readLink(hash: string): Link | null {
  const { screen, rest } = readRoute(hash);
  const [secret] = rest;
  if (secret === undefined || rest.length > 1) return null;
  if (screen === "p") return { participant: secret };
  return screen === "open" ? { open: secret } : null;
}

export const linkOf = (participant: string): string => `#/p/${encodeURIComponent(participant)}`;

// ---- steps ----

export type Step =
  | { show: "welcome" }
  | { show: "start"; map: number; side: Side; game: number }
  | { show: "game"; game: StudyGame }
  | { show: "rate"; map: number }
  | { show: "closing" }
  | { show: "thanks" };

/** What this tab shows besides the server's next step: a game until its end was read, or a map that is rated again. */
export interface Held {
  game: string | null; // its id
  map: number | null;
}

export const HELD_NOTHING: Held = { game: null, map: null };

const allGames = (study: Study): StudyGame[] => study.maps.flatMap(({ games }) => games);

export function findGame(study: Study, id: string): StudyGame | null {
  return allGames(study).find((game) => game.id === id) ?? null;
}

function gameStep(study: Study, wanted: { map: number; side: Side; game: number }): Step {
  const begun = study.maps[wanted.map]?.games.find(({ side, game }) => side === wanted.side && game === wanted.game);
  return begun === undefined ? { show: "start", map: wanted.map, side: wanted.side, game: wanted.game } : { show: "game", game: begun };
}

export function stepOf(study: Study, held: Held): Step {
  const { next } = study;
  if (next.do === "nothing") return { show: "thanks" };
  const game = held.game === null ? null : findGame(study, held.game);
  if (game !== null) return { show: "game", game };
  if (next.do === "consent") return { show: "welcome" };
  if (held.map !== null && study.maps[held.map]?.state === "done") return { show: "rate", map: held.map };
  if (next.do === "game") return gameStep(study, next);
  return next.do === "rate" ? { show: "rate", map: next.map } : { show: "closing" };
}

/** Names a step: another one starts at the top of the page. */
export const placeOf = (step: Step): string => {
  if (step.show === "game") return `game ${step.game.id}`;
  if (step.show === "start") return `start ${step.map} ${step.side} ${step.game}`;
  return step.show === "rate" ? `rate ${step.map}` : step.show;
};

// ---- progress ----

/** 1 or 2: the place of a side in a map's order. */
export const turnOf = (map: StudyMap, side: Side): 1 | 2 => (map.sides[0] === side ? 1 : 2);

/** Further games on a map are the participant's own choice. */
export const isExtra = (game: Pick<StudyGame, "game">): boolean => game.game > 1;

/** Steps of a map: a game from each side, and the questions. */
const STEPS = 3;

function stepsDone(map: StudyMap): number {
  if (map.state === "done") return STEPS;
  return map.sides.filter((side) => map.games.some((game) => game.side === side && game.over)).length;
}

export function progressOf(study: Study): { done: number; all: number } {
  const all = STEPS * study.maps.length + 1;
  if (study.stage === "finished") return { done: all, all };
  return { done: study.maps.reduce((sum, map) => sum + stepsDone(map), 0), all };
}

/** The number of a further game from a side, or the one that is under way. */
export function extraGame(map: StudyMap, side: Side): { number: number; goesOn: StudyGame | null } {
  const games = map.games.filter((game) => game.side === side);
  const last = games.reduce<StudyGame | null>((latest, game) => (latest === null || game.game > latest.game ? game : latest), null);
  return { number: (last?.game ?? 0) + 1, goesOn: last !== null && !last.over ? last : null };
}

// ---- answers ----

export interface Answers {
  ratings: Record<string, number>;
  comment: string;
}

/** Questions without an answer, in their order. */
export const missing = (study: Pick<Study, "questions">, ratings: Record<string, number>): string[] =>
  study.questions.map(({ id }) => id).filter((id) => ratings[id] === undefined);

/** Characters as people count them: a letter beyond the basic plane is one. */
export const lengthOf = (text: string): number => [...text].length;

/** Line ends as the server takes them, and no other control characters. */
export const cleaned = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, " ").trim();

/** The values of the scale. */
export function valuesOf([low, high]: Study["scale"]): number[] {
  return Array.from({ length: high - low + 1 }, (_, at) => low + at);
}

// ---- what the browser keeps ----

export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Without storage a visit lasts as long as its tab. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

const PLACE = "senjutsu.study";

function read<Value>(name: string, from: Store | null): Partial<Value> {
  try {
    const value: unknown = JSON.parse(from?.getItem(`${PLACE}.${name}`) ?? "{}");
    return typeof value === "object" && value !== null ? (value as Partial<Value>) : {};
  } catch {
    return {}; // damaged, or of another program
  }
}

function write(name: string, value: object, to: Store | null): void {
  try {
    to?.setItem(`${PLACE}.${name}`, JSON.stringify(value));
  } catch {
    // storage is full or forbidden
  }
}

interface Visit {
  visit: string;
  key: string; // of the participant, after the consent
}

/** 32 letters and digits. */
export function randomVisit(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The visit of an open link; made and stored with the agreement, so that a second press makes no second participant. */
export function visitOf(code: string, to: Store | null = storage()): string {
  const known = read<Visit>(`open.${code}`, to).visit;
  if (typeof known === "string") return known;
  const visit = randomVisit();
  write(`open.${code}`, { visit }, to);
  return visit;
}

/** The participant that this browser became through an open link. */
export function keptKey(code: string, from: Store | null = storage()): string | null {
  const { key } = read<Visit>(`open.${code}`, from);
  return typeof key === "string" ? key : null;
}

export function keepKey(code: string, key: string, to: Store | null = storage()): void {
  write(`open.${code}`, { ...read<Visit>(`open.${code}`, to), key }, to);
}

/** Answers that were not sent yet; `where` is a map's place, or "closing". */
export function draftOf(key: string, where: number | string, saved: Answers, from: Store | null = storage()): Answers {
  const draft = read<Answers>(`draft.${key}.${where}`, from);
  return { ratings: { ...saved.ratings, ...draft.ratings }, comment: typeof draft.comment === "string" ? draft.comment : saved.comment };
}

export function keepDraft(key: string, where: number | string, answers: Answers, to: Store | null = storage()): void {
  write(`draft.${key}.${where}`, answers, to);
}

export function dropDraft(key: string, where: number | string, to: Store | null = storage()): void {
  to?.removeItem(`${PLACE}.draft.${key}.${where}`);
}

/** Removes what this browser has of a participant. */
export function forget(key: string, from: Storage | null = storage()): void {
  for (const name of Object.keys(from ?? {}))
    if (name.startsWith(`${PLACE}.`) && `${name} ${from?.getItem(name)}`.includes(key)) from?.removeItem(name);
}

// ---- one's own data ----

/** What the study holds of this participant, as a file: the answers, and the games with their actions. */
export function ownData(study: Study, games: LiveGame[], at: Language): string {
  const actionsOf = (id: string): string[] => games.find((game) => game.id === id)?.steps.map(({ action }) => action ?? "") ?? [];
  const gameOf = ({ side, game, over, won, id }: StudyGame) => ({ side, game, over, won, actions: actionsOf(id) });
  const { name, about, language, comment } = study;
  const maps = study.maps.map(({ map, games: own, ratings, comment: about_map }) => ({ map: map + 1, ratings, comment: about_map, games: own.map(gameOf) }));
  return `${JSON.stringify({ study: textIn(study.title, at), name, about, language, maps, comment }, null, 2)}\n`;
}
