#!/usr/bin/env python3
"""Tests that installations made by earlier programs can be read and continued.

	installations.py [--record] NANOCLAW [NAME...]

NAME.tar.gz is an installation; make.sh shows how it was made. NAME.expected lists commands to
try on it and their outcomes. --record runs the commands and rewrites the outcomes. The format:

	# a comment, kept by --record; only before the first case
	== name of a case; every case starts from a fresh copy
	$ a command, run by sh in the project
	? its exit code, if not 0

followed by the state, taken from `nanoclaw status --json` and `nanoclaw verify`:

	core 1.0.0
	skill telegram 1.0.0		in the order of application
	drift src/a.txt
	pending skill apply		the paused operation
	conflict src/a.txt		an open conflict or decision
	verify 0			exit code of `nanoclaw verify`

and by the files outside .nanoclaw that the command changed:

	file SHA256 src/a.txt
	exec SHA256 tool		an executable file
	link src/a.txt link		a symbolic link and its target
	gone - src/b.txt
	open - src/a.txt		an open conflict: the labels of its markers may change
	again same			../again, the result of a replay, equals the project
	again file SHA256 src/b.txt	or differs from it in these files

The output of commands is not compared. A failure prints the lines that differ, the end
of the output, and for a changed text file its diff against the archive.
"""

import concurrent.futures
import difflib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PASSED = ("ASAN_OPTIONS", "GCOV_PREFIX", "GCOV_PREFIX_STRIP", "LLVM_PROFILE_FILE", "LSAN_OPTIONS",
          "MALLOC_PERTURB_", "UBSAN_OPTIONS")
# A file system in memory, unless the caller wants another one: unpacking takes most of the time.
SCRATCH = "/dev/shm" if "TMPDIR" not in os.environ and os.access("/dev/shm", os.W_OK) else None


class Failure(Exception):
    pass


class Step:
    def __init__(self, command):
        self.command = command
        self.lines = []


class Case:
    def __init__(self, name):
        self.name = name
        self.steps = []


