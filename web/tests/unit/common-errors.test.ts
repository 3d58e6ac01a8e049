// SPDX-License-Identifier: MIT
import { describe, expect, it } from "vitest";

import { ApiError } from "../../src/api/client";
import { errors_ja, errorText, rulingText } from "../../src/common/errors";

const refused = (error: string, code?: string, args?: string[], prefix?: string) =>
  new ApiError(400, error, undefined, { error, code, args, prefix });

describe("what the server refuses, in Japanese", () => {
  it.each([
    [refused("\"games\": expected a whole number from 1 to 10000", "json.int", ["games", "1", "10000"]), "「games」は1から10000までの整数にしてください。"],
    [refused("uct: sims=-1: expected …", "spec.int", ["sims", "-1", "1", "1000000000"], "uct: "), "uct：sims=-1：1から1000000000までの整数にしてください。"],
    [refused("uct: option 'simz' is unknown; …", "spec.unknown", ["simz", "sims, c"], "uct: "), "uct：「simz」というオプションはありません。使えるのは sims, c です。"],
    [refused("players: entry 2: …", "refused.name_twice", ["2", "random"], "players: "), "players：2番目：「random」という名前はすでにあります。"],
    [refused("acteval on geister: …", "refused.tactical_only", ["acteval", "geister"], "acteval on geister: "), "acteval on geister：acteval は戦術ゲーム専用です（geister では使えません）。"],
    [refused("'zz' is no state; expected board=…", "position.plain", ["zz", "board=…"]), "「zz」は局面として読めません。「board=…」と書いてください。"],
    [refused("there is no map 'nomap'", "refused.no_map", ["nomap"]), "「nomap」というマップはありません。"],
    [refused("about 123456 games; …", "refused.games", ["123456", "10000"]), "約123456局になります。10000局以下にしてください。"],
    [refused("it is not your turn: blue is to move", "refused.turn", ["blue"]), "あなたの手番ではありません（手番は青軍）。"],
    [refused("the most HP is 2; …", "refused.range", ["the most HP", "2", "9", "10"]), "最大HPが2です。9〜10にしてください。"],
    [refused("panzer has no terrain …", "refused.no_ground", ["panzer"]), "戦車の入れる地形がありません。入れる地形の重みがどれも0です。"],
    [refused("it was not done: …", "refused.undone", ["x: cannot be written: full"]), "実行しませんでした：x：cannot be written：full"],
  ])("%s", (error, japanese) => {
    expect(errorText(error, "ja")).toBe(japanese);
    expect(errorText(error, "en")).toBe(error.message);
  });

  it("stays English without a code, and with a new one", () => {
    expect(errorText(refused("here: something else"), "ja")).toBe("here: something else");
    expect(errorText(refused("here: something else", "refused.new", ["x"]), "ja")).toBe("here: something else");
    expect(errorText(new ApiError(500, "500 Internal"), "ja")).toBe("500 Internal");
    expect(errorText(new Error("broken"), "ja")).toBe("broken");
    expect(errorText("a text", "ja")).toBe("a text");
  });

  it.each(Object.entries(errors_ja))("%s ends as a sentence, or with a reason", (_code, text) => expect(text).toMatch(/(。|：\{\d\})$/));
});

describe("a ruling", () => {
  it("is shown in Japanese without the side", () => {
    const comment = "red forfeits: late, after 3.16 s of 3.10 s";
    const late = { comment, comment_message: { code: "ruling.late", args: ["3.16", "3.10"] } };
    expect(rulingText(late, "ja")).toBe("制限の3.10秒に対して3.16秒かかりました。");
    expect(rulingText(late, "en")).toBe(comment);
  });

  it.each([undefined, { code: "ruling.new", args: ["x"] }])("stays English without a known code: %j", (message) => {
    const comment = "blue forfeits: late, after 3.16 s of 3.10 s";
    expect(rulingText(message === undefined ? { comment } : { comment, comment_message: message }, "ja")).toBe(comment);
  });
});
