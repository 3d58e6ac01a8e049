// SPDX-License-Identifier: MIT
//
// The page of a study's participants, with `senjutsu study serve` behind it: a whole short session with a reload and a
// second tab, the open link, links that are wrong, a server that is gone. Every step is whole in both languages.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

import type { LiveGame, Study, StudyGame } from "../../src/api/types";
import { audit } from "./audit";
import { complaintsAbout, type Seen } from "./observer";
import { actOnce, buttonOf, isOver, TacticalBoard } from "./live_game";
import { root, studyRoutes } from "./server_code";
import { ask, keepScreen, launch, newFolder, program, savedFile, until, useWorkbench } from "./support";

const seen: Seen[] = []; // what the server answered, compared with the page's types at the end
let links: string[];

const bench = useWorkbench(() => {
  const data = newFolder();
  const study = join(data, "maps.study");
  const options = ["--maps", "duel,standard", "--player", "acteval", "--participants", "3", "--open", "1", "--seed", "5"];
  execFileSync(program, ["study", "new", study, ...options], { stdio: "ignore" });
  links = execFileSync(program, ["study", "links", study, "--quiet"], { encoding: "utf8" }).trim().split("\n").map((link) => new URL(link).hash);
  return launch(["study", "serve", study], data);
});

const keyOf = (link: string): string => link.split("/").at(-1) ?? "";
const linkAt = (at: number): string => `/${links[at]}`;

async function studyOf(link: string): Promise<Study> {
  const { status, answer } = await ask<Study>(bench.server.url, `/api/study?participant=${keyOf(link)}`);
  expect(status).toBe(200);
  seen.push({ type: "Study", from: link, value: answer });
  return answer;
}

const looks = [390, 1280].flatMap((width) => (["light", "dark"] as const).map((shade) => ({ width, shade })));

/** The step as it is, in both languages, light and dark, on a phone and on a desktop. */
async function whole(page: Page, name: string): Promise<void> {
  const wrong: string[] = [];
  for (const language of ["ja", "en"] as const) {
    await page.getByRole("button", { name: language === "ja" ? "日本語" : "English" }).click();
    await until("nothing is waited for", () => page.locator(".waiting").count(), (count) => count === 0);
    for (const { width, shade } of looks) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: shade });
      const found = await audit(page);
      const defects = [...found.nameless, ...found.wordless, ...found.twice, ...found.wide, ...found.english];
      if (found.headings !== 1 || found.language !== language) defects.push(`${found.headings} headings in ${found.language}`);
      wrong.push(...defects.map((one) => `${language}, ${width}, ${shade}: ${one}`));
      await keepScreen(page, `study-${name}-${language}-${shade}-${width}`);
    }
  }
  expect(wrong, name).toEqual([]);
}

/** A game has begun: it is our turn, or it is over. */
async function begin(page: Page): Promise<void> {
  await buttonOf(page, "Start the game").click();
  await isOver(page);
}

async function resign(page: Page): Promise<void> {
  await buttonOf(page, "Resign").click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await page.getByRole("heading", { name: "You lost." }).waitFor();
}

const radio = (page: Page, question: number, value: number) => page.getByRole("group").filter({ has: page.getByRole("radio") }).nth(question).getByRole("radio").nth(value - 1);
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const place = (page: Page, text: string) => page.locator(".study-progress").getByText(text).waitFor();
const comment = (page: Page) => page.getByRole("textbox", { name: /Anything you want to say/ });

/** What of the site this browser keeps. */
const kept = (page: Page): Promise<string[]> => page.evaluate(() => Object.keys(localStorage));

