# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Values at and beyond each limit, the second of several files, seats and commands, and what goes on after an error.

lines_shown=90
write_tiny_map tiny.tbsmap

# ---- maps ----

for verb in 'show - --no-color' 'check -' 'check - --json' 'stats - --limit-positions 10' 'convert - --json'; do
    feed <tiny.tbsmap
    # shellcheck disable=SC2086 # several words
    s map $verb
done
feed </dev/null
s map check -
s map show nothing tiny.tbsmap nothing --no-color
s map stats nothing tiny.tbsmap --limit-positions 10
s map convert tiny.tbsmap --out .json
files .json
echo text >text.json
echo text >text.jso
s map check text.json text.jso
sed 's/UNITNUMRED\[2\];//' tiny.tbsmap >one.tbsmap
s map show one.tbsmap --no-color
s map convert one.tbsmap
s map check one.tbsmap tiny.tbsmap
{ sed '/^MAPCOM/d' tiny.tbsmap; printf 'MAPCOM[\001\037\040\176\177 \302\200 \302\237 \302\240 \303\200];\n'; } >notes.tbsmap
s map show notes.tbsmap --no-color
for hp in 0 1 10 11 0-5 1-10 4-4 5-4 10-11 '' x 3- -3 1-2-3; do
    s map random --seed 3 --width 4 --height 2 --units 2 --hp "$hp"
done
s map random --seed 3 --width 4 --height 2 --units 1 --blue 3
s map random --seed 18446744073709551615 --width 4 --height 2 --units 1
s map random --seed 18446744073709551616
s map random --seed -1
s map random --seed 1 --out no/where.tbsmap
if draws; then
    mkdir pictures
    cp tiny.tbsmap pictures/two.parts.tbsmap
    cp tiny.tbsmap pictures/plain
    cp tiny.tbsmap pictures/.hidden
    for name in pictures/two.parts.tbsmap pictures/plain pictures/.hidden pictures/nothing tiny.tbsmap; do
        s map draw "$name"
    done
    feed <tiny.tbsmap
    s map draw -
    s map draw tiny.tbsmap --out no/where.png
    s map draw nothing --out x.gif
    for picture in two.parts.png plain.png .hidden.png tiny.png map.png; do
        line "$picture: $(head -c 4 $picture | od -An -c)"
    done
else
    skip "this build draws no pictures"
fi
# A program with other maps beside it: sorted by size and name, without files that are no maps or have too long a name.
mkdir -p place/bin place/maps
cp "$SENJUTSU" place/bin/senjutsu
name=$(printf '%062d' 0)
for name in b a.c standard "1$name" "12$name" ''; do
    cp tiny.tbsmap "place/maps/$name.tbsmap"
