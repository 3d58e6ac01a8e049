// SPDX-License-Identifier: MIT
//
// Actions on a job: stop, resume, delete with confirmation.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import type { Job } from "../api/types";
import { useText } from "../app/text";
import { cancelJob, isUnderWay, removeJob, resumeJob } from "./jobs";
import { Button, ErrorNote } from "./parts";
import { Question } from "./question";
import { words } from "./text";

interface JobActionsProps {
  job: Job;
  ask: string; // before it is deleted
  onChange: () => void;
  onRemoved: () => void;
  stays?: boolean; // it cannot be removed here
  children?: ComponentChildren; // further buttons
}

export function JobActions(props: JobActionsProps) {
  const t = useText(words);
  const { job } = props;
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const attempt = (work: Promise<unknown>, then: () => void) => {
    setError(null);
    work.then(then, setError);
  };
  return (
    <>
      <div class="row">
        {isUnderWay(job) && <Button onClick={() => attempt(cancelJob(job.id), props.onChange)}>{t("job_cancel")}</Button>}
        {(job.state === "cancelled" || job.state === "failed") && (
          <Button onClick={() => attempt(resumeJob(job.id), props.onChange)}>{t("job_resume")}</Button>
        )}
        {!isUnderWay(job) && props.stays !== true && (
          <Button kind="quiet" onClick={() => setAsked(true)}>{t("job_remove")}</Button>
        )}
        {props.children}
      </div>
      {error !== null && <ErrorNote error={error} />}
      {asked && (
        <Question
          title={t("job_remove")}
          text={props.ask}
          yes={t("job_remove")}
          no={t("job_keep")}
          danger
          onYes={() => attempt(removeJob(job.id), props.onRemoved)}
          onNo={() => setAsked(false)}
        />
      )}
    </>
  );
}
