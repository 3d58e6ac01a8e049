// SPDX-License-Identifier: MIT
import { dictionary } from "../app/text";

export const words = dictionary({
  candidates: ["Candidates, best first", "候補手（良い順）"],
  rank: ["No.", "順位"],
  move: ["Move", "手"],
  chance: ["Win probability", "勝率"],
  value: ["Value", "評価値"],
  visits: ["Visits", "訪問回数"],
  at_most: ["at most", "高々"],
  unseen: ["not tried", "未探索"],
  line: ["Main line", "読み筋"],
  show_line: ["Show on the board: main line after {move}", "この手の読み筋を盤面に表示：{move}"],
  chosen: ["chosen", "選んだ手"],
  no_candidates: ["This player reports no candidates.", "このプレイヤーは候補手を挙げません（手を比べて選ぶ方式ではないためです）。"],
  more: ["Show all {count}", "{count}手すべて表示"],
  fewer: ["Show fewer", "少なく表示"],
  simulations: ["{count} simulations", "{count}回シミュレーション"],
  nodes: ["{count} nodes", "{count}ノード"],
  depth: ["depth {depth}", "深さ{depth}"],
  plain: ["This game has no graphical board. The position as text:", "このゲームには専用の盤面がありません。局面をテキストで示します："],
});
