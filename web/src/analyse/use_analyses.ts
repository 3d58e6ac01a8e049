// SPDX-License-Identifier: MIT
//
// Analyses by players and the solver, with live results. Earlier results are kept for comparison.

import { useEffect, useRef, useState } from "preact/hooks";

import { api } from "../api/client";
import { listen } from "../api/events";
import type { Analysis, AnalysisEvents, NewAnalysis, Thoughts } from "../api/types";
import { type Moment, remember } from "./history";
import type { Variation } from "./variation";

export interface Answer {
  number: number; // counted from 1, shown on the page
  question: NewAnalysis;
  asked: Variation; // the analysed position
  id: string | null; // the server's; null until it has one
  analysis: Analysis | null;
  thoughts: Thoughts | null; // the newest
  history: Moment[];
  error: unknown;
}

export function isRunning(answer: Answer): boolean {
  return answer.error === null && (answer.analysis === null || answer.analysis.state === "running");
}

type Change = (answer: Answer) => Answer;

export function useAnalyses() {
  const [answers, setAnswers] = useState<Answer[]>([]);
  const streams = useRef(new Map<number, { id: string; close: () => void }>());
  const count = useRef(0);
  const change = (number: number, by: Change) =>
    setAnswers((list) => list.map((answer) => (answer.number === number ? by(answer) : answer)));

  const follow = (number: number, id: string) => {
    const stream = listen<AnalysisEvents>(`/api/analyses/${encodeURIComponent(id)}/events`, {
      analysis: (analysis) =>
        change(number, ({ thoughts, history, ...answer }) => ({
          ...answer,
          analysis,
          thoughts: analysis.thoughts ?? thoughts,
          history: analysis.thoughts === null ? history : remember(history, analysis.thoughts),
        })),
      thoughts: (thoughts) => change(number, (answer) => ({ ...answer, thoughts, history: remember(answer.history, thoughts) })),
    });
    streams.current.set(number, { id, close: () => stream.close() });
    change(number, (answer) => ({ ...answer, id }));
  };

  const ask = (question: NewAnalysis, asked: Variation): void => {
    const number = ++count.current;
    const fresh: Answer = { number, question, asked, id: null, analysis: null, thoughts: null, history: [], error: null };
    setAnswers((list) => [fresh, ...list]);
    api.post<{ id: string }>("/api/analyses", question).then(
      ({ id }) => follow(number, id),
      (error: unknown) => change(number, (answer) => ({ ...answer, error })),
    );
  };

  /** The server reports the end; the stream stays open for it. */
  const stop = (answer: Answer): void => {
    if (answer.id !== null) api.remove(`/api/analyses/${encodeURIComponent(answer.id)}`).catch(() => {});
  };

  const remove = (answer: Answer): void => {
    if (isRunning(answer)) stop(answer);
    streams.current.get(answer.number)?.close();
    streams.current.delete(answer.number);
    setAnswers((list) => list.filter((one) => one.number !== answer.number));
  };

  // Leaving the screen stops all analyses.
  useEffect(
    () => () => {
      for (const { id, close } of streams.current.values()) {
        close();
        api.remove(`/api/analyses/${encodeURIComponent(id)}`).catch(() => {});
      }
    },
    [],
  );
  return { answers, ask, stop, remove };
}