test("a whole session, with a reload and a second tab", async () => {
  const { page, context, requests, errors, close } = await bench.visit(linkAt(0));
  const link = links[0] ?? "";

  // Nothing is stored or sent before the agreement.
  await heading(page, "About this study").waitFor();
  expect(await kept(page)).toEqual([]);
  await whole(page, "welcome");
  await page.getByRole("textbox", { name: /^Name/ }).fill("A. Tester");
  await page.getByRole("combobox").first().selectOption({ index: 1 });
  expect((await studyOf(link)).stage).toBe("consent");
  expect(await kept(page)).toEqual(["senjutsu.language"]);
  await buttonOf(page, "I agree and take part").click();
  await heading(page, /^You play (Red|Blue) against/).waitFor();
  await place(page, "Map 1 of 2, game 1 of 2");
  expect(await studyOf(link)).toMatchObject({ name: "A. Tester", language: "en", stage: "maps", about: { hours: "0" } });
  await whole(page, "start");

  // Both tabs press "Start": it is one game.
  const second = await context.newPage(); // the same browser, another tab
  await second.goto(page.url());
  await heading(second, /^You play/).waitFor();
  await Promise.all([begin(page), begin(second)]);
  await page.bringToFront(); // a browser draws what is in the back much later
  const begun = await studyOf(link);
  expect(begun.maps.flatMap(({ games }) => games)).toHaveLength(1);
  const { side } = begun.maps[0]?.games[0] as StudyGame;

  // A reload goes on with the same position, and the other tab follows.
  const board = new TacticalBoard(page);
  await actOnce(page, board, side);
  const before = await until("our action", () => board.units(), (units) => units.some(({ done, side: of }) => done && of === side));
  await whole(page, "game");
  await page.reload();
  await isOver(page);
  expect(await board.units()).toEqual(before);
  await until("the other tab", () => new TacticalBoard(second).units(), (units) => JSON.stringify(units) === JSON.stringify(before));

  // By keyboard: the next unit, and the end of the turn.
  await page.keyboard.press("n");
  await until("a unit is chosen", () => board.marked("selected"), (cells) => cells.length === 1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await page.getByRole("dialog").getByRole("button", { name: "End turn" }).click();
  await isOver(page);
  expect(await buttonOf(page, "Hint").or(buttonOf(page, "Take back")).count()).toBe(0);
  await resign(page);
  await whole(page, "over");
  await buttonOf(page, "Continue").click();
  await place(page, "Map 1 of 2, game 2 of 2");
  await begin(page);
  await resign(page);
  await buttonOf(page, "Continue").click();

  // The questions: what is missing is said, and a reload loses nothing.
  await heading(page, "Your opinion of this map").waitFor();
  await radio(page, 0, 4).check();
  await buttonOf(page, "Save and go on").click();
  await page.getByText("Please choose an answer.").waitFor();
  expect(await radio(page, 1, 1).evaluate((one) => one === document.activeElement)).toBe(true);
  await whole(page, "questions");
  await radio(page, 1, 1).press("ArrowRight");
  expect(await radio(page, 1, 2).isChecked()).toBe(true);
  await comment(page).fill("Small 𠮷.");
  await page.getByText("1992 of 2000 characters left").waitFor();
  await page.reload();
  await heading(page, "Your opinion of this map").waitFor();
  expect([await radio(page, 0, 4).isChecked(), await radio(page, 1, 2).isChecked(), await comment(page).inputValue()]).toEqual([true, true, "Small 𠮷."]);
  expect((await studyOf(link)).maps[0]).toMatchObject({ state: "open", ratings: {} });

  // A further game is a choice, and no step.
  await buttonOf(page, /^Play as/).first().click();
  await place(page, "Map 1 of 2, a further game");
  await isOver(page);
  await resign(page);
  await buttonOf(page, "Continue").click();
  await buttonOf(page, "Save and go on").click();
  await place(page, "Map 2 of 2, game 1 of 2");
  expect((await studyOf(link)).maps[0]).toMatchObject({ state: "done", ratings: { handmade: 4, fun: 2 }, comment: "Small 𠮷." });

  // The other tab shows the next step as soon as it is looked at.
  await second.bringToFront();
  await second.evaluate(() => dispatchEvent(new Event("focus")));
  await buttonOf(second, "Continue").click();
  await place(second, "Map 2 of 2, game 1 of 2");
  await page.bringToFront();

  for (const n of [1, 2]) {
    await place(page, `Map 2 of 2, game ${n} of 2`);
    await begin(page);
    await resign(page);
    await buttonOf(page, "Continue").click();
  }
  await radio(page, 0, 1).check();
  await radio(page, 1, 5).check();
  await buttonOf(page, "Save and go on").click();

  // The end: an answer is changed, then all is final.
  await heading(page, "Almost finished").waitFor();
  await until("pictures of both maps", () => page.locator(".study-picture svg").count(), (count) => count === 2);
  await whole(page, "closing");
  await buttonOf(page, "Change the answers for map 1").click();
  await radio(page, 1, 3).check();
  await buttonOf(page, "Save").click();
  await heading(page, "Almost finished").waitFor(); // the map has a text field, too
  await comment(page).fill("Thanks.");
  await buttonOf(page, "Finish").click();
  await heading(page, "Thank you!").waitFor();
  await whole(page, "thanks");
  const end = await studyOf(link);
  expect([end.stage, end.comment, end.maps.map(({ ratings }) => ratings)]).toEqual(["finished", "Thanks.", [{ handmade: 4, fun: 3 }, { handmade: 1, fun: 5 }]]);
  expect(end.maps.map(({ games }) => games.length)).toEqual([3, 2]);
  expect((await kept(page)).filter((name) => name.includes("draft"))).toEqual([]);

  const saved = await savedFile(page, () => buttonOf(page, "Save a copy").click());
  expect(saved.name).toBe("study.json");
  expect(JSON.parse(saved.bytes.toString())).toMatchObject({ name: "A. Tester", maps: [{ ratings: { fun: 3 } }, { ratings: { fun: 5 } }] });
  expect(saved.bytes.toString()).not.toContain(keyOf(link));
  expect(errors).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(`${bench.server.url}/`) && !/^(data|blob):/.test(url))).toEqual([]);
  await close();
});

