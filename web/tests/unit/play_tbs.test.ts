// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { Cell, TbsUnit } from "../../src/api/types";
import * as tbs from "../../src/play/tbs_logic";

const unit = (id: number, side: 0 | 1, x: number, y: number, done = false): TbsUnit => ({
  id, type: "infantry", side, x, y, hp: 10, done,
});

// Unit 0 may go to three cells and attack unit 2 from two of them; unit 1 may only stay; unit 3 is a harmless target.
const situation: tbs.Situation = {
  units: [unit(0, 0, 1, 1), unit(1, 0, 1, 3), unit(2, 1, 3, 1), unit(3, 1, 4, 4)],
  actions: {
    game: "tbs",
    units: [
      { id: 0, stays: [[1, 1], [2, 1], [3, 2], [4, 3]], attacks: [[2, 1, 2, 5, 3], [3, 2, 2, 5, 1], [4, 3, 3, 0, 4]] },
      { id: 1, stays: [[1, 3]], attacks: [] },
    ],
  },
};
const chosen: tbs.Pick = { step: "unit", unit: 0 };
const placed = (at: Cell): tbs.Pick => ({ step: "place", unit: 0, at, aim: null });

describe("clicks in the tactical game", () => {
  it("chooses an own unit that can act, and nothing else", () => {
    expect(tbs.click(situation, tbs.NOTHING, [1, 1])).toEqual({ pick: chosen, action: null });
    expect(tbs.click(situation, tbs.NOTHING, [3, 1])).toEqual({ pick: tbs.NOTHING, action: null });
    expect(tbs.click(situation, tbs.NOTHING, [2, 2])).toEqual({ pick: tbs.NOTHING, action: null });
  });

  it("does nothing when it is not our turn", () => {
    expect(tbs.click({ ...situation, actions: null }, chosen, [2, 1])).toEqual({ pick: tbs.NOTHING, action: null });
  });

  it("takes a destination first and sends nothing", () => {
    expect(tbs.click(situation, chosen, [2, 1])).toEqual({ pick: placed([2, 1]), action: null });
  });

  it("stays with a second click on the destination", () => {
    expect(tbs.click(situation, placed([2, 1]), [2, 1])).toEqual({ pick: tbs.NOTHING, action: "0:2,1" });
    expect(tbs.stay(situation, placed([3, 2])).action).toBe("0:3,2");
  });

  it("attacks from the destination", () => {
    expect(tbs.click(situation, placed([2, 1]), [3, 1]).action).toBe("0:2,1x2");
    expect(tbs.attack(situation, placed([3, 2]), 2).action).toBe("0:3,2x2");
    expect(tbs.attack(situation, placed([1, 1]), 2).action).toBeNull();
  });

  it("finds where to attack from when only the target is pointed at, and asks before it does", () => {
    const first = tbs.click(situation, chosen, [3, 1]);
    expect(first).toEqual({ pick: { step: "place", unit: 0, at: [3, 2], aim: 2 }, action: null });
    expect(tbs.click(situation, first.pick, [3, 1]).action).toBe("0:3,2x2");
  });

  it("never sends what the server does not list", () => {
    const listed = new Set(["0:1,1", "0:2,1", "0:3,2", "0:4,3", "1:1,3", "0:2,1x2", "0:3,2x2"]);
    const picks: tbs.Pick[] = [tbs.NOTHING, chosen, { step: "unit", unit: 1 }, placed([1, 1]), placed([2, 1]), placed([4, 3])];
    for (const pick of picks)
      for (let x = 0; x < 6; x++)
        for (let y = 0; y < 6; y++) {
          const { action } = tbs.click(situation, pick, [x, y]);
          if (action !== null) expect(listed).toContain(action);
        }
  });

  it("does not offer attacks without effect", () => {
    expect(tbs.strikesFrom(situation, 0, [4, 3])).toEqual([]);
    expect(tbs.click(situation, placed([4, 3]), [4, 4])).toEqual({ pick: tbs.NOTHING, action: null });
  });

  it("changes the destination or the unit", () => {
    expect(tbs.click(situation, placed([2, 1]), [3, 2]).pick).toEqual(placed([3, 2]));
    expect(tbs.click(situation, placed([2, 1]), [1, 3]).pick).toEqual({ step: "unit", unit: 1 });
    expect(tbs.click(situation, placed([2, 1]), [5, 5]).pick).toEqual(tbs.NOTHING);
  });

  it("goes back step by step", () => {
    expect(tbs.back(placed([2, 1]))).toEqual(chosen);
    expect(tbs.back(chosen)).toEqual(tbs.NOTHING);
  });

  it("drops a choice that is no longer possible", () => {
    const later = { ...situation, actions: { game: "tbs" as const, units: [{ id: 0, stays: [[1, 1]] as Cell[], attacks: [] }] } };
    expect(tbs.stillPossible(later, placed([2, 1]))).toEqual(chosen);
    expect(tbs.stillPossible(later, { step: "unit", unit: 1 })).toEqual(tbs.NOTHING);
    expect(tbs.stillPossible(later, placed([1, 1]))).toEqual(placed([1, 1]));
  });
});

describe("units that can still act", () => {
  it("are gone through in a circle, both ways", () => {
    expect(tbs.nextReady(situation, null)).toBe(0);
    expect(tbs.nextReady(situation, 0)).toBe(1);
    expect(tbs.nextReady(situation, 1)).toBe(0);
    expect(tbs.nextReady(situation, 0, -1)).toBe(1);
    expect(tbs.nextReady({ ...situation, actions: null }, 0)).toBeNull();
  });
});

describe("the picture", () => {
  it("marks where a unit that is pointed at may go and whom it may attack", () => {
    const { marks } = tbs.picture(situation, tbs.NOTHING, [1, 1]);
    expect(marks.filter(({ mark }) => mark === "reach")).toHaveLength(4);
    expect(marks).toContainEqual({ cell: [3, 1], mark: "attack" });
    expect(marks).not.toContainEqual({ cell: [4, 4], mark: "attack" });
  });

  it("shows the unit at its destination with the damage it would do", () => {
    const shown = tbs.picture(situation, placed([2, 1]), null);
    expect(shown.units[0]).toMatchObject({ x: 2, y: 1 });
    expect(shown.notes).toEqual([{ cell: [3, 1], text: "\u22125", tone: "good" }]);
    expect(shown.arrows).toEqual([{ from: [1, 1], to: [2, 1], kind: "move" }]);
  });

  it("shows the fight that is pointed at before a destination is chosen: from where, and what comes back", () => {
    const shown = tbs.picture(situation, chosen, [3, 1]);
    expect(shown.units).toEqual(situation.units);
    expect(shown.arrows).toEqual([
      { from: [1, 1], to: [3, 2], kind: "move" },
      { from: [3, 2], to: [3, 1], kind: "attack" },
    ]);
    expect(shown.notes).toEqual([
      { cell: [3, 1], text: "\u22125", tone: "good" },
      { cell: [3, 2], text: "\u22121", tone: "bad" },
    ]);
    expect(tbs.picture(situation, chosen, [4, 4]).arrows).toEqual([]); // nothing that can be hurt
  });

  it("shows the counter-attack of the fight that is pointed at", () => {
    const { notes, arrows } = tbs.picture(situation, placed([2, 1]), [3, 1]);
    expect(notes).toContainEqual({ cell: [2, 1], text: "\u22123", tone: "bad" });
    expect(arrows).toContainEqual({ from: [2, 1], to: [3, 1], kind: "attack" });
  });
});
