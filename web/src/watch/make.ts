// SPDX-License-Identifier: MIT
//
// Creates files of a game: animated GIF, animated SVG, or single pictures.

import type { LiveGame } from "../api/types";
import { film, type FilmFrame, type Picture, still } from "./film";
import { breathe, pixels, sizeOf, Studio } from "./frames";
import { GifWriter } from "./gif";
import { choosePalette, countColours, type Rgb } from "./palette";
import type { SpectatorView } from "./spectator_view";
import { zip } from "./zip";

export type FileKind = "gif" | "svg" | "zip";

export interface Order {
  liveGame: LiveGame;
  view: SpectatorView;
  title: string;
  width: number;
  moveMs: number;
  onDrawn: (done: number, total: number) => void;
  isCancelled: () => boolean;
}

/** The first and the last position are shown longer. */
const endsTimes = 3;

interface Drawn {
  picture: Picture;
  frames: FilmFrame[];
}

async function draw(order: Order): Promise<Drawn | null> {
  const studio = new Studio(order.liveGame, order.view);
  const total = order.liveGame.steps.length + 1;
  const frames: FilmFrame[] = [];
  let picture: Picture | null = null;
  try {
    for (let ply = 0; ply < total; ply++) {
      if (order.isCancelled()) return null;
      const { viewBox, layers } = studio.picture(ply);
      picture ??= { viewBox, ...sizeOf(viewBox, order.width), title: order.title };
      const stands = ply === 0 || ply === total - 1 ? endsTimes : 1;
      frames.push({ layers, ms: order.moveMs * stands });
      order.onDrawn(ply + 1, total);
      await breathe();
    }
  } finally {
    studio.close();
  }
  return picture === null ? null : { picture, frames };
}

const sampled = 12;

/** The palette comes from some frames only: pieces and terrain do not change. */
async function palette(svgs: string[], picture: Picture, ground: string): Promise<Rgb[]> {
  const counts = new Map<Rgb, number>();
  const stride = Math.max(1, Math.floor(svgs.length / sampled));
  for (const [index, svg] of svgs.entries())
    if (index % stride === 0 || index === svgs.length - 1)
      countColours(await pixels(svg, picture.width, picture.height, ground), counts);
  return choosePalette(counts);
}

async function gif({ picture, frames }: Drawn, order: Order): Promise<Blob | null> {
  const ground = getComputedStyle(document.body).backgroundColor;
  const svgs = frames.map((frame) => still(picture, frame.layers));
  const writer = new GifWriter(picture.width, picture.height, await palette(svgs, picture, ground));
  for (const [index, svg] of svgs.entries()) {
    if (order.isCancelled()) return null;
    writer.addFrame(await pixels(svg, picture.width, picture.height, ground), frames[index]?.ms ?? order.moveMs);
    await breathe();
  }
  return writer.finish();
}

function pictures({ picture, frames }: Drawn): Blob {
  const digits = String(frames.length).length;
  const files = frames.map((frame, ply) => ({
    name: `position-${String(ply).padStart(digits, "0")}.svg`,
    bytes: new TextEncoder().encode(still(picture, frame.layers)),
  }));
  return new Blob([zip(files, new Date()) as BlobPart], { type: "application/zip" });
}

/** null: it was cancelled. */
export async function makeFile(kind: FileKind, order: Order): Promise<Blob | null> {
  const drawn = await draw(order);
  if (drawn === null || order.isCancelled()) return null;
  if (kind === "gif") return gif(drawn, order);
  if (kind === "zip") return pictures(drawn);
  return new Blob([film(drawn.picture, drawn.frames)], { type: "image/svg+xml" });
}

/** Gives a file to the browser to be saved. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
