// SPDX-License-Identifier: MIT
import { expect, it } from "vitest";

import { helpOf } from "../../src/app/help";
import { help_ja } from "../../src/app/help_ja";

it("finds the text of a name, of its option, and of an option that many have", () => {
  const texts = { "players.uct": "a", "players.uct.c": "b", "players.*.c": "c", "players.*.sims": "d" };
  expect(helpOf(texts, "players", "uct")).toBe("a");
  expect(helpOf(texts, "players", "uct", "c")).toBe("b");
  expect(helpOf(texts, "players", "muct", "c")).toBe("c");
  expect(helpOf(texts, "players", "uct", "sims")).toBe("d");
  expect(helpOf(texts, "players", "uct", "depth")).toBeUndefined();
  expect(helpOf(texts, "players", "dlmc")).toBeUndefined();
});

it("has Japanese texts by name", () => {
  expect(helpOf(help_ja, "players", "random")).toBe("合法手から等確率で選びます");
  expect(Object.keys(help_ja).filter((key) => !/^\w+\.[\w*-]+(\.[\w-]+)?$/.test(key))).toEqual([]);
});
