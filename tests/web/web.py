"""web.py NANOCLAW: the dashboard's server (nanoclaw web), its clients, and its enemies. In TAP."""

import atexit
import gzip
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "net"))
from tap import end, result, skip  # noqa: E402

NANOCLAW = os.path.abspath(sys.argv[1])
AGENT = """#!/bin/bash
while read -r line; do
	case $line in
	*reach*)
		port=$(expr "$line" : '.*reach \\([0-9]*\\)')
		said="port closed"
		(exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && said="port open"
		found=$(find / -name web.sock -not -path '/proc/*' 2>/dev/null)
		said="$said, socket ${found:-hidden}" ;;
	*) said=yes
		echo '{"type":"stream_event","event":{"delta":{"type":"text_delta","text":"ye"}}}' ;;
	esac
	echo '{"type":"result","subtype":"success","is_error":false,"result":"'"$said"'","session_id":"s1"}'
done
"""


def started(words, **how):
    process = subprocess.Popen([NANOCLAW, *words], text=True, **how)
    atexit.register(process.kill)
    return process


class Web:
    """A dashboard in a folder of its own."""

    def __init__(self, *words):
        self.folder = tempfile.TemporaryDirectory()
        self.path = self.folder.name
        self.start(*words)

    def start(self, *words):
        self.process = started(["web", *words], cwd=self.path, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL,
                               env={**os.environ, "API_KEY": "secret"})
        self.link = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://[a-z0-9.]+:(\d+)/#code=([0-9a-f]{32})", self.link)
        self.port, self.code = int(match[1]), match[2]
        self.host = "127.0.0.1:%d" % self.port
        self.client = None  # a connection that stays

    def ask(self, method, path, body=None, headers=(), token=None, host=None, connect=None):
        """Status, headers and body; a status of 0: refused without an answer."""
        client = self.client
        if connect or not client:
            client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            client.sock = connect
        try:
            client.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            client.putheader("Host", self.host if host is None else host)
            if token:
                client.putheader("Authorization", "Bearer " + token)
            for name, value in headers:
                client.putheader(name, value)
            if body is not None:
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                if not any(name == "Content-Type" for name, _ in headers):
                    client.putheader("Content-Type", "application/json")
                client.putheader("Content-Length", str(len(data)))
                client.endheaders(data)
            else:
                client.endheaders()
            answer = client.getresponse()
            said = answer.status, answer.headers, answer.read()
            self.client = None if connect or answer.will_close else client
            return said
        except (ConnectionError, http.client.HTTPException):
            self.client = None
            return 0, {}, b""

    def enter(self, code):
        status, _, body = self.ask("POST", "/api/session", {"code": code})
        return json.loads(body)["token"] if status == 200 else None

    def read(self, name, **parameters):
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        status, headers, body = self.ask("GET", "/api/" + name + query, token=self.token)
        return status, headers, json.loads(body) if body else None

    def act(self, name, **parameters):
        status, _, body = self.ask("POST", "/api/" + name, parameters, token=self.token)
        return status, json.loads(body)

    def request(self, method, name, **parameters):
        """The bytes of a request, for a client that sends several at once."""
        body = json.dumps(parameters) if parameters else ""
        return ("%s /api/%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                % (method, name, self.host, self.token, len(body), body)).encode()

    def events(self, after=None):
        """A stream of events, as a file."""
        s = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        query = "" if after is None else "?after=%d" % after
        s.sendall(("GET /api/events%s HTTP/1.0\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
                   % (query, self.host, self.token)).encode())
        lines = s.makefile()
        while lines.readline().strip():
            pass
        return lines

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


def next_event(lines):
    while True:
        line = lines.readline()
        if not line:
            return None
        if line.strip():
            return json.loads(line)


def until(lines, wanted, seen):
    """Gathers events until one has these members."""
    while True:
        event = next_event(lines)
        if event is None:
            return None
        seen.append(event)
        if all(event.get(key) == value for key, value in wanted.items()):
            return event


def test_session(web):
    again = subprocess.run([NANOCLAW, "web"], cwd=web.path, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, timeout=60)
    fresh = again.stdout.strip()
    result(again.returncode == 0 and fresh.startswith("http://%s/#code=" % web.host) and
           fresh != web.link, "a second 'nanoclaw web' prints a fresh link to the first",
           again.stdout + again.stderr)
    web.token = web.enter(web.code)
    result(web.token and not web.enter(web.code), "a code works once")
    result(web.enter(fresh.split("=")[1]), "so does that of the fresh link")
    result(not any(web.enter(code) for code in ["", "0" * 32, web.token, "a" * 64]),
           "no other code works")
    result(web.ask("POST", "/api/link", {}, token=web.token)[0] == 404 and
           web.ask("POST", "/api/link", {})[0] == 401, "a link is not to be had over TCP")
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(web.path + "/data/run/web.sock")
        status, _, body = web.ask("POST", "/api/link", {}, host="localhost", connect=s)
        result(status == 200 and web.enter(json.loads(body)["link"].split("=")[1]),
               "but on the socket, which only this user can open")
    mode = os.stat(web.path + "/data/run/web.sock").st_mode & 0o777
    result(mode == 0o600 and os.stat(web.path + "/data/run").st_mode & 0o777 == 0o700,
           "whose mode says so", oct(mode))


def test_routes(web):
    status, _, table = web.read("commands")
    rows = table["commands"]
    own = [{"name": name, "method": method} for name, method in
           [("commands", "GET"), ("events", "GET"), ("job", "GET"), ("job-stop", "POST"),
            ("nothing", "GET"), ("nothing", "POST")]]
    wrong = []
    for row in rows + own:
        for token in [None, "", "0" * 32, web.token[:-1], web.token + "0", "é"]:
            headers = [] if token is None else [("Authorization", b"Bearer " + token.encode())]
            for method in ["GET", "POST", "PUT", "HEAD", "OPTIONS"] if token is None else ["GET"]:
                body = {} if method in ("POST", "PUT") else None
                status = web.ask(method, "/api/" + row["name"], body, headers)[0]
                if status != 401:
                    wrong.append((row["name"], method, token, status))
    result(len(rows) > 50 and not wrong, "every route without a token is refused", wrong)
    wrong = [row["name"] for row in rows
             if web.ask("POST" if row["method"] == "GET" else "GET", "/api/" + row["name"],
                        {} if row["method"] == "GET" else None, token=web.token)[0] != 405]
    result(not wrong, "nothing that changes something can be read", wrong)
    hostile = {"choice": ["x", "ours\n"], "hash": ["x" * 64, "0" * 63], "line": ["a\nb", "\x1b[2J"],
               "name": ["a/b", "../x", "a\nb"], "number": ["-1", "1e9", "0x1", "9" * 30],
               "path": ["/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a\0b"],
               "text": ["a\0b"]}
    wrong = []
    for row in rows:
        good = {"choice": None, "hash": "0" * 64, "line": "x", "name": "x", "number": "1",
                "path": "x", "text": "x"}
        for parameter in row["parameters"]:
            for value in hostile[parameter["kind"]] + ["x" * (parameter["max"] + 1)]:
                values = {p["name"]: p["choices"][0] if p["kind"] == "choice" else good[p["kind"]]
                          for p in row["parameters"] if p["required"]}
                values[parameter["name"]] = value
                if len(value) > 1 << 20 or row["method"] == "GET" and len(value) > 20000:
                    continue
                status = (web.read(row["name"], **values) if row["method"] == "GET"
                          else web.act(row["name"], **values))[0]
                if status != 400:
                    wrong.append((row["name"], parameter["name"], value[:20], status))
        if row["parameters"] and any(p["required"] for p in row["parameters"]):
            status = (web.read(row["name"]) if row["method"] == "GET" else web.act(row["name"]))[0]
            if status != 400:
                wrong.append((row["name"], "none", status))
    result(not wrong, "hostile parameters are refused, in every route", wrong)
    wrong = []
    for row in rows:
        for parameter in row["parameters"]:
            if row["method"] != "GET" or parameter["kind"] not in ("name", "line", "path"):
                continue
            values = {p["name"]: "x" for p in row["parameters"] if p["required"]}
            status, headers, answer = web.read(row["name"], **{**values, parameter["name"]: "--help"})
            if status != 200 or "usage" in answer:
                wrong.append((row["name"], status, answer))
    result(not wrong, "no value is taken for an option", wrong)
    result(web.read("status", x="y")[0] == 400 and
           web.ask("GET", "/api/skill?skill=a&skill=b", token=web.token)[0] == 400 and
           web.ask("GET", "/api/skill?skill=%ff", token=web.token)[0] == 400 and
           web.ask("GET", "/api/skill?skill=%4", token=web.token)[0] == 400,
           "so are unknown, repeated and malformed ones")
    bodies = [(b"[1]", 400), (b"{", 400), (b"{} {}", 400), (b"x" * (3 << 20), 413)]
    result(all(web.ask("POST", "/api/abort", body, token=web.token)[0] == status
               for body, status in bodies) and
           web.ask("POST", "/api/abort", b"{}", [("Content-Type", "text/plain")],
                   web.token)[0] == 400, "a body must be a JSON object")


def test_requests(web):
    status, headers, body = web.read("status")
    result(status == 200 and body["success"] and headers["x-exit"] == "0" and
           headers["content-type"] == "application/json", "a read is the JSON of its command", body)
    tag = headers["etag"]
    status, headers, body = web.ask("GET", "/api/status", headers=[("If-None-Match", tag)],
                                    token=web.token)
    result(status == 304 and not body, "unless the client has it already")
    status, headers, body = web.read("group", group="nobody")
    result(status == 200 and headers["x-exit"] == "2" and body["success"] is False,
           "a command that fails says why", body)
    status, answer = web.act("task-pause", id="x")
    result(status == 200 and answer["exit"] == 2 and answer["result"]["error"],
           "so does an action", answer)
    status, headers, body = web.ask("GET", "/", headers=[("Accept-Encoding", "br, gzip")])
    plain = web.ask("GET", "/", headers=[("Accept-Encoding", "identity")])
    result(headers["content-encoding"] == "gzip" and "content-encoding" not in plain[1] and
           gzip.decompress(body) == plain[2] == web.ask("GET", "/")[2],
           "a page is compressed for those who ask for that")
    page = gzip.decompress(body).decode()
    assets = re.findall(r'(?:src|href)="(/assets/[^"]*)"', page)
    found = [web.ask("GET", asset) for asset in assets]
    result(status == 200 and assets and all(one[0] == 200 for one in found),
           "the page and its files are there without a token", assets)
    result(all(web.ask("GET", path)[0] == 404 for path in
               ["/assets/", "/assets/../web.c", "/assets/%2e%2e/web.c", "/index.html", "/x"]) and
           web.ask("POST", "/", {})[0] == 405, "and nothing else is")
    wanted = {"content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
              "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
              "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
              "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
              "x-frame-options": "DENY", "cross-origin-resource-policy": "same-origin",
              "cross-origin-opener-policy": "same-origin"}
    wrong = []
    for method, path, token in [("GET", "/", None), ("GET", assets[0], None), ("GET", "/x", None),
                                ("GET", "/api/status", web.token), ("GET", "/api/status", None),
                                ("POST", "/api/session", None), ("GET", "/api/nothing", web.token)]:
        headers = web.ask(method, path, {} if method == "POST" else None, token=token)[1]
        wrong += [(path, name) for name, value in wanted.items() if headers[name] != value]
        wrong += [(path, "cookie")] if headers["set-cookie"] else []
    result(not wrong, "every answer forbids scripts, frames and readers of others; none sets a cookie",
           wrong)


def test_names(web):
    good = ["localhost", "127.0.0.1", "[::1]", "localhost:1", "127.0.0.1:65535", web.host]
    bad = ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.localhost",
           "localhost:80x", "localhost:", "127.0.0.1:1234567", "127.0.0.2", "0.0.0.0", "[::]",
           "LOCALHOST", "localhost@evil.example", "localhost:80:80", "evil.example:%d" % web.port]
    forwarded = [("X-Forwarded-Host", "localhost"), ("Forwarded", "host=localhost"),
                 ("X-Forwarded-For", "127.0.0.1")]
    wrong = [host for host in good if web.ask("GET", "/", host=host)[0] != 200]
    result(not wrong, "the usual names of this machine are known", wrong)
    wrong = [(host, path) for host in bad for path in ["/", "/api/status", "/api/session"]
             if web.ask("GET", path, headers=forwarded, token=web.token, host=host)[0] not in (400, 403)]
    result(not wrong, "any other name is refused, whatever a proxy says", wrong)
    wrong = [origin for origin in ["http://evil.example", "null", "http://localhost:%d" % web.port,
                                   "http://127.0.0.1", "file://", "chrome-extension://x", ""]
             if web.ask("GET", "/api/status", headers=[("Origin", origin)], token=web.token)[0] != 403]
    result(not wrong and web.ask("GET", "/api/status", headers=[("Origin", "http://" + web.host)],
                                 token=web.token)[0] == 200, "another page may not ask", wrong)
    wrong = [site for site, status in [("cross-site", 403), ("same-site", 403), ("same-origin", 200),
                                       ("none", 200)]
             if web.ask("GET", "/api/status", headers=[("Sec-Fetch-Site", site)],
                        token=web.token)[0] != status]
    result(not wrong, "nor if the browser says where the request comes from", wrong)
    other = Web("--host", "box.example:8443")
    result(other.ask("GET", "/", host="box.example:8443")[0] == 200 and
           other.ask("GET", "/", host="box.example")[0] == 403, "a name that the owner lists is known")
    result(other.stop() == 0, "SIGTERM ends the server")
    if os.geteuid():
        skip("another user is refused", "needs root")
        return
    child = os.fork()
    if not child:
        web.client = None
        os.setuid(65534)
        os._exit(web.ask("GET", "/")[0] != 0)
    result(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, "another user is refused")


