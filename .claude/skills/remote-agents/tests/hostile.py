"""hostile.py NANOCLAW-REMOTE [ROUNDS]: machines that lie to the host half of a remote agent, in TAP, and
so many with random damage. Each run ends with a message, and touches nothing outside of its writable
folder.

hostile.py machine CASE VERB…: the driver of such a machine."""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../../../tests/net"))

import tap

MESSAGE, DATA, TAKEN, END, OPEN = range(1, 6)
STDIN, STDOUT, STDERR, FILES = range(1, 5)
MEGABYTE = 1024 * 1024
FOLDER, READ_ONLY, FILE, SOCKET, SETTINGS = range(5)  # the mounts


def frame(stream, kind, payload=b"", length=None):
    return struct.pack(">HHI", stream, kind, len(payload) if length is None else length) + payload


def message(**members):
    return frame(0, MESSAGE, json.dumps(members).encode() + b"\n")


def file(name, content=b"x", kind=b"f", mount=FOLDER, size=None, whole=b"1"):
    name = name if isinstance(name, bytes) else name.encode()
    head = kind + struct.pack(">HHQQ", mount, len(name), len(content) if size is None else size,
                              1000000000)
    bytes_ = head + name + content + (whole if kind in b"fx" else b"")
    return b"".join(frame(FILES, DATA, bytes_[at:at + 65536]) for at in range(0, len(bytes_), 65536))


GREETING = message(version=1)
CASES = {
    "garbage": (b"\xff" * 4096, "a frame of an unknown type"),
    "a shell's greeting": (b"Welcome to Debian GNU/Linux!\n" * 9, "a frame of"),
    "a huge frame": (GREETING + frame(STDOUT, DATA, length=0xffffffff), "a frame of a wrong length"),
    "another version": (message(version=7), "of another version"),
    "two greetings": (GREETING * 2, "its greeting twice"),
    "no JSON": (frame(0, MESSAGE, b"{\n"), "message:1"),
    "a message without an end": (frame(0, MESSAGE, b"x" * 65536) * 70, "a message that is too long"),
    "an unknown message": (GREETING + message(give="me"), "a message that is unknown"),
    "a frame of no stream": (GREETING + frame(77, DATA, b"x"), "a frame of no stream"),
    "data after its end": (GREETING + frame(STDOUT, END) + frame(STDOUT, DATA, b"x"),
                           "more after the end"),
    "more than a window": (GREETING + frame(STDOUT, DATA, b"x" * 65536) * 40, "more than a window"),
    "bytes taken that were not sent": (GREETING + frame(STDIN, TAKEN, struct.pack(">I", 5)),
                                       "took more than it got"),
    "a connection to a folder": (GREETING + frame(16, OPEN, struct.pack(">I", FOLDER)),
                                 "a socket of others"),
    "a connection to nothing": (GREETING + frame(16, OPEN, struct.pack(">I", 4000)),
                                "a socket of others"),
    "a stream that is open": (GREETING + frame(STDOUT, OPEN, struct.pack(">I", SOCKET)),
                              "a stream that is open"),
    "files stored that were not sent": (GREETING + message(stored=9), "not sent"),
    "a file above": (GREETING + file("../x"), "a wrong name"),
    "a file above, inside": (GREETING + file("a/../../x"), "a wrong name"),
    "an absolute file": (GREETING + file("/etc/x"), "a wrong name"),
    "a file without a name": (GREETING + file(""), "a wrong name"),
    "a name with a NUL": (GREETING + file(b"a\0b"), "a wrong name"),
    "a name that is too long": (GREETING + file("x" * 300), "a wrong name"),
    "a link": (GREETING + file("x", b"/etc/passwd", kind=b"l"), "something else than a file"),
    "a device": (GREETING + file("x", kind=b"b"), "something else than a file"),
    "container.json": (GREETING + file("container.json"), "may not change"),
    "CONTAINER.JSON": (GREETING + file("CONTAINER.JSON"), "may not change"),
    "a folder container.json": (GREETING + file("container.json/x", b"", kind=b"d"), "may not change"),
    "the end of container.json": (GREETING + file("container.json", b"", kind=b"g"),
                                  "may not change"),
    "a file of a mount within": (GREETING + file("settings/x"), "may not change"),
    "our temporary file": (GREETING + file(".nanoclaw-tmp-0123456789abcdef"), "may not change"),
    "a read-only folder": (GREETING + file("x", mount=READ_ONLY), "a place of others"),
    "a read-only file": (GREETING + file("", mount=FILE), "a place of others"),
    "a file in a socket": (GREETING + file("x", mount=SOCKET), "a place of others"),
    "a mount that is not there": (GREETING + file("x", mount=999), "a place of others"),
    "3 GB": (GREETING + file("x", b"x" * 100, size=3 << 30, whole=b""), "the 1 MB of disk space"),
    "impossibly many bytes": (GREETING + file("x", size=(1 << 64) - 1, whole=b""),
                              "an impossible size"),
    "many small files": (GREETING + b"".join(file("f%d" % i) for i in range(400)),
                         "the 1 MB of disk space"),
    "a file through a link of ours": (
        GREETING + file("out/x") + message(exit=3), "not in a folder here"),
    "a link of ours": (GREETING + file("out", b"mine") + message(exit=3), "beside it"),
    "half a file": (GREETING + file("half", b"x", size=1000, whole=b"") + message(exit=3), ""),
    "an exit code of ours": (GREETING + message(exit=75), ""),
    "another exit code of ours": (GREETING + message(exit=76), ""),
    "pings without end": (GREETING + message(ping=1) * 600000, "does not read"),
}


