// SPDX-License-Identifier: MIT
//
// #/maps/evolve: a new evolution, and earlier runs.

import { useEffect, useState } from "preact/hooks";

import type { EvolveParams, EvolvePreset, JobInfo, Param } from "../api/types";
import { duration, number, time } from "../app/names";
import { useHelp } from "../app/help";
import { go, href } from "../app/route";
import { useText } from "../app/text";
import { shared, useShared } from "../common/data";
import { startJob, useJobs } from "../common/jobs";
import { mapDetails, MapPicture } from "../common/mappicture";
import { Button, Empty, ErrorNote, Field, NumberField, NumberInput, Panel, SelectField, Waiting } from "../common/parts";
import { MapsPicker, OptionInput, PlayerPicker } from "../common/pickers";
import { changedOptions, groupOptions, optionsFor, type Options } from "./recipe";
import { words } from "./text_evolve";

const TIMES = [60, 300, 600, 1800, 3600, 0] as const;
const DEFAULT_PRESET = "designer";
const DEFAULT_SECONDS = 300;

interface Settings {
  preset: string;
  seconds: number;
  seed: number;
  from: string[];
  options: Options;
}

// ---- options ----

function OneOption(props: { param: Param; value: string; onChange: (value: string) => void }) {
  const t = useText(words);
  const help = useHelp();
  const { param, value, onChange } = props;
  if (param.name === "strong" || param.name === "weak")
    return <PlayerPicker game="tbs" value={value} onChange={onChange} label={`${param.name}: ${help(param.help, "recipes", "*", param.name)}`} />;
  const text = param.default === "" ? "–" : param.kind === "switch" ? t(param.default === "yes" ? "yes" : "no") : param.default;
  return (
    <Field label={param.name} help={`${help(param.help, "recipes", "*", param.name)} (${t("default_value", { value: text })})`}>
      <OptionInput param={param} value={value} onChange={onChange} />
    </Field>
  );
}

