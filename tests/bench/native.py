"""native.py NATIVE MODULES: our agent beside Claude Code and pi, on the same scripted tasks.

MODULES is the node_modules with the two; one that is not there is skipped. All speak with the same
provider on loopback (tests/native/provider.py)."""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../native"))

from provider import Provider
from shapes import anthropic_events

STARTS = 11
PATIENCE = 120
LONG = 200000  # tokens


# --- the three programs -------------------------------------------------------

class Program:
    tool = "bash"

    def call(self, command):
        return {"use": self.tool, "input": {"command": command}}

    def start(self, port, folder, prompt):
        words, environment, said = self.words(port, folder, prompt)
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "TMPDIR": folder,
                       "NO_PROXY": "127.0.0.1", **environment}
        os.makedirs(folder + "/work", exist_ok=True)
        with open(folder + "/input", "w+", encoding="utf-8") as file:
            file.write(said)
            file.seek(0)
            return subprocess.Popen(words, cwd=folder + "/work", env=environment, stdin=file,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


class Native(Program):
    name = "nanoclaw-native"

    def __init__(self, path):
        self.path = os.path.abspath(path)

    def words(self, port, folder, prompt):
        line = {"type": "user", "message": {"role": "user", "content": [
            {"type": "text", "text": prompt}]}}
        with open(folder + "/mcp.json", "w", encoding="utf-8") as file:
            file.write('{"mcpServers": {}}')
        return [self.path, "--mcp-config", folder + "/mcp.json"], {
            "NANOCLAW_API": "anthropic", "NANOCLAW_API_SOCKET": "tcp:127.0.0.1:%d" % port,
            "NANOCLAW_API_PATH": "/v1", "NANOCLAW_MODEL": "played", "NANOCLAW_CONTEXT": "300000",
            "NANOCLAW_PROVIDER": "played"}, json.dumps(line) + "\n"

    def text(self, output):
        return json.loads(output.strip().split("\n")[-1]).get("result", "")


class Claude(Program):
    name, tool = "Claude Code", "Bash"

    def __init__(self, path):
        self.path = os.path.abspath(path)

    def call(self, command):
        return {"use": "Bash", "input": {"command": command, "description": "a step"}}

    def words(self, port, folder, prompt):
        return [self.path, "-p", prompt, "--output-format", "json", "--model", "played",
                "--dangerously-skip-permissions"], {
            "ANTHROPIC_BASE_URL": "http://127.0.0.1:%d" % port, "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1"}, ""

    def text(self, output):
        return json.loads(output).get("result", "")


class Pi(Program):
    name = "pi"

    def __init__(self, path):
        self.path = os.path.abspath(path)

    def words(self, port, folder, prompt):
        os.makedirs(folder + "/.pi/agent", exist_ok=True)
        with open(folder + "/.pi/agent/models.json", "w", encoding="utf-8") as file:
            json.dump({"providers": {"played": {
                "baseUrl": "http://127.0.0.1:%d" % port, "api": "anthropic-messages",
                "apiKey": "none", "models": [{"id": "played", "contextWindow": 300000}]}}}, file)
        return ["node", self.path, "-p", "--offline", "--provider", "played", "--model",
                "played", prompt], {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"}, ""

    def text(self, output):
        return output.strip()


# --- a run --------------------------------------------------------------------

class Run:
    """One prompt to a program, with a model that makes these calls and then says 'All done.'"""

    def __init__(self, program, commands, answers=(), stop=None):
        self.commands, self.program, self.stop = commands, program, stop
        self.answers, self.memory, self.first = list(answers), 0, None
        self.started = threading.Event()
        self.provider = Provider(after=self.answer)
        with tempfile.TemporaryDirectory(prefix="nanoclaw-bench.") as folder:
            began = time.monotonic()
            self.process = program.start(self.provider.port, folder, "Please do it.")
            self.started.set()
            try:
                output, _ = self.process.communicate(timeout=PATIENCE)
                self.text = program.text(output.decode("utf-8", "replace"))
            except (subprocess.TimeoutExpired, ValueError, AttributeError):
                self.process.kill()
                self.process.communicate()
                self.text = ""
            self.to_first = (self.first or time.monotonic()) - began
            try:
                with open(folder + "/work/effects", encoding="utf-8") as file:
                    self.effects = file.read().split()
            except FileNotFoundError:
                self.effects = []
        self.requests = [r for r in self.provider.requests if r.body and r.body.get("tools")]
        self.provider.close()

    def answer(self, request):
        """Requests without tools are not part of the task: a title, a test of the key."""
        if not request.body.get("tools"):
            return {"say": "ok"}
        self.first = self.first or time.monotonic()
        self.started.wait()
        self.memory = max(self.memory, memory_of(self.process.pid))
        if self.answers:
            return self.answers.pop(0)
        done = request.bytes.count(b'"tool_result"')
        return self.program.call(self.commands[done]) if done < len(self.commands) else \
            {"say": "All done."}


def memory_of(pid):
    """Kilobytes of a process and its children: the most that was resident so far."""
    total = 0
    try:
        with open("/proc/%d/status" % pid, encoding="utf-8") as file:
            total = next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
        with open("/proc/%d/task/%d/children" % (pid, pid), encoding="utf-8") as file:
            total += sum(memory_of(int(child)) for child in file.read().split())
    except (OSError, StopIteration):
        pass
    return total


def prefix(requests):
    """How much of a request is the beginning of the next one, as a cache sees it; the mean."""
    def parts(body):
        text = json.dumps([body.get("tools"), body.get("system")] + body["messages"])
        return re.sub(r', "cache_control": \{[^}]*\}', "", text)[:-1]
    texts = [parts(request.body) for request in requests]
    return statistics.mean(len(os.path.commonprefix(pair)) / len(pair[0])
                           for pair in zip(texts, texts[1:])) if len(texts) > 1 else 0


# --- faults -------------------------------------------------------------------

def fault_cells(program):
    """(first answers, effects that must be there): the answer at the end is 'All done.'"""
    once = program.call("echo once >>effects")
    say = {"say": "This is only the first half of it, and then"}
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    for cut in (-3, -60, -150, -200, -300, -420, 40):
        for end in ("chunked", "close"):
            yield "a call cut at %d (%s)" % (cut, end), [dict(once, cut=cut, end=end)], None
            yield "a text cut at %d (%s)" % (cut, end), [dict(say, cut=cut, end=end)], None
    yield "a call byte by byte", [dict(once, split=1)], ["once"]
    yield "a connection that is reset", [dict(say, reset=300)], []
    for status in (429, 500, 502, 503, 529):
        for headers in ({}, {"retry-after": "1"}):
            yield "status %d %s" % (status, headers), [
                {"status": status, "error": "x", "kind": "overloaded_error", "headers": headers}], []
    yield "an error in a text", [{"events": anthropic_events([say])[:4] + [overloaded]}], []
    yield "an error after a call", [{"events": anthropic_events([once])[:-2] + [overloaded]}], []
    whole = anthropic_events([once], stop="max_tokens")
    yield "a call cut by the limit", [{"events": whole[:-4] + whole[-3:]}], []
    begun = [dict(event) for event in anthropic_events([once])]
    begun[1] = dict(begun[1], content_block={
        key: value for key, value in begun[1]["content_block"].items() if key != "input"})
    yield "a call that starts without input", [{"events": begun}], ["once"]
    begun = anthropic_events([once])
    yield "message_start twice", [{"events": begun[:1] + begun}], ["once"]
    yield "CR LF", [dict(once, newline="\r\n")], ["once"]
    yield "an empty answer", [{"events": anthropic_events([])}], []
    yield "a stream of nothing", [{"events": []}], []
    yield "a page of HTML", [{"body": "<html></html>", "headers": {"Content-Type": "text/html"}}], []


def pass_rate(program):
    cells = list(fault_cells(program))
    failed = []
    for name, answers, effects in cells:
        run = Run(program, [], answers)
        # A cut behind the reason why the answer ends may be taken for the whole.
        whole = "-3 " in name or "-60 " in name
        allowed = [effects] if effects is not None else [[], ["once"]] if whole else [[]]
        said = run.text == "All done." or whole and run.text.startswith("This is only")
        if not said or run.effects not in allowed:
            failed.append(name)
    return len(cells) - len(failed), len(cells), failed


# --- rows ---------------------------------------------------------------------

def row(what, name, value, unit, ours=None):
    ratio = "" if ours is None or not value else "%10.3f of %s" % (ours / value, name)
    print("native: %-38s %12s %-3s %-16s%s" % (
        what, "%.1f" % value if value < 100 else "%.0f" % value, unit, name, ratio), flush=True)


def long_session(native):
    """Memory in a session of 200,000 tokens: results of 24,000 bytes, some three bytes a token."""
    results = LONG * 3 // 24000
    run = Run(native, ["seq -w %d00 %d99999 | head -c 24000" % (i, i + 1) for i in range(results)])
    return run.memory, sum(len(r.bytes) for r in run.requests[-1:])


def measure(program, ours):
    start = min(Run(program, []).to_first for _ in range(STARTS)) * 1000
    run = Run(program, ["echo %d >>effects" % number for number in range(6)])
    if len(run.requests) != 7 or run.text != "All done.":
        print("native: %s did not do the task: %d requests, '%s'" % (
            program.name, len(run.requests), run.text[:60]))
        return {}
    measured = {"memory, in a task of six calls": (run.memory / 1024, "MB"),
                "from start to the first request": (start, "ms"),
                "the first request": (len(run.requests[0].bytes) / 1024, "KB"),
                "a request begins with the one before": (prefix(run.requests) * 100, "%")}
    for what, (value, unit) in measured.items():
        row(what, program.name, value, unit, ours.get(what, (None,))[0])
    passed, count, failed = pass_rate(program)
    row("faults passed, of %d" % count, program.name, passed, "")
    for name in failed:
        print("native:     not passed by %s: %s" % (program.name, name))
    return measured


def main():
    native, modules = sys.argv[1:]
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(["strip", "-o", file.name, native], check=True)
        row("on disk, stripped", Native.name, os.path.getsize(file.name) / 2 ** 20, "MB")
    memory, size = long_session(Native(native))
    ours = measure(Native(native), {})
    row("memory, with a request of %d KB" % (size // 1024), Native.name, memory / 1024, "MB")
    for kind, path in ((Claude, "@anthropic-ai/claude-code-linux-x64/claude"),
                       (Pi, "@mariozechner/pi-coding-agent/dist/cli.js")):
        program = kind(os.path.join(modules, path))
        if os.path.exists(program.path):
            measure(program, ours)
        else:
            print("native: %s is skipped: npm cannot install it" % program.name)


if __name__ == "__main__":
    main()
