// SPDX-License-Identifier: MIT
//
// A ZIP archive with uncompressed files: small pictures in one download. Names are UTF-8; the caller gives the time, so
// that the same files make the same bytes.

export interface ZipFile {
  name: string;
  bytes: Uint8Array;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Numbers in little endian, `[value, bytes]` each. */
function fields(...parts: [value: number, size: 2 | 4][]): Uint8Array {
  const out = new DataView(new ArrayBuffer(parts.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of parts) {
    if (size === 2) out.setUint16(at, value, true);
    else out.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(out.buffer);
}

function joined(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** MS-DOS counts in steps of two seconds, from 1980. */
function dosTime(when: Date): [time: number, date: number] {
  return [
    (when.getHours() << 11) | (when.getMinutes() << 5) | (when.getSeconds() >> 1),
    ((when.getFullYear() - 1980) << 9) | ((when.getMonth() + 1) << 5) | when.getDate(),
  ];
}

const utf8Names = 0x0800;
const version = 20;

export function zip(files: ZipFile[], when: Date): Uint8Array {
  const [time, date] = dosTime(when);
  const bodies: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const title = new TextEncoder().encode(name);
    // What the file's own header and the directory's entry have in common.
    const common: [number, 2 | 4][] = [
      [version, 2], [utf8Names, 2], [0, 2], [time, 2], [date, 2],
      [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [title.length, 2], [0, 2],
    ];
    const body = joined([fields([0x04034b50, 4], ...common), title, bytes]);
    bodies.push(body);
    directory.push(fields([0x02014b50, 4], [version, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), title);
    offset += body.length;
  }
  const index = joined(directory);
  const end = fields([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [index.length, 4], [offset, 4], [0, 2]);
  return joined([...bodies, index, end]);
}
