// SPDX-License-Identifier: MIT
//
// Geister in the browser; above all, hidden information never reaches it.

import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import type { LiveGame } from "../../src/api/types";
import { ask, keepScreen, until, useWorkbench } from "./support";
import { begun, buttonOf, type Place, type Seated, liveGameNow } from "./live_game";
import { listenTo, type Message, messagesOf, tap } from "./wire";

const bench = useWorkbench();

// ---- the board, from the first player's place ----

const boardOf = (page: Page): Locator => page.getByRole("application");
const cellOf = (page: Page, [x, y]: Place): Locator => boardOf(page).locator(".gst-cell").nth(6 * y + x);

async function clickCell(page: Page, cell: Place): Promise<void> {
  const box = await cellOf(page, cell).boundingBox();
  if (box === null) throw new Error("the board is not to be seen");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

async function dragPiece(page: Page, from: Place, to: Place): Promise<void> {
  const middle = async (cell: Place) => {
    const box = await cellOf(page, cell).boundingBox();
    return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2] as const;
  };
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(to)), { steps: 6 });
  await page.mouse.up();
}

/** Which of the first player's ghosts are shown as bad. */
async function badOnes(page: Page): Promise<string> {
  const letters = await boardOf(page).locator('[data-piece^="0"]:has(.gst-red) .gst-letter').allTextContents();
  return letters.sort().join("");
}

const placeOf: Record<string, Place> = { A: [1, 4], B: [2, 4], C: [3, 4], D: [4, 4], E: [1, 5], F: [2, 5], G: [3, 5], H: [4, 5] };

/** Drags bad ghosts onto good ones until the expected ones are bad. */
async function setUp(page: Page, reds: string): Promise<void> {
  for (;;) {
    const now = await badOnes(page);
    const out = [...now].find((letter) => !reds.includes(letter));
    const into = [...reds].find((letter) => !now.includes(letter));
    if (out === undefined || into === undefined) return;
    await dragPiece(page, placeOf[out] as Place, placeOf[into] as Place);
    await until("the ghosts change places", () => badOnes(page), (after) => after !== now);
  }
}

async function start(page: Page, opponent: string): Promise<Seated> {
  await page.getByRole("tab", { name: "Geister", exact: true }).click();
  await page.getByRole("combobox", { name: "Opponent" }).selectOption(opponent);
  return begun(page, () => buttonOf(page, "Start game").click());
}

// ---- permitted information ----

/** Everything in a message that would reveal the second player's secrets. */
function leaks(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leaks);
  if (typeof value !== "object" || value === null) return [];
  const one = value as Record<string, unknown>;
  const found: string[] = [];
  if (one["side"] === 1 && one["fate"] === "board" && one["colour"] !== "unknown") found.push(`colour of ${one["letter"]}`);
  if (one["kind"] === "setup" && one["side"] === 1 && one["reds"] !== null) found.push("the set-up");
  if (one["side"] === 1 && Array.isArray(one["candidates"])) found.push("thoughts");
  const did = one["did"] as Record<string, unknown> | undefined;
  if (did?.["kind"] === "setup" && did["side"] === 1 && one["action"] !== null) found.push("the set-up's action");
  if (typeof one["text"] === "string") found.push(...told(one["text"]));
  return [...found, ...Object.values(one).flatMap(leaks)];
}

/** A position's text: "14R24B…", first the eight of side 0, then those of side 1; taken ones are written in lower case. */
function told(text: string): string[] {
  const board = /board=(\S+)/.exec(text)?.[1];
  if (board === undefined) return [];
  const theirs = board.slice(24).match(/.../g) ?? [];
  return theirs.filter((piece) => /^[0-5][0-5]/.test(piece) && piece[2] !== "u").map((piece) => `${piece} in the text`);
}

const isAfterTheEnd = (text: string): boolean => text.includes('"over":true');

