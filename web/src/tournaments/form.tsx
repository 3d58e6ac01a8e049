// SPDX-License-Identifier: MIT
//
// A new match or tournament.

import { useState } from "preact/hooks";

import type { GameInfo, MatchParams, TournamentParams } from "../api/types";
import { gameName, number } from "../app/names";
import { useHelp } from "../app/help";
import { go } from "../app/route";
import { useText } from "../app/text";
import { shared, useRange, useShared } from "../common/data";
import { startJob } from "../common/jobs";
import { Button, ErrorNote, NumberField, Panel, SelectField, TextField } from "../common/parts";
import { MapsPicker, PlayerPicker } from "../common/pickers";
import { gamesPlanned } from "./report";
import { words } from "./text";

interface Entry {
  key: number; // identifies the row
  spec: string;
  name: string;
}

type Kind = "match" | "tournament";
type Format = NonNullable<TournamentParams["format"]>;
const formats: Format[] = ["round-robin", "gauntlet", "swiss", "knock-out"];
const clocks = ["", "turn=1", "turn=10", "game=60", "game=600"];
const PLAYERS_MAX = 64;

let keys = 0;
const entry = (spec: string): Entry => ({ key: ++keys, spec, name: "" });

interface Settings {
  kind: Kind;
  game: string;
  maps: string[];
  entries: Entry[];
  format: Format;
  rounds: number;
  games: number;
  clock: string;
  preset: string;
  title: string;
  seed: number;
}

function defaultEntries(game: GameInfo): Entry[] {
  return game.name === "tbs" ? ["acteval", "uct:sims=600", "random"].map(entry) : [game.opponent, "random"].map(entry);
}

function paramsOf(settings: Settings, takesMaps: boolean): MatchParams | TournamentParams {
  const common = {
    game: settings.game,
    ...(takesMaps ? { maps: settings.maps } : {}),
    ...(settings.clock === "" ? {} : { clock: settings.clock }),
    ...(settings.title.trim() === "" ? {} : { title: settings.title.trim() }),
    seed: settings.seed,
  };
  if (settings.kind === "match")
    return { ...common, players: [settings.entries[0]?.spec ?? "", settings.entries[1]?.spec ?? ""], games: settings.games };
  const players = settings.entries.map(({ spec, name }) => (name.trim() === "" ? spec : { spec, name: name.trim() }));
  if (settings.preset !== "") return { ...common, players, preset: settings.preset };
  return {
    ...common,
    players,
    format: settings.format,
    games: settings.games,
    ...(settings.format === "swiss" && settings.rounds > 0 ? { rounds: settings.rounds } : {}),
  };
}

