# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Every command's help, and what each of its options refuses: the sentence names the limits of a number.

lines_shown=200

# options COMMAND …: its help; then each option with a word that is no number, as far as it refuses that. An unknown
# option behind it ends the command where the word is welcome.
options() {
    s "$@" --help
    for option in $("$SENJUTSU" "$@" --help | sed -n 's/^  --\([a-z-]*\) [A-Z].*/\1/p'); do
        refused=$("$SENJUTSU" "$@" "--$option" x --unknown 2>&1 </dev/null)
        line "$([ $? -eq 2 ] || echo "$option: not refused as wrong usage"; echo "$refused" | grep "^senjutsu.*--$option")"
    done
}
names() {
    sed -n 's/^  \([a-z][a-z-]*\)  *[^ ].*/\1/p'
}

s
s --help
s nonsense
s match -x
s match --quiet=1
s match --games
s match a b c
s match a b --rules paper --game x --gam x
s tournament --game x
s match -- --quiet -x
s match - -
s map judge duel --game kuhn
# shellcheck disable=SC2046 # words of their own
s match $(seq 256)
# shellcheck disable=SC2046
s match $(seq 257)
s plan --elo=20 x
for given in games=0 games=1 games=1000000000 games=1000000001 draws=-0.001 draws=0 draws=0.99 draws=0.991 power=0.59 \
    power=0.6 power=0.9999 power=1 alpha=0.00009 alpha=0.0001 alpha=0.4 alpha=0.41 games=2,5 draws= games=1e3; do
    s plan --elo 20 --$given
done
s help
for command in $("$SENJUTSU" --help | sed -n '/^Commands:/,/^$/p' | names); do
    case $command in
    map | study | train | tubstap | geister)
        s "$command"
        s "$command" nonsense
        s "$command" help
        for verb in $("$SENJUTSU" "$command" --help | sed -n '/^Verbs/,/^$/p' | names); do
            options "$command" "$verb"
        done
        ;;
    *) options "$command" ;;
    esac
done
