// SPDX-License-Identifier: MIT
//
// Japanese for what the server refuses, by code. Sentences without a code stay English.

import { ApiError } from "../api/client";
import type { LiveGame } from "../api/types";
import { unitName } from "../app/names";
import type { Language } from "../app/text";
import { translated, type Texts } from "./messages";

export const errors_ja: Texts = {
  // ---- members of requests ----
  "json.int": "「{1}」は{2}から{3}までの整数にしてください。",
  "json.seed": "「{1}」は0から{2}までの整数にしてください。",
  "json.real": "「{1}」は{2}から{3}までの数にしてください。",
  "json.choice": "「{1}」は {2} のどれかにしてください。",
  "json.choices": "「{1}」は {3} から選んだ{2}個までのリストにしてください。",
  "json.text": "「{1}」は文字列にしてください。",
  "json.long": "「{1}」は{2}バイトまでにしてください。",
  "json.switch": "「{1}」は true か false にしてください。",
  "json.texts": "「{1}」は1〜{2}個の文字列のリストにしてください。",
  "json.control": "「{1}」に改行などの制御文字は使えません。",
  "json.object": "「{1}」はオブジェクトにしてください。",
  "json.unknown": "「{1}」はここでは使えません。使えるのは {2} です。",
  "json.format": "形式が違います（\"format\": \"{1}\" が必要です）。",
  "json.no_members": "「{1}」はここでは使えません。",
  "refused.players": "プレイヤーは2から{1}までにしてください。",
  "refused.one_player": "大会には2者以上のプレイヤーが必要です（現在{1}）。",
  "refused.match_players": "対戦のプレイヤーは2者です（現在{1}）。",
  "refused.name_twice": "{1}番目：「{2}」という名前はすでにあります。",
  "refused.map_twice": "{1}：同じ名前のマップがすでにあります。",
  "refused.games": "約{1}局になります。{2}局以下にしてください。",
  "refused.clock": "increment と byoyomi を使うには game=秒数 も必要です。",
  "refused.game": "「{1}」というゲームはありません。",
  "refused.game_maps": "「{1}」は {2} では使えません。マップのないゲームです。",
  "refused.seed": "人が指す、隠れた情報のあるゲームでは、シードを選べません。隠れているものが分かってしまうためです。",

  // ---- players and their options ----
  "refused.player": "「{1}」というプレイヤーはありません。",
  "spec.unknown": "「{1}」というオプションはありません。使えるのは {2} です。",
  "spec.none": "「{2}」というオプションはありません。{1} にオプションはありません。",
  "spec.twice": "オプション「{1}」が二度指定されています。",
  "spec.int": "{1}={2}：{3}から{4}までの整数にしてください。",
  "spec.real": "{1}={2}：{3}から{4}までの数にしてください。",
  "spec.choice": "{1}={2}：使えるのは {3} です。",
  "spec.switch": "{1}={2}：yes か no にしてください。",
  "spec.text": "{1}：{2}文字は長すぎます（{3}文字まで）。",
  "spec.name": "「{1}」は名前ではありません。「名前」または「名前:オプション=値,…」と書いてください。",
  "spec.key": "「{1}」はオプションの名前ではありません。「オプション=値」と書いてください（英字・数字・-・_）。",
  "spec.value": "「{1}」に「=」がありません。「オプション=値」と書いてください。",
  "spec.bracket": "{1}={2}：対応する括弧がありません。",
  "spec.many": "オプションが多すぎます（{1}個まで）。",
  "spec.long": "{1}文字の指定は長すぎます（{2}文字まで）。",
  "refused.policy": "{1}：policy={2} はありません。プレイアウトの一覧は「senjutsu games {3}」で見られます。",
  "refused.file_option": "{1}：{2} はファイルの名前なので、ページからは使えません。",
  "refused.player_memory": "{1}：メモリが{2} MBになります。ここでは{4} MBまでです。",
  "refused.player_threads": "{1}：threads={2} は多すぎます。ここでは{3}までです。",
  "refused.hidden_game": "{1} は隠れた情報のないゲーム専用です。{2} には隠れた情報があるので、ismcts か pimc を使ってください。",
  "refused.programs": "{1}：外部プログラムは許可されていません。「senjutsu serve --programs」で起動すると使えます。",
  "refused.tactical_only": "{1} は戦術ゲーム専用です（{2} では使えません）。",
  "refused.geister_only": "{1} はガイスター専用です（{2} では使えません）。",

  // ---- recipes of maps ----
  "refused.range": "{w1}が{2}です。{3}〜{4}にしてください。",
  "refused.least_units": "{w1}のユニットの最小数が{2}です。最大数の{3}までにしてください。",
  "refused.units": "{2}×{3}マスに{1}体のユニットは入りません。",
  "refused.units_side": "{2}×{3}マスの対称なマップに、片側{1}体のユニットは入りません（{4}体まで）。",
  "refused.symmetric": "対称なマップでは両軍のユニットが同数です。{w1}数を{2}と{3}にはできません。",
  "refused.map_cells": "マップは{1}×{2}マスですが、{3}×{4}マスでなければなりません。",
  "refused.no_terrain": "重みが0より大きい地形がありません。",
  "refused.no_ground": "{w1}の入れる地形がありません。入れる地形の重みがどれも0です。",
  "refused.type": "ユニット「{1}」は不明です。使えるのは fighter (F)、attacker (A)、panzer (P)、cannon (U)、antiair (R)、infantry (I) です。",
  "refused.mutation": "mutation={1}：「{2}」は不明です。none、all、または terrain、type、hp、place、add、remove をコンマで区切ってください。",
  "refused.even": "{1}={2}：両側を半分ずつ受け持つので、偶数にしてください。",
  "refused.population": "population={1}：子は二つずつ生まれるので、偶数にしてください。",
  "refused.born": "born={1} が population={2} より少ないので、選択できません。",
  "refused.at_once": "{1}：一度に{2}局は多すぎます（{3}局まで）。",
  "refused.race": "method=random では、どのマップも一度しか判定しないので、race=yes に意味がありません。",
  "refused.race_parents": "race=yes と {1} は併用できません。子が届くべき親の適応度がありません。",
  "refused.copies_best": "copies=yes と selection=best は併用できません。何も抽選しないので、同じマップが二度選ばれることがありません。",
  "refused.rejudge": "rejudge=yes：1つのマップに{1}局は多すぎます（{2}局まで）。",
  "refused.copies": "crossover_rate=0 で突然変異もなければ、子はすべて親の複製になります。",
  "refused.from": "最初のマップが{2}個ありますが、born は{4}です。born 以下にしてください。",

  // ---- missing ----
  "refused.no_map": "「{1}」というマップはありません。",
  "refused.no_job": "そのジョブはありません。削除されたのかもしれません。",
  "refused.no_table": "その対局はありません。削除されたのかもしれません。",
  "refused.no_game": "終わった対局の中に、その番号のものはありません。",
  "refused.no_experiment": "「{1}」という実験はありません。",
  "refused.no_analysis": "その解析はありません。新しい解析に場所を譲ったのかもしれません。",
  "refused.no_file": "このジョブに「{1}」というファイルはありません。",

  // ---- not possible now ----
  "refused.job_stop": "このジョブは動いていないので、止めるものがありません。",
  "refused.job_resume": "再開できるのは、中止または失敗したジョブだけです。",
  "refused.jobs": "ジョブが{1}件あります。不要なものを削除してください。",
  "refused.maps": "保存できるマップは{1}個までです。不要なものを削除してください。",
  "refused.map_name": "「{1}」はマップの名前にできません。英字・数字・_・-で1〜64文字にしてください。",
  "refused.map_size": "マップが大きすぎます（{1}バイトまで）。",
  "refused.over": "対局は終わっています。",
  "refused.position_over": "この局面では対局が終わっています。",
  "refused.turn": "あなたの手番ではありません（手番は{w1}）。",
  "refused.ply": "対局はすでに先へ進んでいます（{1}手。見ていたのは{2}手目）。",
  "refused.undo": "この手番ではまだ何もしていません。",
  "refused.take_back": "待ったのできる手がありません。",
  "refused.offered": "相手が待ったを求めています。先に答えてください。",
  "refused.no_offer": "答えるべき申し出はありません。",
  "refused.key": "この対局の席の鍵ではありません。",
  "refused.no_key": "その席のプレイヤーだけができます。席の鍵が必要です。",
  "refused.stop": "人が指している対局は止められません。投了はできます。",
  "refused.delete": "人が指している対局を削除できるのは、席の鍵を持つ人だけです。",
  "refused.no_record": "途中の局面から始めた対局には棋譜がありません。",
  "position.turn": "「{1}」はターンの行として読めません。「turn N side red|blue limit N threshold N」と書いてください。",
  "position.geister": "「{1}」は局面として読めません。サーバーの盤面の48文字か、「board=… mover=… ply=… from=… moves=…」と書いてください。",
  "position.plain": "「{1}」は局面として読めません。「{2}」と書いてください。",
  "refused.hidden_record": "隠れた情報がある間は、棋譜を取り出せません。",
  "refused.hidden_position": "隠れた情報のある局面です。手番の側だけが、席の鍵を使って見られます。",
  "refused.unknown_parts": "この局面には分からない部分があるので、指し継げません。",
  "refused.solve_hidden": "完全解析は隠れた情報のないゲーム専用です（{1} にはあります）。",
  "refused.after": "この棋譜は{1}手までです（{3}手目はありません）。",
  "refused.analyses": "解析が{1}件動いています。これが上限です。どれかを止めてください。",
  "refused.player_games": "プレイヤー同士の対局が{1}局動いています。終わるのを待つか、どれかを止めてください。",
  "refused.live_games": "終わっていない対局が{1}局あります。どれかを終えるか削除してください。",
  "refused.tasks": "同時に考えられるのは{1}件までです。後でもう一度試してください。",
  "refused.revealed": "その後の手で隠れていたものが見えたので、待ったはできません。",
  "refused.unwritten": "対局を保存できないため、実行しませんでした：{1}",
  "refused.unbegun": "保存できないため、対局を始めませんでした：{1}",
  "refused.unremoved": "対局を削除できません：{1}",
  "refused.undone": "実行しませんでした：{1}",
  "refused.file": "{1} に書き込めません：{2}",
  "refused.file_removal": "{1} を削除できません：{2}",

  // ---- studies ----
  "refused.study_key": "この調査のリンクではないか、データがすでに消去されています。",
  "refused.study_consent": "先に参加への同意が必要です。",
  "refused.study_accept": "参加には同意（\"accept\": true）が必要です。",
  "refused.study_full": "この調査の参加枠はすべて埋まっています。",
  "refused.study_order": "マップは順番に指し、順番に評価します。",
  "refused.study_game": "次の対局は、前の対局が終わってから、現在のマップで始められます。",
  "refused.study_games": "マップの評価は、両方の側で1局ずつ終えてからできます。",
  "refused.study_ratings": "調査を終えるには、すべてのマップの対局と評価が必要です。",
  "refused.study_finished": "この調査への参加は終わっています。",
  "refused.study_erased": "このリンクから参加した方のデータは消去されています。",
  "refused.study_long": "長すぎます（{1}文字。{2}文字まで）。",
  "refused.study_unwritten": "調査のデータを保存できないため、実行しませんでした。",
};

