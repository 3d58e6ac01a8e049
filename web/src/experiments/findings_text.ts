// SPDX-License-Identifier: MIT
//
// Japanese for the sentences of the library about its experiments (src/repro), keyed by the C format: "{1}" is the
// first argument.

type Table = Readonly<Record<string, string>>;

export const summaries: Table = {
  "The finding holds": "結論は成り立ちます",
  "The finding does not hold": "結論は成り立ちません",
  "All findings hold (%d of %d)": "{1}件の結論すべてが成り立ちます",
  "%d of %d findings hold%s": "{2}件の結論のうち{1}件が成り立ちます",
  "the paper gives no figure that could lie in an interval.": "論文に区間と比べられる値はありません。",
  "the published figure lies inside our interval.": "論文の値は区間内にあります。",
  "all published figures lie inside our intervals.": "論文の値はすべて区間内にあります。",
  "%d of %d published figures lie%s inside our intervals.": "論文の値{2}個のうち{1}個が区間内にあります。",
};

export const findings: Table = {
  // ---- the tactical game ----
  "tactical TBS (TUBSTAP) lies between the classical board games and the basic turn-based strategy games, which are in the centre":
    "戦術TBS（TUBSTAP）は、古典的なボードゲームと、中央にある基本的なターン制戦略ゲームの間にある",
  "all five clusters lie where the paper describes them": "五つのクラスタはすべて、論文の述べる位置にある",
  "a turn of six units has far more combinations than a move in chess (%d) or Go (%d)":
    "6ユニットの1ターンの組み合わせは、チェス（{1}）や囲碁（{2}）の1手よりはるかに多い",
  "the estimate is right to a factor of ten on every map": "見積もりの誤差は、どのマップでも10倍以内",
  "full-width search with the linear evaluation fails at depth 1 and succeeds at depth 2":
    "線形評価の全幅探索は、深さ1で失敗し、深さ2で成功する",
  "UCT finds the right action more often the more simulations it has": "UCTは、シミュレーションが多いほど正解することが増える",
  "UCT with 2000 simulations needs less time than full-width search of depth 2":
    "シミュレーション2000回のUCTは、深さ2の全幅探索より短い時間で済む",
  "search that leaves out plain moves misses the turn that removes the blue infantry; full-width search finds it":
    "ただの移動を省く探索は青軍の歩兵を倒す手順を見落とし、全幅探索は見つける",
  "where the fighter decides, F-heavy values do better than A-heavy ones; where the attacker decides, it is the other way round":
    "戦闘機が勝負を決める局面ではF重視の駒価値がA重視より良く、攻撃機が決める局面ではその逆になる",
  "the right fixed values win (nearly) all games, the wrong ones (nearly) none":
    "正しい固定値は（ほぼ）全局に勝ち、誤った固定値は（ほぼ）一局も勝てない",
  "UCT without piece values wins sometimes in both positions: between the two fixed values":
    "駒価値を使わないUCTは、どちらの局面でもときどき勝つ：二つの固定値の間",
  "attack action search and one-turn Min-Max always find the winning turn":
    "攻撃行動探索（AAS）と1ターンのMin-Maxは、必ず勝ちの手順を見つける",
  "UCT finds it more often with progressive widening than without, and more often than DLMC":
    "UCTは、progressive wideningを使うほうが使わないより、またDLMCより、多く見つける",
  "attack action search needs less time than one-turn Min-Max": "攻撃行動探索（AAS）は、1ターンのMin-Maxより短い時間で済む",
  "with DLMC's first turn a side wins significantly more than half in B and in C":
    "最初のターンをDLMCが担当する側は、BとCで有意に半分より多く勝つ",
  "in A it makes no significant difference": "Aでは有意な差がない",
  "the advantage grows from A to B to C": "優位は A、B、C の順に大きくなる",
  "without a remedy depth 1 is wrong on figure 4 and depth 2 is right": "対策なしでは、図4で深さ1は誤り、深さ2は正解",
  "(a) split into parts, figure 4 twice is solved with fewer positions than the whole takes":
    "(a) 部分に分けると、二つ並べた図4が、全体の探索より少ない局面数で解ける",
  "(b) attacks only in one fixed order: depth 2 is still right on figure 4, with fewer positions than full width":
    "(b) 順序を一つに固定した攻撃のみ：深さ2は図4でなお正解し、局面数は全幅探索より少ない",
  "(b) attacks only misses the turn of figure 5, which begins with a plain move":
    "(b) 攻撃のみの探索は、ただの移動で始まる図5の手順を見落とす",
  "(c) with the damage it may suffer next turn in the evaluation, depth 1 is right on figure 4":
    "(c) 次のターンに受けうる損害を評価に入れると、図4で深さ1が正解する",
  "(d) UCT with 2000 simulations is right on figure 4 more often than not":
    "(d) シミュレーション2000回のUCTは、図4で半分より多く正解する",

  // ---- maps ----
  "in some runs the best fitness does not change in ten generations": "10世代の間、最良の適応度が変わらない実行がある",
  "in some runs it rises (from %.1f to %.1f on average)": "上昇する実行もある（平均で{1}から{2}へ）",
  "no fitness exceeds the ceiling of 216": "適応度は上限の216を超えない",
  "selection flatters: the last elite has %.1f by the games that selected it, %.1f by fresh ones (ours, not the paper's)":
    "選抜は過大評価になる：最後のエリートの適応度は、選抜に使った対局では{1}、新しい対局では{2}（論文ではなく本ソフトの結論）",
  "a map is judged sooner than published (ours: %.0f ms)": "マップの判定は論文より速い（本ソフトでは{1} ms）",
  "on low-fitness maps the side decides: the first side's score is %.0f points from even, on high-fitness ones %.0f":
    "適応度の低いマップでは軍で勝敗が決まる：先手の得点率は五分から{1}ポイント離れ、適応度の高いマップでは{2}ポイント",
  "high-fitness maps offer the first side more attacks to choose from": "適応度の高いマップでは、先手が選べる攻撃が多い",
  "low-fitness maps end sooner": "適応度の低いマップは早く終わる",
  "hand-made maps have coherent terrain and look natural; fitness alone does not bring that":
    "手作りのマップは地形がまとまっていて自然に見える。適応度だけではそうならない",
  "random maps have useless units, hand-made ones hardly any":
    "ランダムなマップには役に立たないユニットがあり、手作りのマップにはほとんどない",
  "with as many games the designer preset's best map is the best in fresh games: %.1f, published %.1f, random %.1f":
    "同じ局数なら、新しい対局ではdesignerプリセットの最良のマップが最も良い：{1}、論文のアルゴリズム{2}、ランダム{3}",
  "what a map was selected by flatters it, on average in each row of runs":
    "マップの選抜に使った適応度は、どの方法でも平均すると過大評価になる",
  "judging elites again lessens that (by %.1f in place of %.1f)": "エリートを判定し直すと、それが減る（{2}ではなく{1}になる）",
  "that is not only the kind of maps: the published algorithm on maps of the designer's kind has %.1f":
    "マップの種類だけが理由ではない：designerの種類のマップでの論文のアルゴリズムは{1}",

  // ---- synthetic trees ----
  "%s%sAMCTS gets more than %s: over all df %.3f (%.3f to %.3f); above 2.00 by its interval at %d of %d df, below at %d (at which df the paper sees it cannot be read)":
    "{1}{2}AMCTSは{3}より多く得る：全dfで{4}（{5}〜{6}）。区間によれば、{8}個のdfのうち{7}個で2.00を超え、{9}個で下回る（論文がどのdfでそう見たかは読み取れない）",
  "%s%sAMCTS and %s are about equal: each mean within %.2f of 2.00 (the farthest: %+.3f)":
    "{1}{2}AMCTSと{3}はほぼ互角：どの平均も2.00から{4}以内（最大の差：{5}）",
  "%s%sAMCTS does not exceed %s: above 2.00 by its interval at %d of %d df, below at %d":
    "{1}{2}AMCTSは{3}を上回らない：区間によれば、{5}個のdfのうち{4}個で2.00を超え、{6}個で下回る",
  "%s%sno side is more than %.2f above 2.00, as far as the axis shows (the farthest: %.3f)":
    "{1}{2}どちらの側も、軸の範囲のとおり、2.00を{3}より超えない（最大の差：{4}）",
  "%s%sAMCTS's time falls as df grows: from %.3g ms a move at df 0.1 to %.3g at 1.0; its leaves rise at %d of %d steps of df":
    "{1}{2}AMCTSの時間はdfとともに減る：1手の時間はdf 0.1で{3} ms、1.0で{4} ms。葉の数が増えるのは、dfの{6}段階のうち{5}段階",
  "%s%sAMCTS takes longer than %s, at %d of %d df: %.3g to %.3g times the time, %.3g to %.3g times the leaves":
    "{1}{2}AMCTSは{3}より長くかかる（{5}個のdfのうち{4}個）：時間は{6}〜{7}倍、葉は{8}〜{9}倍",
  "%s%sAMCTS takes far less time than %s, at %d of %d df: %s needs %.3g to %.3g times the time, %.3g to %.3g times the leaves":
    "{1}{2}AMCTSは{3}よりはるかに短い時間で済む（{5}個のdfのうち{4}個）：{6}は{7}〜{8}倍の時間、{9}〜{10}倍の葉を要する",
  "%s%sAMCTS gets more than %s where df is large (a reading, not certain): %.3f (%.3f to %.3f) over df 0.6 to 1.0, above 2.00 at %d of %d":
    "{1}{2}dfが大きいところで、AMCTSは{3}より多く得る（確かではない読み取り）：df 0.6〜1.0で{4}（{5}〜{6}）、{8}個のうち{7}個で2.00を超える",
  "%s%sAMCTS is behind %s where df is small: %.3f (%.3f to %.3f) over df 0.1 to 0.5, below 2.00 at %d of %d":
    "{1}{2}dfが小さいところで、AMCTSは{3}に劣る：df 0.1〜0.5で{4}（{5}〜{6}）、{8}個のうち{7}個で2.00を下回る",
  "%s%swhere df is large AMCTS does better against %s than with counted playouts: by %+.3f (%+.3f to %+.3f) over df 0.6 to 1.0":
    "{1}{2}dfが大きいところで、{3}に対するAMCTSは、プレイアウト数で制限したときより良い：df 0.6〜1.0で{4}（{5}〜{6}）",
  "%s: more than PIMC: %.3f, %.3f, %.3f; %.3f (%.3f to %.3f) in all, behind at %d of %d df":
    "{1}：PIMCより多く得る：{2}、{3}、{4}。全体で{5}（{6}〜{7}）、{9}個のdfのうち{8}個で劣る",
  "%s: about equal to IIMC (within %.2f at each df) and not above: %.3f, %.3f, %.3f; by the intervals above at %d of %d, below at %d":
    "{1}：IIMCとほぼ互角（どのdfでも差は{2}以内）で、上回らない：{3}、{4}、{5}。区間によれば、{7}個のうち{6}個で上回り、{8}個で下回る",
  "random switching costs as much as 6w, or the rest would mean nothing: %.3f to %.3f times its leaves":
    "ランダムな切り替えの費用は6wと同じ（そうでなければ、以下は意味をなさない）：葉は{1}〜{2}倍",
  "it matters when: against PIMC 6w gets more than random switching at equal cost, by %+.4f (%+.4f to %+.4f) over all df":
    "いつ再探索するかは重要：PIMCに対して、6wは同じ費用のランダムな切り替えより多く得る：全dfで{1}（{2}〜{3}）",
  "head to head 6w gets more than random switching: %.4f (%.4f to %.4f) over all df, above 2.00 at %d of %d df, below at %d":
    "直接の対戦で、6wはランダムな切り替えより多く得る：全dfで{1}（{2}〜{3}）、{5}個のdfのうち{4}個で2.00を超え、{6}個で下回る",
  "searching again pays: 6w gets more than never, by %+.4f (%+.4f to %+.4f) over all df":
    "再探索は見合う：6wはneverより多く得る：全dfで{1}（{2}〜{3}）",
  "6w is not behind always: the difference is %+.4f (%+.4f to %+.4f) over all df, at %.3g to %.3g of its leaves":
    "6wはalwaysに劣らない：差は全dfで{1}（{2}〜{3}）、葉はalwaysの{4}〜{5}倍",
  "%s: by %.3f points (%.3f to %.3f)": "{1}：差は{2}ポイント（{3}〜{4}）",
  "with df 1 everything is known, and PIMC loses nothing: %.4f points, equilibria being exact to 0.002":
    "df 1ではすべてが分かり、PIMCの損失はない：{1}ポイント（均衡の誤差は0.002以内）",
  "nowhere does PIMC lose more against optimal play than random play does: it does in %d of %d cells":
    "最適な相手に対するPIMCの損失は、どこでもランダムな指し手の損失以下：上回るセルは{2}個のうち{1}個",

  // ---- Geister ----
  "searching each world picks a1 and believes in +1 (it is worth 0)": "世界ごとの探索はa1を選び、+1と信じる（実際の値は0）",
  "searching information sets picks a2, worth +0.5": "情報集合の探索はa2を選ぶ（値は+0.5）",
  "enumerating all colour placements picks a move after which nothing is forced any more":
    "色の配置をすべて列挙する探索は、その後もう必勝ではなくなる手を選ぶ",
  "the purple-piece search finds the forced escape in the same position": "紫駒探索は、同じ局面で、防げない脱出を見つける",
  "%s is clearly weaker than both: %.1f%% (%.1f to %.1f) against A, %.1f%% (%.1f to %.1f) against B":
    "{1}は両者より明らかに弱い：Aに対して{2}%（{3}〜{4}）、Bに対して{5}%（{6}〜{7}）",
  "A and B are even: A gets %.1f%% (%.1f to %.1f)": "AとBは互角：Aは{1}%（{2}〜{3}）",
  "all three lose to %s: A gets %.1f%% (%.1f to %.1f), B %.1f%% (%.1f to %.1f), C %.1f%% (%.1f to %.1f)":
    "三つとも{1}に負け越す：A {2}%（{3}〜{4}）、B {5}%（{6}〜{7}）、C {8}%（{9}〜{10}）",
  "C gets the least of them": "三つのうちCが最も低い",
};

