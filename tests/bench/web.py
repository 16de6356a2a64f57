"""web.py NANOCLAW: what the dashboard costs: bytes, memory, time, and the host's throughput."""

import gzip
import http.client
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

NANOCLAW = os.path.abspath(sys.argv[1])
STREAMS = 40
MESSAGES = 100
ROUNDS = 3
AGENT = """#!/bin/sh
while read -r line; do
	echo '{"type":"result","subtype":"success","is_error":false,"result":"yes","session_id":"s1"}'
done
"""


def row(name, value, note=""):
    print("%-58s %10s  %s" % (name, value, note), flush=True)


class Dashboard:
    def __init__(self, path):
        self.process = subprocess.Popen([NANOCLAW, "web"], cwd=path, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.port, code = re.search(r":(\d+)/#code=(.*)", self.process.stdout.readline()).groups()
        client = http.client.HTTPConnection("127.0.0.1", int(self.port))
        client.request("POST", "/api/session", json.dumps({"code": code}),
                       {"Content-Type": "application/json"})
        self.token = json.loads(client.getresponse().read())["token"]

    def get(self, path):
        client = http.client.HTTPConnection("127.0.0.1", int(self.port))
        client.request("GET", path, headers={"Authorization": "Bearer " + self.token})
        return client.getresponse().read()

    def events(self):
        s = socket.create_connection(("127.0.0.1", int(self.port)))
        s.sendall(("GET /api/events HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
                   % self.token).encode())
        lines = s.makefile()
        while lines.readline().strip():
            pass
        lines.readline()
        return lines

    def memory(self):
        with open("/proc/%d/status" % self.process.pid, encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s*(\d+)", file.read())[1])


def first_paint(web):
    """The page, what it names, and the modules that these import at once, as they are sent."""
    sizes, waiting = {}, ["/"]
    while waiting:
        path = waiting.pop()
        if path in sizes:
            continue
        body = web.get(path)
        sizes[path] = len(body)
        text = gzip.decompress(body).decode()
        waiting += re.findall(r'(?:src|href)="(/assets/[^"]*)"', text)
        folder = path.rsplit("/", 1)[0]
        waiting += [os.path.normpath(folder + "/" + name) for name in
                    re.findall(r"^(?:import|export)[^'\n]*'(\./[^']*)'", text, re.M)]
    return sum(sizes.values()), len(sizes)


class Host:
    def __init__(self, path):
        self.process = subprocess.Popen([NANOCLAW, "run"], cwd=path, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        while "is running" not in self.process.stderr.readline():
            pass
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path + "/data/run/host.sock")
        self.lines = self.socket.makefile()
        self.count = 0
        self.send({"type": "attach", "chat": "main"})

    def send(self, line):
        self.socket.sendall((json.dumps(line) + "\n").encode())

    def say(self):
        """Returns when the message is stored."""
        self.count += 1
        self.send({"type": "message", "chat": "main", "id": "m%d" % self.count, "text": "hello"})
        while True:
            line = json.loads(self.lines.readline())
            if line["type"] == "ack":
                return line["seq"]
            self.take(line)

    def take(self, line):
        if line["type"] == "send":
            self.send({"type": "receipt", "key": line["key"]})
        return line.get("upto", 0)

    def wait(self, seq):
        while self.take(json.loads(self.lines.readline())) < seq:
            pass


def throughput(host):
    """Answered messages in a second, one after the other."""
    begin = time.perf_counter()
    for _ in range(MESSAGES):
        host.wait(host.say())
    return MESSAGES / (time.perf_counter() - begin)


def main():
    with tempfile.TemporaryDirectory() as path:
        with open(path + "/agent", "w", encoding="ascii") as file:
            file.write(AGENT)
        os.chmod(path + "/agent", 0o755)
        with open(path + "/.env", "w", encoding="ascii") as file:
            file.write("NANOCLAW_AGENT=../../agent\n")
        web = Dashboard(path)
        size, count = first_paint(web)
        row("dashboard: to the first paint", "%.1f KB" % (size / 1000), "%d files" % count)
        idle = web.memory()
        row("dashboard: memory, idle", "%.1f MB" % (idle / 1024))
        streams = [web.events() for _ in range(STREAMS)]
        row("dashboard: memory, for each client", "%.1f KB" % ((web.memory() - idle) / STREAMS))
        del streams
        lines = web.events()
        host = Host(path)
        times = []
        while '"host":true' not in lines.readline():
            pass
        for _ in range(MESSAGES):
            seq = host.say()
            stored = time.perf_counter()
            while '"type":"message"' not in lines.readline():
                pass
            times.append((time.perf_counter() - stored) * 1000)
            host.wait(seq)
        row("dashboard: from a stored message to its event, median", "%.2f ms" %
            statistics.median(times), "worst of %d: %.1f ms" % (MESSAGES, max(times)))
        ratios = []
        for _ in range(ROUNDS):
            opened = throughput(host)
            web.process.terminate()
            web.process.wait()
            closed = throughput(host)
            ratios.append(opened / closed)
            web = Dashboard(path)
            lines = web.events()
            while '"host":true' not in lines.readline():
                pass
        row("host: throughput with the dashboard open", "%.2f" % statistics.median(ratios),
            "of the usual")
        web.process.terminate()
        host.process.terminate()
        web.process.wait()
        host.process.wait()


main()
