// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { heading, summaryWords, verdictWords } from "../../src/experiments/sentences";

describe("the sentences of a result", () => {
  it("say verdicts in both languages, factors as numbers people read", () => {
    expect(verdictWords("inside our interval", "en")).toBe("inside our interval");
    expect(verdictWords("inside our interval", "ja")).toBe("区間内");
    expect(verdictWords("faster (x 1.55e+04)", "en")).toBe("faster (× 15,500)");
    expect(verdictWords("slower (x 1.5)", "ja")).toBe("1.5倍遅い");
    expect(verdictWords("something new", "ja")).toBe("something new");
  });

  it("say every summary the library makes", () => {
    const figures = {
      "the paper gives no figure that could lie in an interval.": "論文に区間と比べられる値はありません。",
      "the published figure lies inside our interval.": "論文の値は区間内にあります。",
      "all published figures lie inside our intervals.": "論文の値はすべて区間内にあります。",
      "1 of 3 published figures lies inside our intervals.": "論文の値3個のうち1個が区間内にあります。",
      "2 of 3 published figures lie inside our intervals.": "論文の値3個のうち2個が区間内にあります。",
    };
    const findings = {
      "The finding holds": "結論は成り立ちます",
      "The finding does not hold": "結論は成り立ちません",
      "All findings hold (4 of 4)": "4件の結論すべてが成り立ちます",
      "1 of 2 findings holds": "2件の結論のうち1件が成り立ちます",
      "2 of 3 findings hold": "3件の結論のうち2件が成り立ちます",
    };
    for (const [finding, held] of Object.entries(findings))
      for (const [figure, inside] of Object.entries(figures)) {
        expect(summaryWords(`${finding}; ${figure}`, "ja")).toBe(`${held}。${inside}`);
        expect(summaryWords(`${finding}; ${figure}`, "en")).toBe(`${finding}; ${figure}`);
      }
    expect(summaryWords("Nobody knows.", "ja")).toBe("Nobody knows.");
  });

  it("begin titles with a capital", () => {
    expect(heading("depth 1 takes the wrong fighter")).toBe("Depth 1 takes the wrong fighter");
    expect(heading("")).toBe("");
  });
});
