// SPDX-License-Identifier: MIT
//
// The start of the watch screen: a new game, the games on this server, a record.

import { useEffect, useState } from "preact/hooks";

import { api } from "../api/client";
import type { GameInfo, NewLiveGame, NewLiveGameAnswer, LiveGameInfo } from "../api/types";
import { gameName, startingPositionName, isTactical, resultShort, seatName, sideName, time } from "../app/names";
import { go, href, type Route } from "../app/route";
import { useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { Button, Empty, ErrorNote, Field, NumberInput, Panel, SelectField, SideMark, Waiting } from "../common/parts";
import { MapPicker, PlayerPicker } from "../common/pickers";
import { RecordInput } from "./record";
import { words } from "./text";

const seedMax = 999_999;
const anySeed = (): number => 1 + Math.floor(Math.random() * seedMax);

/** A player that reports evaluations, and the default opponent. */
function defaultPlayers(game: GameInfo | undefined): [string, string] {
  return [game?.adviser ?? "", game?.opponent ?? ""];
}

function NewGame(props: { games: GameInfo[]; query: Route["query"] }) {
  const t = useText(words);
  const [name, setName] = useState(props.query["game"] ?? props.games[0]?.name ?? "tbs");
  const info = props.games.find((game) => game.name === name);
  const [map, setMap] = useState(props.query["map"] ?? "standard");
  const [players, setPlayers] = useState<[string, string]>(() => {
    const [first, second] = defaultPlayers(info);
    return [props.query["player"] ?? first, second]; // link from a player's page
  });
  const [seed, setSeed] = useState(anySeed);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const chooseGame = (chosen: string) => {
    setName(chosen);
    setPlayers(defaultPlayers(props.games.find((game) => game.name === chosen)));
  };
  const start = async () => {
    setBusy(true);
    setError(null);
    const wanted: NewLiveGame = {
      game: name,
      ...(info?.takes_maps ? { map } : {}),
      seats: [
        { kind: "player", spec: players[0] },
        { kind: "player", spec: players[1] },
      ],
      seed,
    };
    try {
      const { id } = await api.post<NewLiveGameAnswer>("/api/tables", wanted);
      go("watch", [id], { play: "1" });
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };

  return (
    <Panel title={t("new_game")}>
      <div class="watch-form">
        <SelectField
          label={t("game")}
          value={name}
          onChange={chooseGame}
          options={props.games.map((game) => ({ value: game.name, label: gameName(game.name) }))}
        />
        {info?.takes_maps && (
          <div class="watch-form-map">
            <MapPicker label={t("map")} value={map} onChange={setMap} />
          </div>
        )}
        <PlayerPicker
          game={name}
          label={t("first", { side: sideName(name, 0) })}
          value={players[0]}
          onChange={(spec) => setPlayers([spec, players[1]])}
        />
        <PlayerPicker
          game={name}
          label={t("second", { side: sideName(name, 1) })}
          value={players[1]}
          onChange={(spec) => setPlayers([players[0], spec])}
        />
        <Field label={t("seed")} help={t("seed_help")}>
          <div class="watch-seed">
            <NumberInput label={t("seed")} value={seed} onChange={setSeed} low={0} high={Number.MAX_SAFE_INTEGER} />
            <Button kind="quiet" onClick={() => setSeed(anySeed())}>{t("another_seed")}</Button>
          </div>
        </Field>
      </div>
      <div class="row">
        <Button kind="main" disabled={isBusy} onClick={() => void start()}>
          {isBusy ? t("starting") : t("start")}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </Panel>
  );
}

function GameLine(props: { liveGame: LiveGameInfo }) {
  const t = useText(words);
  const { id, ground, seats, ply, over, result, created } = props.liveGame;
  const moves = ply === 1 ? t("plies_one") : t("plies", { ply });
  return (
    <li class="watch-game">
      <a class="watch-game-link" href={href("watch", [id])}>
        <span class="watch-game-seats">
          <SideMark side={0} plain={!isTactical(ground.game)}>{seatName(seats[0])}</SideMark>
          <SideMark side={1} plain={!isTactical(ground.game)}>{seatName(seats[1])}</SideMark>
        </span>
        <span class="small quiet">
          {[startingPositionName(ground), over ? t("finished", { result: resultShort(result), moves }) : t("running", { moves }), time(created)].join(" · ")}
        </span>
      </a>
    </li>
  );
}

const lookAgainMs = 5000;

/** The games of the server, refreshed regularly while visible. */
function useLiveGames() {
  const [liveGames, setLiveGames] = useState<LiveGameInfo[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () =>
    api.get<LiveGameInfo[]>("/api/tables").then(
      (list) => {
        setLiveGames(list);
        setError(null);
      },
      (problem: unknown) => setError(problem),
    );
  useEffect(() => {
    void load();
    const timer = setInterval(() => document.hidden || void load(), lookAgainMs);
    return () => clearInterval(timer);
  }, []);
  return { liveGames, error, load };
}

function RecentGames() {
  const t = useText(words);
  const { liveGames, error, load } = useLiveGames();
  return (
    <Panel title={t("recent")} actions={<Button kind="quiet" onClick={() => void load()}>{t("refresh")}</Button>}>
      <div class="watch-games-room">
        {error !== null && <ErrorNote error={error} retry={() => void load()} />}
        {liveGames === null && error === null && <Waiting text={t("loading_games")} height="8rem" />}
        {liveGames?.length === 0 && <Empty text={t("no_games")} />}
        {liveGames !== null && liveGames.length > 0 && (
          <ul class="watch-games list">
            {liveGames.map((liveGame) => (
              <GameLine key={liveGame.id} liveGame={liveGame} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

export function WatchStart(props: { query: Route["query"] }) {
  const t = useText(words);
  const games = useShared(shared.games);
  return (
    <div class="page stack">
      <div>
        <h1>{t("title")}</h1>
        <p class="quiet">{t("lead")}</p>
      </div>
      <div class="split">
        {games.state === "ready" && <NewGame games={games.value} query={props.query} />}
        {games.state === "waiting" && <Waiting text={t("loading")} height="30rem" />}
        {games.state === "failed" && <ErrorNote error={games.error} retry={games.retry} />}
        <div class="stack">
          <RecentGames />
          <Panel title={t("open_record")}>
            <RecordInput onOpen={(id) => go("watch", [id])} />
          </Panel>
        </div>
      </div>
    </div>
  );
}
