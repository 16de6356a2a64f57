"""A project with a host, whose agents need no model, for the tests of packages."""

import json
import os
import queue
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading

PATIENCE = 300  # seconds that anything may take; not a measure of anything


class Host:
    def __init__(self, nanoclaw, settings):
        self.nanoclaw = os.path.abspath(nanoclaw)
        self.folder = tempfile.TemporaryDirectory(prefix="nanoclaw-shipped.")
        self.root, self.log, self.lines = self.folder.name, [], None
        self.process = None
        self.configure(settings)

    def configure(self, settings):
        path = os.path.join(self.root, ".env")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines("%s=%s\n" % setting for setting in settings.items())
        os.chmod(path, 0o600)

    def environment(self):
        wanted = ("HOME", "LANG", "PATH", "TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS",
                  "UBSAN_OPTIONS", "LSAN_OPTIONS")
        return {name: os.environ[name] for name in wanted if name in os.environ}

    def start(self):
        self.process = subprocess.Popen(
            [self.nanoclaw, "-v", "-C", self.root, "run"], env=self.environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.lines = queue.Queue()  # those of the last one do not count
        threading.Thread(target=self.read, args=(self.process.stderr, self.lines),
                         daemon=True).start()

    def read(self, stream, lines):
        for line in stream:
            line = line.decode("utf-8", "replace").rstrip("\n")
            self.log.append(line)
            lines.put(line)
        stream.close()

    def wait_for_line(self, words):
        """The next line of its log with these words."""
        seen = []
        try:
            while True:
                seen.append(self.lines.get(timeout=PATIENCE))
                if words in seen[-1]:
                    return seen[-1]
        except queue.Empty:
            raise AssertionError("no line '%s' in:\n%s" % (words, "\n".join(seen)))

    def run(self, *words):
        done = subprocess.run([self.nanoclaw, "-C", self.root, *words], env=self.environment(),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        return done.returncode, done.stdout + done.stderr

    def read_file(self, name):
        with open(os.path.join(self.root, name), "rb") as file:
            return file.read()

    def write_file(self, name, content):
        with open(os.path.join(self.root, name), "wb") as file:
            file.write(content)

    def request(self, **fields):
        """An operation of the host, by a person."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(os.path.join(self.root, "data/run/host.sock"))
            connection.sendall(json.dumps({"type": "request", "id": 1, **fields}).encode() + b"\n")
            return json.loads(connection.makefile().readline())

    def measure(self):
        """Kilobytes of memory, and seconds of CPU."""
        with open("/proc/%d/status" % self.process.pid, encoding="utf-8") as file:
            memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
        with open("/proc/%d/stat" % self.process.pid, encoding="utf-8") as file:
            ticks = sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))
        return memory, ticks / os.sysconf("SC_CLK_TCK")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def rows(self, sql, *values):
        path = os.path.join(self.root, "store", "nanoclaw.db")
        store = sqlite3.connect("file:%s?mode=ro" % path, uri=True, timeout=30)
        try:
            return store.execute(sql, values).fetchall()
        finally:
            store.close()

    def close(self):
        if self.process and self.process.poll() is None:
            self.kill()
        self.folder.cleanup()
