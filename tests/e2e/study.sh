#!/bin/sh
# SPDX-License-Identifier: MIT
#
# senjutsu study: a participant's whole session with curl, with reloads, repeated requests and a killed server; what
# strangers and other participants are refused; the report; and what erasing leaves.
. "$(dirname "$0")/lib.sh"

if ! command -v curl >/dev/null 2>&1 || ! command -v jq >/dev/null 2>&1; then
    skip "there is no curl or no jq"
    finish
fi

# start_server: in the background, on a port of its own; leaves $address and $server.
start_server() {
    : >server.out
    : >server.err
    # shellcheck disable=SC2016 # the inner shell's
    timeout --foreground -s KILL "$limit" sh -c 'echo $$ >server.pid; exec "$@"' sh \
        "$SENJUTSU" study serve a.study --port 0 --quiet >server.out 2>server.err &
    server=$!
    wait_for 'http://[^ ]*:[0-9]+/'
    address=$(head -n 1 server.out)
    address=${address%/}
}

# asked STATUS CURL-ARGUMENT …: the body goes to $out.
asked() {
    wanted=$1
    shift
    command_line="curl $*"
    status=$(curl -sS -m 60 -o "$out" -w '%{http_code}' "$@" 2>"$err")
    checks=$((checks + 1))
    [ "$status" = "$wanted" ] || fail "status $wanted"
}

# post STATUS PATH BODY, get STATUS PATH
post() {
    asked "$1" -H 'Content-Type: application/json' -d "$3" "$address$2"
}
get() {
    asked "$1" "$address$2"
}

# expect_json VALUE FILTER: of the last answer.
expect_json() {
    expect "$2 to be $1" [ "$(jq -c "$2" "$out" 2>/dev/null)" = "$1" ]
}
holds() {
    jq -e "$1" "$out" >/dev/null
}

# ---- a study ----

expect_status 0 "$SENJUTSU" study new a.study --maps "$maps/duel.tbsmap,duel_panzer" --groups small,large --player random \
    --participants 2 --open 1 --seed 3
expect_out '2 maps with 2 links and an open link for 1 more'
expect "a file that only its owner can read" [ "$(stat -c %a a.study)" = 600 ]
expect_status 1 "$SENJUTSU" study new a.study --maps duel,standard
expect_refusal
expect_err 'is there already'
expect_status 0 "$SENJUTSU" study links a.study --quiet --address https://study.example/
expect_count 3 '^https://study.example/#/(p|open)/[a-z2-7]{16}$'
key=$(sed -n '1s|.*/||p' "$out") other=$(sed -n '2s|.*/||p' "$out") code=$(sed -n '3s|.*/||p' "$out")

# refuse WORDS ARGUMENT …
refuse() {
    words=$1
    shift
    expect_status '1 2' "$SENJUTSU" study "$@"
    expect_refusal
    expect_err "$words"
}
refuse '--maps: expected 2 to 24 maps' new b.study --maps duel
refuse '--maps is missing' new b.study
refuse 'two maps are called duel' new b.study --maps duel,duel
refuse '--groups: expected a group for each of the 2 maps' new b.study --maps duel,standard --groups a
refuse '--player: .*nobody' new b.study --maps duel,standard --player nobody
refuse 'reads no files' new b.study --maps duel,standard --player pg:weights=mine
refuse 'no such file|No such file' new b.study --maps duel,standard --consent none.txt
expect "no file of a refused study" [ ! -e b.study ]
refuse 'one study is needed' report
refuse 'is no study|is not a store|holds something else' report "$maps/duel.tbsmap"
refuse 'give --participant N or --all|Give --participant N or --all' erase a.study
refuse 'there is no participant 9' erase a.study --participant 9
refuse 'belong to --judge' report a.study --games 40

# ---- strangers ----

start_server
expect_status 1 "$SENJUTSU" study erase a.study --all
expect_err 'another run .*is using this store'
get 403 '/api/study?participant=aaaaaaaaaaaaaaaa'
expect_json '"refused.study_key"' .code
get 403 /api/study
get 403 '/api/study?open=aaaaaaaaaaaaaaaa'
for path in /api/about /api/tables /api/jobs /api/maps /api/players /api/maps/duel /api/experiments /api/nothing; do
    get 404 $path
done
post 404 /api/jobs '{"kind":"match","params":{}}'
post 404 /api/analyses '{}'
post 404 /api/positions '{}'
post 404 /api/tables '{"seats":[{"kind":"human"},{"kind":"human"}]}'
post 405 /api/tables/load '{}' # there may be a game of this name
asked 404 "$address/index.html.x"
asked 403 -H 'Host: evil.example' "$address/api/study?participant=$key"
asked 403 -H 'Origin: http://evil.example' "$address/api/study?participant=$key"
asked 415 -d '{}' "$address/api/study/consent"
get 200 /api/tbs

