// SPDX-License-Identifier: MIT
//
// One experiment: start a run, and the results of its runs.

import { useState } from "preact/hooks";

import { ApiError } from "../api/client";
import type { ExperimentInfo, JobInfo, ReproParams } from "../api/types";
import { time } from "../app/format";
import { useHelp } from "../app/help";
import { go, href } from "../app/route";
import { useLanguage, useText } from "../app/text";
import { useSubject } from "../app/title";
import { shared, useRange } from "../common/data";
import { JobActions } from "../common/job_actions";
import { startJob, useJob, useJobs } from "../common/jobs";
import { Button, Empty, ErrorNote, NumberField, Panel, ProgressBar, SelectField, Waiting } from "../common/parts";
import { commandLine, runsOf } from "./result";
import { Result } from "./result_view";
import { heading, sourceText } from "./result_text";
import { words } from "./text";

type Amount = "quick" | "whole" | "own";

function RunForm(props: { experiment: ExperimentInfo }) {
  const t = useText(words);
  const { name, trials, trials_quick } = props.experiment;
  const [amount, setAmount] = useState<Amount>("quick");
  const [own, setOwn] = useState(trials_quick);
  const [seed, setSeed] = useState(1);
  const range = useRange("repro");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const settings = { quick: amount === "quick", trials: amount === "own" ? own : 0, seed };
  const params: ReproParams = { experiment: name, seed, quick: settings.quick, ...(settings.trials > 0 ? { trials: settings.trials } : {}) };

  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      const job = await startJob("repro", params);
      go("experiments", [name, job.id]);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };

  return (
    <Panel title={t("run")}>
      <div class="experiments-form">
        <SelectField<Amount>
          label={t("how_much")}
          value={amount}
          onChange={setAmount}
          options={[
            { value: "quick", label: t("quick", { trials: trials_quick }) },
            { value: "whole", label: t("whole", { trials }) },
            { value: "own", label: t("own") },
          ]}
        />
        {amount === "own" && (
          <NumberField label={t("trials")} value={own} onChange={setOwn} {...range("trials")} />
        )}
        <NumberField label={t("seed")} help={t("seed_help")} value={seed} onChange={setSeed} low={0} high={Number.MAX_SAFE_INTEGER} />
      </div>
      <div class="row">
        <Button kind="main" disabled={busy} onClick={() => void start()}>
          {busy ? t("starting") : t("start")}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
      <p class="small quiet">{t("terminal")}: <code>{commandLine(name, settings)}</code></p>
    </Panel>
  );
}

function Run(props: { id: string; experiment: string }) {
  const t = useText(words);
  const { job, error, again } = useJob(props.id);
  if (error instanceof ApiError && error.status === 404) return <Empty text={t("gone")} />;
  if (error !== null) return <ErrorNote error={error} retry={again} />;
  if (job === null) return <Waiting text={t("loading_run")} height="20rem" />;
  const outcome = job.kind === "repro" ? job.result : null;
  const removed = () => {
    shared.experiments.refresh();
    go("experiments", [props.experiment]);
  };
  return (
    <div class="stack">
      <ProgressBar progress={job.progress} state={job.state} />
      {job.error !== "" && <ErrorNote error={new Error(job.error)} />}
      <JobActions job={job} ask={t("remove_ask")} onChange={again} onRemoved={removed} />
      {outcome === null ? <Empty text={t("waiting_result")} /> : <Result job={job} outcome={outcome} />}
    </div>
  );
}

function Runs(props: { jobs: JobInfo[]; experiment: string; chosen: string }) {
  const t = useText(words);
  return (
    <ul class="experiments-runs list">
      {props.jobs.map((job) => (
        <li key={job.id}>
          <a href={href("experiments", [props.experiment, job.id])} aria-current={job.id === props.chosen ? "true" : undefined}>
            {time(job.created)} · {t(`state_${job.state}`)}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Details(props: { experiment: ExperimentInfo; run: string | null }) {
  const t = useText(words);
  const help = useHelp();
  const language = useLanguage();
  const { name, title, source, published, duration } = props.experiment;
  const jobs = useJobs("repro");
  const mine = jobs === null ? null : runsOf(jobs, name);
  useSubject(name);
  const chosen = props.run ?? mine?.[0]?.id ?? null;
  return (
    <>
      <h1>
        {heading(help(title, "experiments", name, "title"))} <code class="experiments-code quiet">{name}</code>
      </h1>
      <dl>
        <dt>{t("source")}</dt>
        <dd>{sourceText({ name, source }, language)}</dd>
        <dt>{t("published")}</dt>
        <dd>{help(published, "experiments", name, "published")}</dd>
        <dt>{t("takes")}</dt>
        <dd>{help(duration, "experiments", name, "duration")}</dd>
      </dl>
      <RunForm experiment={props.experiment} />
      <Panel title={t("runs")}>
        {mine === null && <Waiting text={t("loading_run")} height="20rem" />}
        {mine?.length === 0 && <Empty text={t("no_runs")} />}
        {mine !== null && mine.length > 0 && chosen !== null && <Runs jobs={mine} experiment={name} chosen={chosen} />}
        {chosen !== null && <Run key={chosen} id={chosen} experiment={name} />}
      </Panel>
    </>
  );
}
