// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { href, readRoute } from "../../src/app/route";
import { isScreen, jobHref, screenNames } from "../../src/app/screens";

describe("addresses", () => {
  it("reads screen, rest and query", () => {
    expect(readRoute("#/play/abc?key=K1%2CK2")).toEqual({ screen: "play", rest: ["abc"], query: { key: "K1,K2" } });
  });

  it("begins at the start", () => {
    for (const hash of ["", "#", "#/"]) expect(readRoute(hash)).toEqual({ screen: "", rest: [], query: {} });
  });

  it("keeps every sign of a name on the way there and back", () => {
    const names = ["mine/first try", "a?b=c&d", "地図", "50%"];
    for (const name of names) expect(readRoute(href("maps", [name], { from: name }))).toEqual({ screen: "maps", rest: [name], query: { from: name } });
  });

  it("does not break on a broken address", () => {
    expect(readRoute("#/maps/50%/a%E3")).toEqual({ screen: "maps", rest: ["50%", "a%E3"], query: {} });
  });

  it("accepts every screen and nothing else", () => {
    expect(screenNames).toHaveLength(7);
    expect(screenNames.every(isScreen)).toBe(true);
    for (const name of ["", "toString", "constructor", "Play"]) expect(isScreen(name)).toBe(false);
  });

  it("leads from every kind of job to the screen that shows it", () => {
    const places = (["match", "tournament", "judge", "evolve", "repro"] as const).map((kind) => jobHref({ id: "j1", kind, title: "tbs-fig4" }));
    expect(places).toEqual(["#/tournaments/j1", "#/tournaments/j1", "#/maps/judge/j1", "#/maps/evolve/j1", "#/experiments/tbs-fig4/j1"]);
    expect(places.every((place) => isScreen(readRoute(place).screen))).toBe(true);
  });
});
