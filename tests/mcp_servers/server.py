#!/usr/bin/env python3
"""server.py MODE [FILE]: an MCP server that does one thing wrong, for tests of the client.

What it hears goes to FILE, if there is one, a line each.
"""
import json
import os
import signal
import sys
import time

mode = sys.argv[1]
record = open(sys.argv[2], "a", buffering=1) if len(sys.argv) > 2 else None
out = sys.stdout.buffer
tools = [
    {"name": "echo", "description": "Say it again.", "annotations": {"readOnlyHint": True},
     "inputSchema": {"$schema": "x", "type": "object", "properties": {"text": {"type": "string"}}}},
    {"name": "die", "inputSchema": {"type": "object"}},
    {"name": "hang"},
    {"name": "act"},
]


def send(message):
    if isinstance(message, dict):
        message = dict(message, jsonrpc="2.0")
    out.write(json.dumps(message).encode() + b"\n")
    out.flush()


def say(identifier, **result):
    send({"id": identifier, "result": result})


def text(identifier, words, **more):
    say(identifier, content=[{"type": "text", "text": words}], **more)


def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    if record:
        record.write(line)
    return json.loads(line)


def ask(method):
    """A request to the client, and its answer."""
    send({"id": "mine", "method": method})
    while True:
        answer = hear()
        if answer.get("id") == "mine":
            return answer


def call(identifier, name, arguments):
    if name == "die":
        print("these are my last words", file=sys.stderr, flush=True)
        os._exit(3)
    if name == "hang":
        return
    if mode == "asks":
        answers = [ask(method) for method in ("ping", "roots/list", "sampling/createMessage")]
        return text(identifier, json.dumps(answers))
    if mode == "huge":
        return text(identifier, "x" * (20 * 1024 * 1024))
    if mode == "large":
        return text(identifier, "é" * (2 * 1024 * 1024) + "end")
    if mode == "garbage":
        out.write(b"hello\n\n{\n[1, 2\n\xff\xfe\n{\"id\": 99, \"result\": {}}\n\0\n")
        out.write(b'{"id": {}, "result": {}}\n{"method": 7}\n[[[]]]\n[{}]\nnull\n')
        out.write(b'{"a": ' + b"[" * 100000 + b"\n")
        out.write(b'{"jsonrpc": "2.0", "method": "notifications/progress"}\n')
        out.write(b'{"id": "a", "id": "b", "method": "ping"}\n')
        out.flush()
        return text(identifier, "after garbage")
    if mode == "shapes":
        return say(identifier, content=[
            {"type": "text", "text": "first"},
            {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="},
            {"type": "image", "mimeType": "image/svg+xml", "data": "iVBORw0KGgo="},
            {"type": "audio", "mimeType": "audio/wav", "data": "AAAA"},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
            {"type": "resource", "resource": {"uri": "file:///b", "blob": "AAAA"}},
            {"type": "resource_link", "uri": "file:///c", "name": "c"},
            {"type": "hologram"}, 7, None], isError=arguments.get("fail", False))
    if mode == "structured":
        return say(identifier, structuredContent={"b": [1.5, 2], "a": None})
    if mode == "wrong":
        return send({"id": identifier, "error": {"code": -32602, "message": "no such thing",
                                                 "data": "try another"}})
    if mode == "nothing":
        return send({"id": identifier, "result": 5})
    if mode == "batch":
        return send([{"jsonrpc": "2.0", "id": identifier,
                      "result": {"content": [{"type": "text", "text": "in an array"}]}}])
    if mode == "grows" and name == "act":
        tools.append({"name": "new"})
        send({"method": "notifications/tools/list_changed"})
    if mode == "restless":
        send({"method": "notifications/tools/list_changed"})
    if mode == "twice":
        text(identifier, "once")
    text(identifier, arguments.get("text", "done"))
    if mode == "leaves":
        sys.exit(0)


def page(identifier, params):
    if mode == "endless":
        return say(identifier, tools=tools, nextCursor="again")
    if mode == "restless":
        send({"method": "notifications/tools/list_changed"})
    if mode == "odd":
        odd = [None, 3, {}, {"name": 7}, {"name": ""}, {"name": "a\0b"}, {"name": "x" * 300},
               {"name": "echo", "inputSchema": [], "description": 8, "annotations": 9},
               {"name": "echo"}, {"name": "with space.and-dot"}, {"name": "y" * 100},
               {"name": "big", "inputSchema": {"description": "z" * 100000}}]
        return say(identifier, tools=odd + [{"name": f"t{i}"} for i in range(1000)])
    if mode == "unlisted":
        return send({"id": identifier, "error": {"code": 1, "message": "not today"}})
    at = int(params.get("cursor", "0"))
    more = {"nextCursor": str(at + 1)} if at + 1 < len(tools) else {}
    say(identifier, tools=tools[at:at + 1], **more)


def main():
    if mode == "dead":
        print("cannot find my feet\n", file=sys.stderr)
        sys.exit(4)
    if mode == "mute":
        while True:
            hear()
    if mode == "deaf":
        signal.pause()
    if mode == "closes":
        os.close(1)
        signal.pause()
    if mode == "chatty":
        sys.stderr.write("blah " * 200000)
    if mode == "family":
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            record.write(f"{os.getpid()}\n")
            while True:
                time.sleep(1000)
    held = []
    while True:
        message = hear()
        method, identifier = message.get("method"), message.get("id")
        params = message.get("params") or {}
        if method == "initialize":
            revision = {"old": "2024-11-05", "alien": "1999-01-01"}.get(mode, "2025-06-18")
            if mode == "refuses":
                send({"id": identifier, "error": {"code": -32000, "message": "go away"}})
            else:
                say(identifier, protocolVersion=revision, capabilities={"tools": {}},
                    serverInfo={"name": "test", "version": "1"}, instructions="Be kind.")
        elif method == "tools/list":
            page(identifier, params)
        elif method == "tools/call" and mode == "reversed":
            held.append((identifier, params["arguments"]["text"]))
            while len(held) == 3:
                for waiting, words in reversed(held):
                    text(waiting, words)
                held.clear()
        elif method == "tools/call":
            call(identifier, params["name"], params["arguments"])


main()
