"""llama.py NANOCLAW URL: a trial with a real llama.cpp, through a real host and its gate. In TAP.

URL is that of a llama-server whose context has 4,096 tokens; docs/native.md has the commands. What
its model says does not matter, so one with random weights will do. Without the server this is not
a test, and nothing runs it by itself."""

import http.client
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from through_host import NativeHost, tap

WINDOW = 4096


class Between:
    """Passes requests on, after `change` has seen them; `seen` are the bodies."""

    def __init__(self, url):
        self.change, self.seen, self.flows = (lambda body: None), [], threading.Event()
        between = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.pass_on(b"")

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                between.seen.append(body)
                between.change(body)
                self.pass_on(json.dumps(body).encode())

            def pass_on(self, body):
                address = urlsplit(url)
                server = http.client.HTTPConnection(address.hostname, address.port)
                server.request(self.command, self.path, body,
                               {"Content-Type": "application/json"})
                answer = server.getresponse()
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.headers["Content-Type"])
                self.send_header("Connection", "close")
                self.end_headers()
                try:
                    while piece := answer.read1(4096):
                        self.wfile.write(piece)
                        self.wfile.flush()
                        between.flows.set()
                except OSError:
                    pass  # the agent was killed
                server.close()
                self.close_connection = True

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def force_call(body, limit, **path):
    """The server's grammar allows nothing but a call of 'read' now, whatever the weights are."""
    body.update(tool_choice="required", parallel_tool_calls=False,
                temperature=0, max_tokens=limit)
    body["tools"] = [{"type": "function", "function": {"name": "read", "parameters": {
        "type": "object", "properties": {"path": {"type": "string", **path}},
        "required": ["path"], "additionalProperties": False}}}]
    body["messages"].append({"role": "assistant", "content": "<tool_call>\n{"})


def once(change):
    """For the next request only."""
    calls = []

    def changed(body):
        if not calls:
            calls.append(body)
            change(body)
    return changed


def usage_of(host):
    return host.rows("SELECT count(*), sum(output_tokens), sum(estimated) FROM usage")[0]


def trial(nanoclaw, between):
    host = NativeHost(nanoclaw, "openai", between.port, NANOCLAW_PROVIDER="llamacpp",
                      NANOCLAW_CONTEXT=str(WINDOW), NANOCLAW_MAX_OUTPUT="40").up()
    try:
        said = host.say("Hello.")
        tap.result("is cut off here" in said, "an answer that babbles up to its limit says so", said)
        count, written, estimated = usage_of(host)
        tap.result((count, written, estimated) == (1, 40, 0),
                   "the gate counts what the server reports", (count, written, estimated))

        between.seen.clear()
        between.change = once(lambda body: force_call(body, 80, enum=["CLAUDE.md"]))
        host.say("Use a tool.")
        results = [m["content"] for m in between.seen[-1]["messages"] if m["role"] == "tool"]
        tap.result(len(between.seen) == 2 and results and "CLAUDE" in results[0],
                   "a streamed call is run, and its result goes back", results)

        between.seen.clear()
        between.change = once(lambda body: force_call(body, 30))
        host.say("Use it again.")
        results = [m["content"] for m in between.seen[-1]["messages"] if m["role"] == "tool"]
        tap.result(len(between.seen) == 2 and "not run" in results[-1],
                   "a call that the limit cuts is not run", results)

        between.seen.clear()
        host.say(" ".join("word%d" % number for number in range(9000)))
        sizes = [len(json.dumps(body)) for body in between.seen]
        tap.result(len(sizes) <= 2, "a message that is too long is shortened", sizes)

        between.seen.clear()
        between.change = lambda body: body.update(max_tokens=3000)
        between.flows.clear()
        host.run("send", "main", "Tell me a long story.")
        between.flows.wait()
        host.kill()
        between.change = lambda body: None
        said = host.up().say("And now?")
        tap.result("is cut off here" in said and len(between.seen) >= 3,
                   "killed in the middle of an answer, it goes on", said)
    finally:
        host.close()


def trial_overflow(nanoclaw, between):
    """The settings claim a window that the server does not have."""
    host = NativeHost(nanoclaw, "openai", between.port, NANOCLAW_PROVIDER="llamacpp",
                      NANOCLAW_CONTEXT="200000", NANOCLAW_MAX_OUTPUT="40").up()
    try:
        said = host.say(" ".join("word%d" % number for number in range(3000)))
        tap.result("is cut off here" in said, "the window is learned from the server", said)
        said = host.say("Hello.")
        tap.result("is cut off here" in said, "and the next message is answered", said)
    finally:
        host.close()


if __name__ == "__main__":
    middle = Between(sys.argv[2])
    trial(sys.argv[1], middle)
    trial_overflow(sys.argv[1], middle)
    sys.exit(tap.end())
