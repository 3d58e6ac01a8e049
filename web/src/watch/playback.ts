// SPDX-License-Identifier: MIT
//
// Playing a game back: which position is shown, and when the next one comes. The server plays as fast as it can and
// sends every step; here they are shown at a speed that people can follow. A pure state machine: the caller passes the
// elapsed time.

export const speeds = [0.25, 0.5, 1, 2, 4, 8, "live"] as const;
export type Speed = (typeof speeds)[number];

export interface Playback {
  shown: number; // the position after this many actions
  count: number; // actions received so far
  over: boolean; // no more will come
  playing: boolean;
  speed: Speed;
  waited: number; // milliseconds since the shown position came up
}

export type PlaybackEvent =
  | { kind: "arrived"; count: number; over: boolean }
  | { kind: "toggle" }
  | { kind: "play" }
  | { kind: "pause" }
  | { kind: "seek"; to: number }
  | { kind: "step"; by: number }
  | { kind: "turn"; by: 1 | -1; turns: number[] } // turns: positions at which one begins, rising
  | { kind: "speed"; to: Speed }
  | { kind: "faster" }
  | { kind: "slower" }
  | { kind: "tick"; ms: number };

/** How long a position stands at speed 1. */
export const paceMs = 900;

export function startPlayback(count: number, over: boolean, at = 0, playing = false): Playback {
  return { shown: clamp(at, 0, count), count, over, playing, speed: 1, waited: 0 };
}

/** At the end of the received steps, and more may come. */
export function isWaiting(p: Playback): boolean {
  return p.shown === p.count && !p.over;
}

export function isAtEnd(p: Playback): boolean {
  return p.shown === p.count && p.over;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

function moved(p: Playback, to: number): Playback {
  return { ...p, shown: clamp(to, 0, p.count), waited: 0 };
}

/** Stepping by hand pauses playback. */
function placed(p: Playback, to: number): Playback {
  return { ...moved(p, to), playing: false };
}

function turnBeside(p: Playback, by: 1 | -1, turns: number[]): number {
  if (by === 1) return turns.find((start) => start > p.shown) ?? p.count;
  return turns.filter((start) => start < p.shown).pop() ?? 0;
}

function withSpeed(p: Playback, speed: Speed): Playback {
  const next = { ...p, speed };
  return speed === "live" ? { ...moved(next, p.count), playing: !p.over } : next;
}

function nextSpeed(p: Playback, by: 1 | -1): Speed {
  const at = clamp(speeds.indexOf(p.speed) + by, 0, speeds.length - 1);
  return speeds[at] ?? p.speed;
}

function playing(p: Playback): Playback {
  if (p.speed === "live") return { ...moved(p, p.count), playing: !p.over };
  return isAtEnd(p) ? { ...moved(p, 0), playing: true } : { ...p, playing: true, waited: 0 };
}

/** Several positions may pass in one tick when the page was suspended or the speed is high. */
function ticked(p: Playback, ms: number): Playback {
  if (!p.playing || p.speed === "live") return p;
  if (isAtEnd(p)) return { ...p, playing: false };
  const each = paceMs / p.speed;
  if (isWaiting(p)) return { ...p, waited: Math.min(each, p.waited + ms) }; // the next one is shown at once
  const waited = p.waited + ms;
  const steps = Math.min(Math.floor(waited / each), p.count - p.shown);
  const next = steps === 0 ? { ...p, waited } : { ...p, shown: p.shown + steps, waited: waited % each };
  return isAtEnd(next) ? { ...next, playing: false, waited: 0 } : next;
}

function arrived(p: Playback, count: number, over: boolean): Playback {
  const follows = p.playing && p.speed === "live";
  const shown = follows ? count : Math.min(p.shown, count);
  const next = { ...p, count, over, shown };
  return { ...next, playing: p.playing && !isAtEnd(next) };
}

export function playback(p: Playback, event: PlaybackEvent): Playback {
  switch (event.kind) {
    case "arrived":
      return arrived(p, event.count, event.over);
    case "toggle":
      return p.playing ? { ...p, playing: false } : playing(p);
    case "play":
      return p.playing ? p : playing(p);
    case "pause":
      return { ...p, playing: false };
    case "seek":
      return placed(p, event.to);
    case "step":
      return placed(p, p.shown + event.by);
    case "turn":
      return placed(p, turnBeside(p, event.by, event.turns));
    case "speed":
      return withSpeed(p, event.to);
    case "faster":
      return withSpeed(p, nextSpeed(p, 1));
    case "slower":
      return withSpeed(p, nextSpeed(p, -1));
    case "tick":
      return ticked(p, event.ms);
  }
}

/** What a key does, or null for other keys. */
export function keyEvent(key: string, shift: boolean, turns: number[]): PlaybackEvent | null {
  switch (key) {
    case " ":
      return { kind: "toggle" };
    case "ArrowLeft":
      return shift ? { kind: "turn", by: -1, turns } : { kind: "step", by: -1 };
    case "ArrowRight":
      return shift ? { kind: "turn", by: 1, turns } : { kind: "step", by: 1 };
    case "PageUp":
      return { kind: "turn", by: -1, turns };
    case "PageDown":
      return { kind: "turn", by: 1, turns };
    case "Home":
      return { kind: "seek", to: 0 };
    case "End":
      return { kind: "seek", to: Number.MAX_SAFE_INTEGER };
    case "+":
    case "=":
      return { kind: "faster" };
    case "-":
      return { kind: "slower" };
    default:
      return null;
  }
}
