// SPDX-License-Identifier: MIT
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { PlayerInfo } from "../../src/api/types";
import { ask, keepScreen, type Server, startBrowser, startServer, until, visit } from "./support";
import { buttonOf, TacticalBoard } from "./table";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

test("the first lesson is done by clicking; every player has a page", async () => {
  const { page, errors } = await visit(browser, `${server.url}/#/learn`);
  await page.getByText(/^0 of \d+ done$/).waitFor();
  await page.getByRole("link", { name: "Begin the tour" }).click();
  const board = new TacticalBoard(page);
  await page.getByText("Bring the infantry onto the fortress.").waitFor();
  await until("the infantry can be chosen", () => board.click([1, 2]).then(() => board.marked("reach")), (cells) => cells.length > 1);
  await board.click([4, 2]);
  await buttonOf(page, "Stay here").click();
  await page.getByText("Well done!").waitFor();
  await keepScreen(page, "learn-done");
  await page.getByRole("link", { name: "Next lesson" }).click();
  await page.getByText("Bring the infantry onto the fortress, in two turns.").waitFor();
  await page.getByRole("link", { name: "All lessons" }).click();
  await page.getByText(/^1 of \d+ done$/).waitFor();

  await page.getByRole("link", { name: /^uct/ }).first().click();
  const options = page.getByRole("table").getByRole("rowheader");
  const { answer } = await ask<PlayerInfo[]>(server.url, "/api/players");
  const uct = answer.find(({ name }) => name === "uct");
  await until("all its options", () => options.allTextContents(), (names) => names.join() === uct?.options.map(({ name }) => name).join());
  await keepScreen(page, "learn-player");
  await page.getByRole("link", { name: /^Play against it/ }).first().click();
  await until("it is the opponent", () => page.getByRole("combobox", { name: "Opponent" }).inputValue(), (player) => player === "uct");
  expect(errors).toEqual([]);
});
