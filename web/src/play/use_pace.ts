// SPDX-License-Identifier: MIT
//
// AI players often move all units at once. Their actions are shown step by step, with a short pause; the user's own
// actions and the first position are shown at once.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Side, State, Step, Table } from "../api/types";

const STEP_MS = 550;

export const wantsStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface Paced {
  ply: number; // the shown position
  state: State;
  last: Step | null; // the step that led to it
  behind: boolean; // later steps are waiting
}

/** The steps of the sides `mine` are shown at once. */
export function usePace(table: Table, onStep: (step: Step) => void, mine: Side[] = table.you): Paced {
  const [ply, setPly] = useState(table.steps.length);
  const known = useRef(table.id);
  const target = table.steps.length;
  const jump = known.current !== table.id || ply > target; // another game, or a take-back
  known.current = table.id;
  const shown = jump ? target : ply;

  useEffect(() => {
    if (shown !== ply) setPly(shown);
    if (shown >= target) return;
    const next = table.steps[shown] as Step;
    const show = (): void => {
      setPly(shown + 1);
      onStep(next);
    };
    const wait = mine.includes(next.side) || wantsStill() ? 0 : STEP_MS;
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  }, [shown, ply, target, table.id]);

  const last = shown === 0 ? null : (table.steps[shown - 1] ?? null);
  return { ply: shown, state: shown === target ? table.state : (last?.state ?? table.start), last, behind: shown < target };
}