/** Arguments that are words of the program. */
const words_ja: Texts = {
  red: "赤軍",
  blue: "青軍",
  first: "先手",
  second: "後手",
  least: "最小",
  most: "最大",
  "the width": "列数",
  "the height": "行数",
  "the number of red units": "赤軍のユニット数",
  "the number of blue units": "青軍のユニット数",
  "the turn limit": "ターン上限",
  "the HP threshold": "HPの基準",
  "the least HP": "最小HP",
  "the most HP": "最大HP",
};

/** The server's sentence about a failed request, in the given language. */
export function errorText(error: unknown, at: Language): string {
  const text = error instanceof Error ? error.message : String(error);
  if (at === "en" || !(error instanceof ApiError) || error.failure === undefined) return text;
  const { code, args, prefix } = error.failure;
  const known = translated({ text, code, args: args?.map((arg) => arg.replaceAll(": ", "：")) }, errors_ja, (arg) => words_ja[arg] ?? unitName(arg, "ja"));
  return known === null ? text : `${(prefix ?? "").replaceAll(": ", "：")}${known}`;
}

const rulings_ja: Texts = {
  "ruling.late": "制限の{2}秒に対して{1}秒かかりました。", // the result names the side
};

/** A game's ruling; without a code it stays English. */
export function rulingText(liveGame: Pick<LiveGame, "comment" | "comment_message">, at: Language): string {
  return (at === "ja" ? translated({ text: liveGame.comment, ...liveGame.comment_message }, rulings_ja) : null) ?? liveGame.comment;
}
