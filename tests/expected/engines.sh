# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Engines: the answers of our own to every verb; and senjutsu check, all that it sends to an engine, and all that it prints
# about engines with one fault each and about faults that are repeated. That engine is a script that logs each line
# before it answers.

lines_shown=250
write_tiny_map tiny.tbsmap

# ---- our own engine: every verb and every refusal ----

cat >spoken <<'END'
go
play 0:1,1
undo
state
legal
perft 1
position x
sjp
sjp 2
sjp 1
help
stop
setoption
setoption player
setoption player nobody
setoption seed
setoption seed x
setoption seed 5
setoption depth 3
setoption player first
sjp 1
newgame
newgame chess
newgame tbs rules
newgame tbs rules=
newgame tbs colour=red
newgame tictactoe x=1
map
endmap
map nowhere.tbsmap
map
SIZEX[4];
endmap
map tiny.tbsmap
position x
setup ABCD
perft
perft -1
perft x
perft 0
perft 2
perft 99
go sims
go sims 0
go sims x
go time
go time 0
go depth 3
go sims 7 turn extra
go turn
go sims 7
go time 100000 sims 9 turn
play pass
state
state all
go turn sims 8
play
play 3:9,9
undo
undo
play 0:2,1
go turn
undo
newgame tictactoe
map tiny.tbsmap
map
SIZEX[4];
endmap
state
position board=xx.oo....
go
play c1
undo
undo
state
legal
position board=xxxoo....
go
legal
play c3
perft 1
position board=x
setoption player random
newgame kuhn
state
state all
legal all
position cards=K,? moves=-
play bet
perft 1
go turn
go
undo
state
position cards=?,K moves=-
position cards=?,K moves=bet
legal
go
position cards=K,Q moves=-
play bet
play pass
state
undo
play pass
newgame kuhn
state
setoption seed 5
newgame kuhn
state all
newgame kuhn
state all

newgame kuhn
state all
END
printf '\n   \n\tundo\t\ndance with me\nquit now\n' >>spoken
feed <spoken
s engine --player random --seed 3
# Geister for one side: the first, the second, and with captures and an escape.
feed <<'END'
newgame geister side=0
setup
setup ABC
setup ABCX
legal
go
play AN
perft 0
perft 1
perft 2
setup abce
setup ABCD
state
state all
state some
legal
legal all
legal some
perft 0
perft 1
perft 2
perft 3
perft 4
go sims 5
go turn sims 4
undo
play AN
setup ABCD
setup?
go
legal
play AN
play dS
play AN
play AN taken=x
play AN taken=
play AN taken=red
play AN taken=r
state
undo
play cS taken=b
play AW
play 9
play
play cS
play AW taken=b
play AW
undo
undo
play AW
play bS
play BN taken=b
undo
play BN
play bS taken=r
play aE
play BS
play aS
play BN
play aS
play BS
play aS
play BN
play aS
state
play BS
play aE
state
legal
go
undo
position board=14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u mover=first ply=0 from=- moves=-
play AN
undo
go sims 3
quit
END
s engine --player random --seed 3
feed <<'END'
newgame geister side=1
setup?
state
legal
go
play HN
play AN
state
legal
go sims 4
go turn sims 4
play aS
undo
play aS
undo
undo
undo
play AN taken=r
newgame geister side=1 side=0
newgame geister side=2
newgame geister side=
newgame geister sides=1
newgame geister side
newgame geister rules=uctgeister side=1
setup EFGH
play BN
play aS
state
newgame geister
setup ABCD
setup?
play ABCD
play abce
state
state all
undo
undo
undo
play AN
go sims 2
undo
quit
END
s engine --player ismcts:sims=20 --seed 3
feed <<'END'
newgame geister side=0
setup ABCD
play DN
play AN
play DN
play DN taken=x
play DN taken=r
state
undo
legal
perft 1
play DE taken=b
play DE
undo
play DE
play CN
play DN
play CS
play DN
play CN
play DN
play CS
play DN
play CN
perft 1
perft 2
state
play DN
play DE
state
legal
go
undo
newgame geister side=1
setup ABCD
play CN
play AN
play CN
play DN
play CN
play AN
play DN
play AN taken=b
play AN
play AN taken=r
state
go sims 3
play BN taken=b
perft 2
quit
END
s engine --player random --seed 3

