// SPDX-License-Identifier: MIT
export const experiments: Record<string, string> = {
  // ---- how long they take ----
  "at once": "すぐに終わります",
  seconds: "数秒",
  minutes: "数分",
  "about ten seconds": "約10秒",
  "some ten seconds on two cores": "2コアで数十秒",
  "about a minute on two cores": "2コアで約1分",
  "about two minutes on two cores": "2コアで約2分",
  "about two and a half minutes on two cores": "2コアで約2分半",
  "about three minutes on two cores": "2コアで約3分",
  "about six minutes on two cores": "2コアで約6分",
  "a good minute on two cores, which must be free": "空いている2コアで1分強",
  "about twelve minutes on two cores, which must be free": "空いている2コアで約12分",
  "about five minutes on two cores (300 games)": "2コアで約5分（300局）",
  "about five minutes on two cores (3600 games)": "2コアで約5分（3600局）",
  "about five minutes on two cores (20 runs of 480 maps)": "2コアで約5分（480マップを20回）",
  "about three hours on two cores (5000 games); a quarter of an hour with --trials 40":
    "2コアで約3時間（5000局）。--trials 40なら約15分",
  "as figure 2; at once after it": "図2と同じ。図2の後ならすぐに終わります",
  "as figure 4; at once after it": "図4と同じ。図4の後ならすぐに終わります",

  // ---- the tactical game ----
  "principal components of the rules of 17 games": "17のゲームのルールの主成分分析",
  "board games lower left, basic strategy in the centre, TUBSTAP towards the board games":
    "ボードゲームは左下、基本的な戦略ゲームは中央、TUBSTAPはボードゲーム寄り",
  "how many combinations of actions a turn has": "1ターンの行動の組み合わせはいくつあるか",
  "10 actions, 6 units: 720,000,000": "行動10、ユニット6：720,000,000通り",
  "depth 1 takes the wrong fighter; depth 2 and UCT take the right one":
    "深さ1は誤った戦闘機を選び、深さ2とUCTは正しい方を選びます",
  "Min-Max wrong at depth 1, right at depth 2; UCT 100/1000/2000: 13/69/100 of 100":
    "Min-Maxは深さ1で誤り、深さ2で正解。UCT 100/1000/2000回：100回中13/69/100回正解",
  "pruning plain moves misses the turn that needs one": "攻撃以外の移動を刈ると、それが必要な手順を見落とします",
  "attacks-only search misses the turn that removes the infantry; full width finds it":
    "攻撃のみの探索は歩兵をどかす手順を見落とし、全幅探索は見つけます",
  "fixed piece values against UCT on two positions": "2つの局面での、固定した駒価値とUCTの比較",
  "fig. 6: A-heavy 0%, F-heavy 100%, UCT 97%; fig. 7: A-heavy 100%, F-heavy 0%, UCT 28%":
    "図6：A重視0%、F重視100%、UCT 97%。図7：A重視100%、F重視0%、UCT 28%",
  "who finds the turn that destroys all of blue": "青軍を全滅させる手順を見つけるのは誰か",
  "UCT 17%, PW-UCT 89%, AAS 100%, DLMC 0%, Min-Max 100%": "UCT 17%、PW-UCT 89%、AAS 100%、DLMC 0%、Min-Max 100%",
  "the first turn by DLMC against PW-UCT throughout": "最初のターンをDLMCが担当するプレイヤーと、終始PW-UCTのプレイヤーの対戦",
  "DLMC's win rate in all: A 50.0%, B 57.8%, C 68.1%": "DLMCの総合勝率：A 50.0%、B 57.8%、C 68.1%",
  "four remedies against the size of a turn, each alone": "ターンの大きさに対する4つの対策を、それぞれ単独で",
  "(in words) each makes figure 4 solvable; attacks-only fails on figure 5":
    "（本文）いずれも図4を解けるようにします。攻撃のみの探索は図5で失敗します",

  // ---- maps ----
  "runs of the published genetic algorithm: best and mean fitness by generation":
    "論文の遺伝的アルゴリズムの実行：世代ごとの最良と平均の適応度",
  "3 runs: the elite's fitness stays in two and rises in one; the ceiling is 216":
    "3回の実行：最良の適応度は2回で横ばい、1回で上昇。上限は216",
  "how long it takes to judge one map": "1つのマップの判定にかかる時間",
  "about 15 seconds on a Pentium G4400": "Pentium G4400で約15秒",
  "best maps of the published algorithm, of random maps and of the designer preset, same games":
    "同じ局数での、論文のアルゴリズム・ランダム・designerプリセットの最良マップ",
  "(compared qualitatively)": "（定性的な比較）",
  "what sets low-fitness, high-fitness and hand-made maps apart": "適応度の低いマップ、高いマップ、手作りのマップの違い",
  'people gave "fun to think about" 3.4 and 3.2 to low-fitness, 4.4 and 4.4 to high-fitness, 4.6 and 5.0 to hand-made maps':
    "「考えて楽しい」の評価：適応度の低いマップ3.4と3.2、高いマップ4.4と4.4、手作りのマップ4.6と5.0",

  // ---- synthetic trees ----
  "AMCTS against PIMC, counted playouts: payoff by df": "AMCTS対PIMC、プレイアウト数で制限：dfごとの利得",
  "AMCTS gets more than PIMC; at which df cannot be read": "AMCTSはPIMCより多く得ます。どのdfかは読み取れません",
  "AMCTS against PIMC, counted playouts: time a move by df": "AMCTS対PIMC、プレイアウト数で制限：dfごとの1手の時間",
  "AMCTS's time falls as df grows; it takes longer than PIMC": "AMCTSの時間はdfとともに減りますが、PIMCより長くかかります",
  "AMCTS against IIMC, counted playouts: payoff by df": "AMCTS対IIMC、プレイアウト数で制限：dfごとの利得",
  "almost equal; AMCTS does not exceed IIMC": "ほぼ互角。AMCTSはIIMCを上回りません",
  "AMCTS against IIMC, counted playouts: time a move by df": "AMCTS対IIMC、プレイアウト数で制限：dfごとの1手の時間",
  "AMCTS is clearly cheaper than IIMC; its time falls as df grows": "AMCTSはIIMCより明らかに安く、時間はdfとともに減ります",
  "AMCTS against PIMC, 0.01 s a move: payoff by df": "AMCTS対PIMC、1手0.01秒：dfごとの利得",
  "AMCTS better where df is large (a likely reading)": "dfが大きいところでAMCTSが優位（おそらくの読み取り）",
  "AMCTS against IIMC, 0.01 s a move: payoff by df": "AMCTS対IIMC、1手0.01秒：dfごとの利得",
  "where df is large, better for AMCTS than in figure 4": "dfが大きいところで、図4よりAMCTSに有利",
  "AMCTS against PIMC, 0.001 s a move: payoff by df": "AMCTS対PIMC、1手0.001秒：dfごとの利得",
  "AMCTS behind PIMC where df is small; no side more than 0.05 above 2.00":
    "dfが小さいところでAMCTSがPIMCに劣ります。どちらも2.00を0.05より超えません",
  "AMCTS against IIMC, 0.001 s a move: payoff by df": "AMCTS対IIMC、1手0.001秒：dfごとの利得",
  "no statement survives; no side more than 0.05 above 2.00": "確かな記述は残っていません。どちらも2.00を0.05より超えません",
  "AMCTS under every reading of the lost equation (6), against PIMC and IIMC":
    "失われた式(6)のあらゆる解釈によるAMCTSと、PIMC・IIMCの対戦",
  "better than PIMC; about equal to IIMC and not above. The equation itself is lost":
    "PIMCより良く、IIMCとほぼ同じで上回りません。式そのものは失われています",
  "AMCTS that searches again by 6w, at random at the same cost, never and always":
    "6wで再探索するAMCTSと、同じコストで無作為・再探索なし・常に再探索の比較",
  "(not in the paper) that the choice of when to search again is what pays": "（論文にはありません）いつ再探索するかの選択こそが効くこと",
  "where in the space of synthetic trees PIMC plays well": "合成木の空間のどこでPIMCがうまく指せるか",
  "in words and pictures: PIMC does poorly where leaf correlation is low; extreme bias and, at middling correlation, a higher disambiguation factor help it":
    "文章と図：葉の相関が低いとPIMCは弱く、極端な偏りや、中程度の相関では高い曖昧さ解消係数が助けになります",

  // ---- Geister ----
  "UCT that fixes hidden colours before a simulation (A), when needed (B) or never (C)":
    "隠れた色をシミュレーション前に決める（A）、必要なときに決める（B）、決めない（C）UCT",
  "A and B even (A-B 252-248, B-A 249-250-1), C about 35% against both":
    "AとBは互角（A-B 252-248、B-A 249-250-1）、Cは両者に対し約35%",
  "UCT A, B and C against the purple-piece Min-Max of depth 6": "UCT A・B・C対、深さ6の紫駒Min-Max",
  "A 10-39-1 first and 11-39 second, B 9-41 and 7-43, C 2-48 and 3-47":
    "A 先手10-39-1・後手11-39、B 9-41・7-43、C 2-48・3-47",
  "UCT A, B and C against a policy-gradient player without search": "UCT A・B・C対、探索なしの方策勾配プレイヤー",
  "A 22-28 first and 19-31 second, B 15-35 and 18-31-1, C 5-45 and 13-36-1":
    "A 先手22-28・後手19-31、B 15-35・18-31-1、C 5-45・13-36-1",
  "strategy fusion: in a game of two worlds, and in a position of Geister": "戦略融合：2つの世界のゲームと、ガイスターの局面で",
  "per world: a1, believed +1; information sets: a2, +0.5; placements enumerated: no win, purple: escape in 5 plies":
    "世界ごと：a1（+1と誤認）、情報集合：a2（+0.5）、配置の列挙：勝ちなし、purple：5手で脱出",
};
