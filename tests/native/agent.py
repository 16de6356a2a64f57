"""Runs nanoclaw-native as the host does, outside a sandbox, and speaks stream-json with it."""

import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading

PATIENCE = 300  # seconds that anything may take; not a measure of anything


class Ended(Exception):
    """The program ended before its result."""


class Turn:
    """What came from a message to its result."""

    def __init__(self, events):
        self.events = events
        self.result = events[-1]

    @property
    def text(self):
        return self.result.get("result") or "\n".join(self.result.get("errors", []))

    @property
    def is_error(self):
        """The turn failed, and can be repeated later."""
        return bool(self.result.get("is_error"))

    @property
    def is_final(self):
        """It failed, and would fail again until a person has mended something."""
        return self.is_error and self.result.get("retry") is False

    @property
    def is_answered(self):
        """With the last words of the model; otherwise with our own, for a person to read."""
        said = "".join(block["text"] for event in self.events[-3:] if event["type"] == "assistant"
                       for block in content_of(event) if block["type"] == "text")
        return not self.is_error and bool(self.text) and self.text == said

    def blocks(self, kind):
        return [block for event in self.events if event["type"] in ("assistant", "user")
                for block in content_of(event) if block.get("type") == kind]

    @property
    def calls(self):
        return [(block["name"], block["input"]) for block in self.blocks("tool_use")]

    @property
    def partial(self):
        """The text that was streamed."""
        return "".join(event["event"]["delta"].get("text", "") for event in self.events
                       if event["type"] == "stream_event" and
                       isinstance(event["event"].get("delta"), dict))


def content_of(event):
    content = event.get("message", {}).get("content", [])
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


class Place:
    """A home and a working folder for agents, with an environment."""

    def __init__(self, program, address, api="anthropic", model="played", **environment):
        self.program = os.path.abspath(program)
        self.folder = tempfile.TemporaryDirectory(prefix="nanoclaw-native.")
        self.home = self.folder.name + "/home"
        self.work = self.folder.name + "/work"
        for folder in (self.home, self.work):
            os.mkdir(folder)
        self.environment = {name: os.environ[name] for name in
                            ("PATH", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
                            if name in os.environ}
        self.environment |= {
            "HOME": self.home, "TMPDIR": self.folder.name, "NANOCLAW_API": api,
            "NANOCLAW_API_SOCKET": address, "NANOCLAW_API_PATH": "/v1", "NANOCLAW_MODEL": model,
            "NANOCLAW_CONTEXT": "200000", "NANOCLAW_PROVIDER": "the test's provider",
            # Nothing waits for long in a test.
            "NANOCLAW_RETRY_MS": "1",
        }
        self.environment |= environment

    def path(self, name):
        return os.path.join(self.work, name)

    def read(self, name):
        try:
            with open(self.path(name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def mcp(self, **servers):
        """A configuration with these servers, each a list of words."""
        path = self.folder.name + "/mcp.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"mcpServers": {name: {"command": words[0], "args": words[1:]}
                                      for name, words in servers.items()}}, file)
        return path

    def logs(self):
        folder = self.home + "/.claude/native"
        return sorted(os.path.join(folder, name) for name in
                      (os.listdir(folder) if os.path.isdir(folder) else [])
                      if name.endswith(".jsonl"))

    def start(self, resume=None, mcp=None, **environment):
        words = [self.program]
        words += ["--resume", resume] if resume else []
        words += ["--mcp-config", mcp or self.mcp()]
        return Agent(words, self.work, self.environment | environment)

    def ask(self, text, **named):
        """One turn of a new program."""
        agent = self.start(**named)
        try:
            return agent.turn(text)
        finally:
            agent.close()

    def copy_home(self, other):
        shutil.copytree(other.home, self.home, dirs_exist_ok=True)

    def close(self):
        self.folder.cleanup()


class Agent:
    def __init__(self, words, folder, environment):
        self.process = subprocess.Popen(words, cwd=folder, env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.lines, self.errors, self.session = queue.Queue(), b"", None
        self.readers = [threading.Thread(target=target, daemon=True)
                        for target in (self.read_events, self.read_errors)]
        for reader in self.readers:
            reader.start()

    def read_events(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def read_errors(self):
        self.errors = self.process.stderr.read()

    def send(self, text):
        content = text if isinstance(text, list) else [{"type": "text", "text": text}]
        line = {"type": "user", "parent_tool_use_id": None, "session_id": "",
                "message": {"role": "user", "content": content}}
        try:
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def event(self):
        line = self.lines.get(timeout=PATIENCE)
        if line is None:
            self.lines.put(None)
            raise Ended("the program ended with %s: %s" % (
                self.process.wait(), self.errors.decode("utf-8", "replace")))
        event = json.loads(line)
        self.session = event.get("session_id") or self.session
        return event

    def until(self, condition):
        events = [self.event()]
        while not condition(events[-1]):
            events.append(self.event())
        return events

    def turn(self, text):
        self.send(text)
        return self.rest()

    def rest(self):
        """The turn that runs, from the next event on."""
        return Turn(self.until(lambda event: event["type"] == "result"))

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def kill(self):
        self.process.kill()
        return self.finish()

    def close(self):
        """Its exit code, after the end of its input."""
        self.process.stdin.close()
        return self.finish()

    def finish(self):
        code = self.process.wait(PATIENCE)
        for reader in self.readers:
            reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass
        return code
