// SPDX-License-Identifier: MIT
//
// #/maps/judge/ID: a running or finished fairness test.

import { useMemo, useState } from "preact/hooks";

import { api, ApiError } from "../api/client";
import type { Job, JudgeParams, MapCheck, TbsMap } from "../api/types";
import { go, href } from "../app/route";
import { useText } from "../app/text";
import { useSubject } from "../app/title";
import { useOptional, useRange, useRequest, type Range } from "../common/data";
import { JobActions } from "../common/job_actions";
import { mapDetails } from "../common/mappicture";
import { isUnderWay, useJob, type Followed } from "../common/jobs";
import { Button, Empty, ErrorNote, Field, NumberField, NumberInput, Panel, ProgressBar, Waiting } from "../common/parts";
import { PlayerPicker } from "../common/pickers";
import { nameParts } from "./browse";
import { type Judgement, readJudgement } from "./judgement";
import { Bars, Figures, Remarks, Verdict } from "./judge_view";
import { editMap, judge, playText } from "./launch";
import { LargeBoard } from "./pieces";
import { words } from "./text_judge";

export function paramsOf(job: Job): JudgeParams {
  return job.kind === "judge" ? job.params : {};
}

export function judgementOf(job: Job | null): Judgement {
  const judged = job?.kind === "judge" ? job : null;
  return readJudgement(judged?.result ?? null, judged?.result?.fair ?? 0);
}

/** The tested map: by its name, or from the text in the job. */
function useJudgedMap({ map, map_text }: JudgeParams): TbsMap | null {
  const load = (): Promise<{ map: TbsMap | null }> | null =>
    map_text !== undefined ? api.post<MapCheck>("/api/maps/check", { text: map_text }) : map !== undefined ? mapDetails(map) : null;
  return useOptional(load, [map, map_text])?.map ?? null;
}

/** A share in points of a hundred, rounded. */
function Points(props: { value: number; range: Range; onChange: (share: number) => void; label: string }) {
  const { low = 0, high = 1 } = props.range;
  const points = (share: number) => Math.round(1e6 * share) / 1e4;
  const change = (typed: number) => props.onChange(Math.round(1e4 * typed) / 1e6);
  return <NumberInput value={points(props.value)} low={points(low)} high={points(high)} step={0.5} onChange={change} label={props.label} />;
}

function Settings(props: { params: JudgeParams; onError: (error: unknown) => void }) {
  const t = useText(words);
  const request = useRequest("judge");
  const range = useRange("judge");
  const [given, setGiven] = useState(props.params);
  const set = (part: Partial<JudgeParams>) => setGiven({ ...given, ...part });
  const settings = {
    strong: given.strong ?? request("strong").default,
    weak: given.weak ?? request("weak").default,
    tight: given.tight ?? Number(request("tight").default),
    fair: given.fair ?? Number(request("fair").default),
    games: given.games ?? Number(request("games").default),
    seed: Number(given.seed ?? request("seed").default),
  };
  return (
    <details class="maps-settings">
      <summary>{t("settings")}</summary>
      <div class="maps-form grid">
        <PlayerPicker game="tbs" value={settings.strong} onChange={(strong) => set({ strong })} label={t("strong")} />
        <PlayerPicker game="tbs" value={settings.weak} onChange={(weak) => set({ weak })} label={t("weak")} />
        <Field label={t("tight")} help={t("tight_help")}>
          <Points value={settings.tight} range={range("tight")} onChange={(tight) => set({ tight })} label={t("tight")} />
        </Field>
        <Field label={t("fair")} help={t("fair_help")}>
          <Points value={settings.fair} range={range("fair")} onChange={(fair) => set({ fair })} label={t("fair")} />
        </Field>
        <NumberField label={t("games")} value={settings.games} {...range("games")} onChange={(games) => set({ games })} />
        <NumberField label={t("seed")} help={t("seed_help")} value={settings.seed} low={0} high={Number.MAX_SAFE_INTEGER} onChange={(seed) => set({ seed })} />
      </div>
      <Button kind="main" disabled={settings.strong === ""} onClick={() => void judge({ ...given, ...settings }).catch(props.onError)}>{t("again")}</Button>
    </details>
  );
}

/** Links to the tested map: by its name, or by its text. */
function MapLinks(props: { job: Job; map: TbsMap | null; onError: (error: unknown) => void }) {
  const t = useText(words);
  const { map: name, map_text } = paramsOf(props.job);
  const { map } = props;
  if (name !== undefined)
    return (
      <div class="row">
        <a class="button button-plain" href={href("maps", nameParts(name))}>{t("open_map")}</a>
        <a class="button button-plain" href={href("play", [], { map: name })}>{t("play")}</a>
        <a class="button button-plain" href={href("maps", ["edit", ...nameParts(name)])}>{t("edit")}</a>
      </div>
    );
  return (
    <div class="row">
      <Button onClick={() => void playText(map_text ?? "").catch(props.onError)}>{t("play")}</Button>
      <Button disabled={map === null} onClick={() => map !== null && editMap(map, `judged:${props.job.id}`, "")}>
        {t("edit")}
      </Button>
    </div>
  );
}

function Judged(props: { job: Job; followed: Followed }) {
  const t = useText(words);
  const { job } = props;
  const params = paramsOf(job);
  const map = useJudgedMap(params);
  const judgement = useMemo(() => judgementOf(job), [job]);
  const [error, setError] = useState<unknown>(null);
  return (
    <div class="split">
      <div class="stack">
        <Panel title={t(isUnderWay(job) ? "verdict" : "verdict_done")} actions={<JobActions job={job} ask={t("remove_ask")} onChange={props.followed.again} onRemoved={() => go("maps")} />}>
          <Verdict judgement={judgement} state={job.state} />
          <ProgressBar progress={job.progress} state={job.state} />
          {props.followed.lost && isUnderWay(job) && <p class="quiet">{t("lost")}</p>}
          {job.state === "failed" && <ErrorNote error={new Error(job.error)} />}
          {error !== null && <ErrorNote error={error} />}
          <Bars judgement={judgement} />
        </Panel>
        <Panel title={t("remarks")}>
          <Remarks judgement={judgement} />
        </Panel>
        <Panel title={t("figures")}>
          <Figures judgement={judgement} />
        </Panel>
      </div>
      <div class="stack">
        <div class="maps-beside">
          {map === null ? <Waiting text={t("loading_map")} height="20rem" /> : <LargeBoard map={map} name={params.map ?? ""} />}
        </div>
        <MapLinks job={job} map={map} onError={setError} />
        <Settings key={job.id} params={params} onError={setError} />
        <p class="small quiet">{t("how")}</p>
      </div>
    </div>
  );
}

export function JudgePage(props: { id: string }) {
  const t = useText(words);
  const followed = useJob(props.id);
  const { job, error } = followed;
  const name = job === null ? undefined : paramsOf(job).map;
  const title = name === undefined ? t("title") : t("title_of", { name });
  useSubject(title);
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <div class="page stack">
      <header>
        <a href={name === undefined ? href("maps") : href("maps", nameParts(name))}>← {name === undefined ? t("back_all") : t("back")}</a>
        <h1>{title}</h1>
      </header>
      {isGone && (
        <Empty text={t("job_gone")}>
          <a class="button button-plain" href={href("maps")}>{t("back_all")}</a>
        </Empty>
      )}
      {error !== null && !isGone && <ErrorNote error={error} retry={followed.again} />}
      {job === null && error === null && <Waiting text={t("loading")} height="70vh" />}
      {job !== null && <Judged job={job} followed={followed} />}
    </div>
  );
}
