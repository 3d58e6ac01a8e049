// SPDX-License-Identifier: MIT
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import type { LiveGame } from "../../src/api/types";
import { audit } from "./audit";
import { ask, keepScreen, savedFile, until, useWorkbench, type Visit } from "./support";
import { begun, buttonOf, chooseMap, type Seated, TacticalBoard, liveGameNow } from "./live_game";

const bench = useWorkbench();
let seen: Visit;
let page: Page;
let game: Seated;

const positionNow = (): Promise<string> => page.getByRole("slider", { name: "Position" }).getAttribute("aria-valuetext").then(String);
const shownNow = async (): Promise<number> => Number((await positionNow()).split(" ")[0]);

/** Chooses a player, and sets one of its options. */
async function choosePlayer(label: string, name: string, options: Record<string, string> = {}): Promise<void> {
  const picker = page.locator(".player-picker").filter({ has: page.getByRole("combobox", { name: label, exact: true }) });
  await picker.getByRole("combobox", { name: label, exact: true }).selectOption(name);
  if (Object.keys(options).length > 0) await picker.getByText("Options").click();
  for (const [option, value] of Object.entries(options)) await picker.getByRole("spinbutton", { name: option, exact: true }).fill(value);
}

beforeAll(async () => {
  seen = await bench.visit("#/watch");
  page = seen.page;
  await chooseMap(page, "duel");
  await choosePlayer("First player (Red)", "uct", { sims: "400" });
  await choosePlayer("Second player (Blue)", "acteval");
  await page.getByRole("spinbutton", { name: "Seed", exact: true }).fill("11");
  game = await begun(page, () => buttonOf(page, "Start game").click());
  await until("the game is over", () => liveGameNow(bench.server.url, game), (liveGame) => liveGame.over);
});

test("it plays by itself, and goes back and forth as one likes", async () => {
  await page.getByRole("heading", { level: 1, name: /uct.* vs. acteval/ }).waitFor();
  await page.getByRole("combobox", { name: "Speed" }).selectOption({ label: "2×" });
  const count = (await liveGameNow(bench.server.url, game)).steps.length;
  await until("it plays", shownNow, (shown) => shown > 1);
  await buttonOf(page, "Pause").click();
  const here = await shownNow();
  expect(await buttonOf(page, "Play").isVisible()).toBe(true);
  await buttonOf(page, "Previous move").click();
  await until("back", shownNow, (shown) => shown === here - 1);
  await buttonOf(page, "Next move").click();
  await until("forth", shownNow, (shown) => shown === here);
  await page.keyboard.press("Home");
  await until("to the start by its key", shownNow, (shown) => shown === 0);
  expect(await buttonOf(page, "Previous move").isDisabled()).toBe(true);
  await buttonOf(page, "Go to end").click();
  await until("to the end", positionNow, (told) => told === `${count} of ${count}`);
  await page.getByText(/wins|Draw/).first().waitFor();
  const moves = page.getByRole("group", { name: "Moves" });
  await moves.getByRole("button").nth(2).click();
  await until("to a move of the list", shownNow, (shown) => shown === 2);
  const board = new TacticalBoard(page);
  const { state } = (await liveGameNow(bench.server.url, game)).steps[1] as LiveGame["steps"][number];
  const wanted = state.game === "tbs" ? state.units.map(({ id, x, y, hp }) => [id, x, y, hp]) : [];
  expect((await board.units()).map(({ id, at, hp }) => [id, ...at, hp])).toEqual(wanted);
});

test("the history of the game is drawn, chances and strength", async () => {
  const chart = page.getByRole("img", { name: /^Win probability of Red/ });
  await chart.waitFor();
  const isDrawn = () =>
    page.locator("canvas").first().evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return Array.from(data).some((value) => value !== 0);
    });
  await until("the chart is painted", isDrawn, Boolean);
  await page.getByRole("tab", { name: "Material" }).click();
  await page.getByRole("img", { name: /^HP of both sides/ }).waitFor();
  await page.getByRole("tab", { name: "Win probability" }).click();
});

test("thoughts are shown, and a line is drawn on the board", async () => {
  await buttonOf(page, "Go to start").click();
  const table = page.getByRole("table", { name: "Candidates, best first" });
  await table.waitFor();
  const rows = table.getByRole("button", { name: /^Show on the board/ });
  expect(await rows.count()).toBeGreaterThan(1);
  const candidates = (await liveGameNow(bench.server.url, game)).steps[0]?.thoughts?.candidates ?? [];
  const long = candidates.findIndex(({ line }) => line.length > 1);
  expect(long).toBeGreaterThanOrEqual(0);
  await rows.nth(long).click();
  const line = page.getByRole("list", { name: "Main line" });
  await line.waitFor();
  expect(await line.getByRole("listitem").count()).toBe(candidates[long]?.line.length);
  expect(await page.getByRole("application").locator(".board-arrow").count()).toBeGreaterThan(0);
  await keepScreen(page, "watch-thoughts");
});

