#!/usr/bin/env python3
"""Packages of a made-up core, brought from one of its versions to another.

	refresh.py NANOCLAW [SEEDS]

For each seed and for some pairs of versions: a package that was written for the one and is
refreshed to the other gives the same tree on the other as the old package gives that was
applied on the one and went along when the core was updated; and both are what can be told
beforehand. `skill check --against` says before what the refresh does, a second refresh has
nothing to do, and an undo brings back every byte.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from history import FEATURE, VERSIONS, History, listing, put, version  # noqa: E402

NANOCLAW = os.path.abspath(sys.argv[1])
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 2
PAIRS = 3
OURS = (".nanoclaw", "skills")


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


def write_core(history, folder, number):
    """The core and nothing else."""
    core = history.cores[number]
    for path in core.files:
        put(os.path.join(folder, path), core.text(path))
    put(os.path.join(folder, "VERSION"), version(number) + "\n")


def write_manifest(chooser, paths, name, number, hashes):
    """In one of the styles that people have."""
    flow = chooser.random() < 0.5
    text = "# written by hand\nskill: %s\nversion: '1.0.0' # the first\n" % name
    text += "core_version: %s\nmood: fine\n" % version(number)
    if flow:
        text += "modifies: [%s]\n" % ", ".join(paths)
    else:
        text += "modifies:\n" + "".join("  # %s\n  - %s\n" % (p, p) for p in paths)
    if hashes and chooser.random() < 0.5:
        text += "base_hashes: {%s}\n" % ", ".join("%s: %s" % h for h in hashes)
    elif hashes:
        text += "base_hashes:\n" + "".join("  %s: '%s'\n" % h for h in hashes)
    return text + "adds:\n- extra/%s.txt" % name + chooser.choice(["", "\n", "\n# the end\n"])


def write_packages(history, folder, number, names, chooser):
    core = history.cores[number]
    now = {first: path for path, first in core.lineage.items()}
    for name in names:
        base = os.path.join(folder, "skills", name)
        paths = sorted(now[first] for first in history.skills[name])
        hashes = []
        if chooser.random() < 0.5:
            hashes = [(p, hashlib.sha256(core.text(p).encode()).hexdigest()) for p in paths]
        for path in paths:
            lines = history.skill_lines(name, core.lineage[path], 1)
            put(os.path.join(base, "modify", path), core.text(path, lines))
        put(os.path.join(base, "add/extra/%s.txt" % name), name + "\n")
        put(os.path.join(base, "SKILL.md"), "# %s\n" % name)
        put(os.path.join(base, "manifest.yaml"),
            write_manifest(chooser, paths, name, number, hashes))


def tree(project):
    return listing(project, OURS)


def expected(history, number, names):
    core = history.cores[number]
    out = {"VERSION": version(number) + "\n"}
    for path, first in core.lineage.items():
        lines = {}
        for name in names:
            lines.update(history.skill_lines(name, first, 1))
        out[path] = core.text(path, lines)
    for name in names:
        out["extra/%s.txt" % name] = name + "\n"
    return out


def check_comments(project, names):
    """What a person has written around it stays."""
    for name in names:
        text = open(os.path.join(project, "skills", name, "manifest.yaml")).read()
        for part in ("# written by hand", "version: '1.0.0' # the first", "mood: fine"):
            if part not in text:
                raise Failure("'%s' is gone from the manifest of %s:\n%s" % (part, name, text))


def run_pair(history, scratch, chooser, old, new):
    names = [n for n in history.skills if FEATURE not in history.skills[n] or new < 8 or old >= 8]
    names = [n for n in names if FEATURE not in history.skills[n] or old < 8]
    target = os.path.join(scratch, "core%d" % new)
    applied, packages, fresh = (os.path.join(scratch, "%s-%d-%d" % (what, old, new))
                                for what in ("applied", "packages", "fresh"))
    for project in (applied, packages):
        write_core(history, project, old)
        write_packages(history, project, old, names, random.Random(old * 100 + new))
        nanoclaw(project, "-q", "init")
    wanted = expected(history, new, names)
    nanoclaw(applied, "-q", "skill", "apply", *names)
    nanoclaw(applied, "-q", "--yes", "update", target)
    check_equal("updated from %d to %d" % (old, new), tree(applied), wanted)

    # Before the core is here, and after.
    against = target if chooser.random() < 0.5 else "."
    if against == ".":
        nanoclaw(packages, "-q", "--yes", "update", target)
    said = json.loads(nanoclaw(packages, "--json", "skill", "check", "--against", against))
    before = listing(os.path.join(packages, "skills"))
    done = json.loads(nanoclaw(packages, "--json", "skill", "refresh", "--all", "--against", against))
    told = {r["skill"]: r["against"]["files"] for r in said["results"]}
    for result in done["results"]:
        if result["files"] != told[result["skill"]]:
            raise Failure("the check says other than what happened: %s\n%s\n%s" % (
                result["skill"], told[result["skill"]], result["files"]))
    check_comments(packages, names)

    write_core(history, fresh, new)
    for path, text in listing(os.path.join(packages, "skills")).items():
        put(os.path.join(fresh, "skills", path), text)
    nanoclaw(fresh, "-q", "skill", "check", *("skills/" + n for n in names))
    if "nothing to do" not in nanoclaw(fresh, "skill", "refresh", "--all"):
        raise Failure("a second refresh has something to do")
    nanoclaw(fresh, "-q", "skill", "apply", *names)
    check_equal("refreshed from %d to %d" % (old, new), tree(fresh), wanted)
    if not all(r["fresh"] for r in done["results"]):
        nanoclaw(packages, "-q", "undo")
    check_equal("after an undo", listing(os.path.join(packages, "skills")), before)


def run(seed):
    history = History(seed)
    chooser = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="nanoclaw-refresh-") as scratch:
        for number in range(2, VERSIONS + 1):
            write_core(history, os.path.join(scratch, "core%d" % number), number)
        for _ in range(PAIRS):
            old, new = sorted(chooser.sample(range(1, VERSIONS + 1), 2))
            if not os.path.exists(os.path.join(scratch, "fresh-%d-%d" % (old, new))):
                run_pair(history, scratch, chooser, old, new)


def main():
    print("1..%d" % SEEDS)
    failed = False
    first = int(os.environ.get("NANOCLAW_SEED", "1"))
    for i in range(SEEDS):
        seed = first + i
        try:
            run(seed)
            print("ok %d - packages of history %d" % (i + 1, seed))
        except Failure as failure:
            failed = True
            print("not ok %d - packages of history %d" % (i + 1, seed))
            print("\n".join("# " + line for line in str(failure).split("\n")))
        sys.stdout.flush()
    return 1 if failed else 0


sys.exit(main())
