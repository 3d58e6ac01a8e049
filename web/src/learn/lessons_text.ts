// SPDX-License-Identifier: MIT
//
// Texts of the lessons. Numbers of the rules come from the server.
import { dictionary } from "../app/text";

export const words = dictionary({
  move_title: ["Moving", "移動"],
  move_text: [
    "You play red, the round pieces. Choose your infantry: the marked cells are in its reach. Infantry has {infantry} movement points per turn, and a plain costs one. Choose a cell, then choose it again (or press “Stay here”).",
    "あなたは赤軍（丸い駒）です。歩兵を選ぶと、移動できるマスに印が付きます。歩兵の移動力は1ターンに{infantry}で、平地は1マスにつき1かかります。マスを選び、もう一度同じマスを選ぶ（または「ここにとどまる」を押す）と決まります。",
  ],
  move_goal: ["Move the infantry to the fortress.", "歩兵を要塞まで動かしてください。"],
  move_hint: ["The fortress is the marked cell with walls, three steps to the right.", "要塞は印の付いた壁のあるマスです。右へ3歩進みます。"],
  turn_title: ["Ending the turn", "ターンの終了"],
  turn_text: [
    "In a turn each of your units may act once, in any order. When all have acted, the turn ends automatically; “End turn” ends it earlier. Infantry moves {infantry} cells per turn, so this path takes two turns.",
    "1ターンの間に、各ユニットは好きな順に1回ずつ行動できます。行動しなくてもかまいません。全部が行動するとターンは自動的に終わり、「ターン終了」でそれより早く終えることもできます。歩兵は1ターンに{infantry}マスなので、この道のりには2ターンかかります。",
  ],
  turn_goal: ["Move the infantry to the fortress in two turns.", "2ターンで歩兵を要塞まで動かしてください。"],
  turn_hint: [
    "Move the infantry to the right, press “End turn” (key E), and continue in your next turn. The panzer need not act.",
    "歩兵を右へ動かし、「ターン終了」（Eキー）を押して、次のターンに続きを進みます。戦車は休んでいてかまいません。",
  ],
  terrain_title: ["Terrain", "地形"],
  terrain_text: [
    "Terrain costs movement points. A panzer has {panzer}; a wood costs a vehicle {wood_vehicle}, and vehicles cannot enter mountains. For infantry a wood costs {wood_foot} and a mountain {mountain_foot}. Roads and plains cost every unit one.",
    "地形によって必要な移動力が違います。戦車の移動力は{panzer}ですが、車両は森に{wood_vehicle}かかり、山には入れません。歩兵は森に{wood_foot}、山に{mountain_foot}かかります。道路と平地は誰でも1です。",
  ],
  terrain_goal: ["Move the infantry to the marked mountain and the panzer to the fortress.", "歩兵を印の付いた山へ、戦車を要塞へ動かしてください。"],
  terrain_hint: ["The panzer takes the road below and turns up at its end. The way through the wood is too long.", "戦車は下の道路を通り、端で上に曲がります。森を通ると遠すぎます。"],
  attack_title: ["Attacking", "攻撃と反撃"],
  attack_text: [
    "A unit next to an enemy can attack it. The number on the enemy is the damage you will do. If it survives, it counterattacks with its remaining HP: point at it to see that damage, too. Attack first, and destroy damaged units.",
    "敵の隣に行くと攻撃できます。敵の上の数字が与えるダメージです。敵が生き残ると、残ったHPで反撃してきます。敵を指すと反撃の数字も見られます。先に攻撃し、始めた攻撃は最後までやりとげましょう。",
  ],
  attack_goal: ["Destroy the blue panzer without losing a unit.", "自分のユニットを失わずに青軍の戦車を撃破してください。"],
  attack_hint: [
    "Attack with one panzer, then with the other: the second attack destroys the weakened panzer, so there is no counterattack.",
    "まず一方の戦車で、次にもう一方の戦車で攻撃します。二度目は相手が弱っているので、反撃されません。",
  ],
  cover_title: ["Cover", "防御効果"],
  cover_text: [
    "Terrain protects the unit on it: a road has {road} stars, a plain {plain}, a wood {wood}, a mountain {mountain}. The blue panzer attacks after your move. In the open it would destroy your weakened infantry.",
    "地形はその上のユニットを守ります。防御の星は、道路が{road}、平地が{plain}、森が{wood}、山が{mountain}です。あなたが動いた後、青軍の戦車が攻撃してきます。開けた場所では、弱った歩兵は撃破されてしまいます。",
  ],
  cover_goal: ["Survive the enemy's turn.", "敵のターンを生きのびてください。"],
  cover_hint: ["Move to the wood just below, or to the mountain.", "すぐ下の森に入るか、山に登りましょう。"],
  cannon_title: ["The cannon", "自走砲"],
  cannon_text: [
    "A cannon fires at enemies {low} to {high} cells away (horizontal plus vertical steps), but not at adjacent units. It cannot move and fire in the same turn. Its targets cannot counterattack.",
    "自走砲は遠くを撃ちます。射程は縦横の歩数で{low}から{high}マスで、隣の敵は撃てません。同じターンに移動と砲撃はできません。遠くから撃つので反撃されません。",
  ],
  cannon_goal: ["Destroy the infantry with the cannon, without damage.", "無傷のまま、自走砲で歩兵を撃破してください。"],
  cannon_hint: [
    "First move so that the infantry is {high} cells away. In the next turn choose the cannon, its own cell, and the target.",
    "まず歩兵との距離が{high}マスになるように動きます。次のターンに自走砲、自走砲のいるマス、目標の順に選びます。",
  ],
  air_title: ["Air and antiair", "航空機と対空"],
  air_text: [
    "Aircraft fly over all terrain and have no cover. An attacker hits a panzer with power {attacker}; a panzer hits it with power {panzer}, so it cannot attack it. An antiair has power {antiair}.",
    "航空機はどこでも飛べますが、地形に守られません。攻撃機の戦車への威力は{attacker}、戦車から攻撃機への威力は{panzer}、つまり攻撃できません。対空戦車の威力は{antiair}です。",
  ],
  air_goal: ["Destroy the attacker without losing a unit.", "自分のユニットを失わずに攻撃機を撃墜してください。"],
  air_hint: ["Move the antiair, the unit below, next to it and attack.", "下の対空戦車を攻撃機の隣に動かして攻撃します。"],
  win_title: ["Winning: destroy all units", "勝ち方：全滅"],
  win_text: [
    "The side that destroys all enemy units wins. Your opponent is now an AI player that evaluates each action and takes the best one at once. Let the enemy come, use cover and your cannon, and attack where the counterattack is weak.",
    "敵の全ユニットを撃破すれば勝ちです。今度は本物のプレイヤーが相手です。一手ごとに、その場で一番よさそうな行動を選びます。敵を引きつけ、地形と自走砲を使い、強い反撃を受けないところを攻撃しましょう。",
  ],
  win_goal: ["Destroy all blue units.", "青軍の全ユニットを撃破してください。"],
  win_hint: ["Prefer attacks that destroy a unit, and keep the cannon behind the others.", "数字を見て、撃破できる攻撃を優先し、自走砲は味方の後ろに置きましょう。"],
  limit_title: ["Winning: the turn limit", "勝ち方：ターン上限"],
  limit_text: [
    "A map has a turn limit. At the limit the total HP are compared: a lead of more than the map's threshold wins, otherwise it is a draw. You already lead here. Keep the lead until the limit.",
    "マップにはターンの上限があります。上限に達するとHPの合計を比べ、マップの基準を超えて上回る側が勝ち、そうでなければ引き分けです。今あなたはすでに上回っています。失わなければ、そのまま逃げ切れます。",
  ],
  limit_goal: ["Win at the turn limit.", "ターン上限で勝ってください。"],
  limit_hint: [
    "Stay out of reach or in the fortress, and end your turns. Turn and HP are shown beside the board.",
    "敵の届かない場所か要塞にいて、ターンを終えましょう。盤の横にターン数とHPが表示されています。",
  ],
  ghost_move_title: ["Geister: moving", "ガイスター：移動"],
  ghost_move_text: [
    "Another game. Your eight ghosts are at the bottom, four good (blue) and four bad (red); the opponent cannot see which. A ghost moves one step forward, back or sideways. Choose a ghost, then a marked cell, or drag it.",
    "別のゲームです。手前の8体があなたのおばけで、良いおばけ（青）と悪いおばけ（赤）が4体ずつ。相手にはどれがどれか見えません。おばけは前後左右に1歩動きます。おばけを選び、印の付いたマスを選びます。ドラッグでも動かせます。",
  ],
  ghost_move_goal: ["Move a ghost two steps forward.", "おばけを2歩前に進めてください。"],
  ghost_move_hint: ["Choose a ghost in the front row and move it up, twice. The opponent moves in between.", "前の列のおばけを選んで、上に2回動かします。間に相手も動きます。"],
  ghost_take_title: ["Geister: taking", "ガイスター：取る"],
  ghost_take_text: [
    "Move to the cell of an enemy ghost to take it; its colour is then revealed. If you take all four good ghosts, you win. If you take all four bad ghosts, you lose.",
    "相手のおばけのいるマスに進むと取れます。色はそのとき初めてわかります。良いおばけを4体すべて取れば勝ち、悪いおばけを4体すべて取ってしまうと負けです。悪いおばけはそのためにいます。",
  ],
  ghost_take_goal: ["Take an enemy ghost and see its colour.", "相手のおばけを取って、色を確かめてください。"],
  ghost_take_hint: ["Two enemy ghosts are directly in front of yours, in the middle of the board.", "盤の中央で、相手のおばけが2体、あなたのおばけのすぐ前にいます。"],
  ghost_escape_title: ["Geister: escaping", "ガイスター：脱出"],
  ghost_escape_text: [
    "The far corners are your exits. A good ghost on an exit can leave with its next move and wins. A bad ghost cannot leave, but the opponent cannot see its colour. Run with two ghosts to both corners, and the opponent must guess.",
    "奥の両隅があなたの出口です。良いおばけが出口にいれば、次の手で脱出して勝てます。悪いおばけは脱出できませんが、相手に色は見えません。2体のおばけで両隅に走れば、相手はどちらが良いおばけか当てるしかありません。",
  ],
  ghost_escape_goal: ["Escape with a good ghost.", "良いおばけで脱出してください。"],
  ghost_escape_hint: [
    "Move the good ghost (blue) on the left up and left to the corner; then choose the arrow off the board.",
    "左の良いおばけ（青）を上と左に動かして隅に行き、盤の外へ向かう矢印を選びます。",
  ],
});

export type LessonWords = keyof typeof words;
