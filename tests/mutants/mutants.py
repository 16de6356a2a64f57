#!/usr/bin/env python3
"""Puts small faults into the source, one at a time, and asks the tests whether they notice.

    mutants.py [--count N] [--seed S] [--at-least PERCENT] [--tests REGEX] [--folder FOLDER]
               [--list FILE] PLACE...

PLACE is a folder of src, a file, or a line of a file (src/engine/disk/journal.c:20). The tree is
copied and built with trace.c, and each test runs once to see which lines it reaches; one that
fails there is named and left out. A fault in the engine is shown to the tests of the engine, any
other to those of the host: to those that reach it, the quickest first, until one fails twice.
Prints TAP: a line for each fault, and at the end whether enough of them were noticed, and by
which tests. A survivor is printed with what was changed, so that a person can judge it: one that
changes nothing that anybody could see goes into `judged`, with the reason, and is not tried
again. Which faults a seed selects depends on their text alone, so a change elsewhere does not
select others.

--folder keeps the copy there, so that the next run builds only what changed. --list writes which
test noticed which fault: a line for each, with the test, the place and the fault, separated by
tabs; the test of a survivor is "-".
"""

import argparse
import collections
import concurrent.futures
import contextlib
import filecmp
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUITES = {"engine": ("cli", "crash", "engine", "ledger", "unit"), "host": ("cli", "host", "unit")}
LEFT_OUT = {"engine": r"host|compose$", "host": r"engine|torture|walk|groups"}
# These try packages and programs of others, or build NanoClaw again.
FOREIGN = re.compile(r"/tests/(npm|builds|shipped)/|/\.claude/skills/|nanoclaw-shipped|nanoclaw-bridge")
# A fault can make a process run for ever, or eat the machine.
LIMITS = ((resource.RLIMIT_CPU, 60), (resource.RLIMIT_DATA, 2 << 30))
TEST_SECONDS = 600
# Whose lines can be traced: the launcher of sandboxes is linked statically.
PROGRAMS = ("nanoclaw", "nanoclaw-mcp", "nanoclaw-native", "nanoclaw-offline")
SCENARIO = ["tests/harness/scenario", "./nanoclaw"]
# An error that is ignored shows only where one occurs: in crash tests of so many scenarios.
CRASHED_SCENARIOS = 5


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
    """A whole statement that is a call, or an assignment to a field, left out.

    What only frees memory is for the sanitizers.
    """
    if (re.match(r"^\t+(?!CLEANUP|return|goto|if|else|while|for|do)[\w>.\-]+\(.*\);$", line) and
            not re.match(r"^\t+\w*(free|release|closep?|closedir)\(", line)):
        yield "call left out", re.match(r"^\t+", line)[0] + ";"
    if re.match(r"^\t+[\w>.\-\[\]]+(?:->|\.)\w+ = .*;$", line):
        yield "assignment left out", re.match(r"^\t+", line)[0] + ";"


def results(line):
    for old, new in (("return true;", "return false;"), ("return false;", "return true;"),
                     ("return -1;", "return 0;")):
        if line.strip() == old:
            yield "result swapped", line.replace(old, new)


Mutant = collections.namedtuple("Mutant", "path number what was now")
MUTATIONS = (conditions, operators, ignored_errors, last_elements, calls, results)


def find_mutants(places):
    """Every fault that can be made and is not judged."""
    judged = read_judged()
    for place in places:
        place, _, only = place.partition(":")
        inside = glob.glob(place + "/**/*.c", root_dir=SOURCE, recursive=True)
        for path in sorted(inside) or [place]:
            with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
                lines = file.read().split("\n")
            for number, line in enumerate(lines, 1):
                if not line.startswith("\t") or line.lstrip().startswith(("*", "/*", "assert(")):
                    continue
                if only and number != int(only):
                    continue
                for mutation in MUTATIONS:
                    for what, changed in mutation(line):
                        if (path, line.strip(), changed.strip()) not in judged:
                            yield Mutant(path, number, what, line, changed)


def shuffled(mutants, seed):
    """In an order that a fault elsewhere, new or gone, does not change."""
    seen = collections.Counter()
    keys = {}
    for mutant in mutants:
        text = repr((seed, mutant.path, mutant.was.strip(), mutant.now.strip()))
        seen[text] += 1  # equal lines of a file
        keys[mutant] = hashlib.sha256(b"%d%s" % (seen[text], text.encode())).digest()
    return sorted(mutants, key=keys.get)


