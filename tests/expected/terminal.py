# SPDX-License-Identifier: MIT
"""terminal.py [--laws | --all | --until PATTERN] COLUMNS ROWS INPUT COMMAND …: runs the command on a terminal and
prints what it shows there. Of what it draws and erases again, only the first picture is printed, for the others
depend on the machine's speed; but each must be erased by as many lines as it has. With --laws nothing else is
checked; with --all every byte is printed. INPUT is typed, with \\n for Enter and \\d for Ctrl-D, ahead of
all questions. With --until PATTERN the command is interrupted once a line that it draws matches. That line is printed
with N for each number; it must be erased before the result is shown."""
import fcntl, os, pty, re, select, signal, struct, sys, termios

laws, whole = sys.argv[1] == '--laws', sys.argv[1] == '--all'
until = sys.argv[2] if sys.argv[1] == '--until' else None
columns, rows, typed, *command = sys.argv[1 + (laws or whole) + 2 * (until is not None):]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', int(rows), int(columns), 0, 0))
    os.environ['TERM'] = 'xterm'
    os.environ.pop('NO_COLOR', None)
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', int(rows), int(columns), 0, 0))
modes = termios.tcgetattr(terminal)
modes[3] &= ~termios.ECHO  # what is typed ahead would stand between the lines, now here, now there
termios.tcsetattr(terminal, termios.TCSANOW, modes)
os.write(terminal, typed.encode().replace(b'\\n', b'\n').replace(b'\\d', b'\x04'))
said, drawn = b'', None
while select.select([terminal], [], [], 120)[0]:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    said += part
    if until and drawn is None:
        drawn = next(filter(re.compile(until).search, re.split(r'[\r\n]', said.decode('utf-8', 'replace'))), None)
        if drawn is not None:
            os.kill(child, signal.SIGINT)
_, status = os.waitpid(child, 0)
text = said.decode('utf-8', 'replace').replace('\r\n', '\n')
if whole:
    print(text.replace('\r\x1b[K', '\nCR').replace('\x1b', 'ESC').replace('\r', 'CR'))
    sys.exit(os.waitstatus_to_exitcode(status))

LEFT = r'([0-9]+ min )?[0-9.]+ (s|min|h)\b( left)?|[0-9.]+ (a second|games/s)'
# Parts that are erased, and the way each is: by so many lines up, or the line alone.
ERASE = re.compile(r'\r?\x1b\[(\d+)A\r?\x1b\[J|\r\x1b\[K')
shown, at, first, bad = '', 0, None, 0
for erase in ERASE.finditer(text):
    part = text[at:erase.start()]
    at = erase.end()
    lines = int(erase.group(1) or 0)
    kept, gone = part, ''
    for _ in range(lines):
        kept = kept.rstrip('\n') if kept.endswith('\n') and gone == '' else kept
        kept, _, line = kept.rpartition('\n')
        gone = line + '\n' + gone
    if lines == 0:
        kept, _, gone = part.rpartition('\n')
    bad += lines > part.count('\n')
    first = gone if first is None and gone.strip() else first
    shown += kept + ('\n' if kept else '')
shown += text[at:]
if until:
    print('seen: ' + re.sub(r'[0-9]+(\.[0-9]+)?', 'N', re.sub(LEFT, 'TIME', drawn or 'nothing')).replace('\x1b', 'ESC'))
    print('left: ' + ('yes' if re.search(until.removeprefix('.K'), text[at:].split('\n')[0]) else 'no'))
print(f'status {os.waitstatus_to_exitcode(status)}; pictures erased wrongly: {bad}')
if not laws and not until:
    if first is not None:
        print('first:\n' + re.sub(LEFT, 'TIME', first).replace('\x1b', 'ESC'))
    # Games that take no time have no rate, and a slow machine plays some in a minute.
    shown = re.sub(r'(\d+ of \d+ games)(, [0-9.]+ games an? (second|minute|hour))?', r'\1, R games a second', shown)
    print(shown.replace('\x1b', 'ESC').replace('\r', 'CR'))
