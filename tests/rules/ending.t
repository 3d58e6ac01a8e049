# How games end.

case annihilation in the middle of a phase ends the game at once
# Attacker on infantry: (115*10 + 70)/(100 + 1*5) = 11, at most 5. The infantry that did not act is not asked.
map
  .A .i5
  .I #
do 0:1,1x1
mover nobody
result red annihilation
turn 1
list
refuse 2:1,2: the game is over

case dying by the counter loses
# Infantry with 1 HP on panzer: (5*1 + 70)/110 = 0; back (75*10 + 70)/(100 + 1*1) = 8, at most 1.
map
  .I1 .p
do 0:1,1x1
result blue annihilation
turn 1

case annihilation in the last phase beats the judgement by HP
# (115*2 + 70) / (100 + 1*2) = 300/102 = 2. A lead of 2 would be a draw with this threshold.
limit 1
threshold 9
map
  .A2 .i2
do 0:1,1x1
result red annihilation
turn 1

case more HP at the limit win
limit 2
map
  .P9 . . .i8
do 0:1,1
mover blue
do 1:4,1
result red limit
mover nobody
turn 2

case equal HP at the limit are a draw
limit 1
map
  .P . . .i
do 0:1,1
result draw limit

case a lead equal to the threshold is a draw
limit 1
threshold 3
map
  .P10 . . .i7
do 0:1,1
result draw limit

case a lead above the threshold wins
limit 1
threshold 3
map
  .P10 . . .i6
do 0:1,1
result red limit

case blue needs the same lead
limit 1
threshold 3
map
  .P6 . . .i10
do 0:1,1
result blue limit

case a lead equal to the threshold wins in the paper
rules paper
limit 1
threshold 3
map
  .P10 . . .i7
do 0:1,1
result red limit

case blue's lead equal to the threshold wins in the paper too
rules paper
limit 1
threshold 3
map
  .P7 . . .i10
do 0:1,1
result blue limit

case a lead below the threshold draws in the paper
rules paper
limit 1
threshold 3
map
  .P10 . . .i8
do 0:1,1
result draw limit

case equal HP without a threshold draw in the paper
rules paper
limit 1
threshold 0
map
  .P10 . . .i10
do 0:1,1
result draw limit

case HP are summed over all units
limit 1
threshold 0
map
  .P3 . .p8
  .I3 # #
  .I3 # #
do 0:1,1 2:1,2 3:1,3
result red limit

case resigning gives the game away at once
map
  .I . .
  .P . .p
unlisted resign
do resign
result blue resignation
mover nobody
turn 1

case blue resigns
map
  .I . .p
do 0:2,1
do resign
result red resignation
turn 2

case resigning in the last phase beats the judgement
limit 1
map
  .P10 . . .i1
do resign
result blue resignation

case a side without units has lost before it moves
map
  .P . .
result red annihilation
mover nobody
list

case red without units has lost
map
  .p . .
result blue annihilation
mover nobody

case empty phases count towards the limit
limit 2
map
  .P5! . .i4!
result red limit
turn 2
mover nobody
