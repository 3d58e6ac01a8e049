// SPDX-License-Identifier: MIT
//
// Animated GIF (GIF89a): one palette for all frames, each frame only the rectangle that has changed, unchanged
// pixels in it transparent, LZW-compressed.

import { nearest, type Rgb } from "./palette";

const codesMax = 4096;

/** Bits from the lowest up, cut into blocks of at most 255 bytes. */
class BitBlocks {
  private readonly bytes: number[] = [];
  private pending = 0;
  private width = 0;

  put(code: number, bits: number): void {
    this.pending |= code << this.width;
    this.width += bits;
    while (this.width >= 8) {
      this.bytes.push(this.pending & 255);
      this.pending >>>= 8;
      this.width -= 8;
    }
  }

  finish(): number[] {
    if (this.width > 0) this.bytes.push(this.pending & 255);
    const out: number[] = [];
    for (let at = 0; at < this.bytes.length; at += 255) {
      const block = this.bytes.slice(at, at + 255);
      out.push(block.length, ...block);
    }
    out.push(0);
    return out;
  }
}

/** Indices below 2^bits as GIF's LZW, in blocks, preceded by the byte with the number of bits. */
export function lzw(indices: Uint8Array, bits: number): number[] {
  const clear = 1 << bits;
  const out = new BitBlocks();
  const children = new Uint16Array(codesMax << bits); // [code << bits | index]: the longer code, 0 when there is none
  let next = clear + 2;
  let width = bits + 1;
  out.put(clear, width);
  let code = indices[0] ?? 0;
  for (let at = 1; at < indices.length; at++) {
    const index = indices[at] ?? 0;
    const place = (code << bits) | index;
    const longer = children[place] ?? 0;
    if (longer !== 0) {
      code = longer;
      continue;
    }
    out.put(code, width);
    code = index;
    if (next < codesMax) {
      if (next === 1 << width) width++;
      children[place] = next++;
    } else {
      out.put(clear, width);
      children.fill(0);
      next = clear + 2;
      width = bits + 1;
    }
  }
  if (indices.length > 0) out.put(code, width);
  out.put(clear + 1, width === 12 || next < 1 << width ? width : width + 1);
  return [bits, ...out.finish()];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest rectangle with all differences; one pixel if there are none. */
export function changedBox(before: Uint32Array, now: Uint32Array, width: number): Box {
  let left = width;
  let right = 0;
  let top = Number.MAX_SAFE_INTEGER;
  let bottom = 0;
  for (let at = 0; at < now.length; at++) {
    if (before[at] === now[at]) continue;
    const x = at % width;
    const y = (at - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (left === width) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));
const word = (value: number): number[] => [value & 255, (value >> 8) & 255];

export class GifWriter {
  private readonly parts: Uint8Array[] = [];
  private readonly indexOf: (colour: Rgb) => number;
  private readonly bits: number;
  private readonly transparent: number;
  private last: Uint32Array | null = null;

  /** At most 255 colours: one more entry is needed for transparent pixels. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    palette: Rgb[],
  ) {
    this.indexOf = nearest(palette);
    this.transparent = palette.length;
    this.bits = Math.max(2, Math.ceil(Math.log2(palette.length + 1)));
    this.add([...ascii("GIF89a"), ...word(width), ...word(height), 0xf0 | (this.bits - 1), 0, 0]);
    const table = Array.from({ length: 1 << this.bits }, (_, index) => palette[index] ?? 0);
    this.add(table.flatMap((colour) => [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255]));
    this.add([0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0]); // loop forever
  }

  private add(bytes: number[]): void {
    this.parts.push(Uint8Array.from(bytes));
  }

  private indices(now: Uint32Array, box: Box): Uint8Array {
    const out = new Uint8Array(box.width * box.height);
    for (let y = 0; y < box.height; y++)
      for (let x = 0; x < box.width; x++) {
        const at = (box.y + y) * this.width + box.x + x;
        const pixel = now[at] ?? 0; // 0xAABBGGRR: the bytes of RGBA in little endian
        const same = this.last !== null && this.last[at] === pixel;
        const colour = ((pixel & 255) << 16) | (pixel & 0xff00) | ((pixel >>> 16) & 255);
        out[y * box.width + x] = same ? this.transparent : this.indexOf(colour);
      }
    return out;
  }

  /** RGBA, four bytes a pixel, and how long it is shown. */
  addFrame(rgba: Uint8ClampedArray, ms: number): void {
    const now = new Uint32Array(this.width * this.height);
    const view = new DataView(rgba.buffer, rgba.byteOffset, rgba.byteLength);
    for (let at = 0; at < now.length; at++) now[at] = view.getUint32(at * 4, true);
    const whole = { x: 0, y: 0, width: this.width, height: this.height };
    const box = this.last === null ? whole : changedBox(this.last, now, this.width);
    const keepAndTransparent = (1 << 2) | 1;
    this.add([0x21, 0xf9, 4, keepAndTransparent, ...word(Math.max(2, Math.round(ms / 10))), this.transparent, 0]);
    this.add([0x2c, ...word(box.x), ...word(box.y), ...word(box.width), ...word(box.height), 0]);
    this.add(lzw(this.indices(now, box), this.bits));
    this.last = now;
  }

  finish(): Blob {
    return new Blob([...this.parts, Uint8Array.from([0x3b])] as BlobPart[], { type: "image/gif" });
  }
}
