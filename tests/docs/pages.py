#!/usr/bin/env python3
"""Run the console blocks of the documentation, and compare what they show with what happens.

	pages.py NANOCLAW [PAGE...]

A page is one shell session, which begins in a copy of the parts of the source tree that the
pages use. A line that begins with '$ ' is a command (a '\\' at its end continues it), and the
lines after it are its output, standard error included. The lines of a here-document end with EOF.
A command must succeed if no output is shown. A block without a command shows part of the output of
the last command.

In the output '...' stands for any lines. Times, dates, hashes, sizes and ids need not be equal.
Comments in a page, each in front of the block that it is about:

	<!-- test setup: COMMANDS -->	commands that readers do not see; may have several lines
	<!-- test types: A; B -->	the block's command runs on a terminal, and these lines are
					typed at the prompts where the page shows them
	<!-- test skip: REASON -->	the block is not run
	<!-- test needs: PROGRAM... -->	the rest of the page is skipped without these programs;
					'sandbox' is a sandbox that agents can run in

/tmp in a page is a folder of the session. The shell function `postbox` goes into a new copy of the
sample project there, `$SAMPLE`. `with SKILL` makes nanoclaw a program that has the files of that
package, if the build has one: tests/shipped/nanoclaw-SKILL. Prints TAP, a test for each block.
"""

import concurrent.futures
import difflib
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
SECONDS = 120

COMMENT = re.compile(r'<!-- test (\w+): *(.*?) *-->', re.S)
FENCE = re.compile(r'( *)```console\n(.*?)^\1```$', re.S | re.M)

# Texts that differ each time, most specific first.
VARYING = [
    (r'\d{4}-\d\d-\d\dT[\d:.]+Z', 'TIME'),
    (r'\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d(?:\.\d+)?)?)?', 'DATE'),
    (r"from \w+ in 'local:", "from USER in 'local:"),
    (r'(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d+ \w+ \d{4}', 'DATE'),
    (r"\bl?[0-9a-f]{8,}\b", 'ID'),
    (r" *\b[\d.]+ (?:B|KB|KiB|MB|MiB|bytes|s)\b", ' SIZE'),
    (r"'\.nanoclaw' are deleted, \d+ are", 'SIZE are'),
    (r' +\d+\.\d(?=$|  )', ' SECONDS'),
]


class Block:
    def __init__(self, line, text):
        self.line = line
        self.text = text
        self.setup = []
        self.types = None
        self.skip = None
        self.needs = []


def read_page(path):
    """The console blocks of a page, each with the comments in front of it."""
    text = path.read_text()
    found = sorted([*COMMENT.finditer(text), *FENCE.finditer(text)], key=lambda m: m.start())
    blocks, comments = [], []
    for match in found:
        if match.re is COMMENT:
            comments.append(match.groups())
            continue
        indent, body = match.groups()
        body = ''.join(line.removeprefix(indent) for line in body.splitlines(True))
        block = Block(text.count('\n', 0, match.start()) + 1, body)
        for word, argument in comments:
            if word == 'setup':
                block.setup.append(argument)
            elif word == 'types':
                block.types = [line.strip() for line in argument.split(';')]
            elif word == 'skip':
                block.skip = argument
            elif word == 'needs':
                block.needs += argument.split()
            else:
                sys.exit(f'{path}: unknown comment: test {word}')
        comments = []
        blocks.append(block)
    return blocks


def split_block(text):
    """[command, [lines of output]] for each command; None for output without one."""
    steps, continued = [], False
    for line in text.splitlines():
        if continued:
            steps[-1][0] += '\n' + line
        elif line.startswith('$ '):
            steps.append([line[2:], []])
        elif not steps:
            steps.append([None, [line]])
        else:
            steps[-1][1].append(line)
        command = steps[-1][0]
        continued = command is not None and not steps[-1][1] and (
            line.endswith('\\') or ("<<'EOF'" in command and line != 'EOF'))
    return steps


def plain(line):
    for pattern, name in VARYING:
        line = re.sub(pattern, name, line)
    return line.rstrip()


