// SPDX-License-Identifier: MIT
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { keepScreen, until, useWorkbench, type Visit } from "./support";
import { buttonOf, chooseMap, TacticalBoard } from "./live_game";

const bench = useWorkbench();
let seen: Visit;
let page: Page;

beforeAll(async () => {
  seen = await bench.visit("#/analyse");
  page = seen.page;
});

const candidates = () => page.getByRole("table", { name: "Candidates, best first" }).first();

test("a map's start is looked at by a player, live, until one stops it", async () => {
  await chooseMap(page, "standard");
  await until("the map's start", () => new TacticalBoard(page).units(), (units) => units.length === 12);
  await page.getByRole("combobox", { name: "Budget" }).selectOption("time");
  await page.getByRole("spinbutton", { name: "Milliseconds" }).fill("60000");
  await buttonOf(page, "Evaluate").click();
  await candidates().waitFor();
  const worked = () => page.getByText(/simulations · /).first().textContent();
  const first = await worked();
  await until("thoughts go on", worked, (now) => now !== first);
  await page.getByText("thinking", { exact: true }).waitFor();
  await keepScreen(page, "analyse-thinking");
  await buttonOf(page, "Stop").click();
  await page.getByText("stopped", { exact: true }).waitFor();
  const last = await worked();
  expect(await candidates().getByRole("button").count()).toBeGreaterThan(1);
  expect(await worked()).toBe(last);
});

test("a player with a small budget finishes and shows its turn", async () => {
  await page.getByRole("combobox", { name: "Budget" }).selectOption("sims");
  await page.getByRole("spinbutton", { name: "Simulations" }).fill("300");
  await buttonOf(page, "Evaluate").click();
  await page.getByText("finished", { exact: true }).waitFor();
  await page.getByText(/^Best (turn|move)$/).first().waitFor();
  await page.getByRole("heading", { name: "Earlier results" }).waitFor();
});

test("moves are tried on the board and taken back", async () => {
  const board = new TacticalBoard(page);
  const before = await board.units();
  await board.click([3, 1]);
  const [to] = await until("where it can go", () => board.marked("reach"), (cells) => cells.length > 1);
  if (to === undefined) throw new Error("nowhere to go");
  await board.click(to);
  const stay = buttonOf(page, "Stay here");
  const isTried = async () => (await board.units()).some(({ done }) => done);
  await until("the move is tried, or asked about", async () => (await isTried()) || (await stay.isVisible()), Boolean);
  if (!(await isTried())) await stay.click();
  await until("the move is tried", isTried, Boolean);
  await buttonOf(page, "Clear line").or(buttonOf(page, "Back")).first().click();
  await until("as before", () => board.units(), (units) => JSON.stringify(units) === JSON.stringify(before));
});

test("a small position is solved: a draw", async () => {
  await chooseMap(page, "duel_panzer");
  await until("the map's start", () => new TacticalBoard(page).units(), (units) => units.length === 2);
  await buttonOf(page, "Solve exactly").click();
  await page.getByText(/^A draw with best play/).waitFor();
  await keepScreen(page, "analyse-solved");
  expect(seen.errors).toEqual([]);
});

test("a position that is no position is refused in words", async () => {
  await page.getByRole("tab", { name: "Text" }).click();
  await page.getByRole("textbox", { name: "Position" }).fill("turn 0\nred infantry nowhere");
  await buttonOf(page, "Show position").click();
  expect((await page.getByRole("alert").first().textContent())?.length).toBeGreaterThan(20);
});
