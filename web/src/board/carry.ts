// SPDX-License-Identifier: MIT
//
// Carrying a ghost from one cell to another: with the pointer, or picked up and put down by the keyboard.

import { useRef, useState } from "preact/hooks";

import type { Cell, GeisterPiece } from "../api/types";
import type { GeisterBoardProps } from "./geister";
import { same, turned } from "./grid";
import { drawingPoint } from "./pointing";

export const CELL = 60; // a cell of Geister's board, in the drawing's lengths

interface Carried {
  piece: GeisterPiece;
  x: number;
  y: number;
  moved: boolean;
}

const DRAG_AFTER = 8; // drawing units: a tap may move a little

export function useCarrying(props: GeisterBoardProps, svg: { current: SVGSVGElement | null }) {
  const [carried, setCarried] = useState<Carried | null>(null);
  const begun = useRef<[number, number]>([0, 0]);
  const isHeld = useRef(false); // valid at once, not from the next render
  const isDropped = useRef(false); // the click after a drop is ignored
  const cellAt = (x: number, y: number) => turned([Math.floor(x / CELL), Math.floor(y / CELL)], props.from);
  return {
    carried: carried?.moved ? carried : null,
    swallowClick: () => {
      const dropped = isDropped.current;
      isDropped.current = false;
      return dropped;
    },
    /** A finger that drags a ghost must not scroll the page. This must be decided at its first movement; styles of SVG
     *  children cannot do it. */
    hold: (event: TouchEvent) => {
      if (isHeld.current && event.cancelable) event.preventDefault();
    },
    begin: (event: PointerEvent) => {
      isDropped.current = false;
      isHeld.current = false;
      const point = drawingPoint(svg.current, event);
      if (props.onDragPiece === undefined || point === null || event.button !== 0) return;
      const cell = cellAt(...point);
      const piece = props.state.pieces.find((one) => one.side === props.from && same(one.at, cell));
      if (piece === undefined) return;
      svg.current?.setPointerCapture(event.pointerId);
      begun.current = point;
      isHeld.current = true;
      setCarried({ piece, x: point[0], y: point[1], moved: false });
    },
    go: (event: PointerEvent) => {
      const point = drawingPoint(svg.current, event);
      if (carried === null || point === null) return;
      const far = Math.hypot(point[0] - begun.current[0], point[1] - begun.current[1]) > DRAG_AFTER;
      setCarried({ ...carried, x: point[0], y: point[1], moved: carried.moved || far });
    },
    end: (event: PointerEvent) => {
      const point = drawingPoint(svg.current, event);
      isHeld.current = false;
      setCarried(null);
      if (carried === null || !carried.moved || point === null) return;
      isDropped.current = true;
      const to = cellAt(...point);
      if (!same(to, carried.piece.at)) props.onDragPiece?.(carried.piece.letter, to);
    },
    drop: () => {
      isHeld.current = false;
      setCarried(null);
    },
  };
}

/** If only dragging is supported, Enter picks a piece up and puts it down. */
export function usePickUp(props: GeisterBoardProps) {
  const [letter, setLetter] = useState<string | null>(null);
  if (props.onCell !== undefined || props.onDragPiece === undefined) return { letter: null, choose: props.onCell };
  const choose = (cell: Cell) => {
    const piece = props.state.pieces.find((one) => one.side === props.from && same(one.at, cell));
    if (letter === null) setLetter(piece?.letter ?? null);
    else {
      if (piece?.letter !== letter) props.onDragPiece?.(letter, cell);
      setLetter(null);
    }
  };
  return { letter, choose };
}