export const plots: Table = {
  "Figure 2: games by their rules": "図2：ルールによるゲームの分布",
  "Action combinations of the first turn": "最初のターンの行動の組み合わせ",
  "Figure 4: how often UCT is right": "図4：UCTの正解率",
  "Figure 4: thinking time": "図4：思考時間",
  "Table 5: games won by red": "表5：赤軍の勝率",
  "Table 6: winning turns found": "表6：勝ちの手順を見つけた割合",
  "Table 6: thinking time a turn": "表6：1ターンの思考時間",
  "Table 7: games won by the side that plays its first turn by DLMC": "表7：最初のターンをDLMCが担当する側の勝率",
  "Remedies: how often each is right": "対策：それぞれの正解率",
  "Remedies: positions or simulations a turn": "対策：1ターンの局面数またはシミュレーション数",
  "Best and mean fitness by generation (figures 3 to 5)": "世代ごとの最良と平均の適応度（図3〜5）",
  "Fresh games on the best map: strong's score, and red's between equals":
    "最良のマップでの新しい対局：強い側の得点率と、同じ強さどうしでの赤軍の得点率",
  "Figure %s: AMCTS against %s, counted playouts": "図{1}：AMCTS対{2}、プレイアウト数で制限",
  "Figure %s: AMCTS against %s, %s a move": "図{1}：AMCTS対{2}、1手{3}",
  "As figure %s, both sides' moves in playouts chosen by PIMC": "図{1}と同じ。プレイアウトの両者の手をPIMCが選ぶ",
  "As figure %s, %s a move in place of the time": "図{1}と同じ。時間の代わりに1手あたり{2}",
  "Readings of equation (6): AMCTS against %s": "式(6)の解釈：AMCTS対{1}",
  "Readings of equation (6): cost": "式(6)の解釈：費用",
  "When AMCTS searches again: payoff against PIMC": "AMCTSがいつ再探索するか：PIMCに対する利得",
  "When AMCTS searches again: cost (dotted: PIMC's)": "AMCTSがいつ再探索するか：費用（点線：PIMC）",
  "Lead of 6w over random switching at equal cost": "同じ費用のランダムな切り替えに対する6wのリード",
  "What PIMC loses against optimal play (above), and how much less than random play (below)":
    "最適な相手に対するPIMCの損失（上）と、ランダムな指し手の損失との差（下）",
  "What PIMC loses against optimal play (a game is worth -1 to +1)": "最適な相手に対するPIMCの損失（1局の値は-1〜+1）",
  "What PIMC loses against the best answer to it (a game is worth -1 to +1)": "PIMCへの最善の応手に対する損失（1局の値は-1〜+1）",
  "Table 1: three ways of fixing colours": "表1：色の三通りの決め方",
  "Table 2: UCT against the purple-piece search": "表2：UCT対紫駒探索",
  "Table 3: UCT against a policy without search": "表3：UCT対、探索なしの方策",
};

