# Movement: reach, terrain costs, friends and enemies in the way.

case infantry goes three plain cells
map
  . . . . . . .
  . . . . . . .
  . . . . . . .
  . . . .I . . .
  . . . . . . .
  . . . . . . .
  . . . . . . .p
reach 0
  - - - + - - -
  - - + + + - -
  - + + + + + -
  + + + + + + +
  - + + + + + -
  - - + + + - -
  - - - + - - -

case every type has its own move power
# Fighter 9, attacker 7, cannon 5, infantry 3: each at the left end of a road of eight cells.
map
  =F = = = = = = =
  # # # # # # # #
  =A = = = = = = =
  # # # # # # # #
  =U = = = = = = =
  # # # # # # # #
  =I = = = = = = =
  # # # # # # # .p
reach 0
  + + + + + + + +
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
reach 1
  - - - - - - - -
  - - - - - - - -
  + + + + + + + +
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
reach 2
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  + + + + + + - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
reach 3
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  + + + + - - - -
  - - - - - - - -

case a panzer and an antiair go six cells, a fighter nine
# The fighter's corridor bends: 7 cells right and 2 down are 9, the 10th is out of reach.
map
  =P = = = = = = =
  # # # # # # # #
  =R = = = = = = =
  # # # # # # # #
  =F = = = = = = =
  # # # # # # # =
  # # # # # # # =
  .p # # # # # # =
reach 0
  + + + + + + + -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
reach 1
  - - - - - - - -
  - - - - - - - -
  + + + + + + + -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
reach 2
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  - - - - - - - -
  + + + + + + + +
  - - - - - - - +
  - - - - - - - +
  - - - - - - - -

case wood costs vehicles two
# A panzer with six to spend pays 2, 2, 2.
map
  .P * * * * .i
reach 0
  + + + + - -

case wood costs infantry and aircraft one
map
  .I * * * * . .
  # # # # # # #
  .A * * * * * *
  # # # # # # .p
reach 0
  + + + + - - -
  - - - - - - -
  - - - - - - -
  - - - - - - -
reach 1
  - - - - - - -
  - - - - - - -
  + + + + + + +
  - - - - - - -

case a mountain costs infantry two and is closed to vehicles
map
  .I ^ . . .
  # # # # #
  .P ^ . . .
  # # # # .p
reach 0
  + + + - -
  - - - - -
  - - - - -
  - - - - -
reach 1
  - - - - -
  - - - - -
  + - - - -
  - - - - -

case infantry with one to spend does not climb
# 1 for the plain, 1 for the next, 1 left: the mountain costs 2.
map
  .I . . ^ .p
reach 0
  + + + - -

case the sea is open to aircraft only
map
  ~F ~ ~ .
  . ~ . .I
  . ~ .P .p
reach 0
  + + + +
  + + + -
  + + - -
reach 1
  - - - +
  - - + +
  - - - -
reach 2
  - - - +
  - - + -
  - - + -

case no-entry cells stop aircraft too
map
  .F # .
  # # .
  .p . .
reach 0
  + - -
  - - -
  - - -

case road, plain and fortress cost one
map
  .U = @ . = @ .
  # # # # # # .i
reach 0
  + + + + + + -
  - - - - - - -

case friends are passed through but not ended on
map
  .I .P . . .
  # # # # .p
reach 0
  + - + + -
  - - - - -
refuse 0:2,1: cannot end its move there

case enemies are not passed through
map
  .I .p . .
reach 0
  + - - -
refuse 0:3,1: cannot end its move there

case aircraft do not fly over enemies
map
  .F .i .
  # # .
reach 0
  + - -
  - - -

case the dear way round is taken when it is within reach
# Through the wood 2 + 1, round it 4: both within a cannon's 5, the wood is cheaper.
map
  .U * . .
  . . . .
  # # # .p
reach 0
  + + + +
  + + + +
  - - - -

case a unit may stay on terrain that it could not enter
# A panzer on the sea, as some maps have it: it stays, or leaves.
map
  ~P . .
  ~ ~ .p
reach 0
  + + +
  - - -
do 0:1,1
mover blue

case a unit on a no-entry cell may stay and leave
map
  #P . .
  # # .p
reach 0
  + + +
  - - -

case a walled-in unit can only stay
map
  .P # .
  # # .p
list 0:1,1
do 0:1,1
turn 1

case units that have acted are no obstacle to friends
map
  .I .I . . .
  # # # # .p
do 1:3,1
reach 0
  + + - + -
  - - - - -
do 0:4,1
expect
  . . .I .I .
  # # # # .p

case there is no zone of control
map
  . .p . .p .
  .I . . . .
  . . .p . .
reach 2
  + - + - -
  + + + + -
  + + - - -
