#!/usr/bin/env python3
"""bridge.py URL: an MCP server over stdio that hands all messages to one over HTTP."""
import json
import sys
import threading
import urllib.error
import urllib.request

url = sys.argv[1]
session = {}
lock = threading.Lock()


def put(text):
    with lock:
        sys.stdout.write(text.strip() + "\n")
        sys.stdout.flush()


def post(line):
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(url, line.encode(), {**headers, **session}, method="POST")
    try:
        answer = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        print("the server answers", error.code, file=sys.stderr)
        return
    with answer:
        if answer.headers.get("Mcp-Session-Id"):
            session["Mcp-Session-Id"] = answer.headers["Mcp-Session-Id"]
        if not answer.headers.get("Content-Type", "").startswith("text/event-stream"):
            body = answer.read().decode()
            if body.strip():
                put(json.dumps(json.loads(body)))
            return
        data = []
        for raw in answer:
            text = raw.decode().rstrip("\r\n")
            if text.startswith("data:"):
                data.append(text[5:].lstrip())
            elif not text and data:
                put("".join(data))
                data = []


for line in sys.stdin:
    method = json.loads(line).get("method")
    if method == "initialize":
        post(line)
        session["MCP-Protocol-Version"] = "2025-06-18"
    else:
        threading.Thread(target=post, args=(line,)).start()
