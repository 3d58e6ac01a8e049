#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Making maps: the folder and its contents, the same result for any number of workers, and refused requests.
# shellcheck source=tests/e2e/evolve_lib.sh
. "$(dirname "$0")/evolve_lib.sh"

# ---- help and recipes ----

expect_status 0 "$SENJUTSU" evolve --help
expect_out '^  --games N .* \[10\]$'
expect_out '^  --crossover-rate X .* \[1\]$'
expect_status 0 "$SENJUTSU" evolve --help --preset designer
expect_out '^  --games N .* \[20\]$'
expect_status 0 "$SENJUTSU" evolve --show-recipe
expect_out '^preset=paper$'
expect_out '^strong=muct:sims=250$'
expect_out '^weak=muct:sims=10$'
expect_out '^mutation=none$'
expect_silent_err
expect_status 0 "$SENJUTSU" evolve --show-recipe --preset=designer --games 8 --tidy no
expect_out '^preset=designer$'
expect_out '^games=8$'
expect_out '^tidy=no$'

# ---- refused requests ----

refused_evolve 2 '^senjutsu evolve: --preset: preset .best. is unknown; known are paper, designer, random' --preset best
refused_evolve 2 'games=11: expected an even number' --games 11
refused_evolve 2 '--games many: expected a whole number' --games many
refused_evolve 2 '--seed one: expected a whole number' --seed one
refused_evolve 2 'population=7: expected an even number' --population 7
refused_evolve 2 "strong=nosuch: player 'nosuch' is unknown" --strong nosuch
refused_evolve 2 "types=X: unit 'X' is unknown" --types X
refused_evolve 2 "option 'lava' is unknown" --terrain lava=3
refused_evolve 2 'race=yes with method=random' --method random --race yes
refused_evolve 2 '--nosuch is unknown' --nosuch 1
refused_evolve 2 "'duel' is not wanted here" duel
refused_evolve 1 '--from duel: the map has 4 x 4 cells; expected 6 x 6' --from duel
refused_evolve 1 'nosuch' --from nosuch
refused_evolve 1 'is no folder|cannot be made' --out "$maps/duel.tbsmap"
refused_evolve 1 '--out needs the name of a folder' --out ''

# ---- without a folder ----

# shellcheck disable=SC2086 # options
expect_status 0 "$SENJUTSU" evolve $tiny
expect_out '^48 maps judged, 525 games'
expect_out '^ *map  fitness  fresh '
expect_out '^The best map was selected with [0-9.]+; 10 fresh games say [0-9.]+ \(selection '
expect_out '^Nothing was stored: --out DIR'
expect_err '^generation 0 of 4: 16 maps judged, 160 games, best [0-9.]+, mean [0-9.]+, 8 clearly different$'
expect_err '^generation 4 of 4: 48 maps judged, 480 games'
expect "one line a generation" [ "$(wc -l <"$err")" -eq 5 ]
expect "no escapes where there is no terminal" lacks "$(printf '\033')" "$err"
# shellcheck disable=SC2086 # options
evolve $tiny
expect_silent_err
# shellcheck disable=SC2086 # options
evolve $tiny --json
cp "$out" tiny.json
expect_silent_err
expect "balanced JSON" [ -z "$(json_get unbalanced tiny.json)" ]
if command -v python3 >/dev/null 2>&1; then
    expect "JSON that others read" python3 -m json.tool tiny.json /dev/null
fi
# shellcheck disable=SC2086 # options
evolve $tiny --json --jobs 4
expect_same tiny.json "$out"

# ---- a folder ----

# shellcheck disable=SC2086 # options
evolve $tiny --out first
expect_out '^Everything is in first/index.html$'
expect_out ' maps/[0-9]+\.tbsmap$'
for file in games.db fitness.csv maps.csv fitness.svg results.json index.html; do
    expect "$file to be there" [ -s "first/$file" ]