# ---- an engine that is a script ----

lines_shown=90
lines_of_a_block=100
cat >bot <<'END'
# sh bot MODE: passes always. MODE names what it does wrong.
mode=$1 in_map=no cr=$(printf '\r')
echo "== $mode" >>log
if [ $mode = ends ]; then exit 3; fi
introduce() {
    case $mode in
    noname) echo id version 7 ;;
    *) echo id name bot; echo id version 2 ;;
    esac
    case $mode in
    nogame) ;;
    others) echo game chess; echo game go board=9 ;;
    *) echo game tbs; echo game kuhn ;;
    esac
    case $mode in
    option) echo option depth; echo option size number ten ;;
    number) echo option depth number 3x ;;
    good) echo option seed number 1; echo option depth number 3; echo option style text; echo option best number ;;
    banner) echo Welcome; echo to the bot ;;
    esac
    echo ok
}
# The lines before and after the action, and the action.
go() {
    case $mode in
    none) ;;
    two) echo best pass; echo best pass ;;
    more) printf 'best pass\nok\nbest pass\n' ;;
    empty) echo best ;;
    illegal) echo best 0:9,9 ;;
    info) echo info work 3; echo best pass ;;
    after) echo best pass; echo info work 3 ;;
    word) echo thinking; echo best pass ;;
    id) echo id name bot; echo best pass ;;
    late) sleep 0.2; echo best pass ;;
    turns) echo best pass pass ;;
    half) echo best pass 7:1,1 ;;
    list) echo best pass; echo end; return ;;
    error) echo error I am tired; return ;;
    silent) return ;;
    dies) exit 4 ;;
    *) echo best pass ;;
    esac
    echo ok
}
while IFS= read -r line; do
    printf '%s\n' "$line" >>log
    line=${line%"$cr"}
    if [ $in_map = yes ]; then
        if [ "$line" = endmap ]; then in_map=no; echo ok; fi
        continue
    fi
    case $mode:$line in
    *:map) in_map=yes ;;
    *:quit) exit ;;
    *:sjp*) introduce ;;
    chatty:newgame*) echo a new game; echo ok ;;
    nomap:newgame*) echo end ;;
    *:'go time 10000') read -r line; printf '%s\n' "$line" >>log; go; echo ok ;;
    single:go\ turn*) echo error one at a time ;;
    *:go*) go ;;
    *:play\ 999* | *:play*99,99 | *:play\ nonsense) echo error no such action ;;
    never:undo) echo error never ;;
    options:setoption\ b*) echo error no option b ;;
    *:newgame* | *:play* | *:undo | *:position* | *:setoption* | *:stop) echo ok ;;
    *:*[!\ ]*) echo error unknown command ;;
    esac
done
END

# Times as letters. What an engine that is right needs is not limited here: a loaded machine is slow.
cat >checked <<END
"$SENJUTSU" check "\$@" >said 2>complained
status=\$?
hide_times() {
    sed -E -e 's/[0-9]+ of ([0-9]+ ms)/T of \1/g' -e 's/(after|the slowest after|ended) [0-9]+ ms/\1 T ms/g' \
        -e 's/[0-9]+ ms after/T ms after/' -e 's/(after|in) [0-9.]+ s( of|$|;)/\1 T s\2/' \
        -e 's/(was answered) (T ms after|before) .stop.( was sent)?/\1 before or after \`stop\`/' \
        -e 's/^(pass  version: [0-9])\.[0-9].*/\1…/' "\$1"
}
hide_times said
hide_times complained >&2
exit \$status
END
patient="--grace 20000 --timeout 60"

# ---- all that is sent ----

# shellcheck disable=SC2086 # several words
{
    shot sh checked "ext:cmd=sh bot good,options=[depth=4;style=x y]" --map tiny.tbsmap,duel --positions 12 --seed 3 $patient
    mv log good.log
    shot sh checked "ext:cmd=sh bot plain" --game kuhn --positions 11 --seed 2 --json $patient
    mv log kuhn.log
}
cat >forward <<'END'
while IFS= read -r line; do
    printf '%s\n' "$line" >>log
    printf '%s\n' "$line"
    if [ "$line" = quit ]; then break; fi
