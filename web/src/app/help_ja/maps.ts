// SPDX-License-Identifier: MIT
export const maps: Record<string, string> = {
  // ---- small ones ----
  "One infantry a side and two fortresses to race for: the smallest map on which terrain decides. For exact solving.":
    "歩兵1体ずつで2つの要塞を奪い合います。地形が勝敗を決める最小のマップです。完全解析用。",
  "Two panzers, three stars of wood each: who dares to leave cover strikes second. For exact solving.":
    "戦車1体ずつ、どちらも防御効果3の森の中。先に森を出た側が後手に回ります。完全解析用。",
  "The smallest mixed fight: an infantry on its mountain and a panzer behind it a side, in touch from the first turn. For first steps, tests and exact solving.":
    "最小の混成戦です。両軍とも山の上の歩兵とその後ろの戦車で、最初のターンから交戦できます。入門、テスト、完全解析用。",
  "What is left after a battle: three worn units a side. Short lines, exact damages, every point of HP counts.":
    "戦いの後に残った、傷ついたユニット3体ずつ。手順は短く、ダメージ計算は正確に。HP1の差が響きます。",
  "The open skirmish with the first blow taken away: every red unit has already acted, so blue opens the game. For measuring what the first move is worth.":
    "平地の小競り合いから先制攻撃を除いたもの。赤軍は全ユニットが行動済みで、青軍から始まります。先手の価値を測るためのマップです。",
  "Infantry alone among woods and mountains: slow, equal, decided by cover and by who lets the other come.":
    "森と山の中の歩兵だけの戦い。動きは遅く、戦力は互角。地形効果と、相手を待てるかどうかで決まります。",
  "No cover at all and armour in reach from the first turn: the first blow matters most. Symmetric, and yet the side that moves first is ahead on purpose.":
    "遮るものがなく、最初のターンから戦車が届きます。先制攻撃が何より重要です。対称ですが、意図的に先手が有利です。",
  "Only eight turns and a high threshold: most games are judged by HP, so avoiding losses is worth as much as hitting.":
    "わずか8ターンで、判定の基準は高め。ほとんどがHP判定になるため、損害を避けることが攻撃と同じくらい重要です。",
  "The standard fair map: six mixed ground units a side, mountains that part the middle, open flanks. Nobody can attack in the first turn. The default of a match.":
    "標準の公平なマップです。地上ユニット6体ずつ、中央を分ける山、開けた両翼。最初のターンには攻撃できません。対戦の既定のマップです。",
  "A lane three cells wide and fifteen long, larger than a small board: columns, traffic jams and a fortress line in the middle.":
    "幅3、長さ15マスの細道で、小型の盤面には収まりません。縦隊、渋滞、そして中央の要塞の列。",
  "Four rooms behind walls with doors one cell wide. Path finding and blocking: a unit in a door closes it.":
    "壁で囲まれた4つの部屋と、幅1マスの扉。経路探索と封鎖がテーマで、扉に立つユニットが道をふさぎます。",
  "Islands: ground units keep to their shores and the lone attacker a side decides. It refuels in the first turn (flagged as done), so both antiair units may choose where to wait.":
    "島々のマップ。地上ユニットは自分の岸から出られず、1機ずつの攻撃機が勝敗を決めます。攻撃機は最初のターンは給油中（行動済み）なので、対空戦車は待つ場所を選べます。",

  // ---- middle-sized and large ones ----
  "Fighters, attackers and the antiair units they fear, over lakes that only aircraft cross. Long reach: every unit is in danger from the second turn on.":
    "航空機だけが越えられる湖の上で、戦闘機、攻撃機と、それらが恐れる対空戦車が戦います。射程が長く、2ターン目からは全ユニットが危険です。",
  "Three cannons a side behind an infantry screen: a game about range, because whoever walks into it first is shot first.":
    "歩兵の壁の後ろに自走砲が3台ずつ。射程の駆け引きで、先に踏み込んだ側が先に撃たれます。",
  "Eight ground units a side without aircraft: antiair units hunt infantry here, panzers hunt them.":
    "航空機なしの地上ユニット8体ずつ。ここでは対空戦車が歩兵を狩り、戦車が対空戦車を狩ります。",
  "The standard fair map with aircraft: eight units a side of all six types, two roads round a broken ridge. The first turn offers a few attacks, which weighs up that waiting would otherwise be too good.":
    "航空機のいる標準の公平なマップです。全6種のユニット8体ずつ、途切れた尾根を回る2本の道。待つほうが得になりすぎないよう、最初のターンから少しだけ攻撃できます。",
  "A river and one bridge two cells wide: a chokepoint where numbers do not help and the order of units does.":
    "川と、幅2マスの橋がひとつ。数ではなくユニットの順番がものを言う隘路です。",
  "A mountain range with one narrow pass through woods for vehicles, while infantry climbs over: slow feet against fast wheels.":
    "車両が通れるのは森を抜ける狭い峠だけで、歩兵は山を越えられます。遅い足と速い車輪の対決です。",
  "A middle-sized fair battle of all arms: sixteen units a side on 16 by 16 cells with woods, a few lakes and one road.":
    "全兵種による中規模の公平な戦い。16×16マスに16体ずつ、森といくつかの湖と1本の道があります。",
  "A winding river with few crossings between two armies of 28: bridgeheads, cannons on the banks, aircraft over the water.":
    "渡れる場所の少ない曲がりくねった川をはさんで、28体ずつの両軍が対峙します。橋頭堡、岸の自走砲、水上の航空機。",
  "An archipelago: half of it is sea and half of each army flies. Ground units hold islands, antiair units deny the air above them. Fair, 25 units a side.":
    "半分が海の群島で、両軍の半分は航空機です。地上ユニットが島を守り、対空戦車がその上空を封じます。公平、25体ずつ。",
  "The large battle: fifty units a side of all arms on 30 by 30 cells of well mixed terrain. Fair. The large map of the benchmark.":
    "大規模な戦い。さまざまな地形の30×30マスに全兵種50体ずつ。公平。ベンチマーク用の大型マップです。",
  "As large as a map can be: 32 by 32 cells and 64 units a side. For tests of the limits.":
    "最大のマップ：32×32マス、64体ずつ。上限のテスト用です。",

  // ---- not meant to be fair ----
  "Deliberately unbalanced: blue must only stay alive. A handful of units delays a whole red column for twelve turns, and red must wipe it out or keep a lead of more than 110 HP.":
    "意図的に不均衡：青軍は生き残ればよく、わずかなユニットで赤軍の縦隊を12ターン足止めします。赤軍は全滅させるか、HP110を超える差を保たなければなりません。",
  "Deliberately unbalanced: red has only five aircraft over the sea, blue holds an island with nine ground units and a single antiair.":
    "意図的に不均衡：赤軍は海上の航空機5機だけ。青軍は地上ユニット9体と1台の対空戦車で島を守ります。",
  "Deliberately unbalanced: one symmetric board, but every blue unit has only 7 HP. For testing that a stronger army shows in the numbers, and how far skill can make up for it.":
    "意図的に不均衡：盤面は対称ですが、青軍のHPはすべて7です。戦力差が数字に表れるか、技量でどこまで補えるかを確かめるためのマップです。",
  "Deliberately unbalanced: a red column on the road, its rear still asleep in the first turn, and blue all around it in the woods.":
    "意図的に不均衡：道を進む赤軍の縦隊は、最初のターンには後方がまだ動けません。周りの森には青軍が潜んでいます。",
  "Deliberately unbalanced: ten red units storm seven blue ones behind walls and fortresses. How much is cover worth?":
    "意図的に不均衡：赤軍10体が、壁と要塞に守られた青軍7体に攻めかかります。地形効果の価値はどれほどでしょうか。",
  "Deliberately unbalanced: forty red units around a walled town with four gates, twenty blue ones in it. Few doors, many attackers, a large board.":
    "意図的に不均衡：4つの門のある城壁の町を赤軍40体が囲み、中には青軍20体。少ない門、多くの攻め手、大きな盤面。",

  // ---- of the paper ----
  "Reconstruction of fig. 4 of Sato, Fujiki and Ikeda (2016), whose own position is lost: red's antiair can destroy either fighter at once. The left one has more HP, but then the cannon destroys the antiair. Only destroying the right one wins: next to the cannon, inside its minimum range, the antiair then hunts it down.":
    "佐藤・藤木・池田（2016）の図4の再構成です（元の局面は失われています）。赤軍の対空戦車はどちらの戦闘機も一撃で倒せます。左のほうがHPは高いものの、倒すと自走砲に対空戦車を破壊されます。勝てるのは右を倒したときだけで、自走砲に隣接して最小射程の内側に入り、そのまま仕留めます。",
  "Reconstruction of fig. 5 of Sato, Fujiki and Ikeda (2016), whose own position is lost: the red cannon stands on the only cell from which the blue infantry can be reached. It has to move away first, or the infantry escapes over the mountain into a valley no vehicle enters, and red cannot win any more.":
    "佐藤・藤木・池田（2016）の図5の再構成です（元の局面は失われています）。青軍の歩兵に届く唯一のマスに、赤軍の自走砲がいます。まず自走砲をどかさないと、歩兵は山を越えて車両の入れない谷へ逃げ、赤軍は勝てなくなります。",
  "Reconstruction of fig. 6 of Sato, Fujiki and Ikeda (2016), whose own position is lost: only fighters and attackers, and attackers cannot hurt aircraft. Who strikes first at the enemy fighter wins, who goes for the attacker loses.":
    "佐藤・藤木・池田（2016）の図6の再構成です（元の局面は失われています）。戦闘機と攻撃機だけで、攻撃機は航空機を攻撃できません。敵の戦闘機を先に叩けば勝ち、攻撃機を狙えば負けます。",
  "Reconstruction of fig. 7 of Sato, Fujiki and Ikeda (2016), whose own position is lost: red's fighter can destroy the attacker or a fighter. Fighters cannot hurt the panzer, so without the attacker red wins on HP at the limit. Otherwise red's fighter is lost, and the attacker flies through the valley to the panzer and wears it down.":
    "佐藤・藤木・池田（2016）の図7の再構成です（元の局面は失われています）。赤軍の戦闘機は攻撃機か戦闘機のどちらかを倒せます。戦闘機は戦車を攻撃できないので、攻撃機がいなくなれば赤軍は最終ターンのHP判定で勝ちます。そうでなければ赤軍の戦闘機は失われ、攻撃機が谷を抜けて戦車を削り続けます。",
  "Reconstruction of fig. 8 of Sato, Fujiki and Ikeda (2016), whose own position is lost: six red units before a bridge, the only way into blue's camp. One turn can destroy all of blue, but only by six attacks in the right order and from the right cells: units that have acted take up room the others need.":
    "佐藤・藤木・池田（2016）の図8の再構成です（元の局面は失われています）。青軍の陣地に入る唯一の橋の前に、赤軍6体がいます。1ターンで青軍を全滅させられますが、正しい順番と正しいマスからの6回の攻撃が必要です。行動を終えたユニットは、ほかのユニットの場所をふさぎます。",
  "Reconstruction of fig. 9 of Sato, Fujiki and Ikeda (2016), start position A, whose own is lost: nobody can attack in the first turn, good ground lies near the centre, mountains are in the way. Fair. Open ground: armies meet on a broad front.":
    "佐藤・藤木・池田（2016）の図9、開始局面Aの再構成です（元の局面は失われています）。最初のターンには攻撃できず、有利な地形は中央付近、途中に山があります。公平。開けた土地で、両軍は広い正面でぶつかります。",
  "Reconstruction of fig. 10 of Sato, Fujiki and Ikeda (2016), start position B, whose own is lost: nobody can attack in the first turn, good ground lies near the centre, mountains are in the way. Fair. A broken ridge between the camps leaves three ways through, fortresses in the middle one.":
    "佐藤・藤木・池田（2016）の図10、開始局面Bの再構成です（元の局面は失われています）。最初のターンには攻撃できず、有利な地形は中央付近、途中に山があります。公平。両陣の間の途切れた尾根には3つの通り道があり、中央の道に要塞があります。",
  "Reconstruction of fig. 11 of Sato, Fujiki and Ikeda (2016), start position C, whose own is lost: nobody can attack in the first turn, good ground lies near the centre, mountains are in the way. Fair. A ridge between the camps can be crossed by vehicles only at two cells in the centre, with fortresses and woods on both sides of them.":
    "佐藤・藤木・池田（2016）の図11、開始局面Cの再構成です（元の局面は失われています）。最初のターンには攻撃できず、有利な地形は中央付近、途中に山があります。公平。両陣の間の尾根を車両が越えられるのは中央の2マスだけで、その両側に要塞と森があります。",
};
