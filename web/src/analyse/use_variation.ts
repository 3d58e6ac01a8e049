// SPDX-License-Identifier: MIT
//
// The analysed position and the moves tried from it; legal moves come from the server.

import { useEffect, useRef, useState } from "preact/hooks";

import { api } from "../api/client";
import type { Actions, StartingPosition, PlayedPosition, Source } from "../api/types";
import { actionsUpTo, goTo, startOf, isNext, type Position, positionOf, startVariation, type Variation, withActions, withPlayed } from "./variation";

export function useVariation() {
  const [variation, setVariation] = useState<Variation | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const run = useRef(0); // late responses are ignored

  const attempt = async <T>(asked: Promise<T>, take: (answer: T) => void): Promise<void> => {
    const mine = ++run.current;
    setBusy(true);
    setError(null);
    try {
      const answer = await asked;
      if (run.current === mine) take(answer);
    } catch (problem) {
      if (run.current === mine) setError(problem);
    }
    if (run.current === mine) setBusy(false);
  };

  const load = (source: Source, start: StartingPosition): Promise<void> =>
    attempt(api.post<Position>("/api/positions", source), (root) => setVariation(startVariation(source, start, root)));

  /** Plays a line from the place that is shown; `at` of it is shown then. */
  const playLine = (line: string[], at = line.length): void => {
    if (variation === null) return;
    if (line.length === 1 && line[0] !== undefined && isNext(variation, line[0])) return setVariation(goTo(variation, variation.at + 1));
    const actions = [...actionsUpTo(variation), ...line];
    void attempt(api.post<PlayedPosition>("/api/positions/play", { source: variation.source, actions }), (played) =>
      setVariation(withPlayed(variation, played, variation.at + at)),
    );
  };

  const position = variation === null ? null : positionOf(variation);
  const isUnknown = position !== null && position.actions === undefined;
  useEffect(() => {
    if (variation === null || position === null || !isUnknown) return;
    if (position.state.over) return setVariation(withActions(variation, null));
    const source = { ...startOf(variation.start), position: position.state.text };
    void attempt(api.post<{ actions: Actions | null }>("/api/positions", source), ({ actions }) =>
      setVariation((now) => (now === variation ? withActions(variation, actions) : now)),
    );
  }, [variation, isUnknown]);

  return { variation, position, error, isBusy, load, playLine, goTo: (at: number) => setVariation((v) => v && goTo(v, at)), show: setVariation };
}

export type Exploring = ReturnType<typeof useVariation>;