done
cp "$maps/duel_infantry.tbsmap" "$maps/duel.tbsmap" place/maps
cp notes.tbsmap place/maps/a.tbsmap
cp text.json place/maps/broken.tbsmap
cp tiny.tbsmap place/maps/map.tbsma
cp tiny.tbsmap place/maps/map.TBSMAP
shot place/bin/senjutsu map list
shot place/bin/senjutsu map show b --no-color
shot place/bin/senjutsu map check map.tbsma broken
weak="--strong random --weak random --quiet --jobs 1"
# shellcheck disable=SC2086 # several words
{
    s map judge tiny.tbsmap $weak --games 2 --min-games 0
    s map judge tiny.tbsmap $weak --games 2 --min-games 2 --json
    s map judge tiny.tbsmap $weak --games 2 --min-games 3
    s map judge tiny.tbsmap $weak --games 8 --min-games 8 --store no/where.db
    s map judge nothing tiny.tbsmap $weak --games 8 --min-games 8 --tight 0.5
    s map judge tiny.tbsmap duel_infantry $weak --games 200 --min-games 8 --tight 0.12
    s map repair tiny.tbsmap $weak --sure 20 --games 99
    s map repair tiny.tbsmap $weak --sure 20 --games 100 --low 0 --high 1
    s map repair tiny.tbsmap $weak --low 0.5 --high 0.5
    s map repair tiny.tbsmap $weak --sure 20 --games 100 --low 0 --high 1 --out no/where.tbsmap
    s map repair tiny.tbsmap $weak --sure 20 --games 100 --low 0 --high 1 --out no/where.json
    s map repair tiny.tbsmap $weak --sure 20 --games 100 --low 0 --high 1 --kinds ' hp, move,hp,hp,hp,hp,hp,terrain ' --out kept.tbsmap
    s map repair tiny.tbsmap $weak --sure 20 --games 100 --low 0 --high 1 --kinds hp,hp,hp,hp,hp,hp,hp,hp,hp
    for width in 127 128; do
        s map repair tiny.tbsmap $weak --sure 20 --games 100 --low 0 --high 1 --json --kinds "$(printf "%${width}s" hp)"
    done
    s map repair nothing $weak
    s map repair duel $weak --sure 20 --games 400 --low 0.56 --high 0.7 --decided 1
    sed -e 's/infantry,0,7/panzer,0,10/' -e 's/panzer,1,10/infantry,1,1/' -e 's/fighter,1,10/infantry,1,1/' tiny.tbsmap >hopeless.tbsmap
    s map repair hopeless.tbsmap $weak --sure 20 --games 400 --kinds hp --changes 1
    s map repair hopeless.tbsmap $weak --sure 20 --games 400 --kinds hp --changes 2 --low 0 --high 0.01
}
files kept.tbsmap

# ---- lists ----

lines_of_a_block=500
for list in players games; do
    s $list
    s $list --json
done
lines_of_a_block=25
s players random
s players ext --json
s games kuhn --json
s games --check 1 --game kuhn --seed 3
s games --check 0
s games --check 1 --game nothing
s games --check 1 --map nothing

# ---- matches ----

s match random random --map duel --beta 0.1
s match random random --map duel --alpha 0.05 --beta 0.05 --games 1 --quiet
s match random random --map duel --sprt 0,5 --games 1 --quiet
s match random random --map duel --sprt 0,5 --games 2 --quiet --json
s match random random --game kuhn --sprt 0,5 --games 2 --quiet
s match random random --game kuhn --sprt 0,5 --games 3 --quiet --json
s match random pimc:sims=3 --game kuhn --games 2 --quiet
s match random pimc:sims=3 --game kuhn --games 1 --quiet --one-sided
s match random pimc:sims=3 --game kuhn --games 1 --quiet --one-sided --json
s match random random --game fusion --games 4 --quiet
s match random random --game fusion --games 1 --quiet --one-sided
s match random random --game fusion --games 1 --quiet --one-sided --json
s match first first --game tictactoe --games 4 --quiet
s match first first --game tictactoe --games 3 --quiet --json
s match random random --game kuhn --games 1 --format sgf
s match random random --map duel --games 1 --quiet --faults tiny.tbsmap
s match 'ext:cmd=true' 'ext:cmd=false' --map duel --games 3 --quiet --faults faults --records games
s match random 'ext:cmd=false' --map duel --games 1 --quiet --json
line "$(ls faults games)"
# A folder whose name is short enough, but not with the files in it.
mkdir kept
deep=$(yes ./ | head -n 2037 | tr -d '\n')kept/deep
for option in --records --faults; do
    "$SENJUTSU" match ext:cmd=true random --map duel --games 2 --quiet $option "$deep" >said 2>&1
    line "$option: status $?, $(grep -c '/: the name is too long$' said) $(ls kept/deep)"
done

# ---- the keyboard ----

