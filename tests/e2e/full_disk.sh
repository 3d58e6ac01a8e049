#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every command that writes files, on a disk that is full, has no quota left, or is broken: a sentence that names the
# file, status 1, nothing half written, and what was there before is as it was. And commands that only show something,
# where nothing may be written.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_faults

"$SENJUTSU" tournament --players random,acteval --maps duel --games 2 --store event.db --quiet >/dev/null

# refused SENTENCE COMMAND …: with nothing but errors below the folder out. The error changes from command to command.
number=0
refused() {
    refused_words=$1
    shift
    number=$((number + 1))
    case $((number % 3)) in
    0) error=ENOSPC reason='No space left on device' ;;
    1) error=EDQUOT reason='Disk quota exceeded' ;;
    *) error=EIO reason='Input/output error' ;;
    esac
    rm -rf out
    mkdir out
    expect_status 1 "$with_faults" "write,sync,rename $error path=$PWD/out/*" "$SENJUTSU" "$@"
    expect "a sentence that says '$refused_words' and why" grep -Eq "^senjutsu.*$refused_words.*($reason|the disk is full|disk I/O error)" "$err"
    expect "no half files" [ -z "$(find out -type f -size +0 ! -name '*.db*' ! -name '*.lock' ! -name '*.journal')" ]
    expect "no temporary files" [ -z "$(find out -name '*.tmp')" ]
}

refused 'out/r/game-000001.json: cannot be written' match random random --map duel --games 2 --records out/r --quiet
refused 'out/r/game-000001.sgf: cannot be written' match random random --map duel --games 2 --records out/r --format sgf --quiet
refused 'out/f/fault-000001.json: cannot be written' match ext:cmd=true random --map duel --games 1 --faults out/f --quiet
refused 'out/m.tbsmap: cannot be written' map convert "$maps/duel.tbsmap" --out out/m.tbsmap
refused 'out/m.json: cannot be written' map convert "$maps/duel.tbsmap" --out out/m.json
refused 'out/random.tbsmap: cannot be written' map random --seed 7 --out out/random.tbsmap
refused 'out/game.sgf: cannot be written' replay event.db --game 1 --save out/game.sgf
refused 'out/game.json: cannot be written' replay event.db --game 1 --save out/game.json
refused 'out/results.json: cannot be written' tournament --players random,acteval --maps duel --games 2 --out out --quiet
refused 'out/event.db' tournament --players random,acteval --maps duel --games 2 --store out/event.db --quiet
refused 'out/judged.db' map judge "$maps/duel.tbsmap" --store out/judged.db --strong random --weak random --min-games 2 --games 20 --quiet
for name in fixed.tbsmap fixed.json; do
    refused "out/$name: cannot be written" map repair duel --strong random --weak random --games 100 --sure 20 --low 0 --high 1 \
        --quiet --out "out/$name"
done
refused 'out/mine' evolve --out out/mine --quiet --born 4 --population 2 --generations 1 --games 2 --verify 2 \
    --show 1 --strong random --weak random
refused 'out/x' repro tbs-fig4 --out out/x --trials 1 --quiet
refused 'out/w.state: cannot be written' train geister-pg --games 100 --every 100 --against-games 2 --out out/w --quiet
refused 'out/w: cannot be written' train geister-geist --games 2 --value-games 2 --out out/w --quiet
refused 'out/saved.json: cannot be written' play --red random --blue random --map duel --save out/saved.json
! "$SENJUTSU" --version | grep -q ' with Cairo' ||
    refused 'out/duel.png: cannot be written' map draw "$maps/duel.tbsmap" --out out/duel.png

# gnuplot itself succeeds on a full disk; half a picture must be detected.
mkdir tools
cat >tools/gnuplot <<'END'
#!/bin/sh
name=$3/$(basename "$2" .gp)
printf '<svg><path d="M' >"$name.svg"
: >"$name.png"
END
chmod +x tools/gnuplot
expect_status 1 env PATH="$PWD/tools:$PATH" "$SENJUTSU" repro tbs-fig4 --out plots --trials 1 --quiet
expect_err 'plots/tbs-fig4.*svg: gnuplot could not finish it; is the disk full\?'
expect "no half picture" [ -z "$(find plots -name 'tbs-fig4-*.svg')" ]

# Where nothing may be written, what is finished is shown, and nothing is left there. Root may write everywhere,
# until it gives that up.
as=
[ "$(id -u)" -ne 0 ] || as='setpriv --inh-caps -all --bounding-set -all'
mkdir shut
"$SENJUTSU" evolve --out shut/gallery --quiet --born 4 --population 2 --generations 1 --games 2 --verify 2 --show 1 \
    --strong random --weak random >/dev/null
cp event.db shut/event.db
chmod a-w shut shut/* shut/gallery/*
find shut | sort >before
if $as test -r "$PWD/shut/event.db" 2>/dev/null && ! $as test -w shut; then
    for words in 'verify shut/event.db' 'replay shut/event.db --game 1' 'tournament --store shut/event.db' 'evolve --out shut/gallery'; do
        # shellcheck disable=SC2086 # words
        expect_status 0 $as "$SENJUTSU" $words
    done
    find shut | sort >after
    expect_same before after
else
    skip "root cannot give up here that it may write everywhere, or may read here only for that"
fi
chmod -R u+w shut

# Standard output is a file, too.
if [ -w /dev/full ]; then
    for words in 'map show duel' 'players' 'match random random --map duel --games 2 --json --quiet' 'verify event.db --json'; do
        # shellcheck disable=SC2086,SC2016 # words; the inner shell's
        expect_status 1 sh -c '"$@" >/dev/full' sh "$SENJUTSU" $words
        expect_err 'standard output cannot be written: No space left on device'
    done
fi

# What was there stays.
mkdir -p out
echo precious >out/kept.tbsmap
expect_status 1 "$with_faults" "write ENOSPC path=$PWD/out/*" "$SENJUTSU" map random --seed 7 --out out/kept.tbsmap
expect "the old file" [ "$(cat out/kept.tbsmap)" = precious ]

finish
