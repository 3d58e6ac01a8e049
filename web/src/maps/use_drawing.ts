// SPDX-License-Identifier: MIT
//
// A drawing with its history, stored in the browser at every change. Strokes are faster than renders, so the current
// state is kept in one reference.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Cell, TbsMap } from "../api/types";
import { isDirty, keepDraft, removeDraft, type Draft } from "./drafts";
import { begin, change, redo, endStep, undo, type History } from "./history";
import { fingerprint } from "./serial";
import { beginStroke, continueStroke, endStroke, type Hand, type Limits, type Stroke } from "./tools";

interface Held {
  history: History<TbsMap>;
  name: string;
  from: string;
  saved: string | null;
}

export interface Drawing {
  map: TbsMap;
  name: string;
  from: string;
  dirty: boolean;
  kept: boolean; // false: the browser has no storage
  canUndo: boolean;
  canRedo: boolean;
  edit: (next: (map: TbsMap) => TbsMap, key?: string) => void;
  rename: (name: string) => void;
  undo: () => void;
  redo: () => void;
  stroke: (cell: Cell, phase: "start" | "over" | "end", hand: Hand) => void;
  savedAs: (name: string, map: TbsMap) => void;
}

function draftOf(held: Held): Draft {
  return { from: held.from, name: held.name, map: held.history.present, saved: held.saved, at: Date.now() };
}

/** A drawing equal to the saved map needs no draft. */
function keep(held: Held): boolean {
  const draft = draftOf(held);
  if (isDirty(draft)) return keepDraft(draft, localStorage);
  removeDraft(draft.from, localStorage);
  return true;
}

function useKeeping(held: { current: Held }, map: TbsMap, name: string): boolean {
  const [kept, setKept] = useState(true);
  const first = useRef(map); // an unchanged map leaves no draft
  const waits = useRef(false);
  useEffect(() => {
    if (map === first.current && !waits.current) return undefined;
    waits.current = true;
    const timer = setTimeout(() => {
      waits.current = false;
      setKept(keep(held.current));
    }, 200);
    return () => clearTimeout(timer);
  }, [map, name]);
  useEffect(() => {
    const leave = () => void (waits.current && keep(held.current)); // within the pause
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
  return kept;
}

export function useDrawing(start: Draft, limits: Limits): Drawing {
  const held = useRef<Held>({ history: begin(start.map), name: start.name, from: start.from, saved: start.saved });
  const under = useRef<Stroke | null>(null);
  const strokes = useRef(0);
  const [, draw] = useState(0);
  const set = (part: Partial<Held>) => {
    held.current = { ...held.current, ...part };
    draw((n) => n + 1);
  };
  const edit = (next: (map: TbsMap) => TbsMap, key?: string) =>
    set({ history: change(held.current.history, next(held.current.history.present), key ?? null) });
  const stroke: Drawing["stroke"] = (cell, phase, hand) => {
    const { history } = held.current;
    const known = under.current;
    if (phase === "start") {
      const begun = beginStroke(history.present, cell, hand, limits);
      under.current = begun.stroke;
      set({ history: change(endStep(history), begun.map, `stroke ${++strokes.current}`) });
    } else if (known !== null) {
      const gone = phase === "over" ? continueStroke(history.present, known, cell, hand) : null;
      const map = gone?.map ?? endStroke(history.present, known, hand, limits);
      under.current = gone?.stroke ?? null;
      const next = change(history, map, `stroke ${strokes.current}`);
      set({ history: phase === "end" ? endStep(next) : next });
    }
  };
  const { history, name, from, saved } = held.current;
  const kept = useKeeping(held, history.present, name);
  return {
    map: history.present,
    name,
    from,
    dirty: isDirty({ map: history.present, saved }),
    kept,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit,
    rename: (wanted) => set({ name: wanted }),
    undo: () => set({ history: undo(held.current.history) }),
    redo: () => set({ history: redo(held.current.history) }),
    stroke,
    savedAs: (wanted, map) => {
      removeDraft(held.current.from, localStorage);
      set({ from: `mine/${wanted}`, name: wanted, saved: fingerprint(map) });
    },
  };
}
