// SPDX-License-Identifier: MIT
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import type { GameRow, Job } from "../../src/api/types";
import { ask, keepScreen, until, useWorkbench, type Visit } from "./support";
import { buttonOf } from "./live_game";

const bench = useWorkbench();
let seen: Visit;
let page: Page;

beforeAll(async () => {
  seen = await bench.visit("#/tournaments");
  page = seen.page;
});

/** The n-th entrant of the form. */
async function entrant(n: number, player: string, sims?: number): Promise<void> {
  const entry = page.getByRole("listitem").filter({ has: page.getByRole("combobox", { name: `Player ${n}`, exact: true }) });
  await entry.getByRole("combobox", { name: `Player ${n}`, exact: true }).selectOption(player);
  if (sims === undefined) return;
  await entry.getByText(/^Options/).click();
  await entry.getByRole("spinbutton", { name: "sims", exact: true }).fill(String(sims));
}

/** On "duel" alone: the form begins with two maps. */
async function onDuel(): Promise<void> {
  const standard = page.getByRole("group", { name: "Maps" }).getByRole("button").filter({ has: page.getByText("standard", { exact: true }) });
  await standard.click();
}

async function start(): Promise<Job> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().endsWith("/api/jobs") && one.request().method() === "POST"),
    buttonOf(page, "Start").click(),
  ]);
  expect(response.status()).toBe(201);
  return (await response.json()) as Job;
}

const jobNow = async (id: string): Promise<Job> => (await ask<Job>(bench.server.url, `/api/jobs/${id}`)).answer;
const gamesOf = async (id: string): Promise<GameRow[]> => (await ask<GameRow[]>(bench.server.url, `/api/jobs/${id}/games`)).answer;

test("a small tournament: live boards, standings, cross-table, games", async () => {
  await buttonOf(page, "Start").waitFor();
  await entrant(1, "acteval");
  await entrant(2, "uct", 20000); // slow enough to be observed
  await entrant(3, "random");
  await onDuel();
  await page.getByRole("spinbutton", { name: "Games per pairing and map" }).fill("4");
  await page.getByText("12 games in total.").waitFor();
  await page.getByRole("textbox", { name: "Title" }).fill("Spring cup");
  const job = await start();
  await page.getByRole("heading", { level: 1, name: "Spring cup" }).waitFor();
  await page.getByRole("img", { name: /^Game \d+: .* vs. / }).first().waitFor();
  await keepScreen(page, "tournaments-live");
  await page.getByText(/^Finished · 12 of 12 games/).waitFor();

  const standings = page.getByRole("region", { name: "Standings" }).first();
  await until("all are in the table", () => standings.getByRole("row").count(), (rows) => rows === 4);
  const result = (await jobNow(job.id)).result as { standings: { player: string; games: number }[] };
  for (const { player, games } of result.standings) {
    expect(games).toBe(8);
    expect(await standings.textContent()).toContain(player);
  }
  const cross = page.getByRole("region", { name: "Cross-table" }).first();
  const cells = cross.getByRole("button", { name: /vs. .* in 4 games$/ });
  expect(await cells.count()).toBe(6);
  await cells.first().click();
  const games = page.getByRole("region", { name: "Games" }).first();
  await until("the games of one pairing", () => games.getByRole("row").count(), (rows) => rows === 5);
  await keepScreen(page, "tournaments-done");
  await games.getByRole("link", { name: /^Watch game/ }).first().click();
  await page.getByRole("heading", { level: 1, name: /vs\./ }).waitFor();
  await page.getByRole("application").waitFor();
  await page.getByRole("link", { name: "Back to the tournament" }).click();
  await page.getByRole("heading", { level: 1, name: "Spring cup" }).waitFor();
  expect(seen.errors).toEqual([]);
});

test("a match is stopped, goes on, and outlives the server", async () => {
  await page.goto(`${bench.server.url}/#/tournaments`);
  await page.getByRole("link", { name: "Spring cup" }).waitFor();
  await page.getByRole("combobox", { name: "Type" }).selectOption("match");
  await entrant(1, "uct", 10000); // many games that take their time: it is stopped and broken off after a few of them
  await entrant(2, "acteval");
  await onDuel();
  await page.getByRole("spinbutton", { name: "Games", exact: true }).fill("80");
  const { id } = await start();
  const played = async () => (await jobNow(id)).progress.done;
  await until("some games are played", played, (done) => done >= 2);
  await buttonOf(page, "Stop").click();
  await page.getByText(/^Stopped · \d+ of 80 games/).waitFor();
  const stopped = await jobNow(id);
  expect([stopped.state, stopped.progress.done < 80]).toEqual(["cancelled", true]);

  await buttonOf(page, "Resume").click();
  await until("it goes on", played, (done) => done > stopped.progress.done + 1);
  const kept = (await gamesOf(id)).filter(({ payoff }) => payoff !== null);
  expect(kept.length).toBeGreaterThan(stopped.progress.done);
  expect(kept.length).toBeLessThan(80);
  await bench.server.stop();
  await page.getByText(/connection/).first().waitFor();
  await bench.restart();
  await page.getByText(/^Finished · 80 of 80 games/).waitFor();
  const all = await gamesOf(id);
  expect(all.filter(({ payoff }) => payoff !== null).length).toBe(80);
  for (const row of kept) expect(all[row.number]).toEqual(row);
  await page.getByText(/95 % interval/).first().waitFor();

  await buttonOf(page, "Delete").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { level: 1, name: "Tournaments" }).waitFor();
  expect((await ask(bench.server.url, `/api/jobs/${id}`)).status).toBe(404);
});
