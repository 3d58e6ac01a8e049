// SPDX-License-Identifier: MIT
//
// Plays as a person does: finds cells by the numbers at the board's edge, clicks marked cells, presses labelled
// buttons.

import type { Locator, Page } from "playwright-core";

import type { NewLiveGameAnswer, LiveGame } from "../../src/api/types";
import { ask, until } from "./support";

export type Place = [x: number, y: number];

export interface Unit {
  id: number;
  side: 0 | 1;
  at: Place;
  hp: number;
  done: boolean;
}

/** A tactical board: the positions of its cells on the screen, and its visible content. */
export class TacticalBoard {
  constructor(
    readonly page: Page,
    readonly board: Locator = page.getByRole("application"),
  ) {}

  /** The middle of a cell: below the number of its column, beside that of its row. */
  async point([x, y]: Place): Promise<{ x: number; y: number }> {
    await this.board.scrollIntoViewIfNeeded();
    const point = await this.board.evaluate((board, [column, row]) => {
      const labels = Array.from(board.querySelectorAll(".board-coordinates text"));
      const columns = labels.findIndex((label, at) => at > 0 && label.textContent === "1"); // the rows begin with 1, too
      const above = labels.slice(0, columns)[column - 1]?.getBoundingClientRect();
      const beside = labels.slice(columns)[row - 1]?.getBoundingClientRect();
      return above && beside && { x: above.x + above.width / 2, y: beside.y + beside.height / 2 };
    }, [x, y] as const);
    if (point === undefined) throw new Error(`the board has no cell ${x},${y}`);
    return point;
  }

  async click(cell: Place): Promise<void> {
    const { x, y } = await this.point(cell);
    await this.page.mouse.click(x, y);
  }

  /** Chooses a unit: then its actions are marked. */
  async select(cell: Place): Promise<void> {
    await this.click(cell);
    await until("the unit is chosen", () => this.marked("selected"), (cells) => cells.some(([x, y]) => x === cell[0] && y === cell[1]));
  }

  async tap(cell: Place): Promise<void> {
    const { x, y } = await this.point(cell);
    await this.page.touchscreen.tap(x, y);
  }

  async hover(cell: Place): Promise<void> {
    const { x, y } = await this.point(cell);
    await this.page.mouse.move(x, y);
  }

  async drag(cells: Place[]): Promise<void> {
    const points = await Promise.all(cells.map((cell) => this.point(cell)));
    const [first, ...others] = points;
    if (first === undefined) return;
    await this.page.mouse.move(first.x, first.y);
    await this.page.mouse.down();
    for (const { x, y } of others) await this.page.mouse.move(x, y, { steps: 4 });
    await this.page.mouse.up();
  }

  marked(mark: string): Promise<Place[]> {
    return this.board.locator(`[data-mark="${mark}"]`).evaluateAll((marks) => marks.map((one): [number, number] => [Number(one.getAttribute("data-x")), Number(one.getAttribute("data-y"))]));
  }

  units(): Promise<Unit[]> {
    return this.board.locator("[data-unit]").evaluateAll((units) =>
      units.map((one) => ({
        id: Number(one.getAttribute("data-unit")),
        side: one.classList.contains("side-0") ? (0 as const) : (1 as const),
        at: [Number(one.getAttribute("data-x")), Number(one.getAttribute("data-y"))] as [number, number],
        hp: Number(one.querySelector(".tbs-hp text")?.textContent),
        done: one.classList.contains("is-done"),
      })),
    );
  }

  notes(): Promise<string[]> {
    return this.board.locator(".board-note").allTextContents();
  }
}

export interface Seated {
  id: string;
  keys: [string | null, string | null];
}

/** Does what starts a game, and returns its identifier. */
export async function begun(page: Page, act: () => Promise<void>): Promise<Seated> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === "POST" && new URL(one.url()).pathname === "/api/tables"),
    act(),
  ]);
  return (await response.json()) as NewLiveGameAnswer;
}

export async function liveGameNow(url: string, seated: Seated): Promise<LiveGame> {
  const keys = seated.keys.filter((key) => key !== null).join(",");
  const { status, answer } = await ask<LiveGame>(url, `/api/tables/${seated.id}?key=${keys}`);
  if (status !== 200) throw new Error(`the table answers ${status}`);
  return answer;
}

export const buttonOf = (page: Page, name: string | RegExp): Locator => page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });

/** It is the turn of this browser's player, or the game is over. */
export async function isOver(page: Page): Promise<boolean> {
  const mine = buttonOf(page, "End turn").and(page.locator(":enabled"));
  const over = page.getByRole("dialog");
  await mine.or(over).first().waitFor();
  return over.isVisible();
}

/** Presses the button that sends an action, and waits until the page is ready. */
export async function acted(page: Page, press: () => Promise<void>): Promise<boolean> {
  await Promise.all([page.waitForResponse((one) => one.url().endsWith("/action")), press()]);
  return isOver(page);
}

const steps = (a: Place, b: Place): number => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);

/** One unit acts: it attacks an enemy, or goes towards one. True: the game is over. */
export async function actOnce(page: Page, board: TacticalBoard, side: 0 | 1): Promise<boolean> {
  const units = await board.units();
  const unit = units.find((one) => one.side === side && !one.done);
  if (unit === undefined) throw new Error("it is our turn, but no unit can act");
  await board.select(unit.at);
  const [target] = await board.marked("attack");
  if (target !== undefined) {
    await board.click(target);
    return acted(page, () => buttonOf(page, /^Attack /).first().click());
  }
  const enemies = units.filter((one) => one.side !== side);
  const far = (cell: Place): number => Math.min(...enemies.map((enemy) => steps(cell, enemy.at)));
  const [nearest] = (await board.marked("reach")).sort((a, b) => far(a) - far(b));
  if (nearest === undefined) throw new Error("a chosen unit can at least stay where it is");
  await board.click(nearest);
  return acted(page, () => buttonOf(page, "Stay here").click());
}

/** Chooses a map in a form that shows one. */
export async function chooseMap(page: Page, name: string): Promise<void> {
  await buttonOf(page, "Change map").click();
  await page.getByRole("searchbox").fill(name);
  await page.getByRole("button").filter({ has: page.getByText(name, { exact: true }) }).click();
}
