// SPDX-License-Identifier: MIT
//
// The positions of a game as pictures. Each is drawn by the page's own board, off screen, and made self-contained.

import { render } from "preact";

import type { LiveGame } from "../api/types";
import { PositionBoard } from "../thoughts/position";
import { flatten, type FlatPicture } from "./flatten";
import { stateAt, stepsAround } from "./follow";
import { seenDid, seenState, type SpectatorView, unseenSide } from "./spectator_view";

/** Yields to the browser, so that the page responds while a long game is drawn. */
export const breathe = (): Promise<void> => new Promise((resume) => setTimeout(resume, 0));

/** The board is drawn larger than most pictures, so that its details are those of the page. */
const drawnWidth = 720;

export class Studio {
  private readonly room: HTMLDivElement;

  constructor(
    private readonly liveGame: LiveGame,
    private readonly view: SpectatorView,
  ) {
    this.room = document.createElement("div");
    this.room.className = "watch-studio";
    this.room.style.width = `${drawnWidth}px`;
    this.room.setAttribute("aria-hidden", "true");
    document.body.append(this.room);
  }

  picture(ply: number): FlatPicture {
    const { liveGame, view } = this;
    const { last } = stepsAround(liveGame, ply);
    render(
      <PositionBoard
        state={seenState(stateAt(liveGame, ply), view)}
        map={liveGame.map}
        last={last === null ? null : seenDid(last.did, view)}
        from={unseenSide(view) === 0 ? 1 : 0}
        label=""
      />,
      this.room,
    );
    const svg = this.room.querySelector("svg");
    if (svg === null) throw new Error("there is no board to draw");
    return flatten(svg);
  }

  close(): void {
    render(null, this.room);
    this.room.remove();
  }
}

/** Width and height in pixels for a picture of that width. */
export function sizeOf(viewBox: string, width: number): { width: number; height: number } {
  const [, , w = 1, h = 1] = viewBox.split(/[\s,]+/).map(Number);
  return { width, height: Math.max(1, Math.round((width * h) / w)) };
}

/** An SVG as pixels, on the page's background. */
export async function pixels(svg: string, width: number, height: number, ground: string): Promise<Uint8ClampedArray> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    if (pen === null) throw new Error("this browser cannot draw on a canvas");
    pen.fillStyle = ground;
    pen.fillRect(0, 0, width, height);
    pen.drawImage(image, 0, 0, width, height);
    return pen.getImageData(0, 0, width, height).data;
  } finally {
    URL.revokeObjectURL(address);
  }
}
