# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# The other commands: exact solutions, games at the keyboard, the engine protocol, training.

write_tiny_map tiny.tbsmap
s solve --nodes 200000
s solve --map tiny.tbsmap --nodes 60000 --json
s solve --map tiny.tbsmap --nodes 60000 --wdl --memory 0 --no-color
s solve --map endgame --nodes 30000 --rules paper --memory 1
s solve --map standard --nodes 2000 --json
s players acteval
s players nobody
s games tbs
s games nothing

# typed OPTION …: a game at the keyboard, commands from standard input.
typed() {
    s play --no-color "$@"
}
feed <<'END'
help
units
0
3,1 x2
n
3,1 x2
y
undo
board
hint
legend
1
1,2

end

units
nonsense
9
0:9,9
save saved.json
quit
END
typed --map tiny.tbsmap --blue random --seed 5
sums saved.json
feed <<'END'
board
end
y
quit
END
typed --load saved.json
typed --red acteval --blue random --map duel --seed 3
typed --first random --second pg --game geister --seed 2
printf 'p\nb\nb\nhelp\n' | feed
typed --game kuhn --seed 4 --second random
printf 'L\nR\nhelp\nL\nR\nL\n' | feed
typed --game synth:tree=3 --seed 4 --second random
printf 'ABCD\nhelp\nAN\nEN\nboard\nhint\nGN\nundo\nHN\nresign\nquit\n' | feed
typed --game geister --seed 4 --second random

# talk OPTION …: the engine protocol, from standard input.
talk() {
    s engine "$@"
}
feed <<'END'
sjp 1
game
newgame tbs
map tiny.tbsmap
state
legal
legal all
perft 3
play 0:3,1x2
state
go
undo
setoption style sample
options
seed 7
go turn
nonsense
play 9:1,1
newgame tbs rules=paper
map
SIZEX[4];SIZEY[4];
endmap
help
quit
END
talk
for game in kuhn fusion synth geister; do
    printf 'sjp 1\nnewgame %s\nstate\nlegal\nperft 3\ngo\nstate\nlegal\nquit\n' $game | feed
    talk --seed 3
done
printf 'sjp 1\nmap %s/duel.tbsmap\ngo\nperft 2\nplay 0:4,3x2\ngo turn\nstate\nquit\n' "$maps" | feed
talk --player uct:sims=30 --seed 2

s train geister-pg --games 96 --every 48 --recipe own:batch=16,keep=32 --against random --against-games 6 --seed 5 --out pg
sums pg pg.state
s train geister-pg --resume pg.state --games 128 --against random --against-games 4 --json
s train geister-pg --games 64 --recipe published --every 64 --against builtin --against-games 4 --out published --threads 2
sums published published.state
s train geister-pg --recipes
s train geister-geist --games 40 --value-games 30 --seed 3 --out geist
sums geist
s match geist:weights=geist,sims=10,mate=1,guard=1,depth=1 pg:weights=pg --game geister:plies=30 --games 2 --quiet
s train geister-setups --games 1 --weights pg
s train geister-setups --games 1 --weights pg --json --seed 2 --least 0.03
s train geister-setups --games 1 --constants --seed 3

# ---- a game without maps in which nothing is hidden ----

s analyze --game tictactoe --position board=x...o.... --player uct:sims=200 --top 2 --no-color
s solve --game tictactoe --no-color
s solve --game tictactoe --position board=xx.oo.... --json
s solve --game tictactoe --position board=xxxoo....
s solve --game kuhn
s tournament --players uct:sims=50,minmax,dlmc:turns=5,aas,pwuct:sims=50,first --game tictactoe --games 2 --seed 2 --quiet
printf 'b2\nhelp\na1\nactions\nquit\n' >typed
shot sh -c '"$0" play --game tictactoe --seed 2 --no-color <typed' "$SENJUTSU"