/** The secrets in messages from before the end of the game. */
function leaksOf(messages: Message[]): string[] {
  const before = messages.filter(({ text }) => !isAfterTheEnd(text));
  return before.flatMap(({ from, text }) => (/^[[{]/.test(text) ? leaks(JSON.parse(text)).map((what) => `${from}: ${what}`) : []));
}

// ---- playing ----

interface Step {
  from: Place;
  to: Place;
}

/** A good ghost runs for an exit; a piece in its way is taken. */
function nextStep(liveGame: LiveGame): Step {
  if (liveGame.actions?.game !== "geister" || liveGame.state.game !== "geister") throw new Error("it is not our turn");
  const { pieces } = liveGame.state;
  const isGood = (letter: string) => pieces.some((one) => one.side === 0 && one.letter === letter && one.colour === "blue");
  const left = ([x, y]: Place): number => y + Math.min(x, 5 - x);
  const moves = liveGame.actions.moves.flatMap(({ letter, from, to }) => (to === null ? [] : [{ letter, from, to }]));
  const gain = ({ letter, to }: (typeof moves)[number]) => (isGood(letter) ? 0 : 100) + left(to);
  const [best] = moves.sort((a, b) => gain(a) - gain(b));
  if (best === undefined) throw new Error("there is no move");
  return best;
}

/** Where the board shows ghosts: "0A" to "1,4". */
async function ghostsOn(page: Page): Promise<Record<string, string>> {
  return boardOf(page).evaluate((board) => {
    const size = Number(board.querySelector(".gst-cell")?.getAttribute("width"));
    const cellOf = (piece: Element) => (piece.getAttribute("transform")?.match(/[\d.]+/g) ?? []).map((at) => Math.floor(Number(at) / size)).join();
    return Object.fromEntries(Array.from(board.querySelectorAll("[data-piece]"), (piece) => [piece.getAttribute("data-piece"), cellOf(piece)]));
  });
}

/** The server's game, once the page shows the same: an earlier click would refer to the position before. */
async function tableShown(page: Page, seated: Seated): Promise<LiveGame> {
  const liveGame = await liveGameNow(bench.server.url, seated);
  const pieces = liveGame.state.game === "geister" ? liveGame.state.pieces : [];
  const ghosts = pieces.flatMap(({ side, letter, at, fate }) => (fate === "board" && at !== null ? [[`${side}${letter}`, at.join()] as const] : []));
  const isSame = (seen: Record<string, string>) => Object.keys(seen).length === ghosts.length && ghosts.every(([ghost, at]) => seen[ghost] === at);
  await until("the page shows the server's position", () => ghostsOn(page), isSame);
  return liveGame;
}

const mayGoOn = async (page: Page): Promise<boolean> => {
  const over = page.getByRole("dialog");
  await page.getByText("Your turn.").or(over).first().waitFor();
  return !(await over.isVisible());
};

async function playOn(page: Page, seated: Seated): Promise<void> {
  for (let n = 0; n < 150 && (await mayGoOn(page)); n++) {
    const leave = buttonOf(page, /^Escape with/);
    const liveGame = await tableShown(page, seated);
    if (liveGame.over) return page.getByRole("dialog").waitFor();
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.url().endsWith("/action")),
      (async () => {
        if (await leave.isVisible()) return leave.first().click();
        const { from, to } = nextStep(liveGame);
        await clickCell(page, from);
        await clickCell(page, to);
      })(),
    ]);
    expect(answer.status()).toBe(200);
    const { ply } = (await answer.json()) as { ply: number };
    await until("the opponent answers", () => liveGameNow(bench.server.url, seated), (liveGame) => liveGame.over || (liveGame.ply > ply && liveGame.mover === 0));
  }
}

