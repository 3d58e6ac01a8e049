// SPDX-License-Identifier: MIT
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import type { GameInfo, LiveGame } from "../../src/api/types";
import { pick } from "../../src/app/text";
import { words } from "../../src/play/text";
import { ask, keepScreen, until, useWorkbench, type Visit, type VisitOptions } from "./support";
import { acted, actOnce, begun, buttonOf, chooseMap, isOver, type Place, type Seated, TacticalBoard, liveGameNow } from "./live_game";

const bench = useWorkbench();

interface Game extends Visit {
  board: TacticalBoard;
  seated: Seated;
}

/** A game on the map "duel" against a player that answers at once. */
async function start(opponent: string, options: VisitOptions = {}): Promise<Game> {
  const seen = await bench.visit("#/play?map=duel", options);
  const { page } = seen;
  await page.getByRole("combobox", { name: "Opponent" }).selectOption(opponent);
  const seated = await begun(page, () => buttonOf(page, "Start game").click());
  await isOver(page);
  return { ...seen, board: new TacticalBoard(page), seated };
}

const plies = (liveGame: LiveGame): number => liveGame.steps.length;

/** An enemy that can be attacked now, chosen together with its attacker. */
async function aim(board: TacticalBoard): Promise<{ unit: Place; target: Place }> {
  const infantry: Place = [2, 2];
  const target: Place = [3, 3];
  await board.select(infantry);
  expect(await board.marked("attack")).toContainEqual(target);
  await board.click(target);
  return { unit: infantry, target };
}

test("a whole game is played by clicking", async () => {
  const { page, board, seated, errors, close } = await start("acteval");
  await keepScreen(page, "play-begun");
  let actions = 0;
  while (!(await actOnce(page, board, 0))) expect(++actions).toBeLessThan(60);
  const liveGame = await liveGameNow(bench.server.url, seated);
  expect(liveGame.over).toBe(true);
  expect(await page.getByRole("dialog").getByRole("heading").textContent()).toMatch(/win|lose|draw/i);
  await keepScreen(page, "play-over");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  expect(await buttonOf(page, "End turn").isDisabled()).toBe(true);
  expect(errors).toEqual([]);
  await close();
});

test("what is pointed at shows where it can go, and what is not allowed cannot be done", async () => {
  const { page, board, seated, requests, close } = await start("acteval");
  await board.hover([1, 1]);
  await until("legal destinations", () => board.marked("reach"), (cells) => cells.length > 1);
  const before = await liveGameNow(bench.server.url, seated);

  const ours: Place[] = [[1, 1], [2, 2]];
  await board.select([1, 1]);
  const open = [...(await board.marked("reach")), ...(await board.marked("attack")), ...ours];
  const cells = [1, 2, 3, 4].flatMap((x) => [1, 2, 3, 4].map((y): Place => [x, y]));
  const closed = cells.filter((cell) => !open.some(([x, y]) => x === cell[0] && y === cell[1]));
  expect(closed.length).toBeGreaterThan(0);
  for (const cell of closed) {
    await board.click(cell);
    await until("nothing is chosen any more", () => board.marked("selected"), (marks) => marks.length === 0);
    expect(await buttonOf(page, "Stay here").count()).toBe(0);
    await board.select([1, 1]);
  }
  await page.keyboard.press("Escape");
  await board.click([4, 4]); // the enemy's units are not ours to move
  expect(await board.marked("selected")).toEqual([]);

  expect(requests.filter((url) => url.endsWith("/action"))).toEqual([]);
  const after = await liveGameNow(bench.server.url, seated);
  expect([plies(after), after.state]).toEqual([plies(before), before.state]);
  await close();
});

test("a forged action is refused by the server", async () => {
  const seats = [{ kind: "human" }, { kind: "player", spec: "acteval" }];
  const { answer: seated } = await ask<Seated>(bench.server.url, "/api/tables", { game: "tbs", map: "duel", seats });
  const path = `/api/tables/${seated.id}/action`;
  const [key] = seated.keys;
  const forge = (body: object) => ask<{ error: string }>(bench.server.url, path, body);
  const far = await forge({ key, ply: 0, action: "0:4,4" });
  expect([far.status, far.answer.error.length > 0]).toEqual([400, true]);
  expect((await forge({ key, ply: 0, action: "2:3,3" })).status).toBe(400); // blue's unit
  expect((await forge({ key, ply: 7, action: "0:2,2" })).status).toBe(409);
  expect((await forge({ key: "guessed", ply: 0, action: "0:2,2" })).status).toBe(403);
  expect((await forge({ key, ply: 0, action: 5 })).status).toBe(400);
  expect(plies(await liveGameNow(bench.server.url, seated))).toBe(0);
});

