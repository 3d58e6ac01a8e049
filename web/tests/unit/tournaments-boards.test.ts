// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { LiveBoard } from "../../src/api/types";
import { withBoard } from "../../src/tournaments/boards";

const look = (game: number, over = false, ply = 0): LiveBoard => ({
  game,
  players: ["a", "b"],
  map: "duel",
  board: null,
  ply,
  state: { game: "plain", name: "kuhn", mover: 0, over, result: "none", ply, text: "" } as unknown as LiveBoard["state"],
  over,
});
const games = (boards: LiveBoard[]) => boards.map(({ game }) => game);
const after = (...looks: LiveBoard[]) => looks.reduce(withBoard, [] as LiveBoard[]);

describe("the boards of an event", () => {
  it("have a place each, which the next game takes", () => {
    expect(games(after(look(0), look(1)))).toEqual([0, 1]);
    expect(after(look(0), look(1), look(0, false, 7))[0]?.ply).toBe(7);
    expect(games(after(look(0), look(1), look(0, true), look(2)))).toEqual([2, 1]);
  });

  it("are as many as games at a time, also for who comes late", () => {
    expect(games(after(look(4), look(5), look(3, true)))).toEqual([4, 5]); // an event of a finished game, after the others
    expect(games(after(look(3, true), look(4), look(5)))).toEqual([4, 5]);
    expect(games(after(look(3, true)))).toEqual([3]); // better than nothing
  });
});
