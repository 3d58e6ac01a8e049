// SPDX-License-Identifier: MIT
//
// AI players often move all units at once. Their actions are shown step by step, with a short pause; the user's own
// actions and the first position are shown at once.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Side, State, Step, LiveGame } from "../api/types";

const STEP_MS = 550;

export const wantsStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export interface Paced {
  ply: number; // the shown position
  state: State;
  last: Step | null; // the step that led to it
  behind: boolean; // later steps are waiting
}

/** The steps of the sides `mine` are shown at once. */
export function usePace(liveGame: LiveGame, onStep: (step: Step) => void, mine: Side[] = liveGame.you): Paced {
  const [ply, setPly] = useState(liveGame.steps.length);
  const known = useRef(liveGame.id);
  const target = liveGame.steps.length;
  const jump = known.current !== liveGame.id || ply > target; // another game, or a take-back
  known.current = liveGame.id;
  const shown = jump ? target : ply;

  useEffect(() => {
    if (shown !== ply) setPly(shown);
    if (shown >= target) return;
    const next = liveGame.steps[shown] as Step;
    const show = (): void => {
      setPly(shown + 1);
      onStep(next);
    };
    const wait = mine.includes(next.side) || wantsStill() ? 0 : STEP_MS;
    const timer = setTimeout(show, wait);
    return () => clearTimeout(timer);
  }, [shown, ply, target, liveGame.id]);

  const last = shown === 0 ? null : (liveGame.steps[shown - 1] ?? null);
  return { ply: shown, state: shown === target ? liveGame.state : (last?.state ?? liveGame.start), last, behind: shown < target };
}
