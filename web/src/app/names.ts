// SPDX-License-Identifier: MIT
//
// Names in both languages: units, terrain, sides, results, and what an action did. Numbers and times are in format.ts;
// they are exported from here, too.

import type { Cell, Colour, Did, GameInfo, StartingPosition, JobKind, Seat, Side, State } from "../api/types";
import { colours, deeds, ends, faults, games, jobKinds, others, sides, terrains, units } from "./names_text";
import { fill, language, pick, type Both, type Language, type Params } from "./text";

export * from "./format";

function look(table: Record<string, Both>, key: string, at: Language): string {
  const both = table[key];
  return both === undefined ? key : pick(both, at);
}

// ---- the tactical game ----

/** By the digit of a map. */
export const terrainNames = ["no-entry", "plain", "sea", "wood", "mountain", "road", "fortress"] as const;

export function terrainName(name: string, at = language()): string {
  return look(terrains, name, at);
}

export function unitName(type: string, at = language()): string {
  return look(units, type, at);
}

// ---- games and sides ----

/** The name in front of a spec's colon. */
export function gameOf(spec: string): string {
  return spec.split(":", 1)[0] ?? spec;
}

export function gameName(spec: string, at = language()): string {
  return look(games, gameOf(spec), at);
}

/** Is it the tactical game, on boards of any size? */
export function isTactical(game: string): boolean {
  return gameOf(game) === "tbs" || gameOf(game) === "tbs-wide";
}

/** Both sides of each game, as the server lists them. */
const gameSides = new Map<string, [string, string]>([["tbs", ["red", "blue"]]]);

/** Stores the sides' names of the server's games (/api/games). */
export function setGames(list: GameInfo[]): void {
  for (const game of list) gameSides.set(game.name, game.sides);
}

/** What a side is called in a game; `game` is its spec or the state's `game`. */
export function sideName(game: string, side: Side, at = language()): string {
  const names = gameSides.get(isTactical(game) ? "tbs" : gameOf(game)) ?? ["first", "second"];
  return look(sides, names[side], at);
}

/** A person's or player's name as a table shows it. */
export function seatName(seat: Seat, at = language()): string {
  if (seat.kind === "player") return seat.name || seat.spec;
  return seat.name || pick(["Human", "人間"], at);
}

/** "Tactical game on duel". */
export function startingPositionName(start: StartingPosition, at = language()): string {
  const game = gameName(start.game, at);
  if (!isTactical(start.game)) return game;
  const map = start.map ?? pick(["a custom map", "自作マップ"], at);
  return fill(pick(["{game} on {map}", "{game}（{map}）"], at), { game, map });
}

export function jobKindName(kind: JobKind, at = language()): string {
  return pick(jobKinds[kind], at);
}

// ---- results ----

/** The sides of the game in which one has that name. */
function sidesWith(name: string): [string, string] | undefined {
  return [["first", "second"] as [string, string], ...gameSides.values()].find((names) => names.includes(name));
}

/** "red annihilation" in words; unknown results are unchanged. */
export function resultName(result: string, at = language()): string {
  const whole = others[result];
  if (whole !== undefined) return pick(whole, at);
  const [winner = "", how = ""] = result.split(" ", 2);
  const end = ends[how];
  const loser = sidesWith(winner)?.find((name) => name !== winner);
  if (end === undefined || loser === undefined) return result;
  return fill(pick(end, at), { winner: look(sides, winner, at), loser: look(sides, loser, at) });
}

/** "Red wins", "Draw": for tables, where space is limited. */
export function resultShort(result: string, at = language()): string {
  if (result === "none") return pick(["in progress", "対局中"], at);
  const [winner = ""] = result.split(" ", 1);
  if (winner === "draw") return pick(["Draw", "引き分け"], at);
  if (sides[winner] === undefined) return resultName(result, at);
  return fill(pick(["{winner} wins", "{winner}の勝ち"], at), { winner: look(sides, winner, at) });
}

