// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { clock, duration, number, percent, short, signed, time } from "../../src/app/format";

describe("numbers", () => {
  it("groups, rounds and has a real minus", () => {
    expect(number(12345, 0, "en")).toBe("12,345");
    expect(number(-1.25, 1, "ja")).toBe("\u22121.3");
    expect(signed(3, 0, "en")).toBe("+3");
    expect(signed(-3, 0, "en")).toBe("\u22123");
    expect(signed(0, 0, "en")).toBe("0");
    expect(signed(0.02, 1, "en")).toBe("0.0");
  });

  it("formats shares as each language writes them", () => {
    expect(percent(0.531, 1, "en")).toBe("53.1\u202f%");
    expect(percent(0.531, 0, "ja")).toBe("53%");
    expect(percent(1, 1, "ja")).toBe("100.0%");
  });

  it("formats large counts in short form", () => {
    expect(short(9_999, "en")).toBe("9,999");
    expect(short(12_345, "en")).toBe("12.3\u202fk");
    expect(short(1_234_567, "en")).toBe("1.23\u202fM");
    expect(short(2_500_000_000, "en")).toBe("2.50\u202fG");
    expect(short(1_234_567, "ja")).toBe("123万");
    expect(short(250_000_000, "ja")).toBe("2.50億");
  });
});

describe("time", () => {
  it("formats durations in two parts at most", () => {
    expect(duration(0.42, "en")).toBe("0.4\u202fs");
    expect(duration(59.6, "en")).toBe("1\u202fmin");
    expect(duration(185, "en")).toBe("3\u202fmin 5\u202fs");
    expect(duration(7440, "ja")).toBe("2時間4分");
    expect(duration(90_000, "en")).toBe("1\u202fd 1\u202fh");
    expect(duration(3600, "en")).toBe("1\u202fh");
  });

  it("shows clocks with tenths at the end only, and never below nothing", () => {
    expect(clock(83_999)).toBe("1:23");
    expect(clock(10_000)).toBe("0:10");
    expect(clock(9_449)).toBe("9.4");
    expect(clock(3_725_000)).toBe("1:02:05");
    expect(clock(-5)).toBe("0.0");
  });

  it("formats today's moments by their time alone", () => {
    const now = new Date(2026, 10, 16, 12, 0);
    expect(time(new Date(2026, 10, 16, 9, 5).toISOString(), "en", now)).toBe("09:05");
    expect(time(new Date(2026, 10, 14, 9, 5).toISOString(), "en", now)).toMatch(/14 Nov.*09:05/);
    expect(time(new Date(2025, 10, 14, 9, 5).toISOString(), "ja", now)).toMatch(/2025年11月14日.*9:05/);
    expect(time("", "en", now)).toBe("");
    expect(time("yesterday", "en", now)).toBe("yesterday");
  });
});
