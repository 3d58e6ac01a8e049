// SPDX-License-Identifier: MIT
//
// Terrain of the tactical game. All cells of a kind are one path: a map of 32 x 32 cells is about twenty elements.
// Terrain has muted colours, units strong ones. Details of a terrain reach into the corners of a cell, because the
// token of a unit hides the middle.

import { useMemo } from "preact/hooks";

export const CELL = 40;

export interface Ground {
  width: number; // with the border
  height: number;
  terrain: string[];
}

export interface Stroke {
  name: string; // class
  d: string;
}

const WALL = "0";
const PLAIN = "1";
const SEA = "2";
const WOOD = "3";
const PEAK = "4";
const ROAD = "5";
const FORT = "6";
const around = [
  [1, 0],
  [0, -1],
  [-1, 0],
  [0, 1],
] as const;

/** A fixed number from -1 to 1 for the k-th detail of a cell: woods differ, but each looks the same every time. */
function wobble(x: number, y: number, k: number): number {
  let hash = Math.imul((x * 64 + y) * 64 + k + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca77);
  hash ^= hash >>> 13;
  return (hash >>> 8) / (1 << 23) - 1;
}

const n = (value: number): string => String(Math.round(value * 10) / 10);

function disc(x: number, y: number, r: number): string {
  return `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0z`;
}

function box(x: number, y: number, width: number, height: number): string {
  return `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`;
}

/** Collects path data by class, in the order in which classes are drawn. */
class Brush {
  private readonly paths = new Map<string, string[]>();

  constructor(order: readonly string[]) {
    for (const name of order) this.paths.set(name, []);
  }

  add(name: string, d: string): void {
    this.paths.get(name)?.push(d);
  }

  strokes(): Stroke[] {
    return [...this.paths].filter(([, parts]) => parts.length > 0).map(([name, parts]) => ({ name, d: parts.join("") }));
  }
}

function at(ground: Ground, x: number, y: number): string {
  const inside = x >= 1 && y >= 1 && x < ground.width - 1 && y < ground.height - 1;
  return inside ? (ground.terrain[y]?.[x] ?? WALL) : "";
}

function leadsOn(ground: Ground, x: number, y: number): boolean {
  return at(ground, x, y) === ROAD || at(ground, x, y) === FORT;
}

function seaBeyond(ground: Ground, x: number, y: number, dx: number, dy: number): boolean {
  let [nx, ny] = [x, y];
  while (at(ground, nx, ny) === ROAD) [nx, ny] = [nx + dx, ny + dy];
  return at(ground, nx, ny) === SEA;
}

/** A road with water at both sides. */
export function isBridge(ground: Ground, x: number, y: number): boolean {
  if (at(ground, x, y) !== ROAD) return false;
  const both = (dx: number, dy: number) => seaBeyond(ground, x, y, dx, dy) && seaBeyond(ground, x, y, -dx, -dy);
  return both(1, 0) || both(0, 1);
}

interface Place {
  ground: Ground;
  x: number;
  y: number;
  px: number; // upper left corner
  py: number;
  brush: Brush;
}

function drawPlain({ x, y, px, py, brush }: Place): void {
  const tufts = [
    [8, 10],
    [31, 30],
  ] as const;
  tufts.forEach(([tx, ty], k) => {
    const [cx, cy] = [px + tx + 4 * wobble(x, y, 2 * k), py + ty + 4 * wobble(x, y, 2 * k + 1)];
    brush.add("grass", `M${n(cx - 2)} ${n(cy - 2)}l1.2 2M${n(cx)} ${n(cy - 3)}v3M${n(cx + 2)} ${n(cy - 2)}l-1.2 2`);
  });
}

