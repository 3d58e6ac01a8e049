// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import type { LiveGame, Side, Study, StudyGame, StudyMap, StudyNext, TbsFacts } from "../../src/api/types";
import { withOpponent } from "../../src/study/game";
import { powerOf } from "../../src/study/facts";
import {
  cleaned,
  draftOf,
  dropDraft,
  extraGame,
  forget,
  HELD_NOTHING,
  keepDraft,
  keepKey,
  keptKey,
  lengthOf,
  missing,
  ownData,
  paragraphs,
  placeOf,
  progressOf,
  readLink,
  stepOf,
  turnOf,
  valuesOf,
  visitOf,
} from "../../src/study/logic";

const both = (en: string) => ({ en, ja: `${en}（日本語）` });

const game = (map: number, side: Side, number: number, over: boolean): StudyGame => ({
  map, side, game: number, id: `table${map}${side}${number}`, key: "seat", over, won: over ? 0.5 : null,
});

const mapOf = (map: number, state: StudyMap["state"], games: StudyGame[], sides: [Side, Side] = [0, 1]): StudyMap => ({
  map, state, sides, games, ratings: state === "done" ? { fun: 3 } : {}, comment: "",
});

function studyOf(stage: Study["stage"], next: StudyNext, maps: StudyMap[]): Study {
  return {
    title: both("Maps"), consent_text: both("Text"), name_max: 10, comment_max: 20, about_questions: [],
    questions: [{ id: "handmade", text: both("By hand?"), low: both("no"), high: both("yes") }, { id: "fun", text: both("Fun?"), low: both("no"), high: both("yes") }],
    scale: [1, 5], stage, key: "person", language: "en", name: "", about: {}, maps, comment: "", next,
  };
}

/** A storage that behaves as a browser's: its names are its own properties. */
function fakeStorage(): Storage {
  const store = Object.create({
    getItem(this: Record<string, string>, name: string) { return this[name] ?? null; },
    setItem(this: Record<string, string>, name: string, value: string) { this[name] = value; },
    removeItem(this: Record<string, string>, name: string) { delete this[name]; },
  }) as Storage;
  return store;
}

describe("links of a study", () => {
  it("are a participant's own, or open", () => {
    expect(readLink("#/p/abc123")).toEqual({ participant: "abc123" });
    expect(readLink("#/open/xyz")).toEqual({ open: "xyz" });
  });

  it.each(["", "#", "#/", "#/p", "#/p/", "#/q/abc", "#/p/abc/def"])("are nothing else: %s", (hash) => expect(readLink(hash)).toBeNull());
});

describe("the steps of a participant", () => {
  const first = { do: "game", map: 0, side: 1, game: 1 } as const;

  it("begin with the consent and end with thanks", () => {
    expect(stepOf(studyOf("consent", { do: "consent" }, []), HELD_NOTHING)).toEqual({ show: "welcome" });
    expect(stepOf(studyOf("closing", { do: "finish" }, []), HELD_NOTHING)).toEqual({ show: "closing" });
    expect(stepOf(studyOf("finished", { do: "nothing" }, [mapOf(0, "done", [game(0, 0, 1, true)])]), { game: "table001", map: 0 })).toEqual({ show: "thanks" });
  });

  it("start a game, or go on with the one that was started", () => {
    const maps = (games: StudyGame[]) => studyOf("maps", first, [mapOf(0, "open", games, [1, 0])]);
    expect(stepOf(maps([]), HELD_NOTHING)).toEqual({ show: "start", map: 0, side: 1, game: 1 });
    expect(stepOf(maps([game(0, 0, 1, true)]), HELD_NOTHING)).toMatchObject({ show: "start" }); // of the other side
    expect(stepOf(maps([game(0, 1, 2, false)]), HELD_NOTHING)).toMatchObject({ show: "start" }); // another number
    expect(stepOf(maps([game(0, 1, 1, false)]), HELD_NOTHING)).toMatchObject({ show: "game", game: { id: "table011" } });
  });

  it("stay with a game until its end was read", () => {
    const study = studyOf("maps", { do: "rate", map: 0 }, [mapOf(0, "open", [game(0, 0, 1, true), game(0, 1, 1, true)])]);
    expect(stepOf(study, { game: "table011", map: null })).toMatchObject({ show: "game", game: { id: "table011" } });
    expect(stepOf(study, HELD_NOTHING)).toEqual({ show: "rate", map: 0 });
    expect(stepOf(study, { game: "unknown", map: null })).toEqual({ show: "rate", map: 0 });
  });

  it("go back to a map that was rated, and to no other", () => {
    const maps = [mapOf(0, "done", []), mapOf(1, "open", [])];
    const study = studyOf("maps", { do: "game", map: 1, side: 0, game: 1 }, maps);
    expect(stepOf(study, { game: null, map: 0 })).toEqual({ show: "rate", map: 0 });
    expect(stepOf(study, { game: null, map: 1 })).toMatchObject({ show: "start", map: 1 });
  });

  it("have different names where the page starts at its top", () => {
    const steps = [stepOf(studyOf("maps", first, [mapOf(0, "open", [])]), HELD_NOTHING), { show: "rate", map: 0 } as const, { show: "rate", map: 1 } as const, { show: "thanks" } as const];
    expect(new Set(steps.map(placeOf)).size).toBe(4);
  });

  it("count: three a map, and the end", () => {
    const maps = [mapOf(0, "done", [game(0, 0, 1, true), game(0, 1, 1, true)]), mapOf(1, "open", [game(1, 1, 1, true), game(1, 1, 2, true), game(1, 0, 1, false)], [1, 0]), mapOf(2, "waiting", [])];
    expect(progressOf(studyOf("maps", first, maps))).toEqual({ done: 4, all: 10 }); // a further game is no step
    expect(progressOf(studyOf("finished", { do: "nothing" }, maps))).toEqual({ done: 10, all: 10 });
  });

  it("name the games of a map in its order of sides", () => {
    const map = mapOf(0, "open", [], [1, 0]);
    expect([turnOf(map, 1), turnOf(map, 0)]).toEqual([1, 2]);
  });

  it("allow a further game, and go on with one that was begun", () => {
    const map = mapOf(0, "open", [game(0, 0, 1, true), game(0, 1, 2, false), game(0, 1, 1, true)]);
    expect(extraGame(map, 0)).toEqual({ number: 2, goesOn: null });
    expect(extraGame(map, 1)).toMatchObject({ number: 3, goesOn: { game: 2 } });
    expect(extraGame(mapOf(0, "open", []), 0)).toEqual({ number: 1, goesOn: null });
  });
});

