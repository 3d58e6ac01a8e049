// SPDX-License-Identifier: MIT
//
// Units as tokens: a pictogram of the type on the side's shape (red: a disc, blue: a square), the HP beside it. Units
// that have acted are pale and have a tick.

import type { Side, TbsUnit } from "../api/types";
import { memo } from "./memo";
import { CELL } from "./terrain";

interface Glyph {
  fill?: string; // path data around 0, 0, about 20 across
  line?: string;
  thick?: string; // a thicker line
}

/** Aircraft are seen from above, the others from the side. */
const glyphs: Record<string, Glyph> = {
  fighter: {
    fill: "M0-11L1.9-5V-1.6L9.6 4.4V7L1.9 4.6V6.6L4.3 9V10.6L0 9.5L-4.3 10.6V9L-1.9 6.6V4.6L-9.6 7V4.4L-1.9-1.6V-5z",
  },
  attacker: {
    fill: "M0-10.4C1.5-10.4 2.1-8.4 2.1-6V-3.8L10.6-2.6V.4L2.1 1.2L1.6 6L5 7.4V9.4H-5V7.4L-1.6 6L-2.1 1.2L-10.6.4V-2.6L-2.1-3.8V-6C-2.1-8.4-1.5-10.4 0-10.4z",
    line: "M6.2-5V3.6M-6.2-5V3.6",
  },
  panzer: {
    fill: "M-7.6 2.6H7.6A3.1 3.1 0 0 1 7.6 8.8H-7.6A3.1 3.1 0 0 1-7.6 2.6zM-5.6 4.6A1.1 1.1 0 1 0-5.6 6.8A1.1 1.1 0 1 0-5.6 4.6zM0 4.6A1.1 1.1 0 1 0 0 6.8A1.1 1.1 0 1 0 0 4.6zM5.6 4.6A1.1 1.1 0 1 0 5.6 6.8A1.1 1.1 0 1 0 5.6 4.6zM-8.6 1.4V-.6H-5.4V-2.6Q-5.4-6.4-1.8-6.4H1.6Q3.4-6.4 4-4.6H11.4V-2.4H4.4V-.6H8.6V1.4z",
  },
  cannon: {
    fill: "M-1 3.2A1.5 1.5 0 1 0-1 6.2A1.5 1.5 0 1 0-1 3.2z",
    line: "M-1 .3A4.4 4.4 0 1 0-1 9.1A4.4 4.4 0 1 0-1 .3zM-4.4 6L-10.6 9",
    thick: "M-6.4 2.4L9.2-8.4",
  },
  antiair: {
    fill: "M-7.2 4.2H7.2A2.5 2.5 0 0 1 7.2 9.2H-7.2A2.5 2.5 0 0 1-7.2 4.2zM-6.4 3V1.6A4.6 4.6 0 0 1-1.8-3H.8A4.6 4.6 0 0 1 5.4 1.6V3z",
    line: "M-2.4-3L1.8-11M1.8-3L6-11",
  },
  infantry: {
    fill: "M-5.4-5.4A5.4 5 0 0 1 5.4-5.4H6.6V-3.8H-6.6V-5.4zM-3.7-2.8H3.7A3.7 4 0 0 1-3.7-2.8zM-8 9.6V7.4A6 5.2 0 0 1-2 2.4H2A6 5.2 0 0 1 8 7.4V9.6z",
  },
};

export function UnitGlyph(props: { type: string }) {
  const glyph = glyphs[props.type];
  if (glyph === undefined)
    return <text class="tbs-letter" y="5">{props.type.slice(0, 1).toUpperCase()}</text>;
  return (
    <g class="tbs-glyph">
      {glyph.fill !== undefined && <path d={glyph.fill} fill-rule="evenodd" />}
      {glyph.line !== undefined && <path class="tbs-line" d={glyph.line} />}
      {glyph.thick !== undefined && <path class="tbs-thick" d={glyph.thick} />}
    </g>
  );
}

export function TokenShape(props: { side: Side }) {
  return props.side === 0 ? (
    <circle class="tbs-token" r="16.6" />
  ) : (
    <rect class="tbs-token" x="-15.6" y="-15.6" width="31.2" height="31.2" rx="3.6" />
  );
}

/** A type's token outside of a board: palettes, tables, explanations. */
export function UnitSign(props: { type: string; side: Side; label?: string }) {
  const description = props.label === undefined ? { "aria-hidden": true as const } : { role: "img" as const, "aria-label": props.label };
  return (
    <svg class="unit-sign" viewBox="-18 -18 36 36" {...description}>
      <g class={`tbs-unit side-${props.side}`}>
        <TokenShape side={props.side} />
        <UnitGlyph type={props.type} />
      </g>
    </svg>
  );
}

function Hp(props: { hp: number }) {
  const wide = props.hp > 9;
  return (
    <g class="tbs-hp" transform={`translate(${wide ? 10.4 : 12} 12.6)`}>
      <rect x={wide ? -7.8 : -5.4} y="-5.9" width={wide ? 15.6 : 10.8} height="11.8" rx="2.8" />
      <text y="3.9">{props.hp}</text>
    </g>
  );
}

interface UnitProps {
  id: number;
  type: string;
  side: Side;
  x: number;
  y: number;
  hp: number;
  done: boolean;
  plain: boolean; // no HP: a thumbnail
}

const Unit = memo((unit: UnitProps) => (
  <g
    class={`tbs-unit side-${unit.side}${unit.done ? " is-done" : ""}`}
    transform={`translate(${(unit.x - 0.5) * CELL} ${(unit.y - 0.5) * CELL})`}
    data-unit={unit.id}
    data-x={unit.x}
    data-y={unit.y}
  >
    <TokenShape side={unit.side} />
    <g transform={unit.plain ? undefined : "translate(-1 -1.6)"}>
      <UnitGlyph type={unit.type} />
    </g>
    {!unit.plain && <Hp hp={unit.hp} />}
    {unit.done && !unit.plain && (
      <g class="tbs-tick" transform="translate(-12 -12)">
        <circle r="5.6" />
        <path d="M-2.6 .2L-.7 2.2L2.8-2" />
      </g>
    )}
  </g>
));

export function UnitLayer(props: { units: TbsUnit[]; plain: boolean }) {
  return (
    <g class="tbs-units">
      {props.units.map((unit) => (
        <Unit
          key={unit.id}
          id={unit.id}
          type={unit.type}
          side={unit.side}
          x={unit.x}
          y={unit.y}
          hp={unit.hp}
          done={unit.done}
          plain={props.plain}
        />
      ))}
    </g>
  );
}
