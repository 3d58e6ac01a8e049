// SPDX-License-Identifier: MIT
//
// Which lessons are done, kept by this browser.

const PLACE = "senjutsu.lessons";

export function lessonsDone(): Set<string> {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return new Set(Array.isArray(list) ? list.filter((id): id is string => typeof id === "string") : []);
  } catch {
    return new Set(); // storage is forbidden or not ours
  }
}

function write(done: Set<string>): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify([...done]));
  } catch {
    // then it is not kept
  }
}

export function markDone(id: string): void {
  write(lessonsDone().add(id));
}

export function forgetProgress(): void {
  write(new Set());
}
