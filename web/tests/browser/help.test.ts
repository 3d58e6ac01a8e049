// SPDX-License-Identifier: MIT
//
// Every help text the server tells has its Japanese, and no Japanese is left of one it tells no more.

import { afterAll, beforeAll, expect, it } from "vitest";

import type { EvolvePreset, ExperimentInfo, GameInfo, EventPreset, MapInfo, Param, PlayerInfo, TbsFacts } from "../../src/api/types";
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

const ofOptions = (options: Param[]): string[] => options.map((option) => option.help);

async function served(): Promise<Set<string>> {
  const [games, players, tbs, experiments, events, recipes, maps] = await Promise.all([
    get<GameInfo[]>("/api/games"),
    get<PlayerInfo[]>("/api/players"),
    get<TbsFacts>("/api/tbs"),
    get<ExperimentInfo[]>("/api/experiments"),
    get<EventPreset[]>("/api/presets/tournament"),
    get<EvolvePreset[]>("/api/presets/evolve"),
    get<MapInfo[]>("/api/maps"),
  ]);
  return new Set([
    ...[...games, ...players, ...recipes].flatMap((one) => [one.help, ...ofOptions(one.options)]),
    ...[...tbs.rules, ...events].map((one) => one.help),
    ...experiments.flatMap((one) => [one.title, one.published, one.duration]),
    ...maps.map((one) => one.comment),
  ]);
}

it("has Japanese for every help text", async () => {
  const texts = await served();
  expect(texts.size).toBeGreaterThan(200);
  expect([...texts].filter((text) => !(text in help_ja))).toEqual([]);
});

it("has no Japanese of texts that are gone", async () => {
  const texts = await served();
  expect(Object.keys(help_ja).filter((text) => !texts.has(text))).toEqual([]);
});
