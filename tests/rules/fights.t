# Fights: damage = (power * HP of the attacker + 70) / (100 + stars * HP of the defender), rounded down, at most the
# defender's HP. The counter uses the defender's HP after the blow and the attacker's before it.

case the counter comes from what is left
# Panzer on panzer, plain: (55*10 + 70) / (100 + 1*10) = 620/110 = 5. Left 5: (55*5 + 70) / 110 = 345/110 = 3.
map
  .P .p
fight 0:1,1x1 5 3
do 0:1,1x1
expect
  .P7 .p5

case a road gives no shelter
# 620/100 = 6, left 4: (55*4 + 70) / 100 = 290/100 = 2.
map
  =P =p
fight 0:1,1x1 6 2

case a wood shelters with three stars
# On infantry: (75*10 + 70) / (100 + 3*10) = 820/130 = 6. Left 4: (5*4 + 70) / (100 + 0*10) = 90/100 = 0.
map
  =P *i
fight 0:1,1x1 6 0

case mountain and fortress shelter with four stars
# 820/140 = 5, left 5. Counter on the fortress: (5*5 + 70) / 140 = 0; from a road: 95/100 = 0.
# The same attack on the fortress gives (75*10 + 70) / (100 + 4*10) = 5 again.
map
  @P ^i
  =P @i
fight 0:1,1x1 5 0
fight 2:1,2x3 5 0

case the attacker's shelter is that of the cell it goes to
# From the road: infantry (55*10+70)/110 = 5, left 5, counter (55*5+70)/100 = 345/100 = 3.
# From the mountain: counter 345/140 = 2.
map
  =I ^ .
  = .i .
fight 0:1,2x1 5 3
fight 0:2,1x1 5 2

case aircraft have no shelter
# Fighter on attacker over a wood: (65*10 + 70) / 100 = 7. The attacker has no power over a fighter: no damage back.
map
  *F *a
fight 0:1,1x1 7 0

case the damage is at most what is there
# Attacker on cannon: (105*10 + 70) / (100 + 2) = 10, but it has only 2.
map
  .A .u2
fight 0:1,1x1 2 0
do 0:1,1x1
expect
  .A .
result red annihilation

case a cannon is never answered
# Cannon on panzer at distance 2: (60*10 + 70) / 110 = 6, no counter.
map
  .U . .p
fight 0:1,1x1 6 0

case a cannon does not answer
# Panzer on cannon: (70*10 + 70) / 110 = 7; the cannon's 3 HP do nothing.
map
  .P .u
fight 0:1,1x1 7 0

case a blow that does no damage is answered too
# Infantry with 1 HP on antiair: (3*1 + 70)/110 = 0. Back: (105*10 + 70)/(100 + 1*1) = 11, at most 1.
map
  .I1 .r
  .P #
do 0:1,1x1
expect
  . .r
  .P #
mover red

case antiair on infantry has 105 in the platform's rules
# (105*9 + 70) / 110 = 1015/110 = 9, left 1: (3*1 + 70) / (100 + 1*9) = 0.
rules tubstap
map
  .R9 .i
fight 0:1,1x1 9 0
do 0:1,1x1
expect
  .R9 .i1

case antiair on infantry has 115 in the paper
# (115*9 + 70) / 110 = 1105/110 = 10: nobody is left.
rules paper
map
  .R9 .i
fight 0:1,1x1 10 0
do 0:1,1x1
result red annihilation

case HP above ten count in full
# Panzer with 20 HP: (55*20 + 70) / 110 = 1170/110 = 10, all of it.
map
  .P20 .p
fight 0:1,1x1 10 0

case the defender's own HP thicken its shelter
# Infantry with 20 HP on a fortress: (75*10 + 70) / (100 + 4*20) = 820/180 = 4. Back: (5*16 + 70)/110 = 150/110 = 1.
map
  .P @i20
fight 0:1,1x1 4 1
