"""http.py ASK: HTTP calls (ask.c) to servers that are slow, lie, or break off. In TAP.

Each server is a function that gets a connection and how many came before it.
"""

import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

from certificates import make_authority, make_certificate, make_self_signed
from server import Server, reset, tls, wait_for_end
from tap import end, result


def answer(body, status="200 OK", *headers):
    lines = ["HTTP/1.1 " + status, "Content-Length: %d" % len(body), *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def always(reply):
    """Answers every request of a connection."""
    def behave(server, client, number):
        while server.read(client):
            client.sendall(reply)
    return behave


def ask(*words):
    return subprocess.run([sys.argv[1], *words], timeout=300, stdout=subprocess.PIPE,
                          text=True).stdout


def test_bodies():
    server = Server(always(answer(b"hello")))
    said = ask("--method=POST", "--json={\"a\": [1, \"\u00e4\"]}", server.url)
    result(said == "200 hello\n" and server.requests[0].endswith("\r\n\r\n{\"a\":[1,\"\u00e4\"]}")
           and "\r\ncontent-type: application/json\r\n" in server.requests[0]
           and "expect" not in server.requests[0].lower(),
           "JSON is sent with its type and its length", said + str(server.requests))
    server = Server(always(answer(b"hello")))
    said = ask("--method=PUT", "--body=", "--header=x-a: b", "--times=3", server.url + "/p?q=1")
    result(said == "200 hello\n" * 3 and server.requests[2].startswith("PUT /p?q=1 HTTP/1.1\r\n")
           and "\r\nx-a: b\r\n" in server.requests[2]
           and "\r\nContent-Length: 0\r\n" in server.requests[2],
           "method, headers and an empty body arrive", said + str(server.requests))
    with tempfile.NamedTemporaryFile() as file:
        content = "a line\n" * 40000
        file.write(content.encode())
        file.flush()
        server = Server(always(answer(b"hello")))
        said = ask("--method=POST", "--file=" + file.name, server.url)
        head, body = server.requests[0].split("\r\n\r\n", 1)
        boundary = "--" + head.split("boundary=")[1].split("\r\n")[0]
        result(said == "200 hello\n" and body == boundary.join((
            "", "\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\ntwo\nlines\r\n",
            "\r\nContent-Disposition: form-data; name=\"files[0]\"; filename=\"a _name_.txt\"\r\n"
            "Content-Type: application/octet-stream\r\n\r\n" + content + "\r\n", "--\r\n")),
            "a form has a text and a file", said + server.requests[0][:500])
        said = ask("--method=POST", "--file=" + file.name, "--size=900000",
                   Server(always(answer(b"hello"))).url)
        result(said.startswith("failed: "), "a file that is shorter than its size is no request", said)
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    server = Server(always(chunks + b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n"))
    said = ask("--times=2", server.url)
    result(said == "200 abcde\n" * 2, "a body in chunks is put together", said)

    def pieces(server, client, number):
        server.read(client)
        client.sendall(chunks + b"3\r\nabc\r\n")
        client.sendall(b"2\r\nde\r\n0\r\n\r\n")
        wait_for_end(client)
    said = ask("--pieces", Server(pieces).url)
    result(said.replace(" +", "") == "200abcde done\n", "or passed on in pieces", said)
    said = ask(Server(always(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n"
                             b"\r\n" + answer(b"x"))).url)
    result(said == "200 x\n", "interim responses are skipped", said)
    said = ask("--show=retry-after",
               Server(always(answer(b"slow down", "429 No", "Retry-After: 7"))).url)
    result(said == "429 [7] slow down\n", "429 is a response like others, with its headers", said)


def test_limits():
    def huge(server, client, number):
        server.read(client)
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            client.sendall(b"x" * 65536)
    said = ask("--max=1000000", Server(huge).url)
    result(said == "failed: the response is larger than the limit of 1000000 bytes\n",
           "an endless body is cut at the limit", said)
    said = ask("--max=5", Server(always(answer(b"12345"))).url)
    result(said == "200 12345\n", "a body may be as long as the limit", said)
    said = ask("--max=4", Server(always(answer(b"12345"))).url)
    result(said.startswith("failed: the response is larger"), "but not a byte longer", said)

    def many_headers(server, client, number):
        server.read(client)
        client.sendall(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 1000 + b"\r\n")
        wait_for_end(client)
    said = ask(Server(many_headers).url)
    result(said == "failed: its answer is not valid HTTP\n", "too many headers are refused", said)


def test_timeouts():
    def silent(server, client, number):
        server.read(client)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        wait_for_end(client)
    said = ask("--idle=1000", Server(silent).url)
    result(said == "failed: it said nothing for 1 seconds\n",
           "a server that falls silent is given up", said)

    def dripping(server, client, number):
        server.read(client)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        client.settimeout(0.05)
        while True:
            client.sendall(b"x")
            try:
                client.recv(1)
            except TimeoutError:
                pass
    said = ask("--idle=30000", "--total=1000", Server(dripping).url)
    result("timed out" in said, "one that drips is given up after the total time", said)
    full = socket.create_server(("127.0.0.1", 0), backlog=0)
    fillers = [socket.socket() for _ in range(4)]
    for filler in fillers:
        filler.setblocking(False)
        filler.connect_ex(full.getsockname())
    said = ask("--connect=1000", "http://127.0.0.1:%d/" % full.getsockname()[1])
    result(said.startswith("failed: ") and "time" in said.lower(),
           "one that does not accept is given up", said)

    def endless(server, client, number):
        server.read(client)
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\nabc")
        server.ended = client.recv(1) == b""
        server.seen.set()
    server = Server(endless)
    server.seen = threading.Event()
    said = ask("--cancel", server.url)
    result(said.endswith("cancelled\n") and server.seen.wait(60) and server.ended,
           "a cancelled transfer closes its connection and calls nobody", said)


def test_redirects():
    target = Server(always(answer(b"there")))
    moved = "Location: %s/new" % target.url
    server = Server(always(answer(b"moved", "302 Found", moved)))
    said = ask("--show=location", server.url)
    result(said == "302 [%s/new] moved\n" % target.url and not target.requests,
           "a redirect is not followed", said)
    said = ask("--follow", "--header=authorization: secret", server.url)
    result(said == "200 there\n" and target.requests[0].startswith("GET /new ")
           and "secret" in server.requests[1] and "secret" not in target.requests[0],
           "unless asked for, and the authorization stays with its host",
           said + str(target.requests))
    said = ask("--follow", Server(always(answer(b"", "302 Found", "Location: /again"))).url)
    result(said.startswith("failed: ") and "redirect" in said, "and not forever", said)
    to_file = answer(b"", "302 Found", "Location: file:///etc/passwd")
    said = ask("--follow", Server(always(to_file)).url)
    result(said.startswith("failed: Protocol \"file\" "), "and not to a file", said)


def test_breaks():
    def cut(server, client, number):
        server.read(client)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    said = ask(Server(cut).url)
    result(re.match("failed: .* with 7 bytes (remaining|missing)", said),
           "a body that ends early is no response", said)

    def broken(server, client, number):
        server.read(client)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        reset(client)
    said = ask(Server(broken).url)
    result(said.startswith("failed: "), "nor one that is reset in the middle", said)
    said = ask(Server(always(b"SSH-2.0-OpenSSH_9.2\r\n")).url)
    result(said.startswith("failed: "), "nor one of another protocol", said)

    def second_lost(server, client, number):
        server.read(client)
        client.sendall(answer(b"first"))
        server.read(client)

    server = Server(second_lost)
    said = ask("--times=2", "--method=POST", "--body=x", server.url)
    result(said == "200 first\nfailed: the connection ended before the response\n"
           and len(server.requests) == 2, "a POST whose connection breaks is not sent again",
           said + str(server.requests))
    server = Server(second_lost)
    said = ask("--times=2", "--method=POST", server.url)
    result(said == "200 first\n" * 2 and len(server.requests) == 2,
           "one without a body does not use a connection that may be dead",
           said + str(server.requests))
    server = Server(second_lost)
    said = ask("--times=2", server.url)
    result(said == "200 first\n" * 2 and len(server.requests) == 3,
           "a GET is, on a new connection", said + str(server.requests))


def test_certificates(folder):
    make_authority(folder, "ours")
    make_authority(folder, "theirs")
    make_certificate(folder, "right", "ours", "DNS:localhost")
    make_certificate(folder, "wrong", "ours", "DNS:other.example")
    make_certificate(folder, "expired", "ours", "DNS:localhost", expired=True)
    make_self_signed(folder, "self", "DNS:localhost")
    for certificate, authority, expected, claim in (
            ("right", "ours", "200 hello\n", "a server with a good certificate is asked"),
            ("wrong", "ours", "no alternative certificate subject name matches target host",
             "one with another's name is not"),
            ("expired", "ours", "certificate has expired", "nor one whose certificate expired"),
            ("self", "ours", "self-signed certificate", "nor one that signed its own"),
            ("right", "theirs", "unable to get local issuer certificate",
             "nor one of an unknown authority"),
            ("right", None, "unable to get local issuer certificate",
             "nor one that the system does not know")):
        server = Server(always(answer(b"hello")), tls(folder, certificate))
        said = ask(*(["--ca=%s/%s.pem" % (folder, authority)] if authority else []), server.url)
        result(expected in said and bool(server.requests) == (certificate == "right" and
               authority == "ours"), claim, said)


def lookup_inside():
    """In a network of its own, where the DNS answers only after the call has failed."""
    dns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    dns.bind(("127.0.0.1", 53))
    program = subprocess.Popen([sys.argv[1], "--total=500", "http://slow.example/"],
                               stdout=subprocess.PIPE, text=True)
    dns.recv(1500)
    timer = threading.Timer(20, program.kill)
    timer.start()
    sys.stdout.write(program.stdout.read())
    timer.cancel()


def test_lookup():
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("nameserver 127.0.0.1\noptions timeout:30 attempts:1\n")
        file.flush()
        bwrap = ["bwrap", "--unshare-user", "--unshare-net", "--uid", "0", "--cap-add",
                 "CAP_NET_BIND_SERVICE", "--dev-bind", "/", "/", "--ro-bind", file.name,
                 "/etc/resolv.conf", "--"]
        if not shutil.which("bwrap") or subprocess.run(
                bwrap + ["true"], capture_output=True).returncode:
            return
        said = subprocess.run(bwrap + [sys.executable, *sys.argv, "inside"], timeout=300,
                              stdout=subprocess.PIPE, text=True).stdout
        result(said.startswith("failed: ") and "timed out" in said,
               "a call does not wait for a name that is still looked up", said)


if sys.argv[2:] == ["inside"]:
    lookup_inside()
    sys.exit(0)
test_bodies()
test_lookup()
test_limits()
test_timeouts()
test_redirects()
test_breaks()
if shutil.which("openssl"):
    with tempfile.TemporaryDirectory(prefix="nanoclaw-http-") as temporary:
        test_certificates(temporary)
sys.exit(end())
