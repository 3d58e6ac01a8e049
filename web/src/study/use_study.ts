// SPDX-License-Identifier: MIT
//
// The participant's study, as the server has it. It is read again when this tab is looked at again, and when the server
// refuses a change because another tab was first.

import { useEffect, useRef, useState } from "preact/hooks";

import { api, ApiError, withQuery } from "../api/client";
import type { Study } from "../api/types";
import type { Link } from "./logic";

const ASK_AGAIN_MS = 2000;

export interface FollowedStudy {
  study: Study | null;
  error: unknown; // there is no study to show
  lost: boolean; // the server does not respond
  busy: boolean; // a change is under way
  refused: unknown; // the server's answer to the last change
  read: () => Promise<void>;
  /** Sends a change; null: it was refused, or the answer did not come. */
  change: <Answer = Study>(path: string, body: object) => Promise<Answer | null>;
}

const isUnsent = (problem: unknown): boolean => problem instanceof ApiError && (problem.status === 0 || problem.status >= 500);
/** Another tab was first, or has erased the data. */
const isOutrun = (problem: unknown): boolean => problem instanceof ApiError && (problem.status === 409 || problem.status === 403);

const isStudy = (answer: unknown): answer is Study => typeof answer === "object" && answer !== null && "stage" in answer && "next" in answer;

/** The link stays the same as long as the component is there. */
export function useStudy(link: Link): FollowedStudy {
  const [study, setStudy] = useState<Study | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [lost, setLost] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const path = withQuery("/api/study", { ...link });
  const gone = useRef(false);
  const sending = useRef(false); // at once: a double press comes before the next drawing
  const changes = useRef(0); // what was read before a change is older than its answer
  const timer = useRef(0);

  const take = (answer: Study): void => {
    setStudy(answer);
    setError(null);
    setLost(false);
  };
  const read = async (): Promise<void> => {
    clearTimeout(timer.current);
    const before = changes.current;
    try {
      const answer = await api.get<Study>(path);
      if (!gone.current && !sending.current && changes.current === before) take(answer);
    } catch (problem) {
      if (gone.current) return;
      clearTimeout(timer.current);
      setLost(isUnsent(problem));
      if (isUnsent(problem)) timer.current = window.setTimeout(() => void read(), ASK_AGAIN_MS);
      else setError(problem);
    }
  };

  useEffect(() => {
    void read();
    const look = (): void => void (document.visibilityState === "visible" && read());
    document.addEventListener("visibilitychange", look);
    addEventListener("focus", look);
    return () => {
      gone.current = true;
      clearTimeout(timer.current);
      document.removeEventListener("visibilitychange", look);
      removeEventListener("focus", look);
    };
  }, []);

  const change = async <Answer>(where: string, body: object): Promise<Answer | null> => {
    if (sending.current) return null;
    sending.current = true;
    changes.current++;
    setBusy(true);
    setRefused(null);
    try {
      const answer = await api.post<Answer>(where, body);
      sending.current = false;
      if (isStudy(answer)) take(answer);
      return answer;
    } catch (problem) {
      sending.current = false;
      if (isOutrun(problem)) await read();
      setRefused(problem);
      return null;
    } finally {
      setBusy(false);
    }
  };

  return { study, error, lost, busy, refused, read, change };
}
