// SPDX-License-Identifier: MIT
//
// Problems of maps and remarks about them: their Japanese by code, and the cells they are about.

import type { Cell, Message, TbsMap } from "../api/types";
import { sideName, terrainName, unitName } from "../app/names";
import type { Language } from "../app/text";
import { translated, type Texts } from "../common/messages";

export const messages_ja: Texts = {
  // ---- errors and warnings ----
  "problem.border": "外周のマス ({1}, {2}) が{w3}です。外周はすべて進入不可 (0) でなければなりません。",
  "problem.unit_outside": "ユニット{1}（{w2}）が盤の外 ({3}, {4}) にいます。x は1〜{5}、y は1〜{6}です。",
  "problem.unit_terrain": "ユニット{1}（{w2}）が、入れない地形（{w5}）のマス ({3}, {4}) にいます。",
  "problem.hp": "ユニット{1}のHPが{2}です。1〜{3}にしてください。",
  "problem.hp_high": "ユニット{1}のHPが{2}で、通常の{3}を超えています。",
  "problem.same_cell": "ユニット{1}と{2}が同じマス ({3}, {4}) にいます。",
  "problem.no_units": "{w1}にユニットがありません。",
  "problem.side_units": "{w1}のユニットが{2}体あります。置けるのは{3}体までです。",
  "problem.number": "{1}が「{2}」です。{3}〜{4}の数にしてください。",
  "problem.terrain": "マス ({2}, {3}) の地形「{1}」は不明です。0〜{4}にしてください。",
  "problem.rows_missing": "MAPの行が{1}行で、SIZEYは{2}です（足りない行は進入不可になります）。",
  "problem.rows_more": "MAPの行が{1}行ありますが、SIZEYは{2}です。",
  "problem.row_cells": "{1}行目のマスが{2}個ですが、SIZEXは{3}です。",
  "problem.unit_number": "ユニット{1}の{w2}が「{3}」です。{4}〜{5}の数にしてください。",
  "problem.unit_type": "ユニット「{1}」は不明です。使えるのはfighter、attacker、panzer、cannon、antiair、infantryです。",
  "problem.unit_fields": "ユニット{1}の項目が{2}個です。x,y,name,team,hp,finishedの順に書いてください。",
  "problem.missing": "{1}がありません。",
  "problem.declared": "{1}は{2}ですが、{w4}のユニットは{3}体です。",
  "problem.units": "ユニットが{1}体あります。置けるのは{2}体までです。",
  "problem.unclosed": "「{1}」に対応する「]」がありません。",
  "problem.more": "ほかに{1}件の問題があります。",
  "problem.empty": "内容が空です。マップが必要です。",
  "problem.json_number": "{1}は{3}〜{4}の整数にしてください。",
  "problem.json_missing": "{1}がありません。{3}〜{4}の整数にしてください。",
  "problem.json_unit_number": "ユニット{1}：{2}は{4}〜{5}の整数にしてください。",
  "problem.json_unit_missing": "ユニット{1}：{2}がありません。{4}〜{5}の整数にしてください。",
  "problem.json_note": "{1}が文字列ではありません。",
  "problem.json_row": "地形の{1}行目は、0〜{3}の数字{2}個の文字列にしてください。",
  "problem.json_rows": "地形は、height のとおり{1}行の配列にしてください。",
  "problem.json_name": "ユニット{1}の{2}は{6}のどれかにしてください。",
  "problem.json_done": "ユニット{1}のdoneは true か false にしてください。",
  "problem.json_units": "ユニットは{1}体までの配列にしてください。",
  "problem.json_format": "このJSONはマップではありません（\"format\": \"{1}\" が必要です）。",
  "problem.json": "JSONを読めません：{1}",

  // ---- remarks ----
  "remark.mover_wins": "同じ強さどうしの対局では{w1}が{2}%勝ちます。",
  "remark.favoured_wins": "{w1}が有利です：同じ強さどうしの対局の{2}%に勝ちます。",
  "remark.favoured": "{w1}が有利です：同じ強さどうしの対局で得点率{2}%です。",
  "remark.favoured_either": "{w1}が有利です：どちらが指しても得点率{2}%です。",
  "remark.even": "どちらの側も有利ではありません：同じ強さどうしの対局で赤軍の得点率は{1}%です。",
  "remark.even_either": "どちらの側も有利ではありません：どちらが指しても赤軍の得点率は{1}%です。",
  "remark.weak_wins": "弱いほうのプレイヤーも{w2}なら{1}%勝ちます：勝敗を決めるのは腕ではなく陣営です。",
  "remark.strong_wins": "強いほうのプレイヤーは赤軍で{1}%、青軍で{2}%勝ちます：考えるだけの甲斐があります。",
  "remark.strong_hardly": "強いほうのプレイヤーでも得点率は{1}%です：考えてもほとんど報われません。",
  "remark.first_only_always": "{w1}は最初のターンで、毎回{w2}の唯一のユニットを倒します。",
  "remark.first_only": "{w1}は最初のターンで、{3}%の対局で{w2}の唯一のユニットを倒します。",
  "remark.first_all_always": "{w1}は最初のターンで、毎回{w3}の{2}体すべてを倒します。",
  "remark.first_all": "{w1}は最初のターンで、{4}%の対局で{w3}の{2}体すべてを倒します。",
  "remark.first_some_always": "{w1}は最初のターンで、毎回{w4}の{3}体のうち{2}体を倒します。",
  "remark.first_some": "{w1}は最初のターンで、{5}%の対局で{w4}の{3}体のうち{2}体を倒します。",
  "remark.short": "対局は平均{1}ターンで終わります：考える暇がありません。",
  "remark.limit_always": "すべての対局がターン上限まで続きます。",
  "remark.limit": "対局の{1}%がターン上限まで続きます。",
  "remark.drawn_half": "対局の半分が引き分けです。",
  "remark.drawn_always": "すべての対局が引き分けです。",
  "remark.drawn": "対局の{1}%が引き分けです。",
  "remark.forfeits": "{2}局のうち{1}局が反則負けでした。",
  "remark.no_prey": "{w1}の{w2} {cell} には、攻撃できる敵がいません。",
  "remark.stranded": "{w1}の{w2} {cell} は、どの敵にも届きません。",
  "remark.stuck": "{w1}の{w2} {cell} は、今いるマスから動けません。",
  "remark.no_prey_units": "{w2}の{1}体は、攻撃できる敵がいません。",
  "remark.stranded_units": "{w2}の{1}体は、どの敵にも届きません。",
  "remark.stuck_units": "{w2}の{1}体は、今いるマスから動けません。",
  "remark.idle_units": "{w2}の{1}体は、ほとんど攻撃しません。",
  "remark.idle": "{w1}の{w2} {cell} が攻撃するのは対局の{4}%だけです。",
  "remark.never_attacks": "{w1}の{w2} {cell} は一度も攻撃しません。",
  "remark.all_attack": "どのユニットも戦います：少ないものでも対局の{1}%で攻撃します。",
  "remark.first_attacks": "{w3}の{2}体のうち{1}体が最初のターンに攻撃できます。",
  "remark.no_first_attack": "最初のターンには誰も攻撃できません：陣形を整える時間があります。",
  "remark.isolated_road": "孤立した道路があります{cells}。",
  "remark.isolated_roads": "孤立した道路が{1}か所あります{cells}。",
  "remark.road_end": "行き止まりの道路があります{cells}。",
  "remark.road_ends": "行き止まりの道路が{1}か所あります。",
  "remark.strewn_all": "地形が散らばっています：{w1}{s3}{s5}がまったくまとまっていません。",
  "remark.strewn": "地形が散らばっています：{w1}{s3}{s5}がほとんどまとまっていません。",
  "remark.patches": "{w1}{s3}{s5}がまとまりを成しています。",
};

/** Arguments that are neither sides, units nor terrain, by their names in messages. */
const words_ja: Texts = { team: "陣営", "the finished flag": "行動済みの印", first: "先手", second: "後手", woods: "森", mountains: "山" };

/** A side, unit or terrain by its server name, in the current language. */
function wordOf(name: string): string {
  return name === "red" || name === "blue" ? sideName("tbs", name === "red" ? 0 : 1) : terrainName(unitName(name));
}

/** As a sentence in the given language. */
export function sentenceIn(at: Language, message: Message, word = wordOf): string {
  const known = at === "ja" ? translated(message, messages_ja, (name) => words_ja[name] ?? word(name)) : null;
  if (known !== null) return known;
  const { text } = message;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

/** The cells that a message is about. */
export function cellsOf(message: Message, map: Pick<TbsMap, "units">): Cell[] {
  const unit = message.unit === undefined ? undefined : map.units[message.unit];
  return unit !== undefined ? [[unit.x, unit.y]] : [...(message.cells ?? [])];
}
