# Attacks: who reaches whom, from where, and what the generator lists.

case direct units attack no diagonal neighbours
map
  .i # .i
  # .I #
  .i # .i
attacks-all 2

case direct units attack their four neighbours
# Enemies by number; the walled-in panzer attacks all from its own cell.
map
  # .i #
  .i .P .i
  # .i #
attacks 2 2:2,2x0 2:2,2x1 2:2,2x3 2:2,2x4

case a direct unit moves beside its target and attacks
# Infantry on panzer: (5*10 + 70) / 110 = 1, left 9: (75*9 + 70) / 110 = 745/110 = 6.
map
  .I . . .p
fight 0:3,1x1 1 6
do 0:3,1x1
expect
  . . .I4 .p9

case staying and attacking is one action
# (75*10 + 70) / 110 = 7, left 3: (5*3 + 70) / 110 = 0.
map
  .P .i .
do 0:1,1x1
expect
  .P .i3 .
mover blue

case only one action a turn
map
  .I . .
  .I . .p
do 0:2,1
refuse 0:3,1: already acted
mover red

case no move after the attack
map
  .I .p .
  .I . .
do 0:1,1x1
refuse 0:1,1: already acted

case stand cells go east, north, west, south of the target
map
  . . . . .
  . . . . .
  . . .i . .
  . . . . .
  . . .P . .
attacks 1 1:4,3x0 1:3,2x0 1:2,3x0 1:3,4x0

case stand cells that are taken or closed are left out
map
  . ^ .
  . .i .P
  .P . #
attacks 1 1:3,2x0
attacks 2 2:1,2x0 2:2,3x0

case attacks come first, targets by number, then moves by column and row
map
  .P/2 .i/3 .p/0
  . . .
  .I!/1 # #
list 2:3,2x0 2:1,1x3 2:2,2x3 2:1,1 2:1,2 2:2,2 2:3,2

case units by number, not by place
map
  . .I/1 #
  # # #
  . .I/0 #
  # # .p/2
list 0:1,3 0:2,3 1:1,1 1:2,1

case both colours share one row of numbers
map
  .i/0 . .I/1
  # # #
  .I/3 # .i/2
list 1:2,1x0 1:2,1 1:3,1 3:1,3

case a cannon reaches two and three cells away
# Units in reading order: 0 three above, 1 two above, 2 one above and one beside (distance 2), 3 the cannon, 4
# beside it (distance 1: too near), 5 two cells away, 6 four below (too far).
map
  . .i . .
  . .i . .
  . . .i .
  . .U .i .i
  . . . .
  . . . .
  . . . .
  . .i . .
attacks 3 3:2,4x0 3:2,4x1 3:2,4x2 3:2,4x5
refuse 3:2,4x4: cannot attack
refuse 3:2,4x6: cannot attack

case a cannon does not move and fire
map
  .U . . . .i
attacks 0
refuse 0:2,1x1: cannot attack
do 0:2,1
expect
  . .U . . .i

case a cannon fires over walls and units
map
  .U # .i
  # # #
  .I .p #
attacks 0 0:1,1x1 0:1,1x3

case a cannon beside an enemy cannot fire at it
map
  .U .i
attacks-all 0
list 0:1,1

case a cannon has no power over aircraft
map
  .U . .f .
  . . . .
attacks 0
attacks-all 0 0:1,1x1
unlisted 0:1,1x1
fight 0:1,1x1 0 0

case an attack without power is legal, does nothing and draws a counter
# Antiair on fighter: (70 * 10 + 70) / 100 = 7.
map
  .F .r .
attacks 0
attacks-all 0 0:1,1x1
unlisted 0:1,1x1
fight 0:1,1x1 0 7
do 0:1,1x1
expect
  .F3 .r .

case a fighter hits aircraft only, a panzer ground units only
map
  .f . .p
  .F . .P
attacks 2 2:2,1x0 2:1,2x0
attacks 3 3:2,1x1 3:3,2x1
attacks-all 3 3:2,1x0 3:2,1x1 3:3,2x1

case antiair hits both
map
  .f .R .p
attacks 1 1:2,1x0 1:2,1x2

case attacks that do no damage have power all the same
# Infantry with 1 HP on antiair: (3 * 1 + 70) / 110 = 0.
map
  .I1 .r
attacks-all 0 0:1,1x1
attacks 0 0:1,1x1
attacks-damage 0
fight 0:1,1x1 0 1

case friends are no targets
map
  .I .I . .i
refuse 0:1,1x1: no enemy

case a destroyed unit is no target and no actor
# Attacker on infantry: (115 * 10 + 70) / (100 + 1 * 3) = 11, more than its 3.
map
  .A .i3 .i
  .P . .
do 0:1,1x1
refuse 3:2,2x1: no enemy
do 3:1,2
mover blue
refuse 1:2,1: destroyed

case the other side's units do not answer to me
map
  .I . .i
refuse 1:2,1: it is red's turn
refuse 7:1,1: there is no unit 7
refuse 0:9,9: cannot end
