// SPDX-License-Identifier: MIT
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import type { EvolveResult, Job, MapDetails } from "../../src/api/types";
import { ask, keepScreen, savedFile, until, useWorkbench, type Visit } from "./support";
import { begun, buttonOf, type Place, TacticalBoard } from "./live_game";

const bench = useWorkbench();
let seen: Visit;
let page: Page;
let board: TacticalBoard;

beforeAll(async () => {
  seen = await bench.visit("#/maps");
  page = seen.page;
  board = new TacticalBoard(page);
});

const saveButton = () => buttonOf(page, "Save");
const unitCells = async () => (await board.units()).map(({ side, at }) => [side, ...at].join()).sort();

async function place(type: string, cells: Place[]): Promise<void> {
  await buttonOf(page, new RegExp(`^${type}\\.`)).click();
  for (const cell of cells) await board.click(cell);
}

test("the maps can be searched", async () => {
  await page.getByRole("link", { name: /standard/ }).first().waitFor();
  const all = Number((await page.getByText(/^\d+ of \d+ maps$/).textContent())?.split(" ")[2]);
  await page.getByRole("searchbox", { name: "Search" }).fill("duel_");
  await page.getByText(`2 of ${all} maps`).waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("");
});

test("a map is drawn: terrain by dragging with the symmetry brush, then units", async () => {
  await page.getByRole("link", { name: "Draw a map" }).click();
  await board.board.waitFor();
  await buttonOf(page, /^mountain\./).click();
  await buttonOf(page, "180° rotation").click();
  await board.drag([[2, 3], [4, 3]]);
  await buttonOf(page, /^infantry\./).click();
  await buttonOf(page, "none").click();
  await board.click([1, 1]);
  await until("one unit of one side", unitCells, (cells) => cells.join(" ") === "0,1,1");
  await place("panzer", [[2, 1]]);
  await buttonOf(page, "Blue").click();
  await place("panzer", [[7, 8]]);
  await until("three units", unitCells, (cells) => cells.length === 3);
  await keepScreen(page, "maps-drawing");
});

test("undo and redo, by button and by keys", async () => {
  await buttonOf(page, /^Undo/).click();
  await until("undone", unitCells, (cells) => cells.length === 2);
  await page.keyboard.press("Control+z");
  await until("undone by its key", unitCells, (cells) => cells.length === 1);
  await buttonOf(page, /^Redo/).click();
  await page.keyboard.press("Control+y");
  await until("done again", unitCells, (cells) => cells.length === 3);
});

test("problems are shown, and their cells marked", async () => {
  await buttonOf(page, /^mountain\./).click();
  await board.click([7, 8]); // a panzer cannot enter it
  await page.getByText(/panzer.*cannot enter/).first().waitFor();
  await until("the cell is marked", () => board.marked("problem"), (cells) => cells.some(([x, y]) => x === 7 && y === 8));
  await keepScreen(page, "maps-problem");
  await buttonOf(page, /^Undo/).click();
  await until("the mark is gone", () => board.marked("problem"), (cells) => cells.length === 0);
});

/** A drawing as text: two units on one cell. */
const wrong = JSON.stringify({
  format: "senjutsu-map", width: 5, height: 5, turn_limit: 10, threshold: 3,
  terrain: ["00000", "01110", "01110", "01110", "00000"],
  units: [{ x: 1, y: 1, type: "infantry", side: "red", hp: 10 }, { x: 1, y: 1, type: "infantry", side: "blue", hp: 10 }],
});

async function takeText(text: string): Promise<void> {
  await buttonOf(page, "As text …").click();
  await page.getByRole("textbox", { name: "Map as text" }).fill(text);
  await buttonOf(page, "Use text").click();
}

