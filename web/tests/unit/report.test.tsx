// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";

import type { Standing } from "../../src/api/types";
import type { Origin } from "../../src/report/lineage";
import { ancestorsOf, ancestorText, shownOf } from "../../src/report/lineage";
import { formatSentence } from "../../src/report/rules";
import { words } from "../../src/report/text";
import { fill } from "../../src/app/text";
import { valueOf } from "../../src/tournaments/tables";

const origin = (id: number, generation: number, parents: [number | null, number | null]): Origin => ({ id, generation, parents, note: "", fitness: id });

test("ancestors by generation, each once, the latest first", () => {
  const origins = [origin(0, 0, [null, null]), origin(1, 0, [null, null]), origin(2, 1, [0, 1]), origin(3, 1, [0, null]), origin(4, 2, [2, 3])];
  const { generations, count, founders } = ancestorsOf(4, origins);
  expect(generations.map((one) => [one.generation, one.shown.map(({ id }) => id), one.more])).toEqual([
    [1, [3, 2], 0],
    [0, [1, 0], 0],
  ]);
  expect([count, founders]).toEqual([4, 2]);
  expect(ancestorsOf(0, origins).count).toBe(0);
});

test("of a large generation the fittest are shown", () => {
  const parents = [...Array(7).keys()].map((id) => origin(id, 0, [null, null]));
  const children = [origin(7, 1, [0, 1]), origin(8, 1, [2, 3]), origin(9, 1, [4, 5])];
  const last = [origin(10, 2, [7, 8]), origin(11, 3, [10, 9])];
  const oldest = ancestorsOf(11, [...parents, ...children, ...last]).generations.at(-1);
  expect(oldest?.shown.map(({ id }) => id)).toEqual([5, 4, 3, 2]);
  expect(oldest?.more).toBe(2);
});

test("long lineages are cut in the middle, and may be of any length", () => {
  const line = (count: number) => [...Array(count).keys()].map((id) => origin(id, id, [id === 0 ? null : id - 1, null]));
  const shown = (count: number) => shownOf(ancestorsOf(count, line(count + 1)).generations).map((one) => (typeof one === "number" ? `${one} more` : one.generation));
  expect(shown(30)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20, "16 more", 3, 2, 1, 0]);
  expect(shown(15).length).toBe(15);
  expect(ancestorsOf(50_000, line(50_001)).count).toBe(50_000);
});

test("an ancestor has its fitness, its change and its parents", () => {
  const text = (parents: [number | null, number | null], fitness: number | null = 200) => ancestorText({ ...origin(62, 3, parents), note: "block", fitness }, String, "en");
  expect(text([59, 60])).toBe("#62 200 (block of #59 × #60)");
  expect(text([59, null])).toBe("#62 200 (block of #59)");
  expect(text([null, null], null)).toBe("#62 (block)");
  const message = { code: "origin.both", args: ["block", "2", "s"] };
  expect(ancestorText({ ...origin(62, 3, [59, 60]), note_message: message }, String, "ja")).toBe("#62 62 (交叉 block、変化 2 個：#59 × #60)");
});

test("a column that the page has no cell for shows its value by its format", () => {
  const one = { decisions: 12, share: 0.625, spec: "uct", missing: null, tie_breaks: { buchholz: 2.5 } } as unknown as Standing;
  const shown = (name: string, format: string) => valueOf(one, { name, title: name, format });
  expect(shown("decisions", "count")).toBe("12");
  expect(shown("share", "share")).toBe("62.5\u202f%");
  expect(shown("spec", "text")).toBe("uct");
  expect(shown("missing", "number")).toBe("–");
  expect(shown("tie_buchholz", "number")).toBe("2.5");
});

test("the format of a tournament in one sentence", () => {
  const rules = { format: "swiss", rounds: 5, challengers: 1, games: 2, maps: { per_pairing: 1, not_own: true }, playoff: { places: 0 }, final: { players: 4 } };
  const data = { on_maps: true, report: { rules, maps: [{}, {}] } } as unknown as Parameters<typeof formatSentence>[0];
  const sentence = formatSentence(data, (key, params) => fill(words[key][0], params));
  expect(sentence).toBe(
    "Swiss system, 5 rounds; games per pairing and map: 2; maps drawn for each pairing: 1; no author plays on their own maps; then a knock-out of the best 4",
  );
});
