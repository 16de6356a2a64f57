#!/usr/bin/env python3
"""Hostile archives: refused with exit code 2, and nothing is touched.

    archives.py NANOCLAW [floods]

Every case is a .tar.gz with an innocent package in which one thing is spoiled. The project, what
lies beside it, and the folder for temporary files must be the same before and after. With "floods"
the cases are those that inflate to gigabytes. Prints TAP.
"""

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile

MANIFEST = b"skill: x\nversion: 1.0.0\ncore_version: 1.0.0\nadds: [x.txt]\n"


def member(name, content=b"", kind=tarfile.REGTYPE, mode=0o644, link=""):
    info = tarfile.TarInfo(name)
    info.size = len(content) if kind == tarfile.REGTYPE else 0
    info.type = kind
    info.mode = mode
    info.linkname = link
    return info, content


INNOCENT = [member("x/manifest.yaml", MANIFEST), member("x/add/x.txt", b"x\n")]


def pack(members, form=tarfile.PAX_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as tar:
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
    return out.getvalue()


def spoiled(*more, form=tarfile.PAX_FORMAT):
    return gzip.compress(pack(INNOCENT + list(more), form))


def with_header(change):
    """The first header with some bytes changed, and its checksum mended."""
    data = bytearray(pack(INNOCENT, tarfile.USTAR_FORMAT))
    change(data)
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    return gzip.compress(bytes(data))


def put(start, text):
    def change(data):
        data[start:start + len(text)] = text
    return change


def bomb():
    info, _ = member("x/add/big")
    info.size = 2 << 30
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1) as stream:
        stream.write(info.tobuf(tarfile.GNU_FORMAT))
        for _ in range(64):
            stream.write(b"\0" * (1 << 20))
    return out.getvalue()


def flood():
    """Four gigabytes of headers that say nothing, as members of gzip that are alike."""
    info, _ = member("g", kind=tarfile.XGLTYPE)
    info.size = 1 << 16
    piece = (info.tobuf(tarfile.USTAR_FORMAT) + b"\0" * (1 << 16)) * 1000
    return gzip.compress(pack(INNOCENT)[:-10240]) + gzip.compress(piece) * 64