def read_judged():
    """(file, line, new line) of the faults without a visible effect."""
    with open(os.path.join(SOURCE, "tests/mutants/judged"), encoding="utf-8") as file:
        blocks = file.read().split("\n\n")[1:]
    return {tuple(re.sub(r"^(was|now): ?", "", line) for line in block.split("\n")[:3])
            for block in blocks}


class Test:
    """A command that fails when something is wrong."""

    def __init__(self, name, command, env, needs):
        self.name = name
        self.command = command
        self.env = env
        self.programs = [part for part in command if part.startswith(("./", "tests/"))]
        self.needs = needs  # programs to build for it
        self.seconds = 0
        self.lines = {}  # file: the lines at which blocks begin that it reaches


def introspect(build, what):
    return json.loads(subprocess.check_output(["meson", "introspect", what, build]))


def find_tests(build, kind):
    """Of the engine, or of the host; a scenario, and a mode of its crash test, is one of its own."""
    files_of = {target["id"]: target["filename"] for target in introspect(build, "--targets")}
    found = {}
    for test in introspect(build, "--tests"):
        name = test["name"]
        if (test["suite"][0].split(":")[1] not in SUITES[kind] or name.endswith("-fails") or
                re.match(LEFT_OUT[kind], name) or FOREIGN.search(" ".join(test["cmd"]))):
            continue
        command = [part.replace(build + "/tests", "tests") for part in test["cmd"]]
        needs = [os.path.relpath(file, build)
                 for need in test["depends"] for file in files_of.get(need, [])]
        env = {name: value for name, value in test["env"].items()
               if name not in ("NANOCLAW_CRASH_ERROR_STRIDE", "NANOCLAW_CRASH_INNER_STRIDE",
                               "NANOCLAW_SHARD", "TMPDIR")}
        files, modes = [[]], [{}]
        if os.path.basename(command[0]) in ("scenario", "crash"):
            at = command.index("--nanoclaw") + 2
            files = [[file] for part in command[at:]
                     for file in sorted(glob.glob(part + "/*.t")) or [part]]
            command = command[:at]
            name = re.sub(r"-\d+$", "", name)
        if command[0].endswith("crash") and "--power" not in command:
            modes = [{"NANOCLAW_CRASH_MODE": mode}
                     for mode in ("kill", "torn", "eio", "enospc", "read", "call")]
        for file in files:
            for mode in modes:
                parts = [name] + [os.path.basename(part) for part in file] + list(mode.values())
                found[str((command + file, env, mode))] = Test(
                    " ".join(parts), command + file, {**env, **mode}, needs)
    return list(found.values())


def is_marked(scenario):
    """Has it a command for the crash test?"""
    if not scenario.endswith(".t"):
        return False
    with open(scenario, encoding="utf-8") as file:
        return bool(re.search(r"^\$!", file.read(), re.M))