test("damage and counter-attack are shown before they happen, and then happen", async () => {
  const { page, board, seated, close } = await start("acteval");
  const hpAt = async ([x, y]: Place) => (await board.units()).find(({ at }) => at[0] === x && at[1] === y)?.hp ?? 0;
  const { target } = await aim(board);
  const told = /(\d+) damage, (\d+) taken/.exec((await buttonOf(page, /^Attack infantry/).textContent()) ?? "");
  const [damage, counter] = [Number(told?.[1]), Number(told?.[2])];
  expect(damage).toBeGreaterThan(0);
  expect((await board.notes()).sort()).toEqual([`−${damage}`, `−${counter}`].sort());
  await keepScreen(page, "play-preview");
  const before = { target: await hpAt(target), units: await board.units() };
  await acted(page, () => buttonOf(page, /^Attack infantry/).click());

  const [step] = (await liveGameNow(bench.server.url, seated)).steps;
  expect(step?.did).toMatchObject({ kind: "tbs", unit: 0, target: { damage, counter } });
  const after = await until("the figures on the board", () => board.units(), (units) => units.some(({ id, done }) => id === 0 && done));
  expect(after.find(({ id }) => id === 0)?.hp).toBe((before.units.find(({ id }) => id === 0)?.hp ?? 0) - counter);
  expect(await hpAt(target)).toBe(before.target - damage);
  const moves = page.getByRole("list", { name: "Moves" });
  expect(await moves.textContent()).toContain(`−${damage} HP, takes ${counter} in return`);
  await close();
});

test("undo goes back within the turn, take-back to its beginning", async () => {
  const { page, board, seated, close } = await start("acteval");
  const start0 = (await liveGameNow(bench.server.url, seated)).state;
  expect(await buttonOf(page, "Undo").isDisabled()).toBe(true);
  await actOnce(page, board, 0);
  expect(plies(await liveGameNow(bench.server.url, seated))).toBe(1);
  await buttonOf(page, "Undo").click();
  const undone = await until("the action is undone", () => liveGameNow(bench.server.url, seated), (liveGame) => plies(liveGame) === 0);
  expect(undone.state).toEqual(start0);
  await until("the board is as before", () => board.units(), (units) => units.every(({ done }) => !done));

  await isOver(page);
  await buttonOf(page, "End turn").click();
  await acted(page, () => page.getByRole("dialog").getByRole("button", { name: "End turn" }).click());
  expect(plies(await liveGameNow(bench.server.url, seated))).toBeGreaterThan(1);
  await buttonOf(page, "Take back").click();
  const back = await until("the turn is taken back", () => liveGameNow(bench.server.url, seated), (liveGame) => plies(liveGame) === 0);
  expect(back.state).toEqual(start0);
  await close();
});

test("a hint is a move that can be played", async () => {
  const { page, board, close } = await start("acteval");
  await buttonOf(page, "Hint").click();
  await page.getByText(/^uct suggests/).waitFor();
  expect(await board.board.locator(".board-arrow").count()).toBeGreaterThan(0);
  await keepScreen(page, "play-hint");
  await close();
});

test("a reload in the middle goes on with the same position", async () => {
  const { page, board, seated, errors, close } = await start("acteval");
  await actOnce(page, board, 0);
  await isOver(page);
  const before = await board.units();
  await page.reload();
  await isOver(page);
  expect(await board.units()).toEqual(before);
  const liveGame = await liveGameNow(bench.server.url, seated);
  await actOnce(page, board, 0);
  expect(plies(await liveGameNow(bench.server.url, seated))).toBeGreaterThan(plies(liveGame));

  await page.goto(`${bench.server.url}/#/play`);
  await page.getByRole("link", { name: "Resume" }).click();
  await board.board.waitFor();
  expect(page.url()).toContain(seated.id);
  expect(errors).toEqual([]);
  await close();
});

