// SPDX-License-Identifier: MIT
import { expect, test } from "vitest";

import { keepScreen, startBrowser, startServer, visit } from "./support";
import { buttonOf } from "./table";

test("an experiment is run again, published figures beside ours", async () => {
  const [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const { page, errors } = await visit(browser, `${server.url}/#/experiments`);
  await page.getByRole("link", { name: /^tbs-fig4/ }).click();
  await page.getByRole("combobox", { name: "How much" }).selectOption("own");
  await page.getByRole("spinbutton", { name: "Trials" }).fill("4");
  await page.getByText(/repro tbs-fig4 --trials 4/).waitFor();
  await buttonOf(page, "Run").click();
  await page.getByText(/^Finished/).waitFor();
  const table = page.getByRole("table");
  const rows = table.getByRole("row").filter({ has: page.getByRole("rowheader") });
  expect(await rows.count()).toBeGreaterThan(1);
  const published = await rows.first().getByRole("cell").first().textContent();
  expect(published).toMatch(/\d/);
  await keepScreen(page, "experiments-run");

  await page.getByRole("link", { name: "All experiments" }).click();
  await page.getByText(/^Last run/).waitFor();
  expect(errors).toEqual([]);
  await browser.close();
  await server.remove();
});
