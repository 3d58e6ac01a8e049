// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { PlainState } from "../../src/api/types";
import { actionsBesideBoard } from "../../src/board/plain";

describe("a plain board", () => {
  const state = {
    game: "plain",
    board: [
      [
        ["x", "a1"],
        ["", "b1"],
      ],
    ],
  } as unknown as PlainState;

  it("leaves a button for each action that no cell plays", () => {
    expect(actionsBesideBoard(state, ["b1", "pass"])).toEqual(["pass"]);
    expect(actionsBesideBoard({ ...state, board: undefined } as unknown as PlainState, ["b1"])).toEqual(["b1"]);
  });
});
