#!/usr/bin/env python3
"""A driver of remote agents that places them on this machine, in namespaces of bubblewrap with the
programs of this machine: for tests, and to be read. docs/remote-agents.md explains drivers.

    driver place SPEC    its standard input and output become those of nanoclaw-node
    driver remove NAME
    driver list          a name per line
"""

import json
import os
import signal
import sys

LABEL = "remote-run="


def runs():
    """The numbers of processes, and the names of their runs."""
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % number, "rb") as file:
                words = file.read().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        for word in words:
            if word.startswith(LABEL):
                yield int(number), word[len(LABEL):]


def program(name):
    """The path of one of NanoClaw's programs."""
    folders = os.environ.get("NANOCLAW_PROGRAMS", "").split(":")
    for folder in folders + ["/usr/local/libexec/nanoclaw", "/usr/libexec/nanoclaw"]:
        path = os.path.join(folder, name)
        if folder and os.access(path, os.X_OK):
            return os.path.realpath(path)
    print(name + " is not installed", file=sys.stderr)
    sys.exit(1)


def place(spec):
    words = ["bwrap", "--unshare-all", "--as-pid-1", "--die-with-parent", "--cap-drop", "ALL",
             "--clearenv", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev",
             "/dev"]
    for path in ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"):
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    for path in ("/workspace", "/app", "/home", "/tmp", "/opt", "/run"):
        words += ["--tmpfs", path]
    for name in ("nanoclaw-node", "nanoclaw-sandbox"):
        words += ["--ro-bind", program(name), "/run/" + name]
    os.execvp(words[0], words + ["--", "/run/nanoclaw-node", LABEL + spec["name"]])


def main():
    if sys.argv[1] == "place":
        place(json.loads(sys.argv[2]))
    elif sys.argv[1] == "list":
        for name in sorted({name for _, name in runs()}):
            print(name)
    elif sys.argv[1] == "remove":
        for number, name in runs():
            if name == sys.argv[2]:
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    pass


main()
