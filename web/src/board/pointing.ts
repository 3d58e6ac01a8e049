// SPDX-License-Identifier: MIT
//
// Pointer, touch and keyboard on a board, the same for every board; reports cells.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Cell } from "../api/types";
import { cursorAfter, isInside, same, stroke, type Extent } from "./grid";

export interface Pointing {
  extent: Extent;
  cellAt: (x: number, y: number) => Cell; // from the drawing's own coordinates
  onCell: ((cell: Cell, how: { button: number; shift: boolean }) => void) | undefined;
  onHover: ((cell: Cell | null) => void) | undefined;
  onDrag: ((cell: Cell, phase: "start" | "over" | "end") => void) | undefined;
  cursor: Cell | null | undefined;
  start: Cell; // where the keyboard begins
}

/** Where in the drawing an event is; null before it is shown. */
export function drawingPoint(svg: SVGSVGElement | null, event: MouseEvent): [number, number] | null {
  const matrix = svg?.getScreenCTM();
  if (!matrix) return null;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return [point.x, point.y];
}

/** The keyboard's cursor: internal, unless the caller sets it. */
function useCursor(given: Cell | null | undefined, start: Cell): [Cell, (cell: Cell) => void] {
  const [own, setOwn] = useState<Cell>(given ?? start);
  const key = given ? `${given[0]},${given[1]}` : "";
  // At once, not after the next render: a key pressed in between would be lost.
  useLayoutEffect(() => {
    if (given) setOwn(given);
  }, [key]);
  return [own, setOwn];
}

function usePainting(pointing: Pointing, find: (event: MouseEvent) => Cell | null) {
  const painted = useRef<Cell | null>(null);
  return {
    begin: (event: PointerEvent) => {
      const cell = find(event);
      if (pointing.onDrag === undefined || event.button !== 0 || cell === null) return;
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      painted.current = cell;
      pointing.onDrag(cell, "start");
    },
    go: (cell: Cell | null) => {
      const last = painted.current;
      if (last === null || cell === null || same(last, cell)) return;
      for (const step of stroke(last, cell)) pointing.onDrag?.(step, "over");
      painted.current = cell;
    },
    end: () => {
      const last = painted.current;
      painted.current = null;
      if (last !== null) pointing.onDrag?.(last, "end");
    },
    isUnderWay: () => painted.current !== null,
  };
}

function useKeyboard(pointing: Pointing) {
  const [cursor, setCursor] = useCursor(pointing.cursor, pointing.start);
  const [isKeyed, setKeyed] = useState(false); // the cursor is visible only after a key was used
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    const next = cursorAfter(pointing.extent, cursor, event.key, event.ctrlKey);
    if (next !== null) {
      event.preventDefault();
      setKeyed(true);
      setCursor(next);
      if (!same(next, cursor)) pointing.onHover?.(next);
    } else if ((event.key === "Enter" || event.key === " ") && pointing.onCell !== undefined) {
      event.preventDefault();
      setKeyed(true);
      pointing.onCell(cursor, { button: 0, shift: event.shiftKey });
    }
  };
  return { cursor, setCursor, isKeyed, setKeyed, press };
}

/** Handlers for the element that has the focus and for the drawing, and the cursor if visible. */
export function usePointing(pointing: Pointing) {
  const svg = useRef<SVGSVGElement>(null);
  const hovered = useRef<Cell | null>(null);
  const [isFocused, setFocused] = useState(false);
  const keys = useKeyboard(pointing);
  const find = (event: MouseEvent): Cell | null => {
    const point = drawingPoint(svg.current, event);
    const cell = point === null ? null : pointing.cellAt(point[0], point[1]);
    return cell !== null && isInside(pointing.extent, cell) ? cell : null;
  };
  const painting = usePainting(pointing, find);
  const hover = (cell: Cell | null) => {
    if (same(cell, hovered.current)) return;
    hovered.current = cell;
    pointing.onHover?.(cell);
  };
  const choose = (event: MouseEvent, button: number) => {
    const cell = find(event);
    if (cell === null || pointing.onCell === undefined) return;
    keys.setKeyed(false);
    keys.setCursor(cell);
    pointing.onCell(cell, { button, shift: event.shiftKey });
  };

  const drawing = {
    ref: svg,
    onPointerDown: painting.begin,
    onPointerMove: (event: PointerEvent) => {
      const cell = find(event);
      painting.go(cell);
      if (event.pointerType === "mouse" || painting.isUnderWay()) hover(cell);
    },
    onPointerUp: painting.end,
    onPointerCancel: painting.end,
    onPointerLeave: () => hover(null),
    // While painting, drags report everything; Enter and the other buttons still choose.
    onClick: (event: MouseEvent) => pointing.onDrag === undefined && choose(event, event.button),
    onContextMenu: (event: MouseEvent) => {
      if (pointing.onCell === undefined || (event as PointerEvent).pointerType === "touch") return;
      event.preventDefault();
      choose(event, 2);
    },
  };
  const focusable = {
    tabIndex: 0,
    onKeyDown: keys.press,
    onFocus: (event: FocusEvent) => {
      setFocused(true);
      if ((event.currentTarget as Element).matches(":focus-visible")) keys.setKeyed(true);
    },
    onBlur: () => {
      setFocused(false);
      keys.setKeyed(false);
    },
  };
  return { svg, drawing, focusable, cursor: keys.cursor, setCursor: keys.setCursor, isCursorShown: isFocused && keys.isKeyed };
}
