"""stream.py TALK: streams (talk.c) over TLS and plain TCP. In TAP."""

import hashlib
import os
import random
import shutil
import signal
import socket
import ssl
import sys
import tempfile
import threading
import time

from certificates import make_authority, make_certificate, make_self_signed
from server import Client, Proxy, Server, reset, tls, wait_for_end
from tap import end, result

QUEUE = "--max=100000000"


def echo(server, client, number):
    while data := client.recv(65536):
        client.sendall(data)


def ended(said):
    """Python does not end TLS before it closes, which newer versions of libcurl call an error."""
    return said.replace("closed Failure when receiving data from the peer", "closed by the server")


def talk(server, *words):
    return Client(sys.argv[1], *words, server.stream)


def test_talk(kind, context):
    client = talk(Server(echo, context()), "--ca=" + ca)
    client.tell("send hello")
    said = [client.line(), client.line()]
    client.tell("send again")
    said.append(client.line())
    said.append(client.tell("drop").end())
    result(said == ["open", "text hello", "text again", "dropped"],
           "%s: bytes go both ways" % kind, said)

    def both_ways(server, client, number):
        """Sends much, and compares what comes back."""
        data = random.Random(5).randbytes(30 << 20)
        threading.Thread(target=client.sendall, args=(data,), daemon=True).start()
        digest, length = hashlib.sha256(), 0
        while length < len(data) and (piece := client.recv(65536)):
            digest.update(piece)
            length += len(piece)
        server.same = digest.digest() == hashlib.sha256(data).digest()
    server = Server(both_ways, context())
    client = talk(server, "--echo", QUEUE, "--ca=" + ca)
    said = client.end()
    result(ended(said) == "open\nclosed by the server" and server.same,
           "%s: 30 MB come back as they were" % kind, said)

    def count(server, client, number):
        server.length = 0
        while data := client.recv(65536):
            server.length += len(data)
        server.done.set()
    server = Server(count, context())
    server.done = threading.Event()
    said = talk(server, "--ca=" + ca, QUEUE).tell("fill 20000000").tell("close").end()
    result(said == "open\nfinished" and server.done.wait(60) and server.length == 20000000,
           "%s: a stream that is finished sends all that is queued" % kind, said)

    def many(server, client, number):
        for i in range(30000):
            client.sendall(b"x")
            if i % 10000 == 0:
                client.recv(1)
    client = talk(Server(many, context()), "--echo", QUEUE, "--ca=" + ca)
    said = client.end()
    result(said.startswith("open\nclosed"), "%s: many small pieces are no trouble" % kind, said)


def test_ends():
    def say_goodbye(server, client, number):
        client.sendall(b"bye")
    said = talk(Server(say_goodbye)).end()
    result(said == "open\ntext bye\nclosed by the server", "the server's end is seen", said)

    def break_off(server, client, number):
        client.recv(1)
        reset(client)
    said = talk(Server(break_off)).tell("send x").end()
    result(said.startswith("open\nclosed ") and "by the server" not in said,
           "and told from a connection that breaks", said)
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    said = Client(sys.argv[1], "tcp://127.0.0.1:%d" % held.getsockname()[1]).end()
    result(said.startswith("closed ") and "connect" in said, "a closed port is an error", said)
    said = talk(Server(lambda server, client, number: wait_for_end(client)), "--idle=1000").end()
    result(said == "open\nclosed it said nothing for 1 seconds",
           "a silent server is given up, if the owner wants", said)

    def deaf(server, client, number):
        server.done.wait(60)
    server = Server(deaf)
    server.done = threading.Event()
    client = talk(server, "--idle=2000", "--max=20000000").tell("flood")
    said = client.end()
    server.done.set()
    result(said == "open\nfull\nclosed it took nothing for 2 seconds",
           "the queue has a limit, and a server that takes nothing is given up", said)


def test_requests_beside(folder):
    def leave(server, client, number):
        server.may_leave.wait(60)
        client.close()
        server.has_left.set()
    # Without the tickets of TLS 1.3, which would be something to read.
    context = tls(folder, "right")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    server = Server(leave, context)
    server.may_leave, server.has_left = threading.Event(), threading.Event()

    def answer(server, client, number):
        server.read(client)
        client.sendall(b"HTTP/1.1 200 yes\r\ncontent-length: 0\r\n\r\n")
    client = talk(server, "--ca=" + ca).tell("stop\nget " + Server(answer).url)
    os.waitpid(client.program.pid, os.WUNTRACED)
    server.may_leave.set()
    server.has_left.wait(60)
    # libcurl looks for dead connections at most once in a second.
    time.sleep(1.1)
    client.program.send_signal(signal.SIGCONT)
    said = client.end()
    result(sorted(ended(said).split("\n")) == ["closed by the server", "got 200", "open"],
           "a request leaves a stream alone that has yet to read the server's end", said)


def test_tls(folder):
    for certificate, authority, expected, claim in (
            ("wrong", "ours", "no alternative certificate subject name matches target host",
             "a server with another's name is refused"),
            ("expired", "ours", "certificate has expired", "so is an expired certificate"),
            ("self", "ours", "self-signed certificate", "one that signed itself"),
            ("right", "theirs", "unable to get local issuer certificate",
             "and one of an unknown authority")):
        server = Server(echo, tls(folder, certificate))
        said = talk(server, "--ca=%s/%s.pem" % (folder, authority)).tell("send secret").end()
        result(said.startswith("closed ") and expected in said, claim, said)

    for context, variable in ((tls(folder, "right"), "HTTPS_PROXY"), (None, "http_proxy")):
        server, proxy = Server(echo, context), Proxy()
        client = Client(sys.argv[1], "--ca=%s/ours.pem" % folder, server.stream,
                        **{variable: proxy.url})
        said = [client.tell("send hello").line(), client.line(), client.tell("drop").end()]
        result(said == ["open", "text hello", "dropped"]
               and proxy.requests[0].startswith("CONNECT localhost:%d " % server.port),
               "a stream goes through the proxy in %s" % variable, [said, proxy.requests])

    silent = Server(lambda server, client, number: wait_for_end(client))
    said = Client(sys.argv[1], "--connect=1000", "tls://localhost:%d" % silent.port).end()
    result(said.startswith("closed ") and "time" in said.lower(),
           "a server that does not answer the TLS handshake is given up", said)


ca = ""
test_talk("plain", lambda: None)
test_ends()
if shutil.which("openssl"):
    with tempfile.TemporaryDirectory(prefix="nanoclaw-stream-") as temporary:
        make_authority(temporary, "ours")
        make_authority(temporary, "theirs")
        make_certificate(temporary, "right", "ours", "DNS:localhost")
        make_certificate(temporary, "wrong", "ours", "DNS:other.example")
        make_certificate(temporary, "expired", "ours", "DNS:localhost", expired=True)
        make_self_signed(temporary, "self", "DNS:localhost")
        ca = temporary + "/ours.pem"
        test_talk("TLS", lambda: tls(temporary, "right"))
        test_tls(temporary)
        test_requests_beside(temporary)
sys.exit(end())
