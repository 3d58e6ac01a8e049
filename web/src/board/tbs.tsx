// SPDX-License-Identifier: MIT
//
// The tactical game's board as SVG. It draws its properties and reports the cells that were pointed at; the caller
// decides what that means.

import { useEffect, useId, useMemo, useRef } from "preact/hooks";

import type { Cell, TbsMap, TbsUnit } from "../api/types";
import { useLanguage, useText } from "../app/text";
import { describeTbs } from "./describe";
import { playable } from "./grid";
import { ArrowLayer, MarkLayer, NoteLayer } from "./marks";
import { usePointing } from "./pointing";
import "./style.css";
import { CELL, GroundLayer } from "./terrain";
import { words } from "./text";
import { UnitLayer } from "./units";

export { UnitSign } from "./units";

export type CellMark = "reach" | "attack" | "from" | "to" | "target" | "cursor" | "selected" | "problem";

export interface BoardArrow {
  from: Cell;
  to: Cell;
  kind: "move" | "attack";
  weight?: number; // 0 … 1: how thick; 1 without
  label?: string; // its number in a line of play
}

export interface TbsBoardProps {
  map: Pick<TbsMap, "width" | "height" | "terrain">;
  units: TbsUnit[];
  marks?: { cell: Cell; mark: CellMark }[];
  arrows?: BoardArrow[];
  notes?: { cell: Cell; text: string; tone: "good" | "bad" | "plain" }[]; // small texts on cells: "-5", "-2"
  cursor?: Cell | null; // keyboard cursor; moves itself, and follows when this changes
  label: string; // for screen readers: what this board shows
  onCell?: (cell: Cell, how: { button: number; shift: boolean }) => void; // clicked, tapped or chosen with Enter
  onHover?: (cell: Cell | null) => void; // also when the cursor moves by keyboard
  onDrag?: (cell: Cell, phase: "start" | "over" | "end") => void; // painting; if given, the main button reports only this
  small?: boolean; // a thumbnail: no coordinates, not focusable
}

const MARGIN = 22;
const none: never[] = [];

function Coordinates(props: { columns: number; rows: number }) {
  const { columns, rows } = props;
  return useMemo(
    () => (
      <g class="board-coordinates">
        {Array.from({ length: columns }, (_, x) => (
          <text key={`x${x}`} x={(x + 0.5) * CELL} y={-7}>{x + 1}</text>
        ))}
        {Array.from({ length: rows }, (_, y) => (
          <text key={`y${y}`} x={-11} y={(y + 0.5) * CELL + 4}>{y + 1}</text>
        ))}
      </g>
    ),
    [columns, rows],
  );
}

function Picture(props: TbsBoardProps) {
  const small = props.small ?? false;
  const marks = props.marks ?? none;
  return (
    <>
      <GroundLayer ground={props.map} details={!small || props.map.width < 22} />
      <MarkLayer marks={marks} above={false} />
      <UnitLayer units={props.units} plain={small} />
      <MarkLayer marks={marks} above />
      {props.arrows !== undefined && <ArrowLayer arrows={props.arrows} />}
      {props.notes !== undefined && <NoteLayer notes={props.notes} />}
    </>
  );
}

/** A picture without a label is hidden from screen readers. */
function pictureName(label: string) {
  return label === "" ? ({ "aria-hidden": "true" } as const) : ({ role: "img", "aria-label": label } as const);
}

function SmallBoard(props: TbsBoardProps) {
  const [width, height] = [(props.map.width - 2) * CELL, (props.map.height - 2) * CELL];
  return (
    <svg class="board-svg board-small" {...pictureName(props.label)} viewBox={`-2 -2 ${width + 4} ${height + 4}`}>
      <Picture {...props} />
    </svg>
  );
}

function FullBoard(props: TbsBoardProps) {
  const at = useLanguage();
  const t = useText(words);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const extent = playable(props.map);
  const pointing = usePointing({
    extent,
    cellAt: (x, y) => [Math.floor(x / CELL) + 1, Math.floor(y / CELL) + 1],
    onCell: props.onCell,
    onHover: props.onHover,
    onDrag: props.onDrag,
    cursor: props.cursor,
    start: [extent.left, extent.top],
  });
  const shown = pointing.isCursorShown;
  const { cursor } = pointing;
  const [width, height] = [extent.right * CELL, extent.bottom * CELL];
  useEffect(() => {
    if (shown) box.current?.querySelector(".tbs-mark-cursor")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [shown, cursor[0], cursor[1]]);

  const painting = props.onDrag !== undefined;
  const view = { terrain: props.map.terrain, units: props.units, marks: props.marks, notes: props.notes };
  return (
    <div
      class={`board${painting ? " board-painting" : ""}${extent.right > 16 ? " board-large" : extent.right < 10 ? " board-few" : ""}`}
      role="application"
      aria-roledescription={t("board")}
      aria-label={props.label}
      aria-describedby={`${id}k ${id}c`}
      ref={box}
      {...pointing.focusable}
    >
      <svg
        class="board-svg"
        aria-hidden="true"
        viewBox={`${-MARGIN} ${-MARGIN} ${width + MARGIN + 4} ${height + MARGIN + 4}`}
        {...pointing.drawing}
      >
        <Coordinates columns={extent.right} rows={extent.bottom} />
        <Picture {...props} />
        {shown && <MarkLayer marks={[{ cell: cursor, mark: "cursor" }]} above />}
      </svg>
      <span class="visually-hidden" id={`${id}k`}>{t("keys")}</span>
      <span class="visually-hidden" id={`${id}c`} aria-live="polite">
        {shown ? describeTbs(view, cursor, at) : ""}
      </span>
    </div>
  );
}

export function TbsBoard(props: TbsBoardProps) {
  return props.small ? <SmallBoard {...props} /> : <FullBoard {...props} />;
}
