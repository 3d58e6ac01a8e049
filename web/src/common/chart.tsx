// SPDX-License-Identifier: MIT
//
// Lines over a common axis (uPlot): the chance to win over a game, ratings, fitness.

export interface ChartLine {
  label: string;
  values: (number | null)[];
  tone: "first" | "second" | "third" | "fourth" | "quiet";
  low?: (number | null)[]; // a band around it
  high?: (number | null)[];
}

export function Chart(_: {
  x: number[];
  lines: ChartLine[];
  label: string; // for screen readers, and the title
  xLabel: string;
  yLabel: string;
  yRange?: [number, number];
  percent?: boolean; // 0 … 1 told as 0 … 100 %
  mark?: number | null; // an x that is marked: the move that is shown
  onPick?: (x: number) => void; // a click
  height?: number;
}) {
  return null;
}
