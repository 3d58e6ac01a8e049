// SPDX-License-Identifier: MIT
//
// The live list of jobs. One connection serves the whole page, and none is open while the page is hidden: a browser
// allows only few connections.

import { useEffect, useState } from "preact/hooks";

import { listen, type Listening } from "../api/events";
import type { JobInfo, JobListEvents, Progress } from "../api/types";

let jobs: JobInfo[] | null = null;
let isLost = false;
let stream: Listening | null = null;
const listeners = new Set<() => void>();

function tellAll(): void {
  for (const tell of listeners) tell();
}

export function withProgress(list: JobInfo[] | null, id: string, progress: Progress): JobInfo[] | null {
  return list?.map((job) => (job.id === id ? { ...job, progress } : job)) ?? null;
}

function open(): void {
  stream ??= listen<JobListEvents>(
    "/api/jobs/events",
    {
      jobs: (list) => {
        jobs = list;
        tellAll();
      },
      progress: ({ id, progress }) => {
        jobs = withProgress(jobs, id, progress);
        tellAll();
      },
    },
    (lost) => {
      if (lost === isLost) return;
      isLost = lost;
      tellAll();
    },
  );
}

function close(): void {
  stream?.close();
  stream = null;
}

function follow(): void {
  if (document.hidden) close();
  else open();
}

/** All jobs, newest first (null: loading), and whether the server is connected. */
export function useLive(): { jobs: JobInfo[] | null; lost: boolean } {
  const [, draw] = useState(0);
  useEffect(() => {
    const tell = () => draw((n) => n + 1);
    if (listeners.size === 0) document.addEventListener("visibilitychange", follow);
    listeners.add(tell);
    follow();
    tell();
    return () => {
      listeners.delete(tell);
      if (listeners.size > 0) return;
      document.removeEventListener("visibilitychange", follow);
      close();
    };
  }, []);
  return { jobs, lost: isLost };
}
