// SPDX-License-Identifier: MIT
//
// A game as one animated SVG. Frames of a board have most parts in common, so each part is written once, with the
// times at which it is visible.

/** A group of the picture, from the lowest up: the tag that opens it, and its parts as markup. */
export interface Layer {
  open: string; // '<g class="units">'
  parts: string[];
}

export interface FilmFrame {
  layers: Layer[];
  ms: number;
}

interface Span {
  from: number; // milliseconds
  to: number;
}

/** Frames beside one another in time make one span. */
function addSpan(spans: Span[], span: Span): void {
  const last = spans[spans.length - 1];
  if (last !== undefined && last.to === span.from) last.to = span.to;
  else spans.push({ ...span });
}

function collectSpans(frames: FilmFrame[]): Map<string, Map<string, Span[]>> {
  const layers = new Map<string, Map<string, Span[]>>();
  let now = 0;
  for (const frame of frames) {
    const span = { from: now, to: now + frame.ms };
    frame.layers.forEach(({ open, parts }, depth) => {
      const key = `${depth}|${open}`;
      const seen = layers.get(key) ?? layers.set(key, new Map()).get(key);
      for (const part of parts) {
        const spans = seen?.get(part) ?? [];
        addSpan(spans, span);
        seen?.set(part, spans);
      }
    });
    now = span.to;
  }
  return layers;
}

const time = (ms: number, total: number): string => String(Number((ms / total).toFixed(5)));

function animation(spans: Span[], total: number): string {
  const times: string[] = [];
  const values: string[] = [];
  if (spans[0]?.from !== 0) {
    times.push("0");
    values.push("none");
  }
  for (const span of spans) {
    times.push(time(span.from, total));
    values.push("inline");
    if (span.to === total) continue;
    times.push(time(span.to, total));
    values.push("none");
  }
  const lists = `keyTimes="${times.join(";")}" values="${values.join(";")}"`;
  return `<animate attributeName="display" calcMode="discrete" dur="${total / 1000}s" repeatCount="indefinite" ${lists}/>`;
}

/** What is always there is not animated; a viewer without animation shows the first frame. */
function timed(part: string, spans: Span[], total: number): string {
  const [first] = spans;
  if (spans.length === 1 && first?.from === 0 && first.to === total) return part;
  const before = first?.from === 0 ? "" : ' display="none"';
  return `<g${before}>${animation(spans, total)}${part}</g>`;
}

export interface Picture {
  viewBox: string;
  width: number;
  height: number;
  title: string;
}

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);

export function svgOpen(picture: Picture): string {
  const { viewBox, width, height, title } = picture;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="${width}" height="${height}"><title>${escapeXml(title)}</title>`;
}

/** One frame, for itself. */
export function still(picture: Picture, layers: Layer[]): string {
  return `${svgOpen(picture)}${layers.map((layer) => `${layer.open}${layer.parts.join("")}</g>`).join("")}</svg>`;
}

export function film(picture: Picture, frames: FilmFrame[]): string {
  const total = frames.reduce((sum, frame) => sum + frame.ms, 0);
  const layers = [...collectSpans(frames)].sort(([a], [b]) => parseInt(a, 10) - parseInt(b, 10));
  const body = layers.map(([key, parts]) => {
    const open = key.slice(key.indexOf("|") + 1);
    return `${open}${[...parts].map(([part, spans]) => timed(part, spans, total)).join("")}</g>`;
  });
  return `${svgOpen(picture)}${body.join("")}</svg>`;
}
