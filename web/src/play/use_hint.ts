// SPDX-License-Identifier: MIT
//
// A hint: the adviser evaluates the current position; its best action is shown, live and then final.

import { useEffect, useRef, useState } from "preact/hooks";

import { api } from "../api/client";
import { listen } from "../api/events";
import type { Analysis, AnalysisEvents, Candidate, Thoughts } from "../api/types";

export interface Hint {
  state: "off" | "thinking" | "ready" | "failed";
  best: Candidate | null;
  chosen: string | null; // the action; also without candidates
  error: unknown;
}

const OFF: Hint = { state: "off", best: null, chosen: null, error: null };

export interface HintQuestion {
  game: string;
  table: string;
  key: string;
  player: string;
}

const best = (thoughts: Thoughts | null, chosen: string | null): Candidate | null =>
  thoughts?.candidates.find((one) => one.action === chosen) ?? thoughts?.candidates[0] ?? null;

function fromAnalysis({ state, thoughts, chosen, error }: Analysis): Hint {
  if (state === "failed") return { ...OFF, state: "failed", error: new Error(error) };
  return { state: state === "running" ? "thinking" : "ready", best: best(thoughts, chosen), chosen, error: null };
}

/** `moment` names the position; when it changes, the hint is cleared. */
export function useHint(moment: string): [Hint, (question: HintQuestion) => void, () => void] {
  const [hint, setHint] = useState<Hint>(OFF);
  const running = useRef<{ stop: () => void } | null>(null);

  const stop = (): void => {
    running.current?.stop();
    running.current = null;
    setHint(OFF);
  };
  useEffect(() => stop, [moment]);

  const ask = (question: HintQuestion): void => {
    stop();
    setHint({ ...OFF, state: "thinking" });
    let gone = false;
    let close = (): void => {};
    running.current = { stop: () => ((gone = true), close()) };
    const source = { game: question.game, table: question.table, key: question.key };
    api.post<{ id: string }>("/api/analyses", { source, kind: "think", player: question.player, top: 3 }).then(
      ({ id }) => {
        const path = `/api/analyses/${encodeURIComponent(id)}`;
        const stream = listen<AnalysisEvents>(`${path}/events`, {
          analysis: (analysis) => gone || setHint(fromAnalysis(analysis)),
          thoughts: (thoughts) => gone || setHint({ state: "thinking", best: best(thoughts, null), chosen: null, error: null }),
        });
        close = () => {
          stream.close();
          api.remove(path).catch(() => {}); // it may be deleted already
        };
        if (gone) close();
      },
      (error: unknown) => gone || setHint({ ...OFF, state: "failed", error }),
    );
  };
  return [hint, ask, stop];
}
