// SPDX-License-Identifier: MIT
//
// Display of the numbers of an experiment.

import type { ExperimentInfo, Finding, Job, JobInfo, ReproRow, VerdictKind } from "../api/types";

/** The groups, in the order in which they are shown; an experiment belongs to the one its name begins with. */
export const groups = ["tbs", "mapgen", "synth", "amcts", "geister"] as const;
export type Group = (typeof groups)[number] | "other";

export function groupOf(experiment: Pick<ExperimentInfo, "name">): Group {
  return groups.find((group) => experiment.name.startsWith(`${group}-`)) ?? "other";
}

export function grouped(experiments: ExperimentInfo[]): { group: Group; members: ExperimentInfo[] }[] {
  return [...groups, "other" as const]
    .map((group) => ({ group, members: experiments.filter((one) => groupOf(one) === group) }))
    .filter(({ members }) => members.length > 0);
}

/** A value with suitable digits; null: no value. */
export function figure(value: number | null, unit: string): string {
  if (value === null) return "–";
  if (unit === "%") return value.toFixed(1);
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en-GB");
  return String(Number(value.toPrecision(4)));
}

export interface RowPicture {
  ours: number;
  low: number;
  high: number;
  published: number | null;
}

/** Positions of a row's numbers on a scale from 0 to 100: per cent unchanged, others between their minimum and maximum
 *  with a margin of a tenth. Null: nothing to compare. */
export function rowPicture(row: ReproRow): RowPicture | null {
  if (row.ours === null || row.low === null || row.high === null) return null;
  const numbers = [row.ours, row.low, row.high, ...(row.published === null ? [] : [row.published])];
  const least = row.unit === "%" ? 0 : Math.min(...numbers);
  const most = row.unit === "%" ? 100 : Math.max(...numbers);
  const room = row.unit === "%" ? 0 : (most - least) * 0.1 || 1;
  const place = (value: number) => (100 * (value - least + room)) / (most - least + 2 * room);
  return {
    ours: place(row.ours),
    low: place(row.low),
    high: place(row.high),
    published: row.published === null ? null : place(row.published),
  };
}

export type Judgement = "good" | "bad" | "open" | "plain";

/** What has no chance in it confirms nothing: it is plain, unless it contradicts the paper. */
const judgements: Readonly<Record<VerdictKind, { judgement: Judgement; sign: string }>> = {
  agrees: { judgement: "good", sign: "✓" },
  differs: { judgement: "bad", sign: "✗" },
  cannot_tell: { judgement: "open", sign: "?" },
  same: { judgement: "plain", sign: "=" },
  not_same: { judgement: "bad", sign: "≠" },
  none: { judgement: "plain", sign: "" },
};

export function judgementOf(kind: VerdictKind): { judgement: Judgement; sign: string } {
  return judgements[kind];
}

/** Results of earlier versions have no kinds. */
export function kindOf(row: Pick<ReproRow, "kind">): VerdictKind {
  return row.kind ?? "none";
}

export function verdictOf(finding: Pick<Finding, "holds" | "verdict">): VerdictKind {
  return finding.verdict ?? (finding.holds ? "same" : "not_same");
}

/** A statement without a figure and without chance: it was seen or not. */
export function isClaim(row: Pick<ReproRow, "code">): boolean {
  return row.code === "verdict.holds" || row.code === "verdict.fails";
}

export const verdictKinds = ["agrees", "differs", "cannot_tell", "same", "not_same"] as const;

/** How many of each there are. */
export function countKinds(kinds: readonly VerdictKind[]): Record<(typeof verdictKinds)[number], number> {
  const count = (kind: VerdictKind) => kinds.filter((one) => one === kind).length;
  return { agrees: count("agrees"), differs: count("differs"), cannot_tell: count("cannot_tell"), same: count("same"), not_same: count("not_same") };
}

/** Runs of one experiment, newest first: a job's title is the experiment's name. */
export function runsOf(jobs: JobInfo[], experiment: string): JobInfo[] {
  return jobs.filter((job) => job.title === experiment);
}

/** The equivalent command line. */
export function commandLine(experiment: string, settings: { quick: boolean; trials: number; seed: number }): string {
  const parts = ["./run repro", experiment];
  if (settings.quick) parts.push("--quick");
  if (settings.trials > 0) parts.push(`--trials ${settings.trials}`);
  if (settings.seed !== 1) parts.push(`--seed ${settings.seed}`);
  return `${parts.join(" ")} --out results`;
}

/** Where a file of the run is. */
export function filePath(job: Pick<Job, "id">, name: string): string {
  return `/api/jobs/${encodeURIComponent(job.id)}/files/${encodeURIComponent(name)}`;
}

/** The maps whose pictures are among the files: those the experiment was played on. */
export function mapsOf(files: string[]): string[] {
  const names = files.flatMap((file) => /^map-(.+)\.svg$/.exec(file)?.[1] ?? []);
  return names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
