"""faults.py ASK TALK: HTTP calls and WebSockets through the fault proxy. In TAP.

Shows that the proxy does what it says, and that our clients get over it.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import threading

from fault_proxy import FaultProxy
from server import Client, Server
from tap import end, result


def answer_ok(server, client, number):
    while server.read(client):
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")


def speak_websocket(server, client, number):
    """Greets in a frame, and answers whatever comes with a pong."""
    head = server.read(client)
    if not head:
        return
    key = [line.split(": ")[1] for line in head.split("\r\n")
           if line.lower().startswith("sec-websocket-key")][0]
    accept = base64.b64encode(hashlib.sha1(
        (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
    client.sendall(("HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Accept: %s\r\n\r\n" % accept).encode() + b"\x81\x05hello")
    while client.recv(65536):
        server.asked.set()
        client.sendall(b"\x8a\x00\x81\x05again")


def ask(url, *words):
    return subprocess.run([sys.argv[1], *words, url], timeout=300, stdout=subprocess.PIPE,
                          text=True).stdout


def test_http():
    server = Server(answer_ok)
    proxy = FaultProxy("127.0.0.1", server.port)
    url = "http://127.0.0.1:%d/" % proxy.port
    for fault, words, expected, requests, claim in (
            (None, [], "200 hello\n" * 2, 2, "without a command, everything is forwarded"),
            ("drop", ["--method=POST", "--body=x"], "failed: .*\n200 hello\n", 2,
             "a dropped reply is to a request that the server got, once"),
            ("status 429 7", ["--show=retry-after"], r"429 \[7\] \n200 \[\] hello\n", 1,
             "429 comes with the time, and the server gets nothing"),
            ("status 502", [], "502 \n200 hello\n", 1, "so does 502"),
            ("reset", [], "failed: Recv failure: Connection reset by peer\n200 hello\n", 1,
             "a reset request does not reach the server"),
            ("cut 30", [], "failed: .*\n200 hello\n", 2,
             "a reply that is cut in its head is none"),
            ("cut 41", [], "failed: .* with 2 bytes (remaining|missing).*\n200 hello\n", 2,
             "nor one that is cut in its body"),
            ("delay 300", [], "200 hello\n" * 2, 2, "a delayed reply arrives"),
            ("delay 60000", ["--total=500"], "failed: .*timed out.*\n200 hello\n", 2,
             "if it is waited for")):
        server.requests.clear()
        if fault:
            proxy.command(fault)
        said = ask(url, "--times=2", *words)
        result(re.fullmatch(expected, said) and len(server.requests) == requests, claim,
               said + str(server.requests))


def test_websocket():
    server = Server(speak_websocket)
    server.asked = threading.Event()
    proxy = FaultProxy("127.0.0.1", server.port)
    words = [sys.argv[2], "--ping=500", "ws://127.0.0.1:%d/" % proxy.port]

    client = Client(*words)
    said = [client.line(), client.line()]
    server.asked.wait(60)
    proxy.command("freeze")
    said = said + client.end().split("\n")
    result(said[:2] == ["open", "text hello"] and
           said[-1] == "closed 1006 it did not answer a ping in time",
           "a connection that goes silent is noticed by its pings", said)

    client = Client(*words)
    said = [client.line(), client.line()]
    proxy.command("break")
    said = said + client.end().split("\n")
    result(said[:2] == ["open", "text hello"] and said[-1].startswith("closed 1006 "),
           "one that is reset is 1006", said)

    client = Client(sys.argv[2], words[-1])
    said = [client.line(), client.line()]
    proxy.command("cut 5")
    client.tell("send x")
    said = said + client.end().split("\n")
    result(said[:2] == ["open", "text hello"] and len(said) == 3 and
           said[2].startswith("closed 1006 "), "a frame that is cut is no message", said)

    proxy.command("status 502")
    said = Client(*words).end()
    result(said == "closed 1006 it refused the WebSocket with status 502",
           "a gateway's error is reported", said)


def test_program():
    server = Server(answer_ok)
    proxy = Client(sys.executable, os.path.dirname(os.path.abspath(__file__)) + "/fault_proxy.py",
                   "127.0.0.1", str(server.port))
    url = "http://127.0.0.1:%s/" % proxy.line()
    proxy.tell("status 503")
    said = ask(url)
    while said == "200 hello\n":  # the command was not read yet
        said = ask(url)
    did = proxy.line()
    proxy.program.stdin.close()
    result(said == "503 \n" and did == "did status 503" and proxy.end() == "",
           "the proxy can be run as a program", [said, did])


test_http()
test_websocket()
test_program()
sys.exit(end())
