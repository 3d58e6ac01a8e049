// SPDX-License-Identifier: MIT
//
// Completed lessons, stored in the browser.

const PLACE = "senjutsu.lessons";

export function lessonsDone(): Set<string> {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return new Set(Array.isArray(list) ? list.filter((id): id is string => typeof id === "string") : []);
  } catch {
    return new Set(); // no storage, or foreign data
  }
}

function write(done: Set<string>): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify([...done]));
  } catch {
    // not stored
  }
}

export function markDone(id: string): void {
  write(lessonsDone().add(id));
}

export function forgetProgress(): void {
  write(new Set());
}
