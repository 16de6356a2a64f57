#!/usr/bin/env python3
"""Writes wrappers around every function of the engine that can fail, for nanoclaw-faulty.

    fault_calls.py HEADER...            a C file: each calls the function, or fails (fault.h)
    fault_calls.py --names HEADER...    the names of the functions, for `ld --wrap`

Such a function returns an int, takes a `struct error *err` at the end, and is declared in a
header. Calls within one file go to the function itself. What only parses a text, or asks whether
a patch fits, is left out: it fails because of the text, which may be no more than a question.
So is what adds to an error.
"""

import re
import sys

LEFT_OUT = re.compile(r"\w+_parse|patch_apply|damage_hint|finish_fail")
FUNCTION = re.compile(r"^int (\w+)\(([^;{}()]*struct error \*err)\);", re.M)


def find_functions(header):
    with open(header, encoding="utf-8") as file:
        for name, parameters in FUNCTION.findall(file.read()):
            if LEFT_OUT.fullmatch(name):
                continue
            parameters = " ".join(parameters.split())
            names = [re.search(r"(\w+)(\[[^]]*\])?$", part)[1] for part in parameters.split(", ")]
            yield name, parameters, ", ".join(names)


def main():
    headers = [path for path in sys.argv[1:] if path.endswith(".h")]
    if sys.argv[1] == "--names":
        print("\n".join(name for header in headers for name, _, _ in find_functions(header)))
        return
    print('#include "fault.h"')
    for header in headers:
        print('#include "%s"' % header.partition("src/")[2])
    for header in headers:
        for name, parameters, names in find_functions(header):
            print("\nint __real_%s(%s);\nint __wrap_%s(%s);\n"
                  "int __wrap_%s(%s)\n{\n"
                  "\treturn fault_trips_call(err)\n"
                  "\t\t       ? -1\n\t\t       : __real_%s(%s);\n}" %
                  (name, parameters, name, parameters, name, parameters, name, names))


main()
