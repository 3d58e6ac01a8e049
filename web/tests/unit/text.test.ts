// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { type Both, fill, firstLanguage } from "../../src/app/text";

const modules = import.meta.glob<{ words: Record<string, Both> }>(["../../src/**/*text*.ts", "!**/app/text.ts"], { eager: true });
const dictionaries = Object.entries(modules).filter(([, module]) => "words" in module);

const holes = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

describe("texts", () => {
  it("fills what is given and leaves what is not", () => {
    expect(fill("{a} and {b}, {a}", { a: 1, b: "two" })).toBe("1 and two, 1");
    expect(fill("{a} {b}", { a: 0 })).toBe("0 {b}");
  });

  it.each(dictionaries)("has the same holes in both languages: %s", (_, { words }) => {
    for (const [key, [en, ja]] of Object.entries(words)) {
      expect(ja, key).not.toBe("");
      expect(holes(ja), key).toEqual(holes(en));
    }
  });

  it("begins with the language that was chosen, then with the browser's", () => {
    expect(firstLanguage("ja", ["en-GB"])).toBe("ja");
    expect(firstLanguage(null, ["ja-JP", "en"])).toBe("ja");
    expect(firstLanguage(null, ["en-GB", "ja"])).toBe("en");
    expect(firstLanguage(null, ["de", "ja"])).toBe("ja");
    expect(firstLanguage("xx", ["fr"])).toBe("en");
    expect(firstLanguage(null, [])).toBe("en");
  });
});