# ---- consent ----

get 200 "/api/study?participant=$key"
expect_json '"consent"' .stage
expect_json '[]' .maps
expect_json '["handmade","fun"]' '[.questions[].id]'
expect "a consent text in both languages" holds '.consent_text.en != "" and .consent_text.ja != ""'
post 409 /api/study/game '{"participant":"'"$key"'","map":0,"side":0,"game":1}'
expect_json '"refused.study_consent"' .code
post 400 /api/study/consent '{"participant":"'"$key"'","language":"ja"}'
expect_json '"accept"' .field
post 400 /api/study/consent '{"participant":"'"$key"'","accept":true,"language":"fr"}'
post 400 /api/study/consent '{"participant":"'"$key"'","accept":true,"language":"ja","name":"a\u0007"}'
expect_json '"name"' .field
post 400 /api/study/consent '{"participant":"'"$key"'","accept":true,"language":"ja","about":{"hours":"99"}}'
post 400 /api/study/consent '{"participant":"'"$key"'","accept":true,"language":"ja","shoes":"brown"}'
post 403 /api/study/consent '{"participant":"aaaaaaaaaaaaaaaa","accept":true,"language":"ja"}'
consent='{"participant":"'$key'","accept":true,"language":"ja","name":"Tanaka Hanako","about":{"hours":"20"}}'
post 200 /api/study/consent "$consent"
expect_json '["open","waiting"]' '[.maps[].state]'
cp "$out" first
post 200 /api/study/consent "$consent"
expect_same "$out" first

# ---- games ----

field() {
    jq -r "$1" "$out"
}
side=$(field .next.side)
post 400 /api/study/game '{"participant":"'"$key"'","map":2,"side":0,"game":1}'
post 409 /api/study/game '{"participant":"'"$key"'","map":1,"side":0,"game":1}'
expect_json '"refused.study_order"' .code
post 409 /api/study/game '{"participant":"'"$key"'","map":0,"side":'"$side"',"game":2}'
expect_json '"refused.study_game"' .code
post 200 /api/study/game '{"participant":"'"$key"'","map":0,"side":'"$side"',"game":1}'
cp "$out" first
table=$(field .id) seat=$(field .key)
post 200 /api/study/game '{"participant":"'"$key"'","map":0,"side":'"$side"',"game":1}'
expect_same "$out" first # a second tab has the same game
post 409 /api/study/game '{"participant":"'"$key"'","map":0,"side":'"$side"',"game":2}' # the first goes on
get 403 "/api/tables/$table"
get 403 "/api/tables/$table?key=aaaaaaaaaaaaaaaa"
get 404 "/api/tables/$table/record?key=$seat"
post 404 "/api/tables/$table/take-back" '{"key":"'"$seat"'"}'
get 200 "/api/tables/$table?key=$seat"
expect "a map without its origin" holds '.map.comment == "" and .map.author == "" and .ground.map == null'
post 403 /api/study/game '{"participant":"'"$other"'x","map":0,"side":0,"game":1}'
post 409 /api/study/answer '{"participant":"'"$key"'","map":0,"ratings":{"fun":3}}'
expect_json '"refused.study_games"' .code

# play_on ID KEY SIDE: with the first attack, or else the first move; gives up after thirty actions.
first_action='.actions.units[0] as $unit | ($unit.attacks[0] // $unit.stays[0]) |
    "\($unit.id):\(.[0]),\(.[1])" + if .[2] then "x\(.[2])" else "" end'
play_on() {
    played=0
    while curl -sS -m 60 "$address/api/tables/$1?key=$2" >table && [ "$(jq .over table)" = false ]; do
        [ "$(jq .mover table)" = "$3" ] || continue
        if [ $played -ge 30 ]; then
            curl -sS -m 60 -o "$out" -H 'Content-Type: application/json' -d '{"key":"'"$2"'"}' "$address/api/tables/$1/resign"
            continue
        fi
        curl -sS -m 60 -o "$out" -H 'Content-Type: application/json' -d \
            '{"key":"'"$2"'","ply":'"$(jq .ply table)"',"action":"'"$(jq -r "$first_action" table)"'"}' \
            "$address/api/tables/$1/action"
        played=$((played + 1))
    done
}

advises_nothing() {
    jq -e '[.steps[:-1][] | .chance, .thoughts] | all(. == null)' table >/dev/null
}

# The server dies in the middle of a game, which goes on after a restart.
curl -sS -m 60 "$address/api/tables/$table?key=$seat" >table
if [ "$(jq .mover table)" = "$side" ]; then
    post 200 "/api/tables/$table/action" '{"key":"'"$seat"'","ply":'"$(jq .ply table)"',"action":"'"$(jq -r "$first_action" table)"'"}'
