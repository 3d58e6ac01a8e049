// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { film, type FilmFrame, still } from "../../src/watch/film";
import { crc32, zip } from "../../src/watch/zip";

const picture = { viewBox: "0 0 4 4", width: 40, height: 40, title: "a < b" };

function frame(units: string[], ms: number): FilmFrame {
  return { ms, layers: [{ open: "<g>", parts: ["<path/>"] }, { open: '<g class="u">', parts: units }] };
}

/** Which parts the film shows at a moment (0 … 1), read from its own animation elements. */
function shownAt(svg: string, at: number): string[] {
  const groups = [...svg.matchAll(/<g(?: display="none")?><animate [^>]*keyTimes="([^"]*)" values="([^"]*)"\/>(.*?)<\/g>/g)];
  return groups
    .filter(([, times, values]) => {
      const index = times!.split(";").map(Number).filter((t) => t <= at).length - 1;
      return values!.split(";")[index] === "inline";
    })
    .map(([, , , part]) => part!);
}

describe("a game as one animated SVG", () => {
  const a = '<circle id="a"/>';
  const b = '<circle id="b"/>';
  const c = '<circle id="c"/>';

  it("shows each frame's parts in their time, and what stays once", () => {
    const svg = film(picture, [frame([a, b], 1000), frame([a, c], 1000), frame([a, b], 2000)]);
    expect(svg.split("<path/>").length).toBe(2);
    expect(svg.split(a).length).toBe(2);
    expect(shownAt(svg, 0.1)).toEqual([b]);
    expect(shownAt(svg, 0.3)).toEqual([c]);
    expect(shownAt(svg, 0.9)).toEqual([b]);
    expect(svg).toContain('dur="4s"');
    expect(svg).toContain("<title>a &lt; b</title>");
  });

  it("keeps the layers in their order", () => {
    const svg = film(picture, [frame([a], 500), frame([b], 500)]);
    expect(svg.indexOf("<path/>")).toBeLessThan(svg.indexOf('<g class="u">'));
  });

  it("writes one frame for itself", () => {
    expect(still(picture, frame([a, b], 1).layers)).toBe(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4" width="40" height="40"><title>a &lt; b</title><g><path/></g><g class="u">${a}${b}</g></svg>`,
    );
  });
});

describe("ZIP", () => {
  it("has the checksum everybody has", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });

  it("gives back its files through its directory", () => {
    const files = [
      { name: "frame-000.svg", bytes: new TextEncoder().encode("<svg/>") },
      { name: "指し手.txt", bytes: new TextEncoder().encode("0:3,4x2\n") },
      { name: "empty", bytes: new Uint8Array() },
    ];
    const bytes = zip(files, new Date(2026, 6, 18, 12, 30, 20));
    const view = new DataView(bytes.buffer);
    const end = bytes.length - 22;
    expect(view.getUint32(end, true)).toBe(0x06054b50);
    let at = view.getUint32(end + 16, true);
    const found = files.map(() => {
      expect(view.getUint32(at, true)).toBe(0x02014b50);
      const [crc, size, names] = [view.getUint32(at + 16, true), view.getUint32(at + 24, true), view.getUint16(at + 28, true)];
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + names));
      const local = view.getUint32(at + 42, true);
      expect(view.getUint32(local, true)).toBe(0x04034b50);
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const body = bytes.slice(start, start + size);
      expect(crc32(body)).toBe(crc);
      at += 46 + names;
      return { name, bytes: body };
    });
    expect(found).toEqual(files);
    expect(at).toBe(end);
  });
});
