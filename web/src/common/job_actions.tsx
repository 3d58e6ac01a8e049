// SPDX-License-Identifier: MIT
//
// Actions on a job: stop, resume, delete with confirmation.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import type { Job } from "../api/types";
import { cancelJob, isUnderWay, removeJob, resumeJob } from "./jobs";
import { Button, ErrorNote } from "./parts";
import { Question } from "./question";

type Word = "cancel" | "resume" | "remove" | "keep" | "remove_ask";

interface JobActionsProps {
  job: Job;
  text: (word: Word) => string; // texts of the screen
  onChange: () => void;
  onRemoved: () => void;
  stays?: boolean; // it cannot be removed here
  children?: ComponentChildren; // further buttons
}

export function JobActions(props: JobActionsProps) {
  const { job, text } = props;
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const attempt = (work: Promise<unknown>, then: () => void) => {
    setError(null);
    work.then(then, setError);
  };
  return (
    <>
      <div class="row">
        {isUnderWay(job) && <Button onClick={() => attempt(cancelJob(job.id), props.onChange)}>{text("cancel")}</Button>}
        {(job.state === "cancelled" || job.state === "failed") && (
          <Button onClick={() => attempt(resumeJob(job.id), props.onChange)}>{text("resume")}</Button>
        )}
        {!isUnderWay(job) && props.stays !== true && (
          <Button kind="quiet" onClick={() => setAsked(true)}>
            {text("remove")}
          </Button>
        )}
        {props.children}
      </div>
      {error !== null && <ErrorNote error={error} />}
      {asked && (
        <Question
          title={text("remove")}
          text={text("remove_ask")}
          yes={text("remove")}
          no={text("keep")}
          danger
          onYes={() => attempt(removeJob(job.id), props.onRemoved)}
          onNo={() => setAsked(false)}
        />
      )}
    </>
  );
}