test("a map that cannot be played is neither saved nor judged", async () => {
  await takeText("SIZEX[6];SIZEY[6];\nMAP[0,0];");
  await page.getByRole("alert").filter({ hasText: "Not a valid map" }).waitFor();
  await buttonOf(page, "Close").click();
  await takeText(wrong);
  await page.getByText("Error", { exact: true }).first().waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("first-try");
  await page.getByText(/^Only valid maps can be saved/).waitFor();
  expect([await saveButton().isDisabled(), await buttonOf(page, "Test fairness").isDisabled()]).toEqual([true, true]);
  await buttonOf(page, /^Undo/).click();
  await page.getByText("Error", { exact: true }).waitFor({ state: "detached" });
  await until("the drawing is back", unitCells, (cells) => cells.length === 3);
});

test("it is saved, and the file is what the server has", async () => {
  await place("infantry", [[8, 8]]);
  await until("two against two", unitCells, (cells) => cells.length === 4);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("bad name");
  expect(await saveButton().isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("first-try");
  await saveButton().click();
  await page.getByText("Saved as mine/first-try").waitFor();
  const { answer } = await ask<MapDetails>(bench.server.url, "/api/maps/mine/first-try");
  // The brush paints both halves: three mountains each.
  expect(answer.map.terrain.slice(1, -1)).toEqual(["0111111110", "0111111110", "0144411110", "0111111110", "0111111110", "0111144410", "0111111110", "0111111110"]);
  expect(answer.units).toEqual([2, 2]);
  const saved = await savedFile(page, () => buttonOf(page, "Download .tbsmap").click());
  const file = await (await fetch(`${bench.server.url}/api/maps/mine/first-try/file`)).text();
  expect(saved.bytes.toString()).toBe(file);
  expect(file).toBe(answer.text);
  expect(saved.name).toBe("first-try.tbsmap");
});

test("it is found in the list and opened again", async () => {
  const drawn = await unitCells();
  await page.getByRole("link", { name: "All maps" }).click();
  await page.getByRole("combobox", { name: "Source" }).selectOption("mine");
  await page.getByRole("link", { name: /first-try/ }).click();
  await page.getByRole("heading", { level: 1, name: "mine/first-try" }).waitFor();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await board.board.waitFor();
  await until("the same units", unitCells, (cells) => cells.join(" ") === drawn.join(" "));
});

/** Fairness tests that end only when they are stopped, on a machine of any speed. */
async function judgeForEver(): Promise<() => Promise<void>> {
  const endless = { strong: "muct:sims=1000", tight: 0.005, games: 100000 };
  await page.route("**/api/jobs", (route) => {
    const sent = route.request().postDataJSON() as { kind: string; params: object };
    return route.continue({ postData: JSON.stringify({ ...sent, params: { ...sent.params, ...endless } }) });
  });
  return () => page.unroute("**/api/jobs");
}

test("is it fair? A judgement with its interval", async () => {
  await page.goto(`${bench.server.url}/#/maps/duel`);
  const endNormally = await judgeForEver();
  const [response] = await Promise.all([page.waitForResponse((one) => one.url().endsWith("/api/jobs")), buttonOf(page, "Test fairness").click()]);
  await page.getByRole("heading", { level: 1, name: "Fairness of duel" }).waitFor();
  await buttonOf(page, "Stop").click();
  await page.getByText(/^Stopped/).waitFor();
  await endNormally();
  await page.getByText("Settings", { exact: true }).click();
  expect(await page.getByRole("spinbutton", { name: "Maximum games" }).getAttribute("max")).toBe("10000000"); // the command's
  await page.getByRole("spinbutton", { name: "Precision (± points)" }).fill("40");
  await page.getByRole("spinbutton", { name: "Maximum games" }).fill("30");
  const [again] = await Promise.all([page.waitForResponse((one) => one.url().endsWith("/api/jobs")), buttonOf(page, "Test again").click()]);
  const [first, second] = [(await response.json()) as Job, (await again.json()) as Job];
  expect(second.id).not.toBe(first.id);
  await page.getByText(/^Finished/).first().waitFor();
  const interval = await page.getByText(/between [\d.]+\s?% and [\d.]+\s?% \(\d+ games\)/).first().textContent();
  expect(interval).toMatch(/\d+ games/);
  await keepScreen(page, "maps-judged");
});

test("a map is tested beside the drawing, and played", async () => {
  await page.goto(`${bench.server.url}/#/maps/edit/mine/first-try`);
  await board.board.waitFor();
  await until("it may be judged", () => buttonOf(page, "Test fairness").isEnabled(), Boolean);
  const endNormally = await judgeForEver();
  await buttonOf(page, "Test fairness").click();
  const stop = page.getByRole("region", { name: "Fairness" }).getByRole("button", { name: "Stop" });
  await page.getByText(/between .* games\)/).first().waitFor();
  await stop.click();
  await page.getByText(/^Stopped/).waitFor();
  await endNormally();
  await begun(page, () => buttonOf(page, "Play").click());
  await until("the drawn map is played on", unitCells, (cells) => cells.length === 4);
});

