# Writes random strings with our program (argv[1]) and reads them with PyYAML.
import random
import subprocess
import sys

import yaml

WORDS = [
    "yes", "no", "on", "off", "y", "n", "true", "null", "~", "=", "<<", ".inf", ".nan",
    "0x", "0o", "0b", "1", "7", "0", "12", "60", "2026", "-", "+", ".", ":", "_", "e", "E",
    "T", "Z", ",", " ", "#", "a", "é", "'", '"', "\\", "\n", "\t", "\r", "[", "]", "{", "}",
    "&", "*", "!", "|", ">", "%", "@", "`", "?", "\x00", "\x1b", "\x7f", "\x85", "\xa0",
    "\u2028", "\ufeff", "\ufffe", "\U0001f600",
]

random.seed(20260216)
strings = list(WORDS)
for upper in range(1, 6):
    for _ in range(5000):
        text = "".join(random.choice(WORDS) for _ in range(upper))
        strings.append(random.choice([str.upper, str.title, str])(text))
strings += ["2026-02-16T22:47:02.139Z", "2026-01-01", "12:30", "190:20:30", "0.1.0", "1.2"]

framed = b"".join(b"%d\n%s" % (len(s.encode()), s.encode()) for s in strings)
written = subprocess.run([sys.argv[1]], input=framed, capture_output=True, check=True).stdout

loaders = [yaml.SafeLoader] + [l for l in [getattr(yaml, "CSafeLoader", None)] if l]
print(f"1..{2 * len(loaders)}")
for loader in loaders:
    tree = yaml.load(written, Loader=loader)
    wrong = [s for s, r in zip(strings, tree["values"]) if type(r) is not str or r != s]
    lengths = len(tree["values"]) == len(strings)
    print("not ok" if wrong or not lengths else "ok", f"- values, {loader.__name__}", wrong[:5])
    keys = set(tree["keys"]) == set(strings)
    print("ok" if keys else "not ok", f"- keys, {loader.__name__}")
