// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { PlainState, Step, LiveGame } from "../../src/api/types";
import { endSoundName } from "../../src/play/sound_logic";
import * as logic from "../../src/play/live_game_logic";

const state = (mover: 0 | 1 | null): PlainState => ({
  game: "plain", name: "kuhn", mover, turn: 0, text: "", result: mover === null ? "first wins" : "none",
  payoff: mover === null ? [1, -1] : null, over: mover === null,
});
const step = (ply: number, side: 0 | 1, kind: "plain" | "pass" = "plain"): Step => ({
  ply, side, action: "x", did: kind === "pass" ? { kind, side } : { kind, side, text: "x" }, state: state(side === 0 ? 1 : 0),
  ms: null, chance: null, thoughts: null,
});
const clocks = { limits: "", left_ms: [null, null] as [null, null], running: null };
const may = { undo: false, take_back: false, revealed: false, resign: true, hint: true };
const liveGame: LiveGame = {
  id: "t", ground: { game: "kuhn" }, seats: [{ kind: "human", name: "", spec: "" }, { kind: "player", name: "", spec: "random" }],
  ply: 1, mover: 1, over: false, result: "none", created: "", you: [0], map: null, start: state(0), steps: [step(1, 0)],
  state: state(1), actions: null, clocks, thinking: 1, may, offer: 0, comment: "", sees_all: false, record_forms: [],
};

describe("a live game and its events", () => {
  it("takes a step that follows", () => {
    const next = logic.addStep(liveGame, { step: step(2, 1), actions: null, clocks, thinking: null, may });
    expect(next).toMatchObject({ ply: 2, mover: 0, thinking: null, offer: null });
    expect(next?.steps).toHaveLength(2);
  });

  it("takes none twice, and asks for the whole when one is missing", () => {
    expect(logic.addStep(liveGame, { step: step(1, 0), actions: null, clocks, thinking: null, may })).toBe(liveGame);
    expect(logic.addStep(liveGame, { step: step(3, 1), actions: null, clocks, thinking: null, may })).toBeNull();
  });

  it("writes a chance to its step", () => {
    expect(logic.addChance(liveGame, { ply: 1, chance: 0.6 }).steps[0]?.chance).toBe(0.6);
  });
});

describe("seats and keys", () => {
  it("shows the mover's seat when it is ours", () => {
    expect(logic.seatToShow([0, 1], 1)).toBe(1);
    expect(logic.seatToShow([0], 1)).toBe(0);
    expect(logic.seatToShow([], 1)).toBeNull();
  });

  it("finds a side's key", () => {
    expect(logic.keyOf("a,b", [0, 1], 1)).toBe("b");
    expect(logic.keyOf("b", [1], 1)).toBe("b");
    expect(logic.keyOf("b", [1], 0)).toBeNull();
  });
});

describe("the other side's last turn", () => {
  const steps = [step(1, 0), step(2, 1), step(3, 1)];
  const plies = (ply: number, mover: 0 | 1 | null) => logic.lastTurn({ steps, you: [0] }, ply, mover).map((one) => one.ply);

  it("is all its steps up to the one shown, until we have begun our own", () => {
    expect(plies(3, 0)).toEqual([2, 3]);
    expect(plies(2, 1)).toEqual([2]);
    expect(plies(1, 0)).toEqual([]); // in the middle of our own turn
    expect(plies(1, 1)).toEqual([1]);
    expect(plies(0, 0)).toEqual([]);
  });
});

describe("clocks", () => {
  const running = { limits: "turn=30", left_ms: [30000, 30000] as [number, number], running: 0 as const };

  it("run for one side only and stop at nothing", () => {
    expect(logic.clockLeft(running, 0, 4000)).toBe(26000);
    expect(logic.clockLeft(running, 1, 4000)).toBe(30000);
    expect(logic.clockLeft(running, 0, 40000)).toBe(0);
    expect(logic.clockLeft(clocks, 0, 4000)).toBeNull();
  });

  it("stay at nothing when they ran out, whatever the next turn would have had", () => {
    const stopped = { ...running, running: null };
    expect(logic.clockLeft(stopped, 0, 0, "blue late")).toBe(0);
    expect(logic.clockLeft(stopped, 1, 0, "blue late")).toBe(30000);
    expect(logic.clockLeft(stopped, 1, 0, "first late")).toBe(0);
    expect(logic.clockLeft(stopped, 0, 0, "blue annihilation")).toBe(30000);
    expect(logic.clockLeft(clocks, 0, 0, "blue late")).toBeNull();
  });

  it("warn when there is little left", () => {
    expect(logic.isLow(9_000)).toBe(true);
    expect(logic.isLow(null)).toBe(false);
  });
});

describe("the sound of an end", () => {
  const late = { steps: liveGame.steps, start: liveGame.start, you: [0 as const], result: "second late" };

  it("plays a sound when no step has made one", () => {
    expect(endSoundName(late)).toBe("loss");
    expect(endSoundName({ ...late, steps: [], result: "first late" })).toBe("win");
    expect(endSoundName({ ...late, you: [] })).toBe("win");
  });

  it("plays no sound twice", () => {
    const last: Step = { ...step(2, 1), state: state(null) };
    expect(endSoundName({ ...late, steps: [...liveGame.steps, last] })).toBeNull();
  });
});

describe("the move list", () => {
  it("keeps a set-up to itself where two people share a screen", () => {
    const setup: Step = { ...step(1, 0), action: "ABCD", did: { kind: "setup", side: 0, reds: "ABCD" } };
    expect(JSON.stringify(logic.withoutSecrets(setup))).not.toContain("ABCD");
    expect(logic.withoutSecrets(step(2, 1))).toEqual(step(2, 1));
  });

  it("puts a turn's actions together", () => {
    const rows = logic.byTurn([step(1, 0), step(2, 0), step(3, 1, "pass"), step(4, 1), step(5, 0)]);
    expect(rows.map((row) => [row.side, row.steps.length])).toEqual([[0, 2], [1, 1], [1, 1], [0, 1]]);
  });
});
