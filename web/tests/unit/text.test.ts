// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { fill, firstLanguage } from "../../src/app/text";
import { words as appWords } from "../../src/app/shell_text";
import { words as boardWords } from "../../src/board/text";
import { words as commonWords } from "../../src/common/text";

const holes = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

describe("texts", () => {
  it("fills what is given and leaves what is not", () => {
    expect(fill("{a} and {b}, {a}", { a: 1, b: "two" })).toBe("1 and two, 1");
    expect(fill("{a} {b}", { a: 0 })).toBe("0 {b}");
  });

  it.each([
    ["app", appWords],
    ["board", boardWords],
    ["common", commonWords],
  ])("has the same holes in both languages: %s", (_, words) => {
    const [en, ja] = [words.en, words.ja] as Record<string, string>[];
    for (const key of Object.keys(en ?? {})) {
      expect(ja?.[key], key).not.toBe("");
      expect(holes(ja?.[key] ?? ""), key).toEqual(holes(en?.[key] ?? ""));
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
