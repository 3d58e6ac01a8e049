// SPDX-License-Identifier: MIT
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Job } from "../../src/api/types";
import { ask, keepScreen, type Server, startBrowser, startServer, visit } from "./support";
import { buttonOf } from "./table";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server.remove();
});

test("an experiment is run again, published figures beside ours", async () => {
  const { page, errors } = await visit(browser, `${server.url}/#/experiments`);
  await page.getByRole("link", { name: /tbs-fig4/ }).click();
  await page.getByRole("combobox", { name: "How much" }).selectOption("own");
  await page.getByRole("spinbutton", { name: "Trials" }).fill("4");
  await page.getByText(/repro tbs-fig4 --trials 4/).waitFor();
  await buttonOf(page, "Run").click();
  await page.getByText(/^Finished/).waitFor();
  const table = page.getByRole("table");
  const rows = table.getByRole("row").filter({ has: page.getByRole("rowheader") });
  const shown = await rows.evaluateAll((all) => all.map((row) => Array.from(row.children, (cell) => cell.textContent ?? "")));
  const id = /[^/]+$/.exec(page.url())?.[0];
  const { answer } = await ask<Job>(server.url, `/api/jobs/${id}`);
  const told = (answer.result as { rows: { label: string; published: number | null }[] }).rows;
  expect(shown.map(([label]) => label)).toEqual(told.map(({ label }) => label));
  expect(shown.map(([, published]) => /\d/.test(published ?? ""))).toEqual(told.map(({ published }) => published !== null));
  expect(told.some(({ published }) => published !== null)).toBe(true);
  await keepScreen(page, "experiments-run");

  await page.getByRole("link", { name: "All experiments" }).click();
  await page.getByText(/^Last run/).waitFor();
  expect(errors).toEqual([]);
});