fi
kill -KILL "$(cat server.pid)"
wait "$server" 2>/dev/null
start_server
get 200 "/api/study?participant=$key"
expect_json "\"$table\"" '.maps[0].games[0].id'
play_on "$table" "$seat" "$side"
expect "no advice in the game" advises_nothing

# Another game from the same side, which is given up.
post 200 /api/study/game '{"participant":"'"$key"'","map":0,"side":'"$side"',"game":2}'
expect "another table" [ "$(field .id)" != "$table" ]
post 200 "/api/tables/$(field .id)/resign" '{"key":"'"$(field .key)"'"}'
get 200 "/api/study?participant=$key"
expect_json '[true,true,0]' '[.maps[0].games[].over, .maps[0].games[1].won]'

# session: does what is next until all maps are rated.
session() {
    steps=0
    while get 200 "/api/study?participant=$1" && [ $steps -lt 20 ]; do
        steps=$((steps + 1)) map=$(field .next.map)
        case $(field .next.do) in
        game)
            side=$(field .next.side)
            post 200 /api/study/game '{"participant":"'"$1"'","map":'"$map"',"side":'"$side"',"game":1}'
            play_on "$(field .id)" "$(field .key)" "$side"
            ;;
        rate) post 200 /api/study/answer '{"participant":"'"$1"'","map":'"$map"',"ratings":{"handmade":'"$2"',"fun":3},"comment":"line 1\nline 2"}' ;;
        *) return ;;
        esac
    done
}
session "$key" 2
expect_json '"closing"' .stage
expect_json '[5,2]' '[([.maps[].games[]] | length), ([.maps[0].games[].side] | unique | length)]'
expect_json 'true' '[.maps[].games[].over] | all'

# ---- ratings ----

for body in '{"fun":0}' '{"fun":6}' '{"fun":2.5}' '{"fun":"3"}' '{"shoes":3}' '[3]'; do
    post 400 /api/study/answer '{"participant":"'"$key"'","map":0,"ratings":'"$body"'}'
    expect_json '"ratings"' .field
done
long=$(head -c 2001 /dev/zero | tr '\0' x)
post 400 /api/study/answer '{"participant":"'"$key"'","map":0,"comment":"'"$long"'"}'
expect_json '"refused.study_long"' .code
post 200 /api/study/answer '{"participant":"'"$key"'","map":0,"ratings":{"handmade":5}}' # another opinion, twice
post 200 /api/study/answer '{"participant":"'"$key"'","map":0,"ratings":{"handmade":5}}'
expect_json '{"handmade":5,"fun":3}' '.maps[0].ratings'
post 200 /api/study/finish '{"participant":"'"$key"'","comment":"Thanks; \"$(touch hacked)\""}'
post 200 /api/study/finish '{"participant":"'"$key"'"}'
expect_json '"finished"' .stage
expect_json '{"do":"nothing"}' .next
post 409 /api/study/answer '{"participant":"'"$key"'","map":0,"ratings":{"fun":1}}'
expect_json '"refused.study_finished"' .code

# ---- the open link ----

get 200 "/api/study?open=$code"
expect_json 'null' .key
post 400 /api/study/consent '{"open":"'"$code"'","visit":"short","accept":true,"language":"en"}'
visit='{"open":"'$code'","visit":"visitvisitvisitvisit1","accept":true,"language":"en"}'
post 200 /api/study/consent "$visit"
opened=$(field .key)
post 200 /api/study/consent "$visit" # the second tab
expect_json "\"$opened\"" .key
post 409 /api/study/consent '{"open":"'"$code"'","visit":"visitvisitvisitvisit2","accept":true,"language":"en"}'
expect_json '"refused.study_full"' .code
post 200 /api/study/game '{"participant":"'"$opened"'","map":0,"side":0,"game":1}'
table=$(field .id)
expect "a file of the game" [ -e "a.study.games/tables/$table.json" ]
post 204 /api/study/erase '{"participant":"'"$opened"'"}'
post 403 /api/study/erase '{"participant":"'"$opened"'"}'
post 409 /api/study/consent "$visit"
expect_json '"refused.study_erased"' .code
expect "no file of the game" [ ! -e "a.study.games/tables/$table.json" ]
expect "nothing of the visit" lacks "$opened|visitvisit" a.study

# ---- the report ----

