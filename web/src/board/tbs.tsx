// SPDX-License-Identifier: MIT
//
// The tactical game's board as SVG. It draws what it is told and says what was pointed at; what that means is decided
// by whoever shows it.

import type { Cell, TbsMap, TbsUnit } from "../api/types";

export type CellMark = "reach" | "attack" | "from" | "to" | "target" | "cursor" | "selected" | "problem";

export interface BoardArrow {
  from: Cell;
  to: Cell;
  kind: "move" | "attack";
  weight?: number; // 0 … 1: how thick; 1 without
}

export interface TbsBoardProps {
  map: Pick<TbsMap, "width" | "height" | "terrain">;
  units: TbsUnit[];
  marks?: { cell: Cell; mark: CellMark }[];
  arrows?: BoardArrow[];
  notes?: { cell: Cell; text: string; tone: "good" | "bad" | "plain" }[]; // small texts on cells: "-5", "-2"
  cursor?: Cell | null; // where the keyboard is
  label: string; // for screen readers: what this board shows
  onCell?: (cell: Cell, how: { button: number; shift: boolean }) => void; // clicked, tapped or chosen with Enter
  onHover?: (cell: Cell | null) => void; // also when the cursor moves by keyboard
  onDrag?: (cell: Cell, phase: "start" | "over" | "end") => void; // painting; given only where it is wanted
  small?: boolean; // a thumbnail: no coordinates, not focusable
}

export function TbsBoard(_: TbsBoardProps) {
  return <svg role="img" />;
}
