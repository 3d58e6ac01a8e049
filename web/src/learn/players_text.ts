// SPDX-License-Identifier: MIT
//
// A paragraph about each player: how it works, and when it is strong. Options come from the server.

import type { Both } from "../app/text";

export const about: Record<string, Both> = {
  random: [
    "Chooses a legal action at random, each with the same probability. It is the baseline: a player that does not beat it almost always has a fault. It plays every game and needs no time.",
    "合法手の中から、どれも同じ確率で一つを選びます。何も見ず、何も計画しません。だからこそ物差しになります。これにほぼ必ず勝てないプレイヤーには、どこかに欠陥があります。すべてのゲームに対応し、考える時間はかかりません。",
  ],
  acteval: [
    "Rates each action on its own: damage done, damage taken, cover at the target cell, distance to enemies it can attack. It plays the action with the highest sum and never looks ahead. It attacks readily and positions well, but walks into traps that a search of one turn would find. A good first opponent.",
    "行動を一つずつ見て、得るもの（与えるダメージ、受けるダメージ、移動先の防御効果、攻撃できる敵への近さ）を合計し、最も高い行動を選びます。先読みはしません。積極的に攻撃し立ち位置も悪くありませんが、1ターン先を考えれば見える罠にはまります。最初の相手に向いています。",
  ],
  uct: [
    "Monte Carlo tree search: it simulates thousands of games to the end and spends more simulations on actions that did well. The tree grows unit by unit, for both sides. It is good when several units must work together and when plans take many turns. More simulations make it stronger; ten times as many is a clear step.",
    "対局を最後まで何千回もシミュレーションし、うまくいった行動ほど多くのシミュレーションを費やします。大事なところに局面の木が伸びていき、両軍の手を1ユニットずつ読みます。複数のユニットの連携が必要な戦いや、長い計画が要るマップを得意とします。シミュレーションを増やすほど強くなり、10倍にすると差がはっきり出ます。",
  ],
  pwuct: [
    "UCT with progressive widening: in each position it starts with a few actions, attacks first, and adds more as the simulations go on. So it searches deeper where there are too many actions to try all. It is best on open maps with many units; it may miss a quiet move.",
    "UCTと同じですが、各局面でまず少数の行動だけを、攻撃を優先して調べ、シミュレーションが進むにつれて候補を増やします。そのため、行動が多すぎて全部は試せない局面でも、選んだ筋を深く読めます。ユニットの多い開けたマップで力を発揮します。静かな移動が正解の場面では、その手を見落とすことがあります。",
  ],
  muct: [
    "The winner of two competitions on the TUBSTAP platform, rebuilt exactly, with its faults: in its tree it treats the enemy as an ally, and with few simulations it tries only the first actions of its list. It is still strong with its default options, and maps are tested with it.",
    "TUBSTAPの大会で二度優勝したプログラムを、欠点も含めて忠実に再現したものです。木の中では敵を味方のように扱い、シミュレーションが少ないと一覧の最初の行動しか試しません。それでも標準の設定では手ごわい相手で、マップを判定する物差しとしても使われます。",
  ],
  minmax: [
    "Searches all actions and all replies to a fixed depth and takes the best guaranteed result. Positions are evaluated by HP. Within its depth it makes no mistakes, so it is very strong in small fights and endgames. With many units a turn has too many orders of actions; then its depth is small.",
    "決めた深さまで、自分のすべての行動と相手のすべての応手を調べ、相手が最善を尽くしても得られる最もよい結果を選びます。局面はHPで評価します。読みの範囲では間違えないので、小さな戦いや終盤にとても強いプレイヤーです。ユニットが多いと行動の順序が膨大になって深く読めず、その先のことはまったく見えません。",
  ],
  dlmc: [
    "Generates a few hundred random turns, simulates a turn or two after each of them many times, and takes the turn with the best average. It evaluates whole turns instead of single actions, which makes it fast and solid in the opening. It can only choose a turn that it generated, so it finds precise combinations of many units only by luck.",
    "1ターン分の行動をまとめて数百通りランダムに作り、それぞれの後を1〜2ターン何度も進めてみて、平均が最もよいターンを選びます。1手ずつではなくターン単位で考えるので、速く、序盤に安定しています。ただし必要なターンがたまたま作られていなければ選べないため、多くのユニットの細かい連携は運次第です。",
  ],
  aas: [
    "Searches every order of attacks that its units can make in this turn, moves the others at random or by a simple rule, and evaluates the result. It never misses a chain of attacks that destroys a unit. It is weak in positions without attacks, where it waits and wanders.",
    "このターンに可能な攻撃の順序をすべて調べ、残りのユニットはランダムまたは簡単な規則で動かし、結果を評価します。敵を撃破できる連続攻撃を見逃しません。攻撃のない局面のことはほとんど知らないので、相手が来るまで待ったりさまよったりします。",
  ],
  split: [
    "Divides the board into groups of units that can soon affect each other, and lets another player decide for each group. Separate fights are small enough for a deep search. It is strong on wide maps with separate fights; when all units are in one place, it equals the other player.",
    "近いうちに影響し合うユニットをまとめて盤面をグループに分け、それぞれを別のプレイヤーに任せます。分ければ戦いが小さくなり、深く読めます。離れた場所で戦いが起こる広いマップで力を発揮し、すべてが一か所に集まると、任せた先のプレイヤーと同じになります。",
  ],
  first: [
    "Two players in one: the first plays the opening turns of a side, the second plays the rest. It was made for an experiment on the value of a good opening. Choose both players as options.",
    "二人のプレイヤーを組み合わせたものです。最初の数ターンを一方が、残りをもう一方が担当します。よい序盤とよい終盤ではどちらが大事か、という実験のために作られました。両方のプレイヤーをオプションで選べます。",
  ],
  portfolio: [
    "Several players in one, chosen by the position: first it looks for attacks that win in this turn. While few units can attack it asks a tree search, in a fight a full-width search, and in a fight of many units a search of attack sequences. It loses little against the best of its players on any position, because each is used where it is strong.",
    "局面によって使い分ける、複数のプレイヤーの組み合わせです。まずこのターンに勝てる攻撃を探し、なければ、攻撃できるユニットが少ない間は木探索に、戦闘では全幅探索に、多数のユニットの戦闘では攻撃行動探索に任せます。それぞれを得意な局面で使うので、どの局面でも、その局面で最も強いプレイヤーに大きく劣ることがありません。",
  ],
  pimc: [
    "Samples worlds that match its observations, simulates each action in many of them with random moves, and takes the best average. It is simple and fast. In each sampled world everything is visible, so it undervalues information and never bluffs on purpose.",
    "隠れた情報があるとき、見えたことに合う世界をいくつも想像し、その中で各行動の後をランダムに進めて、平均が最もよいものを選びます。単純で高速です。想像した世界ではすべてが見えているため、情報を得る価値を低く見積もり、意図してはったりをかけることもありません。",
  ],
  iimc: [
    "PIMC with better simulations: their moves are chosen by a small PIMC that uses only what is visible at that point, not at random. So it models players with incomplete information. Each simulation costs much more; it pays where random moves say little.",
    "PIMCと似ていますが、想像した対局の中の手をランダムにではなく、その場で知りうることだけを使う小さなPIMCが選びます。つまり、全部は見えない人がどう続けるかを考えます。1回のシミュレーションは高くつきますが、ランダムな手では様子がわからない局面で効果があります。",
  ],
  amcts: [
    "Starts as PIMC and measures how certain the result is. If two actions are almost equal, it searches again with the more precise and expensive simulations of IIMC; if the choice is clear, it saves the time. Strong in games with few difficult decisions.",
    "まずPIMCとして考え、答えがどれほど確かかを調べます。二つの行動がほぼ互角なら、より丁寧な（そして高価な）IIMCのシミュレーションで読み直し、はっきりしていれば時間を節約します。難しい決断がときどき現れるゲームで力を発揮します。",
  ],
  ismcts: [
    "UCT for hidden information: the nodes of its tree are what the side to move can see, and each simulation samples a matching world. So it makes one plan for all worlds. It plays every game and is a solid choice where no special player exists.",
    "隠れた情報のあるゲームのためのUCTです。木は手番の側に見えることからできていて、シミュレーションごとにそれに合う世界を一つ選びます。世界ごとに別々の計画を立てるのではなく、すべての世界に共通の計画を立てます。どのゲームにも対応し、専用のプレイヤーがないときの堅実な選択です。",
  ],
  "gst-a": [
    "UCT for Geister. Before each simulation it assigns random colours to the hidden ghosts, then plays with all colours visible. It is good at races to the exits and at counting taken ghosts. It infers nothing from the moves of ghosts, so bluffs do not affect it, and it does not bluff.",
    "ガイスター用のUCTです。シミュレーションの前に隠れたおばけの色をランダムに決め、すべて見えているものとして進めます。出口への競走や、取った数の計算が得意です。おばけの動き方からは何も推理しないので、はったりには惑わされませんが、自分もはったりを使いません。",
  ],
  "gst-b": [
    "As gst-a, but a ghost gets its colour in a simulation only when it is needed: when the ghost is taken or stands on its exit. The probabilities are the same, and so is the strength: the time of the draw makes no difference.",
    "gst-aと似ていますが、シミュレーションの中でおばけの色を決めるのは、取られたときや出口に立ったときなど、必要になったときだけです。確率は同じなので強さも同じです。色を決める時機では差が出ないことを示しています。",
  ],
  "gst-c": [
    "As gst-a, but without random colours: each end of a simulation is weighted with its probability. This reduces noise, but the formula treats two probabilities as independent that are not quite independent.",
    "gst-aと似ていますが、色をまったく決めません。シミュレーションの結果を、そうなっていたはずの確率で数えます。運の影響は減りますが、厳密には独立でない二つの確率を独立とみなす式を使っています。",
  ],
  nissy: [
    "Third place of the GAT 2022 competition. It first searches for a win that works with any colours, and plays it if there is one. Otherwise it is gst-b. It punishes open exits at once.",
    "GAT 2022大会の第3位です。まず、色が何であっても成り立つ勝ちを探し、あればそれを指します。なければgst-bと同じです。出口を空けるとすぐにとがめられます。",
  ],
  purple: [
    "The winner of GAT 2020. It treats every hidden ghost as “purple”: bad when taken, good at an exit, always the worse case. A win found this way is certain, and the search is deep and fast. This caution is strong in races, but it overrates the opponent, and bad ghosts can hold it off.",
    "GAT 2020大会の優勝プログラムです。隠れたおばけをすべて「紫」とみなします。取れば悪いおばけ、出口に立てば良いおばけと、いつも自分に不利なほうだと考えます。こうして見つけた勝ちは確実で、深く速く読みます。競走に強い反面、相手を過大評価し、悪いおばけに足止めされることがあります。",
  ],
  march: [
    "Leads good and bad ghosts alike to your corners, as the winner of GAT 2022 is said to do, as long as the search of purple sees no danger in it. Whoever takes every ghost that comes near takes the bad ones, too. It watches over its own good ghosts, so look which of them turn away.",
    "GAT 2022大会の優勝プログラムのように、purpleの探索が危険を見つけないかぎり、良いおばけも悪いおばけも同じようにあなたの隅へ進めます。近づくものをすべて取っていると、悪いおばけも取らされます。自分の良いおばけは守るので、どれが引き返すかを見てください。",
  ],
  eacp: [
    "Searches each of the up to seventy colour placements with all colours visible, and combines the values. It assumes that later moves are made with known colours, so it prefers moves that work “in every world”, each with another continuation. Play against it to see why that is a mistake.",
    "ありうる色の配置（最大70通り）のそれぞれについて、すべて見えているものとして読み、評価をまとめます。後で指す人は色を知っているはずだと考えるため、世界ごとに別の続きで成り立つ手を「どの世界でもよい手」と思い込みます。対局してみると、それがなぜ誤りなのかがわかります。",
  ],
  pg: [
    "Does not search. It has learned from self-play how good each step is in its surroundings, and plays the best one at once. Its judgement is good, but it does not calculate: it misses races that can be counted.",
    "読みはしません。自分自身との対局から、どんな状況でどの一手がよいかを学び、最も評価の高い手をすぐに指します。感覚は優れていますが計算は苦手で、数えればわかる競走を見落とします。",
  ],
  guess: [
    "Infers colours from the moves of ghosts: a ghost that flees is good, a ghost that walks into danger is bad. Then it plays by simple rules, without search. It reads honest players well, but bluffs mislead it: try to run with a bad ghost.",
    "おばけの動き方から色を推理します。逃げるのは良いおばけ、危険に近づくのは悪いおばけ、と考えます。その後は経験則で指し、先読みはしません。素直な相手はよく見抜きますが、はったりには弱いので、悪いおばけで走ってみてください。",
  ],
  geist: [
    "Our own player for Geister. It searches for forced wins, weights every possible set of colours by how well it explains your moves, and searches over these beliefs with an evaluation learned from many games. It also considers what you can infer about its own ghosts. It is the strongest player here, and best against predictable opponents.",
    "ガイスター用の自作プレイヤーです。必ず勝てる手順を探し、ありうる色の組み合わせを、あなたの手をどれだけうまく説明するかで重み付けし、多くの対局から学んだことを使ってその上で読みます。自分のおばけについてあなたが何を知っているかも考えます。ここで最も強く、読みやすい相手ほど多くを見抜きます。",
  ],
  ext: [
    "An external program, started here or running on another machine, that uses a small text protocol. The server must be started with permission to run programs.",
    "外部のプログラムです。ここで起動するもの、または別のマシンで動くものと、簡単なテキストのプロトコルで対局します。どう考えるかはそのプログラム次第です。サーバーを許可付きで起動したときだけ指定できます。",
  ],
};
