// SPDX-License-Identifier: MIT
//
// All games of a tournament, in pages, or those of one pairing.

import { useEffect, useState } from "preact/hooks";

import { api, withQuery } from "../api/client";
import type { GameRow, Job } from "../api/types";
import { number } from "../app/format";
import { resultShort } from "../app/names";
import { href } from "../app/route";
import { useText } from "../app/text";
import { isUnderWay } from "../common/jobs";
import { Button, Empty, ErrorNote, Waiting } from "../common/parts";
import { words } from "./text";

export type Pair = [string, string];

const PAGE = 50;
const FETCH = 1000; // games per request; for one pairing all are scanned
const FRESH_MS = 3000;

export function isOf(row: GameRow, pair: Pair | null): boolean {
  return pair === null || (pair.includes(row.players[0]) && pair.includes(row.players[1]));
}

async function fetchAll(path: string): Promise<GameRow[]> {
  const rows: GameRow[] = [];
  for (;;) {
    const more = await api.get<GameRow[]>(withQuery(path, { from: rows.length, count: FETCH }));
    rows.push(...more);
    if (more.length < FETCH) return rows;
  }
}

/** The games so far; refreshed regularly while games are played. */
function useGames(job: Job, played: number): { rows: GameRow[] | null; error: unknown } {
  const [rows, setRows] = useState<GameRow[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [beat, setBeat] = useState(0);
  const running = isUnderWay(job);
  useEffect(() => {
    let gone = false;
    fetchAll(`/api/jobs/${encodeURIComponent(job.id)}/games`).then(
      (all) => gone || (setRows(all), setError(null)),
      (why: unknown) => gone || setError(why),
    );
    return () => void (gone = true);
  }, [job.id, beat, running]);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setTimeout(() => setBeat((n) => n + 1), FRESH_MS);
    return () => clearTimeout(timer);
  }, [running, beat, played > 0]);
  return { rows, error };
}

function GameLine(props: { row: GameRow; job: string }) {
  const t = useText(words);
  const { number: at, players, map, result, actions } = props.row;
  return (
    <tr>
      <td class="numbers">
        <a href={href("watch", ["job", props.job, at])} aria-label={t("watch", { number: at + 1 })}>
          {at + 1}
        </a>
      </td>
      <td>{players[0]}</td>
      <td>{players[1]}</td>
      <td class="tournaments-tight">{map}</td>
      <td class="tournaments-tight">{resultShort(result)}</td>
      <td class="numbers right">{number(actions)}</td>
    </tr>
  );
}

export function Games(props: { job: Job; pair: Pair | null; onPair: (pair: Pair | null) => void; played: number }) {
  const t = useText(words);
  const { rows, error } = useGames(props.job, props.played);
  const [from, setFrom] = useState(0);
  useEffect(() => setFrom(0), [props.pair]);
  if (error !== null && rows === null) return <ErrorNote error={error} />;
  if (rows === null) return <Waiting text={t("loading_event")} height="10rem" />;
  const finished = rows.filter((row) => row.payoff !== null && isOf(row, props.pair));
  const shown = finished.slice(from, from + PAGE);
  return (
    <div class="stack">
      {props.pair !== null && (
        <div class="row">
          <strong>{t("only", { a: props.pair[0], b: props.pair[1] })}</strong>
          <Button kind="quiet" onClick={() => props.onPair(null)}>{t("show_all")}</Button>
        </div>
      )}
      {finished.length === 0 ? (
        <Empty text={t("games_wait")} />
      ) : (
        <>
          <div class="scroll-x" tabIndex={0} role="region" aria-label={t("games")}>
            <table class="tournaments-games">
              <thead>
                <tr>
                  <th scope="col">{t("number")}</th>
                  <th scope="col">{t("first")}</th>
                  <th scope="col">{t("second")}</th>
                  <th scope="col">{t("map")}</th>
                  <th scope="col">{t("result")}</th>
                  <th scope="col" class="right">{t("actions")}</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((row) => (
                  <GameLine key={row.number} row={row} job={props.job.id} />
                ))}
              </tbody>
            </table>
          </div>
          <div class="row">
            <Button disabled={from === 0} onClick={() => setFrom(Math.max(0, from - PAGE))}>
              {t("earlier")}
            </Button>
            <span class="numbers quiet">
              {t("page_of", { from: number(from + 1), to: number(Math.min(from + PAGE, finished.length)), all: number(finished.length) })}
            </span>
            <Button disabled={from + PAGE >= finished.length} onClick={() => setFrom(from + PAGE)}>
              {t("later")}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
