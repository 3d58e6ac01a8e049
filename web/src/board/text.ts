// SPDX-License-Identifier: MIT
import { dictionary } from "../app/text";

export const words = dictionary({
  board: ["board", "盤面"],
  keys: ["Arrow keys move, Enter chooses.", "矢印キーで移動、Enterで選択します。"],
  unit: ["{side} {unit}, {hp} HP", "{side}の{unit}、HP{hp}"],
  ready: ["can act", "行動可能"],
  done: ["has acted", "行動済み"],
  reach: ["can be reached", "移動できます"],
  attack: ["can be attacked", "攻撃できます"],
  take: ["can be taken", "取れます"],
  from: ["start of the last move", "直前の手の移動元"],
  to: ["end of the last move", "直前の手の移動先"],
  target: ["attacked", "攻撃対象"],
  selected: ["selected", "選択中"],
  problem: ["problem here", "問題があります"],
  cell: ["{x},{y}: {what}", "{x},{y}：{what}"],
  empty: ["empty", "空き"],
  piece: ["{side} {letter}, {colour}", "{side}の{letter}、{colour}"],
  belief: ["{percent} bad", "悪いおばけの確率{percent}"],
  exit: ["exit", "脱出口"],
  leave: ["off the board from {x},{y}: escape", "{x},{y}から盤外へ：脱出"],
  carrying: ["{letter} selected: choose a cell.", "{letter}を選択中です。マスを選んでください。"],
  taken: ["taken by {side}: {pieces}", "{side}が取ったおばけ：{pieces}"],
  nothing_taken: ["nothing taken yet", "まだ何も取っていません"],
});
