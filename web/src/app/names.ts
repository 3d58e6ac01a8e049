// SPDX-License-Identifier: MIT
//
// What things are called, in both languages: units, terrain, sides, results, and what an action did. Numbers and times are
// in format.ts; they can be had from here, too.

import type { Cell, Colour, Did, Ground, JobKind, Seat, Side, State } from "../api/types";
import { fill, language, type Language, type Params } from "./text";

export * from "./format";

type Both = readonly [en: string, ja: string];

function pick(both: Both, at: Language): string {
  return at === "en" ? both[0] : both[1];
}

function look(table: Record<string, Both>, key: string, at: Language): string {
  const both = table[key];
  return both === undefined ? key : pick(both, at);
}

// ---- the tactical game ----

/** By the digit of a map. */
export const terrainNames = ["no-entry", "plain", "sea", "wood", "mountain", "road", "fortress"] as const;

const terrains: Record<string, Both> = {
  "no-entry": ["no entry", "進入不可"],
  plain: ["plain", "平地"],
  sea: ["sea", "海"],
  wood: ["wood", "森"],
  mountain: ["mountain", "山"],
  road: ["road", "道路"],
  fortress: ["fortress", "要塞"],
};

const units: Record<string, Both> = {
  fighter: ["fighter", "戦闘機"],
  attacker: ["attacker", "攻撃機"],
  panzer: ["panzer", "戦車"],
  cannon: ["cannon", "自走砲"],
  antiair: ["antiair", "対空戦車"],
  infantry: ["infantry", "歩兵"],
};

export function terrainName(name: string, at = language()): string {
  return look(terrains, name, at);
}

export function unitName(type: string, at = language()): string {
  return look(units, type, at);
}

// ---- games and sides ----

const games: Record<string, Both> = {
  tbs: ["Tactical game", "戦術ゲーム"],
  "tbs-wide": ["Tactical game (large boards)", "戦術ゲーム（大型盤）"],
  geister: ["Geister", "ガイスター"],
  synth: ["Synthetic trees", "人工ゲーム木"],
  fusion: ["Strategy fusion", "戦略融合ゲーム"],
  kuhn: ["Kuhn poker", "クーンポーカー"],
};

const sides: Record<string, Both> = {
  red: ["Red", "赤軍"],
  blue: ["Blue", "青軍"],
  first: ["First", "先手"],
  second: ["Second", "後手"],
  player: ["Player", "プレイヤー"],
  nature: ["Nature", "自然"],
};

/** The name in front of a spec's colon. */
export function gameOf(spec: string): string {
  return spec.split(":", 1)[0] ?? spec;
}

export function gameName(spec: string, at = language()): string {
  return look(games, gameOf(spec), at);
}

/** Is it the tactical game, on whatever boards? */
export function isTactical(game: string): boolean {
  return gameOf(game) === "tbs" || gameOf(game) === "tbs-wide";
}

/** What a side is called in a game; `game` is its spec or the state's `game`. */
export function sideName(game: string, side: Side, at = language()): string {
  const names = isTactical(game) ? ["red", "blue"] : gameOf(game) === "fusion" ? ["player", "nature"] : ["first", "second"];
  return look(sides, names[side] ?? "", at);
}

/** A person's or player's name as a table shows it. */
export function seatName(seat: Seat, at = language()): string {
  if (seat.kind === "player") return seat.name || seat.spec;
  return seat.name || pick(["Person", "人間"], at);
}

/** "Tactical game on duel". */
export function groundName(ground: Ground, at = language()): string {
  const game = gameName(ground.game, at);
  if (!isTactical(ground.game)) return game;
  const map = ground.map ?? pick(["a map of one's own", "自作マップ"], at);
  return fill(pick(["{game} on {map}", "{game}（{map}）"], at), { game, map });
}

const jobKinds: Record<JobKind, Both> = {
  match: ["Match", "対戦"],
  tournament: ["Tournament", "大会"],
  judge: ["Map judgement", "マップの判定"],
  evolve: ["Map evolution", "マップの進化"],
  repro: ["Experiment", "実験"],
};

export function jobKindName(kind: JobKind, at = language()): string {
  return pick(jobKinds[kind], at);
}

// ---- results ----

