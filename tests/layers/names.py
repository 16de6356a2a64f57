#!/usr/bin/env python3
"""Do the names in comments exist?

	names.py [TREE]

A comment in TREE/src that names a function or macro, `name(`, needs code that has it: in src, in
tests, or in the list below. Words with an underscore need code, a string or a file that has them.
Prints TAP. The tree is the one that this file is in, unless one is named.
"""

import pathlib
import re
import sys

# Functions of the system, of libraries and of other languages, which no code here calls.
ELSEWHERE = """
clone encodeURIComponent files git_libgit2_init localeCompare openat2 pidfd_open project renameat2
sd_notify select syncfs
""".split()

# Words of examples.
INVENTED = """
fd_of_the_folder landlock_ruleset_attr path_of_a_copy ret_x skill_brief_001
skill_daily_brief_001 snake_case
""".split()

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S
)
WORD = re.compile(r"[A-Za-z_]\w*")
# In code: a call, a definition or declaration, or a pointer to a function.
FUNCTION = re.compile(r"([A-Za-z_]\w*)\s*(?=\()|\(\*([A-Za-z_]\w*)")
# In a comment: not a method of JavaScript, nor a page of the manual.
NAMED_FUNCTION = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\((?!\d\))")
NAMED_WORD = re.compile(r"(?<![\w.])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w(])")


def main():
    here = pathlib.Path(__file__).resolve().parent
    tree = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here.parent.parent
    functions = set(ELSEWHERE)
    words = set(INVENTED)
    comments = []
    paths = [path for top in ("src", "tests") for path in (tree / top).rglob("*.[ch]")]
    for path in sorted(paths):
        name = path.relative_to(tree).as_posix()
        text = path.read_text()
        code = []
        end = 0
        for token in TOKEN.finditer(text):
            code.append(text[end : token.start()])
            end = token.end()
            if not token["comment"]:
                words.update(WORD.findall(token[0]))
            elif name.startswith("src/"):
                comments.append((name, text.count("\n", 0, token.start()) + 1, token[0]))
        code = " ".join(code + [text[end:]])
        words.update(WORD.findall(code), [path.stem, path.parent.name])
        functions.update(one or other for one, other in FUNCTION.findall(code))
    words |= functions

    failed = 0
    for number, claim, pattern, known in (
        (1, "every function that a comment names exists", NAMED_FUNCTION, functions),
        (2, "every name that a comment uses exists", NAMED_WORD, words),
    ):
        wrong = [
            f"# {name}:{line + text.count(chr(10), 0, at.start())}: there is no {at[1]}"
            for name, line, text in comments
            for at in pattern.finditer(text)
            if at[1] not in known
        ]
        print(f"{'not ok' if wrong else 'ok'} {number} - {claim}", *wrong, sep="\n")
        failed |= bool(wrong)
    print("1..2")
    return failed


sys.exit(main())
