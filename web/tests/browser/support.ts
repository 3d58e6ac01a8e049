// SPDX-License-Identifier: MIT
//
// What the tests in a browser share: a server of one's own on a free port with an empty data folder, Debian's Chromium,
// and a page that writes down every request and every error.
//
// No step may depend on speed: every step waits for its condition, and the time limits only end failed waits.
// SENJUTSU_SLOWER=6 makes every page six times slower than the server, to find out.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";

const slower = Number(process.env["SENJUTSU_SLOWER"] ?? "1");
const PATIENCE_MS = 120_000;

export const program = process.env["SENJUTSU"] ?? fileURLToPath(new URL("../../../build/senjutsu", import.meta.url));
export const screens = process.env["SENJUTSU_SCREENS"] ?? "";

export interface Server {
  url: string;
  data: string;
  stop(): Promise<void>; // as Ctrl-C does; the data folder stays
  again(): Promise<Server>; // in place of one that was stopped: same address, same data
  remove(): Promise<void>;
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), "senjutsu-data-"));

/** Starts `senjutsu serve`. Two games of a job at a time on any machine: with sixty cores a job of thirty games is done at
 *  once. */
export function startServer(data = newFolder()): Promise<Server> {
  return launch(["serve", "--data", data, "--jobs", "2"], data);
}

/** Starts a command that serves a page, with its data in a folder. */
export async function launch(command: string[], data: string, port = "0"): Promise<Server> {
  const child = spawn(program, [...command, "--port", port], { stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => void child.kill();
  process.once("exit", kill); // also when a test was aborted
  const url = await addressOf(child);
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve())).then(() => void process.off("exit", kill));
  const stop = async () => {
    child.kill("SIGINT");
    await ended;
  };
  return {
    url,
    data,
    stop,
    again: () => launch(command, data, new URL(url).port),
    remove: async () => {
      await stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout?.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      const address = /http:\/\/[^\s/]+/.exec(said);
      if (address !== null) resolve(address[0]);
    });
    child.on("error", reject); // for example, no such program
    child.on("exit", (status) => reject(new Error(`senjutsu ended with status ${status}: ${said}`)));
  });
}

/** A server and the browser, for all tests of a file. */
export interface Workbench {
  server: Server;
  browser: Browser;
  visit(address: string, options?: VisitOptions): Promise<Visit>; // for example "#/play"; every visitor is another one
  restart(): Promise<void>; // of the server that was stopped: same address, same data
}

/** Called once in a file, before its own hooks. */
export function useWorkbench(start: () => Promise<Server> = startServer): Workbench {
  const bench = {} as Workbench;
  beforeAll(async () => {
    [bench.server, bench.browser] = await Promise.all([start(), chromium.connect(inject("browser"))]);
  });
  afterAll(async () => {
    await bench.browser?.close(); // the connection, with all visits through it
    await bench.server?.remove();
  });
  bench.visit = (address, options = {}) => visit(bench.browser, new URL(address, bench.server.url).href, options);
  bench.restart = async () => void (bench.server = await bench.server.again());
  return bench;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  requests: string[]; // every address that was asked for
  errors: string[]; // errors of the page: exceptions, refused resources, errors in the console
  close(): Promise<void>;
}

export interface VisitOptions {
  language?: "en" | "ja";
  width?: number;
  height?: number;
  dark?: boolean;
  touch?: boolean;
}

async function visit(browser: Browser, url: string, options: VisitOptions): Promise<Visit> {
  const context = await browser.newContext({
    locale: options.language === "ja" ? "ja-JP" : "en-GB",
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.dark === true ? "dark" : "light",
    hasTouch: options.touch ?? false,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  if (slower > 1) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: slower });
  const requests: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(url);
  return { page, context, requests, errors, close: () => context.close() };
}

/** The server's answer to a request that does not come from the page. */
export async function ask<Answer>(url: string, path: string, body?: unknown): Promise<{ status: number; answer: Answer }> {
  const sent = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(url + path, sent);
  return { status: response.status, answer: (await response.json()) as Answer };
}

/** Waits until a question has the expected answer; on timeout the error contains the last answer. */
export async function until<Value>(what: string, look: () => Promise<Value>, isFine: (value: Value) => boolean): Promise<Value> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await look();
    if (isFine(value)) return value;
    if (performance.now() > end) throw new Error(`${what}: waited ${PATIENCE_MS / 1000} s; the last was ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Saves a screenshot, for people: the whole page, or the part that fits into the window. */
export async function keepScreen(page: Page, name: string, fullPage = true): Promise<void> {
  if (screens === "") return;
  mkdirSync(screens, { recursive: true });
  await page.evaluate(() => scrollTo(0, 0)); // what sticks to the window's edge would lie over the middle
  const shoot = (timeout: number) => page.screenshot({ path: join(screens, `${name}.png`), fullPage, timeout });
  // Once in some hundred times, on a busy machine, Chromium does not answer; asked again it does.
  await shoot(PATIENCE_MS / 6).catch(() => shoot(PATIENCE_MS));
}

/** What was saved from the page. */
export async function savedFile(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) };
}