LONG = "x/" + "a" * 200 + "/" + "b" * 200
WHOLE = gzip.compress(pack(INNOCENT))
CASES = [
    ("a path that is absolute", spoiled(member("/etc/x", b"x"))),
    ("a path that leads out", spoiled(member("../outside/x", b"x"))),
    ("a path that leads out from within", spoiled(member("x/../../outside/x", b"x"))),
    ("a long path that leads out", spoiled(member("../" * 60 + LONG, b"x"))),
    ("a long path that leads out, as GNU writes it",
     spoiled(member("../" * 60 + LONG, b"x"), form=tarfile.GNU_FORMAT)),
    ("a folder that leads out", spoiled(member("../outside/y", kind=tarfile.DIRTYPE))),
    ("an empty component", spoiled(member("x//y", b"x"))),
    ("a component that is a dot", spoiled(member("x/./y", b"x"))),
    ("a name with a newline", spoiled(member("x/../a\nb", b"x"))),
    ("a .git", spoiled(member("x/.git/hooks/post-checkout", b"x"))),
    ("a .GIT", spoiled(member("x/.GIT/config", b"x"))),
    ("a .nanoclaw", spoiled(member(".nanoclaw/state.yaml", b"x"))),
    ("a symbolic link", spoiled(member("x/add/l", kind=tarfile.SYMTYPE, link="/etc/passwd"))),
    ("a symbolic link, and a file through it",
     spoiled(member("x/l", kind=tarfile.SYMTYPE, link="../../../outside"), member("x/l/y", b"x"))),
    ("a hard link", spoiled(member("x/add/l", kind=tarfile.LNKTYPE, link="x/add/x.txt"))),
    ("a hard link to outside", spoiled(member("x/l", kind=tarfile.LNKTYPE, link="/etc/passwd"))),
    ("a FIFO", spoiled(member("x/add/p", kind=tarfile.FIFOTYPE))),
    ("a device", spoiled(member("x/add/d", kind=tarfile.CHRTYPE))),
    ("a block device", spoiled(member("x/add/d", kind=tarfile.BLKTYPE))),
    ("a kind that nobody knows", spoiled(member("x/add/k", kind=b"Z"))),
    ("a sparse file", spoiled(member("x/add/s", kind=tarfile.GNUTYPE_SPARSE),
                              form=tarfile.GNU_FORMAT)),
    ("a file twice", spoiled(member("x/add/x.txt", b"y"))),
    ("a file that is a folder of another", spoiled(member("x/add/x.txt/y", b"y"))),
    ("a folder in the place of a file", spoiled(member("x/add/x.txt/y", kind=tarfile.DIRTYPE))),
    ("a file that the manifest does not list", spoiled(member("x/add/y.txt", b"y"))),
    ("a manifest that is none", gzip.compress(pack([member("x/manifest.yaml", b"[")]))),
    ("no manifest", gzip.compress(pack([member("x/add/x.txt", b"x")]))),
    ("two packages", spoiled(member("y/manifest.yaml", MANIFEST))),
    ("a manifest too deep", gzip.compress(pack([member("a/b/manifest.yaml", MANIFEST)]))),
    ("nothing in it", gzip.compress(pack([]))),
    ("an empty file", b""),
    ("no gzip", pack(INNOCENT)),
    ("text", b"skill: x\n"),
    ("gzip that is cut off", WHOLE[:len(WHOLE) // 2]),
    ("gzip without its end", WHOLE[:-4]),
    ("gzip that is damaged", WHOLE[:60] + b"\xff\xff\xff" + WHOLE[63:]),
    ("tar without its end", gzip.compress(pack(INNOCENT)[:1024])),
    ("tar that is cut off in a header", gzip.compress(pack(INNOCENT)[:700])),
    ("something behind the end", gzip.compress(pack(INNOCENT) + b"x" * 512)),
    ("a second archive behind the first", WHOLE + gzip.compress(pack([member("y", b"y")]))),
    ("a wrong checksum",
     gzip.compress(pack(INNOCENT)[:148] + b"0000001\0" + pack(INNOCENT)[156:])),
    ("no magic", with_header(put(257, b"xxxxx"))),
    ("a size that is no number", with_header(put(124, b"xxxxxxxxxxx"))),
    ("a size in base 256", with_header(put(124, b"\x80" + b"\xff" * 11))),
    ("a size larger than the archive", with_header(put(124, b"00000777777"))),
    ("a mode that is no number", with_header(put(100, b"zzzzzzz"))),
    ("an empty name", with_header(put(0, b"\0" * 100))),
    ("a name of a megabyte", spoiled(member("x/" + "a" * (1 << 20), b"x"))),
    ("a skill that touches what is the person's",
     gzip.compress(pack([member("x/manifest.yaml", MANIFEST.replace(b"x.txt", b"groups/x")),
                         member("x/add/groups/x", b"x")]))),
]


def floods():
    return [
        ("two gigabytes in a few bytes", bomb()),
        ("headers without end", flood()),
        ("zeros without end", WHOLE + gzip.compress(b"\0" * (1 << 26)) * 64),
    ]


def look(top):
    found = {}
    for folder, folders, files in os.walk(top):
        for name in folders + files:
            path = os.path.join(folder, name)
            info = os.lstat(path)
            text = None
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    text = file.read()
            found[path] = (info.st_mode, info.st_mtime_ns, text)
    return found


def run(nanoclaw, name, data, wanted, number, typed="../x.tar.gz"):
    with tempfile.TemporaryDirectory() as top:
        project = os.path.join(top, "project")
        for folder in ("project", "outside", "tmp", "home"):
            os.mkdir(os.path.join(top, folder))
        with open(os.path.join(project, "VERSION"), "w") as file:
            file.write("1.0.0\n")
        if data is not None:
            with open(os.path.join(top, "x.tar.gz"), "wb") as file:
                file.write(data)
        before = look(top)
        environment = {"PATH": os.environ["PATH"], "HOME": os.path.join(top, "home"),
                       "TMPDIR": os.path.join(top, "tmp"), "LC_ALL": "C.UTF-8"}
        for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if variable in os.environ:
                environment[variable] = os.environ[variable]
        done = subprocess.run([nanoclaw, "-C", project, "skill", "apply", typed],
                              env=environment, stdin=subprocess.DEVNULL, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        after = look(top)
        if not wanted:
            good = done.returncode == 0 and os.listdir(os.path.join(top, "tmp")) == []
        else:
            # A temporary folder came and went.
            for state in (before, after):
                state[os.path.join(top, "tmp")] = None
            good = done.returncode == wanted and before == after
        print("%s %d - %s" % ("ok" if good else "not ok", number, name))
        if not good:
            print("# exit code %d" % done.returncode)
            print("# " + done.stdout.decode(errors="replace")[:300].replace("\n", "\n# "))
            print("# changed: %s" % [path for path in set(before) | set(after)
                                     if before.get(path) != after.get(path)][:5])
        return good


def main():
    nanoclaw = os.path.realpath(sys.argv[1])
    cases = floods() if sys.argv[2:] == ["floods"] else CASES
    good = run(nanoclaw, "an innocent archive is not refused", WHOLE, 0, 1)
    for number, (name, data) in enumerate(cases, 2):
        good &= run(nanoclaw, name, data, 2, number)
    print("1..%d" % (len(cases) + 1))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
