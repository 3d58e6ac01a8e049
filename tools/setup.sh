# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# What ./run and ./test share: finding and installing missing packages, and building quietly. Sourced with $root set to
# the project's folder. All messages go to standard error, because standard output belongs to the program, and nothing
# here reads standard input, because that belongs to it too.
: "${root:?}"

say() {
    printf 'senjutsu: %s\n' "$*" >&2
}

die() {
    say "$@"
    exit 1
}

# ---- missing packages ----

missing=
optional=

lacks() {
    case " $missing " in
    *" $1 "*) ;;
    *) missing="$missing $1" ;;
    esac
}

# need_command COMMAND PACKAGE
need_command() {
    command -v "$1" >/dev/null 2>&1 || lacks "$2"
}

# want_command COMMAND PACKAGE: an optional one. It is installed along with the first things that are needed, never by
# itself: a machine that cannot have it is not asked again at every start.
want_command() {
    command -v "$1" >/dev/null 2>&1 || optional="$optional $2"
}

# need_module PKG-CONFIG-MODULE PACKAGE; without pkg-config the module cannot be checked, and asking apt for an
# installed package does no harm.
need_module() {
    pkg-config --exists "$1" 2>/dev/null || lacks "$2"
}

need_build_tools() {
    [ -n "${CC:-}" ] || need_command gcc gcc
    # gcc only recommends the C library's headers, and we install without recommendations.
    [ -e /usr/include/stdio.h ] || ! command -v apt-get >/dev/null 2>&1 || lacks libc6-dev
    need_command meson meson
    need_command ninja ninja-build
    need_command pkg-config pkg-config
    need_module jansson libjansson-dev
    need_module sqlite3 libsqlite3-dev
    need_module libmicrohttpd libmicrohttpd-dev
    need_module cairo libcairo2-dev
    want_command gnuplot gnuplot-nox
}

# Vite and TypeScript come from npm, in the versions of web/package-lock.json; see tools/fetch-page-tools.
need_page_tools() {
    need_command node nodejs
    need_command npm npm
}

need_test_tools() {
    need_module cmocka libcmocka-dev
    need_command gcc gcc
    need_command clang clang
    # Sanitizers use it to locate a fault or a leak; without it they print warnings on standard error.
    need_command llvm-symbolizer llvm
    need_command clang-format clang-format
    need_command gnuplot gnuplot-nox
    need_command python3 python3
    # Without these the tests of cluster runs are skipped.
    want_command mpirun openmpi-bin
    want_command mpicc libopenmpi-dev
    # Without a browser the page's end-to-end tests are skipped.
    want_command chromium chromium
}

# For ./test --cluster alone.
want_cluster_tools() {
    want_command mpirun openmpi-bin
    want_command slurmctld slurm-wlm
    want_command slurmd slurm-wlm
}

# The library behind clang -fsanitize=fuzzer: its folder's name differs between releases, so the file is searched.
have_clang_runtime() {
    for library in "$(clang -print-resource-dir 2>/dev/null)"/lib/*/libclang_rt.fuzzer*.a; do
        [ -e "$library" ] && return 0
    done
    return 1
}

# ---- installing ----

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" </dev/null >>"$apt_log" 2>&1
}

apt_has_lists() {
    for list in /var/lib/apt/lists/*_Packages*; do
        [ -e "$list" ] && return 0
    done
    return 1
}

# The package lists are fetched only when there are none, or when they turn out to be too old to install from.
apt_install() {
    apt_has_lists || apt_get update || return 1
    apt_get install -y --no-install-recommends "$@" && return 0
    apt_get update && apt_get install -y --no-install-recommends "$@"
}

can_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null 2>&1
}

# install PACKAGE …: on failure returns 1 and prints the output of apt.
install_packages() {
    apt_log=$(mktemp) || return 1
    say "installing $*"
    if apt_install "$@"; then
        rm -f "$apt_log"
        return 0
    fi
    tail -n 15 "$apt_log" >&2
    rm -f "$apt_log"
    return 1
}

install_missing() {
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # a list of words
    set -- $missing
    missing=
    if ! can_install; then
        say "these are missing; install them and try again (names of Debian packages):"
        printf '    %s\n' "$@" >&2
        exit 1
    fi
    install_packages "$@" || die "could not install $*; install them by hand and try again"
    install_optional
}

install_optional() {
    # shellcheck disable=SC2086 # a list of words
    if [ -n "$optional" ] && { ! can_install || ! install_packages $optional; }; then
        say "going on without $optional"
    fi
    optional=
}

# Returns 1 when fuzzing is not possible here; not worth stopping for. The runtime is only a recommendation of the
# clang package, and where it is a package of its own its name has clang's version in it.
install_clang_runtime() {
    have_clang_runtime && return 0
    runtime=libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev
    can_install && apt-cache show "$runtime" >/dev/null 2>&1 && install_packages "$runtime"
    have_clang_runtime
}

# ---- building ----

# quietly LOG COMMAND …: shows the output only when the command fails.
quietly() {
    log=$1
    shift
    mkdir -p "$(dirname "$log")"
    "$@" </dev/null >"$log" 2>&1 && return 0
    cat "$log" >&2
    return 1
}

# set_up FOLDER COMPILER MESON-OPTION …: a build folder with exactly these options. An existing folder is reused if it
# was set up the same way for a project in the same place (build folders hold absolute paths); meson searches for sources
# again after files were added or removed.
set_up() {
    folder=$1 compiler=$2
    shift 2
    stamp=$folder/set-up-by
    wanted="$root $compiler $*"
    listed=$({ "$root/tools/list-sources" src && "$root/tools/list-sources" tests; } | cksum)
    if [ -f "$folder/build.ninja" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
        [ "$(cat "$folder/sources" 2>/dev/null)" = "$listed" ] && return 0
        quietly "$folder/set-up.log" meson setup --reconfigure "$folder" || return 1
    else
        rm -rf "$folder"
        CC=$compiler quietly "$folder/set-up.log" meson setup "$folder" "$root" "$@" || return 1
        printf '%s\n' "$wanted" >"$stamp"
    fi
    printf '%s\n' "$listed" >"$folder/sources"
}

# build FOLDER [TARGET …]
build() {
    folder=$1
    shift
    quietly "$folder/build.log" ninja -C "$folder" "$@"
}