class Copy:
    """A copy of the tree with a build folder, and the tests with what they reach in it."""

    def __init__(self, folder, kind, wanted):
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o755)
        self.folder = folder
        self.tree = os.path.join(folder, "tree")
        self.build = os.path.join(folder, "build")
        self.tmp = os.path.join(folder, "tmp")
        self.env = dict(os.environ, CCACHE_BASEDIR=folder, CCACHE_NOHASHDIR="1",
                        NANOCLAW_ALLOW_COMMANDS="1")
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1)
        self.places = collections.defaultdict(dict)  # program: offset in it: (file, line)
        self.blocks = collections.defaultdict(set)  # file: the lines at which blocks begin
        self.setup()
        self.tests = [test for test in find_tests(self.build, kind)
                      if re.search(wanted, " ".join([test.name] + test.command))]
        if not self.builds(self.tests, PROGRAMS):
            sys.exit("this cannot be built, even without a fault")
        self.find_blocks()
        for test in self.failing(self.tests, trace=True):
            print("# left out, because it fails without a fault: %s" % test.name, flush=True)
            self.tests.remove(test)

    def setup(self):
        listing = subprocess.check_output(["git", "ls-files", "-z"], cwd=SOURCE)
        files = set(listing.decode().rstrip("\0").split("\0"))
        for path in glob.glob("**", root_dir=self.tree, recursive=True, include_hidden=True):
            if path not in files and not os.path.isdir(os.path.join(self.tree, path)):
                os.unlink(os.path.join(self.tree, path))
        for path in files:
            source, target = os.path.join(SOURCE, path), os.path.join(self.tree, path)
            if os.path.isfile(target) and filecmp.cmp(source, target, shallow=False):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.lexists(target):
                os.unlink(target)
            shutil.copy(source, target, follow_symlinks=False)
        trace = os.path.join(self.folder, "trace.o")
        again = ["--reconfigure"] if os.path.exists(self.build + "/build.ninja") else []
        for command in (
                ["cc", "-D_GNU_SOURCE", "-O1", "-o", trace, "-c",
                 os.path.join(self.tree, "tests/mutants/trace.c")],
                ["meson", "setup", *again, self.build, self.tree, "-Dtests=enabled",
                 "-Doptimization=0", "-Dc_args=-fsanitize-coverage=trace-pc", "-Dc_link_args=" + trace]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=self.env)

    # --- running tests

    def passes(self, test, trace):
        started = time.monotonic()
        env = {**self.env, **test.env, "TMPDIR": self.tmp}
        if trace:
            env["LLVM_PROFILE_FILE"] = tempfile.mkdtemp(prefix="trace-", dir=self.folder)
            os.chmod(env["LLVM_PROFILE_FILE"], 0o777)
        try:
            code = subprocess.run(
                test.command, cwd=self.build, env=env, check=False, timeout=TEST_SECONDS,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                preexec_fn=lambda: [resource.setrlimit(what, (most, most))
                                    for what, most in LIMITS]).returncode
        except subprocess.TimeoutExpired:
            return False
        if trace:
            test.seconds = time.monotonic() - started
            test.lines = self.reached(test, env["LLVM_PROFILE_FILE"])
            shutil.rmtree(env["LLVM_PROFILE_FILE"])
        return code == 0

    def failing(self, tests, trace=False):
        """The tests that fail: all of them with a trace, else none is begun after the first."""
        shutil.rmtree(self.tmp, ignore_errors=True)
        os.mkdir(self.tmp)
        os.chmod(self.tmp, 0o1777)
        running = {self.pool.submit(self.passes, test, trace): test for test in tests}
        failed = []
        for future in concurrent.futures.as_completed(running):
            if not future.cancelled() and not future.result():
                failed.append(running[future])
                for other in running if not trace else ():
                    other.cancel()
        return failed

    def noticing(self, tests):
        """The test that fails twice, or None: once may be the load of the machine."""
        while tests:
            failed = self.failing(tests)
            again = [test for test in failed if self.failing([test])]
            if again or not failed:
                return again[0] if again else None
            tests = [test for test in tests if test not in failed]
        return None

    # --- what they reach

    def reached(self, test, folder):
        lines = collections.defaultdict(set)
        for program in test.programs:
            trace = os.path.join(folder, os.path.basename(program))
            if os.path.exists(trace):
                with open(trace, "rb") as file:
                    offsets = [match.start() for match in re.finditer(b"\1", file.read())]
                self.find_places(program, offsets)
                for offset in offsets:
                    path, line = self.places[program][offset]
                    lines[path].add(line)
        return dict(lines)

    def find_places(self, program, offsets):
        unknown = [offset for offset in offsets if offset not in self.places[program]]
        answers = subprocess.run(
            ["addr2line", "-e", os.path.join(self.build, program)], check=True,
            input="".join("%x\n" % (offset - 1) for offset in unknown), text=True,
            stdout=subprocess.PIPE).stdout.split("\n") if unknown else []
        for offset, answer in zip(unknown, answers):
            path, _, line = answer.partition(":")
            number = re.match(r"\d*", line)[0]
            # What ccache kept can name another copy of the tree.
            self.places[program][offset] = path.rpartition("/tree/")[2], int(number or 0)

    def find_blocks(self):
        """Of whole programs, also those that no test reaches."""
        for program in PROGRAMS:
            code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], check=True,
                                  cwd=self.build, text=True, stdout=subprocess.PIPE).stdout
            calls = re.findall(r"^ *([0-9a-f]+):\s+call.*<__sanitizer_cov_trace_pc>", code, re.M)
            offsets = [int(call, 16) + 1 for call in calls]
            self.find_places(program, offsets)
            for offset in offsets:
                path, line = self.places[program][offset]
                self.blocks[path].add(line)

    def tests_that_reach(self, path, number):
        """The quickest first."""
        begin = max((line for line in self.blocks[path] if line <= number), default=0)
        return sorted((test for test in self.tests if begin in test.lines.get(path, ())),
                      key=lambda test: test.seconds)

    # --- faults

    def builds(self, tests, programs=()):
        targets = {program for test in tests for program in test.needs} | set(programs)
        return subprocess.run(["ninja", "-C", self.build] + sorted(targets), env=self.env,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0

    def crashes(self, path, number):
        """Crash tests of scenarios that reach the lines before, where the error comes from.

        Those that reach most of the file know it best.
        """
        marked = []
        for before in range(number - 1, max(number - 6, 0), -1):
            for test in sorted(self.tests_that_reach(path, before),
                               key=lambda test: -len(test.lines[path])):
                scenario = test.command[-1]
                if test.programs == SCENARIO and scenario not in marked and is_marked(scenario):
                    marked.append(scenario)
            if marked:
                break
        needs = ["tests/harness/crash", "tests/nanoclaw-faulty"]
        return [Test("crash %s %s" % (os.path.basename(scenario), mode),
                     [needs[0], "--nanoclaw", needs[1], scenario],
                     {"NANOCLAW_CRASH_MODE": mode}, needs)
                for mode in ("call", "read") for scenario in marked[:CRASHED_SCENARIOS]]

    def judge(self, path, number, is_error):
        """The test that notices the fault in the tree, or how many did not; None: not built."""
        tests = self.tests_that_reach(path, number)
        scenarios = [test for test in tests if test.programs == SCENARIO]
        others = [test for test in tests if test.programs != SCENARIO]
        crashes = self.crashes(path, number) if is_error else []
        if not tests and not self.builds([], PROGRAMS):
            return None
        for some in (scenarios, others, crashes):  # most faults need only the one program
            if some and not self.builds(some):
                return None
            noticing = self.noticing(some)
            if noticing:
                return noticing
        return len(tests) + len(crashes)

    def try_mutant(self, mutant):
        target = os.path.join(self.tree, mutant.path)
        with open(target, encoding="utf-8") as file:
            original = file.read()
        lines = original.split("\n")
        lines[mutant.number - 1] = mutant.now
        try:
            with open(target, "w", encoding="utf-8") as file:
                file.write("\n".join(lines))
            return self.judge(mutant.path, mutant.number,
                              mutant.what in ("error ignored", "result swapped"))
        finally:
            with open(target, "w", encoding="utf-8") as file:
                file.write(original)


def temporary_folder():
    in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="nanoclaw-mutants-", dir=in_memory)