describe("answers", () => {
  const study = studyOf("maps", { do: "rate", map: 0 }, []);

  it("are missing in the order of the questions", () => {
    expect(missing(study, {})).toEqual(["handmade", "fun"]);
    expect(missing(study, { handmade: 1 })).toEqual(["fun"]);
    expect(missing(study, { handmade: 5, fun: 1 })).toEqual([]);
    expect(valuesOf(study.scale)).toEqual([1, 2, 3, 4, 5]);
  });

  it("are counted in characters, and hold no control characters", () => {
    expect(lengthOf("a𠮷あ")).toBe(3);
    expect(cleaned(" a\r\nb\rc\td\u0007e\u007f ")).toBe("a\nb\nc d e");
  });

  it("have paragraphs where lines are empty", () => expect(paragraphs("one\nline\n\n \n\ntwo\n")).toEqual(["one\nline", "two"]));
});

describe("what the browser keeps", () => {
  it("is one visit of an open link, and its participant", () => {
    const store = fakeStorage();
    const visit = visitOf("code", store);
    expect(visit).toMatch(/^[0-9a-f]{32}$/);
    expect(visitOf("code", store)).toBe(visit);
    expect(visitOf("other", store)).not.toBe(visit);
    expect(keptKey("code", store)).toBeNull();
    keepKey("code", "person", store);
    expect([keptKey("code", store), visitOf("code", store), keptKey("other", store)]).toEqual(["person", visit, null]);
  });

  it("is the answers that were not sent, over those that were", () => {
    const store = fakeStorage();
    const saved = { ratings: { fun: 2 }, comment: "sent" };
    expect(draftOf("person", 0, saved, store)).toEqual(saved);
    keepDraft("person", 0, { ratings: { handmade: 4 }, comment: "" }, store);
    expect(draftOf("person", 0, saved, store)).toEqual({ ratings: { fun: 2, handmade: 4 }, comment: "" });
    expect(draftOf("person", 1, saved, store)).toEqual(saved);
    expect(draftOf("other", 0, saved, store)).toEqual(saved);
    dropDraft("person", 0, store);
    expect(draftOf("person", 0, saved, store)).toEqual(saved);
  });

  it("is nothing where it is damaged or forbidden", () => {
    const store = fakeStorage();
    store.setItem("senjutsu.study.open.code", "{");
    store.setItem("senjutsu.study.draft.person.0", "7");
    expect(keptKey("code", store)).toBeNull();
    expect(draftOf("person", 0, { ratings: {}, comment: "sent" }, store).comment).toBe("sent");
    expect(visitOf("code", null)).toMatch(/^[0-9a-f]{32}$/);
  });

  it("is forgotten for one participant only", () => {
    const store = fakeStorage();
    for (const [code, key] of [["a", "person"], ["b", "other"]] as const) {
      keepKey(code, key, store);
      keepDraft(key, 0, { ratings: {}, comment: "text" }, store);
    }
    store.setItem("senjutsu.language", "person");
    forget("person", store);
    expect(Object.keys(store).sort()).toEqual(["senjutsu.language", "senjutsu.study.draft.other.0", "senjutsu.study.open.b"]);
  });
});

describe("one's own data", () => {
  it("are the answers and the actions, without the secrets of links and seats", () => {
    const maps = [{ ...mapOf(0, "done", [game(0, 0, 1, true), game(0, 1, 1, true)]), comment: "small" }];
    const played = { id: "table001", steps: [{ action: "0:1,2" }, { action: null }] } as unknown as LiveGame;
    const text = ownData({ ...studyOf("finished", { do: "nothing" }, maps), name: "me" }, [played], "ja");
    expect(JSON.parse(text)).toMatchObject({
      study: "Maps（日本語）",
      name: "me",
      maps: [{ map: 1, comment: "small", ratings: { fun: 3 }, games: [{ side: 0, actions: ["0:1,2", ""] }, { side: 1, actions: [] }] }],
    });
    for (const secret of ["person", "seat", "table001"]) expect(text).not.toContain(secret);
  });
});

describe("a game of a study", () => {
  it("does not say which player it is against", () => {
    const seats = [{ kind: "human", name: "", spec: "" }, { kind: "player", name: "uct:sims=9", spec: "uct:sims=9" }];
    expect(withOpponent({ seats } as unknown as LiveGame, "Computer").seats.map(({ name }) => name)).toEqual(["", "Computer"]);
  });

  it("shows the damage of its own rules", () => {
    const facts = { rules: [{ name: "tubstap", power: [[1]] }, { name: "paper", power: [[2]] }] } as unknown as TbsFacts;
    expect([powerOf(facts, "paper"), powerOf(facts, undefined), powerOf(facts, "other")]).toEqual([[[2]], [[1]], [[1]]]);
  });
});
