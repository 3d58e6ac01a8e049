// SPDX-License-Identifier: MIT
//
// Geister's board as SVG, from a side's place. Like the other board it draws what it is told.

import type { Cell, GeisterState, Side } from "../api/types";

export interface GeisterBoardProps {
  state: GeisterState;
  from: Side; // who sits at the bottom
  marks?: { cell: Cell; mark: "reach" | "take" | "from" | "to" | "selected" | "cursor" }[];
  exits?: Cell[]; // corners that can be left from now: an arrow off the board that can be chosen
  arrows?: { from: Cell; to: Cell | null; weight?: number }[];
  belief?: { letter: string; side: Side; red: number }[]; // how likely a hidden piece is red, 0 … 1
  cursor?: Cell | null;
  label: string;
  onCell?: (cell: Cell) => void;
  onExit?: (corner: Cell) => void;
  onHover?: (cell: Cell | null) => void;
  onDragPiece?: (letter: string, to: Cell) => void; // set-up by dragging: a piece was dropped on another's cell
  small?: boolean;
}

export function GeisterBoard(_: GeisterBoardProps) {
  return <svg role="img" />;
}