function Entries(props: { settings: Settings; onChange: (entries: Entry[]) => void }) {
  const t = useText(words);
  const { entries, game, kind } = props.settings;
  const shown = kind === "match" ? entries.slice(0, 2) : entries;
  const change = (at: number, part: Partial<Entry>) =>
    props.onChange(entries.map((one, i) => (i === at ? { ...one, ...part } : one)));
  return (
    <fieldset class="stack">
      <legend>{t("players")}</legend>
      <ol class="tournaments-entries grid list">
        {shown.map((one, at) => (
          <li key={one.key}>
            <PlayerPicker game={game} label={t("player_n", { n: at + 1 })} value={one.spec} onChange={(spec) => change(at, { spec })} />
            {kind === "tournament" && (
              <>
                <TextField label={t("name")} help={t("name_help")} value={one.name} onChange={(name) => change(at, { name })} />
                <div class="row">
                  <Button
                    kind="quiet"
                    disabled={entries.length >= PLAYERS_MAX}
                    onClick={() => props.onChange([...entries.slice(0, at + 1), { ...one, key: ++keys, name: "" }, ...entries.slice(at + 1)])}
                  >
                    {t("copy")}
                  </Button>
                  <Button kind="quiet" disabled={entries.length <= 2} onClick={() => props.onChange(entries.filter((_, i) => i !== at))}>
                    {t("drop")}
                  </Button>
                </div>
              </>
            )}
          </li>
        ))}
      </ol>
      {kind === "tournament" && (
        <div>
          <Button disabled={entries.length >= PLAYERS_MAX} onClick={() => props.onChange([...entries, entry("random")])}>
            {t("add")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function Rules(props: { settings: Settings; set: (part: Partial<Settings>) => void }) {
  const t = useText(words);
  const help = useHelp();
  const presets = useShared(shared.tournamentPresets);
  const { settings, set } = props;
  const own = settings.preset === "";
  const range = useRange(settings.kind);
  const tellClock = (limit: string) => {
    const [what, seconds = ""] = limit.split("=");
    return limit === "" ? t("no_clock") : t(what === "turn" ? "clock_turn" : "clock_game", { s: seconds });
  };
  return (
    <div class="tournaments-rules">
      {settings.kind === "tournament" && (
        <SelectField
          label={t("preset")}
          {...(presets.state === "ready" && !own ? { help: help(presets.value.find((one) => one.name === settings.preset)?.help ?? "", "events", settings.preset) } : {})}
          value={settings.preset}
          onChange={(preset) => set({ preset })}
          options={[
            { value: "", label: t("no_preset") },
            ...(presets.state === "ready" ? presets.value.map((one) => ({ value: one.name, label: one.name })) : []),
          ]}
        />
      )}
      {settings.kind === "tournament" && own && (
        <SelectField<Format>
          label={t("format")}
          value={settings.format}
          onChange={(format) => set({ format })}
          options={formats.map((value) => ({ value, label: t(value) }))}
        />
      )}
      {settings.kind === "tournament" && own && settings.format === "swiss" && (
        <NumberField label={t("rounds")} help={t("rounds_help")} value={settings.rounds} onChange={(rounds) => set({ rounds })} {...range("rounds")} />
      )}
      {(settings.kind === "match" || own) && (
        <NumberField
          label={t(settings.kind === "match" ? "games_match" : "games_each")}
          help={t("games_each_help")}
          value={settings.games}
          onChange={(games) => set({ games })}
          {...range("games")}
        />
      )}
      <SelectField
        label={t("clock")}
        value={settings.clock}
        onChange={(clock) => set({ clock })}
        options={clocks.map((value) => ({ value, label: tellClock(value) }))}
      />
      <NumberField label={t("seed")} value={settings.seed} onChange={(seed) => set({ seed })} low={0} high={Number.MAX_SAFE_INTEGER} />
      <TextField label={t("event_title")} value={settings.title} onChange={(title) => set({ title })} />
    </div>
  );
}

function Planned(props: { settings: Settings; takesMaps: boolean }) {
  const t = useText(words);
  const { settings } = props;
  if (settings.kind === "match" || settings.preset !== "") return <span class="quiet" />;
  const games = gamesPlanned({
    players: settings.entries.length,
    maps: props.takesMaps ? settings.maps.length : 1,
    games: settings.games,
    format: settings.format,
    rounds: settings.rounds,
  });
  return <span class="quiet">{games === null ? t("planned_open") : t("planned", { games: number(games) })}</span>;
}

export function NewEvent(props: { games: GameInfo[] }) {
  const t = useText(words);
  const first = props.games.find((game) => game.name === "tbs") ?? props.games[0];
  const [settings, setSettings] = useState<Settings>(() => ({
    kind: "tournament",
    game: first?.name ?? "tbs",
    maps: ["standard", "duel"],
    entries: first === undefined ? [] : defaultEntries(first),
    format: "round-robin",
    rounds: 0,
    games: 10,
    clock: "",
    preset: "",
    title: "",
    seed: 1,
  }));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const set = (part: Partial<Settings>) => setSettings((known) => ({ ...known, ...part }));
  const game = props.games.find((one) => one.name === settings.game);
  const takesMaps = game?.takes_maps ?? false;
  const problem = settings.entries.length < 2 ? t("too_few") : takesMaps && settings.maps.length === 0 ? t("no_maps") : null;

  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      const job = await startJob(settings.kind, paramsOf(settings, takesMaps));
      go("tournaments", [job.id]);
    } catch (why) {
      setError(why);
    }
    setBusy(false);
  };
  const chooseGame = (name: string) => {
    const chosen = props.games.find((one) => one.name === name);
    set({ game: name, ...(chosen === undefined ? {} : { entries: defaultEntries(chosen) }) });
  };

  return (
    <Panel title={t("new")}>
      <div class="tournaments-rules">
        <SelectField<Kind>
          label={t("kind")}
          value={settings.kind}
          onChange={(kind) => set({ kind })}
          options={[
            { value: "tournament", label: t("tournament") },
            { value: "match", label: t("match") },
          ]}
        />
        <SelectField
          label={t("game")}
          value={settings.game}
          onChange={chooseGame}
          options={props.games.map((one) => ({ value: one.name, label: gameName(one.name) }))}
        />
      </div>
      <Entries settings={settings} onChange={(entries) => set({ entries })} />
      {takesMaps && <MapsPicker label={t("maps")} value={settings.maps} onChange={(maps) => set({ maps })} />}
      <Rules settings={settings} set={set} />
      <div class="row">
        <Button kind="main" disabled={busy || problem !== null} onClick={() => void start()}>
          {busy ? t("starting") : t("start")}
        </Button>
        {problem === null ? <Planned settings={settings} takesMaps={takesMaps} /> : <span role="status">{problem}</span>}
      </div>
      {error !== null && <ErrorNote error={error} />}
    </Panel>
  );
}
