// SPDX-License-Identifier: MIT
//
// Geister's board as SVG, seen from one side. Like the other board it only draws its properties.

import { useId, useState } from "preact/hooks";

import type { Cell, GeisterState, Side } from "../api/types";
import { sideName } from "../app/names";
import { useLanguage, useText } from "../app/text";
import { CELL, useCarrying, usePickUp } from "./carry";
import { describeGeister, exitOf, pieceWords } from "./describe";
import { isOutward, outward } from "./exits";
import "./geister.css";
import { Ghost, Piece } from "./ghosts";
import { same, turned } from "./grid";
import { ArrowLine, arrowShape } from "./marks";
import { usePointing } from "./pointing";
import "./style.css";
import { words } from "./text";

export { GhostSign } from "./ghosts";

export type GeisterMark = "reach" | "take" | "from" | "to" | "selected" | "cursor";

export interface GeisterBoardProps {
  state: GeisterState;
  from: Side; // the side at the bottom
  marks?: { cell: Cell; mark: GeisterMark }[];
  exits?: Cell[]; // corners with an escape now: an arrow off the board that can be chosen
  arrows?: { from: Cell; to: Cell | null; weight?: number; label?: string }[];
  belief?: { letter: string; side: Side; red: number }[]; // how likely a hidden piece is red, 0 … 1
  cursor?: Cell | null;
  label: string;
  onCell?: (cell: Cell) => void;
  onExit?: (corner: Cell) => void;
  onHover?: (cell: Cell | null) => void;
  onDragPiece?: (letter: string, to: Cell) => void; // set-up by dragging: a piece was dropped on another's cell
  small?: boolean;
}

const MARGIN = 34;
const TRAY = 46;
const SIZE = 6 * CELL;
const cells = Array.from({ length: 36 }, (_, n): Cell => [n % 6, Math.floor(n / 6)]);

/** The middle of a cell on the screen. */
function middle(cell: Cell, from: Side): [number, number] {
  const [x, y] = turned(cell, from);
  return [(x + 0.5) * CELL, (y + 0.5) * CELL];
}

function Field(props: { from: Side; small: boolean }) {
  return (
    <g class="gst-field">
      {cells.map(([x, y]) => (
        <rect key={`${x}${y}`} class={`gst-cell${(x + y) % 2 ? " is-dark" : ""}`} x={x * CELL} y={y * CELL} width={CELL} height={CELL} />
      ))}
      <rect class="gst-frame" width={SIZE} height={SIZE} />
      {!props.small && (
        <g class="gst-coordinates">
          {[0, 1, 2, 3, 4, 5].map((n) => (
            <g key={n}>
              <text x={(n + 1) * CELL - 7} y={SIZE - 4}>{props.from === 0 ? n : 5 - n}</text>
              <text x="7" y={n * CELL + 12}>{props.from === 0 ? n : 5 - n}</text>
            </g>
          ))}
        </g>
      )}
    </g>
  );
}

/** Arrows out of the corners: pale ones show whose exits they are, open ones can be chosen. */
function Exits(props: GeisterBoardProps & { atExit: Cell | null; choose: (corner: Cell) => void }) {
  const corners = cells.filter((cell) => exitOf(cell) !== null);
  return (
    <g class="gst-exits">
      {corners.flatMap((corner) => {
        const open = props.exits?.some((exit) => same(exit, corner)) ?? false;
        const state = `${open ? " is-open" : ""}${same(props.atExit, corner) ? " is-cursor" : ""}`;
        return outward(turned(corner, props.from), props.state.exits).map(([dx, dy]) => {
          const [x, y] = middle(corner, props.from);
          const [cx, cy] = [x + dx * (CELL / 2 + MARGIN / 2), y + dy * (CELL / 2 + MARGIN / 2)];
          const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
          return (
            <g
              key={`${corner}${dx}`}
              class={`gst-exit${state}`}
              transform={`translate(${cx} ${cy}) rotate(${angle})`}
              data-exit={open ? `${corner[0]},${corner[1]}` : undefined}
              onClick={(event) => {
                event.stopPropagation();
                if (open) props.choose(corner);
              }}
            >
              <rect x={-MARGIN / 2 + 2} y={-CELL / 2 + 4} width={MARGIN - 4} height={CELL - 8} rx="6" />
              <path d="M-8 0H8M2-6L8 0L2 6" />
            </g>
          );
        });
      })}
    </g>
  );
}

const markShapes: Record<GeisterMark, preact.ComponentChild> = {
  reach: (
    <>
      <rect x="2" y="2" width="56" height="56" rx="6" />
      <circle cx="30" cy="30" r="7" />
    </>
  ),
  take: (
    <>
      <rect x="2" y="2" width="56" height="56" />
      <path d="M3 17V9a6 6 0 0 1 6-6h8M43 3h8a6 6 0 0 1 6 6v8M57 43v8a6 6 0 0 1-6 6h-8M17 57H9a6 6 0 0 1-6-6v-8" />
    </>
  ),
  from: <rect x="3" y="3" width="54" height="54" rx="6" />,
  to: <rect x="3" y="3" width="54" height="54" rx="6" />,
  selected: <rect x="2.5" y="2.5" width="55" height="55" rx="7" />,
  cursor: <rect x="1" y="1" width="58" height="58" rx="8" />,
};

