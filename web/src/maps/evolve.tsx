// SPDX-License-Identifier: MIT
//
// #/maps/evolve/ID: a running or finished evolution.

import { useMemo, useState } from "preact/hooks";

import { ApiError } from "../api/client";
import type { Job } from "../api/types";
import { number } from "../app/names";
import { go, href } from "../app/route";
import { useText } from "../app/text";
import { useSubject } from "../app/title";
import { Chart } from "../common/chart";
import { JobActions } from "../common/job_actions";
import { isUnderWay, useJob, type Followed } from "../common/jobs";
import { Empty, ErrorNote, Panel, ProgressBar, Waiting } from "../common/parts";
import { latestGeneration, NO_GALLERY, type Gallery } from "./evolution";
import { EvolvedCard, EvolvedLarge } from "./gallery";
import { words } from "./text_evolve";

export function FitnessChart(props: { gallery: Gallery }) {
  const t = useText(words);
  const { generations, fitness_max } = props.gallery;
  const x = useMemo(() => generations.map((one) => one.generation), [generations]);
  const lines = useMemo(
    () => [
      { label: t("best"), values: generations.map((one) => one.best), tone: "third" as const },
      { label: t("mean"), values: generations.map((one) => one.mean), tone: "quiet" as const },
    ],
    [generations, t("best")],
  );
  if (x.length === 0) return <Waiting text={t("chart_waiting")} height="17rem" />;
  return (
    <Chart
      x={x}
      lines={lines}
      label={t("chart")}
      xLabel={t("generation")}
      yLabel={t("fitness")}
      {...(fitness_max === null ? {} : { yRange: [0, fitness_max] as [number, number] })}
      height={220}
    />
  );
}

export function Counts(props: { gallery: Gallery; games: number }) {
  const t = useText(words);
  const { gallery } = props;
  const counts = [
    ["generations", latestGeneration(gallery)],
    ["made", gallery.maps_made],
    ["games", Math.max(gallery.games, props.games)],
    ["shown", gallery.maps.length],
  ] as const;
  return (
    <dl class="numbers">
      {counts.map(([name, count]) => (
        <>
          <dt key={`${name}t`}>{t(name)}</dt>
          <dd key={name}>{number(count)}</dd>
        </>
      ))}
    </dl>
  );
}

function Cards(props: { job: Job; gallery: Gallery }) {
  const t = useText(words);
  const { job, gallery } = props;
  const [open, setOpen] = useState<number | null>(null);
  const [saved, setSaved] = useState<Record<number, string>>({});
  const shown = gallery.maps.find((one) => one.id === open);
  if (gallery.maps.length === 0) return <Empty text={isUnderWay(job) ? t("gallery_empty") : t("gallery_none")} />;
  return (
    <>
      <div class="maps-gallery">
        {gallery.maps.map((one) => (
          <EvolvedCard key={one.id} one={one} most={gallery.fitness_max} saved={saved[one.id]} onOpen={() => setOpen(one.id)} />
        ))}
      </div>
      {shown !== undefined && (
        <EvolvedLarge
          one={shown}
          most={gallery.fitness_max}
          job={job.id}
          saved={saved[shown.id]}
          onSaved={(name) => setSaved({ ...saved, [shown.id]: name })}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function Evolution(props: { job: Job; followed: Followed }) {
  const t = useText(words);
  const { job, followed } = props;
  const gallery = (job.kind === "evolve" ? job.result : null) ?? NO_GALLERY;
  return (
    <div class="stack">
      <div class="split">
        <div class="maps-chart">
          <FitnessChart gallery={gallery} />
        </div>
        <Panel title={t("progress")} actions={<JobActions job={job} ask={t("remove_ask")} onChange={followed.again} onRemoved={() => go("maps", ["evolve"])} />}>
          <ProgressBar progress={job.progress} state={job.state} />
          {followed.lost && isUnderWay(job) && <p class="quiet">{t("lost")}</p>}
          {job.state === "failed" && <ErrorNote error={new Error(job.error)} />}
          <Counts gallery={gallery} games={job.progress.done} />
        </Panel>
      </div>
      <h2>{t("gallery")}</h2>
      <Cards job={job} gallery={gallery} />
    </div>
  );
}

export function EvolvePage(props: { id: string }) {
  const t = useText(words);
  const followed = useJob(props.id);
  const { job, error } = followed;
  const isGone = error instanceof ApiError && error.status === 404;
  const title = job === null ? t("title") : `${t("title")}: ${job.title}`;
  useSubject(title);
  return (
    <div class="page stack">
      <header>
        <a href={href("maps", ["evolve"])}>← {t("back")}</a>
        <h1>{title}</h1>
      </header>
      {isGone && (
        <Empty text={t("job_gone")}>
          <a class="button button-plain" href={href("maps", ["evolve"])}>{t("back")}</a>
        </Empty>
      )}
      {error !== null && !isGone && <ErrorNote error={error} retry={followed.again} />}
      {job === null && error === null && <Waiting text={t("loading")} height="70vh" />}
      {job !== null && <Evolution job={job} followed={followed} />}
    </div>
  );
}
