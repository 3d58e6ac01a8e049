// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { changedBox, GifWriter, lzw } from "../../src/watch/gif";
import { choosePalette, countColours, nearest } from "../../src/watch/palette";

/** A reader written from the format's description, so that the writer is not checked against itself. */
function unblock(bytes: Uint8Array, at: number): [data: number[], next: number] {
  const data: number[] = [];
  for (let size = bytes[at++]!; size !== 0; size = bytes[at++]!) {
    data.push(...bytes.subarray(at, at + size));
    at += size;
  }
  return [data, at];
}

function unlzw(data: number[], bits: number): number[] {
  const clear = 1 << bits;
  const out: number[] = [];
  let table: number[][] = [];
  let width = bits + 1;
  let last: number[] | null = null;
  const reset = () => {
    table = Array.from({ length: clear + 2 }, (_, i) => (i < clear ? [i] : []));
    width = bits + 1;
    last = null;
  };
  reset();
  for (let bit = 0; bit + width <= data.length * 8; ) {
    let code = 0;
    for (let i = 0; i < width; i++, bit++) code |= ((data[bit >> 3]! >> (bit & 7)) & 1) << i;
    if (code === clear) {
      reset();
      continue;
    }
    if (code === clear + 1) return out;
    const known: number[] | null = last;
    const entry: number[] = code < table.length ? table[code]! : [...known!, known![0]!];
    if (code > table.length) throw new Error(`code ${code} is not known yet`);
    out.push(...entry);
    if (known !== null && table.length < 4096) table.push([...known, entry[0]!]);
    if (table.length === 1 << width && width < 12) width++;
    last = entry;
  }
  throw new Error("no end code");
}

interface Decoded {
  width: number;
  height: number;
  frames: { rgb: number[]; cs: number }[];
}

function decode(bytes: Uint8Array): Decoded {
  const word = (at: number) => bytes[at]! | (bytes[at + 1]! << 8);
  expect(String.fromCharCode(...bytes.subarray(0, 6))).toBe("GIF89a");
  const [width, height] = [word(6), word(8)];
  const size = 2 << (bytes[10]! & 7);
  const colour = (i: number) => (bytes[13 + 3 * i]! << 16) | (bytes[14 + 3 * i]! << 8) | bytes[15 + 3 * i]!;
  let at = 13 + 3 * size;
  let canvas: number[] = new Array<number>(width * height).fill(-1);
  let [cs, transparent] = [0, -1];
  const frames: Decoded["frames"] = [];
  for (;;) {
    const kind = bytes[at++];
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      const label = bytes[at++];
      const [data, next] = unblock(bytes, at);
      if (label === 0xf9) [cs, transparent] = [data[1]! | (data[2]! << 8), data[0]! & 1 ? data[3]! : -1];
      at = next;
      continue;
    }
    expect(kind).toBe(0x2c);
    const [x, y, w, h] = [word(at), word(at + 2), word(at + 4), word(at + 6)];
    const bits = bytes[at + 9]!;
    const [data, next] = unblock(bytes, at + 10);
    const indices = unlzw(data, bits);
    expect(indices.length).toBe(w * h);
    canvas = [...canvas];
    indices.forEach((index, i) => {
      if (index !== transparent) canvas[(y + Math.floor(i / w)) * width + x + (i % w)] = colour(index);
    });
    frames.push({ rgb: canvas, cs });
    at = next;
  }
  expect(at).toBe(bytes.length);
  return { width, height, frames };
}

function rgba(colours: number[]): Uint8ClampedArray {
  return Uint8ClampedArray.from(colours.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255, 255]));
}

/** Numbers that look random and are always the same. */
function noise(count: number, limit: number): number[] {
  let state = 12345;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 16) % limit;
  });
}

const bytesOf = async (writer: GifWriter) => new Uint8Array(await writer.finish().arrayBuffer());