function Marks(props: { marks: { cell: Cell; mark: GeisterMark }[]; from: Side }) {
  return (
    <g class="gst-marks">
      {props.marks.map(({ cell, mark }) => {
        const [x, y] = turned(cell, props.from);
        return (
          <g
            key={`${mark}${cell}`}
            class={`gst-mark gst-mark-${mark}`}
            transform={`translate(${x * CELL} ${y * CELL})`}
            data-mark={mark}
            data-x={cell[0]}
            data-y={cell[1]}
          >
            {markShapes[mark]}
          </g>
        );
      })}
    </g>
  );
}

function Pieces(props: GeisterBoardProps & { dragged: string | null }) {
  return (
    <g class="gst-pieces">
      {props.state.pieces.map((piece) => {
        if (piece.at === null) return null;
        const [x, y] = middle(piece.at, props.from);
        const belief = props.belief?.find((one) => one.letter === piece.letter && one.side === piece.side);
        return (
          <Piece
            key={`${piece.side}${piece.letter}`}
            x={x}
            y={y + 2}
            side={piece.side}
            colour={piece.colour}
            letter={piece.letter}
            belief={belief?.red ?? null}
            mine={piece.side === props.from}
            dragged={piece.side === props.from && piece.letter === props.dragged}
          />
        );
      })}
    </g>
  );
}

function Arrows(props: GeisterBoardProps) {
  return (
    <g class="gst-arrows">
      {props.arrows?.map((arrow, index) => {
        const scaled = (cell: Cell): Cell => turned(cell, props.from).map((value) => value + 0.5) as Cell;
        const from = scaled(arrow.from);
        const [dx, dy] = outward(turned(arrow.from, props.from), props.state.exits)[0] ?? [0, -1];
        const to: Cell = arrow.to === null ? [from[0] + dx, from[1] + dy] : scaled(arrow.to);
        return <ArrowLine key={index} shape={arrowShape(from, to, arrow.weight ?? 1, CELL)} kind="move" label={arrow.label} />;
      })}
    </g>
  );
}

/** What a side has taken, beside its own edge of the board; its own escaped ghost is shown there, too. */
function Tray(props: { state: GeisterState; side: Side; y: number }) {
  const at = useLanguage();
  const pieces = props.state.pieces.filter(
    (piece) => (piece.side !== props.side && piece.fate === "taken") || (piece.side === props.side && piece.fate === "escaped"),
  );
  return (
    <g class="gst-tray-row" transform={`translate(0 ${props.y})`} data-tray={props.side}>
      <rect class="gst-tray" width={SIZE} height={TRAY - 8} rx="6" />
      {props.side === 0 ? (
        <circle class="gst-side-sign" cx="18" cy={(TRAY - 8) / 2} r="6" />
      ) : (
        <rect class="gst-side-sign" x="12" y={(TRAY - 8) / 2 - 6} width="12" height="12" rx="1.5" />
      )}
      <text class="gst-tray-label" x="32" y={(TRAY - 8) / 2 + 4.5}>
        {sideName("geister", props.side, at)}
      </text>
      {pieces.map((piece, n) => (
        <g key={piece.letter} transform={`translate(${SIZE - 22 - 32 * n} ${(TRAY - 8) / 2 + 2}) scale(0.6)`}>
          <Ghost side={piece.side} colour={piece.colour} letter={piece.fate === "escaped" ? `${piece.letter}↑` : piece.letter} />
        </g>
      ))}
    </g>
  );
}

// ---- the whole board ----

function useExitCursor(props: GeisterBoardProps) {
  const [atExit, setAtExit] = useState<Cell | null>(null);
  const open = (cell: Cell) => props.exits?.some((exit) => same(exit, cell)) ?? false;
  /** True if the key concerned an exit. */
  const press = (event: KeyboardEvent, cursor: Cell): boolean => {
    const corner = turned(cursor, props.from);
    if (atExit !== null && (event.key === "Enter" || event.key === " ")) {
      props.onExit?.(atExit);
      setAtExit(null);
    } else if (atExit !== null && event.key.startsWith("Arrow")) setAtExit(null);
    else if (open(corner) && isOutward(event.key, cursor, props.state.exits)) setAtExit(corner);
    else return false;
    event.preventDefault();
    return true;
  };
  return { atExit: atExit !== null && open(atExit) ? atExit : null, press, clear: () => setAtExit(null) };
}