def matches(shown, lines):
    if not shown:
        return not lines
    if shown[0].strip() in ('...', '…'):
        return any(matches(shown[1:], lines[i:]) for i in range(len(lines) + 1))
    return bool(lines) and shown[0] == lines[0] and matches(shown[1:], lines[1:])


def difference(shown, lines):
    return '\n'.join(difflib.unified_diff(shown, lines, 'shown', 'real', lineterm='', n=1))


class Session:
    def __init__(self, nanoclaw):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix='docs-'))
        self.last = []
        for folder in ('bin', 'home', 'tmp', 'nanoclaw/build-run', 'nanoclaw/tools'):
            (self.root / folder).mkdir(parents=True)
        clone = self.root / 'nanoclaw'
        for name in ('.claude', 'examples', 'skills', 'container'):
            shutil.copytree(SOURCE / name, clone / name, symlinks=True)
        shutil.copy(SOURCE / 'run', clone)
        for tool in ('install-packages', 'build'):
            (clone / 'tools' / tool).write_text('#!/bin/sh\n')
            (clone / 'tools' / tool).chmod(0o755)
        for link in (self.root / 'bin/nanoclaw', clone / 'build-run/nanoclaw'):
            link.symlink_to(nanoclaw)
        self.environment = {
            'GIT_CONFIG_GLOBAL': '/dev/null', 'GIT_CONFIG_NOSYSTEM': '1',
            'GIT_AUTHOR_NAME': 'Author', 'GIT_AUTHOR_EMAIL': 'author@example.com',
            'GIT_COMMITTER_NAME': 'Author', 'GIT_COMMITTER_EMAIL': 'author@example.com',
            'NANOCLAW_ALLOW_COMMANDS': '1', 'SAMPLE': str(clone / 'examples/postbox'),
            'BUILD': str(pathlib.Path(nanoclaw).parent),
            'HOME': str(self.root / 'home'), 'LC_ALL': 'C.UTF-8', 'TERM': 'dumb',
            'TMPDIR': str(self.root / 'tmp'), 'TZ': 'Europe/Berlin', 'USER': 'ann',
            'PATH': f'{self.root}/bin:{HERE}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
        }
        self.shell = subprocess.Popen(
            ['sh'], cwd=clone, env=self.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.mark = f'--- {os.urandom(8).hex()} '
        self.run('with() { program=$BUILD/tests/shipped/nanoclaw-$1; '
                 '[ ! -x "$program" ] || ln -sfn "$program" "$HOME/../bin/nanoclaw"; }')
        self.run('postbox() { rm -rf /tmp/postbox && cp -r "$SAMPLE" /tmp && cd /tmp/postbox; }')

    def close(self):
        """End the shell and its background jobs; the pipe is at its end when all have gone."""
        if self.shell.poll() is None:
            os.killpg(self.shell.pid, signal.SIGTERM)
        self.shell.communicate(timeout=SECONDS)
        shutil.rmtree(self.root, ignore_errors=True)

    def real(self, text):
        return re.sub(r'(?<![\w.}])/tmp\b', str(self.root / 'tmp'), text)

    def shown(self, text):
        return text.replace(str(self.root / 'tmp'), '/tmp').replace(str(self.root), '/home/ann')

    def run(self, command):
        """The lines that a command prints, and its exit code. The shell keeps running."""
        quoted = self.real(command).replace("'", "'\\''")
        if self.shell.poll() is not None:
            return ['(the shell has ended)'], -1
        self.shell.stdin.write(
            f"eval '{quoted}' </dev/null; printf '\\n{self.mark}%d\\n' $?\n".encode())
        self.shell.stdin.flush()
        output, end = '', time.monotonic() + SECONDS
        while not (found := re.search(rf'\n{self.mark}(\d+)\n\Z', output)):
            ready, _, _ = select.select([self.shell.stdout], [], [], end - time.monotonic())
            data = os.read(self.shell.stdout.fileno(), 1 << 16) if ready else b''
            if not data:
                return [f'(no end of: {command})'], -1
            output += data.decode(errors='replace')
        return self.shown(output[:found.start()]).splitlines(), int(found.group(1))

    def type(self, command, shown, typed):
        """Run the command on a terminal. Each line is typed when the page's prompt is there."""
        folder = self.run('pwd')[0][0]
        variables = dict(self.environment)
        for line in self.run('echo "$EDITOR"')[0]:
            variables['EDITOR'] = line
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.real(folder.replace('/home/ann', str(self.root), 1)))
            os.execve('/bin/sh', ['sh', '-c', self.real(command)], variables)
        output, waiting, begin, end = '', list(prompts(shown, typed)), 0, time.monotonic() + SECONDS
        while True:
            ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
            try:
                data = os.read(terminal, 1 << 16) if ready else b''
            except OSError:
                data = b''
            if not data:
                break
            output = as_seen(output + data.decode(errors='replace'))
            if waiting and output.endswith(waiting[0][1]) and \
                    waiting[0][0] in [plain(line) for line in output[begin:].splitlines()]:
                os.write(terminal, waiting.pop(0)[2].encode())
                begin = len(output) - len(waiting[0][1]) if waiting else 0
        if not ready:
            output += '\n(no end)\n'
            os.kill(pid, signal.SIGKILL)
        os.close(terminal)
        return self.shown(output).splitlines(), os.waitpid(pid, 0)[1]


