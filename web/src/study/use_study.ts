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
  wentOn: boolean; // … was that another tab had been first
  read: () => Promise<void>;
  /** Sends a change; null: it was refused, or the answer did not come. */
  change: <Answer = Study>(path: string, body: object) => Promise<Answer | null>;
}

const isUnsent = (problem: unknown): boolean => problem instanceof ApiError && (problem.status === 0 || problem.status >= 500);
const isConflict = (problem: unknown): boolean => problem instanceof ApiError && problem.status === 409;

const isStudy = (answer: unknown): answer is Study => typeof answer === "object" && answer !== null && "stage" in answer && "next" in answer;

export function useStudy(link: Link): FollowedStudy {
  const [study, setStudy] = useState<Study | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [lost, setLost] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const [wentOn, setWentOn] = useState(false);
  const path = withQuery("/api/study", { ...link });
  const current = useRef(path); // answers to an earlier link are ignored
  const sending = useRef(false); // at once: a double press comes before the next drawing
  const timer = useRef(0);
  current.current = path;

  const take = (answer: Study): void => {
    setStudy(answer);
    setError(null);
    setLost(false);
  };
  const read = async (): Promise<void> => {
    clearTimeout(timer.current);
    try {
      const answer = await api.get<Study>(path);
      if (current.current === path && !sending.current) take(answer);
    } catch (problem) {
      if (current.current !== path) return;
      setLost(isUnsent(problem));
      if (isUnsent(problem)) timer.current = window.setTimeout(() => void read(), ASK_AGAIN_MS);
      else setError(problem);
    }
  };

  useEffect(() => {
    setStudy(null);
    setError(null);
    setRefused(null);
    void read();
    const look = (): void => void (document.visibilityState === "visible" && read());
    document.addEventListener("visibilitychange", look);
    addEventListener("focus", look);
    return () => {
      clearTimeout(timer.current);
      document.removeEventListener("visibilitychange", look);
      removeEventListener("focus", look);
    };
  }, [path]);

  const change = async <Answer>(where: string, body: object): Promise<Answer | null> => {
    if (sending.current) return null;
    sending.current = true;
    setBusy(true);
    setRefused(null);
    setWentOn(false);
    try {
      const answer = await api.post<Answer>(where, body);
      sending.current = false;
      if (isStudy(answer)) take(answer);
      return answer;
    } catch (problem) {
      sending.current = false;
      if (isConflict(problem)) await read();
      setWentOn(isConflict(problem));
      setRefused(problem);
      return null;
    } finally {
      setBusy(false);
    }
  };

  return { study, error, lost, busy, refused, wentOn, read, change };
}