const ends: Record<string, Both> = {
  annihilation: ["{winner} wins: all units of {loser} are destroyed", "{winner}の勝ち：{loser}の全ユニットを撃破しました"],
  limit: ["{winner} wins at the turn limit with more HP left", "{winner}の勝ち：ターン上限でHPの合計が上回りました"],
  resignation: ["{winner} wins: {loser} resigned", "{winner}の勝ち：{loser}が投了しました"],
  escape: ["{winner} wins: a good ghost has escaped", "{winner}の勝ち：良いおばけが脱出しました"],
  blues: ["{winner} wins: it has taken all good ghosts", "{winner}の勝ち：相手の良いおばけをすべて取りました"],
  reds: ["{winner} wins: all its bad ghosts have been taken", "{winner}の勝ち：自分の悪いおばけをすべて取らせました"],
  illegal: ["{winner} wins: {loser} tried an illegal action", "{winner}の勝ち：{loser}が反則の手を指しました"],
  crash: ["{winner} wins: the program of {loser} ended", "{winner}の勝ち：{loser}のプログラムが落ちました"],
  hang: ["{winner} wins: {loser} no longer answered", "{winner}の勝ち：{loser}が応答しなくなりました"],
  late: ["{winner} wins: {loser} ran out of time", "{winner}の勝ち：{loser}の時間切れです"],
  garbage: ["{winner} wins: what {loser} said made no sense", "{winner}の勝ち：{loser}の出力が読み取れませんでした"],
  protocol: ["{winner} wins: {loser} broke the protocol", "{winner}の勝ち：{loser}がプロトコルに違反しました"],
};

const faults: Record<string, Both> = {
  illegal: ["illegal action", "反則"],
  crash: ["program ended", "異常終了"],
  hang: ["no answer", "応答なし"],
  late: ["out of time", "時間切れ"],
  garbage: ["unreadable", "読み取り不能"],
  protocol: ["protocol broken", "プロトコル違反"],
};

const others: Record<string, Both> = {
  none: ["The game goes on", "対局中です"],
  "draw limit": ["Draw: the limit was reached", "引き分け：上限に達しました"],
  draw: ["Draw", "引き分け"],
  stopped: ["Stopped", "中止しました"],
};

const opposite: Record<string, string> = {
  red: "blue",
  blue: "red",
  first: "second",
  second: "first",
  player: "nature",
  nature: "player",
};

/** "red annihilation" in words; what is not known stays as it is. */
export function resultName(result: string, at = language()): string {
  const whole = others[result];
  if (whole !== undefined) return pick(whole, at);
  const [winner = "", how = ""] = result.split(" ", 2);
  const end = ends[how];
  const loser = opposite[winner];
  if (end === undefined || loser === undefined) return result;
  return fill(pick(end, at), { winner: look(sides, winner, at), loser: look(sides, loser, at) });
}

/** "Red wins", "Draw": for tables, where room is scarce. */
export function resultShort(result: string, at = language()): string {
  if (result === "none") return pick(["under way", "対局中"], at);
  const [winner = ""] = result.split(" ", 1);
  if (winner === "draw") return pick(["Draw", "引き分け"], at);
  if (sides[winner] === undefined) return result;
  return fill(pick(["{winner} wins", "{winner}の勝ち"], at), { winner: look(sides, winner, at) });
}

/** Who won, by the result's own words; null: a draw, or not over. */
export function winnerOf(result: string): Side | null {
  const [winner = ""] = result.split(" ", 1);
  if (opposite[winner] === undefined) return null;
  return winner === "red" || winner === "first" || winner === "player" ? 0 : 1;
}

/** What a player did wrong: "crash" as "program ended". */
export function faultName(fault: string, at = language()): string {
  return look(faults, fault, at);
}

const colours: Record<Colour, Both> = {
  blue: ["good ghost", "良いおばけ"],
  red: ["bad ghost", "悪いおばけ"],
  unknown: ["ghost", "おばけ"],
};

export function colourName(colour: Colour, at = language()): string {
  return pick(colours[colour], at);
}

// ---- what an action did ----

export function cellName(cell: Cell): string {
  return `${cell[0]},${cell[1]}`;
}