async function startTwo(): Promise<Game> {
  const seen = await bench.visit("#/play");
  await chooseMap(seen.page, "duel");
  await seen.page.getByRole("radio", { name: /^Two people, one screen/ }).check();
  const seated = await begun(seen.page, () => buttonOf(seen.page, "Start game").click());
  return { ...seen, board: new TacticalBoard(seen.page), seated };
}

test("the end is announced once, and not again to a returning visitor", async () => {
  const { page, close } = await start("acteval");
  await buttonOf(page, "Resign").click();
  await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await page.getByRole("dialog").getByRole("heading", { name: "You lose." }).waitFor();
  await page.reload();
  await buttonOf(page, "Result").waitFor();
  await page.getByText("Blue wins: Red resigned").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await buttonOf(page, "Result").click();
  await page.getByRole("dialog").getByRole("heading", { name: "You lose." }).waitFor();
  await close();
});

test("a clock that ran out stays at nothing", async () => {
  const seats = [{ kind: "human" }, { kind: "player", spec: "acteval" }];
  const seated = (await ask<Seated>(bench.server.url, "/api/tables", { game: "tbs", map: "duel", seats, clock: "turn=1", seed: 1 })).answer;
  await until("the time is over", () => liveGameNow(bench.server.url, seated), ({ over }) => over);
  const { page, close } = await bench.visit(`#/play/${seated.id}?key=${seated.keys[0]}`, { language: "ja" });
  const clocks = page.getByRole("timer", { name: "残り時間" });
  await until("both clocks", () => clocks.allTextContents(), (shown) => shown.join() === "1.0,0.0"); // the other side's is above
  await buttonOf(page, "結果").click();
  await page.getByRole("dialog").getByText(/^制限の[\d.]+秒に対して[\d.]+秒かかりました。$/).waitFor();
  await close();
});

test("two people take turns at one screen", async () => {
  const { page, board, seated, close } = await startTwo();
  await page.getByText("Red's turn.").waitFor();
  await actOnce(page, board, 0);
  await buttonOf(page, "End turn").click();
  await page.getByRole("dialog").getByRole("button", { name: "End turn" }).click();
  await page.getByText("Blue's turn.").waitFor();
  await isOver(page);
  await actOnce(page, board, 1);
  const liveGame = await liveGameNow(bench.server.url, seated);
  expect(liveGame.steps.map(({ side }) => side)).toEqual([0, 0, 1]);
  await close();
});

test("the other person takes part through the link", async () => {
  const { page, close } = await bench.visit("#/play?map=duel");
  await page.getByRole("radio", { name: /^Two people, two browsers/ }).check();
  const seated = await begun(page, () => buttonOf(page, "Start game").click());
  const link = await page.getByRole("textbox", { name: "Invite a player" }).inputValue();
  const other = await bench.visit(link);
  await other.page.getByText("Waiting for the other player.").waitFor();
  await isOver(page);
  await actOnce(page, new TacticalBoard(page), 0);
  await buttonOf(page, "End turn").click();
  await page.getByRole("dialog").getByRole("button", { name: "End turn" }).click();
  await isOver(other.page);
  await actOnce(other.page, new TacticalBoard(other.page), 1);
  expect((await liveGameNow(bench.server.url, seated)).steps.map(({ side }) => side)).toEqual([0, 0, 1]);
  expect([...other.errors]).toEqual([]);
  await other.close();
  await close();
});

/** By Tab alone. */
async function tabTo(page: Page, role: string): Promise<void> {
  for (let n = 0; n < 40; n++) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.getAttribute("role"))) === role) return;
  }
  throw new Error(`Tab does not lead to the ${role}`);
}

