// SPDX-License-Identifier: MIT
//
// Each player in a paragraph: how it thinks, and when it is strong. What can be set comes from the server's own table.

import type { Language } from "../app/text";

type Both = Record<Language, string>;

export const about: Record<string, Both> = {
  random: {
    en: "Draws any legal action, each as likely as the others. It sees nothing and plans nothing, and that is its use: whoever does not beat it nearly always has a fault somewhere. It plays every game and takes no time at all.",
    ja: "合法手の中から、どれも同じ確率で一つを選びます。何も見ず、何も計画しません。だからこそ物差しになります。これにほぼ必ず勝てないプレイヤーには、どこかに欠陥があります。すべてのゲームに対応し、考える時間はかかりません。",
  },
  acteval: {
    en: "Looks at each action by itself, adds up what it gains (damage done, damage taken, cover at the end, being near an enemy it can hurt) and plays the one with the highest sum. It never looks ahead. It attacks readily and stands well, but it walks into traps that one turn of thought would show. A good first opponent.",
    ja: "行動を一つずつ見て、得るもの（与えるダメージ、受けるダメージ、移動先の防御効果、攻撃できる敵への近さ）を合計し、最も高い行動を選びます。先読みはしません。積極的に攻撃し立ち位置も悪くありませんが、1ターン先を考えれば見える罠にはまります。最初の相手に向いています。",
  },
  uct: {
    en: "Plays the game to its end thousands of times in thought, and spends more and more of these simulations on actions that have turned out well. A tree of positions grows where it matters; unit by unit, both sides. It is good at fights in which several units must work together and on maps where plans take many turns. More simulations make it stronger: ten times as many is a clear step.",
    ja: "頭の中で何千回も対局を最後まで進め、うまくいった行動ほど多くのシミュレーションを費やします。大事なところに局面の木が伸びていき、両軍の手を1ユニットずつ読みます。複数のユニットの連携が必要な戦いや、長い計画が要るマップを得意とします。シミュレーションを増やすほど強くなり、10倍にすると差がはっきり出ます。",
  },
  pwuct: {
    en: "As UCT, but in each position it looks at a few actions only, attacks first, and admits more of them as the simulations go on. So it sees further along the lines it follows, where there are too many actions to try them all. It is at its best on open maps with many units; where a quiet move is the right one it may never be looked at.",
    ja: "UCTと同じですが、各局面でまず少数の行動だけを、攻撃を優先して調べ、シミュレーションが進むにつれて候補を増やします。そのため、行動が多すぎて全部は試せない局面でも、選んだ筋を深く読めます。ユニットの多い開けたマップで力を発揮します。静かな移動が正解の場面では、その手を見落とすことがあります。",
  },
  muct: {
    en: "The champion of two competitions on the TUBSTAP platform, rebuilt to the letter, faults and all: inside its tree it takes the enemy for a helper, and with few simulations it tries only the first actions of its list. It is still a strong opponent at its usual size, and the yardstick that maps are judged with.",
    ja: "TUBSTAPの大会で二度優勝したプログラムを、欠点も含めて忠実に再現したものです。木の中では敵を味方のように扱い、シミュレーションが少ないと一覧の最初の行動しか試しません。それでも標準の設定では手ごわい相手で、マップを判定する物差しとしても使われます。",
  },
  minmax: {
    en: "Searches everything to a depth: each of its actions, each answer, and takes the best that the worst enemy allows. Positions are valued by HP. Within its depth it makes no mistake, so it is deadly in small fights and end games. A turn of many units has more orders than anybody can count; there its depth is small, and what lies beyond it is not seen at all.",
    ja: "決めた深さまで、自分のすべての行動と相手のすべての応手を調べ、相手が最善を尽くしても得られる最もよい結果を選びます。局面はHPで評価します。読みの範囲では間違えないので、小さな戦いや終盤にとても強いプレイヤーです。ユニットが多いと行動の順序が膨大になって深く読めず、その先のことはまったく見えません。",
  },
  dlmc: {
    en: "Draws a few hundred whole turns by chance, plays each of them on for a turn or two many times, and takes the turn that came out best on average. It thinks in turns rather than in single actions, which makes it quick and sturdy in the opening. The turn that is needed must have been drawn, though: fine combinations of many units are found only by luck.",
    ja: "1ターン分の行動をまとめて数百通りランダムに作り、それぞれの後を1〜2ターン何度も進めてみて、平均が最もよいターンを選びます。1手ずつではなくターン単位で考えるので、速く、序盤に安定しています。ただし必要なターンがたまたま作られていなければ選べないため、多くのユニットの細かい連携は運次第です。",
  },
  aas: {
    en: "Looks at every order of attacks that its units can make in this turn, lets the others move by chance or by a simple rule, and values what is left. It never misses a chain of attacks that destroys something. About positions without attacks it knows little, so it waits and wanders until somebody comes.",
    ja: "このターンに可能な攻撃の順序をすべて調べ、残りのユニットはランダムまたは簡単な規則で動かし、結果を評価します。敵を撃破できる連続攻撃を見逃しません。攻撃のない局面のことはほとんど知らないので、相手が来るまで待ったりさまよったりします。",
  },
  split: {
    en: "Divides the board into groups of units that can influence each other soon, and asks another player about each group. Apart, the fights are small enough to be searched deeply. It shines on wide maps with separate fights; when everything is in one place it is the player it asks.",
    ja: "近いうちに影響し合うユニットをまとめて盤面をグループに分け、それぞれについて別のプレイヤーに尋ねます。分ければ戦いが小さくなり、深く読めます。離れた場所で戦いが起こる広いマップで力を発揮し、すべてが一か所に集まると、尋ねる先のプレイヤーと同じになります。",
  },
  first: {
    en: "Two players in one: the first makes a side's opening turns, the other plays the rest. It was made for an experiment: is a good opening worth more than a good end? Choose both players as options.",
    ja: "二人のプレイヤーを組み合わせたものです。最初の数ターンを一方が、残りをもう一方が担当します。よい序盤とよい終盤ではどちらが大事か、という実験のために作られました。両方のプレイヤーをオプションで選べます。",
  },
  pimc: {
    en: "Where something is hidden it imagines worlds that fit what it has seen, plays each action on by chance in many of them, and takes the best on average. Simple and fast. In each imagined world everything is known, so it underrates what is worth finding out, and never bluffs on purpose.",
    ja: "隠れた情報があるとき、見えたことに合う世界をいくつも想像し、その中で各行動の後をランダムに進めて、平均が最もよいものを選びます。単純で高速です。想像した世界ではすべてが見えているため、情報を得る価値を低く見積もり、意図してはったりをかけることもありません。",
  },
  iimc: {
    en: "As PIMC, but inside its imagined games the moves are not made by chance: a small PIMC chooses them, knowing only what it could know there. So it looks at how people who do not see everything would go on. Each simulation costs much more; it pays where careless play decides little.",
    ja: "PIMCと似ていますが、想像した対局の中の手をランダムにではなく、その場で知りうることだけを使う小さなPIMCが選びます。つまり、全部は見えない人がどう続けるかを考えます。1回のシミュレーションは高くつきますが、ランダムな手では様子がわからない局面で効果があります。",
  },
  amcts: {
    en: "Begins as PIMC, and looks at how sure the answer is. Where two actions are nearly equal it searches again with the more careful (and dearer) simulations of IIMC; where the choice is clear it saves the time. Strong in games in which some decisions are hard and most are not.",
    ja: "まずPIMCとして考え、答えがどれほど確かかを調べます。二つの行動がほぼ互角なら、より丁寧な（そして高価な）IIMCのシミュレーションで読み直し、はっきりしていれば時間を節約します。難しい決断がときどき現れるゲームで力を発揮します。",
  },
  ismcts: {
    en: "UCT for hidden information: its tree is made of what the mover can see, and each simulation draws a world that fits. So it plans for all worlds at once instead of for each one apart. It plays every game, and is the sound choice where no special player is at hand.",
    ja: "隠れた情報のあるゲームのためのUCTです。木は手番の側に見えることからできていて、シミュレーションごとにそれに合う世界を一つ選びます。世界ごとに別々の計画を立てるのではなく、すべての世界に共通の計画を立てます。どのゲームにも対応し、専用のプレイヤーがないときの堅実な選択です。",
  },
  "gst-a": {
    en: "UCT for Geister. Before each simulation it gives the hidden ghosts colours by chance, then plays as if everything were seen. It is good at races to the exits and at counting what has been taken. It draws no conclusions from how ghosts move, so a bluff costs it nothing and gains it nothing.",
    ja: "ガイスター用のUCTです。シミュレーションの前に隠れたおばけの色をランダムに決め、すべて見えているものとして進めます。出口への競走や、取った数の計算が得意です。おばけの動き方からは何も推理しないので、はったりには惑わされませんが、自分もはったりを使いません。",
  },
  "gst-b": {
    en: "As gst-a, but a ghost gets its colour in a simulation only when it matters: when it is taken or stands on its exit. The chances are the same, and so is its strength; it shows that the moment of drawing makes no difference.",
    ja: "gst-aと似ていますが、シミュレーションの中でおばけの色を決めるのは、取られたときや出口に立ったときなど、必要になったときだけです。確率は同じなので強さも同じです。色を決める時機では差が出ないことを示しています。",
  },
  "gst-c": {
    en: "As gst-a, but it draws no colours at all: the end of a simulation counts with the chance that it would have come to that. This saves luck at the price of a formula that takes two chances for independent which are not quite.",
    ja: "gst-aと似ていますが、色をまったく決めません。シミュレーションの結果を、そうなっていたはずの確率で数えます。運の影響は減りますが、厳密には独立でない二つの確率を独立とみなす式を使っています。",
  },
  nissy: {
    en: "The third of the GAT 2022 competition: before anything else it looks for a win that works whatever the colours are, and plays it when there is one. Otherwise it is gst-b. It punishes exits left open at once.",
    ja: "GAT 2022大会の第3位です。まず、色が何であっても成り立つ勝ちを探し、あればそれを指します。なければgst-bと同じです。出口を空けるとすぐにとがめられます。",
  },
  purple: {
    en: "The champion of GAT 2020. Every hidden ghost is “purple” to it: bad when taken, good when it stands at an exit, always what is worse. What it wins this way is won for certain, and it searches deep and fast. Such caution is strong in races, but it overrates the other side and lets itself be held off by bad ghosts.",
    ja: "GAT 2020大会の優勝プログラムです。隠れたおばけをすべて「紫」とみなします。取れば悪いおばけ、出口に立てば良いおばけと、いつも自分に不利なほうだと考えます。こうして見つけた勝ちは確実で、深く速く読みます。競走に強い反面、相手を過大評価し、悪いおばけに足止めされることがあります。",
  },
  eacp: {
    en: "Searches each of the up to seventy ways the colours may lie, with everything known, and puts the values together. It believes that whoever moves later will know the colours, and so prefers moves that work “in every world”, each time by another continuation. Interesting to play against, and to see why that is a mistake.",
    ja: "ありうる色の配置（最大70通り）のそれぞれについて、すべて見えているものとして読み、評価をまとめます。後で指す人は色を知っているはずだと考えるため、世界ごとに別の続きで成り立つ手を「どの世界でもよい手」と思い込みます。対局してみると、それがなぜ誤りなのかがわかります。",
  },
  pg: {
    en: "Does not search. It has learned from games against itself how good each step is in which surroundings, and plays the step it likes best, at once. Its feeling for the game is good, its arithmetic is not: it misses exact races that anybody can count.",
    ja: "読みはしません。自分自身との対局から、どんな状況でどの一手がよいかを学び、一番よいと感じる手をすぐに指します。感覚は優れていますが計算は苦手で、数えればわかる競走を見落とします。",
  },
  guess: {
    en: "Guesses colours from how ghosts move: who flees is good, who walks into danger is bad. Then it plays by rules of thumb, without looking ahead. It reads honest players well and is easily led astray by a bluff; try to run with a bad ghost.",
    ja: "おばけの動き方から色を推理します。逃げるのは良いおばけ、危険に近づくのは悪いおばけ、と考えます。その後は経験則で指し、先読みはしません。素直な相手はよく見抜きますが、はったりには弱いので、悪いおばけで走ってみてください。",
  },
  geist: {
    en: "Our own player for Geister. It looks for forced wins, weighs every possible set of colours by how well it explains your moves, and searches over these beliefs with what it has learned from many games. It also asks what you may know about its own ghosts. The strongest here; it concludes most from players who are predictable.",
    ja: "ガイスター用の自作プレイヤーです。必ず勝てる手順を探し、ありうる色の組み合わせを、あなたの手をどれだけうまく説明するかで重み付けし、多くの対局から学んだことを使ってその上で読みます。自分のおばけについてあなたが何を知っているかも考えます。ここで最も強く、読みやすい相手ほど多くを見抜きます。",
  },
  ext: {
    en: "Somebody else's program: one that is started here, or one that runs on another machine, in a small text protocol. How it thinks is its own affair. Programs can be named only where the server was started with permission to do so.",
    ja: "外部のプログラムです。ここで起動するもの、または別のマシンで動くものと、簡単なテキストのプロトコルで対局します。どう考えるかはそのプログラム次第です。サーバーを許可付きで起動したときだけ指定できます。",
  },
};
