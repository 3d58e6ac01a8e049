// SPDX-License-Identifier: MIT
//
// Japanese for what the server refuses, by code. Sentences without a code stay English.

import { ApiError } from "../api/client";
import type { LiveGame } from "../api/types";
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
  "refused.players": "プレイヤーは2から{1}までにしてください。",
  "refused.one_player": "大会には2者以上のプレイヤーが必要です（現在{1}）。",
  "refused.match_players": "対戦のプレイヤーは2者です（現在{1}）。",
  "refused.name_twice": "{1}番目：「{2}」という名前はすでにあります。",
  "refused.map_twice": "{1}：同じ名前のマップがすでにあります。",
  "refused.games": "約{1}局になります。{2}局以下にしてください。",

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
  "refused.programs": "{1}：外部プログラムは許可されていません。「senjutsu serve --programs」で起動すると使えます。",
  "refused.tactical_only": "{1} は戦術ゲーム専用です（{2} では使えません）。",
  "refused.geister_only": "{1} はガイスター専用です（{2} では使えません）。",

  // ---- missing ----
  "refused.no_map": "「{1}」というマップはありません。",
  "refused.no_job": "そのジョブはありません。削除されたのかもしれません。",
  "refused.no_table": "その対局はありません。削除されたのかもしれません。",
  "refused.no_game": "終わった対局の中に、その番号のものはありません。",
  "refused.no_experiment": "「{1}」という実験はありません。",
  "refused.no_file": "このジョブに「{1}」というファイルはありません。",

  // ---- not possible now ----
  "refused.job_stop": "このジョブは動いていないので、止めるものがありません。",
  "refused.job_resume": "再開できるのは、中止または失敗したジョブだけです。",
  "refused.jobs": "ジョブが{1}件あります。不要なものを削除してください。",
  "refused.maps": "保存できるマップは{1}個までです。不要なものを削除してください。",
  "refused.map_name": "「{1}」はマップの名前にできません。英字・数字・_・-で1〜64文字にしてください。",
  "refused.map_size": "マップが大きすぎます（{1}バイトまで）。",
  "refused.over": "対局は終わっています。",
  "refused.revealed": "その後の手で隠れていたものが見えたので、待ったはできません。",
  "refused.unwritten": "対局を保存できないため、実行しませんでした：{1}",
  "refused.unbegun": "保存できないため、対局を始めませんでした：{1}",
  "refused.unremoved": "対局を削除できません：{1}",
  "refused.undone": "実行しませんでした：{1}",
  "refused.file": "{1} に書き込めません：{2}",
};

/** The server's sentence about a failed request, in the given language. */
export function errorText(error: unknown, at: Language): string {
  const text = error instanceof Error ? error.message : String(error);
  if (at === "en" || !(error instanceof ApiError) || error.failure === undefined) return text;
  const { code, args, prefix } = error.failure;
  const known = translated({ text, code, args: args?.map((arg) => arg.replaceAll(": ", "：")) }, errors_ja);
  return known === null ? text : `${(prefix ?? "").replaceAll(": ", "：")}${known}`;
}

const rulings_ja: Texts = {
  "ruling.late": "制限の{2}秒に対して{1}秒かかりました。", // the result names the side
};

/** A game's ruling; without a code it stays English. */
export function rulingText(liveGame: Pick<LiveGame, "comment" | "comment_message">, at: Language): string {
  return (at === "ja" ? translated({ text: liveGame.comment, ...liveGame.comment_message }, rulings_ja) : null) ?? liveGame.comment;
}
