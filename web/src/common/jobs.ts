// SPDX-License-Identifier: MIT
//
// Live jobs: one, or all of a kind.

import { useEffect, useState } from "preact/hooks";

import { api } from "../api/client";
import { listen, type Listening } from "../api/events";
import type { Job, JobEvents, JobInfo, JobKind, JobParams, LiveBoard } from "../api/types";
import { useLive } from "./live";

export interface Followed {
  job: Job | null; // null: loading, or an error
  error: unknown; // null: none
  lost: boolean; // the connection is interrupted
  again: () => void; // reloads: after a failure, or when a job was resumed
}

/** Follows a job; `onBoard` receives live games. Without an id there is no job. */
export function useJob(id: string | null, onBoard?: (board: LiveBoard) => void): Followed {
  const [job, setJob] = useState<Job | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [lost, setLost] = useState(false);
  const [round, setRound] = useState(0);

  useEffect(() => {
    if (id === null) {
      setJob(null);
      return undefined;
    }
    let gone = false;
    let stream: Listening | null = null;
    const path = `/api/jobs/${encodeURIComponent(id)}`;
    const begin = (first: Job) => {
      if (gone) return;
      setJob(first);
      setError(null);
      stream = listen<JobEvents>(
        `${path}/events`,
        {
          job: setJob,
          progress: (progress) => setJob((known) => (known === null ? known : { ...known, progress })),
          ...(onBoard === undefined ? {} : { board: onBoard }),
        },
        setLost,
      );
    };
    api.get<Job>(path).then(begin, (why: unknown) => gone || setError(why)); // a stream cannot report a missing job
    return () => {
      gone = true;
      stream?.close();
    };
  }, [id, round]);

  const mine = job !== null && job.id === id ? job : null;
  return { job: mine, error: id === null ? null : error, lost, again: () => setRound((n) => n + 1) };
}

/** All jobs of a kind, newest first; null: loading. */
export function useJobs(kind: JobKind): JobInfo[] | null {
  const { jobs } = useLive();
  return jobs?.filter((job) => job.kind === kind) ?? null;
}

export function startJob(kind: JobKind, params: JobParams): Promise<JobInfo> {
  return api.post<JobInfo>("/api/jobs", { kind, params });
}

export function cancelJob(id: string): Promise<unknown> {
  return api.post(`/api/jobs/${encodeURIComponent(id)}/cancel`);
}

export function resumeJob(id: string): Promise<unknown> {
  return api.post(`/api/jobs/${encodeURIComponent(id)}/resume`);
}

export function removeJob(id: string): Promise<void> {
  return api.remove(`/api/jobs/${encodeURIComponent(id)}`);
}

export function isUnderWay(job: Pick<JobInfo, "state">): boolean {
  return job.state === "queued" || job.state === "running";
}
