// SPDX-License-Identifier: MIT
//
// Every screen, in both languages, light and dark, from a phone to a projector.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import type { Job, LiveGame } from "../../src/api/types";
import { audit } from "./audit";
import { ask, keepScreen, screens, until, useWorkbench } from "./support";
import type { Seated } from "./live_game";

const bench = useWorkbench();
let places: Record<string, string>;

const post = async <Answer>(path: string, body: unknown): Promise<Answer> => (await ask<Answer>(bench.server.url, path, body)).answer;

/** Content for every screen: a game under way, one that is over, an event, a judgement, an evolution. */
async function prepare(): Promise<Record<string, string>> {
  const player = (spec: string) => ({ kind: "player", spec });
  const created = (game: object, seats: object[]) => post<Seated>("/api/tables", { ...game, seats });
  const mine = await created({ game: "tbs", map: "standard" }, [{ kind: "human" }, player("acteval")]);
  const ghosts = await created({ game: "geister" }, [{ kind: "human" }, player("random")]);
  const watched = await created({ game: "tbs", map: "duel" }, [player("uct:sims=300"), player("acteval")]);
  const event = await post<Job>("/api/jobs", { kind: "tournament", params: { players: ["acteval", "uct:sims=100", "random"], maps: ["duel"], games: 4, title: "Cup" } });
  const judged = await post<Job>("/api/jobs", { kind: "judge", params: { map: "duel", games: 20, tight: 0.4 } });
  const small = { width: "4", height: "4", red_min: "1", red_max: "2", blue_min: "1", blue_max: "2", born: "6", population: "6", generations: "2", games: "2", peers: "2", verify: "2" };
  const evolved = await post<Job>("/api/jobs", { kind: "evolve", params: { preset: "designer", options: small, seconds: 5 } });
  const repro = await post<Job>("/api/jobs", { kind: "repro", params: { experiment: "tbs-fig4", trials: 2 } });
  for (const job of [event, judged, evolved, repro])
    await until(`${job.kind} is done`, async () => (await ask<Job>(bench.server.url, `/api/jobs/${job.id}`)).answer, ({ state }) => state === "done");
  await until("the game is over", async () => (await ask<LiveGame>(bench.server.url, `/api/tables/${watched.id}`)).answer, ({ over }) => over);
  return {
    home: "",
    play: "play",
    "play-game": `play/${mine.id}?key=${mine.keys[0]}`,
    "play-geister": `play/${ghosts.id}?key=${ghosts.keys[0]}`,
    watch: "watch",
    "watch-game": `watch/${watched.id}?at=1`,
    "watch-race": `watch/${(await created({ game: "race" }, [player("random"), player("random")])).id}`,
    "watch-event-game": `watch/job/${event.id}/0`,
    analyse: `analyse?table=${watched.id}&after=2`,
    maps: "maps",
    "maps-one": "maps/bridge",
    "maps-edit": "maps/edit/standard",
    "maps-judge": `maps/judge/${judged.id}`,
    "maps-evolve": "maps/evolve",
    "maps-evolution": `maps/evolve/${evolved.id}`,
    tournaments: "tournaments",
    "tournaments-one": `tournaments/${event.id}`,
    experiments: "experiments",
    "experiments-one": `experiments/tbs-fig4/${repro.id}`,
    learn: "learn",
    "learn-lesson": "learn/tour/attack",
    "learn-players": "learn/players",
    "learn-player": "learn/players/uct",
    nowhere: "nowhere/at/all",
  };
}

beforeAll(async () => {
  places = await prepare();
});

/** Goes to another screen of the page: afterwards the previous one is removed. */
async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    if (location.hash === hash) return undefined;
    // The page has waited for longer: its drawing is complete before a timer can fire.
    const arrived = new Promise((resolve) => addEventListener("hashchange", () => setTimeout(resolve), { once: true }));
    location.hash = hash;
    return arrived;
  }, place === "" ? "" : `#/${place}`);
}

/** Loading is complete: no texts that ask to wait, and all pictures of maps. */
async function settled(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("heading").first().waitFor();
  await until("nothing is waited for", () => page.locator(".waiting").count(), (count) => count === 0);
}

const widths = [1920, 1280, 390] as const;
const shades = ["light", "dark"] as const;

const projected = ["play-game", "watch-game", "tournaments-one"]; // the screens for an audience
const main = [...projected, "home", "play", "play-geister", "watch", "analyse", "maps", "maps-edit", "tournaments", "experiments", "learn", "learn-lesson"];
const alike = ["watch-event-game", "nowhere"]; // look like other screens, or empty

/** The main screens in every way; of the others each way is captured once, in one language. */
function isKept(name: string, language: string, width: number, shade: string): boolean {
  if (width === 1920) return projected.includes(name) && shade === "dark";
  if (main.includes(name)) return true;
  return !alike.includes(name) && (language === "en") === ((width === 390) === (shade === "dark"));
}

