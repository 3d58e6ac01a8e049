// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { isAtEnd, isWaiting, keyEvent, paceMs, playback, type Playback, type PlaybackEvent, startPlayback } from "../../src/watch/playback";

const run = (from: Playback, ...events: PlaybackEvent[]): Playback => events.reduce(playback, from);

describe("playing a game back", () => {
  it("shows one action after another at the pace of its speed", () => {
    const game = startPlayback(5, true, 0, true);
    expect(run(game, { kind: "tick", ms: paceMs - 1 }).shown).toBe(0);
    expect(run(game, { kind: "tick", ms: paceMs }).shown).toBe(1);
    expect(run(game, { kind: "speed", to: 2 }, { kind: "tick", ms: paceMs }).shown).toBe(2);
    expect(run(game, { kind: "speed", to: 0.5 }, { kind: "tick", ms: paceMs }).shown).toBe(0);
  });

  it("keeps the rest of a tick, so that many small ticks are as long as one large one", () => {
    const ticks: PlaybackEvent[] = Array.from({ length: 30 }, () => ({ kind: "tick", ms: paceMs / 10 }));
    expect(run(startPlayback(9, true, 0, true), ...ticks).shown).toBe(3);
  });

  it("stops at the end of a game that is over, and begins again from there", () => {
    const end = run(startPlayback(2, true, 1, true), { kind: "tick", ms: paceMs });
    expect(isAtEnd(end)).toBe(true);
    expect(end.playing).toBe(false);
    expect(run(end, { kind: "toggle" })).toMatchObject({ shown: 0, playing: true });
  });

  it("waits at the end of a game that goes on, and goes on with it", () => {
    const end = run(startPlayback(2, false, 2, true), { kind: "tick", ms: 10 * paceMs });
    expect(isWaiting(end)).toBe(true);
    expect(end.playing).toBe(true);
    const more = run(end, { kind: "arrived", count: 3, over: false }, { kind: "tick", ms: 1 });
    expect(more.shown).toBe(3); // it has waited long enough
    const burst = run(end, { kind: "arrived", count: 6, over: false }, { kind: "tick", ms: 1 });
    expect(burst.shown).toBe(3); // but several are still shown one by one
  });

  it("follows a live game without delay until the user steps back", () => {
    const live = run(startPlayback(3, false), { kind: "speed", to: "live" });
    expect(live).toMatchObject({ shown: 3, playing: true });
    const next = run(live, { kind: "arrived", count: 7, over: false });
    expect(next.shown).toBe(7);
    const back = run(next, { kind: "step", by: -2 }, { kind: "arrived", count: 9, over: false });
    expect(back).toMatchObject({ shown: 5, playing: false });
    expect(run(back, { kind: "play" })).toMatchObject({ shown: 9, playing: true });
  });

  it("stays within the game", () => {
    const game = startPlayback(4, true, 99);
    expect(game.shown).toBe(4);
    expect(run(game, { kind: "step", by: 1 }).shown).toBe(4);
    expect(run(game, { kind: "seek", to: -3 }).shown).toBe(0);
    expect(run(game, { kind: "arrived", count: 2, over: false }).shown).toBe(2); // actions were taken back
  });

  it("goes by turns", () => {
    const turns = [0, 3, 7, 9];
    const game = startPlayback(9, true, 4);
    expect(run(game, { kind: "turn", by: 1, turns }).shown).toBe(7);
    expect(run(game, { kind: "turn", by: -1, turns }).shown).toBe(3);
    expect(run(game, { kind: "turn", by: -1, turns }, { kind: "turn", by: -1, turns }).shown).toBe(0);
    expect(run(game, { kind: "seek", to: 8 }, { kind: "turn", by: 1, turns }).shown).toBe(9);
  });

  it("has a fastest and a slowest speed", () => {
    const game = startPlayback(4, false, 0);
    const fast: PlaybackEvent[] = Array.from({ length: 20 }, () => ({ kind: "faster" }));
    expect(run(game, ...fast).speed).toBe("live");
    expect(run(game, ...fast, { kind: "slower" }).speed).toBe(8);
    const slow: PlaybackEvent[] = Array.from({ length: 20 }, () => ({ kind: "slower" }));
    expect(run(game, ...slow).speed).toBe(0.25);
  });

  it("handles its own keys only", () => {
    expect(keyEvent(" ", false, [])).toEqual({ kind: "toggle" });
    expect(keyEvent("ArrowRight", false, [])).toEqual({ kind: "step", by: 1 });
    expect(keyEvent("ArrowRight", true, [0, 2])).toEqual({ kind: "turn", by: 1, turns: [0, 2] });
    expect(run(startPlayback(4, true), keyEvent("End", false, []) ?? { kind: "pause" }).shown).toBe(4);
    expect(keyEvent("x", false, [])).toBeNull();
  });
});
