// SPDX-License-Identifier: MIT
//
// Data of a chart.

export interface ChartLine {
  label: string;
  values: (number | null)[];
  tone: "first" | "second" | "third" | "fourth" | "quiet";
  low?: (number | null)[]; // a band around it
  high?: (number | null)[];
}

/** Columns in uPlot's order: x, the lines, then the edges of the bands. */
export function columns(x: number[], lines: ChartLine[]): (number | null)[][] {
  const edges = lines.flatMap((line) => (line.low && line.high ? [line.high, line.low] : []));
  return [x, ...lines.map((line) => line.values), ...edges];
}

/** The next x in a direction (keyboard); the first or last one at the start. */
export function neighbour(x: number[], at: number | null, step: -1 | 1): number | undefined {
  if (at === null) return step > 0 ? x[0] : x[x.length - 1];
  return step > 0 ? x.find((value) => value > at) : x.filter((value) => value < at).at(-1);
}

/** Axes of whole numbers have ticks at whole numbers only. */
export function steps(x: number[]): { incrs?: number[] } {
  if (!x.every(Number.isInteger)) return {};
  return { incrs: [1, 10, 100, 1000, 10_000, 100_000].flatMap((size) => [size, 2 * size, 5 * size]) };
}
