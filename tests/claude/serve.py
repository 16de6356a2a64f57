"""serve.py PROGRAM CLAUDE [ARGUMENT...]: run PROGRAM with a model that does as it is told.

A Messages API server on loopback plays the model. The first part of a request's path
names the part that it plays:

    settle    reads the file, and replaces the conflict by both sides
    escape    tries to read, write and run what it must not
    undecided says what has to be decided, and edits nothing
    follow-X  does what the slash command says that the conversation X began with (follow.py)
    talk      says how many messages there were, and what the last one was; told to
              'run COMMAND', it does that first, and says what came out; told to
              'use TOOL JSON', it calls that tool of the host, and told 'tools', it
              says which ones it has
    broken    answers with an error

PROGRAM finds the server's address in SERVER, and in REQUESTS a folder with every
request as PART-NUMBER.json, its headers as PART-NUMBER.headers. While a file 'break' is
there, answers break off in the middle. The exit code is that of PROGRAM.
"""

import html
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

from follow import follow, say, use

TIMEOUT = 3000  # of PROGRAM, in seconds


def last_user_content(request):
    """What the user, or a tool, has said last: a list of blocks."""
    content = [m for m in request["messages"] if m["role"] == "user"][-1]["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def tool_results(request):
    """The answers of tools to what was said last."""
    return [b for b in last_user_content(request) if b["type"] == "tool_result"]


def text_of(block):
    content = block.get("content", "")
    return content if isinstance(content, str) else "".join(c.get("text", "") for c in content)


def working_folder(request):
    return re.search(r"(/[^\s\"]*/nanoclaw-resolver-[0-9a-f]{16})", json.dumps(request)).group(1)


def settle(request, turn):
    path = working_folder(request) + "/src/main.txt"
    if turn == 1:
        return [use("Read", file_path=path)]
    if turn == 2:
        # Lines come with their numbers in front.
        shown = text_of(tool_results(request)[0])
        text = re.sub(r"^ *\d+[\t\u2192]", "", shown, flags=re.M)
        conflict = re.search(r"<<<<<<<.*\n((?:.*\n)*?)\|{7}(?:.*\n)*?=======\n((?:.*\n)*?)>>>>>>>.*\n", text)
        return [use("Edit", file_path=path, old_string=conflict.group(0),
                    new_string=conflict.group(1) + conflict.group(2))]
    return [say("Both sides are kept.")]


def escape(request, turn):
    project = os.environ["PROJECT"]
    if turn == 1:
        return [
            use("Read", file_path=project + "/secret.txt"),
            use("Write", file_path=project + "/src/new.txt", content="out"),
            use("Bash", command="echo out >" + project + "/src/new.txt", description="x"),
        ]
    return [say("I could not get out.")]


def undecided(request, turn):
    return [say("Shall it greet once or twice?")]


def talk(request, turn):
    # Text that Claude Code adds, such as a CLAUDE.md, may contain an example.
    said = [text for m in request["messages"] if m["role"] == "user"
            for text in re.findall(r"<message [^>]*>([^<]*)</message>", re.sub(
                r"<system-reminder>.*?</system-reminder>", "", json.dumps(m["content"])))]
    last = said[-1] if said else ""
    if last == "tools":
        prefix = "mcp__nanoclaw__"
        last = " ".join(sorted(tool["name"][len(prefix):] for tool in request["tools"]
                               if tool["name"].startswith(prefix)))
    if not last.startswith(("run ", "use ")):
        return [say("%d: %s" % (len(said), last))]
    results = tool_results(request)
    if not results and last.startswith("use "):
        # Once for being in JSON here, and once for standing in a message.
        _, name, arguments = html.unescape(json.loads('"%s"' % last)).split(" ", 2)
        return [say("Let me see."), use("mcp__nanoclaw__" + name, **json.loads(arguments))]
    if not results:
        return [say("Let me see."), use("Bash", command=html.unescape(last[4:]), description="x")]
    return [say("%d: %s" % (len(said), text_of(results[0])))]


PARTS = {"settle": settle, "escape": escape, "undecided": undecided, "talk": talk}


followers = {}


def play(part, request, turn):
    if not part.startswith("follow-"):
        return PARTS[part](request, turn)
    if part not in followers:
        followers[part] = follow(request)
        return next(followers[part])
    return followers[part].send(request)


def events(blocks, turn):
    """The answer as a stream of server-sent events."""
    uses_tools = any(b["type"] == "tool_use" for b in blocks)
    yield {"type": "message_start", "message": {
        "id": "msg_%d" % turn, "type": "message", "role": "assistant", "model": "played",
        "content": [], "stop_reason": None, "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1}}}
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            start, delta = dict(block, text=""), {"type": "text_delta", "text": block["text"]}
        else:
            start = dict(block, input={}, id="toolu_%d_%d" % (turn, index))
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "usage": {"output_tokens": 1}, "delta": {
        "stop_reason": "tool_use" if uses_tools else "end_turn", "stop_sequence": None}}
    yield {"type": "message_stop"}


class Handler(http.server.BaseHTTPRequestHandler):
    turns = {}

    def log_message(self, *args):
        pass

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def break_off(self, body):
        """Half of an answer, and then the end of the connection."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2])
        self.close_connection = True

    def refuse(self, status):
        self.answer(status, "application/json", json.dumps({
            "type": "error",
            "error": {"type": "invalid_request_error", "message": "not played"}}).encode())

    def do_HEAD(self):
        self.answer(200, "text/plain", b"")

    def do_GET(self):
        self.refuse(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        _, part, *rest = self.path.split("?")[0].split("/")
        if rest != ["v1", "messages"]:
            return self.refuse(404)
        turn = Handler.turns[part] = Handler.turns.get(part, 0) + 1
        with open("%s/%s-%d.json" % (os.environ["REQUESTS"], part, turn), "wb") as file:
            file.write(body)
        with open("%s/%s-%d.headers" % (os.environ["REQUESTS"], part, turn), "w") as file:
            file.writelines("%s: %s\n" % (name.lower(), value)
                            for name, value in self.headers.items())
        if part not in PARTS and not part.startswith("follow-"):
            return self.refuse(400)
        blocks = play(part, json.loads(body), turn)
        stream = "".join("event: %s\ndata: %s\n\n" % (e["type"], json.dumps(e))
                         for e in events(blocks, turn))
        if os.path.exists(os.environ["REQUESTS"] + "/break"):
            return self.break_off(stream.encode())
        return self.answer(200, "text/event-stream", stream.encode())


def main():
    with tempfile.TemporaryDirectory(prefix="nanoclaw-test-") as folder:
        os.environ["HOME"] = folder + "/home"
        os.environ["PROJECT"] = folder + "/project"
        os.environ["REQUESTS"] = folder + "/requests"
        for name in ("home", "project", "requests"):
            os.mkdir(folder + "/" + name)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = dict(os.environ,
                           SERVER="http://127.0.0.1:%d" % server.server_port,
                           NANOCLAW_CLAUDE=sys.argv[2],
                           ANTHROPIC_API_KEY="none",
                           no_proxy="127.0.0.1", NO_PROXY="127.0.0.1")
        return subprocess.run([sys.argv[1], *sys.argv[3:]], env=environment, timeout=TIMEOUT).returncode


sys.exit(main())
