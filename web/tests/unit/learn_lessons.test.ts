// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { GeisterState, Step, LiveGame, TbsActions, TbsState, TbsUnit } from "../../src/api/types";
import { answer, findLesson, LESSONS, nextLesson, tinyMap, type Lesson } from "../../src/learn/lessons";
import type { Both } from "../../src/app/text";
import { words, type LessonWords } from "../../src/learn/lessons_text";

const unit = (id: number, side: 0 | 1, x: number, y: number, hp = 10): TbsUnit => ({ id, type: "panzer", side, x, y, hp, done: false });

const tbs = (units: TbsUnit[], turn = 0, result = "none"): TbsState => ({
  game: "tbs", units, turn, turn_limit: 8, threshold: 3, hp: [0, 0], mover: result === "none" ? 0 : null, text: "", result,
  payoff: null, over: result !== "none",
});

const liveGame = (start: LiveGame["state"], state: LiveGame["state"], steps: Step[] = []): LiveGame => ({
  id: "t", ground: { game: state.game }, seats: [{ kind: "human", name: "", spec: "" }, { kind: "human", name: "", spec: "" }],
  ply: 0, mover: state.mover, over: state.over, result: state.result, created: "", you: [0, 1], map: null, start, steps, state,
  actions: null, clocks: { limits: "", left_ms: [null, null], running: null }, thinking: null,
  may: { undo: false, take_back: false, revealed: false, resign: true, hint: true }, offer: null, comment: "", sees_all: true, record_forms: [],
});

const textOf = (id: string, part: string): Both => words[`${id}_${part}` as LessonWords];
const lesson = (id: string): Lesson => findLesson(id) as Lesson;

describe("the lessons", () => {
  it("have everything to say in both languages", () => {
    for (const { id } of LESSONS)
      for (const part of ["title", "text", "goal", "hint"])
        expect(textOf(id, part).every((text) => text !== ""), `${id} ${part}`).toBe(true);
  });

  it("follow each other to the last", () => {
    expect(nextLesson("move")?.id).toBe("turn");
    expect(nextLesson(LESSONS[LESSONS.length - 1]?.id ?? "")).toBeNull();
    expect(new Set(LESSONS.map(({ id }) => id)).size).toBe(LESSONS.length);
  });

  it("fill in every number their texts ask for", () => {
    const facts = { units: [], terrains: [], rules: [], range: [2, 3] as [number, number], hp_usual: 10, hp_max: 99, cells_max: 32, side_units_max: 64 };
    for (const { id, figures } of LESSONS) {
      const known = Object.keys(figures(facts));
      for (const part of ["text", "goal", "hint"])
        for (const [, name] of textOf(id, part).join().matchAll(/\{(\w+)\}/g)) expect(known).toContain(name);
    }
  });
});

describe("tiny maps", () => {
  it("get a border", () => {
    const map = tinyMap(["12", "34"], [["panzer", "red", 1, 1, 5]], 4, 2);
    expect(map.terrain).toEqual(["0000", "0120", "0340", "0000"]);
    expect([map.width, map.height]).toEqual([4, 4]);
  });
});

describe("goals", () => {
  it("to get somewhere", () => {
    const start = tbs([unit(0, 0, 1, 2), unit(1, 1, 7, 2)]);
    expect(lesson("move").goal(liveGame(start, start))).toBe("open");
    expect(lesson("move").goal(liveGame(start, tbs([unit(0, 0, 4, 2), unit(1, 1, 7, 2)])))).toBe("done");
    expect(lesson("move").goal(liveGame(start, tbs([unit(0, 0, 1, 2), unit(1, 1, 7, 2)], 8, "draw limit")))).toBe("failed");
  });

  it("to destroy without a loss", () => {
    const start = tbs([unit(0, 0, 1, 1), unit(1, 0, 1, 3), unit(2, 1, 4, 2)]);
    const { goal } = lesson("attack");
    expect(goal(liveGame(start, tbs([unit(0, 0, 1, 1), unit(1, 0, 1, 3)], 1, "red annihilation")))).toBe("done");
    expect(goal(liveGame(start, tbs([unit(0, 0, 1, 1), unit(2, 1, 4, 2)])))).toBe("failed");
  });

  it("to stay unhurt", () => {
    const start = tbs([unit(0, 0, 1, 1), unit(1, 1, 6, 2)]);
    expect(lesson("cannon").goal(liveGame(start, tbs([unit(0, 0, 1, 1, 9), unit(1, 1, 6, 2)])))).toBe("failed");
    expect(lesson("cannon").goal(liveGame(start, tbs([unit(0, 0, 1, 1)])))).toBe("done");
  });

  it("to survive the enemy's turn", () => {
    const start = tbs([unit(0, 0, 2, 2), unit(1, 1, 6, 2)]);
    expect(lesson("cover").goal(liveGame(start, tbs([unit(0, 0, 3, 1), unit(1, 1, 6, 2)], 1)))).toBe("open");
    expect(lesson("cover").goal(liveGame(start, tbs([unit(0, 0, 3, 1, 1), unit(1, 1, 4, 1)], 2)))).toBe("done");
    expect(lesson("cover").goal(liveGame(start, tbs([unit(1, 1, 6, 2)], 2, "blue annihilation")))).toBe("failed");
  });

  it("to win in a certain way", () => {
    const state = tbs([unit(0, 0, 1, 1)], 4, "red limit");
    expect(lesson("limit").goal(liveGame(state, state))).toBe("done");
    expect(lesson("win").goal(liveGame(state, state))).toBe("failed");
  });

  it("to take a ghost", () => {
    const state: GeisterState = {
      game: "geister", phase: "play", mover: 1, turn: 1, ply: 1, plies_max: 300, pieces: [], exits: { forward: true, sideways: true },
      text: "", result: "none", payoff: null, over: false,
    };
    const step = (took: boolean): Step => ({
      ply: 1, side: 0, action: "AN", state, ms: null, chance: null, thoughts: null,
      did: { kind: "geister", side: 0, letter: "A", from: [1, 3], to: [1, 2], ...(took ? { took: { letter: "B", colour: "red" as const } } : {}) },
    });
    expect(lesson("ghost_take").goal(liveGame(state, state, [step(false)]))).toBe("open");
    expect(lesson("ghost_take").goal(liveGame(state, state, [step(true)]))).toBe("done");
  });
});

describe("the practice opponent", () => {
  const state = { ...tbs([unit(0, 0, 1, 1), unit(1, 1, 3, 1)]), mover: 1 as const };
  const actions: TbsActions = { game: "tbs", units: [{ id: 1, stays: [[3, 1]], attacks: [[2, 1, 0, 4, 1], [1, 2, 0, 5, 1]] }] };
  const turn = { ...liveGame(state, state), actions };

  it("waits, or strikes as hard as it can", () => {
    expect(answer(lesson("move"), turn)).toBe("pass");
    expect(answer(lesson("attack"), turn)).toBe("1:1,2x0");
    expect(answer(lesson("attack"), { ...turn, actions: { ...actions, units: [] } })).toBe("pass");
  });

  it("leaves the learner's turn and real players alone", () => {
    expect(answer(lesson("attack"), { ...turn, mover: 0 })).toBeNull();
    expect(answer(lesson("win"), turn)).toBeNull();
  });
});