function drawWood({ x, y, px, py, brush }: Place): void {
  const trees = [
    [8, 8.5, 5.4],
    [31, 8, 5.8],
    [19.5, 18, 5.6],
    [8, 29.5, 5.8],
    [31.5, 30, 5.4],
  ] as const;
  trees.forEach(([tx, ty, size], k) => {
    const [cx, cy] = [px + tx + 1.2 * wobble(x, y, 2 * k), py + ty + 1.2 * wobble(x, y, 2 * k + 1)];
    const r = size + 0.5 * wobble(x, y, 20 + k);
    brush.add("trunk", `M${n(cx)} ${n(cy)}v${n(r + 2.4)}`);
    brush.add("tree", disc(cx, cy, r));
    brush.add("tree-light", disc(cx - 0.28 * r, cy - 0.3 * r, 0.55 * r));
  });
}

function drawPeak(brush: Brush, x: number, top: number, foot: number, half: number): void {
  const snow = (foot - top) * 0.3;
  const slope = half * 0.3;
  brush.add("peak", `M${n(x)} ${n(top)}L${n(x + half)} ${n(foot)}H${n(x - half)}z`);
  brush.add("peak-shade", `M${n(x)} ${n(top)}L${n(x + half)} ${n(foot)}H${n(x + 0.15 * half)}z`);
  const edge = [slope, 0, 0.35 * slope, -2, -0.1 * slope, 1.6, -0.5 * slope, -1.2, -slope, 0];
  const points = Array.from({ length: 5 }, (_, k) => `L${n(x + (edge[2 * k] ?? 0))} ${n(top + snow + (edge[2 * k + 1] ?? 0))}`);
  brush.add("snow", `M${n(x)} ${n(top)}${points.join("")}z`);
}

function drawMountain({ x, y, px, py, brush }: Place): void {
  drawPeak(brush, px + 29.6 + 0.8 * wobble(x, y, 0), py + 8.5 + 1.6 * wobble(x, y, 1), py + 36.5, 9.4);
  drawPeak(brush, px + 13.8 + 0.8 * wobble(x, y, 2), py + 4 + 1.2 * wobble(x, y, 3), py + 36.5, 12.2);
}

function drawShore({ ground, x, y, px, py, brush }: Place): void {
  const edges = [box(px + CELL - 2.5, py, 2.5, CELL), box(px, py, CELL, 2.5), box(px, py, 2.5, CELL), box(px, py + CELL - 2.5, CELL, 2.5)];
  around.forEach(([dx, dy], k) => {
    const beyond = at(ground, x + dx, y + dy);
    if (beyond !== "" && beyond !== SEA && !isBridge(ground, x + dx, y + dy)) brush.add("shore", edges[k] ?? "");
  });
}

function drawWaves({ x, y, px, py, brush }: Place): void {
  for (let k = 0; k < 3; k++) {
    const wy = py + 9.5 + 11.5 * k + 1.2 * wobble(x, y, k);
    const wx = px + 7 + 7 * (k % 2) + 2 * wobble(x, y, 8 + k);
    brush.add("wave", `M${n(wx)} ${n(wy)}q4.2 -4.4 8.4 0t8.4 0`);
  }
}

function drawSea(place: Place): void {
  drawWaves(place);
  drawShore(place);
}

/** A strip from the middle to every neighbour with a road; a road without such neighbours crosses its cell. */
function drawRoad(place: Place): void {
  const { ground, x, y, px, py, brush } = place;
  const bridge = isBridge(ground, x, y);
  if (bridge) drawWaves(place);
  else drawPlain(place);
  const on = around.filter(([dx, dy]) => leadsOn(ground, x + dx, y + dy));
  const ways = on.length > 0 ? on : around.filter(([, dy]) => dy === 0);
  const reach = on.length > 0 ? CELL / 2 + 1 : CELL * 0.28;
  for (const [dx, dy] of ways) {
    const d = `M${px + CELL / 2} ${py + CELL / 2}l${n(reach * dx)} ${n(reach * dy)}`;
    brush.add(bridge ? "bridge-edge" : "road-edge", d);
    brush.add("road", d);
  }
  for (const dx of [-1, 1])
    for (const dy of [-1, 1])
      if (leadsOn(ground, x + dx, y) && leadsOn(ground, x, y + dy) && leadsOn(ground, x + dx, y + dy))
        brush.add("road-corner", box(px + CELL / 2, py + CELL / 2, (CELL / 2) * dx, (CELL / 2) * dy));
}