/** Whole on a desktop in daylight; as far as the window shows it otherwise. */
async function keep(page: Page, name: string, language: string, width: number, shade: string): Promise<void> {
  if (!isKept(name, language, width, shade)) return;
  const size = { 390: "phone", 1280: "desktop", 1920: "projector" }[width] ?? String(width);
  await keepScreen(page, `${name}-${language}-${shade}-${size}`, width === 1280 && shade === "light" && name !== "maps");
}

/** One screen in all widths and shades; returns its defects. */
async function inspect(page: Page, language: "en" | "ja", name: string): Promise<string[]> {
  await goTo(page, places[name] ?? "");
  await settled(page);
  const wrong: string[] = [];
  for (const width of widths)
    for (const colorScheme of shades) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.emulateMedia({ colorScheme });
      const found = await audit(page);
      const say = (what: string) => wrong.push(`${name}, ${language}, ${width}, ${colorScheme}: ${what}`);
      if (found.language !== language) say(`the language is ${found.language}`);
      if (found.headings !== 1) say(`${found.headings} headings of the first level`);
      for (const one of found.nameless) say(`no name: ${one}`);
      for (const one of found.wordless) say(`a picture without words: ${one}`);
      for (const id of found.twice) say(`the id ${id} twice`);
      for (const one of found.english) say(`in English: ${one}`);
      if (width === 390) for (const one of found.wide) say(`wider than the window: ${one}`);
      await keep(page, name, language, width, colorScheme);
    }
  return wrong;
}

async function walk(language: "en" | "ja"): Promise<{ wrong: string[]; requests: string[]; errors: string[] }> {
  const { page, requests, errors, close } = await bench.visit("/", { language });
  const wrong: string[] = [];
  for (const name of Object.keys(places)) {
    const before = errors.length;
    wrong.push(...(await inspect(page, language, name)));
    wrong.push(...errors.slice(before).map((error) => `${name}, ${language}: ${error}`));
  }
  await close();
  return { wrong, requests, errors };
}

test("every screen is whole in both languages, light and dark, at every width", async () => {
  const both = await Promise.all([walk("en"), walk("ja")]);
  expect(both.flatMap(({ wrong }) => wrong)).toEqual([]);
  const requests = both.flatMap((one) => one.requests);
  expect(requests.length).toBeGreaterThan(100);
  expect(requests.filter((url) => !url.startsWith(`${bench.server.url}/`) && !/^(data|blob):/.test(url))).toEqual([]);
});

test("the language is changed by a button, and stays", async () => {
  const { page, close } = await bench.visit("/");
  await page.getByRole("button", { name: "日本語" }).click();
  await page.getByRole("link", { name: "対局", exact: true }).first().waitFor();
  await page.reload();
  await page.getByRole("link", { name: "対局", exact: true }).first().waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("ja");
  await close();
});

test("a screen that could not be fetched is offered again, and comes with its styles", async () => {
  const { page, close } = await bench.visit("/");
  const stylesOf = () => page.evaluate(() => Array.from(document.styleSheets, ({ href }) => href).sort());
  const again = page.getByRole("button", { name: "Try again" });
  // The event stream continues: a page that receives events again would send requests by itself, without the button.
  await page.route("**/*", (route) => (route.request().url().endsWith("/events") ? route.continue() : route.abort()));
  await page.getByRole("link", { name: "Learn", exact: true }).click();
  await again.waitFor();
  await Promise.all([page.waitForEvent("requestfailed"), again.click()]); // still in vain
  await page.getByText(/could not be loaded/).waitFor();
  await page.unroute("**/*");
  await again.click();
  await page.getByRole("link", { name: "Start tour" }).waitFor();
  const late = await stylesOf();
  await page.reload();
  await page.getByRole("link", { name: "Start tour" }).waitFor();
  expect(late).toEqual(await stylesOf());
  await close();
});

test("on a phone the current screen is in view among the others", async () => {
  const { page, close } = await bench.visit("#/learn", { width: 390 });
  const link = page.locator("nav [aria-current]");
  await until("it is inside of the window", () => link.boundingBox(), (box) => box !== null && box.x >= 0 && box.x + box.width <= 390);
  await close();
});

test("when the first words are painted is written down", async () => {
  const lines: string[] = [];
  for (const name of ["home", "play", "watch", "analyse", "maps", "tournaments", "experiments", "learn"]) {
    const { page, close } = await bench.visit(`#/${places[name]}`);
    const paint = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
    lines.push(`${name}: ${Math.round(await until("something is painted", paint, (ms) => ms > 0))} ms`);
    await close();
  }
  const told = `First contentful paint on this machine\n${lines.join("\n")}\n`;
  console.log(told);
  if (screens === "") return;
  mkdirSync(screens, { recursive: true });
  writeFileSync(join(screens, "paint.txt"), told);
});
