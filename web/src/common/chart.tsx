// SPDX-License-Identifier: MIT
//
// Lines over a common axis (uPlot): win probability over a game, ratings, fitness.

import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { number, percent } from "../app/format";
import { useLanguage } from "../app/text";
import { columns, neighbour, steps, type ChartLine } from "./chart_data";
import "./style.css";
import { useTheme } from "./theme";

export type { ChartLine };

export interface ChartProps {
  x: number[];
  lines: ChartLine[];
  label: string; // for screen readers, and the title
  xLabel: string;
  yLabel: string;
  yRange?: [number, number];
  percent?: boolean; // 0 … 1 shown as 0 … 100 %
  mark?: number | null; // an x that is marked: the move that is shown
  onPick?: (x: number) => void; // a click
  height?: number;
}

// Lines differ in dashes as well as in colour.
const dashes: Record<ChartLine["tone"], number[]> = {
  first: [],
  second: [7, 3],
  third: [2, 3],
  fourth: [9, 3, 2, 3],
  quiet: [1, 3],
};

/** The computed colour of a class, so that the canvas has the page's own. */
function colourOf(box: HTMLElement, name: string): string {
  const probe = document.createElement("i");
  probe.className = name;
  box.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function faint(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${Math.round(share * 100)}%, transparent)`;
}

function bands(lines: ChartLine[], colours: string[]): uPlot.Band[] {
  let column = lines.length + 1;
  return lines.flatMap((line, n) => {
    if (!line.low || !line.high) return [];
    const band: uPlot.Band = { series: [column, column + 1], fill: faint(colours[n] ?? "gray", 0.16) };
    column += 2;
    return [band];
  });
}

function series(lines: ChartLine[], colours: string[], points: boolean): uPlot.Series[] {
  const edges = lines.filter((line) => line.low && line.high).length * 2;
  return [
    {},
    ...lines.map((line, n) => ({
      label: line.label,
      stroke: colours[n] ?? "gray",
      width: 2,
      dash: dashes[line.tone],
      spanGaps: true,
      points: { show: points, size: 5 },
    })),
    ...Array.from({ length: edges }, () => ({ stroke: "transparent", width: 0, points: { show: false } })),
  ];
}

function drawMark(plot: uPlot, mark: number | null, colour: string): void {
  if (mark === null) return;
  const x = Math.round(plot.valToPos(mark, "x", true));
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

function axis(label: string, colours: { text: string; line: string }, more: uPlot.Axis, scale: number): uPlot.Axis {
  const font = `${Math.round(12 * scale)}px system-ui, sans-serif`;
  const line = { stroke: colours.line, width: 1 };
  return { label, stroke: colours.text, font, labelFont: font, labelSize: 18 * scale, grid: line, ticks: { ...line, size: 4 }, ...more };
}

interface Live {
  mark: number | null;
  pick: ((x: number) => void) | undefined;
  hover: (index: number | null) => void;
  mark_colour: string;
}

function options(props: ChartProps, box: HTMLElement, live: { current: Live }): uPlot.Options {
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const colours = props.lines.map((line) => colourOf(box, `tone-${line.tone}`));
  const base = { text: colourOf(box, "tone-quiet"), line: faint(colourOf(box, "tone-quiet"), 0.25) };
  const format = (value: number) => (props.percent ? percent(value, 0) : number(value, Math.abs(value % 1) > 1e-9 ? 1 : 0));
  live.current.mark_colour = faint(colourOf(box, ""), 0.6);
  return {
    width: Math.max(120, box.clientWidth),
    height: (props.height ?? 220) * scale,
    legend: { show: false },
    padding: [10, 12, 0, 0],
    scales: { x: { time: false }, y: props.yRange ? { range: props.yRange } : {} },
    axes: [
      axis(props.xLabel, base, { size: 32 * scale, ...steps(props.x), values: (_, ticks) => ticks.map((tick) => number(tick, Number.isInteger(tick) ? 0 : 1)) }, scale),
      axis(props.yLabel, base, { size: 48 * scale, values: (_, ticks) => ticks.map(format) }, scale),
    ],
    series: series(props.lines, colours, props.x.length < 40),
    bands: bands(props.lines, colours),
    cursor: { drag: { x: false, y: false }, y: false },
    hooks: {
      draw: [(plot) => drawMark(plot, live.current.mark, live.current.mark_colour)],
      setCursor: [(plot) => live.current.hover(plot.cursor.idx ?? null)],
    },
  };
}

function usePlot(props: ChartProps, hover: (index: number | null) => void) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const live = useRef<Live>({ mark: null, pick: undefined, hover, mark_colour: "gray" });
  live.current = { ...live.current, mark: props.mark ?? null, pick: props.onPick, hover };
  const language = useLanguage();
  const theme = useTheme();
  const shape = JSON.stringify([
    props.lines.map((line) => [line.label, line.tone, line.low !== undefined]),
    [props.xLabel, props.yLabel, props.yRange, props.percent, props.height, props.x.length < 40, language, theme],
  ]);

  useEffect(() => {
    const at = box.current;
    if (at === null) return undefined;
    const made = new uPlot(options(props, at, live), columns(props.x, props.lines) as uPlot.AlignedData, at);
    plot.current = made;
    made.over.addEventListener("click", () => {
      const x = made.data[0][made.cursor.idx ?? -1];
      if (x !== undefined) live.current.pick?.(x);
    });
    const resize = new ResizeObserver(() => at.clientWidth > 0 && made.setSize({ width: at.clientWidth, height: made.height }));
    resize.observe(at);
    return () => {
      resize.disconnect();
      made.destroy();
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(columns(props.x, props.lines) as uPlot.AlignedData), [props.x, props.lines]);
  useEffect(() => plot.current?.redraw(false), [props.mark]);
  return box;
}

export function Chart(props: ChartProps) {
  const [hovered, setHovered] = useState<number | null>(null);
  const box = usePlot(props, setHovered);
  const marked = props.mark === undefined || props.mark === null ? -1 : props.x.indexOf(props.mark);
  const index = hovered ?? (marked >= 0 ? marked : props.x.length - 1);
  const format = (value: number | null | undefined) =>
    value === null || value === undefined ? "–" : props.percent ? percent(value) : number(value, Math.abs(value % 1) > 1e-9 ? 1 : 0);
  const summary = props.lines.map((line) => `${line.label} ${format(line.values[index])}`).join(", ");

  const press = (event: KeyboardEvent) => {
    if (props.onPick === undefined || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
    const next = neighbour(props.x, props.mark ?? null, event.key === "ArrowLeft" ? -1 : 1);
    event.preventDefault();
    if (next !== undefined) props.onPick(next);
  };
  return (
    <figure class="chart">
      <figcaption class="chart-title small">{props.label}</figcaption>
      <div
        class="chart-plot"
        ref={box}
        role="img"
        aria-label={`${props.label}. ${props.xLabel} ${props.x[index] ?? ""}: ${summary}`}
        {...(props.onPick === undefined ? {} : { tabIndex: 0, onKeyDown: press })}
      />
      <ul class="chart-legend list small numbers" aria-hidden="true">
        {props.lines.map((line) => (
          <li key={line.label} class={`tone-${line.tone}`}>
            <svg viewBox="0 0 28 8">
              <line x1="0" x2="28" y1="4" y2="4" stroke-dasharray={dashes[line.tone].join(" ") || undefined} />
            </svg>
            <span>{line.label} <b>{format(line.values[index])}</b></span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
