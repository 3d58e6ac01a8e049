# Phases, turns and the flag "has acted".

case red moves first and every unit acts once, in any order
map
  .I . .
  .I . .
  .I . .p
mover red
turn 0
do 2:1,3 0:1,1
mover red
do 1:1,2
mover blue
turn 1

case flags of the side that played are cleared at the end of its phase
map
  .I . .
  .I . .
  # # .p
do 0:2,1
expect
  . .I! .
  .I . .
  # # .p
do 1:1,2
expect
  . .I .
  .I . .
  # # .p

case a flag in the map blocks the first phase only
map
  .I! . .
  .P . .
  # # .p
refuse 0:2,1: already acted
do 1:1,2
mover blue
do 2:3,3
turn 2
do 0:2,1
expect
  . .I! .
  .P . .
  # # .p

case a blue flag waits for blue's first phase
map
  .I . .p!
  # # .i
do 0:1,1
mover blue
expect
  .I . .p!
  # # .i
refuse 1:2,1: already acted
do 2:3,2
mover red
expect
  .I . .p
  # # .i

case a side whose units are all flagged has an empty phase
map
  .I! . .
  .I! . .p
turn 1
mover blue
expect
  .I . .
  .I . .p

case blue's empty phase passes by itself
map
  .I . .
  . . .p!
do 0:2,1
turn 2
mover red
expect
  . .I .
  . . .p

case both first phases empty
map
  .I! . .p!
turn 2
mover red
expect
  .I . .p

case passing ends the turn, and the rest stays
map
  .I . .
  .P . .
  # # .p
do 0:2,1
unlisted pass
do pass
mover blue
turn 1
expect
  . .I .
  .P . .
  # # .p

case passing at once is allowed
map
  .I . .p
do pass pass
turn 2
mover red
expect
  .I . .p

case a destroyed unit needs no turn of its own
# Blue's infantry with 1 HP attacks and dies by the counter; its panzer still acts.
map
  .P . .
  .i1 # .p
do 0:1,1
do 1:1,2x0
expect
  .P . .
  . # .p
mover blue
do 2:3,1
turn 2
