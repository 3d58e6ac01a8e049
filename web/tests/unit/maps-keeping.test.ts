// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { newMap, paint, placeUnit } from "../../src/maps/edit";
import { begin, change, redo, endStep, undo } from "../../src/maps/history";
import { isDirty, keepDraft, listDrafts, loadDraft, removeDraft, type Draft, type Storage } from "../../src/maps/drafts";
import { fingerprint, freeName, isName, readMap, terrainCounts, tidyNote, toName, toTbsMap } from "../../src/maps/serial";

class Memory implements Storage {
  readonly items = new Map<string, string>();
  full = false;
  get length() {
    return this.items.size;
  }
  getItem = (key: string) => this.items.get(key) ?? null;
  key = (index: number) => [...this.items.keys()][index] ?? null;
  removeItem = (key: string) => void this.items.delete(key);
  setItem(key: string, value: string) {
    if (this.full) throw new Error("full");
    this.items.set(key, value);
  }
}

describe("undo and redo", () => {
  it("go back and forth", () => {
    let history = change(change(begin("a"), "b"), "c");
    history = undo(history);
    expect(history.present).toBe("b");
    history = undo(undo(history));
    expect(history.present).toBe("a");
    history = redo(redo(redo(history)));
    expect(history.present).toBe("c");
  });

  it("forget what was undone when something new is done", () => {
    const history = change(undo(change(begin("a"), "b")), "c");
    expect(redo(history).present).toBe("c");
    expect(undo(history).present).toBe("a");
  });

  it("take a stroke as one step", () => {
    let history = begin("a");
    for (const next of ["b", "c", "d"]) history = change(history, next, "stroke");
    expect(undo(history).present).toBe("a");
    history = change(endStep(history), "e", "stroke");
    expect(undo(history).present).toBe("d");
  });

  it("do not count what changes nothing", () => {
    const history = begin("a");
    expect(change(history, "a")).toBe(history);
    expect(undo(history)).toBe(history);
    expect(redo(history)).toBe(history);
  });

  it("remember a bounded number of steps", () => {
    let history = begin(0);
    for (let i = 1; i <= 1000; i++) history = change(history, i);
    expect(history.past.length).toBe(300);
    expect(undo(history).present).toBe(999);
  });
});

describe("what is sent", () => {
  const map = placeUnit(newMap(3, 2), [1, 1], { type: "panzer", side: "red", hp: 9 });

  it("is the server's form: done said, empty notes left out", () => {
    expect(toTbsMap(map)).toEqual({
      format: "senjutsu-map",
      width: 5,
      height: 4,
      turn_limit: 30,
      threshold: 10,
      terrain: ["00000", "01110", "01110", "00000"],
      units: [{ x: 1, y: 1, type: "panzer", side: "red", hp: 9, done: false }],
    });
    expect(toTbsMap({ ...map, author: " me " }).author).toBe("me");
  });

  it("has notes without what would end them", () => {
    expect(tidyNote("a[b];c\nd")).toBe("a(b),c d");
    const long = tidyNote("あ".repeat(300));
    expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(399);
    expect(long.length).toBe(133);
  });

  it("is compared by its relevant parts only", () => {
    expect(fingerprint({ ...map, author: "" })).toBe(fingerprint(toTbsMap(map)));
    const reordered = { ...toTbsMap(map), comment: "" };
    expect(fingerprint(reordered)).toBe(fingerprint(map));
    expect(fingerprint(paint(map, [[2, 2]], 3))).not.toBe(fingerprint(map));
  });

  it("counts terrain without the border", () => {
    expect([...terrainCounts(paint(map, [[2, 2]], 3))]).toEqual([[1, 5], [3, 1]]);
  });
});

describe("what comes from outside", () => {
  const good = toTbsMap(placeUnit(newMap(3, 2), [1, 1], { type: "panzer", side: "red", hp: 9 }));

  it("is read when it is a map", () => {
    expect(fingerprint(readMap(JSON.parse(JSON.stringify(good)))!)).toBe(fingerprint(good));
  });

  it.each([
    null,
    7,
    "map",
    [],
    {},
    { ...good, format: "other" },
    { ...good, width: 6 },
    { ...good, width: 1e9 },
    { ...good, height: "4" },
    { ...good, terrain: ["00000", "01x10", "01110", "00000"] },
    { ...good, terrain: ["00000", "01710", "01110", "00000"] },
    { ...good, terrain: "0000" },
    { ...good, units: [{ x: 1 }] },
    { ...good, units: [null] },
    { ...good, units: [{ ...good.units[0], side: "green" }] },
    { ...good, comment: 5 },
  ])("is refused otherwise (%#)", (value) => {
    expect(readMap(value)).toBeNull();
  });

  it("has names that can be files", () => {
    expect(isName("first-try_2")).toBe(true);
    for (const name of ["", "a b", "../x", "é", "x".repeat(65)]) expect(isName(name)).toBe(false);
    expect(toName("mine/my map.tbsmap")).toBe("my-map");
    expect(toName("日本語")).toBe("");
    expect(freeName("a", (name) => name === "a" || name === "a-2")).toBe("a-3");
    expect(freeName("b", () => false)).toBe("b");
  });
});

describe("drafts", () => {
  const draft = (from: string, at: number): Draft => ({ from, name: "x", map: newMap(3, 3), saved: null, at });

  it("are found again, the newest first", () => {
    const memory = new Memory();
    memory.setItem("other", "1");
    for (const [from, at] of [["", 1], ["duel", 3], ["mine/x", 2]] as const) keepDraft(draft(from, at), memory);
    expect(loadDraft("duel", memory)).toEqual(draft("duel", 3));
    expect(listDrafts(memory).map((one) => one.from)).toEqual(["duel", "mine/x", ""]);
    removeDraft("duel", memory);
    expect(loadDraft("duel", memory)).toBeNull();
  });

  it("are bounded in number", () => {
    const memory = new Memory();
    for (let i = 0; i < 40; i++) keepDraft(draft(`m${i}`, i), memory);
    expect(listDrafts(memory)).toHaveLength(24);
    expect(loadDraft("m39", memory)).not.toBeNull();
    expect(loadDraft("m0", memory)).toBeNull();
  });

  it("are not believed when they are damaged, and say when they cannot be kept", () => {
    const memory = new Memory();
    memory.setItem("senjutsu.map-draft.a", "{");
    memory.setItem("senjutsu.map-draft.b", JSON.stringify({ ...draft("b", 1), map: {} }));
    expect(listDrafts(memory)).toEqual([]);
    memory.full = true;
    expect(keepDraft(draft("c", 1), memory)).toBe(false);
  });

  it("know whether the server has the same", () => {
    const map = newMap(3, 3);
    expect(isDirty({ map, saved: null })).toBe(true);
    expect(isDirty({ map, saved: fingerprint(map) })).toBe(false);
    expect(isDirty({ map: paint(map, [[1, 1]], 2), saved: fingerprint(map) })).toBe(true);
  });
});
