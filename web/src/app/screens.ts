// SPDX-License-Identifier: MIT
//
// All screens. Each is loaded on first use.

import type { ComponentType } from "preact";

import type { JobInfo } from "../api/types";
import { href, type Route } from "./route";

export type ScreenName = "play" | "watch" | "analyse" | "maps" | "tournaments" | "experiments" | "learn";
export type Screen = ComponentType<{ route: Route }>;

export const screens: Record<ScreenName, () => Promise<Screen>> = {
  play: () => import("../play/screen").then((module) => module.PlayScreen),
  watch: () => import("../watch/screen").then((module) => module.WatchScreen),
  analyse: () => import("../analyse/screen").then((module) => module.AnalyseScreen),
  maps: () => import("../maps/screen").then((module) => module.MapsScreen),
  tournaments: () => import("../tournaments/screen").then((module) => module.TournamentsScreen),
  experiments: () => import("../experiments/screen").then((module) => module.ExperimentsScreen),
  learn: () => import("../learn/screen").then((module) => module.LearnScreen),
};

export const screenNames = Object.keys(screens) as ScreenName[];

export function isScreen(name: string): name is ScreenName {
  return Object.hasOwn(screens, name);
}

/** Identifies a place: a new place starts at the top and takes the focus. The list of maps restores its scroll
 *  position; the runs of an experiment are on one page. */
export function placeOf(route: Pick<Route, "screen" | "rest">): string {
  const deep: Record<string, number> = { maps: 0, experiments: 1 };
  return [route.screen, ...route.rest.slice(0, deep[route.screen])].join("/");
}

/** Where a job is shown. */
export function jobHref(job: Pick<JobInfo, "id" | "kind" | "title">): string {
  switch (job.kind) {
    case "match":
    case "tournament":
      return href("tournaments", [job.id]);
    case "judge":
      return href("maps", ["judge", job.id]);
    case "evolve":
      return href("maps", ["evolve", job.id]);
    case "repro":
      return href("experiments", [job.title, job.id]); // the title of a run is its experiment
  }
}
