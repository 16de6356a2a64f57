#!/usr/bin/env python3
"""Stands in for nanoclaw in scenarios: before each update it asks for a preview, and looks
afterwards whether that is what happened, file by file. What is not so goes to standard
error, where no scenario expects it.

	scenario --nanoclaw FOLDER/nanoclaw tests/engine/update*.t

where FOLDER/nanoclaw is a script that runs this with NANOCLAW_REAL set.
"""

import hashlib
import json
import os
import subprocess
import sys

REAL = os.environ["NANOCLAW_REAL"]


def files(root):
    out = {}
    for where, folders, names in os.walk(root):
        if ".nanoclaw" in folders:
            folders.remove(".nanoclaw")
        for name in names + [f for f in folders if os.path.islink(os.path.join(where, f))]:
            path = os.path.join(where, name)
            if os.path.islink(path):
                content = os.readlink(path).encode()
            else:
                with open(path, "rb") as file:
                    content = file.read()
            out[os.path.relpath(path, root)] = hashlib.sha256(content).hexdigest()
    return out


def is_update(words):
    plain = [w for w in words if not w.startswith("-")]
    return "update" in plain and "skill" not in plain and "--help" not in words and \
        "--preview" not in words and "--resolver" not in words


def root_of(words):
    return words[words.index("-C") + 1] if "-C" in words else "."


def main():
    words = sys.argv[1:]
    if not is_update(words):
        os.execv(REAL, [REAL] + words)
    root = root_of(words)
    look = subprocess.run([REAL, "--json"] + words + ["--preview"], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    before = files(root)
    code = subprocess.run([REAL] + words).returncode
    if code not in (0, 3):
        return code
    after = files(root)
    if look.returncode:
        print("the preview fails, and the update does not", file=sys.stderr)
        return code
    predicted = json.loads(look.stdout)["changes"]
    for path in sorted(set(before) | set(after) | set(predicted)):
        wanted = predicted.get(path)
        is_changed = before.get(path) != after.get(path)
        if path in predicted and after.get(path) != (wanted["sha256"] if wanted else None):
            print("preview: '%s' is not as it was foretold" % path, file=sys.stderr)
        if path not in predicted and is_changed:
            print("preview: '%s' was not foretold" % path, file=sys.stderr)
    return code


sys.exit(main())
