// SPDX-License-Identifier: MIT
import { dictionary } from "../app/text";

export const words = dictionary({
  title: ["Maps by the recipe {preset}, seed {seed}", "設定 {preset} によるマップ、シード {seed}"],
  finished: ["finished", "終了"],
  running: ["running; this page reloads automatically", "実行中（このページは自動で更新されます）"],
  seed: ["seed {seed}", "シード {seed}"],
  recipe: ["Recipe: all parameters", "設定：すべてのパラメータ"],
  preset: ["where the others' defaults come from", "ほかのパラメータの標準値を決める設定"],
  filled: ["clearly different maps", "明らかに異なるマップの数"],
  counts: ["Numbers", "数値"],
  files: ["As data:", "データ："],
  archive: ["Archive", "アーカイブ"],
  archive_about: [
    "The best map of each kind: columns by the length of games, rows by the share of aircraft among the units. The number is the strong player’s score against the weak one, beside it red’s between equals. Pale maps are not fair: red’s score is more than {fair} away from 50 %. Those without a picture have no card.",
    "種類ごとの最良のマップです。列は対局の長さ、行はユニット中の航空機の割合です。数字は強いプレイヤーの弱いプレイヤーに対する勝率、その横は互角の対戦での赤の勝率です。赤の勝率が 50 % から {fair} より離れた不公平なマップは薄く表示します。図のないマップにはカードがありません。",
  ],
  turns: ["turns", "ターン"],
  red: ["red {share}", "赤 {share}"],
  fresh_about: [
    "Maps that were selected by few games have values that are too high. So each map below was evaluated again by new games that were not used for selection. The numbers are from those games. Intervals are 95 %.",
    "少ない対局で選ばれたマップの値は、運の分だけ高く出ます。そこで以下のマップは、選択に使わない新しい対局で評価し直しました。数値はその結果で、区間は95%信頼区間です。",
  ],
  selected_about: [
    "The numbers are from the games that selected the maps, so they are too high. Intervals are 95 %.",
    "数値は選択に使った対局のもので、運の分だけ高く出ます。区間は95%信頼区間です。",
  ],
  facts: ["The map", "マップ"],
  lineage: ["Lineage: {count} ancestors in {generations} generations, {founders} without parents", "系統：{generations} 世代、祖先 {count}、うち親のないもの {founders}"],
  more: ["and {count} more", "ほか {count}"],
  generations_more: ["{count} generations more", "ほか {count} 世代"],
  players: [
    "Strong is {strong}, weak is {weak}. Between equals the strong player plays both sides.",
    "強いプレイヤーは {strong}、弱いプレイヤーは {weak} です。互角の対戦では強いプレイヤーが両陣営を受け持ちます。",
  ],
});