def read_expected(path):
    """Comments and cases."""
    comments, cases = [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line.startswith("== "):
                cases.append(Case(line[3:]))
            elif line.startswith("$ ") and cases:
                cases[-1].steps.append(Step(line[2:]))
            elif not cases:
                comments.append(line)
            elif line and cases[-1].steps:
                cases[-1].steps[-1].lines.append(line)
            elif line:
                raise Failure("%s:%d: expected a command" % (path, number))
    return comments, cases


def write_expected(path, comments, cases):
    with open(path, "w", encoding="utf-8") as file:
        for line in comments:
            print(line, file=file)
        for i, case in enumerate(cases):
            if i:
                print(file=file)
            print("== " + case.name, file=file)
            for step in case.steps:
                print("$ " + step.command, file=file)
                for line in step.lines:
                    print(line, file=file)


def listing(root):
    """Maps each path outside .nanoclaw to 'kind value'."""
    out = {}
    for folder, folders, files in os.walk(root):
        if folder == root:
            folders[:] = [name for name in folders if name != ".nanoclaw"]
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in files + links:
            full = os.path.join(folder, name)
            path = os.path.relpath(full, root)
            if os.path.islink(full):
                out[path] = "link " + os.readlink(full)
                continue
            with open(full, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            out[path] = ("exec " if os.stat(full).st_mode & 0o100 else "file ") + digest
    return out


def differences(before, after):
    paths = sorted(path for path in set(before) | set(after)
                   if before.get(path) != after.get(path))
    return ["%s %s" % (after.get(path, "gone -"), path) for path in paths]


class Run:
    """One case, in its own copy of the installation."""

    def __init__(self, nanoclaw, archive, scratch):
        self.root = scratch
        self.project = os.path.join(scratch, "p")
        for folder in ("bin", "home", "tmp"):
            os.mkdir(os.path.join(scratch, folder))
        os.symlink(nanoclaw, os.path.join(scratch, "bin", "nanoclaw"))
        subprocess.run(["tar", "-xzf", archive, "-C", scratch], check=True)
        self.replace_paths()
        self.environment = {
            "PATH": os.path.join(scratch, "bin") + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": os.path.join(scratch, "home"),
            "TMPDIR": os.path.join(scratch, "tmp"),
            "LC_ALL": "C.UTF-8",
            "NANOCLAW_ALLOW_COMMANDS": "1",
            "SOURCE_DATE_EPOCH": "981173106",
            "TZ": "UTC",
        }
        self.environment.update((name, os.environ[name]) for name in PASSED if name in os.environ)
        self.files = listing(self.project)
        self.output = ""

    def replace_paths(self):
        """A pause records absolute paths; make.sh wrote @HERE@ for them."""
        for folder, _, files in os.walk(os.path.join(self.project, ".nanoclaw")):
            if "pause.yaml" in files:
                path = os.path.join(folder, "pause.yaml")
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.replace("@HERE@", self.root))

    def execute(self, command):
        done = subprocess.run(command, cwd=self.project, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True)
        self.output = (done.stdout + done.stderr).decode("utf-8", "replace")
        return done.returncode, done.stdout

    def state(self):
        """What status and verify report."""
        code, out = self.execute(["nanoclaw", "--json", "status"])
        if code:
            return ["status %d" % code]
        said = json.loads(out)
        lines = []
        if said["initialized"]:
            lines.append("core " + said["coreVersion"])
        lines += ["skill %s %s" % (skill["name"], skill["version"]) for skill in said["skills"]]
        lines += ["drift " + path for path in sorted(said["drift"])]
        if said["pending"]:
            lines.append("pending " + said["pending"]["operation"])
            lines += ["conflict " + path for path in sorted(said["pending"]["conflicts"])]
        code, _ = self.execute(["nanoclaw", "verify"])
        lines.append("verify %d" % code)
        return lines

    def step(self, step):
        """Runs the command and returns its outcome."""
        code, _ = self.execute(["/bin/sh", "-c", step.command])
        output = self.output
        lines = ["? %d" % code] if code else []
        lines += self.state()
        self.output = output
        before, self.files = self.files, listing(self.project)
        for line in differences(before, self.files):
            path = line.split(" ", 2)[2]
            lines.append("open - " + path if "conflict " + path in lines else line)
        again = os.path.join(self.root, "again")
        if os.path.isdir(again):
            different = differences(self.files, listing(again))
            lines += ["again " + line for line in different or ["same"]]
            shutil.rmtree(again)
        return lines


def changed_lines(run, archive, path):
    """The diff of a text file between the archive and now."""
    now = os.path.join(run.project, path)
    if os.path.islink(now) or not os.path.isfile(now):
        return []
    with open(now, "rb") as file:
        new = file.read()
    old = subprocess.run(["tar", "-xzOf", archive, "p/" + path], capture_output=True).stdout
    if b"\0" in old + new:
        return []
    return list(difflib.unified_diff(old.decode("utf-8", "replace").split("\n"),
                                     new.decode("utf-8", "replace").split("\n"),
                                     path + " in the archive", path + " now", lineterm=""))


def compare(run, archive, step, got):
    if got == step.lines:
        return
    text = ["$ " + step.command]
    text += ["expected: " + line for line in step.lines if line not in got]
    text += ["got:      " + line for line in got if line not in step.lines]
    if sorted(got) == sorted(step.lines):
        text.append("in another order: " + "; ".join(got))
    text += ["  | " + line for line in run.output.rstrip("\n").split("\n")[-20:]]
    for line in got:
        if line not in step.lines and line.split(" ")[0] in ("file", "exec"):
            text += changed_lines(run, archive, line.split(" ", 2)[2])
    raise Failure("\n".join(text))


def try_case(nanoclaw, name, case, record):
    """Returns None, or the text of the failure."""
    archive = os.path.join(HERE, name + ".tar.gz")
    with tempfile.TemporaryDirectory(prefix="nanoclaw-installation-", dir=SCRATCH) as scratch:
        try:
            run = Run(nanoclaw, archive, os.path.realpath(scratch))
            for step in case.steps:
                got = run.step(step)
                if record:
                    step.lines = got
                else:
                    compare(run, archive, step, got)
        except (Failure, OSError, KeyError, ValueError, subprocess.SubprocessError) as failure:
            return "%s: %s" % (type(failure).__name__, failure) \
                if not isinstance(failure, Failure) else str(failure)
    return None


def main():
    words = sys.argv[1:]
    record = "--record" in words
    words = [word for word in words if word != "--record"]
    nanoclaw = os.path.abspath(words[0])
    names = words[1:] or sorted(name[:-7] for name in os.listdir(HERE) if name.endswith(".tar.gz"))
    os.umask(0o022)

    expected = {name: read_expected(os.path.join(HERE, name + ".expected")) for name in names}
    cases = [(name, case) for name in names for case in expected[name][1]]
    print("1..%d" % len(cases))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        wrongs = pool.map(lambda one: try_case(nanoclaw, one[0], one[1], record), cases)
        for number, ((name, case), wrong) in enumerate(zip(cases, wrongs), 1):
            print("%s %d - %s: %s" % ("not ok" if wrong else "ok", number, name, case.name))
            if wrong:
                failed += 1
                print("\n".join("# " + line for line in wrong.split("\n")))
    if record:
        for name in names:
            write_expected(os.path.join(HERE, name + ".expected"), *expected[name])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
