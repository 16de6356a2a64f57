"""serve.py SERVE: clients of a web server (serve.c), proper and otherwise. In TAP."""

import atexit
import os
import socket
import subprocess
import sys
import tempfile

from tap import end, result, skip


class Server:
    def __init__(self, *words, **how):
        self.process = subprocess.Popen([os.path.abspath(sys.argv[1]), *words], stdout=subprocess.PIPE, text=True,
                                        **how)
        atexit.register(self.process.kill)
        self.said = self.line()
        self.port = int(self.said) if self.said.isdigit() else 0

    def line(self):
        return self.process.stdout.readline().strip()

    def connect(self):
        s = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        return s

    def ask(self, request, end_input=True):
        """All that comes back until the server hangs up; None: it broke off."""
        with self.connect() as s:
            try:
                s.sendall(request)
                if end_input:
                    s.shutdown(socket.SHUT_WR)
                return read_all(s)
            except OSError:
                return None

    def stop(self):
        """Its last words and its exit code: sanitizers find there what was not freed."""
        with self.connect() as s:
            s.sendall(get("/stop"))
            read_all(s)
        return self.process.stdout.read(), self.process.wait(timeout=60)


def get(path, *headers, method="GET", body=b""):
    return "\r\n".join(["%s %s HTTP/1.1" % (method, path), "Host: localhost", *headers, "",
                        ""]).encode() + body


def post(path, body, *headers):
    return get(path, "Content-Length: %d" % len(body), *headers, method="POST", body=body)


def read_all(s):
    said = b""
    while True:
        got = s.recv(65536)
        if not got:
            return said
        said += got


def read_until(s, mark):
    said = b""
    while mark not in said:
        got = s.recv(65536)
        if not got:
            break
        said += got
    return said


