#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The library that makes faults (tests/fake/faults.c) makes the requested ones, in the selected program, and its log
# shows in which order files are written: other tests rely on this.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
need_faults

cat >probe.py <<'END'
import errno, os, select, socket, sys, threading, time
def attempt(what):
    try:
        what()
        return 'ok'
    except OSError as e:
        return errno.errorcode[e.errno]
    except (MemoryError, RuntimeError) as e:
        return type(e).__name__
def put():
    fd = os.open('file', os.O_WRONLY | os.O_CREAT)
    try:
        os.write(fd, b'x')
        os.fsync(fd)
    finally:
        os.close(fd)
def fork():
    if os.fork() == 0:
        os._exit(0)
def start():
    threading.Thread(target=lambda: None).start()
calls = {
    'open': lambda: os.close(os.open('file', os.O_WRONLY | os.O_CREAT)), 'put': put,
    'read': lambda: os.close(os.open('/etc/passwd', os.O_RDONLY)),
    'rename': lambda: os.rename('file', 'file'), 'mkdir': lambda: os.mkdir('folder%d' % time.monotonic_ns()),
    'pipe': os.pipe, 'socket': lambda: socket.socket().close(), 'dup': lambda: os.close(os.dup(1)), 'fork': fork,
    'wait': lambda: select.poll().poll(0), 'thread': start, 'memory': lambda: bytearray(50000000), 'say': lambda: os.write(2, b'')}
print(' '.join(attempt(calls[name]) for name in sys.argv[1:]))
END
export FAULTS_PROGRAM='python3*'

# probe RESULTS RULES CALL …
probe() {
    probe_results=$1 probe_rules=$2
    shift 2
    expect_status 0 "$with_faults" "$probe_rules" python3 probe.py "$@"
    expect "these results under '$probe_rules': $probe_results" [ "$(cat "$out")" = "$probe_results" ]
}

# ---- which call, which error ----

probe 'ok ok ok ok ok ok ok ok ok ok ok' '' open put read rename mkdir pipe socket dup fork thread memory
probe 'ENOSPC ENOSPC ok ENOSPC ENOSPC ok' 'disk ENOSPC path=*/work/*' open put read rename mkdir say
probe 'ok EIO' 'sync EIO' open put
probe 'ok ENOSPC ok' 'write ENOSPC' open put say
probe 'EMFILE EMFILE EMFILE EMFILE' 'descriptors EMFILE path=*/file;pipe,socket,dup EMFILE' open pipe socket dup
probe 'ENFILE' 'open ENFILE path=/etc/passwd' read
probe 'ENOMEM ok' 'wait ENOMEM count=1' wait wait
probe 'EAGAIN RuntimeError' 'processes EAGAIN' fork thread
probe 'MemoryError ok' 'memory,map ENOMEM min=40000000' memory open

# ---- when ----

probe 'ok EMFILE EMFILE ok' 'pipe EMFILE from=2 count=2' pipe pipe pipe pipe
probe 'ok ok' 'pipe EMFILE while=full' pipe pipe
: >full
probe 'EMFILE EMFILE' 'pipe EMFILE while=full' pipe pipe
probe 'EMFILE' 'pipe EMFILE seconds=0-1000' pipe
probe 'ok' 'pipe EMFILE seconds=1000-2000' pipe
probe 'ok' 'open ENOSPC path=*.other' open
many=$(yes pipe | head -40)
for seed in 1 1 2; do
    # shellcheck disable=SC2086 # words
    FAULTS_SEED=$seed expect_status 0 "$with_faults" 'pipe EMFILE chance=0.5' python3 probe.py $many
    keep_as=chance.$seed
    [ ! -e "$keep_as" ] || expect_same "$keep_as" "$out"
    cp "$out" "$keep_as"
    expect_out 'ok.*EMFILE|EMFILE.*ok'
done
expect "another seed to choose others" [ "$(cat chance.1)" != "$(cat chance.2)" ]

# ---- clocks ----

cat >clocks.py <<'END'
import time
print(int(time.time()), int(time.clock_gettime(time.CLOCK_REALTIME)), int(time.monotonic()))
END
# shellcheck disable=SC2046 # three numbers
set -- $(python3 clocks.py) $("$with_faults" 'realtime -1e6 at=0; monotonic 1e6 at=0; monotonic 5 at=1e9' python3 clocks.py)
expect "the time of day to be set back" [ $(($1 - $4)) -gt 900000 ]
expect "all ways to ask for it to agree" [ $(($4 - $5)) -ge -1000 ]
expect "the steady clock to have a gap" [ $(($6 - $3)) -gt 900000 ]

# ---- the log ----

FAULTS_LOG=log expect_status 0 "$with_faults" 'mkdir ENOSPC' python3 probe.py put rename mkdir
sed "s|$PWD/||g; s|folder[0-9]*|folder|" log >short
printf '%s\n' 'open file' 'write file' 'sync file' 'rename file file' 'mkdir folder ENOSPC' >wanted
expect_same wanted short

# ---- the selected program ----

FAULTS_PROGRAM='other' probe 'ok' 'pipe EMFILE' pipe
expect_status 0 "$with_faults" 'pipe EMFILE' python3 -c 'import os, sys
os.execvp("python3", ["python3", "probe.py", "pipe"])'
expect_out '^ok$'
expect_status 125 "$with_faults" 'nosuch EIO' python3 probe.py
expect_err "^faults: FAULTS: 'nosuch' is no call"
expect_status 125 "$with_faults" 'open EFOO' python3 probe.py
expect_status 125 "$with_faults" 'open EIO some=1' python3 probe.py

finish