test("a turn by keyboard alone", async () => {
  const { page, board, seated, close } = await start("acteval");
  await tabTo(page, "application");
  await page.keyboard.press("Home");
  await page.keyboard.press("PageUp"); // the upper left corner: our panzer
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  const cursor = page.getByRole("application").locator("[aria-live]");
  await until("the cell is told", () => cursor.textContent(), (told) => told === "1,2: wood, can be reached");
  await page.keyboard.press("Enter");
  await acted(page, () => page.keyboard.press("Enter"));
  expect((await liveGameNow(bench.server.url, seated)).steps[0]?.action).toBe("1:1,2");
  await page.keyboard.press("u");
  await until("undone by its key", () => liveGameNow(bench.server.url, seated), (liveGame) => plies(liveGame) === 0);
  await until("the board is as before", () => board.units(), (units) => units.every(({ done }) => !done));
  await isOver(page);
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await page.getByRole("dialog").waitFor();
  await acted(page, () => page.keyboard.press("Enter"));
  expect((await liveGameNow(bench.server.url, seated)).steps[0]?.action).toBe("pass");
  await close();
});

test("by finger on a phone", async () => {
  const { page, board, seated, close } = await start("acteval", { width: 390, height: 800, touch: true });
  await board.tap([1, 1]);
  await until("where it can go", () => board.marked("reach"), (cells) => cells.some(([x, y]) => x === 1 && y === 2));
  await board.tap([1, 2]);
  await keepScreen(page, "play-phone");
  await acted(page, () => board.tap([1, 2]));
  expect((await liveGameNow(bench.server.url, seated)).steps[0]?.action).toBe("1:1,2");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await close();
});

/** Games without a board of their own, as the server lists them. */
async function plainGames(): Promise<GameInfo[]> {
  const { answer } = await ask<GameInfo[]>(bench.server.url, "/api/games");
  return answer.filter(({ name }) => name !== "tbs" && name !== "geister");
}

test.each(["en", "ja"] as const)("every other game is played to its end on the plain board: %s", async (language) => {
  const { page, errors, close } = await bench.visit("#/play", { language });
  const t = (key: keyof typeof words) => pick(words[key], language);
  const games = await plainGames();
  expect(games.map(({ name }) => name)).toEqual(expect.arrayContaining(["tictactoe", "race", "kuhn", "synth"]));
  for (const { name } of games) {
    await page.goto(`${bench.server.url}/#/play`);
    await page.getByRole("tab", { name: t("other_games") }).click();
    await page.getByRole("combobox", { name: t("game"), exact: true }).selectOption(name);
    await page.getByRole("combobox", { name: t("opponent") }).selectOption("random");
    const seated = await begun(page, () => buttonOf(page, t("start")).click());
    const actions = page.locator(".play-board").getByRole("button");
    const over = page.getByRole("dialog");
    for (let moves = 0; ; moves++) {
      expect(moves).toBeLessThan(60);
      await actions.or(over).first().waitFor();
      if (await over.isVisible()) break;
      if (moves === 1) await keepScreen(page, `play-${name}-${language}`);
      const shown = page.getByRole("list", { name: t("moves") }).getByRole("listitem");
      const before = await shown.count();
      await Promise.all([page.waitForResponse((one) => one.url().endsWith("/action")), actions.first().click()]);
      await until("the page shows the action", () => shown.count(), (count) => count !== before);
    }
    expect((await liveGameNow(bench.server.url, seated)).over).toBe(true);
    await keepScreen(page, `play-${name}-${language}-over`);
    await over.getByRole("button", { name: t("close") }).click();
  }
  expect(errors).toEqual([]);
  await close();
});

test("two people at one screen do not see each other's cards", async () => {
  const { page, close } = await bench.visit("#/play");
  await page.getByRole("tab", { name: "Other games" }).click();
  await page.getByRole("combobox", { name: "Game", exact: true }).selectOption("kuhn");
  await page.getByRole("radio", { name: /^Two people, one screen/ }).check();
  await buttonOf(page, "Start game").click();
  const position = page.getByText(/^cards=/);
  for (const [side, cards] of [["First", /cards=[JQK],\?/], ["Second", /cards=\?,[JQK]/]] as const) {
    await buttonOf(page, `I am ${side}: show board`).waitFor();
    expect(await position.count()).toBe(0);
    await buttonOf(page, `I am ${side}: show board`).click();
    expect(await position.textContent()).toMatch(cards);
    await buttonOf(page, "pass").click();
  }
  await page.getByRole("dialog").getByRole("heading", { name: /^(First|Second) wins!$/ }).waitFor();
  await close();
});