def write(web, name, text):
    path = os.path.join(web.path, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def environments(pid):
    """Of the children; none where they cannot be read, even by us."""
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as children:
        for child in children.read().split():
            try:
                with open("/proc/%s/environ" % child, "rb") as environment:
                    yield environment.read()
            except PermissionError:
                pass


def test_jobs(web):
    lines = web.events()
    seen = [next_event(lines)]
    result(seen[0]["type"] == "hello", "a stream of events begins", seen)
    write(web, "a.txt", "one\n")
    write(web, ".claude/skills/x/manifest.yaml",
          "skill: x\nversion: 1.0.0\ndescription: x\ncore_version: 0.0.0\n"
          "adds: [b.txt]\nmodifies: []\n")
    write(web, ".claude/skills/x/add/b.txt", "two\n")
    status, answer = web.act("skill-apply-preview", skill="x")
    result(status == 200 and answer["exit"] == 0 and not os.path.exists(web.path + "/b.txt"),
           "a preview changes nothing", answer)
    status, answer = web.act("skill-apply", skill="x")
    event = until(lines, {"type": "job", "job": answer.get("job"), "exit": 0}, seen)
    result(status == 202 and event["result"]["success"] and os.path.exists(web.path + "/b.txt"),
           "a long action is a job, whose end is an event", seen)
    status, _, kept = web.read("job", job=answer["job"])
    result(status == 200 and kept["exit"] == 0 and kept["result"] == event["result"],
           "its result can be had later", kept)
    result(web.act("job-stop", job=answer["job"])[0] == 404 and web.act("job-stop", job=99)[0] == 404
           and web.read("job", job=99)[0] == 404, "a job that has ended cannot be stopped")
    write(web, ".claude/skills/slow/manifest.yaml",
          "skill: slow\nversion: 1.0.0\ndescription: x\ncore_version: 0.0.0\n"
          "adds: [c.txt]\nmodifies: []\ntest: touch \"$PWD-begun\"; sleep 1000\n")
    write(web, ".claude/skills/slow/add/c.txt", "three\n")
    job = web.act("skill-apply", skill="slow")[1]["job"]
    deadline = time.monotonic() + 60
    while not os.path.exists(web.path + "-begun") and time.monotonic() < deadline:
        pass
    result(web.read("status")[0] == 200, "pages work while a job runs")
    result(not any(b"API_KEY" in environment for environment in environments(web.process.pid)),
           "commands of the dashboard get no secret of its environment")
    os.unlink(web.path + "-begun")
    web.act("job-stop", job=job)
    event = until(lines, {"type": "job", "job": job, "exit": 1}, seen)
    result(event and not os.path.exists(web.path + "/c.txt"),
           "a job that is stopped leaves everything as it was", seen[-3:])
    again = web.events(after=seen[1]["seq"])
    repeated = [next_event(again) for _ in seen[2:]]
    result(repeated == seen[2:], "a client continues after the last event that it saw", repeated)
    result(next_event(web.events(after=10**6))["type"] == "resync",
           "one that names an unknown event is told to read anew")
    numbers = [event["seq"] for event in seen]
    result(numbers == sorted(set(numbers)), "events have rising numbers", numbers)


def test_jobs_that_never_begin(web):
    """Several requests in one piece are all taken before the first job begins."""
    lines = web.events()
    seen = [next_event(lines)]
    last = web.act("doctor-fix")[1]["job"]
    until(lines, {"type": "job", "job": last, "exit": 0}, seen)
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as s:
        s.sendall(b"".join([web.request("POST", "doctor-fix")] * 3 +
                           [web.request("POST", "job-stop", job=last + i) for i in (1, 2, 3)]))
        ends = [until(lines, {"type": "job", "job": last + i, "exit": -1}, seen) for i in (1, 2, 3)]
        result(all(ends) and web.read("status")[0] == 200,
               "jobs that are stopped before they begin end, and the server goes on", seen)
        limits = resource.prlimit(web.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(web.process.pid, resource.RLIMIT_NOFILE, (4, limits[1]))
        s.sendall(web.request("POST", "doctor-fix") * 2)
        ends = [until(lines, {"type": "job", "job": last + i, "exit": -1}, seen) for i in (4, 5)]
        resource.prlimit(web.process.pid, resource.RLIMIT_NOFILE, limits)
        result(all(end and "too many open files" in end["result"]["error"].lower()
                   for end in ends) and web.read("status")[0] == 200,
               "so do those for which the machine has no place, and they say why", ends)


def test_stop(web):
    """At the end, a request may wait behind another one that the end answers."""
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as s:
        s.sendall(web.request("GET", "events") + web.request("GET", "status") * 2)
        while b"hello" not in s.recv(4096):
            pass
        status = web.stop()
    result(status == 0, "the server ends, whatever still waits", status)


def test_host(web):
    with open(web.path + "/agent", "w") as file:
        file.write(AGENT)
    os.chmod(web.path + "/agent", 0o755)
    with open(web.path + "/.env", "w") as file:
        file.write("NANOCLAW_AGENT=../../agent\nNANOCLAW_GRACE_SECONDS=1\n")
    lines = web.events()
    next_event(lines)
    run = dict(cwd=web.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    host = started(["run"], **run)
    seen = []
    until(lines, {"type": "resync", "host": True}, seen)
    result(web.act("send", group="main", text="--help\n'; rm -rf x")[1]["exit"] == 0,
           "a message is sent")
    until(lines, {"type": "turn", "state": "answered"}, seen)
    kinds = [event["type"] for event in seen]
    result({"message", "turn", "text"} <= set(kinds), "the host's events come through", kinds)
    messages = web.read("messages", group="main")[2]["messages"]
    texts = [one["text"] for one in messages]
    result(texts == ["--help\n'; rm -rf x", "yes"], "what they report is stored by then", texts)
    result(not any(one["waiting"] for one in messages),
           "an answer of a local chat does not wait: who reads it here has it", messages)
    web.act("send", group="main", text="reach %d" % web.port)
    until(lines, {"type": "turn", "state": "answered"}, seen)
    said = web.read("messages", group="main")[2]["messages"][-1]["text"]
    result(said == "port closed, socket hidden", "no agent reaches the dashboard", said)
    host.kill()
    host.wait()
    result(until(lines, {"type": "host", "running": False}, seen), "a host that is killed is noticed")
    result(web.read("status")[0] == 200 and web.read("messages", group="main")[0] == 200,
           "pages work without it")
    host = started(["run"], **run)
    until(lines, {"type": "resync", "host": True}, seen)
    web.act("send", group="main", text="again")
    until(lines, {"type": "turn", "state": "answered"}, seen)
    numbers = [event["seq"] for event in seen]
    turns = [(event["turn"], event["state"]) for event in seen if event["type"] == "turn"]
    result(numbers == list(range(numbers[0], numbers[0] + len(numbers))) and
           len(turns) == len(set(turns)) == 6, "nothing is missing, and nothing comes twice",
           str(numbers) + str(turns))
    token, port = web.token, web.port
    web.process.kill()
    web.process.wait()
    result(lines.readline().strip() == "", "a dashboard that is killed ends its streams")
    web.start("--port", str(port))
    result(web.ask("GET", "/api/status", token=token)[0] == 401, "and its tokens end with it")
    web.token = web.enter(web.code)
    texts = [one["text"] for one in web.read("messages", group="main")[2]["messages"]]
    result(web.port == port and texts[-2:] == ["again", "yes"], "the next one takes over", texts)
    host.terminate()
    host.wait()


def test_socket():
    web = Web("--socket")
    result(not web.ask("GET", "/")[0], "with --socket, nothing listens on TCP")
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(web.path + "/data/run/web.sock")
        status = web.ask("GET", "/", host="localhost:8080", connect=s)[0]
    result(status == 200 and web.stop() == 0 and not os.listdir(web.path + "/data/run"),
           "but on the socket, which goes with the server", status)


web = Web()
test_session(web)
test_routes(web)
test_requests(web)
test_names(web)
test_jobs(web)
test_jobs_that_never_begin(web)
test_host(web)
test_stop(web)
test_socket()
sys.exit(end())
