// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { ReproRow } from "../../src/api/types";
import { address, worded } from "../../src/experiments/picture";
import { commandLine, countKinds, figure, groupOf, isClaim, judgementOf, kindOf, mapsOf, rowPicture, verdictOf } from "../../src/experiments/result";

const row = (more: Partial<ReproRow>): ReproRow => ({
  label: "",
  published: 69,
  ours: 60,
  low: 20,
  high: 90,
  unit: "%",
  trials: 5,
  verdict: "agrees (within 10 points)",
  ...more,
});

describe("figures", () => {
  it("have the digits they deserve", () => {
    expect(figure(13, "%")).toBe("13.0");
    expect(figure(0.0039461, "ms")).toBe("0.003946");
    expect(figure(720000000, "")).toBe("720,000,000");
    expect(figure(null, "%")).toBe("–");
  });
});

describe("the picture of a row", () => {
  it("shows per cent as they are", () => {
    expect(rowPicture(row({}))).toEqual({ ours: 60, low: 20, high: 90, published: 69 });
  });
  it("gives others room at both ends, the published figure included", () => {
    const at = rowPicture(row({ unit: "ms", published: 503, ours: 3, low: 3, high: 3 }));
    expect(at?.ours).toBeGreaterThan(0);
    expect(at?.published).toBeLessThan(100);
    expect(at?.published ?? 0).toBeGreaterThan(at?.ours ?? 0);
  });
  it("does not divide by nothing", () => {
    const at = rowPicture(row({ unit: "ms", published: null, ours: 3, low: 3, high: 3 }));
    expect(at).toEqual({ ours: 50, low: 50, high: 50, published: null });
  });
  it("is missing without an interval", () => {
    expect(rowPicture(row({ low: null }))).toBeNull();
  });
});

describe("verdicts and names", () => {
  it("speak for or against the paper", () => {
    const kinds = ["agrees", "differs", "cannot_tell", "same", "not_same", "none"] as const;
    expect(kinds.map((kind) => judgementOf(kind).judgement)).toEqual(["good", "bad", "open", "plain", "bad", "plain"]);
    expect(new Set(kinds.map((kind) => judgementOf(kind).sign)).size).toBe(kinds.length);
    expect([kindOf({}), kindOf({ kind: "differs" })]).toEqual(["none", "differs"]);
    expect([verdictOf({ holds: true }), verdictOf({ holds: false }), verdictOf({ holds: false, verdict: "cannot_tell" })]).toEqual(["same", "not_same", "cannot_tell"]);
    expect([isClaim({ code: "verdict.fails" }), isClaim({ code: "verdict.same" }), isClaim({})]).toEqual([true, false, false]);
    expect(countKinds(["agrees", "none", "agrees", "not_same"])).toEqual({ agrees: 2, differs: 0, cannot_tell: 0, same: 0, not_same: 1 });
  });
  it("group experiments by how they begin", () => {
    expect(groupOf({ name: "geister-table1" })).toBe("geister");
    expect(groupOf({ name: "unheard-of" })).toBe("other");
  });
  it("write the command line", () => {
    expect(commandLine("tbs-fig4", { quick: true, trials: 0, seed: 1 })).toBe("./run repro tbs-fig4 --quick --out results");
    expect(commandLine("tbs-fig4", { quick: false, trials: 7, seed: 3 })).toBe("./run repro tbs-fig4 --trials 7 --seed 3 --out results");
  });
});

describe("a plot's words", () => {
  const svg = '<svg><text>wins &amp; losses</text><g><text x="1">a &lt; b</text></g><path d="M0 0"/><text></text></svg>';
  it("are asked for as they are read, and written as they must be", () => {
    const asked: string[] = [];
    const said = worded(svg, (text) => {
      asked.push(text);
      return text === "" ? "" : `<${text}> & more`;
    });
    expect(asked).toEqual(["wins & losses", "a < b", ""]);
    expect(said).toBe(
      '<svg><text>&lt;wins &amp; losses&gt; &amp; more</text><g><text x="1">&lt;a &lt; b&gt; &amp; more</text></g><path d="M0 0"/><text></text></svg>',
    );
  });
  it("change nothing else", () => expect(worded(svg, (text) => text)).toBe(svg));
  it("have an address in which nothing ends early", () => {
    const at = address('<svg fill="#fff">勝率 100%</svg>');
    expect(at).toMatch(/^data:image\/svg\+xml;charset=utf-8,[^#<>"\s]*$/);
    expect(decodeURIComponent(at.slice(at.indexOf(",") + 1))).toBe('<svg fill="#fff">勝率 100%</svg>');
  });
});

describe("the maps of an experiment", () => {
  it("are those it has pictures of, in order of their numbers", () => {
    expect(mapsOf(["map-paper_fig10_b.png", "map-paper_fig10_b.svg", "map-paper_fig9_a.svg", "tbs-table7-wins.svg"])).toEqual(["paper_fig9_a", "paper_fig10_b"]);
  });
});