kill -TERM "$(cat server.pid)"
expect_server_end "$server" "senjutsu study serve" 143
expect_silent_err
expect_status 0 "$SENJUTSU" study report a.study --csv csv
expect_out '^participants: 2, consented: 1, finished: 1; games against random: 5$'
expect_out '^ *duel +small +[25]\.0 \['
expect "two ratings of each map" [ "$(grep -c '^1,' csv/ratings.csv)" -eq 4 ]
expect "the changed rating" grep -q '^1,1,.*,handmade,5$' csv/ratings.csv
expect "each game once" [ "$(grep -c '^1,' csv/games.csv)" -eq 5 ]
expect "no names in the tables" lacks Hanako csv/participants.csv
expect_status 0 "$SENJUTSU" study report a.study --judge --games 20 --strong random --weak random --json
expect_json '[20,20]' '[.maps[].fitness_games]'
expect_json '5' .games
expect_status 1 "$SENJUTSU" study report a.study --fit
expect_err 'too few ratings to fit naturalness'
expect_status 1 "$SENJUTSU" evolve --preset designer --natural-from a.study
expect_refusal
expect_err 'too few ratings'
expect_status 0 "$SENJUTSU" replay a.study --game "$((1 * 24 * 32))" --check
expect_status 1 "$SENJUTSU" match random random --games 2 --store a.study
expect_err 'is a study with people; .senjutsu study report a.study. shows it'
expect "nothing that a participant wrote was executed" [ ! -e hacked ]

# No address of a client is anywhere in the file or beside it.
expect "no address in the study" lacks '127\.0\.0\.1|::1|localhost' a.study
for file in a.study.games/tables/*; do
    expect "no address in $file" lacks '127\.0\.0\.1|::1|localhost' "$file"
done

# ---- erasing ----

expect "the name in the file, until it is erased" grep -q 'Tanaka Hanako' a.study
expect_status 0 "$SENJUTSU" study erase a.study --participant 1
expect_out 'erased the data of 1 participant; 1 left'
expect "nothing of the participant" lacks "Tanaka|$key|line 1|Thanks" a.study
expect "no file of the games" [ -z "$(ls a.study.games/tables)" ]
expect "nothing beside the file" [ "$(find . -name 'a.study-*' | wc -l)" -eq 0 ]
expect_status 0 "$SENJUTSU" study report a.study --json
expect_json '[0,0]' '[.finished, .games]'
expect_status 0 "$SENJUTSU" study erase a.study --all
expect_out 'erased the data of 1 participant; 0 left'

# ---- a study from somewhere else ----

mark=$PWD/started
expect_status 0 "$SENJUTSU" study new theirs.study --maps duel,duel_panzer --player "ext:cmd=touch $mark && exec sleep 1000"
rm -f "$mark"
expect_status 1 "$SENJUTSU" study serve theirs.study --port 0
expect_err 'theirs.study names players that do what was not typed on this command line'
expect_err 'Nothing of that was done'
expect "no program to be started" [ ! -e "$mark" ]
expect_status 0 "$SENJUTSU" study report theirs.study
expect "no program to be started" [ ! -e "$mark" ]

# ---- naturalness by people ----

# Participants of whom the file says what they rated: four maps, three raters.
if command -v python3 >/dev/null 2>&1; then
    expect_status 0 "$SENJUTSU" study new rated.study --maps duel,standard,bridge,skirmish_open --participants 3
    cat >rate.py <<'END'
import sqlite3
file = sqlite3.connect('rated.study')
for person in (1, 2, 3):
    for map, rating in enumerate((2, 3, 4, 5)):
        file.execute('INSERT INTO text VALUES (?, ?)', (f'person/{person:04}/map/{map:02}/handmade', str(rating)))
file.commit()
END
    expect_status 0 python3 rate.py
    expect_status 2 "$SENJUTSU" evolve --natural-from rated.study --show-recipe
    expect_err 'naturalness has no weight in this recipe'
    expect_status 2 "$SENJUTSU" evolve --preset designer --natural-from rated.study --natural-by ours --show-recipe
    expect_status 0 "$SENJUTSU" evolve --preset designer --natural-from rated.study --show-recipe
    expect_out '^natural_by=base=-?[0-9.]+,roads=.*,calm='
    expect_err '^naturalness fitted to 12 ratings of 4 maps'
    set -- --preset designer --strong random --weak random --games 2 --peers 2 --born 4 --population 2 --generations 1 --verify 2
    expect_status 0 "$SENJUTSU" evolve "$@" --natural-from rated.study --out run --quiet
    rm rated.study # the run has the weights
    expect_status 0 "$SENJUTSU" evolve --out run --continue --show-recipe
    expect_out '^natural_by=base='
    expect_status 0 "$SENJUTSU" evolve --out run --continue --quiet --json
    expect_status 0 "$SENJUTSU" evolve "$@" --natural-by base=0.25 --json --quiet
    expect_json '[0.25]' '[.maps[].looks.natural] | unique'
else
    skip "there is no python3 to enter ratings with"
fi
finish
