// SPDX-License-Identifier: MIT
export const players: Record<string, string> = {
  // ---- players ----
  "any legal action, evenly": "合法手から等確率で選びます",
  "no search: scores each action by damage, cover and approach and plays the best (tactical game)":
    "探索なし：各行動をダメージ・地形防御・接近度で採点し、最良のものを指します（戦術ゲーム）",
  "UCT over single unit actions (Sato, Fujiki and Ikeda, A.2.1)": "ユニット1体の行動を単位とするUCT（佐藤・藤木・池田、A.2.1）",
  "UCT with progressive widening, attacks first (A.2.2)": "段階的に候補を広げ、攻撃を優先するUCT（A.2.2）",
  "M-UCT as the TUBSTAP platform has it, faults and all (tactical game)": "TUBSTAPプラットフォームのM-UCTを、欠点も含めて再現（戦術ゲーム）",
  "searches everything to a depth: Min-Max with alpha-beta and a transposition table":
    "一定の深さまで全探索：αβ法と置換表を使うMin-Max",
  "depth-limited Monte Carlo: draws whole turns, values each by short simulations, plays the best":
    "深さ限定モンテカルロ：ターン全体を無作為に作り、短いシミュレーションで評価して最良のものを指します",
  "attack action search: every order of attacks in this turn, completed, evaluated; plays the best":
    "攻撃行動探索：このターンの攻撃順をすべて調べ、残りを補って評価し、最良のものを指します",
  "asks another player about each group of units that can influence each other": "互いに影響し得るユニットの集団ごとに、別のプレイヤーに尋ねます",
  "one player for a side's first turns, another for the rest": "最初の数ターンと残りを、別々のプレイヤーが担当します",
  "somebody else's program or machine, in the engine protocol": "エンジンプロトコルで話す外部のプログラムやマシン",
  "perfect information Monte Carlo: random playouts in the worlds that are possible":
    "完全情報モンテカルロ：あり得る世界でランダムにプレイアウトします",
  "imperfect information Monte Carlo: the same with playouts whose moves are chosen by pimc":
    "不完全情報モンテカルロ：プレイアウトの手をpimcで選びます",
  "adaptive Monte Carlo tree search: pimc first, and iimc where that leaves the choice open":
    "適応型モンテカルロ木探索：まずpimc、それで決まらなければiimcを使います",
  "information-set UCT: a tree of what the mover sees, over worlds drawn at random (any game)":
    "情報集合UCT：手番側に見えるものの木を、無作為に選んだ世界で育てます（どのゲームでも）",
  "no search: plays the move that a policy learned by self-play scores highest (Geister)":
    "探索なし：自己対局で学んだ方策が最も高く評価する手を指します（ガイスター）",
  "UCT for Geister, all hidden colours drawn before each playout (Nishikori et al., A)":
    "ガイスターのUCT。プレイアウトの前に隠れた色をすべて決めます（Nishikoriら、A）",
  "the same, a colour drawn only when it matters (B)": "同上。色は必要になったときだけ決めます（B）",
  "the same, no colour drawn: ends count with the chance to have got there (C)":
    "同上。色は決めず、終局をそこに至る確率で数えます（C）",
  "gst-b that first looks for a win against purple pieces (GAT 2022)": "まず紫駒に対する勝ちを探すgst-b（GAT 2022）",
  "Geister: Min-Max in which hidden pieces are whatever is worse (Naotti-2020, GAT2020's champion)":
    "ガイスター：隠れた駒を常に不利な方とみなすMin-Max（Naotti-2020、GAT2020優勝）",
  "Geister: Min-Max in every world that is possible, put together; falls for strategy fusion":
    "ガイスター：あり得るすべての世界でのMin-Maxを合わせます。戦略融合に陥ります",
  "Geister: guesses colours from how pieces move, and plays by rules (after the champion of GAT2018)":
    "ガイスター：駒の動きから色を推理し、規則に従って指します（GAT2018優勝プログラムにならう）",
  "our own: forced wins, beliefs about the other's colours, a search over them with learned policy and values (Geister)":
    "自作：必勝手順、相手の色の推定、学習した方策と価値による探索（ガイスター）",

  // ---- common options ----
  "milliseconds a turn, in place of counted work; 0: no limit": "1ターンのミリ秒（回数の代わり）。0なら制限なし",
  "own random seed: the same position is answered the same in every game; 0: the game's":
    "固有の乱数シード。同じ局面にはどの対局でも同じ答えを返します。0なら対局のもの",
  "as above": "同上",

  // ---- acteval ----
  "the paper's scoring, or the platform's Sample_MaxActEval (which ignores the options below)":
    "論文の採点、またはプラットフォームのSample_MaxActEval（以下のオプションを無視します）",
  "value of a fighter's HP": "戦闘機のHPの価値",
  "of an attacker's": "攻撃機のHPの価値",
  "of a panzer's": "戦車のHPの価値",
  "of a cannon's": "自走砲のHPの価値",
  "of an antiair's": "対空戦車のHPの価値",
  "of an infantry's": "歩兵のHPの価値",
  "worth of one defence star at the end of a move": "移動先の地形防御1つ分の価値",
  "worth of being near an enemy it can hurt": "攻撃できる敵に近いことの価値",

  // ---- uct and its variants ----
  "simulations for a whole turn; each of its decisions gets an equal share": "1ターン全体のシミュレーション回数。各決定に等分します",
  "exploration: mean + c * sqrt(ln(parent's visits) / visits)": "探索の強さ：平均 + c × √(ln(親の訪問数) / 訪問数)",
  "turns after which a simulation is cut; 1: at the end of this turn, 0: never":
    "シミュレーションを打ち切るターン数。1：このターンの終わり、0：打ち切らない",
  "a simulation that was cut: won by who has more HP, or lost unless the game is won":
    "打ち切ったときの勝敗：HPの多い側の勝ち、または勝ちが決まっていなければ負け",
  "of the simulations: a playout of the game ('senjutsu games' lists them; default: the game's)":
    "シミュレーションの指し方：ゲームのプレイアウト（一覧は「senjutsu games」）",
  "visits after which an action's answers are looked at one by one": "行動の先を一つずつ調べ始めるまでの訪問数",
  "which actions of a node are tried first, at random among equals; auto: attacks with widening, where the game has attacks":
    "節点でどの行動から試すか（同等なら無作為）。auto：候補を広げるときは攻撃から",
  "the action played: best mean result, or most visited": "指す行動：平均が最良のもの、または訪問が最多のもの",
  "positions that several orders of actions lead to share what is known of them": "行動の順序が違っても同じ局面なら情報を共有します",
  "keep the tree behind the action played; then an answer depends on earlier ones":
    "指した行動の先の木を残します。答えはそれまでの探索にも左右されます",
  "megabytes for the tree; when they are full it grows no more": "木のためのメガバイト数。使い切ると木は成長しません",
  "so many trees at a time, each with its share of the simulations": "同時に育てる木の数。シミュレーションを等分します",
  "widening: floor(log_base(n / scale) + offset) actions are open at a node's n-th simulation":
    "候補の拡大：節点のn回目のシミュレーションで floor(log_base(n / scale) + offset) 個の行動を開きます",
  "beyond so many simulations: floor(log_base2((n + shift2) / scale2) + offset2)":
    "この回数を超えたら floor(log_base2((n + shift2) / scale2) + offset2)",
  "simulations for each unit action (the platform's MAX_SIM; not shared out over a turn)":
    "ユニットの行動1回ごとのシミュレーション回数（プラットフォームのMAX_SIM。ターンで分けません）",
  "exploration: mean + c * sqrt(ln(all simulations) / visits)": "探索の強さ：平均 + c × √(ln(全シミュレーション数) / 訪問数)",
  "visits after which an action's answers are looked at one by one (the platform: more than 10)":
    "行動の先を一つずつ調べ始めるまでの訪問数（プラットフォームでは10回を超えたとき）",

  // ---- minmax ----
  "in turns, the one under way included; 0: until the budget ends": "深さ（ターン、現在のターンを含む）。0：予算が尽きるまで",
  "depth in single actions instead; 0: depth counts": "行動の数で数えた深さ。0ならdepthを使います",
  "weights of the evaluation: NAME:NUMBER,…; those left out are the game's own":
    "評価の重み：名前:数,…。省いたものはゲームの標準値",
  "the game's evaluation to use (tactical game: linear or threat); empty: its first":
    "使う評価関数（戦術ゲーム：linearまたはthreat）。空なら最初のもの",
  "attacks: plain moves are not looked at": "attacks：攻撃を伴わない移動は調べません",
  "fixed: units act in one order only": "fixed：ユニットは決まった順でのみ行動します",
  "what is looked at first (tactical game: damage, attacks); none: as listed":
    "何から調べるか（戦術ゲーム：damage、attacks）。none：並び順のまま",
  "positions a turn, then the best so far is played; 0: no limit": "1ターンに調べる局面数。達したらそれまでの最善を指します。0なら制限なし",
  "which of equally good actions": "同等の行動からの選び方",
  "remember positions reached in several ways": "複数の手順で到達する局面を覚えておきます",
  "megabytes for that": "そのためのメガバイト数",

  // ---- dlmc, aas, split, first ----
  "how many whole turns are drawn at random": "無作為に作るターンの数",
  "random simulations from the end of each": "それぞれの終わりから行うシミュレーション回数",
  "turns a simulation plays after the drawn one: 1 the enemy's, 2 the enemy's and one's own; 0: none, only the evaluation":
    "作ったターンの後に進めるターン数。1：敵のみ、2：敵と自分、0：進めずに評価のみ",
  "weights of the evaluation at the end of a simulation, F:1,I:0.2 say: what one HP of each type is worth (default: the game's)":
    "シミュレーション終了時の評価関数の重み（例：F:1,I:0.2）：各ユニット種のHP1点の価値（省略時：ゲームの指定）",
  "how simulations are played ('senjutsu games' lists the ways; default: the game's)": "シミュレーションの指し方（一覧は「senjutsu games」。省略時：ゲームの指定）",
  "threads for one decision; the answer is the same for any number": "1つの決定に使うスレッド数。いくつでも答えは同じです",
  "attacks in a sequence at most; 0: as many as there are units": "一連の攻撃の最大数。0ならユニットの数まで",
  "what the other units do: any legal action, what gains most at once, or nothing":
    "残りのユニットの行動：任意の合法手、その場で最も得な手、または何もしない",
  "how many times each sequence is completed at random; the best counts": "各手順の残りを無作為に補う回数。最良のものを採ります",
  "evaluation after the turn: HP, or also HP that may be lost in the enemy's next turn":
    "ターン後の評価：HPのみ、または敵の次のターンに失い得るHPも考慮",
  "weights of the evaluation, F:1,I:0.2 say: what one HP of each type is worth (default: the game's)": "評価関数の重み（例：F:1,I:0.2）：各ユニット種のHP1点の価値（省略時：ゲームの指定）",
  "evaluate positions that several orders lead to only once": "順序が違っても同じ局面は一度だけ評価します",
  "megabytes for positions that were merged": "まとめた局面のためのメガバイト数",
  "positions evaluated in a turn at most; 0: no limit": "1ターンに評価する局面の最大数。0なら制限なし",
  "who is asked about each group; a spec with options goes into brackets": "各集団について尋ねるプレイヤー。オプション付きなら角括弧で囲みます",
  "turns in which groups must not meet, the one under way included": "集団同士が出会ってはならないターン数（現在のターンを含む）",
  "who plays the first turns; a spec with options goes into brackets": "最初のターンを担当するプレイヤー。オプション付きなら角括弧で囲みます",
  "who plays the rest": "残りを担当するプレイヤー",
  "how many of its side's turns": "自分の側のターン数",

  // ---- ext ----
  "the command that starts it, as the shell understands it": "起動するコマンド（シェルの書き方）",
  "in place of cmd: the machine where it listens": "cmdの代わり：待ち受けているマシン",
  "of that machine": "そのマシンのポート",
  "in place of both: the port (ADDRESS:PORT) it connects to": "両者の代わり：接続してくるポート（ADDRESS:PORT）",
  "seconds that is waited for it to connect": "接続を待つ秒数",
  "ask it for whole turns": "ターン全体をまとめて尋ねます",
  "milliseconds an answer may take when the game has no clock": "時計のない対局で、応答を待つミリ秒",
  "milliseconds it may take to start and to take in a map": "起動とマップの読み込みを待つミリ秒",
  "its own options, sent to it: [NAME=VALUE;NAME=VALUE]": "相手に送るオプション：[NAME=VALUE;NAME=VALUE]",

  // ---- pimc, iimc, amcts, ismcts ----
  "N, simulations for a decision; 0: by equation (5), worlds * actions * constant":
    "N：1つの決定のシミュレーション回数。0なら式(5)、世界数 × 行動数 × constant",
  "C of equation (5)": "式(5)のC",
  "which action is simulated: by UCB1-tuned, by UCB1, or all in turn in each world drawn":
    "どの行動を試すか：UCB1-tuned、UCB1、または選んだ世界ごとに全行動を順に",
  "of root=ucb1: mean + c * sqrt(ln n / visits)": "root=ucb1のとき：平均 + c × √(ln n / 訪問数)",
  "the action played: best mean result, or best sum of results": "指す行動：平均が最良のもの、または合計が最良のもの",
  "of the playouts: one of the game's ('senjutsu games' lists them); default: its first":
    "プレイアウトの指し方：ゲームのもの（一覧は「senjutsu games」）。標準は最初のもの",
  "leaf evaluations for a decision in place of N, those inside of playouts included; 0: N":
    "Nの代わりに、1つの決定での葉の評価回数（プレイアウト内も含む）。0ならN",
  "what an action is worth in a world: a random playout, or its exact value": "ある世界での行動の価値：ランダムなプレイアウト、または厳密な値",
  "of evaluator=minimax: plies looked ahead behind the action, then a playout; 0: to the end":
    "evaluator=minimaxのとき：行動の先を読む手数、その後プレイアウト。0なら最後まで",
  "all: every action in every world in turn, where N reaches so far (with exact values once)":
    "all：Nが足りる限り、すべての世界ですべての行動を順に（厳密な値なら1回ずつ）",
  "M, simulations for each thoughtful move of a playout; 0: by equation (5)":
    "M：プレイアウト内で考えて指す手ごとのシミュレーション回数。0なら式(5)",
  "the opponent's moves in a thoughtful playout: by the policy, or thoughtful too":
    "考えるプレイアウトでの相手の手：方策に従う、または同様に考える",
  "what an action is worth in a world, to the thoughtful moves: a random playout, or its exact value":
    "考える手にとっての、ある世界での行動の価値：ランダムなプレイアウト、または厳密な値",
  "reading of equation (6): when to search again with thoughtful playouts": "式(6)の解釈：いつ、考えるプレイアウトで探索し直すか",
  "the rule's threshold; negative: 0.25 (6w), 1 (6c), 0.5 (random), else 0.1":
    "規則のしきい値。負なら0.25（6w）、1（6c）、0.5（random）、その他は0.1",
  "of rule=6x: worlds when nothing is known yet, which a player cannot see": "rule=6xのとき：まだ何も分からないときの世界数（プレイヤーには見えません）",
  "keep the first search's results in the second": "最初の探索の結果を2回目にも使います",
  "no second search where it is certain that nobody thoughtful has a choice to come":
    "この先、考える側に選択の余地がないと確実なら、2回目の探索をしません",
  "simulations for each decision, as papers on hidden information count (uct's are for a turn)":
    "決定ごとのシミュレーション回数（不完全情報の論文の数え方。uctはターンごと）",
  "exploration: the bound's term is multiplied by it": "探索の強さ：上限の項に掛ける係数",
  "mean + c * sqrt(ln n / visits), or UCB1-tuned: the term times the root of min(1/4, variance)":
    "平均 + c × √(ln n / 訪問数)、またはUCB1-tuned：その項に √min(1/4, 分散) を掛けたもの",
  "of the simulations: a playout of the game ('senjutsu games' lists them); empty: its first":
    "シミュレーションの指し方：ゲームのプレイアウト（一覧は「senjutsu games」）。空なら最初のもの",
  "visits after which what an action leads to is looked at action by action": "行動の先を行動ごとに調べ始めるまでの訪問数",

  // ---- Geister ----
  "the move with the highest score, or one drawn by the softmax of the scores": "最高点の手、または点数のソフトマックスで引いた手",
  "a file that 'senjutsu train geister-pg' has written; otherwise our own weights":
    "「senjutsu train geister-pg」が書いたファイル。なければ付属の重み",
  "the own reds: random, strong (a weighted set found by self-play), or four letters (BCFG)":
    "自分の赤駒：random、strong（自己対局で得た重み付きの組）、または4文字（BCFG）",
  "playouts for each move": "1手ごとのプレイアウト回数",
  "exploration: mean + c * sqrt(ln n / visits)": "探索の強さ：平均 + c × √(ln n / 訪問数)",
  "of the playouts: a blue that can leave does, or any move is as likely as the others":
    "プレイアウトの指し方：脱出できる青は脱出する、またはどの手も等確率",
  "visits after which what a move leads to is looked at move by move": "手の先を一手ずつ調べ始めるまでの訪問数",
  "the move played: best mean result, or most visited": "指す手：平均が最良のもの、または訪問が最多のもの",
  "positions that look alike but for the hidden colours share what is known of them":
    "隠れた色以外が同じ局面は情報を共有します",
  "so many trees at a time, each with its share of the playouts": "同時に育てる木の数。プレイアウトを等分します",
  "of the formulas: a piece on its exit counts once, or again each time; letter: four reds must be taken":
    "式の解釈：脱出口の駒を一度だけ数えるか、毎回数えるか。letter：赤4個が取られる必要があります",
  "depth of the search for a win against purple pieces, before anything else; 0: none":
    "最初に行う、紫駒に対する勝ちの探索の深さ。0なら行いません",
  "plies; with time= (or a time limit of the match) it deepens while there is time":
    "深さ（手数）。time=や対局の時間制限があれば、時間の限り深めます",
  "megabytes for the positions it remembers": "覚えておく局面のためのメガバイト数",
  "a move's value over the worlds: the mean, the least, or in how many of them it is the best":
    "世界全体での手の価値：平均、最小、または最善となる世界の数",
  "simulations a move": "1手のシミュレーション回数",
  "forced wins within so many plies are looked for first; 0: not at all": "この手数以内の必勝手順を最初に探します。0なら探しません",
  "moves after which the other has a likely forced win within so many plies are avoided; 0: not":
    "相手がこの手数以内におそらく必勝となる手を避けます。0なら避けません",
  "conclude also which player the other is, of those it knows (guess, pg, purple)":
    "相手が既知のどのプレイヤー（guess、pg、purple）に近いかも推定します",
  "depth of the purple it compares the other's moves with; 0: it does not": "相手の手と比べるpurpleの深さ。0なら比べません",
  "how often the other is taken to have guessed our colours rightly, from how we moved":
    "こちらの動きから、相手が色を正しく見抜いているとみなす割合",
  "how often the other does in a simulation what that player would do": "シミュレーションで、相手がそのプレイヤーと同じ手を指す割合",
  "of the policy that the other's moves are explained with; 0: moves tell nothing":
    "相手の手を説明する方策の鋭さ。0なら手からは何も読み取りません",
  "share of the other's moves that need no explanation": "説明を要しない相手の手の割合",
  "how much the search trusts the policy and tries what was seldom tried": "方策をどれだけ信頼し、あまり試していない手をどれだけ試すか",
  "what a draw is worth to it": "引き分けの価値",
  "a file that 'senjutsu train geister-geist' has written; otherwise our own weights":
    "「senjutsu train geister-geist」が書いたファイル。なければ付属の重み",
  "megabytes for the tree": "木のためのメガバイト数",
};
