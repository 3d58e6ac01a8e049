// SPDX-License-Identifier: MIT
//
// Converts the start form into a new live game.

import type { NewSeat, NewLiveGame, NewLiveGameAnswer, Side } from "../api/types";
import type { SavedGame } from "./saved";

export type Mode = "player" | "screen" | "browsers";
export type SideOption = "0" | "1" | "random";

export interface Settings {
  game: string; // its name
  mode: Mode;
  map: string;
  opponent: string; // a spec
  side: SideOption;
  clock: ClockName;
  custom: { kind: "turn" | "game"; seconds: number; byoyomi: number };
  seed: string; // "" for any
}

export const CLOCKS = { none: "", calm: "turn=120", medium: "turn=30", fast: "turn=10", chess: "game=600,byoyomi=10" } as const;
export type ClockName = keyof typeof CLOCKS | "custom";

export interface Levels {
  gentle: string;
  medium: string;
  strong: string;
}

/** Suggested opponents, from easy to strong; other games have none. The default is the server's suggestion. */
export const LEVELS = {
  tbs: { gentle: "acteval", medium: "uct", strong: "uct:sims=60000" },
  geister: { gentle: "guess", medium: "purple", strong: "geist" },
} as const;

export const levelsOf = (game: string): Levels | undefined => (LEVELS as Record<string, Levels>)[game];

export function clockOf({ clock, custom }: Pick<Settings, "clock" | "custom">): string {
  if (clock !== "custom") return CLOCKS[clock];
  if (custom.kind === "turn") return `turn=${custom.seconds}`;
  return custom.byoyomi > 0 ? `game=${custom.seconds},byoyomi=${custom.byoyomi}` : `game=${custom.seconds}`;
}

export const seedProblem = (seed: string): boolean => seed !== "" && !/^\d{1,20}$/.test(seed);

/** With hidden information a known seed would reveal it: the server chooses the seed. */
export const mayChooseSeed = (game: Settings["game"]): boolean => game === "tbs";

/** The user's side; `random` gives a number from 0 up to 1. */
export function sideOf(settings: SideOption, random: () => number = Math.random): Side {
  if (settings === "random") return random() < 0.5 ? 0 : 1;
  return settings === "0" ? 0 : 1;
}

export function newLiveGame(settings: Settings, mine: Side): NewLiveGame {
  const person: NewSeat = { kind: "human" };
  const other: NewSeat = settings.mode === "player" ? { kind: "player", spec: settings.opponent } : { kind: "human" };
  const clock = clockOf(settings);
  return {
    game: settings.game,
    ...(settings.game === "tbs" ? { map: settings.map } : {}),
    seats: mine === 0 ? [person, other] : [other, person],
    ...(clock === "" ? {} : { clock }),
    ...(settings.seed === "" || !mayChooseSeed(settings.game) ? {} : { seed: settings.seed }),
  };
}

/** The stored entry of the new game. */
export function toSave(settings: Settings, mine: Side, made: NewLiveGameAnswer, now: number): SavedGame {
  const key = (side: Side): string => made.keys[side] ?? "";
  const other: Side = mine === 0 ? 1 : 0;
  return {
    id: made.id,
    keys: settings.mode === "screen" ? `${key(0)},${key(1)}` : key(mine),
    invite: settings.mode === "browsers" ? key(other) : null,
    game: settings.game,
    map: settings.game === "tbs" ? settings.map : "",
    against: settings.mode === "player" ? settings.opponent : "",
    started: now,
    over: false,
  };
}
