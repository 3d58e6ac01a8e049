// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { heading, summaryText, verdictText } from "../../src/experiments/result_text";

describe("the sentences of a result", () => {
  it("gives verdicts in both languages, factors as readable numbers", () => {
    const inside = { verdict: "inside our interval", code: "verdict.inside", args: [] };
    const faster = { verdict: "faster (x 1.55e+04)", code: "verdict.faster", args: ["1.55e+04"] };
    expect(verdictText(inside, "en")).toBe("inside our interval");
    expect(verdictText(inside, "ja")).toBe("区間内");
    expect(verdictText(faster, "en")).toBe("faster (× 15,500)");
    expect(verdictText(faster, "ja")).toBe("15,500倍速い");
    expect(verdictText({ verdict: "slower (x 1.5)", code: "verdict.slower", args: ["1.5"] }, "ja")).toBe("1.5倍遅い");
    expect(verdictText({ verdict: "something new" }, "ja")).toBe("something new");
  });

  it("gives summaries in both languages", () => {
    const summary = "2 of 3 findings hold; 1 of 4 published figures lies inside our intervals.";
    const summary_messages = [
      { text: "2 of 3 findings hold", code: "summary.some", args: ["2", "3", ""] },
      { text: "1 of 4 published figures lies inside our intervals", code: "summary.figures_some", args: ["1", "4", "s"] },
    ];
    expect(summaryText({ summary, summary_messages }, "ja")).toBe("3件の結論のうち2件が成り立ちます。論文の値4個のうち1個が区間内にあります。");
    expect(summaryText({ summary, summary_messages }, "en")).toBe(summary);
    expect(summaryText({ summary }, "ja")).toBe(summary); // of an earlier version
    expect(summaryText({ summary, summary_messages: [summary_messages[0]!, { text: "new", code: "summary.new" }] }, "ja")).toBe(summary);
  });

  it("begin titles with a capital", () => {
    expect(heading("depth 1 takes the wrong fighter")).toBe("Depth 1 takes the wrong fighter");
    expect(heading("")).toBe("");
  });
});