def damaged(seed):
    """Frames of all cases, some with a wrong byte."""
    chance = random.Random(seed)
    parts = [case[0] for case in CASES.values() if len(case[0]) < 5000]
    data = [GREETING, *chance.sample(parts, 3), file("good"), message(exit=3)]
    for i in range(1, len(data) - 1):
        part = bytearray(data[i].removeprefix(GREETING))
        for _ in range(chance.randrange(3)):
            if part:
                part[chance.randrange(len(part))] = chance.randrange(256)
        data[i] = bytes(part)
    return b"".join(data)


def play(case):
    """The machine: writes all at once, and reads nothing."""
    data = damaged(int(case)) if case.isdigit() else CASES[case][0]
    try:
        while data:
            data = data[os.write(1, data[:65536]):]
        while os.read(0, 65536):
            pass
    except OSError:
        pass


def tree(root):
    found = {}
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                found[os.path.relpath(path, root)] = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as content:
                    found[os.path.relpath(path, root)] = content.read()
    return found


def run(program, root, case):
    with open(os.path.join(root, "sandboxes/remote.json"), "w", encoding="utf-8") as settings:
        json.dump({"driver": [sys.executable, os.path.abspath(__file__), "machine", case],
                   "lease_seconds": 2}, settings)
    mounts = [("/workspace/agent", "folder", "agent", True), ("/app", "folder", "shared", False),
              ("/app.md", "file", "shared/file", False), ("/run/host.sock", "socket", "socket", True),
              ("/workspace/agent/settings", "folder", "settings", True)]
    fds, listed = [], []
    for target, kind, path, writable in mounts:
        fds.append(os.open(os.path.join(root, path), os.O_PATH))
        listed.append({"fd": fds[-1], "target": target, "kind": kind, "writable": writable,
                       "counted": True})
    spec = os.memfd_create("spec", 0)
    os.write(spec, json.dumps({
        "installation": "i", "run": "r", "name": "n", "group": "g", "workdir": "/", "argv": ["x"],
        "env": [], "links": [], "mounts": listed, "memory": 1, "processes": 1, "cpu": 1,
        "disk": 1}).encode())
    os.lseek(spec, 0, os.SEEK_SET)
    done = subprocess.run([program, "run", "spec=%d" % spec], cwd=root, pass_fds=fds + [spec],
                          stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=300)
    for fd in fds + [spec]:
        os.close(fd)
    return done.returncode, done.stderr.decode("utf-8", "replace")


def make(root):
    for name in ("agent", "shared", "settings", "sandboxes", "outside"):
        os.mkdir(os.path.join(root, name))
    for name in ("agent/container.json", "shared/file", "settings/x", "outside/kept"):
        with open(os.path.join(root, name), "w", encoding="utf-8") as made:
            made.write("as it was\n")
    os.symlink("../outside", os.path.join(root, "agent/out"))
    os.mknod(os.path.join(root, "socket"), 0o600 | 0o140000)


def main(program, rounds=10):
    cases = [(case, words, (1, 3)) for case, (_, words) in CASES.items()]
    for case, words, codes in cases + [(str(i), "", (1, 3, 76)) for i in range(rounds)]:
        with tempfile.TemporaryDirectory(prefix="nanoclaw-hostile.") as root:
            make(root)
            before = tree(root)
            code, said = run(program, root, case)
            after = tree(root)
            before.pop("sandboxes/remote.json", None)
            after.pop("sandboxes/remote.json")
            grown = {name for name in after if before.get(name) != after[name]}
            mine = {name for name in grown if name.startswith("agent/") and
                    name not in before and ".nanoclaw-tmp" not in name}
            tap.result(code in codes and words in said and "Sanitizer" not in said and grown == mine and
                       not set(before) - set(after), case, (code, said[-500:], grown))
    sys.exit(tap.end())


if sys.argv[1] != "machine":
    main(os.path.abspath(sys.argv[1]), *map(int, sys.argv[2:]))
elif sys.argv[3] == "place":
    play(sys.argv[2])
