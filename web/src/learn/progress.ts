// SPDX-License-Identifier: MIT
//
// Completed lessons, stored in the browser.

import { store, stored } from "../common/theme";

const PLACE = "senjutsu.lessons";

export function lessonsDone(): Set<string> {
  try {
    const list: unknown = JSON.parse(stored(PLACE) ?? "[]");
    return new Set(Array.isArray(list) ? list.filter((id): id is string => typeof id === "string") : []);
  } catch {
    return new Set(); // foreign data
  }
}

export function storeLessons(done: Set<string>): void {
  store(PLACE, JSON.stringify([...done]));
}
