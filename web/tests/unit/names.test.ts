// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { Did, GameInfo, State } from "../../src/api/types";
import { didShort, didWords, faultName, gameName, startingPositionName, resultName, resultShort, setGames, sideName, stateWords, terrainName, terrainNames, unitName, winnerOf } from "../../src/app/names";

setGames([
  { name: "fusion", sides: ["player", "nature"] },
  { name: "tictactoe", sides: ["x", "o"] },
  { name: "new", sides: ["north", "south"] },
] as GameInfo[]);

const attack: Did = {
  kind: "tbs",
  unit: 0,
  type: "infantry",
  side: 0,
  from: [2, 2],
  to: [2, 3],
  target: { id: 3, type: "panzer", at: [3, 3], damage: 5, counter: 2, destroyed: false, lost: false },
};

describe("names", () => {
  it("has words for all types and terrains in both languages", () => {
    const types = ["fighter", "attacker", "panzer", "cannon", "antiair", "infantry"];
    expect(types.map((type) => unitName(type, "en"))).toEqual(types);
    expect(new Set(types.map((type) => unitName(type, "ja"))).size).toBe(6);
    expect(new Set(terrainNames.map((name) => terrainName(name, "ja"))).size).toBe(7);
    expect(unitName("dragon", "ja")).toBe("dragon");
  });

  it("names sides by the game", () => {
    expect(sideName("tictactoe", 1, "ja")).toBe("○");
    expect(sideName("new:size=3", 1, "en")).toBe("south");
    expect(winnerOf("o line")).toBe(1);
    expect(winnerOf("south wall")).toBe(1);
    expect(sideName("tbs:rules=paper", 0, "en")).toBe("Red");
    expect(sideName("tbs-wide", 1, "ja")).toBe("青軍");
    expect(sideName("geister", 0, "ja")).toBe("先手");
    expect(sideName("kuhn", 1, "en")).toBe("Second");
    expect(sideName("fusion", 0, "en")).toBe("Player");
    expect(gameName("geister:rules=server", "ja")).toBe("ガイスター");
    expect(startingPositionName({ game: "tbs", map: "duel" }, "en")).toBe("Tactical game on duel");
    expect(startingPositionName({ game: "geister" }, "en")).toBe("Geister");
  });
});

describe("results", () => {
  const known = [
    ...["annihilation", "limit", "resignation", "illegal", "crash", "hang", "late", "garbage", "protocol"].flatMap((how) => [`red ${how}`, `blue ${how}`]),
    ...["escape", "blues", "reds"].flatMap((how) => [`first ${how}`, `second ${how}`]),
    ...["none", "draw limit", "+1 chip", "-1 chip", "+2 chips", "-2 chips"],
  ];

  it.each(known)("has words for %s", (result) => {
    for (const at of ["en", "ja"] as const) {
      expect(resultName(result, at)).not.toBe(result);
      expect(resultName(result, at)).not.toContain("{");
      expect(resultShort(result, at)).not.toBe(result);
    }
  });

  it("names the winner and the loser", () => {
    expect(resultName("blue annihilation", "en")).toBe("Blue wins: all units of Red are destroyed");
    expect(resultName("red late", "ja")).toBe("赤軍の勝ち：青軍の時間切れです");
    expect(winnerOf("second escape")).toBe(1);
    expect(winnerOf("red crash")).toBe(0);
    expect(winnerOf("draw limit")).toBeNull();
    expect(winnerOf("none")).toBeNull();
  });

  it("leaves what it does not know as it is", () => {
    expect(resultName("3 of 4", "ja")).toBe("3 of 4");
    expect(faultName("sleep", "en")).toBe("sleep");
    expect(faultName("crash", "ja")).toBe("異常終了");
  });
});

describe("what an action did", () => {
  it("describes moves, attacks and their losses", () => {
    expect(didWords({ ...attack, target: undefined } as unknown as Did, "en")).toBe("Red infantry moves 2,2 → 2,3");
    expect(didWords(attack, "en")).toBe("Red infantry moves 2,2 → 2,3 and attacks panzer on 3,3: −5 HP, takes 2 in return");
    expect(didWords(attack, "ja")).toBe("赤軍の歩兵が2,2から2,3へ移動し、3,3の戦車を攻撃：−5 HP、反撃で2を失う");
    expect(didShort(attack, "en")).toBe("infantry 2,2→2,3 ×panzer −5");
  });

  it("describes units that stay and units that are destroyed", () => {
    const stays: Did = { kind: "tbs", unit: 1, type: "cannon", side: 1, from: [4, 4], to: [4, 4] };
    expect(didWords(stays, "en")).toBe("Blue cannon stays on 4,4");
    const target = { id: 0, type: "infantry", at: [2, 4] as [number, number], damage: 10, counter: 0, destroyed: true, lost: false };
    expect(didWords({ ...stays, target }, "en")).toBe("Blue cannon on 4,4 attacks infantry on 2,4: −10 HP, destroyed");
    expect(didWords({ ...stays, target: { ...target, destroyed: false, counter: 3, lost: true } }, "en")).toContain("takes 3 in return and is destroyed");
  });

  it("never shows a hidden set-up", () => {
    expect(didWords({ kind: "setup", side: 1, reds: null }, "en")).toBe("Second has placed its ghosts");
    expect(didWords({ kind: "setup", side: 0, reds: "ABCD" }, "ja")).toContain("ABCD");
    expect(didShort({ kind: "setup", side: 1, reds: null }, "en")).toBe("hidden set-up");
  });

  it("describes Geister's captures and escapes", () => {
    const move: Did = { kind: "geister", side: 0, letter: "A", from: [1, 4], to: [1, 3], took: { letter: "D", colour: "red" } };
    expect(didWords(move, "en")).toBe("First: A moves 1,4 → 1,3, takes D (bad ghost)");
    expect(didWords({ kind: "geister", side: 1, letter: "E", from: [0, 5], to: null }, "ja")).toBe("後手：Eが0,5から脱出");
    expect(didShort({ kind: "geister", side: 1, letter: "E", from: [0, 5], to: null }, "en")).toBe("E 0,5→out");
  });

  it("names the side of a game without a board by its state", () => {
    const did: Did = { kind: "plain", side: 1, text: "a1" };
    const state = { game: "plain", name: "tictactoe" } as State;
    expect([didWords(did, "en", state), didWords(did, "ja", state), didWords(did, "en")]).toEqual(["O: a1", "○：a1", "a1"]);
  });

  it("names the side to move", () => {
    const state = { game: "plain", name: "kuhn", mover: 1, turn: 0, text: "", result: "none", payoff: null, over: false } as const;
    expect(stateWords(state, "en")).toBe("Second to move");
    expect(stateWords({ ...state, mover: null, over: true, result: "draw limit" }, "ja")).toBe("引き分け：上限に達しました");
  });
});
