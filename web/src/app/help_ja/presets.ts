// SPDX-License-Identifier: MIT
export const presets: Record<string, string> = {
  // ---- tournaments ----
  "round robin, both sides of every map, no clock: to see who is stronger": "総当たり、全マップで両側を担当、時計なし：強さを比べるために",
  "Swiss with as many rounds as a knock-out would have, then a knock-out of the best four":
    "勝ち抜き戦と同じ回戦数のスイス式、その後上位4者の勝ち抜き戦",
  "GAT, tactical game: 10 s a turn, both sides, nobody on their own maps, play-offs for the first":
    "GAT戦術ゲーム：1ターン10秒、両側を担当、自作マップでは戦わず、首位はプレーオフ",
  "GAT, Geister: 10 minutes a game, then 10 s a move, both sides, 3 points for a win":
    "GATガイスター：持ち時間10分、切れたら1手10秒、先後両方、勝ち3点",
  "GAT, Geister: the same clock and points, 50 games from each side in every pairing":
    "GATガイスター：同じ時計と得点、各組み合わせで先後50局ずつ",

  // ---- evolution of maps ----
  "as published: maps that a stronger player wins, by a genetic algorithm": "論文のとおり：強いプレイヤーが勝つマップを遺伝的アルゴリズムで",
  "what we recommend: many different maps that look as if a person had made them":
    "おすすめ：人が作ったように見える、多様なマップ",
  "as many maps judged as published, but none has parents: what selection adds is the difference":
    "論文と同数のマップを判定しますが、親はありません。選択の効果が差として分かります",
  "columns of a map": "マップの列数",
  "rows of a map": "マップの行数",
  "fewest red units": "赤軍ユニットの最小数",
  "most red units": "赤軍ユニットの最大数",
  "fewest blue units": "青軍ユニットの最小数",
  "most blue units": "青軍ユニットの最大数",
  "least HP of a unit": "ユニットの最小HP",
  "most HP of a unit": "ユニットの最大HP",
  "unit types: all, or names or letters with commas": "ユニットの種類：all、または名前か文字をコンマで区切って",
  "how often each comes: plain=60,wood=20, say, or even: all six alike":
    "地形の割合：例 plain=60,wood=20。even：6種類を均等に",
  "how blue follows from red": "赤軍から青軍を決める対称性",
  "where units of new maps stand": "新しいマップのユニットの置き場所",
  "0: each cell of a new map for itself; towards 1: terrain in patches": "0：マスごとに独立、1に近いほど地形がまとまります",
  "turns of a game at most": "1局の最大ターン数",
  "HP lead that must be exceeded to win at the limit": "ターン上限で勝つために超えるべきHP差",
  "rule set": "ルールセット",
  "the player who should win": "勝つべきプレイヤー",
  "the player who should lose": "負けるべきプレイヤー",
  "strong against weak a map, half from each side": "1マップあたりの強対弱の局数（両側半分ずつ）",
  "strong against itself a map, for fairness": "1マップあたりの強同士の局数（公平さのため）",
  "weight of looks in the fitness": "適応度における見た目の重み",
  "fresh games for each map shown at the end, and half as many of strong against itself":
    "最後に示す各マップの新たな対局数（強同士はその半分）",
  "parents against children; the best of each kind; new maps only": "親と子の競争、種類ごとの最良、または新しいマップのみ",
  "who survives and who has children (generations)": "誰が生き残り、誰が子を持つか（世代方式）",
  "which cells come from which parent": "どのマスをどちらの親から受け継ぐか",
  "maps at the start": "最初のマップ数",
  "maps that survive, and children a generation": "生き残るマップ数、および1世代の子の数",
  "after birth": "最初の後の世代数",
  "how many meet in tournament selection": "トーナメント選択で競う数",
  "share of children with two parents": "2つの親を持つ子の割合",
  "changes in children: none, all, or terrain,type,hp,place,add,remove":
    "子の変化：none、all、または terrain,type,hp,place,add,remove",
  "changes in a child on average, where there are any": "変化があるときの、1つの子あたりの平均変化数",
  "mend what a person would never have drawn": "人なら描かないような箇所を直します",
  "stop judging maps that can hardly be selected any more": "もう選ばれそうにないマップの判定を打ち切ります",
  "judge the best again until they had so many games (archive)": "最良のマップをこの局数まで判定し直します（アーカイブ方式）",
  "red's score between equals may be so far from a half (archive)": "同じ強さでの赤軍の得点率が、半分からどれだけ離れてよいか（アーカイブ方式）",
  "no new generation after so many games; 0: no such limit": "この局数を超えたら新しい世代を作りません。0なら制限なし",
  "maps to show at the end": "最後に示すマップ数",
};
