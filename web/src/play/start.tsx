// SPDX-License-Identifier: MIT
//
// The start form: one click with defaults, or all choices.

import { useEffect, useState } from "preact/hooks";

import { api } from "../api/client";
import type { GameInfo, NewLiveGameAnswer } from "../api/types";
import { gameName, sideName, time } from "../app/names";
import { go, href } from "../app/route";
import { useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { Button, Empty, ErrorNote, Field, NumberField, Panel, SelectField, Tabs, TextField, Waiting } from "../common/parts";
import { MapPicker, PlayerPicker } from "../common/pickers";
import { forgetGame, saveGame, savedGames, type SavedGame } from "./saved";
import { CLOCKS, levelsOf, mayChooseSeed, newLiveGame, seedProblem, sideOf, toSave, type ClockName, type Mode, type SideOption, type Settings } from "./start_logic";
import { words } from "./text";

/** The last choices; the opponent may come from a link ("play against it"). */
function firstSettings(query: Record<string, string>): Settings {
  return {
    game: query["game"] ?? "tbs",
    mode: "player",
    map: query["map"] ?? "standard",
    opponent: query["player"] ?? "",
    side: "0",
    clock: "none",
    custom: { kind: "turn", seconds: 60, byoyomi: 10 },
    seed: "",
  };
}

export async function begin(settings: Settings): Promise<void> {
  const mine = sideOf(settings.side);
  const made = await api.post<NewLiveGameAnswer>("/api/tables", newLiveGame(settings, mine));
  saveGame(toSave(settings, mine, made, Date.now()));
  go("play", [made.id]);
}

export function Start(props: { query: Record<string, string> }) {
  const t = useText(words);
  const games = useShared(shared.games);
  if (games.state === "failed") return <ErrorNote error={games.error} retry={games.retry} />;
  return (
    <div class="page stack">
      <div>
        <h1>{t("title")}</h1>
        <p class="quiet">{t("intro")}</p>
      </div>
      <div class="play-start">
        {games.state === "waiting" ? <Waiting text={t("loading")} height="36rem" /> : <StartForm games={games.value} query={props.query} />}
        <Unfinished />
      </div>
    </div>
  );
}

function StartForm(props: { games: GameInfo[]; query: Record<string, string> }) {
  const t = useText(words);
  const [settings, setSettings] = useState(() => firstSettings(props.query));
  const [waiting, setWaiting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const change = (part: Partial<Settings>): void => setSettings((before) => ({ ...before, ...part }));
  const game = props.games.find(({ name }) => name === settings.game);
  const full: Settings = { ...settings, opponent: settings.opponent === "" ? (game?.opponent ?? "random") : settings.opponent };

  const start = (): void => {
    setWaiting(true);
    setError(null);
    begin(full).catch(setError).finally(() => setWaiting(false));
  };
  return (
    <form class="panel play-form" onSubmit={(event) => (event.preventDefault(), start())}>
      <GameChoice games={props.games} game={settings.game} onChoose={(game) => change({ game, opponent: "" })} />
      <button type="submit" class="button button-main play-go" disabled={waiting || seedProblem(settings.seed)}>
        {waiting ? t("starting") : t("start")}
      </button>
      {error !== null && <ErrorNote error={error} />}
      <ModeChoice settings={full} change={change} hidden={game?.hidden ?? false} />
      {settings.game === "tbs" && <MapPicker label={t("map")} value={settings.map} onChange={(map) => change({ map })} />}
      <ClockChoice settings={settings} change={change} />
      {mayChooseSeed(settings.game) && (
        <details>
          <summary>{t("more")}</summary>
          <TextField
            label={t("seed")}
            help={t("seed_help")}
            error={seedProblem(settings.seed) ? t("seed_wrong") : undefined}
            value={settings.seed}
            invalid={seedProblem(settings.seed)}
            onChange={(seed) => change({ seed })}
          />
        </details>
      )}
    </form>
  );
}

const BOARDS = ["tbs", "geister"] as const; // games with a board of their own
type Board = (typeof BOARDS)[number];
const boardOf = (game: string): Board | null => BOARDS.find((name) => name === game) ?? null;

/** A tab for each game with a board, and one for all others. */
function GameChoice(props: { games: GameInfo[]; game: string; onChoose: (game: string) => void }) {
  const t = useText(words);
  const others = props.games.filter(({ name }) => boardOf(name) === null);
  const board = boardOf(props.game);
  const tabs: { name: Board | "other"; label: string }[] = BOARDS.map((name) => ({ name, label: gameName(name) }));
  if (others.length > 0) tabs.push({ name: "other", label: t("other_games") });
  return (
    <>
      <Tabs label={t("game")} tabs={tabs} chosen={board ?? "other"} onChoose={(tab) => props.onChoose(tab === "other" ? (others[others.length - 1]?.name ?? "") : tab)} />
      {board !== null ? (
        <p class="quiet">{t(`${board}_about`)} <a href={href("learn")}>{t("tour")}</a></p>
      ) : (
        <SelectField
          label={t("game")}
          value={props.game}
          options={others.map(({ name }) => ({ value: name, label: gameName(name) }))}
          onChange={props.onChoose}
        />
      )}
    </>
  );
}

interface Part {
  settings: Settings;
  change: (part: Partial<Settings>) => void;
}

function ModeChoice({ settings, change, hidden }: Part & { hidden: boolean }) {
  const t = useText(words);
  const modes: Mode[] = ["player", "screen", "browsers"];
  const help = { player: "", screen: t(hidden ? "mode_screen_help_hidden" : "mode_screen_help_open"), browsers: t("mode_browsers_help") };
  return (
    <>
      <fieldset class="stack play-modes">
        <legend class="field-label small">{t("who")}</legend>
        {modes.map((mode) => (
          <label class="check" key={mode}>
            <input type="radio" name="mode" checked={settings.mode === mode} onChange={() => change({ mode })} />
            <span>{t(`mode_${mode}`)} <span class="quiet small">{help[mode]}</span></span>
          </label>
        ))}
      </fieldset>
      {settings.mode === "player" && <OpponentChoice settings={settings} change={change} />}
      {settings.mode !== "screen" && <SideChoice settings={settings} change={change} />}
    </>
  );
}

function OpponentChoice({ settings, change }: Part) {
  const t = useText(words);
  const list = levelsOf(settings.game);
  return (
    <>
      {list !== undefined && (
        <Field label={t("level")}>
          <div class="row">
            {(["gentle", "medium", "strong"] as const).map((level) => (
              <Button key={level} pressed={settings.opponent === list[level]} onClick={() => change({ opponent: list[level] })}>
                {t(`level_${level}`)}
              </Button>
            ))}
          </div>
        </Field>
      )}
      <PlayerPicker game={settings.game} label={t("opponent")} value={settings.opponent} onChange={(opponent) => change({ opponent })} />
    </>
  );
}

function SideChoice({ settings, change }: Part) {
  const t = useText(words);
  const sides: SideOption[] = ["0", "1", "random"];
  return (
    <Field label={t("side")}>
      <div class="row">
        {sides.map((side) => (
          <Button key={side} pressed={settings.side === side} onClick={() => change({ side })}>
            {side === "random" ? t("side_random") : sideName(settings.game, side === "0" ? 0 : 1)}
          </Button>
        ))}
      </div>
    </Field>
  );
}

function ClockChoice({ settings, change }: Part) {
  const t = useText(words);
  const names = [...Object.keys(CLOCKS), "custom"] as ClockName[];
  const custom = (part: Partial<Settings["custom"]>): void => change({ custom: { ...settings.custom, ...part } });
  return (
    <>
      <SelectField
        label={t("clock")}
        value={settings.clock}
        options={names.map((name) => ({ value: name, label: t(`clock_${name}`) }))}
        onChange={(clock) => change({ clock })}
      />
      {settings.clock === "custom" && (
        <div class="play-custom">
          <SelectField
            label={t("clock_kind")}
            value={settings.custom.kind}
            options={[{ value: "turn", label: t("clock_turn") }, { value: "game", label: t("clock_game") }]}
            onChange={(kind) => custom({ kind })}
          />
          <NumberField label={t("clock_seconds")} value={settings.custom.seconds} low={1} high={86400} onChange={(seconds) => custom({ seconds })} />
          {settings.custom.kind === "game" && (
            <NumberField label={t("clock_byoyomi")} value={settings.custom.byoyomi} low={0} high={3600} onChange={(byoyomi) => custom({ byoyomi })} />
          )}
        </div>
      )}
    </>
  );
}

/** Games of this browser that are not over; games missing on the server are noticed when opened. */
function Unfinished() {
  const t = useText(words);
  const [games, setGames] = useState<SavedGame[]>([]);
  const load = (): void => setGames(savedGames().filter((game) => !game.over));
  useEffect(load, []);
  return (
    <Panel title={t("unfinished")}>
      {games.length === 0 ? (
        <Empty text={t("none_unfinished")} />
      ) : (
        <ul class="play-saved stack gap-2 list">
          {games.map((game) => (
            <li key={game.id}>
              <div>
                <strong>{gameName(game.game)}</strong> {game.map}
                <p class="quiet small">
                  {game.against === "" ? t("against_person") : t("against", { name: game.against })},{" "}
                  {t("begun", { time: time(new Date(game.started).toISOString()) })}
                </p>
              </div>
              <div class="row">
                <a class="button" href={href("play", [game.id])}>{t("go_on")}</a>
                <Button kind="quiet" label={t("forget")} onClick={() => (forgetGame(game.id), load())}>
                  ✕
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
