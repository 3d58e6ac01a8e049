// SPDX-License-Identifier: MIT
//
// Every help text of the server has its Japanese translation, and no translation is left of names that are gone.

import { afterAll, beforeAll, expect, it } from "vitest";

import type { EvolvePreset, ExperimentInfo, GameInfo, TournamentPreset, MapInfo, Param, PlayerInfo, TbsFacts } from "../../src/api/types";
import { helpOf } from "../../src/app/help";
import { help_ja } from "../../src/app/help_ja";
import { type Server, startServer } from "./support";

let server: Server;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.remove());

async function get<T>(path: string): Promise<T> {
  return (await (await fetch(`${server.url}${path}`)).json()) as T;
}

type Text = [kind: string, name: string, part?: string];

const withOptions = (kind: string, all: { name: string; options: Param[] }[]): Text[] =>
  all.flatMap((one): Text[] => [[kind, one.name], ...one.options.map((option): Text => [kind, one.name, option.name])]);

async function served(): Promise<Text[]> {
  const [games, players, tbs, experiments, events, recipes, maps] = await Promise.all([
    get<GameInfo[]>("/api/games"),
    get<PlayerInfo[]>("/api/players"),
    get<TbsFacts>("/api/tbs"),
    get<ExperimentInfo[]>("/api/experiments"),
    get<TournamentPreset[]>("/api/presets/tournament"),
    get<EvolvePreset[]>("/api/presets/evolve"),
    get<MapInfo[]>("/api/maps"),
  ]);
  return [
    ...withOptions("games", games),
    ...withOptions("players", players),
    ...withOptions("recipes", recipes),
    ...tbs.rules.map((one): Text => ["rules", one.name]),
    ...events.map((one): Text => ["events", one.name]),
    ...experiments.flatMap((one) => ["title", "published", "duration"].map((part): Text => ["experiments", one.name, part])),
    ...maps.filter((one) => one.comment !== "").map((one): Text => ["maps", one.name]),
  ];
}

it("has Japanese for every help text: add what is missing to web/src/app/help_ja", async () => {
  const texts = await served();
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter(([kind, name, part]) => helpOf(help_ja, kind, name, part) === undefined)).toEqual([]);
});

it("has no Japanese of names that are gone: remove it from web/src/app/help_ja", async () => {
  const texts = await served();
  const names = new Set(texts.flatMap(([kind, name, part]) => (part === undefined ? [`${kind}.${name}`] : [`${kind}.${name}.${part}`, `${kind}.*.${part}`])));
  expect(Object.keys(help_ja).filter((name) => !names.has(name))).toEqual([]);
});