function OptionGroups(props: { preset: EvolvePreset; options: Options; onChange: (options: Options) => void }) {
  const t = useText(words);
  const { preset, options } = props;
  const count = Object.keys(changedOptions(preset, options)).length;
  return (
    <details class="maps-options">
      <summary>{count === 0 ? t("options") : t("options_changed", { count })}</summary>
      {groupOptions(preset.options).map((group) => (
        <fieldset key={group.name} class="stack">
          <legend>{t(`section_${group.name}`)}</legend>
          <div class="maps-form grid">
            {group.options.map((param) => (
              <OneOption
                key={param.name}
                param={param}
                value={options[param.name] ?? param.default}
                onChange={(value) => props.onChange({ ...options, [param.name]: value })}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <Button kind="quiet" disabled={count === 0} onClick={() => props.onChange({})}>{t("reset")}</Button>
    </details>
  );
}

// ---- start maps ----

function FromMaps(props: { from: string[]; onChange: (from: string[]) => void }) {
  const t = useText(words);
  const [open, setOpen] = useState(false);
  return (
    <Field label={t("from")} help={t("from_help")}>
      <div class="maps-from">
        {props.from.length === 0 ? <span class="quiet">{t("from_none")}</span> : null}
        {props.from.map((name) => (
          <figure key={name}>
            <MapPicture name={name} />
            <figcaption class="small">{name}</figcaption>
          </figure>
        ))}
      </div>
      <div>
        <Button pressed={open} onClick={() => setOpen(!open)}>{t("choose_from")}</Button>
      </div>
      {open && <MapsPicker value={props.from} onChange={props.onChange} label={t("from")} />}
    </Field>
  );
}

/** Start maps change the options so that they fit. */
function useFitting(settings: Settings, preset: EvolvePreset | undefined, onOptions: (options: Options) => void): void {
  useEffect(() => {
    if (preset === undefined || settings.from.length === 0) return undefined;
    let gone = false;
    Promise.all(settings.from.map(mapDetails)).then(
      (details) => gone || onOptions(optionsFor(details.map((one) => one.map), preset)),
      () => {}, // the server reports wrong names
    );
    return () => void (gone = true);
  }, [settings.from.join(), preset?.name]);
}

// ---- the form ----

function PresetChoice(props: { presets: EvolvePreset[]; chosen: string; onChoose: (name: string) => void }) {
  const t = useText(words);
  const help = useHelp();
  return (
    <fieldset class="maps-presets">
      <legend class="field-label small">{t("presets")}</legend>
      {props.presets.map((preset) => (
        <label key={preset.name} class="maps-preset">
          <input type="radio" name="preset" checked={preset.name === props.chosen} onChange={() => props.onChoose(preset.name)} />
          <span>
            <strong>{preset.name}</strong>
            <br />
            <span class="small quiet">{help(preset.help, "recipes", preset.name)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function paramsOf(settings: Settings, preset: EvolvePreset): EvolveParams {
  return {
    preset: settings.preset,
    seed: settings.seed,
    seconds: settings.seconds,
    ...(settings.from.length === 0 ? {} : { from: settings.from }),
    options: changedOptions(preset, settings.options),
  };
}

function SizeFields(props: { preset: EvolvePreset; options: Options; onChange: (options: Options) => void }) {
  const t = useText(words);
  const { preset, options } = props;
  const edges = preset.options.filter((param) => param.name === "width" || param.name === "height");
  return (
    <Field label={t("size")}>
      <div class="row">
        {edges.map((param, index) => (
          <span key={param.name} class="row maps-edge">
            {index > 0 && "×"}
            <NumberInput
              value={Number(options[param.name] ?? param.default)}
              low={param.low ?? 1}
              high={param.high ?? 32}
              onChange={(value) => props.onChange({ ...options, [param.name]: String(value) })}
              label={param.name}
            />
          </span>
        ))}
      </div>
    </Field>
  );
}

function Form(props: { presets: EvolvePreset[]; from: string[] }) {
  const t = useText(words);
  const [settings, setSettings] = useState<Settings>({ preset: DEFAULT_PRESET, seconds: DEFAULT_SECONDS, seed: 1, from: props.from, options: {} });
  const [error, setError] = useState<unknown>(null);
  const [starting, setStarting] = useState(false);
  const set = (part: Partial<Settings>) => setSettings((before) => ({ ...before, ...part }));
  const preset = props.presets.find((one) => one.name === settings.preset) ?? props.presets[0];
  useFitting(settings, preset, (options) => set({ options }));
  if (preset === undefined) return null;
  const start = () => {
    setStarting(true);
    setError(null);
    startJob("evolve", paramsOf(settings, preset))
      .then((job) => go("maps", ["evolve", job.id]), setError)
      .finally(() => setStarting(false));
  };
  const text = (seconds: number) => (seconds === 0 ? t("no_limit") : t("minutes", { count: number(seconds / 60) }));
  return (
    <div class="panel">
      <PresetChoice presets={props.presets} chosen={settings.preset} onChoose={(name) => set({ preset: name, options: {} })} />
      <div class="maps-form grid">
        <SelectField
          label={t("time")}
          help={t("time_help")}
          value={String(settings.seconds)}
          options={TIMES.map((seconds) => ({ value: String(seconds), label: text(seconds) }))}
          onChange={(value) => set({ seconds: Number(value) })}
        />
        <SizeFields preset={preset} options={settings.options} onChange={(options) => set({ options })} />
        <NumberField label={t("seed")} help={t("seed_help")} value={settings.seed} low={0} high={Number.MAX_SAFE_INTEGER} onChange={(seed) => set({ seed })} />
      </div>
      <FromMaps from={settings.from} onChange={(from) => set(from.length === 0 ? { from, options: {} } : { from })} />
      <OptionGroups preset={preset} options={settings.options} onChange={(options) => set({ options })} />
      {error !== null && <ErrorNote error={error} />}
      <div>
        <Button kind="main" disabled={starting} onClick={start}>
          {starting ? t("starting") : t("start")}
        </Button>
      </div>
    </div>
  );
}

// ---- earlier runs ----

function Run(props: { job: JobInfo }) {
  const t = useText(words);
  const { job } = props;
  return (
    <li>
      <a href={href("maps", ["evolve", job.id])}>
        <strong>{job.title}</strong> · {time(job.created)}
      </a>
      <br />
      <span class="small quiet numbers">
        {t(`state_${job.state}`)} · {t("games")} {number(job.progress.done)} · {duration(job.progress.seconds)}
      </span>
    </li>
  );
}

function Runs() {
  const t = useText(words);
  const jobs = useJobs("evolve");
  return (
    <Panel title={t("runs")}>
      {jobs === null && <Waiting text={t("loading")} />}
      {jobs !== null && jobs.length === 0 && <Empty text={t("no_runs")} />}
      {jobs !== null && jobs.length > 0 && (
        <ul class="maps-runs stack gap-3 list">
          {jobs.map((job) => (
            <Run key={job.id} job={job} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function EvolveStart(props: { from: string[] }) {
  const t = useText(words);
  const presets = useShared(shared.evolvePresets);
  return (
    <div class="page stack">
      <header>
        <a href={href("maps")}>← {t("back_all")}</a>
        <h1>{t("title")}</h1>
        <p class="quiet">{t("intro")}</p>
      </header>
      <div class="split">
        {presets.state === "waiting" && <Waiting text={t("loading_presets")} height="30rem" />}
        {presets.state === "failed" && <ErrorNote error={presets.error} retry={presets.retry} />}
        {presets.state === "ready" && <Form key={props.from.join()} presets={presets.value} from={props.from} />}
        <Runs />
      </div>
    </div>
  );
}
