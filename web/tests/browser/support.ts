// SPDX-License-Identifier: MIT
//
// What the tests in a browser share: a server of one's own on a free port with an empty data folder, Debian's Chromium,
// and a page that writes down every request and every error.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const program = process.env["SENJUTSU"] ?? fileURLToPath(new URL("../../../build/senjutsu", import.meta.url));
export const screens = process.env["SENJUTSU_SCREENS"] ?? join(tmpdir(), "senjutsu-screens");

export interface Server {
  url: string;
  data: string;
  stop(): Promise<void>; // as Ctrl-C does; the data folder stays
  remove(): Promise<void>;
}

/** Starts `senjutsu serve`; with `data` and `port` in place of one that was stopped. */
export async function startServer(data = mkdtempSync(join(tmpdir(), "senjutsu-data-")), port = "0"): Promise<Server> {
  const child = spawn(program, ["serve", "--port", port, "--data", data], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill()); // also when a test was broken off
  const url = await addressOf(child);
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGINT");
    await ended;
  };
  return {
    url,
    data,
    stop,
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
    child.on("error", reject); // there is no such program, say
    child.on("exit", (status) => reject(new Error(`senjutsu serve ended with status ${status}: ${said}`)));
  });
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
  });
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  requests: string[]; // every address that was asked for
  errors: string[]; // what the page complained about: exceptions, refused resources, errors in the console
  close(): Promise<void>;
}

export interface VisitWishes {
  language?: "en" | "ja";
  width?: number;
  height?: number;
  dark?: boolean;
  touch?: boolean;
}

export async function visit(browser: Browser, url: string, wishes: VisitWishes = {}): Promise<Visit> {
  const context = await browser.newContext({
    locale: wishes.language === "ja" ? "ja-JP" : "en-GB",
    viewport: { width: wishes.width ?? 1280, height: wishes.height ?? 900 },
    colorScheme: wishes.dark === true ? "dark" : "light",
    hasTouch: wishes.touch ?? false,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(url);
  return { page, context, requests, errors, close: () => context.close() };
}

/** What the server answers to a request that is not the page's own. */
export async function ask<Answer>(url: string, path: string, body?: unknown): Promise<{ status: number; answer: Answer }> {
  const sent = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(url + path, sent);
  return { status: response.status, answer: (await response.json()) as Answer };
}

/** Waits until a question has the wished answer; what it was last is told when it never has. */
export async function until<Value>(what: string, look: () => Promise<Value>, isFine: (value: Value) => boolean, seconds = 30): Promise<Value> {
  const end = performance.now() + 1000 * seconds;
  for (;;) {
    const value = await look();
    if (isFine(value)) return value;
    if (performance.now() > end) throw new Error(`${what}: waited ${seconds} s; the last was ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Keeps a picture of what is seen, for people to look at: the whole page, or what fits into the window. */
export async function keepScreen(page: Page, name: string, fullPage = true): Promise<void> {
  mkdirSync(screens, { recursive: true });
  await page.evaluate(() => scrollTo(0, 0)); // what sticks to the window's edge would lie over the middle
  await page.screenshot({ path: join(screens, `${name}.png`), fullPage });
}
