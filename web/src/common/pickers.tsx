// SPDX-License-Identifier: MIT
//
// Choosing a player (with its options as a form, from the server's own table) and a map (with small pictures).

import { useId, useState } from "preact/hooks";

import type { MapInfo, Param, PlayerInfo } from "../api/types";
import { number } from "../app/format";
import { useHelp } from "../app/help";
import { useText } from "../app/text";
import { shared, useShared } from "./data";
import { MapPicture } from "./mappicture";
import { Button, Checkbox, ErrorNote, Field, NumberInput, Select, SelectField, TextInput, Waiting } from "./parts";
import { searchMaps } from "./search";
import { readSpec, withOption } from "./spec";
import "./style.css";
import { words } from "./text";

// ---- players ----

function isOn(value: string): boolean {
  return ["yes", "true", "on", "1"].includes(value);
}

/** One option of a player or a recipe, as its table describes it. */
export function OptionInput(props: { param: Param; value: string; onChange: (value: string) => void }) {
  const t = useText(words);
  const { param, value } = props;
  if (param.kind === "switch")
    return (
      <Checkbox checked={isOn(value)} onChange={(on) => props.onChange(on ? "yes" : "no")} label={isOn(value) ? t("yes") : t("no")} />
    );
  if (param.kind === "choice")
    return (
      <Select
        value={value}
        options={(param.choices ?? []).map((choice) => ({ value: choice, label: choice }))}
        onChange={props.onChange}
        label={param.name}
      />
    );
  if (param.kind === "text") return <TextInput value={value} onChange={props.onChange} label={param.name} />;
  return (
    <NumberInput
      value={Number(value)}
      onChange={(chosen) => props.onChange(String(chosen))}
      {...(param.low === undefined ? {} : { low: param.low })}
      {...(param.high === undefined ? {} : { high: param.high })}
      step={param.kind === "int" ? 1 : 0.01}
      label={param.name}
    />
  );
}

function OptionForm(props: { player: PlayerInfo; spec: string; onChange: (spec: string) => void }) {
  const t = useText(words);
  const help = useHelp();
  const { name, options } = readSpec(props.spec);
  const count = Object.keys(options).length;
  return (
    <details>
      <summary>{count === 0 ? t("options") : t("options_set", { count })}</summary>
      <div class="player-options grid">
        {props.player.options.map((param) => (
          <Field
            key={param.name}
            label={param.name}
            help={`${help(param.help, "players", props.player.name, param.name)} (${t("default_value", { value: param.default === "" ? t("empty_value") : param.default })})`}
          >
            <OptionInput
              param={param}
              value={options[param.name] ?? param.default}
              onChange={(value) => props.onChange(withOption(props.spec, param.name, value, param.default))}
            />
          </Field>
        ))}
      </div>
      <div class="spread">
        <span class="small quiet">{t("spec")} <code>{props.spec}</code></span>
        <Button kind="quiet" disabled={count === 0} onClick={() => props.onChange(name)}>{t("reset")}</Button>
      </div>
    </details>
  );
}

export function PlayerPicker(props: {
  game: string; // spec of the game
  value: string; // a spec
  onChange: (spec: string) => void;
  label: string;
  human?: boolean; // may a human be chosen, too? The value is then "human"
}) {
  const t = useText(words);
  const help = useHelp();
  const players = useShared(shared.players);
  if (players.state === "waiting") return <Waiting text={t("loading_players")} height="8.85rem" />;
  if (players.state === "failed") return <ErrorNote error={players.error} retry={players.retry} />;

  const game = readSpec(props.game).name;
  const able = players.value.filter((player) => player.games.includes(game));
  const chosen = able.find((player) => player.name === readSpec(props.value).name);
  const options = [
    ...(props.human ? [{ value: "human", label: t("human") }] : []),
    ...able.map((player) => ({ value: player.name, label: player.name })),
  ];
  if (options.length === 0) return <p class="quiet">{t("no_players")}</p>;
  return (
    <div class="player-picker stack gap-2">
      <SelectField label={props.label} value={chosen?.name ?? "human"} options={options} onChange={props.onChange} />
      <p class="player-help small quiet">{chosen === undefined ? t("human_help") : help(chosen.help, "players", chosen.name)}</p>
      {chosen !== undefined && chosen.options.length > 0 && (
        <OptionForm player={chosen} spec={props.value} onChange={props.onChange} />
      )}
    </div>
  );
}

