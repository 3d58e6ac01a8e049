// SPDX-License-Identifier: MIT
//
// The forms of the server's sentences about maps, and their Japanese.

import type { Cell } from "../api/types";
import type { Parts } from "../common/sentences";

/** All "(3, 4)" in a sentence. */
export function cellsNamed(sentence: string): Cell[] {
  return [...sentence.matchAll(/\((\d+), (\d+)\)/g)].map((match): Cell => [Number(match[1]), Number(match[2])]);
}

export type Words = (name: string) => string; // a side's, unit's or terrain's name in Japanese
export interface Form {
  pattern: RegExp;
  ja: (parts: Parts, word: Words) => string;
  unit?: number; // which part is a unit's number …
  cell?: [number, number]; // … or which are a cell
}

function form(pattern: string, ja: Form["ja"], where: Pick<Form, "unit" | "cell"> = {}): Form {
  return { pattern: new RegExp(`^${pattern}$`), ja, ...where };
}

const SIDE = "(red|blue)";
const NUMBER = "(-?\\d+)";

// ---- errors and warnings ----

const fields: Record<string, string> = { x: "x", y: "y", team: "陣営", HP: "HP", "the finished flag": "行動済みの印" };

const problemForms: readonly Form[] = [
  form(
    `border cell ${NUMBER},${NUMBER} is (.+); the outer ring must be no-entry \\(0\\)`,
    (p, w) => `外周のマス (${p[1]}, ${p[2]}) が${w(p[3]!)}です。外周はすべて進入不可 (0) でなければなりません。`,
    { cell: [1, 2] },
  ),
  form(
    `unit ${NUMBER} \\((.+)\\) stands at ${NUMBER},${NUMBER}, outside the playable cells 1\\.\\.${NUMBER},1\\.\\.${NUMBER}`,
    (p, w) => `ユニット${p[1]}（${w(p[2]!)}）が盤の外 (${p[3]}, ${p[4]}) にいます。x は1〜${p[5]}、y は1〜${p[6]}です。`,
    { cell: [3, 4] },
  ),
  form(
    `unit ${NUMBER} \\((.+)\\) stands at ${NUMBER},${NUMBER} on (.+), which it cannot enter`,
    (p, w) => `ユニット${p[1]}（${w(p[2]!)}）が、入れない地形（${w(p[5]!)}）のマス (${p[3]}, ${p[4]}) にいます。`,
    { cell: [3, 4] },
  ),
  form(`unit ${NUMBER} has HP ${NUMBER}; expected 1 to ${NUMBER}`, (p) => `ユニット${p[1]}のHPが${p[2]}です。1〜${p[3]}にしてください。`, { unit: 1 }),
  form(`unit ${NUMBER} has HP ${NUMBER}, more than the usual ${NUMBER}`, (p) => `ユニット${p[1]}のHPが${p[2]}で、通常の${p[3]}を超えています。`, { unit: 1 }),
  form(
    `units ${NUMBER} and ${NUMBER} both stand at ${NUMBER},${NUMBER}`,
    (p) => `ユニット${p[1]}と${p[2]}が同じマス (${p[3]}, ${p[4]}) にいます。`,
    { cell: [3, 4] },
  ),
  form(`${SIDE} has no units`, (p, w) => `${w(p[1]!)}にユニットがありません。`),
  form(`${SIDE} has ${NUMBER} units; at most ${NUMBER} fit`, (p, w) => `${w(p[1]!)}のユニットが${p[2]}体あります。置けるのは${p[3]}体までです。`),
  form(`([A-Z]+) is '(.*)'; expected a number from ${NUMBER} to ${NUMBER}`, (p) => `${p[1]}が「${p[2]}」です。${p[3]}〜${p[4]}の数にしてください。`),
  form(
    `terrain '(.*)' at ${NUMBER},${NUMBER} is unknown; expected 0 to ${NUMBER}`,
    (p) => `マス (${p[2]}, ${p[3]}) の地形「${p[1]}」は不明です。0〜${p[4]}にしてください。`,
    { cell: [2, 3] },
  ),
  form(`${NUMBER} MAP rows; SIZEY says ${NUMBER} \\(the missing ones are no-entry\\)`, (p) => `MAPの行が${p[1]}行で、SIZEYは${p[2]}です（足りない行は進入不可になります）。`),
  form(`${NUMBER} MAP rows; SIZEY says ${NUMBER}`, (p) => `MAPの行が${p[1]}行ありますが、SIZEYは${p[2]}です。`),
  form(`row ${NUMBER} has ${NUMBER} cells; SIZEX says ${NUMBER}`, (p) => `${p[1]}行目のマスが${p[2]}個ですが、SIZEXは${p[3]}です。`),
  form(
    `unit ${NUMBER}: (.+) is '(.*)'; expected a number from ${NUMBER} to ${NUMBER}`,
    (p) => `ユニット${p[1]}の${fields[p[2]!] ?? p[2]}が「${p[3]}」です。${p[4]}〜${p[5]}の数にしてください。`,
    { unit: 1 },
  ),
  form("unit '(.*)' is unknown; expected (.+)", (p) => `ユニット「${p[1]}」は不明です。使えるのは${p[2]}です。`),
  form(`unit ${NUMBER} has ${NUMBER} fields; expected (.+)`, (p) => `ユニット${p[1]}の項目が${p[2]}個です。${p[3]}の順に書いてください。`),
  form("([A-Z]+) is missing", (p) => `${p[1]}がありません。`),
  form(`([A-Z]+) says ${NUMBER}; there are ${NUMBER} ${SIDE} units`, (p, w) => `${p[1]}は${p[2]}ですが、${w(p[4]!)}のユニットは${p[3]}体です。`),
  form(`${NUMBER} units; at most ${NUMBER} fit`, (p) => `ユニットが${p[1]}体あります。置けるのは${p[2]}体までです。`),
  form("'(.*)' has no '\\]' behind it", (p) => `「${p[1]}」に対応する「]」がありません。`),
  form(`and ${NUMBER} more problems`, (p) => `ほかに${p[1]}件の問題があります。`),
  form("is empty; expected a map", () => "内容が空です。マップが必要です。"),
  form(
    `(?:unit ${NUMBER}: )?(\\w+) is missing; expected a whole number from ${NUMBER} to ${NUMBER}`,
    (p) => `${p[1] === undefined ? "" : `ユニット${p[1]}：`}${p[2]}がありません。${p[3]}〜${p[4]}の整数にしてください。`,
    { unit: 1 },
  ),
  form(
    `(?:unit ${NUMBER}: )?(\\w+) is out of range or no number; expected a whole number from ${NUMBER} to ${NUMBER}`,
    (p) => `${p[1] === undefined ? "" : `ユニット${p[1]}：`}${p[2]}は${p[3]}〜${p[4]}の整数にしてください。`,
    { unit: 1 },
  ),
  form("(author|comment) is no string", (p) => `${p[1]}が文字列ではありません。`),
  form(`terrain row ${NUMBER}: expected a string of ${NUMBER} digits from 0 to ${NUMBER}`, (p) => `地形の${p[1]}行目は、0〜${p[3]}の数字${p[2]}個の文字列にしてください。`),
  form(`terrain: expected an array of ${NUMBER} rows, as height says`, (p) => `地形は、height のとおり${p[1]}行の配列にしてください。`),
  form(`unit ${NUMBER}: (type|side) is (.+); expected (.+)`, (p) => `ユニット${p[1]}の${p[2]}は${p[4]}のどれかにしてください。`, { unit: 1 }),
  form("this JSON is no map: expected (.+)", () => "このJSONはマップではありません（\"format\": \"senjutsu-map\" が必要です）。"),
  form("the JSON cannot be read: (.*)", (p) => `JSONを読めません：${p[1]}`),
];

