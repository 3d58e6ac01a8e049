// SPDX-License-Identifier: MIT
//
// The lessons of the tour: a tiny map or position each, an opponent, and a goal that is checked on the state. Texts
// are in lessons_text.ts.

import type { Cell, GeisterState, NewLiveGame, LiveGame, TbsFacts, TbsMap, TbsMapUnit, TbsState } from "../api/types";

export type Outcome = "open" | "done" | "failed";

/** The opponent: the page with a simple rule, or an AI player. */
export type Opponent = "waits" | "strikes" | { spec: string };

export interface Lesson {
  id: string;
  game: "tbs" | "geister";
  opponent: Opponent;
  start: Pick<NewLiveGame, "game" | "map_text" | "position">;
  goal: (liveGame: LiveGame) => Outcome;
  marks?: Cell[]; // marked cells
  figures: (facts: TbsFacts) => Record<string, number>; // numbers for the texts, from the server's rules
}

type PlacedUnit = [type: string, side: "red" | "blue", x: number, y: number, hp: number];

/** A map from its playable rows; the border is put around them. */
export function tinyMap(rows: string[], units: PlacedUnit[], turnLimit: number, threshold: number): TbsMap {
  const width = (rows[0]?.length ?? 0) + 2;
  const border = "0".repeat(width);
  return {
    format: "senjutsu-map",
    width,
    height: rows.length + 2,
    turn_limit: turnLimit,
    threshold,
    terrain: [border, ...rows.map((row) => `0${row}0`), border],
    units: units.map(([type, side, x, y, hp]): TbsMapUnit => ({ x, y, type, side, hp })),
  };
}

const onMap = (map: TbsMap): Lesson["start"] => ({ game: "tbs", map_text: JSON.stringify(map) });

// ---- goals ----

const tbs = (liveGame: LiveGame): TbsState | null => (liveGame.state.game === "tbs" ? liveGame.state : null);
const geister = (liveGame: LiveGame): GeisterState | null => (liveGame.state.game === "geister" ? liveGame.state : null);

const unitsOf = (liveGame: LiveGame, side: 0 | 1): number => tbs(liveGame)?.units.filter((unit) => unit.side === side).length ?? 0;

/** Units on their target cells; not reached if the game is over. */
const reach =
  (places: Record<number, Cell>) =>
  (liveGame: LiveGame): Outcome => {
    const there = (id: number, [x, y]: Cell): boolean =>
      tbs(liveGame)?.units.some((unit) => unit.id === id && unit.x === x && unit.y === y) ?? false;
    if (Object.entries(places).every(([id, cell]) => there(Number(id), cell))) return "done";
    return liveGame.over ? "failed" : "open";
  };

/** All enemies destroyed, and no own unit lost. */
function clearWithoutLoss(liveGame: LiveGame): Outcome {
  const start = liveGame.start.game === "tbs" ? liveGame.start.units.filter((unit) => unit.side === 0).length : 0;
  if (unitsOf(liveGame, 0) < start) return "failed";
  if (unitsOf(liveGame, 1) === 0) return "done";
  return liveGame.over ? "failed" : "open";
}

/** The enemy has had its turn, and our unit is still there. */
function survive(liveGame: LiveGame): Outcome {
  if (unitsOf(liveGame, 0) === 0) return "failed";
  return (tbs(liveGame)?.turn ?? 0) >= 2 ? "done" : liveGame.over ? "failed" : "open";
}

/** All enemies destroyed, and the first unit undamaged. */
function clearUnhurt(liveGame: LiveGame): Outcome {
  const hp = (state: LiveGame["state"]): number => (state.game === "tbs" ? (state.units.find(({ id }) => id === 0)?.hp ?? 0) : 0);
  if (hp(liveGame.state) < hp(liveGame.start)) return "failed";
  return clearWithoutLoss(liveGame);
}

const winBy =
  (result: string) =>
  (liveGame: LiveGame): Outcome =>
    !liveGame.over ? "open" : liveGame.result === result ? "done" : "failed";