done
END
# shellcheck disable=SC2086
shot sh checked "ext:cmd=sh forward | $SENJUTSU engine --player random" --game tictactoe --positions 5 --seed 9 $patient
mv log tictactoe.log
files good.log kuhn.log tictactoe.log

# ---- one fault each ----

# side_by_side NAME ARGUMENT …: in a folder of its own, in the background.
side_by_side() {
    name=$1
    shift
    mkdir "$name"
    cp bot checked tiny.tbsmap "$name"
    (cd "$name" && timeout "$limit" sh checked "$@" >out 2>err; echo "status $?" >>out) &
}
# gather NAME …: waits for them, and what they printed.
gather() {
    wait
    for name in "$@"; do
        files "$name/out" "$name/err"
    done
}
faulty() {
    for mode in "$@"; do
        # shellcheck disable=SC2086
        side_by_side "$mode" "ext:cmd=sh bot $mode,options=[a=1;b=2]" --map tiny.tbsmap --positions 2 --verbose $patient
    done
    gather "$@"
}
faulty noname nogame others option
faulty number banner ends options
faulty chatty nomap never none
faulty two empty single info

# ---- faults that are repeated ----

"$SENJUTSU" match random random --games 1 --map tiny.tbsmap --records records --quiet >/dev/null
# The position after one `pass`.
awk '/"actions": *\[/ { sub(/\[.*/, "[\"pass\"],"); print; skipping = 1; next }
     skipping { if (/\]/) skipping = 0; next }
     { sub(/"result": "[^"]*"/, "\"result\": \"none\""); print }' records/game-000001.json >record.json

# bundle RULING LIMIT PATIENCE LINE …: the lines are sent after the map.
bundle() {
    ruling=$1 limit_ms=$2 patience_ms=$3
    shift 3
    sent=
    for text in "$@"; do sent="$sent, \"$text\""; done
    cat <<END
{"format": "senjutsu-bundle", "version": 1, "ruling": "$ruling", "side": 1, "player": "ext:cmd=x", "reason": "it happened",
 "limit_ms": $limit_ms, "patience_ms": $patience_ms, "clock": "none", "command": "sh bot good",
 "sent": ["sjp 1", "newgame tbs", "map", $(awk '{ printf "%s\"%s\"", (NR > 1 ? ", " : ""), $0 }' tiny.tbsmap), "endmap"$sent],
 "tail": ["> go time 300"], "record": $(cat record.json)}
END
}
# again NAME MODE RULING LIMIT PATIENCE LINE …
again() {
    name=$1 mode=$2
    shift 2
    bundle "$@" >"$name.json"
    side_by_side "$name" --replay "../$name.json" "ext:cmd=sh bot $mode" --timeout 60
}
again r-none none protocol 0 0 'play pass' 'go time 300'
again r-two two protocol 0 0 'go time 300'
again r-empty empty protocol 0 0 'go time 300'
again r-illegal illegal illegal 0 0 'go time 300'
gather r-none r-two r-empty r-illegal
again r-before illegal illegal 0 0 'go time 300' 'undo'
again r-info info crash 0 0 '' 'go time 300'
again r-after after protocol 0 0 'go time 300' 'play pass'
again r-word word garbage 0 0 'go time 300'
gather r-before r-info r-after r-word
again r-id id protocol 0 0 'go time 300'
again r-late late late 100 60000 'go time 300' 'go time 300'
again r-in-time late late 60000 0 'go time 300'
again r-turns turns illegal 0 0 'go turn time 300'
gather r-id r-late r-in-time r-turns
again r-half half illegal 0 0 'go turn time 300'
again r-list list protocol 0 0 'go time 300'
again r-error error protocol 0 0 'go time 300'
again r-silent silent hang 100 200 'go time 300'
gather r-half r-list r-error r-silent
again r-dies dies crash 0 0 'go time 300' 'play pass'
again r-more more protocol 0 0 'go time 300'
again r-quit good crash 0 0 'quit' 'go time 300'
gather r-dies r-more r-quit
