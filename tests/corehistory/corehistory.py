#!/usr/bin/env python3
"""Ten versions of a core, five skills, and a person with edits and custom patches.

	corehistory.py NANOCLAW [SEEDS]

For each seed: updating step by step, in one jump, and in some jumps, from folders and from
update packages, gives the same tree, and that is the one that can be told beforehand. A
preview says what happens, file by file. The person's own tests pass before and after. Taking
out a migration skill gives the new default, and taking out a skill what would be without it.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from history import DEFAULT, FEATURE, MAIN, VERSIONS, History, listing, put, version  # noqa: E402

NANOCLAW = os.path.abspath(sys.argv[1])
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
OURS = (".nanoclaw", "skills", "updates")


class Failure(Exception):
    pass


def nanoclaw(project, *words, code=0):
    run = subprocess.run([NANOCLAW, "-C", project, *words], capture_output=True, text=True,
                         stdin=subprocess.DEVNULL)
    if run.returncode != code:
        raise Failure("nanoclaw %s: exit code %d\n%s%s" % (
            " ".join(words), run.returncode, run.stdout, run.stderr))
    return run.stdout


def check_equal(what, got, wanted):
    for path in sorted(set(got) | set(wanted)):
        if got.get(path) != wanted.get(path):
            raise Failure("%s: '%s' is not as expected\n--- expected\n%s\n+++ got\n%s" % (
                what, path, wanted.get(path), got.get(path)))


def tree(project):
    out = listing(project, OURS)
    out.pop("migrations.yaml", None)
    out.pop("tests/mine.sh", None)
    return out


def begin(history, folder):
    """The first version, with all skills, two custom patches and an edit."""
    history.write_core(folder, 1)
    nanoclaw(folder, "-q", "init")
    put(os.path.join(folder, "tests/mine.sh"), MY_TESTS)
    nanoclaw(folder, "-q", "skill", "apply", *history.skills)
    for i in range(3):
        if i < 2:
            nanoclaw(folder, "-q", "customize", "start", "My change %d" % i)
        for path, numbers in history.patches[i].items():
            full = os.path.join(folder, path)
            lines = open(full).read().split("\n")
            for n in numbers:
                lines[n - 1] = "patch %d line %d" % (i, n)
            put(full, "\n".join(lines))
        if i < 2:
            nanoclaw(folder, "-q", "customize", "commit")


# The person wants their lines, the old mode and the feature, whatever the core does.
MY_TESTS = """set -e
grep -q '^mode = old$' %s
grep -q '^use feature$' %s
test -f %s
for i in 0 1 2; do grep -rq "^patch $i line" .; done
""" % (DEFAULT, MAIN, FEATURE)


def run_my_tests(project):
    run = subprocess.run(["sh", "tests/mine.sh"], cwd=project, capture_output=True, text=True)
    if run.returncode:
        raise Failure("the person's own tests fail\n" + run.stdout + run.stderr)


def hash_now(project, path):
    with open(os.path.join(project, path), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def update(project, *words):
    """With what the preview says before it."""
    before = listing(project)
    preview = json.loads(nanoclaw(project, "--json", "update", *words, "--preview"))
    after = listing(project)
    before.pop(".nanoclaw/index", None)
    after.pop(".nanoclaw/index", None)
    check_equal("after a preview", after, before)
    done = json.loads(nanoclaw(project, "--json", "--yes", "update", *words))
    for key in ("files", "changes", "migrations", "skills", "previousVersion", "newVersion"):
        if preview[key] != done[key]:
            raise Failure("the preview says other than what happened: '%s'\n%s\n%s" % (
                key, preview[key], done[key]))
    for path, file in preview["changes"].items():
        there = os.path.exists(os.path.join(project, path))
        if there != bool(file) or (file and hash_now(project, path) != file["sha256"]):
            raise Failure("the preview says other than what happened: '%s'" % path)
    nanoclaw(project, "verify")
    run_my_tests(project)


def jumps(how, chooser):
    if how == "steps":
        return list(range(2, VERSIONS + 1))
    if how == "one jump":
        return [VERSIONS]
    middle = sorted(chooser.sample(range(2, VERSIONS), 3))
    return middle + [VERSIONS]


def go(history, scratch, name, how, packages, chooser):
    project = os.path.join(scratch, name)
    begin(history, project)
    run_my_tests(project)
    at = 1
    for number in jumps(how, chooser):
        if packages:
            first = "updates/%s-to-%s" % (version(at), version(at + 1))
            update(project, os.path.join(scratch, first), "--to", version(number))
        else:
            update(project, os.path.join(scratch, "core%d" % number))
        at = number
        check_equal("%s, core %s" % (name, version(number)), tree(project),
                    history.expected(number, history.skills, range(3), True, True))
    return project


def replay(project):
    """What is recorded is enough to make it again."""
    again = project + "-again"
    nanoclaw(project, "replay", "--into", again)
    check_equal("a replay", tree(again), tree(project))


def take_out(history, project):
    """What is left when skills go again."""
    left = list(history.skills)
    for name in ("skill2", "skill4"):
        nanoclaw(project, "--yes", "skill", "remove", name)
        left.remove(name)
        check_equal("without " + name, tree(project),
                    history.expected(VERSIONS, left, range(3), True, True))
    nanoclaw(project, "--yes", "skill", "remove", "keep-mode")
    check_equal("with the new default", tree(project),
                history.expected(VERSIONS, left, range(3), False, True))
    nanoclaw(project, "verify")


def run(seed):
    history = History(seed)
    chooser = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="nanoclaw-history-") as scratch:
        for number in range(1, VERSIONS + 1):
            history.write_core(os.path.join(scratch, "core%d" % number), number)
        for number in range(2, VERSIONS + 1):
            history.write_update(os.path.join(scratch, "updates"), number, scratch)
        projects = [
            go(history, scratch, "steps", "steps", False, chooser),
            go(history, scratch, "jump", "one jump", False, chooser),
            go(history, scratch, "packages", "some", True, chooser),
        ]
        for project in projects:
            replay(project)
        take_out(history, chooser.choice(projects))


def main():
    print("1..%d" % SEEDS)
    failed = False
    first = int(os.environ.get("NANOCLAW_SEED", "1"))
    for i in range(SEEDS):
        seed = first + i
        try:
            run(seed)
            print("ok %d - history %d" % (i + 1, seed))
        except Failure as failure:
            failed = True
            print("not ok %d - history %d" % (i + 1, seed))
            print("\n".join("# " + line for line in str(failure).split("\n")))
        sys.stdout.flush()
    return 1 if failed else 0


sys.exit(main())
