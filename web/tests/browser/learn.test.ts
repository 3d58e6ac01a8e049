// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";

import type { PlayerInfo } from "../../src/api/types";
import { ask, keepScreen, until, useWorkbench } from "./support";
import { buttonOf, TacticalBoard } from "./live_game";

const bench = useWorkbench();

test("the first lesson is done by clicking; every player has a page", async () => {
  const { page, errors } = await bench.visit("#/learn");
  await page.getByText(/^0 of \d+ done$/).waitFor();
  await page.getByRole("link", { name: "Start tour" }).click();
  const board = new TacticalBoard(page);
  await page.getByText("Move the infantry to the fortress.").waitFor();
  await until("the infantry can be chosen", () => board.click([1, 2]).then(() => board.marked("reach")), (cells) => cells.length > 1);
  await board.click([4, 2]);
  await buttonOf(page, "Stay here").click();
  await page.getByText("Well done!").waitFor();
  await keepScreen(page, "learn-done");
  await page.getByRole("link", { name: "Next lesson" }).click();
  await page.getByText("Move the infantry to the fortress in two turns.").waitFor();
  await page.getByRole("link", { name: "All lessons" }).click();
  await page.getByText(/^1 of \d+ done$/).waitFor();

  await page.getByRole("link", { name: /^uct/ }).first().click();
  const options = page.getByRole("table").getByRole("rowheader");
  const { answer } = await ask<PlayerInfo[]>(bench.server.url, "/api/players");
  const uct = answer.find(({ name }) => name === "uct");
  await until("all its options", () => options.allTextContents(), (names) => names.join() === uct?.options.map(({ name }) => name).join());
  await keepScreen(page, "learn-player");
  await page.getByRole("link", { name: /^Play against it/ }).first().click();
  await until("it is the opponent", () => page.getByRole("combobox", { name: "Opponent" }).inputValue(), (player) => player === "uct");
  expect(errors).toEqual([]);
});

test("a lesson's game goes when its page is left", async () => {
  const { page, close } = await bench.visit("#/learn/tour/move");
  await page.getByText("Move the infantry to the fortress.").waitFor();
  const games = async () => (await ask<unknown[]>(bench.server.url, "/api/tables")).answer.length;
  const before = await games();
  expect(before).toBeGreaterThan(0);
  await page.goto("about:blank");
  await until("it is gone", games, (count) => count === before - 1);
  await close();
});

test("on a phone, the actions of a unit scroll into the window", async () => {
  const height = 844;
  const { page, close } = await bench.visit("#/learn/tour/attack", { width: 390, height, touch: true });
  await page.getByText("Destroy the blue panzer").waitFor();
  const board = new TacticalBoard(page);
  await until("the panzer can be chosen", () => board.tap([1, 1]).then(() => board.marked("reach")), (cells) => cells.length > 1);
  await board.tap([3, 2]);
  for (const button of [buttonOf(page, /^Attack /), buttonOf(page, "Stay here")])
    await until("it is in the window", () => button.boundingBox(), (box) => box !== null && box.y >= 0 && box.y + box.height <= height);
  await close();
});
