#!/usr/bin/env python3
"""Hostile commits: refused with exit code 2, and nothing is touched.

    commits.py NANOCLAW

Every case is a commit with an innocent package in which one thing is spoiled, written as git
itself would refuse to. The rest is as in archives.py. Prints TAP.
"""

import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import archives  # noqa: E402

NOTHING = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}


class Repository:
    def __init__(self, folder):
        self.folder = folder
        self.git("init", "-q")
        self.file = self.write("blob", b"x\n")

    def git(self, *words, text=b""):
        return subprocess.run(["git", "-C", self.folder] + list(words), input=text, env=NOTHING,
                              stdout=subprocess.PIPE, check=True).stdout.decode().strip()

    def write(self, kind, text):
        return self.git("hash-object", "-w", "-t", kind, "--literally", "--stdin", text=text)

    def tree(self, *entries):
        return self.write("tree", b"".join(mode + b" " + name + b"\0" + bytes.fromhex(thing)
                                           for mode, name, thing in entries))

    def folder_of(self, name, *entries):
        return (b"40000", name, self.tree(*entries))

    def commit(self, ref, *more):
        top = self.tree(self.folder_of(b"add", (b"100644", b"x.txt", self.file)),
                        (b"100644", b"manifest.yaml", self.write("blob", archives.MANIFEST)),
                        *more)
        commit = self.write("commit", b"tree " + top.encode() + b"\n"
                            b"author a <a> 0 +0000\ncommitter a <a> 0 +0000\n\n")
        self.git("update-ref", "refs/heads/" + ref, commit)


def nested(repository):
    tree = repository.tree((b"100644", b"f", repository.file))
    for _ in range(6):
        tree = repository.tree(*[(b"40000", b"%d" % i, tree) for i in range(10)])
    return (b"40000", b"many", tree)


def cases(repo):
    evil = (b"100644", b"evil", repo.file)
    return [
        ("a folder '..'", [repo.folder_of(b"..", evil)]),
        ("a name with slashes", [(b"100644", b"a/../../../outside/x", repo.file)]),
        ("a name that is absolute", [(b"100644", b"/tmp/nanoclaw-evil", repo.file)]),
        ("a folder '.git'", [repo.folder_of(b".git", evil)]),
        ("a folder '.GIT' below", [repo.folder_of(b"tests", repo.folder_of(b".GIT", evil))]),
        ("a folder '.nanoclaw'", [repo.folder_of(b".nanoclaw", evil)]),
        ("a file twice", [(b"100644", b"manifest.yaml", repo.file)]),
        ("a folder that is a file, too", [(b"100644", b"add", repo.file)]),
        ("a file that is a folder, too", [repo.folder_of(b"manifest.yaml", evil)]),
        ("a symbolic link", [(b"120000", b"link", repo.write("blob", b"/etc/passwd"))]),
        ("a submodule", [(b"160000", b"module", "12" * 20)]),
        ("a content that is missing", [(b"100644", b"gone", "12" * 20)]),
        ("a folder called a file", [(b"100644", b"odd", repo.tree(evil))]),
        ("a million files", [nested(repo)]),
        ("a file that the manifest does not list",
         [repo.folder_of(b"modify", (b"100644", b"y", repo.file))]),
    ]


def main():
    nanoclaw = os.path.realpath(sys.argv[1])
    if not shutil.which("git"):
        print("1..0 # SKIP git is not installed")
        return
    with tempfile.TemporaryDirectory() as top:
        repository = Repository(top)
        spoiled = cases(repository)
        repository.commit("good", (b"100664", b"SKILL.md", repository.file))
        good = archives.run(nanoclaw, "an innocent commit is not refused", None, 0, 1,
                            "git+%s@good" % top)
        for number, (name, more) in enumerate(spoiled, 2):
            repository.commit("case%d" % number, *more)
            good &= archives.run(nanoclaw, name, None, 2, number,
                                 "git+%s@case%d" % (top, number))
    print("1..%d" % (len(spoiled) + 1))
    sys.exit(0 if good else 1)


main()