// ---- notes ----

const UNIT = `the ${SIDE} (\\w+)(?: at \\((\\d+), (\\d+)\\))?`;
const OFTEN = "(in every game|in \\d+% of games)";
const CELLS = "((?: at|,| and) \\(\\d+, \\d+\\))*";

function often(phrase: string): string {
  return phrase === "in every game" ? "毎回" : `${/\d+/.exec(phrase)?.[0]}%の対局で`;
}

/** "the red panzer at (3, 4)", of parts that begin there. */
function unitName(p: Parts, w: Words): string {
  const place = p[3] === undefined ? "" : ` (${p[3]}, ${p[4]}) `;
  return `${w(p[1]!)}の${w(p[2]!)}${place}`;
}

function where(sentence: string): string {
  const cells = cellsNamed(sentence).map(([x, y]) => `(${x}, ${y})`);
  return cells.length === 0 ? "" : `：${cells.join("、")}`;
}

const kinds: Record<string, string> = { woods: "森", mountains: "山", sea: "海" };

function rough(phrase: string): string {
  return phrase
    .split(/, | and | or /)
    .map((kind) => kinds[kind] ?? kind)
    .join("・");
}

const between: Record<string, string> = { "between equals": "同じ強さどうしの対局で", "with either player": "どちらが指しても" };

