// SPDX-License-Identifier: MIT
//
// Checks for any screen, without its details: one heading on top, a name for everything that can be pressed or filled
// in, pictures with words, nothing wider than the window.

import type { Page } from "playwright-core";

export interface Findings {
  language: string;
  headings: number; // of the first level
  nameless: string[];
  wordless: string[]; // pictures
  twice: string[]; // ids
  english: string[]; // where the language is Japanese
  wide: string[]; // what reaches beyond the window, when the page can be scrolled sideways
}

/** Runs in the page: it must not use anything from outside. */
function look(): Findings {
  const isSeen = (one: Element): boolean => one.checkVisibility({ visibilityProperty: true }) && one.closest('[aria-hidden="true"]') === null;
  const words = (one: Element): string => {
    if (one.getAttribute("aria-hidden") === "true") return "";
    const label = one.getAttribute("aria-label") ?? one.getAttribute("alt") ?? "";
    if (label !== "") return label;
    return Array.from(one.childNodes, (child) => (child instanceof Element ? words(child) : (child.textContent ?? ""))).join(" ").trim();
  };
  const nameOf = (one: Element): string => {
    const by = (one.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
    const labels = one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement ? Array.from(one.labels ?? [], words).join(" ") : "";
    return by || words(one) || labels.trim() || one.getAttribute("title") || "";
  };
  const told = (one: Element): string => one.cloneNode(false) instanceof Element ? (one.cloneNode(false) as Element).outerHTML.slice(0, 120) : "";
  const all = (selector: string): Element[] => Array.from(document.querySelectorAll(selector)).filter(isSeen);
  const active = 'button, a[href], input:not([type="hidden"]), select, textarea, summary, [role="button"], [role="tab"], [role="application"], [role="dialog"], [role="region"], [role="slider"]';
  const isEnglish = (text: string): boolean => /[A-Za-z]{2,} [A-Za-z]{2,}/.test(text.replace(/「[^」]*」/g, "").replace(/\s+/g, " "));
  const said = (one: Element): string[] => ["title", "aria-label", "placeholder", "alt"].map((name) => one.getAttribute(name) ?? "").concat(Array.from(one.childNodes, (child) => (child instanceof Text ? child.data : "")));
  const spoken = Array.from(document.querySelectorAll("title, body *")).filter((one) => one.closest("script, style, noscript, code, pre") === null).flatMap(said);
  const ids = Array.from(document.querySelectorAll("[id]"), (one) => one.id);
  const edge = document.documentElement.clientWidth;
  const isWide = document.documentElement.scrollWidth > edge;
  const beyond = isWide ? all("body *").filter((one) => one.getBoundingClientRect().right > edge + 1) : [];
  return {
    language: document.documentElement.lang,
    headings: all("h1").length,
    nameless: all(active).filter((one) => nameOf(one) === "").map(told),
    wordless: all('img:not([alt]), svg[role="img"]:not([aria-label]):not([aria-labelledby])').map(told),
    english: document.documentElement.lang === "ja" ? spoken.filter(isEnglish) : [],
    twice: ids.filter((id, at) => ids.indexOf(id) !== at),
    wide: beyond.slice(0, 3).map(told),
  };
}

export function audit(page: Page): Promise<Findings> {
  return page.evaluate(look);
}
