// SPDX-License-Identifier: MIT
//
// Completed lessons, stored in the browser.

import { keep, kept } from "../common/theme";

const PLACE = "senjutsu.lessons";

export function lessonsDone(): Set<string> {
  try {
    const list: unknown = JSON.parse(kept(PLACE) ?? "[]");
    return new Set(Array.isArray(list) ? list.filter((id): id is string => typeof id === "string") : []);
  } catch {
    return new Set(); // foreign data
  }
}

export function storeLessons(done: Set<string>): void {
  keep(PLACE, JSON.stringify([...done]));
}
