# SPDX-License-Identifier: MIT
"""Removes from an output the additions of players and games that registered.txt does not name. A new player or game
then changes no expected output before it is named there (see tests/e2e/registered.sh)."""
import os, re, sys

NEW = os.environ.get('NEW_NAMES', '').split()


def closing(text, start):
    """Behind the brace that closes the one at start. Braces within strings do not count."""
    depth, quoted, at = 0, False, start
    while at < len(text):
        if quoted and text[at] == '\\':
            at += 1
        elif text[at] == '"':
            quoted = not quoted
        elif not quoted:
            depth += {'{': 1, '}': -1}.get(text[at], 0)
            if depth == 0:
                return at + 1
        at += 1
    return len(text)


def without_objects(text, name):
    """Without the JSON objects whose first or only member of that kind has the name."""
    pattern = re.compile(r'"(?:name|player)": ?"' + re.escape(name) + '"')
    at = 0
    while found := pattern.search(text, at):
        start = text.rfind('{', 0, found.start())
        while start > 0 and closing(text, start) <= found.start():
            start = text.rfind('{', 0, start)
        end = closing(text, start) if start >= 0 else 0
        at = found.end()
        # Only an element of a list: behind it a comma, or before it one.
        behind, before = re.compile(r',\s*').match(text, end), re.search(r',\s*$', text[:max(start, 0)])
        if start >= 0 and behind:
            text, at = text[:start] + text[behind.end():], start
        elif start >= 0 and before:
            text, at = text[:before.start()] + text[end:], before.start()
    return text


def known_only(text, names=None):
    for name in NEW if names is None else names:
        word = re.escape(name)
        text = without_objects(text, name)
        text = re.sub(rf'"{word}",\s*(?=")|,\s*"{word}"(?=[\],]|\s*\])', '', text)
        text = re.sub(rf'\b(known are [^\n]*?)\b{word}, ', r'\1', text)
        text = re.sub(rf'\b(known are [^\n]*?), {word}(?![-\w])', r'\1', text)
        text = re.sub(rf'^(?:game )?{word}(?: +\S[^\n]*)?\n(?:    [^\n]*\n)*', '', text, flags=re.M)
        text = re.sub(rf'^  {word} +[0-9.]+ ms\n', '', text, flags=re.M)
    return text


if __name__ == '__main__':
    sys.stdout.write(known_only(sys.stdin.read()))
