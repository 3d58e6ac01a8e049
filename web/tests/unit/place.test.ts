// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { readRoute } from "../../src/app/route";
import { placeOf } from "../../src/app/screens";
import { titleOf } from "../../src/app/title";

describe("arriving somewhere", () => {
  it("is another place for another event, and not for another run of an experiment", () => {
    const at = (hash: string) => placeOf(readRoute(hash));
    expect(at("#/tournaments")).not.toBe(at("#/tournaments/abc"));
    expect(at("#/watch/job/abc/1")).not.toBe(at("#/watch/job/abc/2"));
    expect(at("#/experiments/tbs-fig4/abc")).toBe(at("#/experiments/tbs-fig4/xyz"));
    expect(at("#/experiments/tbs-fig4")).not.toBe(at("#/experiments/tbs-fig5"));
    expect(at("#/maps/bridge")).toBe(at("#/maps"));
    expect(at("#/watch/abc?at=3")).toBe(at("#/watch/abc?at=4"));
  });

  it("has a title with the place", () => {
    expect(titleOf(["Spring cup", "Tournaments"])).toBe("Spring cup · Tournaments · senjutsu");
    expect(titleOf(["", "Play"])).toBe("Play · senjutsu");
    expect(titleOf(["", ""])).toBe("senjutsu");
  });
});