def test_requests():
    server = Server("--patient")
    said = server.ask(get("/echo?a=b"))
    result(said == b"HTTP/1.1 200 OK\r\nx-a: b\r\ncontent-length: 14\r\n\r\nGET /echo?a=b ",
           "a request is answered, and the connection stays until the client hangs up", said)
    said = server.ask(get("/echo", method="HEAD"))
    result(said.endswith(b"content-length: 11\r\n\r\n"), "HEAD has no body", said)
    said = server.ask(get("/echo", "Connection: close"), end_input=False)
    result(b"\r\nconnection: close\r\n\r\nGET" in said, "a client that asks for it is hung up on",
           said)
    said = server.ask(b"GET /echo HTTP/1.0\r\n\r\n", end_input=False)
    result(said.endswith(b"GET /echo "), "HTTP/1.0 is answered, and ends", said)
    said = server.ask(post("/echo", b"abc") + post("/echo", b"de") + get("/echo"))
    result([part.split(b"\r\n\r\n")[1] for part in said.split(b"HTTP/1.1 ")[1:]] ==
           [b"POST /echo abc", b"POST /echo de", b"GET /echo "],
           "requests that are sent ahead are answered in order", said)
    said = server.ask(get("/echo") * 500)
    result(said.count(b"GET /echo ") == 500, "also five hundred of them", len(said))
    chunks = get("/echo", "Transfer-Encoding: chunked", method="POST",
                 body=b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    said = server.ask(chunks)
    result(said.endswith(b"POST /echo abcde"), "a body in chunks is put together", said)
    with server.connect() as s:
        for byte in chunks:
            s.sendall(bytes([byte]))
        said = read_until(s, b"abcde")
    result(said.endswith(b"POST /echo abcde"), "also byte for byte", said)
    with server.connect() as s:
        s.sendall(get("/echo", "Content-Length: 2", "Expect: 100-continue", method="POST"))
        said = read_until(s, b"\r\n\r\n")
        s.sendall(b"hi")
        said += read_until(s, b"hi")
    result(said.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"),
           "a client that waits to send its body is told to", said)
    said = server.ask(get("/large"))
    result(len(said) > 8 << 20, "a large answer arrives whole", len(said))
    result(server.stop() == ("", 0), "the server ends clean")


def test_refusals():
    server = Server()
    for name, request, status in [
            ("a body that is too long is refused before it is sent",
             get("/echo", "Content-Length: 1025", "Expect: 100-continue", method="POST"), 413),
            ("also in chunks", get("/echo", "Transfer-Encoding: chunked", method="POST",
                                   body=b"401\r\n"), 413),
            ("no body may be half a chunk too long",
             get("/echo", "Transfer-Encoding: chunked", method="POST",
                 body=b"3ff\r\n" + b"x" * 1023 + b"\r\n2\r\n"), 413),
            ("two lengths", get("/echo", "Content-Length: 1", "Content-Length: 1", body=b"x"), 400),
            ("a length and chunks", get("/echo", "Content-Length: 5", "Transfer-Encoding: chunked",
                                        body=b"0\r\n\r\n"), 400),
            ("two hosts", get("/echo", "Host: b"), 400),
            ("no host", b"GET / HTTP/1.1\r\n\r\n", 400),
            ("lines that end in LF", b"GET / HTTP/1.1\nHost: a\n\n", 400),
            ("folded lines", get("/echo", "A: b", " c"), 400),
            ("a proxy's request", get("http://example.com/"), 400),
            ("a tunnel", b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("no HTTP", b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400),
            ("a head that is too long", get("/echo", "A: " + "b" * 40000), 431),
            ("an unknown page", get("/x", "Connection: close"), 404)]:
        said = server.ask(request + get("/echo"), end_input=False)
        result(said is not None and said.startswith(b"HTTP/1.1 %d " % status) and
               said.count(b"HTTP/1.1 ") == 1, "refused, and nothing after it is read: " + name, said)
    for name, request in [("head", b"GET / HT"), ("body", post("/echo", b"abc")[:-1])]:
        result(server.ask(request, end_input=False) in (b"", None),
               "a request whose %s does not come is broken off" % name)
        result(server.ask(request) in (b"", None), "also if the client hangs up in its " + name)
    held = [server.connect() for _ in range(8)]
    result(server.ask(get("/echo")) in (b"", None), "more connections than allowed are refused")
    for s in held:
        s.close()
    while not server.ask(get("/echo")):
        pass
    with server.connect() as s:
        s.sendall(get("/large"))
        read_until(s, b"\r\n\r\n")
        said = server.ask(get("/echo"))
    result(said.endswith(b"GET /echo "), "a client that does not read holds up nobody", said)
    result(server.stop() == ("", 0), "the server ends clean")


def test_later():
    server = Server("--patient")
    with server.connect() as first, server.connect() as second:
        first.sendall(get("/later") + get("/echo"))
        second.sendall(get("/later"))
        server.line(), server.line()
        second.close()
        server.ask(get("/now"))
        said = read_until(first, b"GET /echo ")
        result(said.count(b"HTTP/1.1 200") == 2 and said.index(b"late") < said.index(b"GET"),
               "an answer may come later, and the next request waits for it", said)
    result(server.ask(get("/echo")) is not None, "an answer for a client that has gone is dropped")
    with server.connect() as half:
        half.sendall(get("/later"))
        half.shutdown(socket.SHUT_WR)
        server.line()
        server.ask(get("/now"))
        said = read_all(half)
    result(said.endswith(b"late"), "a client that has ended its input still gets the answer", said)
    with server.connect() as s:
        s.sendall(get("/later"))
        server.line()
        result(server.stop() == ("", 0), "a server that closes waits for no answer")


def test_pieces():
    server = Server("--patient")
    with server.connect() as one, server.connect() as two:
        one.sendall(get("/pieces"))
        read_until(one, b"\r\n\r\n")
        two.sendall(b"GET /pieces HTTP/1.0\r\n\r\n")
        read_until(two, b"\r\n\r\n")
        server.ask(get("/piece"))
        said = read_until(one, b"piece\n\r\n"), read_until(two, b"piece\n")
        result(said == (b"6\r\npiece\n\r\n", b"piece\n"), "pieces arrive when they are sent", said)
        two.close()
        result(server.line() == "ended", "a client that goes away is noticed")
        server.ask(get("/end"))
        said = read_until(one, b"0\r\n\r\n")
        one.sendall(get("/echo"))
        said += read_until(one, b"GET /echo ")
        result(said.startswith(b"0\r\n\r\nHTTP/1.1 200 OK"), "after the end comes the next request",
               said)
    with server.connect() as s:
        s.sendall(get("/flood"))
        said = [server.line(), server.line()]
        result(said == ["flooded", "ended"], "a client that does not read is disconnected", said)
    with server.connect() as s:
        s.sendall(get("/pieces"))
        read_until(s, b"\r\n\r\n")
        result(server.stop() == ("ended\n", 0), "a server that closes ends what is in pieces")


def test_users():
    server = Server()
    second = Server("--port", str(server.port))
    result(second.said == "cannot listen on 127.0.0.1:%d: address already in use" % server.port,
           "a port that is taken is a failure", second.said)
    server.stop()
    with tempfile.TemporaryDirectory() as folder:
        server = Server("--socket", "web.sock", cwd=folder)
        mode = os.stat(folder + "/web.sock").st_mode & 0o777
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(folder + "/web.sock")
            s.sendall(get("/echo"))
            s.shutdown(socket.SHUT_WR)
            said = read_all(s)
            with socket.socket(socket.AF_UNIX) as last:
                last.connect(folder + "/web.sock")
                last.sendall(get("/stop"))
                read_all(last)
        result(said.endswith(b"GET /echo ") and mode == 0o600 and server.process.wait() == 0 and
               not os.listdir(folder), "a Unix socket is for its owner, and goes with the server",
               said)
    names = ["another user is refused", "unless any user may come"]
    if os.geteuid():
        for name in names:
            skip(name, "needs root")
        return
    for name, words, answered in zip(names, [[], ["--any-user"]], [False, True]):
        server = Server(*words)
        child = os.fork()
        if not child:
            os.setuid(65534)
            os._exit(bool(server.ask(get("/echo"))))
        result(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == answered, name)
        result(server.stop() == ("", 0), "the server ends clean")


test_requests()
test_refusals()
test_later()
test_pieces()
test_users()
sys.exit(end())