def as_seen(text):
    """What a terminal shows: a carriage return begins the line again."""
    return re.sub(r'[^\n]*\r(?=[^\n])', '', text.replace('\r\n', '\n'))


def prompts(shown, typed):
    """(line before it, prompt, line to type) for each line to type, as the page has them.
    '^D' is typed at the last prompt again."""
    rest, before, prompt = list(shown), '', ''
    for answer in typed:
        while rest and (answer == '^D' or not rest[0].endswith(' ' + answer)):
            before = rest.pop(0)
        if answer == '^D':
            yield plain(before), prompt, '\x04'
        elif rest:
            prompt = rest.pop(0)[:-len(answer)]
            yield plain(before), prompt, answer + '\n'
            before = prompt.strip() + ' ' + answer


def has(need, nanoclaw):
    if need != 'sandbox':
        return shutil.which(need) is not None
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([nanoclaw, '-C', folder, 'start'], input='notes\n', text=True,
                                capture_output=True, timeout=SECONDS)
        return 'no working sandbox' not in result.stdout + result.stderr


def check_block(session, block):
    """None if the block is as shown, else what is different."""
    for commands in block.setup:
        lines, code = session.run(commands)
        if code:
            return f'setup fails with {code}:\n' + '\n'.join(lines)
    for command, shown in split_block(block.text):
        expected = [plain(line) for line in shown]
        if command is None:
            expected, code = ['...', *expected, '...'], 0
        elif block.types:
            if block.types[-1] == '^D':
                expected.append('>')
            session.last, code = session.type(command, shown, block.types)
        else:
            session.last, code = session.run(command)
        real = [plain(line) for line in session.last]
        if not matches(expected, real):
            return f'$ {command}\n' + difference(expected, real)
        if code and not shown:
            return f'$ {command}\nexit code {code}'
    return None


def check_page(nanoclaw, path):
    name = os.path.relpath(path, SOURCE)
    session, results, missing = None, [], None
    for block in read_page(path):
        claim = f'{name}:{block.line} is as shown'
        missing = missing or next((need for need in block.needs if not has(need, nanoclaw)), None)
        if block.skip or missing:
            results.append((claim, None, block.skip or f'no {missing} here'))
            continue
        session = session or Session(nanoclaw)
        try:
            results.append((claim, check_block(session, block), None))
        except OSError as error:
            results.append((claim, str(error), None))
    if session:
        session.close()
    return results


def main():
    nanoclaw = os.path.realpath(sys.argv[1])
    pages = [pathlib.Path(name).resolve() for name in sys.argv[2:]]
    pages = pages or [SOURCE / 'README.md', *sorted((SOURCE / 'docs').glob('*.md'))]
    count = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(lambda page: check_page(nanoclaw, page), pages):
            for claim, problem, skip in results:
                count += 1
                failed += problem is not None
                print('not ok' if problem is not None else 'ok', count, '-', claim,
                      f'# SKIP {skip}' if skip else '')
                for line in (problem or '').splitlines():
                    print('#', line)
    print(f'1..{count}')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