export { searchMaps };

// ---- maps ----

function useMapSize(): (map: MapInfo) => string {
  const t = useText(words);
  return (map) =>
    t("map_size", { width: map.width, height: map.height, red: number(map.units[0]), blue: number(map.units[1]) });
}

function MapList(props: { isChosen: (name: string) => boolean; onChoose: (name: string) => void; label: string }) {
  const t = useText(words);
  const size = useMapSize();
  const maps = useShared(shared.maps);
  const help = useHelp();
  const [text, setText] = useState("");
  if (maps.state === "waiting") return <Waiting text={t("loading_maps")} height="12rem" />;
  if (maps.state === "failed") return <ErrorNote error={maps.error} retry={maps.retry} />;

  const found = searchMaps(maps.value, text, (map) => help(map.comment, "maps", map.name));
  return (
    <div class="stack">
      <TextInput search value={text} onChange={setText} label={t("search_maps")} placeholder={t("search_maps")} />
      {found.length === 0 && <p class="quiet">{t("no_maps", { text })}</p>}
      <div class="map-list grid gap-2" role="group" aria-label={props.label}>
        {found.map((map) => (
          <button
            key={map.name}
            type="button"
            class="map-choice stack gap-1 small"
            aria-pressed={props.isChosen(map.name)}
            title={help(map.comment, "maps", map.name)}
            onClick={() => props.onChoose(map.name)}
          >
            <MapPicture name={map.name} />
            <strong class="map-choice-name">{map.name}</strong>
            <span class="quiet">{size(map)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

function MapNow(props: { name: string }) {
  const t = useText(words);
  const size = useMapSize();
  const maps = useShared(shared.maps);
  const help = useHelp();
  const map = maps.state === "ready" ? maps.value.find((one) => one.name === props.name) : undefined;
  return (
    <div class="map-picker-now">
      <MapPicture name={props.name} />
      <div>
        <strong>{props.name === "" ? t("choose_map_first") : props.name}</strong>
        <p class="small quiet">{map === undefined ? "" : size(map)}</p>
        <p class="small quiet">{map === undefined ? "" : help(map.comment, "maps", map.name)}</p>
      </div>
    </div>
  );
}

export function MapPicker(props: { value: string; onChange: (name: string) => void; label: string }) {
  const t = useText(words);
  const id = useId();
  const [open, setOpen] = useState(false);
  const choose = (name: string) => {
    props.onChange(name);
    setOpen(false);
    document.getElementById(id)?.querySelector("button")?.focus();
  };
  return (
    <Field label={props.label}>
      <MapNow name={props.value} />
      <div id={id}>
        <Button onClick={() => setOpen(!open)} pressed={open}>
          {open ? t("close_maps") : t("change_map")}
        </Button>
      </div>
      {open && <MapList isChosen={(name) => name === props.value} onChoose={choose} label={props.label} />}
    </Field>
  );
}

/** Several maps, for tournaments. */
export function MapsPicker(props: { value: string[]; onChange: (names: string[]) => void; label: string }) {
  const t = useText(words);
  const toggle = (name: string) =>
    props.onChange(props.value.includes(name) ? props.value.filter((one) => one !== name) : [...props.value, name]);
  return (
    <Field label={props.label} help={`${t("chosen_maps", { count: props.value.length })}: ${props.value.join(", ")}`}>
      <MapList isChosen={(name) => props.value.includes(name)} onChoose={toggle} label={props.label} />
    </Field>
  );
}
