#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tests/expected/registered.txt names every player and every game. Outputs are compared without those that it does not
# name, so a new player or game breaks no other test. This test prints the next step.
. "$(dirname "$0")/lib.sh"

registered=$SENJUTSU_ROOT/tests/expected/registered.txt
accept="EXPECTED=update meson test -C build --suite expected"
expect_status 0 "$SENJUTSU" players
sed -n 's/^\([a-z][^ ]*\) .*/player \1/p' "$out" >there
expect_status 0 "$SENJUTSU" games
sed -n 's/^\([a-z][^ ]*\) .*/game \1/p' "$out" >>there
expect "players and games" [ "$(grep -c '^player ' there)" -ge 20 ]
expect "games" [ "$(grep -c '^game ' there)" -ge 7 ]
grep -vxFf "$registered" there >new
grep -vxFf there "$registered" >gone
command_line="senjutsu players, senjutsu games"
: >"$out" # the lists would hide the sentences
while read -r kind name; do
    expect "a line '$kind $name' in tests/expected/registered.txt, because there is a new $kind: add it, and accept the \
longer lists with $accept" false
done <new
while read -r kind name; do
    expect "no line '$kind $name' in tests/expected/registered.txt, because there is no such $kind: remove it, and accept \
the shorter lists with $accept" false
done <gone

# What is left out of outputs until then.
cat >before <<'END'
random     any legal action, evenly
lazy       any legal action
    speed    0..1 [1]  how lazy
uct        UCT
id name senjutsu
game tbs
game mine
error player 'x' is unknown; known are random, lazy, uct
error game 'x' is unknown; known are tbs, mine
[{"games": ["tbs", "mine"], "name": "random"}, {"name": "lazy", "options": [{"help": "}"}]}, {"name": "uct"}]
  lazy                                        0.0 ms
  lazy                                        is no row of it
END
cat >after <<'END'
random     any legal action, evenly
uct        UCT
id name senjutsu
game tbs
error player 'x' is unknown; known are random, uct
error game 'x' is unknown; known are tbs
[{"games": ["tbs"], "name": "random"}, {"name": "uct"}]
  lazy                                        is no row of it
END
if command -v python3 >/dev/null 2>&1; then
    command_line="known_only.py"
    NEW_NAMES='lazy mine' python3 -I -S "$SENJUTSU_ROOT/tests/expected/known_only.py" <before >known
    expect_same known after
    python3 -I -S "$SENJUTSU_ROOT/tests/expected/known_only.py" <before >known
    expect_same known before
else
    skip "there is no python3 to leave names out with"
fi

finish
