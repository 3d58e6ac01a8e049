// SPDX-License-Identifier: MIT
//
// Jobs in the header: how many are running, and the list with links.

import { useState } from "preact/hooks";

import type { JobInfo } from "../api/types";
import { cancelJob, isUnderWay } from "../common/jobs";
import { useLive } from "../common/live";
import { Button, ErrorNote, ProgressBar } from "../common/parts";
import { shareDone } from "../common/progress";
import { Menu } from "./menu";
import { jobKindName } from "./names";
import { jobHref } from "./screens";
import { useText } from "./text";
import { words } from "./shell_text";

const SHOWN = 8;

/** A progress ring; static if the progress is unknown. */
function Ring(props: { share: number }) {
  const around = 2 * Math.PI * 7;
  return (
    <svg class="shell-ring" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="7" />
      <circle class="is-done" cx="10" cy="10" r="7" stroke-dasharray={`${around * props.share} ${around}`} transform="rotate(-90 10 10)" />
    </svg>
  );
}

function JobRow(props: { job: JobInfo }) {
  const t = useText(words);
  const { job } = props;
  const [error, setError] = useState<unknown>(null);
  return (
    <li class="shell-job stack gap-1">
      <div class="spread">
        <a href={jobHref(job)}>
          <strong>{job.title === "" ? jobKindName(job.kind) : job.title}</strong>
        </a>
        {isUnderWay(job) && (
          <Button kind="quiet" onClick={() => cancelJob(job.id).then(() => setError(null), setError)} label={`${t("cancel")}: ${job.title}`}>
            {t("cancel")}
          </Button>
        )}
      </div>
      <ProgressBar progress={job.progress} state={job.state} />
      {error !== null && <ErrorNote error={error} />}
    </li>
  );
}

export function JobList(props: { jobs: JobInfo[]; count: number }) {
  return (
    <ul class="stack list">
      {props.jobs.slice(0, props.count).map((job) => (
        <JobRow key={job.id} job={job} />
      ))}
    </ul>
  );
}

export function JobsMenu() {
  const t = useText(words);
  const { jobs } = useLive();
  const running = (jobs ?? []).filter(isUnderWay);
  const description = running.length === 0 ? t("jobs") : `${t("jobs")}: ${t("jobs_running", { count: running.length })}`;
  const sign = (
    <>
      <Ring share={running.length === 0 ? 0 : (shareDone(running) ?? 0.25)} />
      <span class="shell-wide">{t("jobs")}</span>
      {running.length > 0 && <span class="shell-count">{running.length}</span>}
    </>
  );
  return (
    <Menu sign={sign} label={description}>
      <h2>{t("jobs_title")}</h2>
      {jobs === null ? (
        <p class="quiet">{t("jobs_waiting")}</p>
      ) : jobs.length === 0 ? (
        <p class="quiet">{t("jobs_none")}</p>
      ) : (
        <JobList jobs={[...running, ...jobs.filter((job) => !isUnderWay(job))]} count={SHOWN} />
      )}
    </Menu>
  );
}
