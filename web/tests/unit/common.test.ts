// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { JobInfo, MapInfo } from "../../src/api/types";
import { columns, neighbour, steps, type ChartLine } from "../../src/common/chart_data";
import { readNumber } from "../../src/common/inputs";
import { withProgress } from "../../src/common/live";
import { shareDone } from "../../src/common/progress";
import { searchMaps } from "../../src/common/search";
import { readSpec, withOption, writeSpec } from "../../src/common/spec";

describe("spec strings", () => {
  it("reads names and options", () => {
    expect(readSpec("uct")).toEqual({ name: "uct", options: {} });
    expect(readSpec("uct:sims=500,c=0.5")).toEqual({ name: "uct", options: { sims: "500", c: "0.5" } });
  });

  it("keeps lists and specs in brackets whole", () => {
    expect(readSpec("minmax:values=A:100,F:1,depth=2").options).toEqual({ values: "A:100,F:1", depth: "2" });
    expect(readSpec("first:player=[dlmc:turns=50,sims=20],then=pwuct").options).toEqual({ player: "dlmc:turns=50,sims=20", then: "pwuct" });
  });

  it.each(["uct", "uct:sims=500,c=0.5", "minmax:values=A:100,F:1,depth=2", "first:player=[dlmc:turns=50,sims=20],then=pwuct", "split:player=[first:player=[uct:sims=5],turns=2]"])(
    "writes %s as it was",
    (text) => expect(writeSpec(readSpec(text))).toBe(text),
  );

  it("leaves default values out", () => {
    expect(withOption("uct", "sims", "500", "6000")).toBe("uct:sims=500");
    expect(withOption("uct:sims=500,c=2", "sims", "6000", "6000")).toBe("uct:c=2");
    expect(withOption("uct:sims=500", "sims", "6000", "6000")).toBe("uct");
  });
});

describe("forms", () => {
  it("reads only numbers that are allowed", () => {
    expect(readNumber("5", 1, 10, 1)).toBe(5);
    expect(readNumber("2.5", 1, 10, 0.01)).toBe(2.5);
    for (const wrong of ["", " ", "x", "0", "11", "2.5", "1e99"]) expect(readNumber(wrong, 1, 10, 1)).toBeNull();
  });

  it("finds maps by all the words", () => {
    const map = (name: string, comment: string): MapInfo => ({ name, comment, mine: false, width: 6, height: 6, units: [1, 1], author: "" });
    const maps = [map("duel", "The smallest fight"), map("bridge", "A river and one bridge")];
    expect(searchMaps(maps, "").map(({ name }) => name)).toEqual(["duel", "bridge"]);
    expect(searchMaps(maps, "River one").map(({ name }) => name)).toEqual(["bridge"]);
    expect(searchMaps(maps, "river fight")).toEqual([]);
    const japanese = ({ comment }: { comment: string }) => (/river/i.test(comment) ? "川と橋" : comment);
    expect(searchMaps(maps, "橋", japanese).map(({ name }) => name)).toEqual(["bridge"]);
  });
});

describe("charts", () => {
  const line = (more: Partial<ChartLine>): ChartLine => ({ label: "x", tone: "first", values: [1, 2], ...more });

  it("puts bands behind all lines", () => {
    expect(columns([0, 1], [line({ low: [0, 1], high: [2, 3] }), line({ values: [5, null] })])).toEqual([[0, 1], [1, 2], [5, null], [2, 3], [0, 1]]);
  });

  it("steps from one x to the next", () => {
    expect(neighbour([0, 2, 5], 2, 1)).toBe(5);
    expect(neighbour([0, 2, 5], 2, -1)).toBe(0);
    expect(neighbour([0, 2, 5], 5, 1)).toBeUndefined();
    expect(neighbour([0, 2, 5], null, 1)).toBe(0);
    expect(neighbour([0, 2, 5], null, -1)).toBe(5);
  });

  it("labels whole numbers at whole numbers", () => {
    expect(steps([1, 2, 3]).incrs?.every(Number.isInteger)).toBe(true);
    expect(steps([0.5, 1])).toEqual({});
  });
});

describe("jobs", () => {
  const job = (id: string, done: number, total: number | null): JobInfo => ({
    id,
    kind: "match",
    title: id,
    state: "running",
    progress: { done, total, unit: "games", note: "", seconds: 1, left: null },
    created: "",
    finished: "",
    error: "",
  });

  it("computes their common progress", () => {
    expect(shareDone([job("a", 5, 10), job("b", 10, 10)])).toBe(0.75);
    expect(shareDone([job("a", 5, null)])).toBeNull();
    expect(shareDone([job("a", 20, 10), job("b", 1, null)])).toBe(1);
    expect(shareDone([])).toBeNull();
  });

  it("changes the one that has gone on", () => {
    const list = withProgress([job("a", 1, 10), job("b", 1, 10)], "b", { ...job("b", 7, 10).progress });
    expect(list?.map(({ progress }) => progress.done)).toEqual([1, 7]);
    expect(withProgress(null, "a", job("a", 1, 1).progress)).toBeNull();
  });
});