/** Texts in plots other than titles and row labels: axes and keys. */
export const drawn: Table = {
  published: "論文の値",
  ours: "本ソフトの値",
  "ours, with 95% interval": "本ソフトの値と95%信頼区間",
  milliseconds: "ミリ秒",
  "right (%)": "正解率（%）",
  "right actions (%)": "正解率（%）",
  "games won (%)": "勝率（%）",
  "win rate (%)": "勝率（%）",
  "score (%)": "得点率（%）",
  "points (%, a draw is half of one)": "得点率（%、引き分けは0.5点）",
  "winning turns found (%)": "勝ちの手順を見つけた割合（%）",
  "positions or simulations": "局面数またはシミュレーション数",
  "exact, in order": "正確な数（順序付き）",
  "first component (%.0f%% of the variance)": "第1主成分（寄与率{1}%）",
  "second component (%.0f%%)": "第2主成分（寄与率{1}%）",
  generation: "世代",
  fitness: "適応度",
  "best, run %d": "最良、{1}回目の実行",
  "mean, run %d": "平均、{1}回目の実行",
  "disambiguation factor df": "曖昧さ解消係数 df",
  "disambiguation factor": "曖昧さ解消係数",
  "disambiguation factor %g": "曖昧さ解消係数 {1}",
  "leaf correlation": "葉の相関",
  "leaf correlation %g": "葉の相関 {1}",
  bias: "偏り",
  "points a game": "1局のポイント",
  "points gained": "得",
  "points lost": "損失",
  "mean payoff (the axis does not begin at 0)": "平均利得（軸は0から始まりません）",
  "time a move (s)": "1手の時間（秒）",
  "leaf evaluations a move": "1手の葉の評価数",
  "leaf evaluations a move (IIMC's are 1)": "1手の葉の評価数（IIMCを1とする）",
  "reading of equation (6)": "式(6)の解釈",
  "against PIMC, the difference": "PIMCに対する利得の差",
  "head to head, above 2.00": "直接の対戦で2.00を超える分",

  "classical board games": "古典的なボードゲーム",
  "basic turn-based strategy": "基本的なターン制戦略",
  "complex rules": "複雑なルール",
  "domestic affairs and RTS": "内政とRTS",
};

