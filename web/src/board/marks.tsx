// SPDX-License-Identifier: MIT
//
// Marks on cells: reachable, attacked, with a problem; arrows and small notes. Every mark has its own shape, so that
// none depends on its colour.

import type { ComponentChild } from "preact";

import type { Cell } from "../api/types";
import { memo } from "./memo";
import type { BoardArrow, CellMark } from "./tbs";
import { CELL } from "./terrain";

/** Drawn below the units; all others above them. */
const low: CellMark[] = ["reach", "from", "to", "problem"];
const E = CELL - 1;

const shapes: Record<CellMark, ComponentChild> = {
  reach: (
    <>
      <rect x="1" y="1" width={CELL - 2} height={CELL - 2} rx="3" />
      <circle cx={CELL / 2} cy={CELL / 2} r="4.4" />
    </>
  ),
  attack: (
    <>
      <rect x="1.6" y="1.6" width={CELL - 3.2} height={CELL - 3.2} rx="3" />
      <path d={`M1 11V4a3 3 0 0 1 3-3h7M${E - 10} 1h7a3 3 0 0 1 3 3v7M${E} ${E - 10}v7a3 3 0 0 1-3 3h-7M11 ${E}h-7a3 3 0 0 1-3-3v-7`} />
    </>
  ),
  target: (
    <>
      <circle cx={CELL / 2} cy={CELL / 2} r="17.6" />
      <path d="M20-1v9M20 41v-9M-1 20h9M41 20h-9" />
    </>
  ),
  from: <rect x="2" y="2" width={CELL - 4} height={CELL - 4} rx="3" />,
  to: <rect x="2" y="2" width={CELL - 4} height={CELL - 4} rx="3" />,
  selected: (
    <>
      <rect class="halo" x="0.4" y="0.4" width={CELL - 0.8} height={CELL - 0.8} rx="3" />
      <rect x="0.4" y="0.4" width={CELL - 0.8} height={CELL - 0.8} rx="3" />
    </>
  ),
  cursor: (
    <>
      <rect class="halo" x="-0.6" y="-0.6" width={CELL + 1.2} height={CELL + 1.2} rx="3.5" />
      <rect x="-0.6" y="-0.6" width={CELL + 1.2} height={CELL + 1.2} rx="3.5" />
    </>
  ),
  problem: (
    <>
      <rect x="1.5" y="1.5" width={CELL - 3} height={CELL - 3} rx="3" />
      <path class="sign" d="M33 1.5l6 10.5h-12z" />
      <path class="bang" d="M33 5.2v3.2M33 9.8v.8" />
    </>
  ),
};

const Mark = memo((props: { x: number; y: number; mark: CellMark }) => (
  <g
    class={`tbs-mark tbs-mark-${props.mark}`}
    transform={`translate(${(props.x - 1) * CELL} ${(props.y - 1) * CELL})`}
    data-mark={props.mark}
    data-x={props.x}
    data-y={props.y}
  >
    {shapes[props.mark]}
  </g>
));

export function MarkLayer(props: { marks: { cell: Cell; mark: CellMark }[]; above: boolean }) {
  const shown = props.marks.filter(({ mark }) => low.includes(mark) !== props.above);
  return (
    <g class="tbs-marks">
      {shown.map(({ cell, mark }) => (
        <Mark key={`${mark}${cell[0]},${cell[1]}`} x={cell[0]} y={cell[1]} mark={mark} />
      ))}
    </g>
  );
}

export interface ArrowShape {
  shaft: string;
  head: string;
  width: number;
  label: [x: number, y: number]; // where its number goes
}

/** From the edge of one cell's middle to that of another, in the board's own lengths. A stay is a ring. */
export function arrowShape(from: Cell, to: Cell, weight: number, cell: number, gap = 0.28): ArrowShape {
  const width = cell * (0.035 + 0.055 * Math.min(1, Math.max(0, weight)));
  const [x1, y1, x2, y2] = [from[0] * cell, from[1] * cell, to[0] * cell, to[1] * cell];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const n = (value: number) => String(Math.round(value * 10) / 10);
  if (length === 0) {
    const r = cell * 0.44;
    const shaft = `M${n(x1 - r)} ${n(y1)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0`;
    return { shaft, head: "", width, label: [x1, y1 - r] };
  }
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const headLength = width * 1.2 + cell * 0.14;
  const half = headLength * 0.62;
  const [tipX, tipY] = [x2 - ux * cell * gap * 0.5, y2 - uy * cell * gap * 0.5];
  const [footX, footY] = [tipX - ux * headLength, tipY - uy * headLength];
  return {
    shaft: `M${n(x1 + ux * cell * 1.4 * gap)} ${n(y1 + uy * cell * 1.4 * gap)}L${n(footX)} ${n(footY)}`,
    head: `M${n(tipX)} ${n(tipY)}L${n(footX - uy * half)} ${n(footY + ux * half)}L${n(footX + uy * half)} ${n(footY - ux * half)}z`,
    width,
    label: [(x1 + tipX) / 2, (y1 + tipY) / 2],
  };
}

/** An arrow's number in a line of play. */
function ArrowLabel(props: { at: [x: number, y: number]; text: string }) {
  return (
    <g class="board-arrow-label" transform={`translate(${props.at[0]} ${props.at[1]})`}>
      <circle r="7.6" />
      <text y="3.9">{props.text}</text>
    </g>
  );
}

export function ArrowLine(props: { shape: ArrowShape; kind: "move" | "attack"; label?: string | undefined }) {
  const { shaft, head, width } = props.shape;
  const dash = props.kind === "attack" ? `${width * 1.6} ${width * 1.1}` : undefined;
  return (
    <g class={`board-arrow board-arrow-${props.kind}`}>
      <path class="halo" d={shaft} stroke-width={width + 2.4} />
      <path class="halo" d={head} stroke-width="2.4" />
      <path class="shaft" d={shaft} stroke-width={width} stroke-dasharray={dash} />
      <path class="head" d={head} />
      {props.label !== undefined && <ArrowLabel at={props.shape.label} text={props.label} />}
    </g>
  );
}

export function ArrowLayer(props: { arrows: BoardArrow[] }) {
  return (
    <g class="tbs-arrows">
      {props.arrows.map((arrow, index) => {
        const middle = ([x, y]: Cell): Cell => [x - 0.5, y - 0.5];
        const shape = arrowShape(middle(arrow.from), middle(arrow.to), arrow.weight ?? 1, CELL);
        return <ArrowLine key={index} shape={shape} kind={arrow.kind} label={arrow.label} />;
      })}
    </g>
  );
}

/** Wide characters (Japanese) need twice the space. */
function textWidth(text: string): number {
  return [...text].reduce((sum, sign) => sum + (sign.codePointAt(0)! > 0x2e80 ? 12 : 7), 0);
}

export function NoteLayer(props: { notes: { cell: Cell; text: string; tone: "good" | "bad" | "plain" }[] }) {
  return (
    <g class="tbs-notes">
      {props.notes.map(({ cell, text, tone }, index) => {
        const width = textWidth(text) + 9;
        return (
          <g
            key={index}
            class={`board-note board-note-${tone}`}
            transform={`translate(${(cell[0] - 0.5) * CELL} ${(cell[1] - 1) * CELL + 4})`}
          >
            <rect x={-width / 2} y="-7.5" width={width} height="15" rx="7.5" />
            <text y="4.3">{text}</text>
          </g>
        );
      })}
    </g>
  );
}
