// SPDX-License-Identifier: MIT
//
// The pages that the program writes into folders: opened as files, and through the server.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Job } from "../../src/api/types";
import { audit } from "./audit";
import { ask, keepScreen, until, useWorkbench } from "./support";

const program = process.env["SENJUTSU"] ?? fileURLToPath(new URL("../../../build/senjutsu", import.meta.url));
const title = 'Cup <b>&</b> </script> "x"';
const bench = useWorkbench();
const folder = mkdtempSync(join(tmpdir(), "senjutsu-report-"));
const run = (...words: string[]) => execFileSync(program, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
const address = (name: string) => pathToFileURL(join(folder, name)).href;

beforeAll(() => {
  run("tournament", "--players", "acteval,random,first", "--maps", "duel", "--games", "2", "--final", "2", "--quiet", "--title", title, "--out", "cup");
  const few = ["--born", "8", "--population", "4", "--generations", "2", "--games", "4", "--peers", "4", "--verify", "4", "--show", "3"];
  run("evolve", "--preset", "designer", "--strong", "acteval", "--weak", "random", "--quiet", "--seed", "7", ...few, "--out", "maps");
  run("repro", "tbs-fig2", "--quick", "--out", "results");
  run("repro", "report", "results");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a file of the folder; nothing but the file itself may be loaded. */
async function open(name: string, options: { language?: "en" | "ja"; dark?: boolean } = {}) {
  const seen = await bench.visit(address(name), options);
  await seen.page.locator("main.report").waitFor();
  expect(seen.errors).toEqual([]);
  expect(seen.requests.filter((one) => !one.startsWith("data:"))).toEqual([address(name)]);
  return seen;
}

test("a tournament's cross-table: standings, cells, highlights; names are text", async () => {
  const seen = await open("cup/cross-table.html");
  const { page } = seen;
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  expect(await page.locator("h1 b").count()).toBe(0);
  const standings = page.getByRole("region", { name: "Standings" });
  expect(await standings.getByRole("row").count()).toBe(4);
  for (const name of ["Place", "Player", "Points", "Elo", "As first"]) await standings.getByRole("columnheader", { name, exact: true }).waitFor();
  expect(await page.getByRole("region", { name: "Cross-table" }).locator("td.tournaments-self").count()).toBe(3);
  await page.getByRole("heading", { name: "Final stage, round 1" }).waitFor();
  await page.getByText(/ beat .* on duel/).first().waitFor();
  await keepScreen(page, "report-cross-table");
  await page.getByRole("button", { name: "日本語" }).click();
  await page.getByRole("heading", { name: "順位表" }).waitFor();
  await seen.close();
});

test("a tournament's results: facts, verification, players and rules, also on paper", async () => {
  const seen = await open("cup/results.html", { language: "ja", dark: true });
  const { page } = seen;
  await page.getByRole("heading", { name: "付録：規定" }).waitFor();
  await page.getByText("senjutsu verify STORE").waitFor();
  await page.getByText("組合せ・マップごとに 2 局").waitFor();
  expect((await audit(page)).english).toEqual([]);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("button").isVisible()).toBe(false);
  await keepScreen(page, "report-results");
  await seen.close();
});

test("a gallery: chart, archive, a card for each map", async () => {
  const seen = await open("maps/index.html");
  const { page } = seen;
  const maps = (JSON.parse(readFileSync(join(folder, "maps/results.json"), "utf8")) as { maps: { id: number }[] }).maps;
  expect(maps.length).toBeGreaterThan(0);
  for (const { id } of maps) await page.locator(`#map-${id}`).getByRole("heading", { name: `Map ${id}` }).waitFor();
  await page.getByRole("region", { name: "Archive" }).first().waitFor();
  expect(await page.locator("article .map-picture svg").count()).toBe(maps.length);
  await page.getByText("Recipe: all parameters").click();
  await page.getByRole("cell", { name: "acteval", exact: true }).waitFor();
  await keepScreen(page, "report-gallery");
  await page.getByRole("button", { name: "日本語" }).click();
  await page.locator("article p").getByText(/世代: 乱数で作成/).first().waitFor();
  expect(await page.title()).toBe("設定 designer によるマップ、シード 7");
  expect((await audit(page)).english).toEqual([]);
  await seen.close();
});

test("experiments: rows, findings, plots", async () => {
  const seen = await open("results/report.html");
  const { page } = seen;
  await page.getByRole("heading", { name: /tbs-fig2/ }).waitFor();
  await page.getByRole("row", { name: /board games lie lower left/ }).first().waitFor();
  await page.getByText("does not hold").first().waitFor();
  expect((await page.locator("figure img").count()) + (await page.getByText(/^No picture of/).count())).toBeGreaterThan(0);
  await keepScreen(page, "report-experiments");
  await page.getByRole("button", { name: "日本語" }).click();
  await page.getByRole("heading", { name: "17のゲームのルールの主成分分析" }).waitFor();
  expect((await audit(page)).english).toEqual([]);
  await seen.close();
});

test("the server hands a report out under a policy with its script's hash", async () => {
  const url = bench.server.url;
  const started = await ask<Job>(url, "/api/jobs", { kind: "match", params: { players: ["acteval", "random"], maps: ["duel"], games: 2 } });
  expect(started.status).toBe(201);
  const path = `/api/jobs/${started.answer.id}`;
  await until("the match", async () => (await ask<Job>(url, path)).answer.state, (state) => state === "done");
  const answer = await fetch(`${url}${path}/files/cross-table.html`);
  expect(answer.headers.get("content-security-policy")).toMatch(/script-src 'sha256-[\w+/]{43}='$/);
  expect(answer.headers.get("content-disposition")).toBeNull();
  const seen = await bench.visit(`${path}/files/cross-table.html`);
  await seen.page.getByRole("region", { name: "Standings" }).first().getByText("acteval").waitFor();
  expect(seen.errors.filter((one) => !one.includes("404"))).toEqual([]); // the browser also asks for /favicon.ico
  await seen.close();
});
