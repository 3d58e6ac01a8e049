// SPDX-License-Identifier: MIT
//
// The words behind names.ts, English and Japanese side by side.

import type { Colour, JobKind } from "../api/types";
import type { Both } from "./text";

export const terrains: Record<string, Both> = {
  "no-entry": ["no entry", "進入不可"],
  plain: ["plain", "平地"],
  sea: ["sea", "海"],
  wood: ["wood", "森"],
  mountain: ["mountain", "山"],
  road: ["road", "道路"],
  fortress: ["fortress", "要塞"],
};

export const units: Record<string, Both> = {
  fighter: ["fighter", "戦闘機"],
  attacker: ["attacker", "攻撃機"],
  panzer: ["panzer", "戦車"],
  cannon: ["cannon", "自走砲"],
  antiair: ["antiair", "対空戦車"],
  infantry: ["infantry", "歩兵"],
};

export const games: Record<string, Both> = {
  tbs: ["Tactical game", "戦術ゲーム"],
  "tbs-wide": ["Tactical game (large boards)", "戦術ゲーム（大型盤）"],
  geister: ["Geister", "ガイスター"],
  synth: ["Synthetic trees", "合成木"],
  fusion: ["Strategy fusion", "戦略融合ゲーム"],
  kuhn: ["Kuhn poker", "クーンポーカー"],
  tictactoe: ["Tic-tac-toe", "三目並べ"],
  race: ["Dice race", "サイコロ競走"],
};

export const sides: Record<string, Both> = {
  red: ["Red", "赤軍"],
  blue: ["Blue", "青軍"],
  first: ["First", "先手"],
  second: ["Second", "後手"],
  player: ["Player", "プレイヤー"],
  nature: ["Nature", "自然"],
  x: ["X", "×"],
  o: ["O", "○"],
};

export const jobKinds: Record<JobKind, Both> = {
  match: ["Match", "対戦"],
  tournament: ["Tournament", "大会"],
  judge: ["Fairness test", "マップの判定"],
  evolve: ["Map evolution", "マップの進化"],
  repro: ["Experiment", "実験"],
};

export const ends: Record<string, Both> = {
  annihilation: ["{winner} wins: all units of {loser} are destroyed", "{winner}の勝ち：{loser}の全ユニットを撃破しました"],
  limit: ["{winner} wins at the turn limit with more HP left", "{winner}の勝ち：ターン上限でHPの合計が上回りました"],
  resignation: ["{winner} wins: {loser} resigned", "{winner}の勝ち：{loser}が投了しました"],
  line: ["{winner} wins: three in a row", "{winner}の勝ち：三つ並べました"],
  finish: ["{winner} wins: first at the end of the track", "{winner}の勝ち：先にゴールに着きました"],
  escape: ["{winner} wins: a good ghost has escaped", "{winner}の勝ち：良いおばけが脱出しました"],
  blues: ["{winner} wins: all good ghosts of {loser} are taken", "{winner}の勝ち：相手の良いおばけをすべて取りました"],
  reds: ["{winner} wins: {loser} has taken all bad ghosts", "{winner}の勝ち：自分の悪いおばけをすべて取らせました"],
  illegal: ["{winner} wins: {loser} played an illegal action", "{winner}の勝ち：{loser}が反則の手を指しました"],
  crash: ["{winner} wins: the program of {loser} stopped", "{winner}の勝ち：{loser}のプログラムが落ちました"],
  hang: ["{winner} wins: {loser} did not respond", "{winner}の勝ち：{loser}が応答しなくなりました"],
  late: ["{winner} wins: {loser} ran out of time", "{winner}の勝ち：{loser}の時間切れです"],
  garbage: ["{winner} wins: unreadable output from {loser}", "{winner}の勝ち：{loser}の出力が読み取れませんでした"],
  protocol: ["{winner} wins: protocol error of {loser}", "{winner}の勝ち：{loser}がプロトコルに違反しました"],
};

export const faults: Record<string, Both> = {
  illegal: ["illegal action", "反則"],
  crash: ["program stopped", "異常終了"],
  hang: ["no response", "応答なし"],
  late: ["out of time", "時間切れ"],
  garbage: ["unreadable output", "読み取り不能"],
  protocol: ["protocol error", "プロトコル違反"],
};

export const others: Record<string, Both> = {
  none: ["In progress", "対局中です"],
  "draw limit": ["Draw: limit reached", "引き分け：上限に達しました"],
  draw: ["Draw", "引き分け"],
  stopped: ["Stopped", "中止しました"],
  "+1 chip": ["First wins 1 chip", "先手が1チップ獲得"],
  "+2 chips": ["First wins 2 chips", "先手が2チップ獲得"],
  "-1 chip": ["Second wins 1 chip", "後手が1チップ獲得"],
  "-2 chips": ["Second wins 2 chips", "後手が2チップ獲得"],
};

export const colours: Record<Colour, Both> = {
  blue: ["good ghost", "良いおばけ"],
  red: ["bad ghost", "悪いおばけ"],
  unknown: ["ghost", "おばけ"],
};

export const deeds = {
  stay: ["{who} stays on {to}", "{who}が{to}で待機"],
  move: ["{who} moves {from} → {to}", "{who}が{from}から{to}へ移動"],
  attack: ["{mover} and attacks {target} on {at}: −{damage} HP", "{mover}し、{at}の{target}を攻撃：−{damage} HP"],
  attack_stay: ["{who} on {to} attacks {target} on {at}: −{damage} HP", "{to}の{who}が{at}の{target}を攻撃：−{damage} HP"],
  destroyed: [", destroyed", "、撃破"],
  counter: [", takes {counter} in return", "、反撃で{counter}を失う"],
  lost: [" and is destroyed", "（全滅）"],
  pass: ["{side} ends its turn", "{side}が手番を終了"],
  resign: ["{side} resigns", "{side}が投了"],
  geister: ["{side}: {letter} moves {from} → {to}", "{side}：{letter}が{from}から{to}へ"],
  escape: ["{side}: {letter} leaves the board from {from}", "{side}：{letter}が{from}から脱出"],
  took: [", takes {letter} ({colour})", "、{letter}（{colour}）を取る"],
  setup: ["{side} has placed its ghosts", "{side}が配置を決定"],
  setup_known: ["{side} has placed its ghosts; bad ones: {reds}", "{side}が配置を決定（悪いおばけ：{reds}）"],
} as const satisfies Record<string, Both>;
