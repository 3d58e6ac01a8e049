// SPDX-License-Identifier: MIT
//
// Choice of the position: start of a game, text, record, game on this server.

import { useEffect, useState } from "preact/hooks";

import { api, withQuery } from "../api/client";
import type { GameInfo, StartingPosition, Source, LiveGame, LiveGameInfo } from "../api/types";
import { gameName, startingPositionName, isTactical, seatName, time } from "../app/names";
import { useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { Button, Empty, ErrorNote, Field, SelectField, Tabs, Waiting } from "../common/parts";
import { MapPicker } from "../common/pickers";
import { RecordInput } from "../watch/record";
import { liveGameSource, type Request } from "./place";
import { words } from "./text";
import { startOf } from "./variation";

type From = "start" | "text" | "record" | "table";

interface SourcePanelProps {
  request: Request;
  onLoad: (source: Source, start: StartingPosition) => void;
}

function StartFields(props: { games: GameInfo[]; start: StartingPosition; onChange: (start: StartingPosition) => void }) {
  const t = useText(words);
  const { games, start } = props;
  const takesMaps = games.find((game) => game.name === start.game)?.takes_maps ?? false;
  const choose = (game: string) => props.onChange(games.find((one) => one.name === game)?.takes_maps ? { game, map: "duel" } : { game });
  return (
    <>
      <SelectField label={t("game")} value={start.game} onChange={choose} options={games.map((game) => ({ value: game.name, label: gameName(game.name) }))} />
      {takesMaps && <MapPicker label={t("map")} value={start.map ?? "duel"} onChange={(map) => props.onChange({ ...start, map })} />}
    </>
  );
}

function TextFields(props: { start: StartingPosition; onShow: (position: string) => void }) {
  const t = useText(words);
  const [text, setText] = useState("");
  const { game } = props.start;
  const help = isTactical(game) ? t("text_help_tbs") : game === "geister" ? t("text_help_geister") : t("text_help");
  return (
    <>
      <Field label={t("text_label")} help={help}>
        <textarea class="mono" rows={5} spellcheck={false} aria-label={t("text_label")} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </Field>
      <div class="row">
        <Button kind="main" disabled={text.trim() === ""} onClick={() => props.onShow(text)}>
          {t("show")}
        </Button>
      </div>
    </>
  );
}

/** A live game and the number of its moves that are played. */
function MoveSlider(props: { liveGame: LiveGame; after: number; onChange: (after: number) => void }) {
  const t = useText(words);
  const count = props.liveGame.steps.length;
  const description = t("slider_of", { after: props.after, count });
  const [first, second] = props.liveGame.seats;
  return (
    <div class="stack">
      <p>{seatName(first)} – {seatName(second)}, {startingPositionName(props.liveGame.ground)}</p>
      <Field label={t("slider")}>
        <input
          type="range"
          min={0}
          max={Math.max(1, count)}
          disabled={count === 0}
          value={props.after}
          aria-label={t("slider")}
          aria-valuetext={description}
          onInput={(event) => props.onChange(Number(event.currentTarget.value))}
        />
        <span class="small quiet numbers">{description}</span>
      </Field>
    </div>
  );
}

function LiveGameChoice(props: { onChoose: (id: string) => void }) {
  const t = useText(words);
  const [liveGames, setLiveGames] = useState<LiveGameInfo[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () => {
    setError(null);
    api.get<LiveGameInfo[]>("/api/tables").then(setLiveGames, (problem: unknown) => setError(problem));
  };
  useEffect(load, []);
  if (error !== null) return <ErrorNote error={error} retry={load} />;
  if (liveGames === null) return <Waiting text={t("loading")} height="4rem" />;
  if (liveGames.length === 0) return <Empty text={t("no_tables")} />;
  const label = (liveGame: LiveGameInfo) =>
    `${seatName(liveGame.seats[0])} – ${seatName(liveGame.seats[1])}, ${startingPositionName(liveGame.ground)}, ${time(liveGame.created)}`;
  const options = [{ value: "", label: t("choose") }, ...liveGames.map((liveGame) => ({ value: liveGame.id, label: label(liveGame) }))];
  return (
    <SelectField label={t("choose_table")} value="" options={options} onChange={(id) => id !== "" && props.onChoose(id)} />
  );
}

/** A live game that was chosen, opened or linked to; its position follows the slider. */
function useLiveGamePlace(onLoad: SourcePanelProps["onLoad"]) {
  const [liveGame, setLiveGame] = useState<LiveGame | null>(null);
  const [key, setKey] = useState<string | undefined>(undefined);
  const [after, setAfter] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const show = (of: LiveGame, at: number, withKey: string | undefined) => {
    setAfter(at);
    onLoad(liveGameSource(of, at, withKey), of.ground);
  };
  const open = (id: string, withKey?: string, at?: number) => {
    setError(null);
    setKey(withKey);
    api.get<LiveGame>(withQuery(`/api/tables/${encodeURIComponent(id)}`, { key: withKey })).then(
      (found) => {
        setLiveGame(found);
        show(found, Math.min(at ?? 0, found.steps.length), withKey);
      },
      (problem: unknown) => setError(problem),
    );
  };
  const slide = (at: number) => liveGame !== null && show(liveGame, at, key);
  return { liveGame, after, error, open, slide };
}

function firstTab(request: Request): From {
  if (request.from === "table") return "table";
  return request.from === "start" && request.source.position !== undefined ? "text" : "start";
}

function Choices(props: SourcePanelProps & { games: GameInfo[] }) {
  const t = useText(words);
  const { request, games, onLoad } = props;
  const [from, setFrom] = useState<From>(() => firstTab(request));
  const [start, setStart] = useState<StartingPosition>(() => (request.from === "start" ? startOf(request.source) : { game: "tbs", map: "duel" }));
  const place = useLiveGamePlace(onLoad);

  // The position of the address is shown at once; the default is the start position.
  useEffect(() => {
    if (request.from === "table") place.open(request.table, request.key, request.after);
    else if (request.from === "start") onLoad(request.source, startOf(request.source));
    else onLoad(start, start);
  }, []);
  const chooseStart = (chosen: StartingPosition) => {
    setStart(chosen);
    if (from === "start") onLoad(chosen, chosen);
  };
  const tabs = (["start", "text", "record", "table"] as const).map((name) => ({ name, label: t(`from_${name}`) }));
  return (
    <>
      <Tabs label={t("source")} tabs={tabs} chosen={from} onChoose={setFrom} />
      {(from === "start" || from === "text") && <StartFields games={games} start={start} onChange={chooseStart} />}
      {from === "start" && (
        <div class="row">
          <Button onClick={() => onLoad(start, start)}>{t("show")}</Button>
        </div>
      )}
      {from === "text" && <TextFields start={start} onShow={(position) => onLoad({ ...start, position }, start)} />}
      {from === "record" && <RecordInput onOpen={(id) => place.open(id)} />}
      {from === "table" && <LiveGameChoice onChoose={(id) => place.open(id)} />}
      {(from === "record" || from === "table") && place.liveGame !== null && (
        <MoveSlider liveGame={place.liveGame} after={place.after} onChange={place.slide} />
      )}
      {place.error !== null && <ErrorNote error={place.error} />}
    </>
  );
}

export function SourcePanel(props: SourcePanelProps) {
  const t = useText(words);
  const games = useShared(shared.games);
  return (
    <details class="panel analyse-source" open={props.request.from === "nothing"}>
      <summary>{t("source")}</summary>
      <div class="stack">
        {games.state === "waiting" && <Waiting text={t("loading")} height="22.2rem" />}
        {games.state === "failed" && <ErrorNote error={games.error} retry={games.retry} />}
        {games.state === "ready" && <Choices {...props} games={games.value} />}
      </div>
    </details>
  );
}