describe("LZW", () => {
  const cases: [string, number[], number][] = [
    ["one pixel", [3], 2],
    ["a run", new Array<number>(5000).fill(1), 2],
    ["a pattern", Array.from({ length: 3000 }, (_, i) => i % 4), 2],
    ["noise that fills the table several times", noise(40000, 256), 8],
    ["noise of few colours", noise(20000, 7), 3],
    ["every length around a width's change", noise(300, 2), 2],
  ];
  it.each(cases)("gives back %s", (_, indices, bits) => {
    const [told, ...blocks] = lzw(Uint8Array.from(indices), bits);
    expect(told).toBe(bits);
    const [data] = unblock(Uint8Array.from(blocks), 0);
    expect(unlzw(data, bits)).toEqual(indices);
  });

  it("gives back every length up to where codes are four bits wide and more", () => {
    const all = noise(400, 4);
    for (let length = 1; length <= all.length; length++) {
      const [, ...blocks] = lzw(Uint8Array.from(all.slice(0, length)), 2);
      expect(unlzw(unblock(Uint8Array.from(blocks), 0)[0], 2)).toEqual(all.slice(0, length));
    }
  });
});

describe("GIF", () => {
  it("gives back its frames, exactly where the colours fit", async () => {
    const palette = [0x000000, 0xff0000, 0x0000ff, 0xfafafa, 0x123456];
    const first = noise(12 * 9, 5).map((i) => palette[i]!);
    const second = [...first];
    second[12 * 4 + 5] = 0xff0000;
    second[12 * 6 + 7] = 0x0000ff;
    const writer = new GifWriter(12, 9, palette);
    [first, second, second].forEach((frame, i) => writer.addFrame(rgba(frame), [500, 30, 1200][i]!));
    const gif = decode(await bytesOf(writer));
    expect([gif.width, gif.height]).toEqual([12, 9]);
    expect(gif.frames.map((frame) => frame.cs)).toEqual([50, 3, 120]);
    expect(gif.frames.map((frame) => frame.rgb)).toEqual([first, second, second]);
  });

  it("stays close to a picture with more colours than a GIF can have", async () => {
    const colours = noise(64 * 64, 1 << 12).map((c) => ((c >> 8) * 17 << 16) | (((c >> 4) & 15) * 17 << 8) | (c & 15) * 17);
    const counts = new Map<number, number>();
    countColours(rgba(colours), counts);
    const palette = choosePalette(counts);
    expect(palette.length).toBe(255);
    const writer = new GifWriter(64, 64, palette);
    writer.addFrame(rgba(colours), 100);
    const [frame] = decode(await bytesOf(writer)).frames;
    const far = frame!.rgb.map((c, i) => [16, 8, 0].reduce((sum, s) => sum + Math.abs(((c >> s) & 255) - ((colours[i]! >> s) & 255)), 0));
    expect(far.reduce((a, b) => a + b, 0) / far.length).toBeLessThan(60);
  });

  it("writes only what has changed", () => {
    const before = new Uint32Array(20);
    const now = Uint32Array.from(before);
    expect(changedBox(before, now, 5)).toEqual({ x: 0, y: 0, width: 1, height: 1 });
    now[5 + 1] = 1;
    now[10 + 3] = 1;
    expect(changedBox(before, now, 5)).toEqual({ x: 1, y: 1, width: 3, height: 2 });
  });
});

describe("palette", () => {
  it("keeps the common colours of a picture with too many", () => {
    const counts = new Map(noise(2000, 1 << 20).map((c): [number, number] => [c, 1]));
    counts.set(0xc0ffee, 5000).set(0x00beef, 4000);
    const palette = choosePalette(counts);
    expect(palette).toContain(0xc0ffee);
    expect(palette).toContain(0x00beef);
    expect(palette.length).toBeLessThanOrEqual(255);
  });

  it("finds the nearest colour", () => {
    const find = nearest([0x000000, 0xff0000, 0xffffff]);
    expect([0x100000, 0xd01010, 0xeeeeee, 0xd01010].map(find)).toEqual([0, 1, 2, 1]);
  });
});
