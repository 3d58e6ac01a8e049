// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";

import type { Job, ReproResult } from "../../src/api/types";
import { ask, keepScreen, until, useWorkbench } from "./support";
import { buttonOf } from "./live_game";

const bench = useWorkbench();

test("an experiment is run again, published figures beside ours", async () => {
  const { page, errors } = await bench.visit("#/experiments");
  await page.getByRole("link", { name: /tbs-fig4/ }).click();
  await page.getByRole("combobox", { name: "Size" }).selectOption("own");
  await page.getByRole("spinbutton", { name: "Repetitions" }).fill("4");
  await page.getByText(/repro tbs-fig4 --trials 4/).waitFor();
  await buttonOf(page, "Run").click();
  await page.getByText(/^Finished/).waitFor();
  const figures = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Published" }) });
  const ticks = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Statement" }) });
  const rows = figures.getByRole("row").filter({ has: page.getByRole("rowheader") });
  const id = /[^/]+$/.exec(page.url())?.[0];
  const { answer } = await ask<Job>(bench.server.url, `/api/jobs/${id}`);
  const all = (answer.result as ReproResult).rows;
  const told = all.filter(({ kind, published }) => published !== null || (kind !== "same" && kind !== "not_same")); // the others are ticks
  expect(await ticks.getByRole("rowheader").allTextContents()).toEqual(all.filter((row) => !told.includes(row)).map(({ label }) => label));
  expect(await ticks.getByRole("img", { name: "yes" }).count()).toBe(all.filter((row) => !told.includes(row) && row.ours === 1).length);
  await figures.getByText("4 of ", { exact: false }).first().waitFor(); // of the whole experiment
  await until("all rows", () => rows.count(), (count) => count === told.length);
  const shown = await rows.evaluateAll((all) => all.map((row) => Array.from(row.children, (cell) => cell.textContent ?? "")));
  expect(shown.map(([label]) => label)).toEqual(told.map(({ label }) => label));
  expect(shown.map(([, published]) => /\d/.test(published ?? ""))).toEqual(told.map(({ published }) => published !== null));
  expect(told.some(({ published }) => published !== null)).toBe(true);
  await keepScreen(page, "experiments-run");

  await page.getByRole("link", { name: "All experiments" }).click();
  await page.getByText(/^Last run/).waitFor();
  expect(errors).toEqual([]);
});