done
# Its games are games.
expect_status 0 "$SENJUTSU" replay --game 1 --check first/games.db
expect_out '^first/games\.db: ok, [0-9]+ actions, '
expect_status 1 "$SENJUTSU" replay first/games.db
expect_err 'first/games\.db: is a store of many games; --game N says which$'
expect_status 1 "$SENJUTSU" verify first/games.db
expect_err "first/games\.db: is the store of an evolution; 'senjutsu evolve --out first' shows it\$"
# shellcheck disable=SC2016 # for the other shell
expect_status 1 sh -c 'cd first && exec "$0" verify games.db' "$SENJUTSU"
expect_err "games\.db: is the store of an evolution; 'senjutsu evolve --out \.' shows it\$"
expect "three maps" [ "$(find first/maps -name '*.tbsmap' | wc -l)" -eq 3 ]
expect_status 0 "$SENJUTSU" map check first/maps/*.tbsmap
expect "a line a generation and a head" [ "$(wc -l <first/fitness.csv)" -eq 6 ]
# shellcheck disable=SC2086 # options
evolve $tiny --out second --jobs 3
expect "the same folder by other workers" same_folder first second

# The folder stores the options of its first start.
cp -r first before
evolve --out first
expect_out '^48 maps judged, 525 games \(525 of them found in the folder\)'
expect "the same folder again" same_folder first before
evolve --out first --games 10 --seed 1 --preset paper $fast --born 16 --population 8 --generations 4 --verify 10 --show 3
expect_status 0 "$SENJUTSU" evolve --out first --show-recipe
expect_out '^born=16$'
refused_evolve 1 'first was begun with other arguments: games was 10 and is now 12; choose another folder' \
    --out first --games 12
refused_evolve 1 'first was begun with seed 1, now 2' --out first --seed 2
refused_evolve 1 'preset was paper and is now designer' --out first --preset designer
expect "nothing of that to change the folder" same_folder first before
# shellcheck disable=SC2086 # options
evolve $tiny --seed 2 --out other
expect "another seed, other maps" [ "$(cat first/fitness.csv)" != "$(cat other/fitness.csv)" ]

# A file of that name that is not ours stays unchanged.
mkdir strange
echo "not a store" >strange/games.db
# shellcheck disable=SC2086 # options
refused_evolve 1 'strange/games.db' $tiny --out strange
expect "the file as it was" [ "$(cat strange/games.db)" = "not a store" ]

# ---- maps to begin with ----

seed_map=$(find first/maps -name '*.tbsmap' | sort | head -1)
cp "$seed_map" mine.tbsmap
# shellcheck disable=SC2086 # options
evolve $tiny --from mine.tbsmap --out from
expect "its origin to be named" grep -q 'seed mine.tbsmap' from/results.json
rm mine.tbsmap
cp -r from before-from
evolve --out from
expect "it to go on without the file" same_folder from before-from
cp first/maps/"$(ls first/maps | tail -1)" mine.tbsmap
refused_evolve 1 'from was begun with other maps than --from mine.tbsmap' --out from --from mine.tbsmap

# ---- time ----

evolve $fast --generations 100000 --time 0.2 --verify 10 --out timed
expect "generations until then" [ "$(wc -l <timed/fitness.csv)" -ge 2 ]
expect_out '^The best map was selected with'

# ---- other methods ----

# shellcheck disable=SC2086 # options
evolve $tiny --preset random
expect_out '^48 maps judged, 525 games'
designer="--preset designer $fast --generations 4 --verify 10"
# shellcheck disable=SC2086 # options
evolve $designer --out archive1 --jobs 1
# shellcheck disable=SC2086 # options
evolve $designer --out archive4 --jobs 4
expect "the same archive by other workers" same_folder archive1 archive4

# ---- interrupted ----

# interrupted SIGNAL STATUS OPTION …: once there is something to show.
interrupted() {
    signal=$1 ended=$2
    shift 2
    command_line="senjutsu evolve $*, with SIG$signal"
    rm -f endless/index.html
    timeout --foreground -s KILL "$limit" "$SENJUTSU" evolve --quiet "$@" >"$out" 2>"$err" &
    program=$!
    wait_until [ -s endless/index.html ]
    kill "-$signal" $program
    wait $program
    status=$?
    expect "status $ended" [ $status -eq $ended ]
    expect_silent_out
    expect_err "^senjutsu evolve: stopped after [0-9,]+ games; 'senjutsu evolve --out endless --continue' continues\$"
    expect "the page to be there" [ -s endless/index.html ]
}

# shellcheck disable=SC2086 # options
interrupted INT 130 $fast --generations 100000 --out endless
interrupted TERM 143 --continue --out endless
expect "one file after a clean end" [ "$(echo endless/games.db*)" = endless/games.db ]

finish