const saved = async (press: () => Promise<void>): Promise<Buffer> => (await savedFile(page, press)).bytes;

/** The pictures of a GIF, by walking over its blocks. */
function gifFrames(file: Buffer): number {
  const skipTable = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let at = 13 + skipTable(file[10] ?? 0);
  let frames = 0;
  const skipBlocks = () => {
    while ((file[at] ?? 0) !== 0) at += (file[at] ?? 0) + 1;
    at++;
  };
  for (; at < file.length && file[at] !== 0x3b; ) {
    if (file[at] === 0x21) at += 2;
    else if (file[at] === 0x2c) {
      frames++;
      at += 10 + skipTable(file[at + 9] ?? 0) + 1;
    } else throw new Error(`byte ${at} begins no block`);
    skipBlocks();
  }
  if (at !== file.length - 1) throw new Error(`the end is at ${at} of ${file.length}`);
  return frames;
}

test("the game becomes a GIF, an SVG and pictures", async () => {
  const count = (await liveGameNow(bench.server.url, game)).steps.length;
  await page.getByRole("combobox", { name: "Picture width" }).selectOption("320");
  const gif = await saved(() => buttonOf(page, "Animated GIF").click());
  expect(gif.subarray(0, 6).toString("latin1")).toBe("GIF89a");
  expect(gifFrames(gif)).toBeGreaterThan(count / 2);
  await page.getByText(/^Saved /).waitFor();
  const svg = (await saved(() => buttonOf(page, "Animated SVG").click())).toString();
  expect(svg).toMatch(/^(<\?xml[^>]*>\s*)?<svg /);
  expect(svg).toContain("</svg>");
  expect(svg).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
  const zip = await saved(() => buttonOf(page, /^Pictures/).click());
  expect(zip.subarray(0, 2).toString()).toBe("PK");
  expect(zip.toString("latin1").match(/\.svg/g)?.length).toBeGreaterThanOrEqual(2 * count);
});

test("the record can be saved and opened again", async () => {
  const before = await liveGameNow(bench.server.url, game);
  const json = await saved(() => page.getByRole("link", { name: "Record (.json)" }).click());
  const sgf = await saved(() => page.getByRole("link", { name: "TUBSTAP (.sgf)" }).click());
  for (const [name, buffer] of [["game.json", json], ["game.sgf", sgf]] as const) {
    await page.goto(`${bench.server.url}/#/watch`);
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().endsWith("/api/tables/load")),
      page.getByLabel("File").last().setInputFiles({ name, mimeType: "application/octet-stream", buffer }),
    ]);
    const { id } = (await response.json()) as { id: string };
    await page.getByRole("heading", { level: 1, name: /vs\./ }).waitFor();
    const { answer } = await ask<LiveGame>(bench.server.url, `/api/tables/${id}`);
    expect(answer.steps.map(({ action }) => action)).toEqual(before.steps.map(({ action }) => action));
    expect(answer.state).toEqual(before.state);
  }
  await page.goto(`${bench.server.url}/#/watch`);
  await page.getByRole("textbox", { name: "… or paste its text" }).fill("no record at all");
  await buttonOf(page, "Open").click();
  await page.getByRole("alert").waitFor();
  expect(seen.errors.filter((error) => !/400/.test(error))).toEqual([]);
});

test("players with many options do not make the page wider", async () => {
  const spec = (c: string) => `uct:sims=20,c=${c},horizon=15,expand=2,transpositions=yes,reuse=yes,memory=63,seed=123456789`;
  const seats = [{ kind: "player", spec: spec("1.234567") }, { kind: "player", spec: spec("1.345678") }];
  const long = (await ask<Seated>(bench.server.url, "/api/tables", { game: "tbs", map: "duel", seats, seed: 5 })).answer;
  await until("the game is over", () => liveGameNow(bench.server.url, long), (liveGame) => liveGame.over);
  const visitor = await bench.visit(`#/watch/${long.id}?at=1`, { width: 390, height: 844 });
  await visitor.page.getByRole("heading", { level: 2, name: /^Evaluation by uct:/ }).waitFor(); // the thoughts have such a name, too
  for (const width of [390, 1280]) {
    await visitor.page.setViewportSize({ width, height: 844 });
    expect((await audit(visitor.page)).wide).toEqual([]);
  }
  await visitor.close();
});
