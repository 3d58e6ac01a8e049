// SPDX-License-Identifier: MIT
export const games: Record<string, string> = {
  "the tactical game of the TUBSTAP platform; maps up to 32 x 32 cells and 64 units a side":
    "TUBSTAPプラットフォームの戦術ゲーム。マップは最大32×32マス、ユニットは片側64体まで",
  "the rule set": "ルールセット",
  "how boards are stored; auto takes the small one where the map fits": "盤面の持ち方。autoはマップが収まれば小型盤を使います",
  "synthetic trees: each player has a type the other learns of bit by bit":
    "合成木：各プレイヤーには型があり、相手はそれを少しずつ知っていきます",
  "types of each player, a power of two": "各プレイヤーの型の数（2のべき乗）",
  "moves of a game, of both players together": "1局の手数（両者合計）",
  "actions at each move": "各手番の行動の数",
  "normal: 0 to r, normally distributed; signs: 1 or 0, Long's +1 and -1":
    "normal：0〜rの正規分布。signs：1か0（Longの+1と−1）",
  "the highest payoff": "利得の最大値",
  "leaf correlation: how often all leaves of one parent are made equal": "葉の相関：同じ親の葉がすべて等しくなる割合",
  "towards the first player": "先手に有利な偏り",
  "mean of payoffs=normal; negative: the bias": "payoffs=normalの平均。負のときはbiasの値",
  "standard deviation of payoffs=normal; negative: 1/r": "payoffs=normalの標準偏差。負のときは1/r",
  "what leaves get that are not made equal: draws of their own; x and r-x; r and 0 (the default with signs); draws until they differ":
    "等しくしない葉の値：それぞれ独立、xとr−x、rと0（signsの標準）、異なるまで引き直す",
  "disambiguation factor: how readily the possible types are halved at a move":
    "曖昧さ解消係数：一手ごとにあり得る型が半分に絞られやすい度合い",
  "the tree's seed; 0: every game has a tree of its own": "木の乱数シード。0なら対局ごとに別の木",
  "one player, two worlds it cannot tell apart: where per-world search goes wrong":
    "1人のプレイヤーと区別できない2つの世界。世界ごとの探索が誤る例です",
  "three in a row; nothing is hidden: the smallest example of an open game": "三目並べ：完全情報ゲームの最小の例",
  "Kuhn poker: three cards, one each, one bet": "クーンポーカー：カード3枚、1人1枚、賭けは1回",
  "Geister: eight pieces each on 6 x 6, four of them red, and only their owner knows which":
    "ガイスター：6×6の盤に各8個の駒。うち4個が赤で、どれが赤かは持ち主だけが知っています",
  "whose: server 300 plies and both ways out, uctgeister 300 and forward, the others 200 and sideways":
    "誰のルールか。server：300手・両方向に脱出、uctgeister：300手・前方のみ、その他：200手・横方向のみ",
  "moves of both sides together until the game is a draw; 0: as the rules say": "引き分けになるまでの手数（両者合計）。0ならルールどおり",
  "how a piece leaves its corner": "角からの脱出のしかた",
  "as the TUBSTAP platform, version 1.08, plays": "TUBSTAPプラットフォーム1.08版のとおり",
  "as Sato, Fujiki and Ikeda print them: antiair on infantry 115, a lead equal to the threshold wins":
    "佐藤・藤木・池田の論文のとおり：対空戦車→歩兵は115、しきい値と同じ差でも勝ち",
};
