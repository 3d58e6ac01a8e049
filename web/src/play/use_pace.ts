// SPDX-License-Identifier: MIT
//
// Players answer at once, all their units in a blink. People want to see it: what others do is shown step by step, a
// moment each; own actions and the first look at a game are shown at once.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Side, State, Step, Table } from "../api/types";

const STEP_MS = 550;

export const wantsStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface Paced {
  ply: number; // what is shown
  state: State;
  last: Step | null; // the step that led to it
  behind: boolean; // there is more to come
}

/** `mine` are the sides whose steps need no showing. */
export function usePace(table: Table, onStep: (step: Step) => void, mine: Side[] = table.you): Paced {
  const [ply, setPly] = useState(table.steps.length);
  const known = useRef(table.id);
  const target = table.steps.length;
  const jump = known.current !== table.id || ply > target; // another game, or taken back
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