const remarkForms: readonly Form[] = [
  form(`whoever moves (first|second) wins ${NUMBER}% of games between equals`, (p) => `同じ強さどうしの対局では${p[1] === "first" ? "先手" : "後手"}が${p[2]}%勝ちます。`),
  form(`${SIDE} is favoured: it wins ${NUMBER}% of games between equals`, (p, w) => `${w(p[1]!)}が有利です：同じ強さどうしの対局の${p[2]}%に勝ちます。`),
  form(`${SIDE} is favoured: it scores ${NUMBER}% (between equals|with either player)`, (p, w) => `${w(p[1]!)}が有利です：${between[p[3]!]}得点率${p[2]}%です。`),
  form(`neither side is favoured: red scores ${NUMBER}% (between equals|with either player)`, (p) => `どちらの側も有利ではありません：${between[p[2]!]}赤軍の得点率は${p[1]}%です。`),
  form(`the weak player wins ${NUMBER}% of its games with ${SIDE}: the side decides, not the player`, (p, w) => `弱いほうのプレイヤーも${w(p[2]!)}なら${p[1]}%勝ちます：勝敗を決めるのは腕ではなく陣営です。`),
  form(`the strong player wins ${NUMBER}% with red and ${NUMBER}% with blue: thinking pays`, (p) => `強いほうのプレイヤーは赤軍で${p[1]}%、青軍で${p[2]}%勝ちます：考えるだけの甲斐があります。`),
  form(`the strong player scores only ${NUMBER}% against the weak one: thinking hardly pays`, (p) => `強いほうのプレイヤーでも得点率は${p[1]}%です：考えてもほとんど報われません。`),
  form(`${SIDE}'s first turn destroys the only ${SIDE} unit ${OFTEN}`, (p, w) => `${w(p[1]!)}は最初のターンで、${often(p[3]!)}${w(p[2]!)}の唯一のユニットを倒します。`),
  form(`${SIDE}'s first turn destroys all ${NUMBER} ${SIDE} units ${OFTEN}`, (p, w) => `${w(p[1]!)}は最初のターンで、${often(p[4]!)}${w(p[3]!)}の${p[2]}体すべてを倒します。`),
  form(`${SIDE}'s first turn destroys ${NUMBER} of ${NUMBER} ${SIDE} units ${OFTEN}`, (p, w) => `${w(p[1]!)}は最初のターンで、${often(p[5]!)}${w(p[4]!)}の${p[3]}体のうち${p[2]}体を倒します。`),
  form("games end in ([\\d.]+) turns on average: there is no time to think", (p) => `対局は平均${p[1]}ターンで終わります：考える暇がありません。`),
  form("(?:(\\d+)% of games go|every game goes) to the turn limit", (p) => (p[1] === undefined ? "すべての対局がターン上限まで続きます。" : `対局の${p[1]}%がターン上限まで続きます。`)),
  form("half of the games are drawn", () => "対局の半分が引き分けです。"),
  form("(?:(\\d+)% of games are|every game is) drawn", (p) => (p[1] === undefined ? "すべての対局が引き分けです。" : `対局の${p[1]}%が引き分けです。`)),
  form(`${NUMBER} of ${NUMBER} games (?:was|were) forfeited: a player broke the rules`, (p) => `${p[2]}局のうち${p[1]}局が反則負けでした。`),
  form(`${NUMBER} ${SIDE} units have no enemy they can attack`, (p, w) => `${w(p[2]!)}の${p[1]}体は、攻撃できる敵がいません。`),
  form(`${NUMBER} ${SIDE} units can never reach an enemy`, (p, w) => `${w(p[2]!)}の${p[1]}体は、どの敵にも届きません。`),
  form(`${NUMBER} ${SIDE} units cannot leave their cells`, (p, w) => `${w(p[2]!)}の${p[1]}体は、今いるマスから動けません。`),
  form(`${NUMBER} ${SIDE} units hardly ever attack`, (p, w) => `${w(p[2]!)}の${p[1]}体は、ほとんど攻撃しません。`),
  form(`${UNIT} has no enemy it can attack`, (p, w) => `${unitName(p, w)}には、攻撃できる敵がいません。`),
  form(`${UNIT} can never reach an enemy`, (p, w) => `${unitName(p, w)}は、どの敵にも届きません。`),
  form(`${UNIT} cannot leave its cell`, (p, w) => `${unitName(p, w)}は、今いるマスから動けません。`),
  form(`${UNIT} attacks in only ${NUMBER}% of games`, (p, w) => `${unitName(p, w)}が攻撃するのは対局の${p[5]}%だけです。`),
  form(`${UNIT} never attacks`, (p, w) => `${unitName(p, w)}は一度も攻撃しません。`),
  form(`every unit fights: each attacks in ${NUMBER}% of games or more`, (p) => `どのユニットも戦います：少ないものでも対局の${p[1]}%で攻撃します。`),
  form(`${NUMBER} of ${NUMBER} ${SIDE} units can attack in the first turn`, (p, w) => `${w(p[3]!)}の${p[2]}体のうち${p[1]}体が最初のターンに攻撃できます。`),
  form("nobody can attack in the first turn: there is time to take up positions", () => "最初のターンには誰も攻撃できません：陣形を整える時間があります。"),
  form(`an isolated road${CELLS}`, (p) => `孤立した道路があります${where(p[0]!)}。`),
  form(`${NUMBER} isolated roads${CELLS}`, (p) => `孤立した道路が${p[1]}か所あります${where(p[0]!)}。`),
  form(`a road leads nowhere${CELLS}`, (p) => `行き止まりの道路があります${where(p[0]!)}。`),
  form(`${NUMBER} roads lead nowhere`, (p) => `行き止まりの道路が${p[1]}か所あります。`),
  form("terrain is strewn: no (.+) hangs? together", (p) => `地形が散らばっています：${rough(p[1]!)}がまったくまとまっていません。`),
  form("terrain is strewn: (.+) hardly hangs? together", (p) => `地形が散らばっています：${rough(p[1]!)}がほとんどまとまっていません。`),
  form("(.+) lies? in patches", (p) => `${rough(p[1]!)}がまとまりを成しています。`),
];

export const forms: readonly Form[] = [...problemForms, ...remarkForms];