test("a whole game; nothing hidden is on the wire before its end, everything after it", async () => {
  const { page, context, errors, close } = await bench.visit("#/play");
  const wire = await tap(context, page);
  const seated = await start(page, "guess");
  const [key] = seated.keys;
  const mine = listenTo(`${bench.server.url}/api/tables/${seated.id}/events?key=${key}`);
  const spectator = listenTo(`${bench.server.url}/api/tables/${seated.id}/events`);
  await buttonOf(page, "Ready").waitFor();
  await setUp(page, "BCFG");
  expect(await badOnes(page)).toBe("BCFG");
  await keepScreen(page, "geister-setup");
  await Promise.all([page.waitForResponse((one) => one.url().endsWith("/action")), buttonOf(page, "Ready").click()]);
  await mayGoOn(page);
  expect((await liveGameNow(bench.server.url, seated)).steps[0]?.action).toBe("BCFG");
  await page.getByRole("checkbox", { name: /opponent's candidates/ }).check();
  await keepScreen(page, "geister-begun");
  expect((await ask(bench.server.url, `/api/tables/${seated.id}/record?form=json`)).status).not.toBe(200);
  await playOn(page, seated);

  const over = await liveGameNow(bench.server.url, seated);
  expect(over.over).toBe(true);
  await until("the streams tell the end", async () => mine.read() + spectator.read(), (text) => (text.match(/"over":true/g) ?? []).length > 1);
  mine.stop();
  spectator.stop();
  await wire.settled();
  const all = [...wire.messages, ...messagesOf(mine.read()), ...messagesOf(spectator.read())];
  expect(wire.messages.filter(({ from }) => from === "step").length).toBeGreaterThan(4);
  expect(messagesOf(mine.read()).length).toBeGreaterThan(4);
  expect(leaksOf(all)).toEqual([]);
  const public0 = messagesOf(spectator.read()).filter(({ text }) => !isAfterTheEnd(text));
  expect(public0.filter(({ text }) => /"side":0,"letter":"\w","at":\[[^\]]*\],"fate":"board","colour":"(red|blue)"/.test(text))).toEqual([]);

  expect(over.state.game === "geister" && over.state.pieces.every(({ colour }) => colour !== "unknown")).toBe(true);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  expect(await boardOf(page).locator(".gst-unknown").count()).toBe(0);
  await keepScreen(page, "geister-over");
  expect(errors).toEqual([]);
  await close();
});

test("a turn that showed a colour cannot be taken back, and the page gives the reason", async () => {
  const { answer: seated } = await ask<Seated>(bench.server.url, "/api/tables", { game: "geister", seats: [{ kind: "human" }, { kind: "human" }] });
  const play = async (actions: string[], from: number) => {
    for (const [at, action] of actions.entries()) {
      const { status } = await ask(bench.server.url, `/api/tables/${seated.id}/action`, { key: seated.keys[(from + at) % 2], ply: from + at, action });
      expect(status).toBe(200);
    }
  };
  await play(["BCFG", "ABEF", "AN", "HE", "AN", "HW"], 0);
  const { page, errors, close } = await bench.visit(`#/play/${seated.id}?key=${seated.keys[0]}`);
  const why = page.getByText("This turn revealed hidden information or a result of chance and cannot be taken back.");
  await until("it can be taken back", async () => buttonOf(page, /^Take back/).isEnabled(), (is) => is);
  expect(await why.count()).toBe(0);
  await play(["AN"], 6);
  await why.waitFor();
  expect(await buttonOf(page, /^Take back/).isEnabled()).toBe(false);
  const refused = await ask<{ error: string }>(bench.server.url, `/api/tables/${seated.id}/take-back`, { key: seated.keys[0] });
  expect([refused.status, refused.answer.error]).toEqual([409, "what was played since then showed you something hidden, so it cannot be taken back"]);
  expect(errors).toEqual([]);
  await close();
});

test("the check finds secrets in a message that has them", () => {
  const piece = { side: 1, letter: "A", at: [1, 1], fate: "board", colour: "red" };
  expect(leaks({ steps: [{ state: { pieces: [piece] } }] })).toEqual(["colour of A"]);
  expect(leaks({ text: "board=14R24R34R44R15B25B35B45B41u31R21u11u40u30u20u10u" })).toEqual(["31R in the text"]);
  expect(leaks({ action: "ABCD", did: { kind: "setup", side: 1, reds: "ABCD" } })).toEqual(["the set-up's action", "the set-up"]);
  expect(leaks({ thoughts: { side: 1, candidates: [] } })).toEqual(["thoughts"]);
});

/** A game of two people by the API, with the second one's set-up; all messages to the first one's browser. */
async function wireOf(reds: string): Promise<string[]> {
  const { answer: seated } = await ask<Seated>(bench.server.url, "/api/tables", { game: "geister", seats: [{ kind: "human" }, { kind: "human" }] });
  const [first, second] = seated.keys;
  const stream = listenTo(`${bench.server.url}/api/tables/${seated.id}/events?key=${first}`);
  await until("the beginning", async () => messagesOf(stream.read()), (all) => all.length > 0);
  const plays = [[first, "ABCD"], [second, reds], [first, "AN"], [second, "AN"], [first, "AN"], [second, "DE"], [first, "EN"], [second, "BN"]] as const;
  for (const [ply, [key, action]] of plays.entries()) {
    const { status } = await ask(bench.server.url, `/api/tables/${seated.id}/action`, { key, ply, action });
    expect(status).toBe(200);
  }
  const whole = JSON.stringify((await ask(bench.server.url, `/api/tables/${seated.id}?key=${first}`)).answer);
  await until("all steps have come", async () => messagesOf(stream.read()), (all) => all.some(({ text }) => text.includes(`"ply":${plays.length}`)));
  stream.stop();
  // Its name, the time of day and the time that was taken are other ones each time.
  const plain = (text: string) => text.replaceAll(seated.id, "ID").replace(/"created":"[^"]*"/g, "").replace(/"ms":[\d.]+/g, "");
  return [...messagesOf(stream.read()).map(({ text }) => plain(text)), plain(whole)];
}

/** A finger goes from one cell to another; the browser decides whether it scrolls. */
async function dragByFinger(page: Page, from: Place, to: Place): Promise<void> {
  const boxes = [await cellOf(page, from).boundingBox(), await cellOf(page, to).boundingBox()];
  const [begin, end] = boxes.map((box) => ({ x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }));
  if (begin === undefined || end === undefined) throw new Error("the board is not to be seen");
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [begin]);
  for (let share = 0.2; share <= 1; share += 0.2)
    await touch("touchMove", [{ x: begin.x + (end.x - begin.x) * share, y: begin.y + (end.y - begin.y) * share }]);
  await touch("touchEnd", []);
}

