// SPDX-License-Identifier: MIT
//
// A cell in words, for screen readers: "3,4: wood, red infantry, 7 HP, can act".

import type { Cell, GeisterPiece, GeisterState, Side, TbsUnit } from "../api/types";
import { colourName, percent, sideName, terrainName, terrainNames, unitName } from "../app/names";
import { fill, pick, type Language, type Params } from "../app/text";
import { same } from "./grid";
import { words } from "./text";

type Word = keyof typeof words;

const say = (key: Word, at: Language, params?: Params) => fill(pick(words[key], at), params);

function cellWords([x, y]: Cell, parts: string[], at: Language): string {
  return say("cell", at, { x, y, what: parts.filter((part) => part !== "").join(at === "en" ? ", " : "、") });
}

function unitParts(unit: TbsUnit, at: Language): string[] {
  const side = sideName("tbs", unit.side, at);
  const name = say("unit", at, { side: at === "en" ? side.toLowerCase() : side, unit: unitName(unit.type, at), hp: unit.hp });
  return [name, unit.done ? say("done", at) : say("ready", at)];
}

export interface TbsContent {
  terrain: string[];
  units: TbsUnit[];
  marks?: { cell: Cell; mark: string }[] | undefined;
  notes?: { cell: Cell; text: string }[] | undefined;
}

export function describeTbs(view: TbsContent, cell: Cell, at: Language): string {
  const terrain = terrainNames[Number(view.terrain[cell[1]]?.[cell[0]])];
  const unit = view.units.find((one) => same([one.x, one.y], cell));
  return cellWords(
    cell,
    [
      terrain === undefined ? "" : terrainName(terrain, at),
      ...(unit === undefined ? [] : unitParts(unit, at)),
      ...markParts(view.marks, cell, at),
      ...(view.notes ?? []).filter((note) => same(note.cell, cell)).map((note) => note.text),
    ],
    at,
  );
}

function markParts(marks: { cell: Cell; mark: string }[] | undefined, cell: Cell, at: Language): string[] {
  const here = (marks ?? []).filter((mark) => same(mark.cell, cell) && mark.mark !== "cursor");
  return here.map((mark) => say(mark.mark as Word, at));
}

export interface GeisterContent {
  state: GeisterState;
  marks?: { cell: Cell; mark: string }[] | undefined;
  belief?: { letter: string; side: Side; red: number }[] | undefined;
}

/** Own and revealed colours are described; the state does not contain what the viewer must not see. */
export function pieceWords(piece: GeisterPiece, at: Language): string {
  const side = sideName("geister", piece.side, at);
  return say("piece", at, { side: at === "en" ? side.toLowerCase() : side, letter: piece.letter, colour: colourName(piece.colour, at) });
}

/** Whose exit a corner is: the first player's are in the far row. */
export function exitOf([x, y]: Cell): Side | null {
  if (x !== 0 && x !== 5) return null;
  return y === 0 ? 0 : y === 5 ? 1 : null;
}

export function describeGeister(view: GeisterContent, cell: Cell, at: Language): string {
  const piece = view.state.pieces.find((one) => one.fate === "board" && same(one.at, cell));
  const belief = view.belief?.find((one) => one.letter === piece?.letter && one.side === piece.side);
  const exit = exitOf(cell);
  return cellWords(
    cell,
    [
      piece === undefined ? say("empty", at) : pieceWords(piece, at),
      belief === undefined ? "" : say("belief", at, { percent: percent(belief.red, 0, at) }),
      exit === null ? "" : `${say("exit", at)} (${sideName("geister", exit, at)})`,
      ...markParts(view.marks, cell, at),
    ],
    at,
  );
}