/** An own ghost has reached this row. */
const ghostAtRow =
  (row: number) =>
  (liveGame: LiveGame): Outcome => {
    const far = geister(liveGame)?.pieces.some((piece) => piece.side === 0 && piece.at !== null && piece.at[1] <= row) ?? false;
    return far ? "done" : liveGame.over ? "failed" : "open";
  };

function tookOne(liveGame: LiveGame): Outcome {
  const took = liveGame.steps.some(({ did }) => did.kind === "geister" && did.side === 0 && did.took !== undefined);
  return took ? "done" : liveGame.over ? "failed" : "open";
}

// ---- figures for the texts ----

const unit = (facts: TbsFacts, name: string) => facts.units.find((one) => one.name === name);
const terrain = (facts: TbsFacts, name: string) => facts.terrains.find((one) => one.name === name);
const power = (facts: TbsFacts, attacker: string, defender: string): number => {
  const at = (name: string): number => facts.units.findIndex((one) => one.name === name);
  return facts.rules[0]?.power[at(attacker)]?.[at(defender)] ?? 0;
};
const none = (): Record<string, number> => ({});

// ---- the lessons ----

export const LESSONS: Lesson[] = [
  {
    id: "move",
    game: "tbs",
    opponent: "waits",
    start: onMap(tinyMap(["1111101", "1116101", "1111101"], [["infantry", "red", 1, 2, 10], ["infantry", "blue", 7, 2, 10]], 12, 3)),
    goal: reach({ 0: [4, 2] }),
    marks: [[4, 2]],
    figures: (facts) => ({ infantry: unit(facts, "infantry")?.move ?? 0 }),
  },
  {
    id: "turn",
    game: "tbs",
    opponent: "waits",
    start: onMap(
      tinyMap(
        ["11111101", "11111601", "11111101"],
        [["infantry", "red", 1, 2, 10], ["panzer", "red", 1, 3, 10], ["infantry", "blue", 8, 2, 10]],
        12,
        3,
      ),
    ),
    goal: reach({ 0: [6, 2] }),
    marks: [[6, 2]],
    figures: (facts) => ({ infantry: unit(facts, "infantry")?.move ?? 0 }),
  },
  {
    id: "terrain",
    game: "tbs",
    opponent: "waits",
    start: onMap(
      tinyMap(
        ["1333601", "1144101", "5555501"],
        [["infantry", "red", 1, 2, 10], ["panzer", "red", 1, 3, 10], ["infantry", "blue", 7, 2, 10]],
        12,
        3,
      ),
    ),
    goal: reach({ 0: [3, 2], 1: [5, 1] }),
    marks: [[3, 2], [5, 1]],
    figures: (facts) => ({
      panzer: unit(facts, "panzer")?.move ?? 0,
      infantry: unit(facts, "infantry")?.move ?? 0,
      wood_vehicle: terrain(facts, "wood")?.cost.vehicle ?? 0,
      wood_foot: terrain(facts, "wood")?.cost.foot ?? 0,
      mountain_foot: terrain(facts, "mountain")?.cost.foot ?? 0,
    }),
  },
  {
    id: "attack",
    game: "tbs",
    opponent: "strikes",
    start: onMap(
      tinyMap(
        ["11111", "11111", "11111"],
        [["panzer", "red", 1, 1, 10], ["panzer", "red", 1, 3, 10], ["panzer", "blue", 4, 2, 10]],
        8,
        3,
      ),
    ),
    goal: clearWithoutLoss,
    figures: none,
  },
  {
    id: "cover",
    game: "tbs",
    opponent: "strikes",
    start: onMap(
      tinyMap(["114111", "555555", "131111"], [["infantry", "red", 2, 2, 7], ["panzer", "blue", 6, 2, 10]], 8, 3),
    ),
    goal: survive,
    figures: (facts) => ({
      road: terrain(facts, "road")?.stars ?? 0,
      plain: terrain(facts, "plain")?.stars ?? 0,
      wood: terrain(facts, "wood")?.stars ?? 0,
      mountain: terrain(facts, "mountain")?.stars ?? 0,
    }),
  },
  {
    id: "cannon",
    game: "tbs",
    opponent: "waits",
    start: onMap(tinyMap(["1111111", "1111111", "1111111"], [["cannon", "red", 1, 2, 10], ["infantry", "blue", 6, 2, 8]], 12, 3)),
    goal: clearUnhurt,
    figures: (facts) => ({ low: facts.range[0], high: facts.range[1] }),
  },
  {
    id: "air",
    game: "tbs",
    opponent: "strikes",
    start: onMap(
      tinyMap(
        ["111122", "111122", "111112"],
        [["panzer", "red", 1, 1, 10], ["antiair", "red", 1, 3, 10], ["attacker", "blue", 5, 1, 7]],
        8,
        3,
      ),
    ),
    goal: clearWithoutLoss,
    figures: (facts) => ({
      panzer: power(facts, "panzer", "attacker"),
      antiair: power(facts, "antiair", "attacker"),
      attacker: power(facts, "attacker", "panzer"),
    }),
  },
  {
    id: "win",
    game: "tbs",
    opponent: { spec: "acteval" },
    start: onMap(
      tinyMap(
        ["111311", "131111", "114411", "111131", "113111"],
        [
          ["panzer", "red", 1, 2, 10],
          ["cannon", "red", 1, 4, 10],
          ["infantry", "red", 2, 3, 10],
          ["panzer", "blue", 6, 4, 7],
          ["infantry", "blue", 5, 3, 6],
        ],
        16,
        3,
      ),
    ),
    goal: winBy("red annihilation"),
    figures: none,
  },
  {
    id: "limit",
    game: "tbs",
    opponent: "strikes",
    start: onMap(
      tinyMap(
        ["1111111", "1161411", "1111111"],
        [["infantry", "red", 2, 2, 9], ["panzer", "red", 1, 3, 3], ["infantry", "blue", 6, 2, 6]],
        4,
        3,
      ),
    ),
    goal: winBy("red limit"),
    figures: none,
  },
  {
    id: "ghost_move",
    game: "geister",
    opponent: { spec: "random" },
    start: { game: "geister", position: "board=14R24R34R44R15B25B35B45B41R31B21R11B40R30B20R10B mover=first ply=0 from=- moves=-" },
    goal: ghostAtRow(2),
    figures: none,
  },
  {
    id: "ghost_take",
    game: "geister",
    opponent: { spec: "random" },
    start: { game: "geister", position: "board=13B24R33R44R15B25B35B45R41R32B21R12B40R30B20R10B mover=first ply=8 from=- moves=-" },
    goal: tookOne,
    figures: none,
  },
  {
    id: "ghost_escape",
    game: "geister",
    opponent: { spec: "random" },
    start: { game: "geister", position: "board=12B42R34R44R15B25B35B45R33R22B24R99b99b99r30R20B mover=first ply=20 from=- moves=-" },
    goal: winBy("first escape"),
    marks: [[0, 0], [5, 0]],
    figures: none,
  },
];

export const findLesson = (id: string): Lesson | null => LESSONS.find((lesson) => lesson.id === id) ?? null;

export const nextLesson = (id: string): Lesson | null => LESSONS[LESSONS.findIndex((lesson) => lesson.id === id) + 1] ?? null;

/** What the page plays for the opponent: it waits, or makes its strongest attack. */
export function answer(lesson: Lesson, liveGame: LiveGame): string | null {
  if (liveGame.mover !== 1 || liveGame.actions?.game !== "tbs" || typeof lesson.opponent === "object") return null;
  if (lesson.opponent === "waits") return "pass";
  let best = { damage: 0, action: "pass" };
  for (const { id, attacks } of liveGame.actions.units)
    for (const [x, y, target, damage] of attacks)
      if (damage > best.damage) best = { damage, action: `${id}:${x},${y}x${target}` };
  return best.action;
}