test("ghosts are placed by a finger on a phone; the page does not scroll away", async () => {
  const { page, close } = await bench.visit("#/play?game=geister", { touch: true, width: 390, height: 560 });
  await begun(page, () => buttonOf(page, "Start game").click());
  await cellOf(page, [1, 5]).scrollIntoViewIfNeeded();
  const letters = ["A", "B", "C", "D", "E", "F", "G", "H"];
  const placeOf = (letter: string): Place => [1 + (letters.indexOf(letter) % 4), letter < "E" ? 4 : 5];
  const before = await badOnes(page);
  const bad = before[0] as string;
  const good = letters.find((letter) => !before.includes(letter)) as string;
  const scrolled = await page.evaluate(() => scrollY);
  await dragByFinger(page, placeOf(bad), placeOf(good));
  const wanted = (before.replace(bad, "") + good).split("").sort().join("");
  await until("they are swapped", () => badOnes(page), (now) => now === wanted);
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  await close();
});

test("two games that differ only in what is hidden look the same, to the byte", async () => {
  const [one, other] = [await wireOf("ABCD"), await wireOf("EFGH")];
  expect(one.length).toBeGreaterThan(8);
  expect(other).toEqual(one);
});

test("between two people at one screen the board is covered", async () => {
  const { page, close } = await bench.visit("#/play?game=geister");
  await page.getByRole("radio", { name: /^Two people, one screen/ }).check();
  const seated = await begun(page, () => buttonOf(page, "Start game").click());
  await buttonOf(page, /^I am First/).click();
  await sentSetup(page);
  await buttonOf(page, /^I am Second/).waitFor();
  expect(await boardOf(page).count()).toBe(0);
  await keepScreen(page, "geister-curtain");
  await buttonOf(page, /^I am Second/).click();
  await sentSetup(page);
  await buttonOf(page, /^I am First/).click();
  await boardOf(page).waitFor();
  expect(await boardOf(page).locator('[data-piece^="1"]:not(:has(.gst-unknown))').count()).toBe(0);
  expect((await liveGameNow(bench.server.url, seated)).ply).toBe(2);
  await close();
});

async function sentSetup(page: Page): Promise<void> {
  await Promise.all([page.waitForResponse((one) => one.url().endsWith("/action")), buttonOf(page, "Ready").click()]);
}
