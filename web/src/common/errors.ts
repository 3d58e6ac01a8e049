// SPDX-License-Identifier: MIT
//
// Error messages of the server are English sentences. Common ones have a Japanese translation here, keyed by the C
// format; the others stay English.

import type { Language } from "../app/text";
import { translated, translations } from "./sentences";

export const errors: Readonly<Record<string, string>> = {
  // ---- requests ----
  "\"%s\": expected a whole number from %ld to %ld": "「{1}」は{2}から{3}までの整数にしてください。",
  "\"%s\": expected a whole number from 0 to %llu, or its digits as text": "「{1}」は0から{2}までの整数にしてください。",
  "\"%s\": expected a number from %g to %g": "「{1}」は{2}から{3}までの数にしてください。",
  "\"players\": expected a list of 2 to %d players": "プレイヤーは2から{1}までにしてください。",
  "a tournament needs two players or more; given: %d": "大会には2者以上のプレイヤーが必要です（現在{1}）。",
  "a match has two players; given: %d": "対戦のプレイヤーは2者です（現在{1}）。",
  "entry %zu: the name \"%s\" is there already": "{1}番目：「{2}」という名前はすでにあります。",
  "%s: a map of that name is there already": "{1}：同じ名前のマップがすでにあります。",
  "about %.0f games; expected %d at most": "約{1}局になります。{2}局以下にしてください。",

  // ---- players ----
  "player '%s' is unknown; /api/players lists those there are": "「{1}」というプレイヤーはありません。",
  "option '%.64s' is unknown; known are %s": "「{1}」というオプションはありません。使えるのは {2} です。",
  "%s: option '%s' is unknown; %s has no options": "「{2}」というオプションはありません。{1} にオプションはありません。",
  "option '%s' is given twice": "オプション「{1}」が二度指定されています。",
  "%s=%.64s: expected a whole number from %.0f to %.0f": "{1}={2}：{3}から{4}までの整数にしてください。",
  "%s=%.64s: expected a number from %g to %g": "{1}={2}：{3}から{4}までの数にしてください。",
  "%s: programs of others are not allowed here; 'senjutsu serve --programs' allows them":
    "{1}：外部プログラムは許可されていません。「senjutsu serve --programs」で起動すると使えます。",
  "acteval plays only the tactical game, not %s": "acteval は戦術ゲーム専用です（{1} では使えません）。",
  "muct plays only the tactical game, not %s": "muct は戦術ゲーム専用です（{1} では使えません）。",
  "%s plays only Geister, not %s": "{1} はガイスター専用です（{2} では使えません）。",

  // ---- missing ----
  "there is no map '%.80s'; /api/maps lists those there are": "「{1}」というマップはありません。",
  "there is no map '%.80s'": "「{1}」というマップはありません。",
  "there is no job '%.32s'": "そのジョブはありません。削除されたのかもしれません。",
  "there is no table '%.32s'": "その対局はありません。削除されたのかもしれません。",
  "there is no game '%.20s' that is over": "終わった対局の中に、その番号のものはありません。",
  "'%.64s' is no experiment; /api/experiments lists those there are": "「{1}」という実験はありません。",
  "the job has no file '%.80s'": "このジョブに「{1}」というファイルはありません。",

  // ---- not possible now ----
  "the job is %s: there is nothing to stop": "このジョブは動いていないので、止めるものがありません。",
  "the job is %s: only one that was cancelled or has failed goes on": "再開できるのは、中止または失敗したジョブだけです。",
  "there are %d jobs; remove some that are not needed any more": "ジョブが{1}件あります。不要なものを削除してください。",
  "there are %d saved maps, which is the limit; expected one less": "保存できるマップは{1}個までです。不要なものを削除してください。",
  "'%.80s' is no name for a map; expected 1 to 64 letters, digits, _ or -":
    "「{1}」はマップの名前にできません。英字・数字・_・-で1〜64文字にしてください。",
  "the map is too large; the limit is %d bytes": "マップが大きすぎます（{1}バイトまで）。",
  "the game is over": "対局は終わっています。",
  "what was played since then showed you something hidden, so it cannot be taken back":
    "その後の手で隠れていたものが見えたので、待ったはできません。",
  "late, after %.2f s of %.2f s": "制限の{2}秒に対して{1}秒かかりました。",
  "it was not done, because the game cannot be written: %s": "対局を保存できないため、実行しませんでした：{1}",
  "the game was not begun, because it cannot be written: %s": "保存できないため、対局を始めませんでした：{1}",
  "the game cannot be removed: %s": "対局を削除できません：{1}",
  "it was not done: %s": "実行しませんでした：{1}",
  "%s: cannot be written: %s": "{1} に書き込めません：{2}",
  "not enough memory": "メモリが足りません。",
  "not enough memory for the job": "ジョブのためのメモリが足りません。",
};

const known = translations(errors);

/** Translates the whole sentence, or the part after a prefix like "players: ". */
export function errorWords(sentence: string, at: Language): string {
  if (at === "en") return sentence;
  const whole = translated(known, sentence, (part) => part.replaceAll(": ", "："));
  if (whole !== null) return whole;
  const [, where, rest] = /^([^:]{1,80}): (.+)$/s.exec(sentence) ?? [];
  if (where === undefined || rest === undefined) return sentence;
  const said = errorWords(rest, at);
  return said === rest ? sentence : `${where}：${said}`;
}

/** A ruling, "red forfeits: …"; the result already names the side. */
export function rulingWords(comment: string, at: Language): string {
  const reason = /^\w+ forfeits: (.+)$/s.exec(comment)?.[1] ?? comment;
  const said = errorWords(reason, at);
  return said === reason ? comment : said;
}
