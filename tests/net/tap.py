"""Results in TAP, for the Python tests of this folder and of tests/proxy."""

import sys

count = failed = 0


def result(ok, name, note=""):
    global count, failed
    count += 1
    failed += not ok
    for line in str(note).splitlines() if not ok else []:
        print("# " + line)
    print("%sok %d - %s" % ("" if ok else "not ", count, name), flush=True)


def skip(name, why):
    global count
    count += 1
    print("ok %d - %s # SKIP %s" % (count, name, why), flush=True)


def skip_all(why):
    print("1..0 # SKIP " + why)
    sys.exit(0)


def end():
    print("1..%d" % count)
    return failed > 0