const deeds = {
  stay: ["{who} stays on {to}", "{who}が{to}で待機"],
  move: ["{who} moves {from} → {to}", "{who}が{from}から{to}へ移動"],
  attack: ["{mover} and attacks {target} on {at}: −{damage} HP", "{mover}し、{at}の{target}を攻撃：−{damage} HP"],
  attack_stay: ["{who} on {to} attacks {target} on {at}: −{damage} HP", "{to}の{who}が{at}の{target}を攻撃：−{damage} HP"],
  destroyed: [", destroyed", "、撃破"],
  counter: [", takes {counter} itself", "、反撃で{counter}を失う"],
  lost: [" and is destroyed", "（全滅）"],
  pass: ["{side} ends its turn", "{side}が手番を終了"],
  resign: ["{side} resigns", "{side}が投了"],
  geister: ["{side}: {letter} moves {from} → {to}", "{side}：{letter}が{from}から{to}へ"],
  escape: ["{side}: {letter} leaves the board from {from}", "{side}：{letter}が{from}から脱出"],
  took: [", takes {letter} ({colour})", "、{letter}（{colour}）を取る"],
  setup: ["{side} has placed its ghosts", "{side}が配置を決定"],
  setup_known: ["{side} has placed its ghosts; bad ones: {reds}", "{side}が配置を決定（悪いおばけ：{reds}）"],
  plain: ["{side}: {text}", "{side}：{text}"],
} as const satisfies Record<string, Both>;

function tell(key: keyof typeof deeds, at: Language, params: Params): string {
  return fill(pick(deeds[key], at), params);
}

type TbsDid = Extract<Did, { kind: "tbs" }>;

function tbsDid(did: TbsDid, at: Language): string {
  const whose = pick(["{side} {unit}", "{side}の{unit}"], at);
  const who = fill(whose, { side: sideName("tbs", did.side, at), unit: unitName(did.type, at) });
  const from = cellName(did.from);
  const to = cellName(did.to);
  const stays = from === to;
  const mover = tell(stays ? "stay" : "move", at, { who, from, to });
  if (did.target === undefined) return mover;
  const { type, at: cell, damage, counter, destroyed, lost } = did.target;
  const params = { who, mover, to, target: unitName(type, at), at: cellName(cell), damage };
  return (
    tell(stays ? "attack_stay" : "attack", at, params) +
    (destroyed ? tell("destroyed", at, {}) : "") +
    (counter > 0 ? tell("counter", at, { counter }) : "") +
    (lost ? tell("lost", at, {}) : "")
  );
}

/** What an action did, as a sentence without a full stop. */
export function didWords(did: Did, at = language()): string {
  switch (did.kind) {
    case "tbs":
      return tbsDid(did, at);
    case "pass":
    case "resign":
      return tell(did.kind, at, { side: sideName("tbs", did.side, at) });
    case "setup": {
      const side = sideName("geister", did.side, at);
      return did.reds === null ? tell("setup", at, { side }) : tell("setup_known", at, { side, reds: did.reds });
    }
    case "geister": {
      const params = { side: sideName("geister", did.side, at), letter: did.letter, from: cellName(did.from) };
      const moved = did.to === null ? tell("escape", at, params) : tell("geister", at, { ...params, to: cellName(did.to) });
      if (did.took === undefined) return moved;
      return moved + tell("took", at, { letter: did.took.letter, colour: colourName(did.took.colour, at) });
    }
    case "plain":
      return tell("plain", at, { side: sideName("plain", did.side, at), text: did.text });
  }
}

/** The same in signs, for lists of candidates: "infantry 2,2→3,4 ×panzer −5". */
export function didShort(did: Did, at = language()): string {
  switch (did.kind) {
    case "tbs": {
      const [from, to] = [cellName(did.from), cellName(did.to)];
      const path = from === to ? to : `${from}→${to}`;
      const hit = did.target === undefined ? "" : ` ×${unitName(did.target.type, at)} −${did.target.damage}`;
      return `${unitName(did.type, at)} ${path}${hit}`;
    }
    case "geister": {
      const taken = did.took === undefined ? "" : ` ×${did.took.letter}`;
      return `${did.letter} ${cellName(did.from)}→${did.to === null ? pick(["out", "脱出"], at) : cellName(did.to)}${taken}`;
    }
    case "setup":
      return did.reds ?? pick(["hidden set-up", "非公開の配置"], at);
    case "pass":
      return pick(["end of turn", "手番終了"], at);
    case "resign":
      return pick(["resigns", "投了"], at);
    case "plain":
      return did.text;
  }
}

/** Whose turn it is, or how it ended. */
export function stateWords(state: State, at = language()): string {
  if (state.over || state.mover === null) return resultName(state.result, at);
  const game = state.game === "plain" ? state.name : state.game;
  return fill(pick(["{side} to move", "{side}の番です"], at), { side: sideName(game, state.mover, at) });
}
