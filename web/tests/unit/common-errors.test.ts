// SPDX-License-Identifier: MIT
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { errors, errorWords, rulingWords } from "../../src/common/errors";

const root = new URL("../../../src/", import.meta.url);
const code = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".c"))
  .map((name) => readFileSync(new URL(name, root), "utf8"))
  .join("\n")
  .replace(/(?<!\\)"\s+"/g, "")
  .replaceAll('\\"', '"');

describe("what the server refuses, in Japanese", () => {
  it.each(Object.keys(errors))("is said by the program: %s", (format) =>
    expect(code.includes(`"${format}"`)).toBe(true),
  );

  it.each([
    ["\"games\": expected a whole number from 1 to 10000", "「games」は1から10000までの整数にしてください。"],
    ["uct: sims=-1: expected a whole number from 1 to 1000000000", "uct：sims=-1：1から1000000000までの整数にしてください。"],
    ["uct: option 'simz' is unknown; known are sims, c", "uct：「simz」というオプションはありません。使えるのは sims, c です。"],
    ["players: entry 2: the name \"random\" is there already", "players：2番目：「random」という名前はすでにあります。"],
    ["acteval on geister: acteval plays only the tactical game, not geister", "acteval on geister：acteval は戦術ゲーム専用です（geister では使えません）。"],
    ["there is no map 'nomap'; /api/maps lists those there are", "「nomap」というマップはありません。"],
    ["about 123456 games; expected 10000 at most", "約123456局になります。10000局以下にしてください。"],
    ["/data/jobs/x/store: cannot be written: No space left on device", "/data/jobs/x/store に書き込めません：No space left on device"],
  ])("%s", (english, japanese) => {
    expect(errorWords(english, "ja")).toBe(japanese);
    expect(errorWords(english, "en")).toBe(english);
  });

  it.each(["something nobody has heard of", "here: and there: something else"])("what is not known stays: %s", (sentence) =>
    expect(errorWords(sentence, "ja")).toBe(sentence),
  );
});

describe("a ruling", () => {
  it("is said in Japanese without whom it is about", () => {
    const late = "red forfeits: late, after 3.16 s of 3.10 s";
    expect(rulingWords(late, "ja")).toBe("制限の3.10秒に対して3.16秒かかりました。");
    expect(rulingWords(late, "en")).toBe(late);
  });

  it("stays whole where its reason is not known", () =>
    expect(rulingWords("blue forfeits: something else", "ja")).toBe("blue forfeits: something else"));
});