test("maps evolve, the gallery grows, and it can be stopped", async () => {
  await page.goto(`${bench.server.url}/#/maps/evolve`);
  await page.getByText("All options").click();
  const set = (name: string, value: string) => page.getByRole("spinbutton", { name, exact: true }).first().fill(value);
  await set("width", "6"); // smaller ones have too few kinds of maps for a gallery that grows
  await set("height", "6");
  await set("red_min", "3");
  await set("red_max", "4");
  await set("blue_min", "3");
  await set("blue_max", "4");
  await set("born", "8");
  await set("population", "8");
  await set("games", "2");
  await set("peers", "2");
  await set("verify", "4");
  await set("generations", "1000000"); // it ends by being stopped
  await buttonOf(page, "Start").click();
  await page.getByRole("heading", { name: "Gallery" }).waitFor();
  const cards = page.getByRole("article");
  await until("the first maps", () => cards.count(), (count) => count > 0);
  const path = `/api/jobs/${page.url().split("/").at(-1) ?? ""}`;
  const evolved = async () => ((await ask<Job>(bench.server.url, path)).answer.result ?? null) as EvolveResult | null;
  const known = (await evolved())?.generations.length ?? 0;
  const first = await cards.allTextContents();
  await until("more generations", evolved, (result) => (result?.generations.length ?? 0) > known);
  await until("other maps in the gallery", () => cards.allTextContents(), (now) => now.join() !== first.join());
  await buttonOf(page, "Stop").click();
  await page.getByText(/^Stopped/).waitFor();
  const last = await evolved();
  await until("the gallery is what has evolved", () => cards.count(), (count) => count > 0 && count === last?.maps.length);
  await keepScreen(page, "maps-evolved");
  await cards.first().getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: "Save …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("link", { name: /^Saved as mine\/evolved-/ }).first().waitFor();
  expect(seen.errors).toEqual([]);
});

/** Drops a file on the page. */
async function drop(onto: Page, name: string, text: string): Promise<void> {
  const held = await onto.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([file.text], file.name));
      return transfer;
    },
    { name, text },
  );
  await onto.locator("main").dispatchEvent("dragover", { dataTransfer: held });
  await onto.locator("main").dispatchEvent("drop", { dataTransfer: held });
}

test("a file that is dropped is opened: on the list, and on a drawing", async () => {
  const other = await bench.visit("#/maps");
  const there = new TacticalBoard(other.page);
  const units = async () => (await there.units()).length;
  const file = await (await fetch(`${bench.server.url}/api/maps/duel/file`)).text();
  await other.page.getByRole("link", { name: /standard/ }).first().waitFor();
  await drop(other.page, "from-a-friend.tbsmap", file);
  await until("the dropped map is drawn on", units, (count) => count === 4);
  expect(await other.page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("from-a-friend");
  await drop(other.page, "bad.tbsmap", file.replace(",panzer,", ",panzr,"));
  await other.page.getByRole("alert").filter({ hasText: "unit 'panzr' is unknown" }).waitFor();
  expect(await units()).toBe(4);
  await drop(other.page, "standard.tbsmap", await (await fetch(`${bench.server.url}/api/maps/standard/file`)).text());
  await until("another one is", units, (count) => count === 12);
  await other.page.getByRole("alert").waitFor({ state: "detached" });
  await buttonOf(other.page, /^Undo/).click();
  await until("the first is back", units, (count) => count === 4);
  expect(other.errors).toEqual([]);
});
