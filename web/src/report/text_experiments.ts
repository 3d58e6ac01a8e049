// SPDX-License-Identifier: MIT
import { dictionary } from "../app/text";

export const words = dictionary({
  title: ["Published experiments, run again", "論文の実験の再現"],
  about: [
    "Each published figure stands beside ours with a 95 % interval (Wilson's for shares, Student's t for means). A verdict compares the two as samples: they agree, they differ, or there are too few trials. A finding is what the paper concludes, tested on our numbers. What has no chance in it (deterministic answers, arithmetic) confirms nothing and is counted apart. Times come from a different machine and are only compared.",
    "論文の値と本ソフトの値を95%信頼区間（割合は Wilson、平均は t 分布）つきで並べます。判定は両者を標本として比べ、一致、相違、または反復が少なく判定できない、のどれかです。結論は本ソフトの値で検定します。偶然のないもの（決定的な答えや計算）は何も確かめないので、別に数えます。時間は異なる計算機によるもので、比べるだけです。",
  ],
  overview: ["All statements", "すべての記述"],
  paper: ["Paper", "論文"],
  stated: ["stated", "記述"],
  and: ["; ", "、"],
  no_picture: ["No picture of {name}.csv: gnuplot is not installed. Its script is in the same folder.", "{name}.csv の図はありません（gnuplot がありませんでした）。スクリプトはデータの隣にあります。"],
  parameters: ["Parameters", "パラメータ"],
  settings: ["Rules: {rules}; {trials} repetitions of a cell at most. All repetitions: {file}.", "ルール：{rules}。1項目あたり最大 {trials} 回。全反復：{file}。"],
  top: ["Back to top", "先頭へ"],
});
