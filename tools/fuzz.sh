# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# The fuzz targets, for ./test: a few seconds for each among all other tests, or minutes for each (--fuzz) with a
# permanent corpus. The targets are in the sanitizers' build folder, which reports coverage for them. Sourced by ./test.

fuzz_folder=build-san

# Limits of the found inputs in fuzz/corpus/NAME beside the seeds that people wrote, so that the repository stays small
# and the few seconds of ./test are not spent on reading the corpus.
kept_files_max=150
kept_bytes_max=100000

# Seeds have names; what libFuzzer found is called by its digest.
digest_names='^[0-9a-f]{40}$'

fuzz_targets() {
    for source in fuzz/*_fuzz.c; do
        basename "$source" _fuzz.c
    done
}

# run_target TARGET ARGUMENT …: with the limits that every run has.
run_target() {
    target=$1
    shift
    [ ! -f "fuzz/$target.dict" ] || set -- -dict="fuzz/$target.dict" "$@"
    "$fuzz_folder/fuzz/${target}_fuzz" -timeout=20 -rss_limit_mb=2048 -max_len=4096 \
        -artifact_prefix="$fuzz_folder/$target-" "$@"
}

# fuzz_one TARGET SECONDS [ARGUMENT …]: new inputs are stored in the build folder and tried first the next time; the
# project's own corpus is only read.
fuzz_one() {
    name=$1 limit=$2
    shift 2
    mkdir -p "$fuzz_folder/found/$name"
    run_target "$name" -max_total_time="$limit" -print_final_stats=1 "$@" "$fuzz_folder/found/$name" "fuzz/corpus/$name" \
        </dev/null >"$fuzz_folder/$name.log" 2>&1 && touch "$fuzz_folder/$name.clean"
}

# fuzz_all SECONDS [ARGUMENT …]: all targets, as many at a time as there are cores.
fuzz_all() {
    rm -f "$fuzz_folder"/*.clean
    running=0
    for target in $(fuzz_targets); do
        fuzz_one "$target" "$@" &
        running=$((running + 1))
        [ $((running % $(getconf _NPROCESSORS_ONLN))) -ne 0 ] || wait
    done
    wait
}

# figure LOG NAME: the last value of libFuzzer's statistics "NAME: VALUE" in the log.
figure() {
    grep -oE "(^|[ :])$2: *[0-9]+" "$1" | tail -n 1 | grep -oE '[0-9]+$' || echo 0
}

# report_target TARGET: what it did, and after a fault the input with the command that repeats it.
report_target() {
    log=$fuzz_folder/$1.log
    printf 'fuzz %-9s %9d inputs %6d a second  cov %5d  ft %6d\n' "$1" \
        "$(figure "$log" number_of_executed_units)" "$(figure "$log" average_exec_per_sec)" \
        "$(figure "$log" cov)" "$(figure "$log" ft)"
    [ ! -e "$fuzz_folder/$1.clean" ] || return 0
    tail -n 60 "$log"
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    printf 'The input is kept. This repeats the fault:\n    %s/fuzz/%s_fuzz %s\n' "$fuzz_folder" "$1" "$input"
    printf 'Mend it and keep the input as fuzz/corpus/%s/NAME, so that it is tried from now on.\n' "$1"
}

report_all() {
    for target in $(fuzz_targets); do
        report_target "$target"
        check "fuzz $target" [ -e "$fuzz_folder/$target.clean" ]
    done
}

# by_size FOLDER: the names of found inputs, shortest first.
by_size() {
    (cd "$1" && find . -type f -printf '%s %f\n' | sort -n | cut -d' ' -f2 | grep -E "$digest_names")
}

# keep_corpus TARGET: as few of the found inputs, old and new, as reach with the seeds all code that any of them
# reaches; the shortest up to the limits. How often code is reached does not count: that would require several times as
# many.
keep_corpus() {
    corpus=fuzz/corpus/$1 merged=$fuzz_folder/merged/$1 old=$fuzz_folder/merged/$1.old
    rm -rf "$merged" "$old"
    mkdir -p "$merged" "$old"
    cp "$corpus"/* "$merged"
    for name in $(by_size "$corpus"); do
        mv "$merged/$name" "$old"
    done
    if ! run_target "$1" -set_cover_merge=1 -use_counters=0 "$merged" "$old" "$fuzz_folder/found/$1" >"$fuzz_folder/$1.merge.log" 2>&1; then
        printf 'fuzz %s: the corpus stays as it was; %s says why\n' "$1" "$fuzz_folder/$1.merge.log"
        return 1
    fi
    for name in $(by_size "$corpus"); do
        rm "$corpus/$name"
    done
    files=0 bytes=0
    for name in $(by_size "$merged"); do
        files=$((files + 1)) bytes=$((bytes + $(wc -c <"$merged/$name")))
        { [ $files -le $kept_files_max ] && [ $bytes -le $kept_bytes_max ]; } || break
        cp "$merged/$name" "$corpus"
    done
    printf 'fuzz/corpus/%s: %d files, %d bytes\n' "$1" "$(find "$corpus" -type f | wc -l)" \
        "$(cat "$corpus"/* | wc -c)"
}
