// SPDX-License-Identifier: MIT
import type { JobInfo } from "../api/types";

/** Progress of all running jobs together, 0 … 1; null: unknown. */
export function shareDone(jobs: JobInfo[]): number | null {
  const known = jobs.filter((job) => job.progress.total !== null && job.progress.total > 0);
  if (known.length === 0) return null;
  return known.reduce((sum, { progress }) => sum + Math.min(1, progress.done / (progress.total ?? 1)), 0) / known.length;
}
