#!/usr/bin/env python3
"""Puts small faults into the source, one at a time, and asks the tests whether they notice.

    mutants.py [--count N] [--seed S] [--at-least PERCENT] [--keep FOLDER] ROOM...

ROOM is a folder of src, such as src/engine/disk. The tree is copied; each fault is built there
and the quick tests are run until one fails. Prints TAP: one line for each fault, and then
whether enough of them were noticed. Survivors are remarks with their place and what was
changed, so that a person can judge them: some change nothing that anybody could see.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Quickest first: most faults are noticed by the first of them.
SUITES = (["--suite", "unit"], ["--suite", "cli"], ["installations"], ["--suite", "crash"],
          ["--suite", "engine"])
BUILD_SECONDS = 600
TEST_SECONDS = 1200


def conditions(line):
    """A part of a condition dropped: `a && b` becomes `a`, or `b`."""
    for match in re.finditer(r"\((!?[\w>.\-]+(?:\([^()]*\))?) (&&|\|\|) ", line):
        yield "part of the condition dropped", line[: match.start(1)] + line[match.end() :]


def operators(line):
    swaps = ((" && ", " || "), (" || ", " && "), (" == ", " != "), (" != ", " == "),
             (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "))
    for old, new in swaps:
        at = line.find(old)
        # Loops over lists are left to `last_elements`, and errors to `ignored_errors`.
        if at >= 0 and not line.lstrip().startswith("for ") and " < 0" not in line[at : at + 4]:
            yield "operator %s became %s" % (old.strip(), new.strip()), (
                line[:at] + new + line[at + len(old) :])


def ignored_errors(line):
    for match in re.finditer(r" < 0(?=\)| \|\|)", line):
        yield "error ignored", line[: match.start()] + " < -100" + line[match.end() :]


def last_elements(line):
    match = re.search(r"for \(.*; (\w+) < ([\w>.\-]+count)(;)", line)
    if match:
        yield "last element skipped", (
            line[: match.start(1)] + "%s + 1 < %s" % (match[1], match[2]) + line[match.start(3) :])


def calls(line):
    """A whole statement that is a call, or an assignment to a field, left out."""
    if re.match(r"^\t+(?!return|goto|free|if|else|while|for|do)[\w>.\-]+\(.*\);$", line):
        yield "call left out", re.match(r"^\t+", line)[0] + ";"
    if re.match(r"^\t+[\w>.\-\[\]]+(?:->|\.)\w+ = .*;$", line):
        yield "assignment left out", re.match(r"^\t+", line)[0] + ";"


def results(line):
    for old, new in (("return true;", "return false;"), ("return false;", "return true;"),
                     ("return -1;", "return 0;")):
        if line.strip() == old:
            yield "result swapped", line.replace(old, new)


MUTATIONS = (conditions, operators, ignored_errors, last_elements, calls, results)


def find_mutants(rooms):
    """(file, line number, what, new line) for every fault that can be made."""
    for room in rooms:
        for folder, _, names in sorted(os.walk(os.path.join(SOURCE, room))):
            for name in sorted(names):
                if not name.endswith(".c"):
                    continue
                path = os.path.relpath(os.path.join(folder, name), SOURCE)
                with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
                    lines = file.read().split("\n")
                for number, line in enumerate(lines):
                    if not line.startswith("\t") or line.lstrip().startswith(("*", "/*")):
                        continue
                    for mutation in MUTATIONS:
                        for what, changed in mutation(line):
                            yield path, number, what, changed


class Copy:
    """A copy of the tree with a build folder that has seen the source as it is."""

    def __init__(self, folder):
        self.folder = folder
        self.tree = os.path.join(folder, "tree")
        self.build = os.path.join(folder, "build")
        if not os.path.isdir(self.tree):
            files = subprocess.check_output(["git", "ls-files", "-z"], cwd=SOURCE)
            for path in files.decode().rstrip("\0").split("\0"):
                target = os.path.join(self.tree, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(os.path.join(SOURCE, path), target, follow_symlinks=False)
            self.run(["meson", "setup", self.build, self.tree, "-Dtests=enabled", "-Doptimization=1"])
        self.run(["ninja", "-C", self.build])

    def run(self, command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def passes(self, command, seconds):
        try:
            done = subprocess.run(command, timeout=seconds, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def unnoticed(self):
        if not self.passes(["ninja", "-C", self.build], BUILD_SECONDS):
            return None  # it does not compile: no fault at all
        return all(self.passes(["meson", "test", "-C", self.build, "--no-rebuild", "--maxfail",
                                "1"] + suite, TEST_SECONDS) for suite in SUITES)

    def try_mutant(self, path, number, changed):
        """True: no test noticed it. None: it cannot be built."""
        target = os.path.join(self.tree, path)
        with open(target, encoding="utf-8") as file:
            original = file.read()
        lines = original.split("\n")
        lines[number] = changed
        try:
            with open(target, "w", encoding="utf-8") as file:
                file.write("\n".join(lines))
            return self.unnoticed()
        finally:
            with open(target, "w", encoding="utf-8") as file:
                file.write(original)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-least", type=int, default=90, metavar="PERCENT")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("rooms", nargs="+", metavar="ROOM")
    options = parser.parse_args()

    mutants = list(find_mutants(options.rooms))
    if not mutants:
        sys.exit("there is nothing to change in %s" % " ".join(options.rooms))
    random.Random(options.seed).shuffle(mutants)
    print("# %d faults can be made, %d are tried; seed %d" %
          (len(mutants), min(options.count, len(mutants)), options.seed), flush=True)

    folder = options.keep or tempfile.mkdtemp(prefix="nanoclaw-mutants-")
    tried = survived = 0
    try:
        copy = Copy(folder)
        for path, number, what, changed in mutants:
            if tried == options.count:
                break
            verdict = copy.try_mutant(path, number, changed)
            if verdict is None:
                continue
            tried += 1
            survived += verdict
            print("ok %d - %s:%d %s%s" % (tried, path, number + 1, what,
                                          " # survived" if verdict else ""), flush=True)
            if verdict:
                print("#   now: %s" % changed.strip(), flush=True)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    noticed = 100 * (tried - survived) // max(tried, 1)
    good = tried and noticed >= options.at_least
    print("%s %d - the tests notice %d of %d faults, %d %%" %
          ("ok" if good else "not ok", tried + 1, tried - survived, tried, noticed))
    print("1..%d" % (tried + 1))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
