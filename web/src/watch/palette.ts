// SPDX-License-Identifier: MIT
//
// At most 255 colours for a GIF. A board is drawn in few flat colours and many shades along its edges: the most common
// colours are kept exactly, the others are put together by median cut.

const exactCount = 96;

export type Rgb = number; // 0xRRGGBB

/** How often each colour occurs in pixels of four bytes (RGBA; transparent pixels are counted unchanged). */
export function countColours(rgba: Uint8ClampedArray, counts: Map<Rgb, number>): void {
  for (let at = 0; at < rgba.length; at += 4) {
    const colour = ((rgba[at] ?? 0) << 16) | ((rgba[at + 1] ?? 0) << 8) | (rgba[at + 2] ?? 0);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
}

type Box = [colour: Rgb, count: number][];

const channels = [16, 8, 0];

function channelRange(box: Box, shift: number): number {
  let low = 255;
  let high = 0;
  for (const [colour] of box) {
    const value = (colour >> shift) & 255;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high - low;
}

/** In two at the median of its widest channel. */
function cut(box: Box): [Box, Box] {
  const ranges = channels.map((shift) => channelRange(box, shift));
  const shift = channels[ranges.indexOf(Math.max(...ranges))] ?? 0;
  box.sort((a, b) => ((a[0] >> shift) & 255) - ((b[0] >> shift) & 255));
  const half = box.reduce((sum, [, count]) => sum + count, 0) / 2;
  let seen = 0;
  let at = 0;
  while (at < box.length - 1 && seen < half) seen += box[at++]?.[1] ?? 0;
  at = Math.max(1, at);
  return [box.slice(0, at), box.slice(at)];
}

function mean(box: Box): Rgb {
  const total = box.reduce((sum, [, count]) => sum + count, 0);
  const parts = channels.map((shift) => {
    const sum = box.reduce((part, [colour, count]) => part + ((colour >> shift) & 255) * count, 0);
    return Math.round(sum / total) << shift;
  });
  return parts.reduce((whole, part) => whole | part, 0);
}

function medianCut(colours: Box, wanted: number): Rgb[] {
  const boxes: Box[] = colours.length === 0 ? [] : [colours];
  while (boxes.length > 0 && boxes.length < wanted) {
    const weights = boxes.map((box) => (box.length < 2 ? 0 : box.length));
    const at = weights.indexOf(Math.max(...weights));
    const box = boxes[at];
    if (box === undefined || box.length < 2) break;
    boxes.splice(at, 1, ...cut(box));
  }
  return boxes.map(mean);
}

export function choosePalette(counts: Map<Rgb, number>, wanted = 255): Rgb[] {
  const common = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  if (common.length <= wanted) return common.map(([colour]) => colour);
  const exact = common.slice(0, Math.min(exactCount, wanted >> 1));
  return [...exact.map(([colour]) => colour), ...medianCut(common.slice(exact.length), wanted - exact.length)];
}

function distance(a: Rgb, b: Rgb): number {
  return channels.reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);
}

/** A function that finds the nearest colour's index; results are cached. */
export function nearest(palette: Rgb[]): (colour: Rgb) => number {
  const known = new Map<Rgb, number>();
  return (colour) => {
    const found = known.get(colour);
    if (found !== undefined) return found;
    let best = 0;
    palette.forEach((candidate, index) => {
      if (distance(candidate, colour) < distance(palette[best] ?? 0, colour)) best = index;
    });
    known.set(colour, best);
    return best;
  };
}