printf '?\nunits\n0\n1,1\nN\n0\n3,1x2\nx\n0\nx2\nYes\nunits\nsaved x\nsave\t here.json \npass\nn\npass\nY\nq\n' | feed
s play --map tiny.tbsmap --blue random --seed 3 --no-color
sums here.json
cat >narrow.tbsmap <<'END'
SIZEX[7];SIZEY[3];TURNLIMIT[4];HPTHRESHOLD[3];UNITNUMRED[2];UNITNUMBLUE[2];
MAP[0,0,0,0,0,0,0];
MAP[0,1,1,1,1,1,0];
MAP[0,0,0,0,0,0,0];
UNIT[1,1,infantry,0,10,0];UNIT[2,1,panzer,0,10,0];
UNIT[3,1,infantry,1,10,0];UNIT[5,1,infantry,1,10,0];
END
printf 'units\n0\n1\nx2\n\nundo\nundo\nx2\n1\nx3\nx2x\n1\n1,1\n2,1 x2\n\nend\n\nunits\n3\n2:3,1\n\nundo\nend\n\n0\n0:1,1\n\nboard\nend\nn\nend\n\nunits\nend\n\n' | feed
s play --map narrow.tbsmap --red human --blue human --no-color --save narrow.json
sums narrow.json
printf 'hint\nhint\nend\n\nhint\nhint\n' | feed
s play --map standard --blue human --no-color --seed 4
printf 'hint\nhint\nundo\nb2\nundo\nundo\na1\nactions\nboard\nstate\n?\nsaved\nsave\nsave t.json\nq\n' | feed
s play --game tictactoe --first random --second human --seed 5 --no-color --save other.json
sums t.json other.json
printf 'a1\na2\nundo\nb2\nb1\nc2\n' | feed
s play --load t.json --first human --second human --no-color
printf 'b2\nactions\na1\nc3\n' | feed
s play --game tictactoe --first human --second human --no-color
printf '\npass\n\nbet\nundo\n\npass\n' | feed
s play --game kuhn --first human --second human --seed 6
s play --game kuhn --first human --second human --seed 6
printf 'bcfg\n\nundo\nABCD\nMOV:a,north\nundo\nresign\n' | feed
s play --game geister --first human --second human --seed 6 --no-color
printf '%s\n' 'set:bcfg' 'SET:b,c f G' 'a,north' 'MOV:B,N' 'mov:c,n' 'MOV:a,west' 'c  w' 'D East' 'a no' 'a northx' 'a northn' 'i n' 'a' 'n' 'A,S' 'an' \
    'actions' 'hint' 'board' 'save g.txt' 'save g.json' 'bcfg' | feed
s play --game geister --second random --seed 8 --no-color
sums g.txt g.json
printf 'SET:ABCD\nMOV:A,N\n' | feed
s play --game geister --first random --second human --seed 8 --no-color
for option in '--game kuhn' '--map duel' '--rules paper' '--seed 1'; do
    # shellcheck disable=SC2086 # several words
    s play --load t.json $option
done
s play --game kuhn --first minmax --second random
s play --game kuhn --first random --second minmax
line "$(tr -d '\n ' <narrow.json | sed 's/.*"milliseconds"//')"
s play --red ext:cmd=true --blue random --map tiny.tbsmap
s play --game kuhn --first ext:cmd=true --second random --seed 2

# ---- records ----

"$SENJUTSU" match random random --game kuhn --games 3 --quiet --records cards --seed 5 >/dev/null
"$SENJUTSU" match pg random --game geister:plies=30 --games 1 --quiet --records ghosts --seed 5 >/dev/null
for view in first second all; do
    s replay cards/game-000001.json --view $view
    s replay cards/game-000003.json --view $view --at 2
    s replay ghosts/game-000001.json --view $view --at 1 --no-color
    s replay ghosts/game-000001.json --view $view --at 2 --no-color
    s replay ghosts/game-000001.json --view $view --no-color