test("by the open link one becomes a participant, once; then all places are taken; erased data are gone", async () => {
  const { page, errors, close } = await bench.visit(linkAt(3));
  await heading(page, "About this study").waitFor();
  expect(await kept(page)).toEqual([]);
  await buttonOf(page, "I agree and take part").dblclick();
  await heading(page, /^You play/).waitFor();
  const own = new URL(page.url()).hash;
  expect(own).toMatch(/^#\/p\/\w{16}$/);
  await page.goto(`${bench.server.url}${linkAt(3)}`); // the open link again: no second participant
  await until("the own link", async () => new URL(page.url()).hash, (hash) => hash === own);
  await begin(page);

  const late = await bench.visit(linkAt(3), { language: "ja" });
  await late.page.getByRole("button", { name: "同意して参加する" }).click();
  await late.page.getByRole("heading", { name: "定員に達しました" }).waitFor();
  await late.close();

  const [game] = (await studyOf(own)).maps.flatMap(({ games }) => games);
  await buttonOf(page, "Stop taking part").click();
  await page.getByRole("dialog").getByRole("button", { name: "Erase my data" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Erase everything" }).click();
  await heading(page, "Your data are erased").waitFor();
  expect(await kept(page)).toEqual([]);
  expect((await ask(bench.server.url, `/api/study?participant=${keyOf(own)}`)).status).toBe(403);
  expect((await ask(bench.server.url, `/api/tables/${game?.id}?key=${game?.key}`)).status).toBeGreaterThanOrEqual(400);
  expect(errors.filter((error) => !/40[349]/.test(error))).toEqual([]);
  await close();
});

test("wrong links are explained", async () => {
  for (const [address, title] of [["/", "A link is missing"], ["/#/p/abcdefghijklmnop", "This link is not valid"], ["/#/open/abcdefghijklmnop", "This link is not valid"]] as const) {
    const { page, close } = await bench.visit(address);
    await heading(page, title).waitFor();
    const found = await audit(page);
    expect([found.headings, found.wide]).toEqual([1, []]);
    await page.getByRole("button", { name: "日本語" }).click();
    expect((await audit(page)).english).toEqual([]);
    await close();
  }
});

test("a server that is gone loses nothing", async () => {
  const { page, close } = await bench.visit(linkAt(1));
  await buttonOf(page, "I agree and take part").click();
  await begin(page);
  const board = new TacticalBoard(page);
  const { side } = (await studyOf(links[1] ?? "")).maps[0]?.games[0] as StudyGame;
  await actOnce(page, board, side);
  const before = await board.units();
  await bench.server.stop();
  await page.getByText(/^No connection to the server/).waitFor();
  await page.reload().catch(() => {}); // the browser's own page
  await bench.restart();
  await page.goto(`${bench.server.url}${linkAt(1)}`);
  await isOver(page);
  expect(await board.units()).toEqual(before);

  await page.route("**/api/**", (route) => route.abort());
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.getByText(/^The server does not respond/).waitFor();
  await page.unroute("**/api/**");
  await until("the page goes on", () => page.getByText(/^The server does not respond/).count(), (count) => count === 0);
  await close();
});

test("a game that the server has dropped is played again", async () => {
  const { page, close } = await bench.visit(linkAt(1));
  const gone = { status: 404, contentType: "application/json", body: '{"error": "there is no such game"}' };
  await page.route("**/api/tables/**", (route) => route.fulfill(gone));
  await page.reload();
  await page.getByText(/not on the server any more/).waitFor();
  expect((await audit(page)).headings).toBe(1);
  await page.unroute("**/api/tables/**");
  await buttonOf(page, "Play it again").click();
  await isOver(page);
  expect((await studyOf(links[1] ?? "")).maps.flatMap(({ games }) => games)).toHaveLength(1);
  await close();
});

test("participants reach their own study and nothing else", async () => {
  const { url } = bench.server;
  const { page, close } = await bench.visit(linkAt(2));
  await buttonOf(page, "I agree and take part").click();
  await begin(page);
  const [game] = (await studyOf(links[2] ?? "")).maps.flatMap(({ games }) => games) as [StudyGame];
  seen.push({ type: "LiveGame", from: "a game of a study", value: (await ask<LiveGame>(url, `/api/tables/${game.id}?key=${game.key}`)).answer });
  for (const path of ["/api/tables", "/api/about", "/api/jobs", "/api/maps", `/api/tables/${game.id}`, `/api/tables/${game.id}?key=wrong`, `/api/tables/${game.id}/record?form=json`, "/index.html"])
    expect((await fetch(url + path)).status, path).toBeGreaterThanOrEqual(400);
  await close();
});

afterAll(() => expect(complaintsAbout(seen)).toEqual([]));

test.each(["docs/studies.md", "docs/ja/studies.md"])("%s has every route", (name) => {
  const told = [...readFileSync(root + name, "utf8").matchAll(/^\| (GET|POST) \| `(\/api\/study[^`?]*)/gm)].map(([, method, path]) => `${method} ${path}`);
  expect([...new Set(told)].sort()).toEqual([...studyRoutes].sort());
});
