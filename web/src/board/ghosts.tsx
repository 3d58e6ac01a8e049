// SPDX-License-Identifier: MIT
//
// Geister's pieces. The shape shows the side (round heads: first player, square heads: second), the sign shows the
// kind: a halo for good, horns for bad, neither for unknown. The colour repeats this.

import type { Colour, GeisterPiece, Side } from "../api/types";
import { memo } from "./memo";

const bodies: Record<Side, string> = {
  0: "M-18 20V-2A18 18 0 0 1 18-2V20L12 14.5L6 20L0 14.5L-6 20L-12 14.5z",
  1: "M-17 20V-15Q-17-19-13-19H13Q17-19 17-15V20L11.4 14.5L5.7 20L0 14.5L-5.7 20L-11.4 14.5z",
};

function Sign(props: { colour: Colour }) {
  if (props.colour === "blue") return <ellipse class="gst-sign" cx="0" cy="-23.5" rx="10" ry="3" />;
  if (props.colour === "red") return <path class="gst-sign" d="M-15-12Q-19-20-15-26Q-11-20-5-18.6zM15-12Q19-20 15-26Q11-20 5-18.6z" />;
  return null;
}

/** Around 0, 0, about 40 across. */
export function Ghost(props: { side: Side; colour: Colour; letter: string }) {
  return (
    <g class={`gst-${props.colour}`}>
      {props.colour === "red" && <Sign colour="red" />}
      <path class="gst-body" d={bodies[props.side]} />
      {props.colour === "blue" && <Sign colour="blue" />}
      <circle class="gst-eye" cx="-6.6" cy="-6" r="4.4" />
      <circle class="gst-eye" cx="6.6" cy="-6" r="4.4" />
      <circle class="gst-pupil" cx="-6.6" cy="-6" r="2" />
      <circle class="gst-pupil" cx="6.6" cy="-6" r="2" />
      <text class="gst-letter" y="11.5">{props.letter}</text>
    </g>
  );
}

/** How likely a hidden piece is bad: a bar of two colours and the number. */
export function BeliefBar(props: { red: number }) {
  const width = 28;
  return (
    <g class="gst-belief" transform="translate(0 23.5)">
      <rect class="gst-plate" x="-25" y="-5.5" width="50" height="11" rx="3" />
      <rect class="gst-belief-track" x="-22" y="-2.5" width={width} height="5" />
      <rect class="gst-belief-red" x="-22" y="-2.5" width={width * props.red} height="5" />
      <text x="15.5" y="3.4">{Math.round(props.red * 100)}</text>
    </g>
  );
}

interface PieceProps {
  x: number; // middle, in the drawing's lengths
  y: number;
  side: Side;
  colour: Colour;
  letter: string;
  belief: number | null;
  mine: boolean;
  dragged: boolean;
}

export const Piece = memo((props: PieceProps) => (
  <g
    class={`gst-piece${props.mine ? " gst-mine" : ""}${props.dragged ? " is-dragged" : ""}`}
    transform={`translate(${props.x} ${props.y})`}
    data-piece={`${props.side}${props.letter}`}
  >
    <Ghost side={props.side} colour={props.colour} letter={props.letter} />
    {props.belief !== null && <BeliefBar red={props.belief} />}
  </g>
));

/** A ghost outside of a board: explanations, lists. */
export function GhostSign(props: { piece: Pick<GeisterPiece, "side" | "colour" | "letter">; label: string }) {
  return (
    <svg class="board-small gst-board unit-sign" viewBox="-24 -30 48 54" role="img" aria-label={props.label}>
      <Ghost {...props.piece} />
    </svg>
  );
}