/** The winner by the result text; null: a draw, or not over. */
export function winnerOf(result: string): Side | null {
  const [winner = ""] = result.split(" ", 1);
  const names = sidesWith(winner);
  return names === undefined ? null : names[0] === winner ? 0 : 1;
}

/** What a player did wrong: "crash" as "program stopped". */
export function faultName(fault: string, at = language()): string {
  return look(faults, fault, at);
}

export function colourName(colour: Colour, at = language()): string {
  return pick(colours[colour], at);
}

// ---- what an action did ----

export function cellName(cell: Cell): string {
  return `${cell[0]},${cell[1]}`;
}

function tell(key: keyof typeof deeds, at: Language, params: Params): string {
  return fill(pick(deeds[key], at), params);
}

type TbsDid = Extract<Did, { kind: "tbs" }>;

function tbsDid(did: TbsDid, at: Language): string {
  const whose = pick(["{side} {unit}", "{side}の{unit}"], at);
  const who = fill(whose, { side: sideName("tbs", did.side, at), unit: unitName(did.type, at) });
  const from = cellName(did.from);
  const to = cellName(did.to);
  const stays = from === to;
  const mover = tell(stays ? "stay" : "move", at, { who, from, to });
  if (did.target === undefined) return mover;
  const { type, at: cell, damage, counter, destroyed, lost } = did.target;
  const params = { who, mover, to, target: unitName(type, at), at: cellName(cell), damage };
  return (
    tell(stays ? "attack_stay" : "attack", at, params) +
    (destroyed ? tell("destroyed", at, {}) : "") +
    (counter > 0 ? tell("counter", at, { counter }) : "") +
    (lost ? tell("lost", at, {}) : "")
  );
}

/** What an action did, as a sentence without a full stop. A game without a board of its own names its sides by its state. */
export function didWords(did: Did, at = language(), state?: State): string {
  switch (did.kind) {
    case "tbs":
      return tbsDid(did, at);
    case "pass":
    case "resign":
      return tell(did.kind, at, { side: sideName("tbs", did.side, at) });
    case "setup": {
      const side = sideName("geister", did.side, at);
      return did.reds === null ? tell("setup", at, { side }) : tell("setup_known", at, { side, reds: did.reds });
    }
    case "geister": {
      const params = { side: sideName("geister", did.side, at), letter: did.letter, from: cellName(did.from) };
      const moved = did.to === null ? tell("escape", at, params) : tell("geister", at, { ...params, to: cellName(did.to) });
      if (did.took === undefined) return moved;
      return moved + tell("took", at, { letter: did.took.letter, colour: colourName(did.took.colour, at) });
    }
    case "plain":
      return state?.game === "plain" ? `${sideName(state.name, did.side, at)}${at === "en" ? ": " : "："}${did.text}` : did.text;
  }
}

/** The same in signs, for lists of candidates: "infantry 2,2→3,4 ×panzer −5". */
export function didShort(did: Did, at = language()): string {
  switch (did.kind) {
    case "tbs": {
      const [from, to] = [cellName(did.from), cellName(did.to)];
      const path = from === to ? to : `${from}→${to}`;
      const hit = did.target === undefined ? "" : ` ×${unitName(did.target.type, at)} −${did.target.damage}`;
      return `${unitName(did.type, at)} ${path}${hit}`;
    }
    case "geister": {
      const taken = did.took === undefined ? "" : ` ×${did.took.letter}`;
      return `${did.letter} ${cellName(did.from)}→${did.to === null ? pick(["out", "脱出"], at) : cellName(did.to)}${taken}`;
    }
    case "setup":
      return did.reds ?? pick(["hidden set-up", "非公開の配置"], at);
    case "pass":
      return pick(["end of turn", "手番終了"], at);
    case "resign":
      return pick(["resigns", "投了"], at);
    case "plain":
      return did.text;
  }
}

/** The side to move, or the result. */
export function stateWords(state: State, at = language()): string {
  if (state.over || state.mover === null) return resultName(state.result, at);
  const game = state.game === "plain" ? state.name : state.game;
  return fill(pick(["{side} to move", "{side}の番です"], at), { side: sideName(game, state.mover, at) });
}