/** Seen from above: a wall with teeth round the cell, so that it stays visible under a unit. */
function drawFortress({ px, py, brush }: Place): void {
  brush.add("fort-wall", box(px + 4.4, py + 4.4, 31.2, 31.2));
  for (let k = 0; k < 4; k++) {
    const along = 1.4 + 10.53 * k;
    brush.add("fort-tooth", box(px + along, py + 1.4, 5.6, 5.6) + box(px + along, py + 33, 5.6, 5.6));
    brush.add("fort-tooth", box(px + 1.4, py + along, 5.6, 5.6) + box(px + 33, py + along, 5.6, 5.6));
  }
  brush.add("fort-flag", `M${px + 18.6} ${py + 12}v17h2v-8l8.6 -4.4z`);
}

function drawWall({ px, py, brush }: Place): void {
  for (let k = 0; k < 4; k++) {
    const offset = 10 * k;
    brush.add("hatch", `M${px + offset} ${py}L${px} ${py + offset}M${px + CELL} ${py + offset}L${px + offset} ${py + CELL}`);
  }
  brush.add("hatch", `M${px + CELL} ${py}L${px} ${py + CELL}`);
}

const draw: Record<string, (place: Place) => void> = {
  [WALL]: drawWall,
  [PLAIN]: drawPlain,
  [SEA]: drawSea,
  [WOOD]: drawWood,
  [PEAK]: drawMountain,
  [ROAD]: drawRoad,
  [FORT]: drawFortress,
};

const bases = ["no-entry", "plain", "sea", "wood", "mountain", "plain", "fortress"];
const order = [
  ...[...new Set(bases)].map((name) => `base-${name}`),
  ...["hatch", "grass", "wave", "shore", "road-edge", "bridge-edge", "road", "road-corner", "fort-wall", "fort-tooth", "fort-flag"],
  ...["trunk", "tree", "tree-light", "peak", "peak-shade", "snow", "grid"],
];

function drawBase(place: Place): void {
  const { ground, x, y, px, py, brush } = place;
  const kind = isBridge(ground, x, y) ? SEA : at(ground, x, y);
  brush.add(`base-${bases[Number(kind)] ?? "no-entry"}`, box(px, py, CELL, CELL));
}

function drawGrid(ground: Ground, brush: Brush): void {
  const [columns, rows] = [ground.width - 2, ground.height - 2];
  for (let x = 1; x < columns; x++) brush.add("grid", `M${x * CELL} 0v${rows * CELL}`);
  for (let y = 1; y < rows; y++) brush.add("grid", `M0 ${y * CELL}h${columns * CELL}`);
}

/** The upper left playable cell begins at 0, 0. */
export function groundStrokes(ground: Ground, details = true): Stroke[] {
  const brush = new Brush(order);
  for (let y = 1; y < ground.height - 1; y++)
    for (let x = 1; x < ground.width - 1; x++) {
      const place = { ground, x, y, px: (x - 1) * CELL, py: (y - 1) * CELL, brush };
      drawBase(place);
      if (details) draw[at(ground, x, y)]?.(place);
    }
  drawGrid(ground, brush);
  return brush.strokes();
}

/** Thumbnails of large maps have no room for grass. */
export function GroundLayer(props: { ground: Ground; details: boolean }) {
  const { width, height, terrain } = props.ground;
  return useMemo(
    () => (
      <g class="tbs-ground">
        {groundStrokes(props.ground, props.details).map((stroke) => (
          <path key={stroke.name} class={`tbs-${stroke.name}`} d={stroke.d} />
        ))}
        <rect class="tbs-frame" width={(width - 2) * CELL} height={(height - 2) * CELL} />
      </g>
    ),
    [width, height, terrain.join(), props.details],
  );
}
