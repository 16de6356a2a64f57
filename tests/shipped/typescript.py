"""TypeScript as a judge of recorded calls, which are literals of a vendor's types."""

import os
import subprocess
import tempfile


def check(modules, lines, wrong):
    """The finished process of the compiler; its code is 0 if it has nothing to object to in `lines`,
    and something in `wrong`, a line with a mistake."""
    with tempfile.TemporaryDirectory(prefix="nanoclaw-types.") as folder:
        os.symlink(os.path.abspath(modules), os.path.join(folder, "node_modules"))
        path = os.path.join(folder, "recorded.ts")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([*lines, "// @ts-expect-error", wrong]) + "\n")
        return subprocess.run(
            ["node", os.path.join(modules, "typescript/bin/tsc"), "--strict", "--noEmit",
             "--skipLibCheck", "--module", "nodenext", path],
            capture_output=True, text=True, check=False)
