// SPDX-License-Identifier: MIT
//
// A live game: applies the server's events and sends the user's actions. A lost connection is retried until it is back.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { api, ApiError, withQuery } from "../api/client";
import { listen } from "../api/events";
import type { Side, LiveGame, LiveGameEvents, Thoughts } from "../api/types";
import { addChance, addStep, keyOf } from "./live_game_logic";

const ASK_AGAIN_MS = 2000;
const STEP_COMES_MS = 3000; // after an action was accepted; then the game is reloaded

export interface FollowedGame {
  liveGame: LiveGame | null;
  error: unknown; // there is no live game to show
  lost: boolean; // connection lost; the view may be old
  receivedAt: number; // when the clocks were received, in performance.now()
  thoughts: Thoughts | null; // of the thinking player
  refused: unknown; // the server's rejection of the last request
  busy: boolean; // a request is pending
  send: (what: Deed) => void;
  forgive: () => void; // the rejection was read
}

export type Deed =
  | { do: "action"; action: string; ply: number } // chosen when so many actions were seen
  | { do: "undo" | "take-back" | "resign" }
  | { do: "answer"; accept: boolean };

interface Kept {
  liveGame: LiveGame | null;
  receivedAt: number;
  thoughts: Thoughts | null;
}

const NOTHING: Kept = { liveGame: null, receivedAt: 0, thoughts: null };

/** The request body: for the side to move where it matters, otherwise for a side of this user. */
function body(deed: Deed, liveGame: LiveGame, keys: string): Record<string, unknown> {
  const side: Side = liveGame.mover !== null && liveGame.you.includes(liveGame.mover) ? liveGame.mover : (liveGame.you[0] ?? 0);
  const key = keyOf(keys, liveGame.you, side) ?? "";
  if (deed.do === "action") return { key, ply: deed.ply, action: deed.action };
  return deed.do === "answer" ? { key, accept: deed.accept } : { key };
}

/** The request did not reach the server. */
export const isUnsent = (problem: unknown): boolean => problem instanceof ApiError && problem.status === 0;

export function useLiveGame(id: string, keys: string): FollowedGame {
  const [kept, setKept] = useState<Kept>(NOTHING);
  const [error, setError] = useState<unknown>(null);
  const [lost, setLost] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const newest = useRef<LiveGame | null>(null);
  const awaited = useRef(Infinity); // an action was accepted at this ply; its step is still to come
  const path = `/api/tables/${encodeURIComponent(id)}`;
  const key = keys === "" ? undefined : keys;

  const take = (liveGame: LiveGame, thoughts: Thoughts | null = null): void => {
    newest.current = liveGame;
    if (liveGame.steps.length > awaited.current) release();
    setKept({ liveGame, receivedAt: performance.now(), thoughts });
  };
  const release = (): void => {
    awaited.current = Infinity;
    setBusy(false);
  };
  const fetchWhole = async (): Promise<void> => take(await api.get<LiveGame>(withQuery(path, { key })));

  useEffect(() => {
    let gone = false;
    let timer = 0;
    let stream = { close: () => {} };
    newest.current = null;
    setKept(NOTHING);
    setError(null);
    setRefused(null);
    const askAgain = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        fetchWhole().then(
          () => gone || open(),
          (problem: unknown) => {
            if (gone) return;
            if (problem instanceof ApiError && problem.status >= 400 && problem.status < 500) setError(problem);
            else askAgain();
          },
        );
      }, newest.current === null ? 0 : ASK_AGAIN_MS);
    };
    const open = (): void => {
      stream.close();
      stream = listen<LiveGameEvents>(withQuery(`${path}/events`, { key }), {
        table: (liveGame) => take(liveGame),
        step: (event) => {
          const next = newest.current && addStep(newest.current, event);
          if (next) take(next);
          else void fetchWhole().catch(() => {});
        },
        chance: (event) => newest.current && keepTelling(addChance(newest.current, event)),
        thinking: ({ side, thoughts, clocks }) => newest.current && take({ ...newest.current, thinking: side, clocks }, thoughts),
        offer: ({ side }) => newest.current && keepTelling({ ...newest.current, offer: side }),
        unsaved: ({ unsaved }) => newest.current && keepTelling({ ...newest.current, unsaved }),
      }, (isLost) => {
        if (gone) return;
        setLost(isLost);
        if (isLost) return askAgain();
        clearTimeout(timer);
        setRefused((before: unknown) => (isUnsent(before) ? null : before)); // it can be tried again now
      });
    };
    const keepTelling = (liveGame: LiveGame): void => {
      newest.current = liveGame;
      setKept((before) => ({ ...before, liveGame }));
    };
    open();
    return () => {
      gone = true;
      clearTimeout(timer);
      stream.close();
    };
  }, [id, keys]);

  /** The stream delivers the step of an accepted action; nothing else is sent before. */
  const accepted = (ply: number): void => {
    if ((newest.current?.steps.length ?? 0) > ply) return release();
    awaited.current = ply;
    setTimeout(() => {
      if (awaited.current === ply) void fetchWhole().catch(() => {}).finally(release);
    }, STEP_COMES_MS);
  };
  const failed = async (problem: unknown): Promise<void> => {
    setRefused(problem);
    if (problem instanceof ApiError && problem.status === 409) await fetchWhole().catch(() => {}); // the game has advanced
    release();
  };
  const send = (deed: Deed): void => {
    const liveGame = newest.current;
    if (liveGame === null || busy || (deed.do === "action" && deed.ply !== liveGame.steps.length)) return;
    setBusy(true);
    setRefused(null);
    api.post(`${path}/${deed.do}`, body(deed, liveGame, keys)).then(() => (deed.do === "action" ? accepted(deed.ply) : release()), failed);
  };

  return useMemo(
    () => ({ ...kept, error, lost, refused, busy, send, forgive: () => setRefused(null) }),
    [kept, error, lost, refused, busy],
  );
}