export const sources: Table = {
  "Sato, Fujiki and Ikeda, %s": "佐藤・藤木・池田、{1}",
  "Taguchi and Sato, IPSJ SIG Technical Report, 2019, %s": "Taguchi・Sato、情報処理学会研究報告、2019、{1}",
  "adaptive Monte Carlo tree search for games with imperfect information (in Japanese), %s":
    "不完全情報ゲームのための適応的モンテカルロ木探索の論文（日本語）、{1}",
  "Nishikori, Aoki and Hashimoto, research of Geister AI using UCT (in Japanese), %s":
    "Nishikori・Aoki・Hashimoto、UCTを用いたガイスターAIの研究（日本語）、{1}",
  "Long, Sturtevant, Buro and Furtak, Understanding the Success of Perfect Information Monte Carlo Sampling in Game Tree Search, AAAI 2010":
    "Long・Sturtevant・Buro・Furtak、“Understanding the Success of Perfect Information Monte Carlo Sampling in Game Tree Search”、AAAI 2010",
};

/** Arguments of the other formats, and parts of labels between commas and colons. */
export const phrases: Table = {
  // ---- places in a paper ----
  "section 5 (compared in words)": "5節（文章での比較）",
  "sections %s and %s": "{1}節と{2}節",
  "section %s": "{1}節",
  "equation (%d)": "式({1})",
  "table %d": "表{1}",
  "figure %d and table %d": "図{1}と表{2}",
  "figure %d": "図{1}",
  "figures %d and %d": "図{1}と{2}",
  "figures %d to %d": "図{1}〜{2}",
  "figures %d": "図{1}", // "figures 2, 3 and 5"
  "%d and %d": "{1}と{2}",

  // ---- in findings ----
  "PIMC does poorly where leaf correlation is low: it loses more at 0 and 0.25 than at 0.75 and 1":
    "葉の相関が低いところでPIMCは弱い：損失は0と0.25で、0.75と1より大きい",
  "extreme bias helps PIMC: at middling correlation it loses more at bias 0.5 than at 0 and 1":
    "極端な偏りはPIMCの助けになる：中程度の相関での損失は、偏り0.5で、0と1より大きい",
  "PIMC gets worse as disambiguation falls (middling correlation): it loses more at df 0.3 than at 0.7":
    "曖昧さ解消係数が下がるとPIMCは弱くなる（中程度の相関）：損失はdf 0.3で、0.7より大きい",
  "… and it goes on getting worse from there: it loses more at df 0 and 0.1 than at 0.3":
    "……そこからさらに弱くなる：損失はdf 0と0.1で、0.3より大きい",
  "where little is learned all play is nearly alike: PIMC's gain over random is higher at df 0.7 than at 0 and 0.1":
    "あまり情報が得られないところでは、どう指してもほとんど変わらない：ランダムな指し手に対するPIMCの得は、df 0.7で、0と0.1より大きい",
  "who knows PIMC can punish it most where little is learned: its exploitability is higher at df 0 and 0.1 than at 0.7":
    "PIMCを知る相手が最もとがめられるのは、あまり情報が得られないところ：搾取可能性はdf 0と0.1で、0.7より大きい",
  "C by formula (2) as it is printed": "印刷どおりの式(2)によるC",
  "the purple-piece search of depth 6": "深さ6の紫駒探索",
  "the policy without search": "探索なしの方策",

  // ---- the games of figure 2 ----
  Chess: "チェス",
  Shogi: "将棋",
  Arimaa: "アリマー",
  "Gunjin Shogi": "軍人将棋",
  Nectaris: "ネクタリス",
  "Gendai Daisenryaku": "現代大戦略",
  "Famicom Wars": "ファミコンウォーズ",
  "Daisenryaku EX": "大戦略EX",
  "Advanced Daisenryaku": "アドバンスド大戦略",
  "Gihren no Yabou": "ギレンの野望",
  "Sangokushi IX": "三國志IX",
  "Final Fantasy Tactics": "ファイナルファンタジータクティクス",
  "Tactics Ogre": "タクティクスオウガ",

  // ---- labels: the tactical game ----
  "board games lie lower left": "ボードゲームは左下",
  "basic strategy is nearest the centre": "基本的な戦略ゲームは中央に最も近い",
  "TUBSTAP lies towards the board games": "TUBSTAPはボードゲーム寄り",
  "complex rules lie upper right": "複雑なルールのゲームは右上",
  "SRPG lie on top": "SRPGは上",
  "domestic affairs and RTS lie lower right": "内政とRTSは右下",
  "variance of component %d (%%)": "第{1}主成分の寄与率（%）",
  standardized: "標準化",
  "not standardized": "標準化なし",
  "the same in three parts of 2 units": "同じものを2ユニットずつ三つに分けた場合",
  "the same": "同じもの",
  "one action at a time": "一行動ずつ",
  "%d actions": "{1}行動",
  "%d units": "{1}ユニット",
  "actions each": "1ユニットの行動数",
  estimate: "見積もり",
  exact: "正確な数",
  "in order": "順序付き",
  "different ends": "ターン終了時の異なる局面",
  "Min-Max depth %d is wrong": "Min-Maxの深さ{1}は誤り",
  "Min-Max depth %d is right": "Min-Maxの深さ{1}は正解",
  "Min-Max depth %d": "Min-Max 深さ{1}",
  "full width finds the turn": "全幅探索は手順を見つける",
  "attacks only misses it": "攻撃のみの探索は見落とす",
  "the cannon moves without attacking": "自走砲は攻撃せずに移動する",
  "full width": "全幅",
  "attacks only": "攻撃のみ",
  "fig. %d twice": "図{1}を二つ",
  "fig. %d": "図{1}",
  none: "対策なし",
  "depth %d": "深さ{1}",
  "(a) split": "(a) 分割",
  "(b) attacks only": "(b) 攻撃のみ",
  "(b) fixed order": "(b) 順序固定",
  "(b) both": "(b) 両方",
  "(c) threat": "(c) 脅威の評価",
  "A-heavy": "A重視",
  "F-heavy": "F重視",
  drawn: "引き分け",
  right: "正解",
  positions: "局面数",
  simulations: "シミュレーション数",
  "%s positions": "{1}：局面数",
  ms: "時間",
  "%s ms": "{1}：時間",
  total: "合計",
  even: "均等",
  "even simulations": "均等なシミュレーション",
  first: "先手",
  second: "後手",
  "%s first": "{1} 先手",
  "%s second": "{1} 後手",
  both: "先後合計",
  "drawn games (half a win each)": "引き分けの局数（半分の勝ちと数える）",

  // ---- labels: maps ----
  "runs whose best fitness did not change": "最良の適応度が変わらなかった実行",
  "runs whose mean fitness rose": "平均の適応度が上がった実行",
  "best at birth": "最良、最初",
  "best after %d generations": "最良、{1}世代後",
  "mean at birth": "平均、最初",
  "mean after %d generations": "平均、{1}世代後",
  "the last elite in 200 fresh games": "最後のエリート、新しい対局200局",
  "as published": "論文どおり",
  "ten games on one map": "1マップの10局",
  "fitness of a random map": "ランダムなマップの適応度",
  "actions in ten games": "10局の行動数",
  "a random map": "ランダムなマップ",
  "low fitness": "適応度の低いマップ",
  "high fitness": "適応度の高いマップ",
  "hand-made": "手作りのマップ",
  "first side's score": "先手の得点率",
  "turns a game": "1局のターン数",
  "attacks on turn 1": "最初のターンに可能な攻撃",
  "destroyed on turn 1": "最初のターンに倒したユニット",
  "useless units": "役に立たないユニット",
  "coherence of terrain": "地形のまとまり",
  naturalness: "自然さ",
  "strong's score": "強い側の得点率",
  people: "人の評価",
  "fun to think about": "考えて楽しい",
  "looks hand-made": "人が作ったように見える",
  "published algorithm": "論文のアルゴリズム",
  "random maps": "ランダム",
  "designer preset": "designerプリセット",
  published: "論文のアルゴリズム",
  "designer's maps": "designerの種類のマップ",
  "fitness that selected its best": "選抜に使った適応度",
  "in fresh games": "新しい対局での適応度",
  fresh: "新しい対局",
  "red's score between equals": "同じ強さどうしでの赤軍の得点率",
  "maps judged": "判定したマップの数",
  games: "局数",

  // ---- labels: synthetic trees ----
  "large df less small": "大きいdf − 小さいdf",
  "%s less %s": "{1} − {2}",
  "df %f to %f": "df {1}〜{2}",
  "all df": "全df",
  "%f s": "{1}秒",
  "%d leaves": "葉{1}枚",
  "counted playouts": "プレイアウト数で制限",
  "both sides' playouts by PIMC": "両者のプレイアウトをPIMCで",
  payoff: "利得",
  "ms a move": "1手の時間",
  "leaves a move": "1手の葉の数",
  "random's leaves": "ランダムの葉の数",
  leaves: "葉の数",
  "%s's are 1": "{1}を1とする",
  "probability of equal cost": "費用が等しくなる確率",
  "moves searched again": "再探索した手",
  random: "ランダム",
  "PIMC's loss": "PIMCの損失",
  "PIMC's gain over random": "ランダムな指し手に対するPIMCの得",
  "PIMC's exploitability": "PIMCの搾取可能性",
  "PIMC's largest loss": "PIMCの最大の損失",
  "lc %f bias %f df %f": "lc {1}、偏り {2}、df {3}",
  "bias %f": "偏り {1}",

  // ---- labels: Geister ----
  "two worlds": "二つの世界",
  "Min-Max in each": "世界ごとのMin-Max",
  "information sets": "情報集合",
  "what Min-Max in each believes": "世界ごとのMin-Maxが信じる値",
  "what information sets say": "情報集合による値",
  Geister: "ガイスター",
  "all placements enumerated": "配置をすべて列挙",
  "purple pieces": "紫駒",
  "plies to the win eacp believes in": "eacpが信じる勝ちまでの手数",
  "plies to the escape purple finds": "purpleが見つける脱出までの手数",
  "C as printed": "印刷どおりのC",
  "%s against %s": "{1} 対 {2}",
  "set-ups included": "初期配置を含む",
};

export const units: Table = { points: "ポイント", "of 5": "/ 5", work: "" };
