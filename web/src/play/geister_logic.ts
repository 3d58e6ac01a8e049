// SPDX-License-Identifier: MIT
//
// Input for Geister: clicks, the set-up, and when the board must be covered because two people share it.

import type { Cell, Colour, GeisterActions, GeisterPiece, GeisterState, Side } from "../api/types";
import { same } from "../board/grid";
import { hasCell } from "./cells";

export function pieceAt(state: GeisterState, cell: Cell): GeisterPiece | null {
  return state.pieces.find((piece) => piece.at !== null && same(piece.at, cell)) ?? null;
}

export function pieceOf(state: GeisterState, side: Side, letter: string): GeisterPiece | null {
  return state.pieces.find((piece) => piece.side === side && piece.letter === letter) ?? null;
}

// ---- set-up ----

const LETTERS = ["A", "B", "C", "D", "E", "F", "G", "H"] as const;
const REDS = 4;

/** Four different letters in the order of the alphabet, as the action is written. */
export const ordered = (letters: Iterable<string>): string => [...new Set(letters)].sort().join("");

export const isSetup = (reds: string): boolean =>
  reds.length === REDS && reds === ordered(reds) && [...reds].every((letter) => (LETTERS as readonly string[]).includes(letter));

/** Two pieces change their colours; no effect if they are equal. */
export function swap(reds: string, one: string, other: string): string {
  if (reds.includes(one) === reds.includes(other)) return reds;
  const [out, into] = reds.includes(one) ? [one, other] : [other, one];
  return ordered(reds.replace(out, into));
}

/** Any of the 70 set-ups; `random` gives numbers from 0 up to 1. */
export function randomSetup(random: () => number = Math.random): string {
  const letters: string[] = [...LETTERS];
  for (let i = letters.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [letters[i], letters[j]] = [letters[j] as string, letters[i] as string];
  }
  return ordered(letters.slice(0, REDS));
}

/** The board as it will be with these reds. */
export function withSetup(state: GeisterState, side: Side, reds: string): GeisterState {
  const colour = (piece: GeisterPiece): Colour => (reds.includes(piece.letter) ? "red" : "blue");
  return { ...state, pieces: state.pieces.map((piece) => (piece.side === side ? { ...piece, colour: colour(piece) } : piece)) };
}

export interface SetupClick {
  reds: string;
  chosen: string | null; // a first piece, waiting for the second
}

/** Tapping two pieces swaps them; tapping one twice deselects it. */
export function clickSetup(state: GeisterState, side: Side, now: SetupClick, cell: Cell): SetupClick {
  const piece = pieceAt(state, cell);
  if (piece === null || piece.side !== side) return { ...now, chosen: null };
  if (now.chosen === null) return { ...now, chosen: piece.letter };
  if (now.chosen === piece.letter) return { ...now, chosen: null };
  if (now.reds.includes(now.chosen) === now.reds.includes(piece.letter)) return { ...now, chosen: piece.letter };
  return { reds: swap(now.reds, now.chosen, piece.letter), chosen: null };
}

// ---- moves ----

export type Move = GeisterActions["moves"][number];

export const movesOf = (actions: GeisterActions | null, letter: string | null): Move[] =>
  letter === null ? [] : (actions?.moves ?? []).filter((move) => move.letter === letter);

export interface Outcome {
  chosen: string | null;
  action: string | null;
}

export function click(state: GeisterState, actions: GeisterActions | null, chosen: string | null, cell: Cell): Outcome {
  if (actions === null) return { chosen: null, action: null };
  const step = movesOf(actions, chosen).find((move) => move.to !== null && same(move.to, cell));
  if (step !== undefined) return { chosen: null, action: step.action };
  const piece = pieceAt(state, cell);
  if (piece === null || piece.side !== state.mover || piece.letter === chosen) return { chosen: null, action: null };
  return { chosen: movesOf(actions, piece.letter).length > 0 ? piece.letter : null, action: null };
}

/** A piece was dropped on a cell. */
export function drop(actions: GeisterActions | null, letter: string, cell: Cell): string | null {
  return movesOf(actions, letter).find((move) => move.to !== null && same(move.to, cell))?.action ?? null;
}

/** A piece leaves the board from its corner. A corner may have two arrows; they are the same move. */
export function leave(actions: GeisterActions | null, corner: Cell): string | null {
  return actions?.moves.find((move) => move.to === null && same(move.from, corner))?.action ?? null;
}

export function exits(actions: GeisterActions | null): Cell[] {
  const cells: Cell[] = [];
  for (const move of actions?.moves ?? [])
    if (move.to === null && !hasCell(cells, move.from)) cells.push(move.from);
  return cells;
}

export type GeisterMark = { cell: Cell; mark: "reach" | "take" | "from" | "to" | "selected" | "cursor" };

export function marks(state: GeisterState, actions: GeisterActions | null, chosen: string | null): GeisterMark[] {
  const list: GeisterMark[] = [];
  const piece = chosen === null || state.mover === null ? null : pieceOf(state, state.mover, chosen);
  if (piece?.at) list.push({ cell: piece.at, mark: "selected" });
  for (const { to } of movesOf(actions, chosen))
    if (to !== null) list.push({ cell: to, mark: pieceAt(state, to) === null ? "reach" : "take" });
  return list;
}

/** Pieces of one side that were taken, in the order of their letters. */
export const taken = (state: GeisterState, side: Side): GeisterPiece[] =>
  state.pieces.filter((piece) => piece.side === side && piece.fate === "taken");

/** The next piece that can move, cyclically. */
export function nextPiece(actions: GeisterActions | null, from: string | null, step: 1 | -1 = 1): string | null {
  const letters = [...ordered((actions?.moves ?? []).map((move) => move.letter))];
  if (letters.length === 0) return null;
  const index = from === null ? -1 : letters.indexOf(from);
  if (index < 0) return (step === 1 ? letters[0] : letters[letters.length - 1]) ?? null;
  return letters[(index + step + letters.length) % letters.length] ?? null;
}

// ---- two people, one screen ----

/** Must the board be covered until the other person has the device? `shown` is the side that last confirmed. */
export function needsCurtain(you: Side[], mover: Side | null, shown: Side | null): boolean {
  return you.length === 2 && mover !== null && mover !== shown;
}
