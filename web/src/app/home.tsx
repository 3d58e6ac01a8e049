// SPDX-License-Identifier: MIT
//
// The home screen: what this is, a quick game, and links to all screens. Texts first; pictures are loaded after the
// first paint, into reserved space.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

import { api } from "../api/client";
import type { NewLiveGameAnswer, LiveGameInfo } from "../api/types";
import { shared, useLoaded, useShared, type Loaded } from "../common/data";
import { useLive } from "../common/live";
import { Button, Empty, ErrorNote, Panel, Waiting } from "../common/parts";
import { findGame, saveGame } from "../play/saved";
import { LEVELS, newLiveGame, toSave, type Settings } from "../play/start_logic";
import { JobList } from "./jobs_menu";
import { startingPositionName, number, resultShort, seatName, time } from "./names";
import { go, href } from "./route";
import { screenNames, type ScreenName } from "./screens";
import { useText } from "./text";
import { words } from "./shell_text";

const SHOWN = 6;

/** The first game starts without any choice. */
const firstGame: Settings = {
  game: "tbs",
  mode: "player",
  map: "standard",
  opponent: LEVELS.tbs.gentle,
  side: "0",
  clock: "none",
  custom: { kind: "turn", seconds: 30, byoyomi: 0 },
  seed: "",
};

async function startFirstGame(): Promise<void> {
  const made = await api.post<NewLiveGameAnswer>("/api/tables", newLiveGame(firstGame, 0));
  saveGame(toSave(firstGame, 0, made, Date.now()));
  go("play", [made.id]);
}

// ---- pictures ----

export type PictureName = ScreenName | "hero";
type Picture = ComponentType<{ name: PictureName; liveGames: LiveGameInfo[] | null }>;

let picture: Picture | null = null;

function usePicture(): Picture | null {
  const [, draw] = useState(0);
  useEffect(() => {
    let gone = false;
    if (picture !== null) return undefined;
    // Without pictures the page is still complete.
    import("./home_pictures").then(
      (module) => {
        picture = module.HomePicture;
        if (!gone) draw((n) => n + 1);
      },
      () => {},
    );
    return () => void (gone = true);
  }, []);
  return picture;
}

// ---- parts ----

function PlayNow() {
  const t = useText(words);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = () => {
    setStarting(true);
    setError(null);
    startFirstGame().catch((why: unknown) => {
      setStarting(false);
      setError(why);
    });
  };
  return (
    <>
      <div class="home-start row gap-3">
        <Button kind="main" onClick={start} disabled={isStarting}>{t("play_now")}</Button>
        <a class="button" href={href("play", [], { game: "geister", player: LEVELS.geister.gentle })}>
          {t("play_geister")}
        </a>
        <a class="button button-quiet" href={href("learn")}>{t("tour")}</a>
      </div>
      <p class="home-small" role="status">{t(isStarting ? "starting" : "play_now_about")}</p>
      {error !== null && <ErrorNote error={error} retry={start} />}
    </>
  );
}

function Cards(props: { picture: Picture | null; liveGames: LiveGameInfo[] | null }) {
  const t = useText(words);
  const Drawn = props.picture;
  return (
    <ul class="home-cards">
      {screenNames.map((name) => (
        <li key={name}>
          <a class="home-card" href={href(name)}>
            <div class="home-card-picture" aria-hidden="true">
              {Drawn !== null && <Drawn name={name} liveGames={props.liveGames} />}
            </div>
            <div>
              <h2>{t(name)}</h2>
              <p>{t(`${name}_about`)}</p>
            </div>
          </a>
        </li>
      ))}
    </ul>
  );
}

function GameRow(props: { liveGame: LiveGameInfo }) {
  const t = useText(words);
  const { liveGame } = props;
  const [first, second] = liveGame.seats;
  const place = findGame(liveGame.id) === null ? "watch" : "play"; // a player returns to the seat
  return (
    <li>
      <a href={href(place, [liveGame.id])}>
        <strong>{t("against", { first: seatName(first), second: seatName(second) })}</strong>
        <span>{resultShort(liveGame.result)}</span>
        <span class="small quiet">
          {startingPositionName(liveGame.ground)} · {liveGame.ply === 1 ? t("plies_one") : t("plies", { count: number(liveGame.ply) })}
        </span>
        <span class="small quiet right">{time(liveGame.created)}</span>
      </a>
    </li>
  );
}

function RecentGames({ liveGames }: { liveGames: Loaded<LiveGameInfo[]> }) {
  const t = useText(words);
  return (
    <Panel title={t("recent")}>
      <div class="home-list">
        {liveGames.state === "failed" ? (
          <ErrorNote error={liveGames.error} retry={liveGames.retry} />
        ) : liveGames.state === "waiting" ? (
          <Waiting text={t("recent_waiting")} />
        ) : liveGames.value.length === 0 ? (
          <Empty text={t("recent_none")} />
        ) : (
          <ul class="home-games list">
            {liveGames.value.slice(0, SHOWN).map((liveGame) => (
              <GameRow key={liveGame.id} liveGame={liveGame} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

function RecentJobs() {
  const t = useText(words);
  const { jobs } = useLive();
  return (
    <Panel title={t("recent_jobs")}>
      <div class="home-list">
        {jobs === null ? (
          <Waiting text={t("jobs_waiting")} />
        ) : jobs.length === 0 ? (
          <Empty text={t("recent_jobs_none")} />
        ) : (
          <JobList jobs={jobs} count={SHOWN} />
        )}
      </div>
    </Panel>
  );
}

function Version() {
  const t = useText(words);
  const about = useShared(shared.about);
  return <p class="small quiet">{about.state === "ready" ? t("version", { version: about.value.version }) : "\u00a0"}</p>;
}

/** Data loss is reported on the home screen. */
function Damage() {
  const t = useText(words);
  const about = useShared(shared.about);
  const damaged = about.state === "ready" ? (about.value.damaged ?? []) : [];
  if (damaged.length === 0) return null;
  return (
    <div class="note note-error" role="alert">
      <strong>{t("damaged")}</strong>
      <ul>
        {damaged.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

export function Home() {
  const t = useText(words);
  const liveGames = useLoaded(() => api.get<LiveGameInfo[]>("/api/tables"), []);
  const list = liveGames.state === "ready" ? liveGames.value : null;
  const Drawn = usePicture();
  return (
    <div class="page home">
      <section class="home-hero">
        <div class="home-words stack gap-5">
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
          <PlayNow />
        </div>
        <div class="home-picture">{Drawn !== null && <Drawn name="hero" liveGames={list} />}</div>
      </section>
      <Damage />
      <Cards picture={Drawn} liveGames={list} />
      <div class="home-lists">
        <RecentGames liveGames={liveGames} />
        <RecentJobs />
      </div>
      <Version />
    </div>
  );
}
