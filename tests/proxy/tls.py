"""tls.py ASK: an API with TLS, behind a gate (ask.c), in TAP.

Who the API is, is checked before it gets the key; a stream that is cut off is no whole answer;
and the proxy of the host's environment is used.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../net")

from certificates import make_authority, make_certificate  # noqa: E402
from server import Proxy, tls  # noqa: E402
from tap import end, result, skip_all  # noqa: E402


class Server:
    """Answers one thing, and remembers what it was asked."""

    def __init__(self, folder, certificate, answer, cut=False):
        self.context = tls(folder, certificate)
        self.answer, self.cut, self.asked = answer, cut, b""
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = "https://localhost:%d" % self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            plain, _ = self.socket.accept()
            try:
                with self.context.wrap_socket(plain, server_side=True) as client:
                    while b"\r\n\r\n" not in self.asked:
                        self.asked += client.recv(65536)
                    client.sendall(self.answer)
                    if self.cut:
                        os.close(client.detach())  # TCP ends, TLS does not say so
                    else:
                        client.unwrap()
            except OSError:
                pass


def ask(*words, **environment):
    return subprocess.run([sys.argv[1], *words], env=dict(os.environ, **environment), timeout=300,
                          stdout=subprocess.PIPE, text=True).stdout


WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
OPEN = (b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n")


def main(folder):
    make_authority(folder, "ours")
    make_authority(folder, "theirs")
    make_certificate(folder, "right", "ours", "DNS:localhost")
    make_certificate(folder, "wrong", "ours", "DNS:other.example")
    ours = folder + "/ours.pem"

    server = Server(folder, "right", WHOLE)
    said = ask(server.url, ours)
    result(said.startswith("200 whole hello") and b"\r\nx-api-key: real-key\r\n" in server.asked,
           "an API that is who it says gets the key", said)
    server = Server(folder, "right", WHOLE)
    said = ask(server.url)
    result(said.startswith("502 whole") and "certificate" in said and not server.asked,
           "one that nobody vouches for does not", said)
    server = Server(folder, "right", WHOLE)
    said = ask(server.url, folder + "/theirs.pem")
    result(said.startswith("502 whole") and not server.asked,
           "nor one that somebody else vouches for", said)
    server = Server(folder, "wrong", WHOLE)
    said = ask(server.url, ours)
    result(said.startswith("502 whole") and not server.asked, "nor one by another name", said)
    server = Server(folder, "right", OPEN, cut=True)
    said = ask(server.url, ours)
    result(said.startswith("200 broken data: 1"), "a stream that is cut off is not whole", said)
    server = Server(folder, "right", OPEN + b"0\r\n\r\n")
    said = ask(server.url, ours)
    result(said.startswith("200 whole data: 1"), "and one that is ended is", said)
    server, proxy = Server(folder, "right", WHOLE), Proxy()
    said = ask(server.url, ours, HTTPS_PROXY=proxy.url)
    result(said.startswith("200 whole hello") and proxy.requests[0].startswith("CONNECT localhost:")
           and "real-key" not in proxy.requests[0], "the proxy of the environment is used", said)
    return end()


if not shutil.which("openssl"):
    skip_all("openssl is not installed")
with tempfile.TemporaryDirectory(prefix="nanoclaw-tls-") as temporary:
    sys.exit(main(temporary))
