// SPDX-License-Identifier: MIT
//
// A live table: applies the server's events and sends the user's actions. A lost connection is retried until it is
// back.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { api, ApiError, withQuery } from "../api/client";
import { listen } from "../api/events";
import type { Side, Table, TableEvents, Thoughts } from "../api/types";
import { addChance, addStep, keyOf } from "./table_logic";

const ASK_AGAIN_MS = 2000;
const STEP_COMES_MS = 3000; // after an action was accepted; then the table is reloaded

export interface LiveTable {
  table: Table | null;
  error: unknown; // there is no table to show
  lost: boolean; // connection lost; the view may be old
  told: number; // when the clocks were received, in performance.now()
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
  table: Table | null;
  told: number;
  thoughts: Thoughts | null;
}

const NOTHING: Kept = { table: null, told: 0, thoughts: null };

/** The request body: for the side to move where it matters, otherwise for a side of this user. */
function body(deed: Deed, table: Table, keys: string): Record<string, unknown> {
  const side: Side = table.mover !== null && table.you.includes(table.mover) ? table.mover : (table.you[0] ?? 0);
  const key = keyOf(keys, table.you, side) ?? "";
  if (deed.do === "action") return { key, ply: deed.ply, action: deed.action };
  return deed.do === "answer" ? { key, accept: deed.accept } : { key };
}

/** The request did not reach the server. */
export const isUnsent = (problem: unknown): boolean => problem instanceof ApiError && problem.status === 0;

export function useTable(id: string, keys: string): LiveTable {
  const [kept, setKept] = useState<Kept>(NOTHING);
  const [error, setError] = useState<unknown>(null);
  const [lost, setLost] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const newest = useRef<Table | null>(null);
  const awaited = useRef(Infinity); // an action was accepted at this ply; its step is still to come
  const path = `/api/tables/${encodeURIComponent(id)}`;
  const key = keys === "" ? undefined : keys;

  const take = (table: Table, thoughts: Thoughts | null = null): void => {
    newest.current = table;
    if (table.steps.length > awaited.current) settle();
    setKept({ table, told: performance.now(), thoughts });
  };
  const settle = (): void => {
    awaited.current = Infinity;
    setBusy(false);
  };
  const fetchWhole = async (): Promise<void> => take(await api.get<Table>(withQuery(path, { key })));

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
      stream = listen<TableEvents>(withQuery(`${path}/events`, { key }), {
        table: (table) => take(table),
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
    const keepTelling = (table: Table): void => {
      newest.current = table;
      setKept((before) => ({ ...before, table }));
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
    if ((newest.current?.steps.length ?? 0) > ply) return settle();
    awaited.current = ply;
    setTimeout(() => {
      if (awaited.current === ply) void fetchWhole().catch(() => {}).finally(settle);
    }, STEP_COMES_MS);
  };
  const failed = async (problem: unknown): Promise<void> => {
    setRefused(problem);
    if (problem instanceof ApiError && problem.status === 409) await fetchWhole().catch(() => {}); // the game has advanced
    settle();
  };
  const send = (deed: Deed): void => {
    const table = newest.current;
    if (table === null || busy || (deed.do === "action" && deed.ply !== table.steps.length)) return;
    setBusy(true);
    setRefused(null);
    api.post(`${path}/${deed.do}`, body(deed, table, keys)).then(() => (deed.do === "action" ? accepted(deed.ply) : settle()), failed);
  };

  return useMemo(
    () => ({ ...kept, error, lost, refused, busy, send, forgive: () => setRefused(null) }),
    [kept, error, lost, refused, busy],
  );
}