/** "taken by first: second A, bad ghost". */
function useTakenWords(state: GeisterState): string {
  const at = useLanguage();
  const t = useText(words);
  const description = ([0, 1] as const).map((side) => {
    const pieces = state.pieces.filter((piece) => piece.side !== side && piece.fate === "taken");
    const list = pieces.map((piece) => pieceWords(piece, at)).join("; ");
    return t("taken", { side: sideName("geister", side, at), pieces: list || t("nothing_taken") });
  });
  return description.join(at === "ja" ? "。" : ". ");
}

function SmallBoard(props: GeisterBoardProps) {
  return (
    <svg class="board-svg board-small gst-board" role="img" aria-label={props.label} viewBox={`-3 -3 ${SIZE + 6} ${SIZE + 6}`}>
      <Field from={props.from} small />
      <Marks marks={props.marks ?? []} from={props.from} />
      <Pieces {...props} dragged={null} />
      <Arrows {...props} />
    </svg>
  );
}

function FullBoard(props: GeisterBoardProps) {
  const at = useLanguage();
  const t = useText(words);
  const id = useId();
  const { from, state } = props;
  const pickUp = usePickUp(props);
  const exit = useExitCursor(props);
  const pointing = usePointing({
    extent: { left: 0, top: 0, right: 5, bottom: 5 }, // as seen on the screen
    cellAt: (x, y) => [Math.floor(x / CELL), Math.floor(y / CELL)],
    onCell: pickUp.choose && ((cell) => pickUp.choose?.(turned(cell, from))),
    onHover: props.onHover && ((cell) => props.onHover?.(cell && turned(cell, from))),
    onDrag: undefined,
    cursor: props.cursor && turned(props.cursor, from),
    start: [1, 4],
  });
  const carrying = useCarrying(props, pointing.svg);
  const cursor = turned(pointing.cursor, from);
  const shown = pointing.isCursorShown;
  const picked = state.pieces.find((piece) => piece.side === from && piece.letter === pickUp.letter)?.at;
  const marks = [
    ...(props.marks ?? []),
    ...(picked ? [{ cell: picked, mark: "selected" as const }] : []),
    ...(shown && exit.atExit === null ? [{ cell: cursor, mark: "cursor" as const }] : []),
  ];
  const description = () => {
    if (!shown) return "";
    if (exit.atExit !== null) return t("leave", { x: exit.atExit[0], y: exit.atExit[1] });
    const carried = pickUp.letter === null ? "" : `${t("carrying", { letter: pickUp.letter })} `;
    return carried + describeGeister({ state, marks: props.marks, belief: props.belief }, cursor, at);
  };
  const { drawing, focusable } = pointing;
  return (
    <div
      class={`board gst-board${props.onDragPiece === undefined ? "" : " gst-draggable"}`}
      role="application"
      aria-roledescription={t("board")}
      aria-label={props.label}
      aria-describedby={`${id}k ${id}c`}
      {...focusable}
      onKeyDown={(event) => exit.press(event, pointing.cursor) || focusable.onKeyDown(event)}
    >
      <svg
        class="board-svg"
        aria-hidden="true"
        viewBox={`${-MARGIN} ${-MARGIN - TRAY} ${SIZE + 2 * MARGIN} ${SIZE + 2 * MARGIN + 2 * TRAY}`}
        {...drawing}
        onPointerDown={carrying.begin}
        onPointerMove={(event) => {
          carrying.go(event);
          drawing.onPointerMove(event);
        }}
        onPointerUp={carrying.end}
        onPointerCancel={carrying.drop}
        onTouchMove={carrying.hold}
        onClick={(event) => {
          exit.clear();
          if (!carrying.swallowClick()) drawing.onClick(event);
        }}
      >
        <Field from={from} small={false} />
        <Exits {...props} atExit={exit.atExit} choose={(corner) => props.onExit?.(corner)} />
        <Marks marks={marks.filter(({ mark }) => mark === "from" || mark === "to" || mark === "reach")} from={from} />
        <Pieces {...props} dragged={carrying.carried?.piece.letter ?? null} />
        <Marks marks={marks.filter(({ mark }) => mark !== "from" && mark !== "to" && mark !== "reach")} from={from} />
        <Arrows {...props} />
        <Tray state={state} side={from === 0 ? 1 : 0} y={-MARGIN - TRAY + 4} />
        <Tray state={state} side={from} y={SIZE + MARGIN + 4} />
        {carrying.carried !== null && (
          <g class="gst-carried" transform={`translate(${carrying.carried.x} ${carrying.carried.y}) scale(1.1)`}>
            <Ghost {...carrying.carried.piece} />
          </g>
        )}
      </svg>
      <span class="visually-hidden" id={`${id}k`}>{t("keys")} {useTakenWords(state)}</span>
      <span class="visually-hidden" id={`${id}c`} aria-live="polite">{description()}</span>
    </div>
  );
}

export function GeisterBoard(props: GeisterBoardProps) {
  return props.small ? <SmallBoard {...props} /> : <FullBoard {...props} />;
}
