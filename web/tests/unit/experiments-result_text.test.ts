// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { drawnText, findingText, heading, labelText, plotText, scaled, scaleText, sourceText, summaryText, unitText, verdictText } from "../../src/experiments/result_text";

describe("the sentences of a result", () => {
  it("gives verdicts in both languages, factors as readable numbers", () => {
    const inside = { verdict: "agrees (within 10 points)", code: "verdict.agrees", args: ["10"] };
    const faster = { verdict: "faster (x 1.55e+04)", code: "verdict.faster", args: ["1.55e+04"] };
    expect(verdictText(inside, "en")).toBe("agrees (within 10 points)");
    expect(verdictText(inside, "ja")).toBe("一致（差は10ポイント以内）");
    expect(verdictText(faster, "en")).toBe("faster (× 15,500)");
    expect(verdictText(faster, "ja")).toBe("15,500倍速い");
    expect(verdictText({ verdict: "slower (x 1.5)", code: "verdict.slower", args: ["1.5"] }, "ja")).toBe("1.5倍遅い");
    expect(verdictText({ verdict: "something new" }, "ja")).toBe("something new");
  });

  it("gives summaries in both languages", () => {
    const summary = "findings: agrees 2, differs 0, cannot tell 1; quick, 40 of 500 trials.";
    const summary_messages = [
      { text: "findings: agrees 2, differs 0, cannot tell 1", code: "summary.findings", args: ["2", "0", "1"] },
      { text: "quick, 40 of 500 trials", code: "summary.quick", args: ["40", "500"] },
    ];
    expect(summaryText({ summary, summary_messages }, "ja")).toBe("結論：一致2、相違0、判定不能1。簡易、500回中40回。");
    expect(summaryText({ summary, summary_messages }, "en")).toBe(summary);
    expect(summaryText({ summary }, "ja")).toBe(summary); // of an earlier version
    expect(summaryText({ summary, summary_messages: [summary_messages[0]!, { text: "new", code: "summary.new" }] }, "ja")).toBe(summary);
  });

  it("says how much of an experiment was run, also in the title of a plot", () => {
    const quick = { trials: 40, trials_whole: 500, quick: true, scale: "quick, 40 of 500 trials" };
    expect([scaleText(quick, "en"), scaleText(quick, "ja")]).toEqual(["quick, 40 of 500 trials", "簡易、500回中40回"]);
    expect(scaleText({ ...quick, quick: false, scale: "40 of 500 trials" }, "ja")).toBe("500回中40回");
    expect([scaleText({}, "ja"), scaled("t", {}, "en")]).toEqual(["", "t"]); // of an earlier version
    expect([scaled("t", quick, "en"), scaled("t", quick, "ja")]).toEqual(["t (quick, 40 of 500 trials)", "t（簡易、500回中40回）"]);
    const plot = { name: "tbs-table5-wins", title: "Table 5: games won by red" };
    expect(drawnText(quick.scale, plot, quick, "ja")).toBe("簡易、500回中40回"); // the second line of the title
  });

  it("begin titles with a capital", () => {
    expect(heading("depth 1 takes the wrong fighter")).toBe("Depth 1 takes the wrong fighter");
    expect(heading("")).toBe("");
  });
});

const part = (text: string, name?: string, ...args: string[]) => (name === undefined ? { text } : { text, code: `label.${name}`, args });

describe("examples", () => {
  it.each([
    [
      "finding.amcts_gets_more_over",
      ["", "", "PIMC", "2.053", "2.041", "2.065", "9", "10", "0"],
      [],
      "AMCTSはPIMCより多く得る：全dfで2.053（2.041〜2.065）。区間によれば、10個のdfのうち9個で2.00を超え、0個で下回る（論文がどのdfでそう見たかは読み取れない）",
    ],
    [
      "finding.amcts_takes_far_less",
      ["10000 leaves", ": ", "IIMC", "10", "10", "IIMC", "1.2", "3.4", "5.6", "1.2e+03"],
      [part("10000 leaves", "leaves_each", "10000")],
      "葉10000枚：AMCTSはIIMCよりはるかに短い時間で済む（10個のdfのうち10個）：IIMCは1.2〜3.4倍の時間、5.6〜1.2e+03倍の葉を要する",
    ],
    [
      "finding.clearly_weaker_both_against",
      ["C by formula (2) as it is printed", "23.8", "15.8", "34.1", "26.2", "17.9", "36.8"],
      [part("C by formula (2) as it is printed", "c_by_formula")],
      "印刷どおりの式(2)によるCは両者より明らかに弱い：Aに対して23.8%（15.8〜34.1）、Bに対して26.2%（17.9〜36.8）",
    ],
    ["finding.clearly_weaker_both_against", ["C", "1", "2", "3", "4", "5", "6"], undefined, "Cは両者より明らかに弱い：Aに対して1%（2〜3）、Bに対して4%（5〜6）"],
    ["finding.new", ["3"], [], "in English"],
  ])("finding: %s", (code, args, first, japanese) =>
    expect(findingText({ text: "in English", holds: true, code, args, ...(first === undefined ? {} : { first_messages: first }) }, "ja")).toBe(japanese),
  );

  it.each([
    ["Min-Maxの深さ1は誤り", [part("Min-Max depth 1 is wrong", "depth_wrong", "1")]],
    ["UCT 1000：時間", [part("UCT 1000"), part(" ms", "time_of")]],
    ["図4を二つ、深さ1：局面数", [part("fig. 4 twice", "fig_twice", "4"), part(", "), part("depth 1", "depth", "1"), part(": "), part("positions", "positions")]],
    ["df 0.1、6w keep 対 IIMC", [part("df 0.1, 6w keep"), part(" against ", "against"), part("IIMC")]],
    ["something new", [part("something new", "of_a_later_version")]],
  ])("label: %s", (japanese, label_messages) => {
    const label = label_messages.map(({ text }) => text).join("");
    expect(labelText({ label, label_messages }, "ja")).toBe(japanese);
    expect(labelText({ label, label_messages }, "en")).toBe(label);
    expect(labelText({ label }, "ja")).toBe(label); // of an earlier version
  });

  it("plots, sources and units", () => {
    const plot = {
      name: "synth-fig6-payoff",
      title: "Figure 6: AMCTS against PIMC, 0.01 s a move",
      texts: [{ text: "depth 3", messages: [part("depth 3", "depth", "3")] }],
    };
    expect(plotText(plot, "ja")).toBe("図6：AMCTS対PIMC、1手0.01秒");
    expect(drawnText(plot.title, plot, {}, "ja")).toBe("図6：AMCTS対PIMC、1手0.01秒");
    expect(drawnText("depth 3", plot, {}, "ja")).toBe("深さ3");
    expect(drawnText("ours", { name: "of-an-earlier-version", title: "" }, {}, "ja")).toBe("ours");
    expect([plotText(plot, "en"), plotText({ name: "new-plot" }, "ja")]).toEqual([plot.title, "new-plot"]);
    expect(sourceText({ name: "tbs-table7" }, "ja")).toBe("佐藤・藤木・池田、7.4節、表7、図9〜11");
    expect(sourceText({ name: "new", source: "a paper, 2030" }, "ja")).toBe("a paper, 2030");
    expect([unitText("points", "ja"), unitText("ms", "ja"), unitText("points", "en")]).toEqual(["ポイント", "ms", "points"]);
  });
});
