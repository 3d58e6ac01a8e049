// SPDX-License-Identifier: MIT
//
// #/watch: list of games. #/watch/ID: a game of this server. #/watch/job/JOB/N: a game of a tournament.

import { useState } from "preact/hooks";

import { api, ApiError, withQuery } from "../api/client";
import type { GameRow, LiveGame } from "../api/types";
import { startingPositionName, seatName } from "../app/names";
import { href, type Route } from "../app/route";
import { useText } from "../app/text";
import { useSubject } from "../app/title";
import { useLoaded, useOptional } from "../common/data";
import { Button, Empty, ErrorNote, Waiting } from "../common/parts";
import { useLiveGame } from "../play/use_live_game";
import type { RecordAddress } from "./export";
import { type GamePlace, WatchGame } from "./game";
import { WatchStart } from "./start";
import "./style.css";
import { words } from "./text";

function recordAddress(path: string, key?: string): RecordAddress {
  return (form) => withQuery(`${path}/record`, { form, key });
}

/** "?at=12": the position a link leads to. */
function placeInGame(query: Route["query"]): { at?: number; plays?: boolean } {
  const at = Number(query["at"]);
  if (query["at"] !== undefined && Number.isInteger(at)) return { at, plays: false };
  return query["play"] === undefined ? {} : { plays: true };
}

function Title(props: { liveGame: LiveGame; map?: string | undefined }) {
  const t = useText(words);
  const [first, second] = props.liveGame.seats;
  const { ground } = props.liveGame;
  const versus = t("versus", { first: seatName(first), second: seatName(second) });
  useSubject(versus);
  return (
    <div>
      <h1>{versus}</h1>
      <p class="quiet">{startingPositionName(props.map === undefined || props.map === "" ? ground : { ...ground, map: props.map })}</p>
    </div>
  );
}

/** Stops a game between two players. */
function StopButton(props: { liveGame: LiveGame }) {
  const t = useText(words);
  const [error, setError] = useState<unknown>(null);
  const { liveGame } = props;
  if (liveGame.over || liveGame.seats.some((seat) => seat.kind === "human")) return null;
  const stop = () => {
    setError(null);
    api.post(`/api/tables/${encodeURIComponent(liveGame.id)}/stop`).catch((problem: unknown) => setError(problem));
  };
  return (
    <>
      <Button kind="danger" onClick={stop}>{t("stop")}</Button>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}

function WatchLiveGame(props: { id: string; query: Route["query"] }) {
  const t = useText(words);
  const key = props.query["key"];
  const { liveGame, thoughts, lost, error } = useLiveGame(props.id, key ?? "");
  if (liveGame === null)
    return error === null ? (
      <Waiting text={lost ? t("lost") : t("loading")} height="40rem" />
    ) : (
      <Missing error={error} back={href("watch")} label={t("all_games")} />
    );
  const place: GamePlace = { kind: "live", id: props.id, ...(key === undefined ? {} : { key }) };
  const path = `/api/tables/${encodeURIComponent(props.id)}`;
  return (
    <>
      <div class="spread">
        <Title liveGame={liveGame} />
        <div class="row">
          {lost && (
            <span class="watch-lost" role="status">{t("lost")}</span>
          )}
          <StopButton liveGame={liveGame} />
          <a class="button" href={href("watch")}>{t("all_games")}</a>
        </div>
      </div>
      <WatchGame liveGame={liveGame} live={thoughts} record={recordAddress(path, key)} place={place} {...placeInGame(props.query)} />
    </>
  );
}

function Missing(props: { error: unknown; back: string; label: string; retry?: () => void }) {
  const t = useText(words);
  const isGone = props.error instanceof ApiError && props.error.status === 404;
  return (
    <div class="stack">
      <h1>{t("title")}</h1>
      {isGone ? <Empty text={t("gone")} /> : <ErrorNote error={props.error} {...(props.retry === undefined ? {} : { retry: props.retry })} />}
      <div class="row">
        <a class="button" href={props.back}>{props.label}</a>
      </div>
    </div>
  );
}

/** The name of a game's map, and the previous and next game, if any. */
function useRow(job: string, game: number): { map: string | undefined; previous: number | null; next: number | null } {
  const path = withQuery(`/api/jobs/${encodeURIComponent(job)}/games`, { from: Math.max(0, game - 1), count: 3 });
  const rows = useOptional(() => api.get<GameRow[]>(path), [path]) ?? [];
  const played = (number: number) => rows.some((row) => row.number === number && row.payoff !== null);
  const map = rows.find((row) => row.number === game)?.map;
  return { map, previous: played(game - 1) ? game - 1 : null, next: played(game + 1) ? game + 1 : null };
}

function GameLink(props: { job: string; game: number | null; label: string }) {
  if (props.game === null)
    return <span class="button watch-nowhere" aria-disabled="true">{props.label}</span>;
  return <a class="button" href={href("watch", ["job", props.job, props.game])}>{props.label}</a>;
}

function WatchJobGame(props: { job: string; game: number; query: Route["query"] }) {
  const t = useText(words);
  const { job, game } = props;
  const { map, previous, next } = useRow(job, game);
  const path = `/api/jobs/${encodeURIComponent(job)}/games/${game}`;
  const loaded = useLoaded(() => api.get<LiveGame>(path), [path]);
  const liveGame = loaded.state === "ready" ? loaded.value : null;
  return (
    <>
      <div class="spread">
        <div>
          <p class="quiet">{t("job_game", { number: game + 1 })}</p>
          {liveGame !== null && <Title liveGame={liveGame} map={map} />}
        </div>
        <div class="row">
          <GameLink job={job} game={previous} label={t("previous_game")} />
          <GameLink job={job} game={next} label={t("next_game")} />
          <a class="button" href={href("tournaments", [job])}>{t("to_event")}</a>
        </div>
      </div>
      {loaded.state === "failed" && (
        <Missing error={loaded.error} back={href("tournaments", [job])} label={t("to_event")} retry={loaded.retry} />
      )}
      {loaded.state === "waiting" && <Waiting text={t("loading")} height="40rem" />}
      {liveGame !== null && (
        <WatchGame liveGame={liveGame} live={null} record={(form) => (form === "json" ? `${path}/record` : null)} place={{ kind: "job", job, game }} {...placeInGame(props.query)} />
      )}
    </>
  );
}

export function WatchScreen(props: { route: Route }) {
  const { rest, query } = props.route;
  const [first, job, number] = rest;
  if (first === undefined) return <WatchStart query={query} />;
  const game = Number(number);
  if (first === "job" && job !== undefined && Number.isInteger(game))
    return (
      <div class="page stack">
        <WatchJobGame key={`${job}/${game}`} job={job} game={game} query={query} />
      </div>
    );
  return (
    <div class="page stack">
      <WatchLiveGame key={first} id={first} query={query} />
    </div>
  );
}
