// SPDX-License-Identifier: MIT
//
// Numbers, shares, times and durations, in the current language. In one place, so that 53.1 % looks the same
// everywhere.

import { language, type Language } from "./text";

const locales: Record<Language, string> = { en: "en-GB", ja: "ja-JP" };
const formats = new Map<string, Intl.NumberFormat>();

function numberFormat(at: Language, digits: number): Intl.NumberFormat {
  const key = `${at}${digits}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locales[at], { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(key, format);
  }
  return format;
}

/** 12345 as "12,345"; `digits` behind the point. With a true minus sign. */
export function number(value: number, digits = 0, at = language()): string {
  return numberFormat(at, digits).format(value).replace("-", "\u2212");
}

/** 0.531 as "53.1 %" (English) or "53.1%" (Japanese). */
export function percent(share: number, digits = 1, at = language()): string {
  return `${number(share * 100, digits, at)}${at === "en" ? "\u202f%" : "%"}`;
}

/** "+12.5", "−3": the sign is always there, except for zero. */
export function signed(value: number, digits = 0, at = language()): string {
  const text = number(value, digits, at);
  return Number(value.toFixed(digits)) > 0 ? `+${text}` : text;
}

/** Large counts short: 1234567 as "1.23 M" or "123万". */
export function short(value: number, at = language()): string {
  const units: [number, string][] =
    at === "en"
      ? [
          [1e9, "\u202fG"],
          [1e6, "\u202fM"],
          [1e4, "\u202fk"],
        ]
      : [
          [1e8, "億"],
          [1e4, "万"],
        ];
  const unit = units.find(([size]) => Math.abs(value) >= size);
  if (unit === undefined) return number(value, 0, at);
  const size = at === "en" && unit[0] === 1e4 ? 1e3 : unit[0];
  const shown = value / size;
  return number(shown, Math.abs(shown) < 10 ? 2 : Math.abs(shown) < 100 ? 1 : 0, at) + unit[1];
}

/** Seconds in words of two parts at most: "0.4 s", "12 s", "3 min 5 s", "2 h 4 min"; in Japanese "3分5秒". */
export function duration(seconds: number, at = language()): string {
  const names = at === "en" ? ["\u202fs", "\u202fmin", "\u202fh", "\u202fd"] : ["秒", "分", "時間", "日"];
  const join = at === "en" ? " " : "";
  if (seconds < 10) return `${number(seconds, 1, at)}${names[0]}`;
  const whole = Math.round(seconds);
  const parts = [whole % 60, Math.floor(whole / 60) % 60, Math.floor(whole / 3600) % 24, Math.floor(whole / 86400)];
  const top = [3, 2, 1].find((at) => (parts[at] ?? 0) > 0) ?? 0;
  const words = [`${parts[top]}${names[top]}`];
  const below = top > 0 ? parts[top - 1] : 0;
  if (below) words.push(`${below}${names[top - 1]}`);
  return words.join(join);
}

/** What a clock shows: 83000 ms as "1:23", below ten seconds with tenths, "9.4". */
export function clock(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** A moment (ISO 8601), short: today only its time. "" stays "". */
export function time(iso: string, at = language(), now = new Date()): string {
  const date = new Date(iso);
  if (iso === "" || Number.isNaN(date.getTime())) return iso;
  const today = date.toDateString() === now.toDateString();
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  const day = today ? {} : ({ month: "short", day: "numeric", ...year } as const);
  return new Intl.DateTimeFormat(locales[at], { hour: "2-digit", minute: "2-digit", ...day }).format(date);
}

/** A moment (ISO 8601) in full, in UTC; other texts stay. */
export function dateWords(iso: string, at = language()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return `${new Intl.DateTimeFormat(locales[at], { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(date)} UTC`;
}
