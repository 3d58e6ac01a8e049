// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { TbsActions } from "../../src/api/types";
import { asTurnOf, threatOf } from "../../src/play/threat_logic";

const text = "turn 3 side red limit 29 threshold 10\nunit 0 red infantry 1,1 hp 10 ready\nunit 1 blue panzer 2,2 hp 4 done\nresult none\n";

describe("the position as the enemy's turn", () => {
  it("has the other side to move, with all units ready", () => {
    expect(asTurnOf(text, 1)).toBe(
      "turn 3 side blue limit 29 threshold 10\nunit 0 red infantry 1,1 hp 10 ready\nunit 1 blue panzer 2,2 hp 4 ready\nresult none\n",
    );
  });

  it("is none for other games", () => {
    expect(asTurnOf("board=14u mover=first", 1)).toBeNull();
  });
});

describe("the threat", () => {
  const unit = (id: number, x: number, y: number) => ({ id, type: "panzer", side: 0 as const, x, y, hp: 10, done: false });
  const actions: TbsActions = {
    game: "tbs",
    units: [
      { id: 5, stays: [[1, 1], [1, 2]], attacks: [[1, 2, 0, 3, 0], [1, 1, 0, 5, 0]] },
      { id: 6, stays: [[1, 2]], attacks: [[1, 2, 0, 7, 0], [1, 2, 1, 0, 9]] },
    ],
  };

  it("is the worst that one attack can do, of one unit or of all", () => {
    const units = [unit(0, 3, 3), unit(1, 4, 4)];
    expect(threatOf(actions, units, 5)).toEqual({ reach: [[1, 1], [1, 2]], victims: [{ cell: [3, 3], damage: 5 }] });
    expect(threatOf(actions, units, null).victims).toEqual([{ cell: [3, 3], damage: 7 }]);
    expect(threatOf(actions, units, null).reach).toHaveLength(2);
  });
});