done
"$SENJUTSU" match random pg --game geister --games 4 --quiet --records long --seed 2 >/dev/null
"$SENJUTSU" match random random --game geister --games 2 --quiet --records random --seed 4 >/dev/null
lines_of_a_block=500
for record in long/* random/*; do
    s replay "$record" --view first --no-color
    s replay "$record" --view second
    s replay "$record" --check
done
lines_of_a_block=25
s replay cards/game-000001.json --view third
s replay cards/game-000001.json --view first --check
s replay cards/game-000001.json --view second --save x.json
s replay cards/game-000001.json --view all --check
s replay cards/game-000001.json --at 2 --view all
s replay cards/game-000001.json --at 99
s replay cards/game-000001.json --game 0
s replay cards/game-000001.json --save x.txt
s replay ghosts/game-000001.json --save x.txt
sums x.txt
s replay ghosts/game-000001.json --save x.sgf
feed <cards/game-000001.json
s replay -
printf 'SQLite format 3' >short.db
printf 'SQLite format 3\0 and more' >long.db
s replay short.db
s replay long.db --game 1
sed 's/"actions": \[/"actions": [ "bet", /' cards/game-000001.json >wrong.json
s replay wrong.json
s replay wrong.json --at 1
s play --load wrong.json
sed -e 's/ext:/\\u001b/' -e 's/"date": "/&\\u009b/' -e 's/"result": "/&\\u007f/' -e 's/"comment": "/&\\u0007/' \
    games/game-000001.json >escapes.json
s replay escapes.json --at 0 --no-color
s replay escapes.json --check
s solve --after t.json
s solve --after t.json:0 --json
s solve --after t.json:3
s solve --after t.json:4
s solve --after other.json --map duel
s solve --after other.json --rules paper
s solve --after other.json --game tictactoe
s solve --after other.json --position board=.........
s solve --game tictactoe --position board=x........
s solve --game tictactoe --position x
s solve --map duel --position x
cp t.json odd:3
s solve --after odd:3 --json
s solve --after odd:3:1 --wdl --json
s solve --after here.json --rules paper --nodes 50
s solve --after here.json:1 --map duel --nodes 50
s solve --map tiny.tbsmap --after here.json:0 --nodes 50 --json

# ---- events ----

for option in '--maps duel' '--game kuhn' '--preset gat-tactical' '--rules-file x' '--format swiss' '--clock turn=1' \
    '--rules paper' '--title x' '--points 1,0,0' '--seed 1' '--games 1' '--rounds 1' '--challengers 1' '--final 2' \
    '--maps-per-pairing 1' '--disqualify-after 1' --not-own-maps --programs --continue '--rules x' '--game x' '--seed x' ''; do
    # shellcheck disable=SC2086 # several words
    s tournament $option
done
s tournament --store tiny.tbsmap --continue --players random,acteval
s tournament --store tiny.tbsmap --continue --entries x
s tournament --store tiny.tbsmap --programs
s tournament --preset gat-tactical --rules-file x --players random,acteval
s tournament --preset x --players random,acteval
s tournament --rules-file tiny.tbsmap --players random,acteval
s tournament --rules-file nothing --show-rules
s tournament --show-rules --seed x
s tournament --players random,acteval --game kuhn --maps duel
s tournament --players random,acteval --maps ' duel , tiny.tbsmap ' --games 1 --quiet --jobs 1
s tournament --players random,acteval --maps duel,,duel
mkdir folder
cp tiny.tbsmap folder/b.tbsmap
cp tiny.tbsmap folder/a.tbsmap
cp tiny.tbsmap folder/c.tbsma
cp tiny.tbsmap folder/.tbsmap
s tournament --players random,acteval --maps folder --games 1 --quiet --json
s tournament --players random --entries nothing
echo '[{"spec": "acteval"}]' >entry.json
s tournament --players random --entries entry.json --maps duel --games 1 --quiet --store pair.db
s tournament --store pair.db --quiet --json --out pages
line "$(ls pages)"
s tournament --store pair.db --continue --quiet
s tournament --players ext:cmd=true,random --maps duel --games 1 --quiet --store faulty.db --out faulty
line "$(ls faulty faulty/*)"
s tournament --store faulty.db --continue
s tournament --store faulty.db --continue --programs
echo '[{"name": "b", "spec": "ext:cmd=true"}, {"spec": "random"}]' >bots.json
s tournament --entries bots.json --maps duel --games 1 --quiet
s tournament --entries bots.json --players ext:cmd=false --maps duel --games 1 --quiet
s tournament --entries bots.json --players ext:cmd=true --maps duel --games 1 --quiet
s tournament --entries bots.json --maps duel --games 1 --quiet --programs
none=ext:cmd=there-is-no-such-program
s tournament --players random,$none --maps duel --games 1 --quiet --store none.db
s tournament --store none.db
s match random $none --map duel --games 1 --quiet
s map judge tiny.tbsmap --strong random --weak $none --games 6 --min-games 6 --quiet --jobs 1
s verify faulty.db
s verify pair.db pair.db

# ---- learning ----

small="--recipe own:batch=16,keep=32 --against random --against-games 2 --seed 5"
# shellcheck disable=SC2086 # several words
{
    s train geister-pg --games 16 --every 16 $small --out .state
    s train geister-pg --games 32 --every 5 $small --out first.state --json
    s train geister-pg --resume first.state.state --games 32 --json
    s train geister-pg --resume first.state.state --games 31
    s train geister-pg --resume first.state.state --games 48 --every 48 $small
    s train geister-pg --resume first.state.state --games 48 --recipe own:batch=16
    s train geister-pg --resume first.state.state --games 48 --seed 6
    s train geister-pg --resume first.state.state --games 64 --out second --quiet --against .state --against-games 2
    s train geister-pg --resume first.state.state --games 64 --out second
    s train geister-pg --games 16 --every 0 $small
    s train geister-pg --games 0 --every 0 $small
    s train geister-pg --games 0 $small
    s train geister-pg --games 16 $small --against tiny.tbsmap
}
sums .state .state.state first.state first.state.state second second.state
rm second
s train geister-pg --games 16 --out second
s train geister-geist --games 1 --value-games 1 --out geist --quiet
s train geister-geist --games 1 --value-games 1 --out geist
s train geister-geist --games 30 --value-games 11 --out other
sums geist other
s train geister-setups --games 1 --least 0 --quiet --threads 1 --seed 4
s train geister-setups --games 1 --weights tiny.tbsmap

# ---- the server of the page ----

# serving OPTION …: the server's output from its start to its end by a signal. Ports, tokens and the machine's name are
# replaced.
serving() {
    : >said
    # shellcheck disable=SC2086 # several words
    env -u XDG_DATA_HOME -u BROWSER -u DISPLAY -u WAYLAND_DISPLAY HOME="$PWD/home" $surroundings "$SENJUTSU" serve --port 0 "$@" \
        >said 2>&1 </dev/null &
    server=$!
    wait_until is_serving
    kill -TERM $server 2>/dev/null
    wait $server
    status=$?
    line "$(echo "\$ $surroundings serve $*" | plain)"
    line "$(sed -E -e 's/token=[0-9a-f]{32}$/token=TOKEN/' -e 's#:[0-9]+/#:PORT/#' -e "s/$(uname -n)/MACHINE/" said | plain)"
    line "status $status"
}
# shellcheck disable=SC2317 # called by wait_until
is_serving() {
    grep -q -e '^http' -e 'Ctrl-C' said || has_ended $server
}
surroundings=
serving
serving --open --data a/b/c
serving --bind 0.0.0.0 --data a
serving --open --data a --quiet --token 1234567z
serving --bind 0.0.0.0 --data a --token "$(printf '%0100d' 5)"
serving --data a --token 1234567
serving --data a --token "$(printf '%0101d' 5)"
serving --data a --token 'ABCabc019/._~'
serving --data a --origin https://one.example/,http://two.example:8443 --token ABCabc019-._~
serving --data a --origin "$(seq -f 'https://%g.example' -s , 8)"
serving --data a --origin "$(seq -f 'https://%g.example' -s , 9)"
serving --data a --origin https://one.example,ftp://two.example
serving --data a --host "$(seq -f 'n%g.example' -s , 13)" --quiet
serving --data a --host "$(seq -f 'n%g.example' -s , 14)" --quiet
serving --data tiny.tbsmap/b
surroundings="XDG_DATA_HOME=$PWD/xdg"
serving
surroundings=XDG_DATA_HOME=relative
serving
surroundings='XDG_DATA_HOME= HOME=relative'
serving
line "$(find a home xdg -name '*.json' -prune -o -type d -print | sort)"
