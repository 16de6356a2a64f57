"""Servers on loopback for tests: each connection is given to a function."""

import os
import socket
import ssl
import struct
import subprocess
import threading


# Of the machine: the servers are on loopback.
for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
    del os.environ[name]


class Server:
    """Remembers the requests that it got, as one text each."""

    def __init__(self, behave, context=None):
        self.behave, self.context, self.requests = behave, context, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.url = "%s://localhost:%d" % ("https" if context else "http", self.port)
        self.stream = "%s://localhost:%d" % ("tls" if context else "tcp", self.port)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        number = 0
        while True:
            client, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(client, number), daemon=True).start()
            number += 1

    def serve(self, client, number):
        try:
            if self.context:
                client = self.context.wrap_socket(client, server_side=True)
            with client:
                self.behave(self, client, number)
        except OSError:
            pass

    def read(self, client):
        """One request with its body, which must have a length; "" at the end."""
        text = b""
        while b"\r\n\r\n" not in text:
            more = client.recv(65536)
            if not more:
                return ""
            text += more
        head, body = text.split(b"\r\n\r\n", 1)
        length = 0
        for line in head.decode().lower().split("\r\n"):
            if line.startswith("content-length:"):
                length = int(line.split(":")[1])
        while len(body) < length:
            body += client.recv(65536)
        self.requests.append((head + b"\r\n\r\n" + body).decode())
        return self.requests[-1]


def wait_for_end(client):
    while client.recv(65536):
        pass


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def tls(folder, certificate):
    """For Server: FOLDER/CERTIFICATE.pem and its key."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + "/%s.pem" % certificate, folder + "/%s.key" % certificate)
    return context


class Proxy(Server):
    """Takes CONNECT, and leads to that port of 127.0.0.1."""

    def __init__(self):
        super().__init__(Proxy.tunnel)

    def tunnel(self, client, number):
        port = int(self.read(client).split(" ")[1].rsplit(":", 1)[1])
        server = socket.create_connection(("127.0.0.1", port))
        client.sendall(b"HTTP/1.1 200 yes\r\n\r\n")
        threading.Thread(target=self.pump, args=(server, client), daemon=True).start()
        self.pump(client, server)

    @staticmethod
    def pump(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Client:
    """One of our programs: reads commands as lines, and answers in lines."""

    def __init__(self, *words, **environment):
        self.program = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=dict(os.environ, **environment), text=True)
        self.timer = threading.Timer(120, self.program.kill)
        self.timer.start()

    def tell(self, line):
        self.program.stdin.write(line + "\n")
        self.program.stdin.flush()
        return self

    def line(self):
        return self.program.stdout.readline().rstrip("\n")

    def end(self):
        """What else it says; its exit code must be 0."""
        rest = self.program.stdout.read()
        self.timer.cancel()
        code = self.program.wait()
        return rest.rstrip("\n") + ("" if code == 0 else " (exit code %d)" % code)