def report(number, mutant, verdict):
    noticed = isinstance(verdict, Test)
    print("ok %d - %s:%d %s: %s" %
          (number, mutant.path, mutant.number, mutant.what,
           "noticed by " + verdict.name if noticed else
           "survived %d tests" % verdict if verdict else "no test reaches it"))
    if not noticed:
        print("#   was: %s\n#   now: %s" % (mutant.was.strip(), mutant.now.strip()))
    sys.stdout.flush()


def write_list(path, tried):
    with open(path, "w", encoding="utf-8") as file:
        for mutant, verdict in tried:
            name = verdict.name if isinstance(verdict, Test) else "-"
            place = "%s:%d" % (mutant.path, mutant.number)
            print(name, place, mutant.what, mutant.now.strip(), sep="\t", file=file)


def try_all(mutants, copy, count):
    tried = []
    for mutant in mutants:
        if len(tried) == count:
            break
        verdict = copy.try_mutant(mutant)
        if verdict is not None:
            tried.append((mutant, verdict))
            report(len(tried), mutant, verdict)
    return tried


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-least", type=int, default=90, metavar="PERCENT")
    parser.add_argument("--tests", default="", metavar="REGEX")
    parser.add_argument("--folder")
    parser.add_argument("--list", metavar="FILE")
    parser.add_argument("places", nargs="+", metavar="PLACE")
    options = parser.parse_args()

    kinds = {"engine" if place.startswith("src/engine") else "host" for place in options.places}
    if len(kinds) > 1:
        sys.exit("the engine and other rooms have different tests: try them one after the other")
    mutants = list(find_mutants(options.places))
    if not mutants:
        sys.exit("there is nothing to change in %s" % " ".join(options.places))
    mutants = shuffled(mutants, options.seed)
    print("# %d faults can be made, %d are tried; seed %d" %
          (len(mutants), min(options.count, len(mutants)), options.seed), flush=True)

    with contextlib.ExitStack() as stack:
        folder = options.folder or stack.enter_context(temporary_folder())
        tried = try_all(mutants, Copy(folder, kinds.pop(), options.tests), options.count)
    if options.list:
        write_list(options.list, tried)
    names = collections.Counter(verdict.name for _, verdict in tried if isinstance(verdict, Test))
    for name, times in names.most_common():
        print("# %s noticed %d" % (name, times))
    noticed = 100 * names.total() // max(len(tried), 1)
    good = tried and noticed >= options.at_least
    print("%s %d - the tests notice %d of %d faults, %d %%" %
          ("ok" if good else "not ok", len(tried) + 1, names.total(), len(tried), noticed))
    print("1..%d" % (len(tried) + 1))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
