"""Web servers on loopback that stand for a platform: threads, and WebSockets of their clients."""

import base64
import hashlib
import json
import socket
import socketserver
import struct
import threading


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True

    def __init__(self, *arguments):
        self.connections = []
        super().__init__(*arguments)

    def start(self):
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def leave(self):
        """The network is gone."""
        self.shutdown()
        self.server_close()
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def handle_error(self, *_):
        pass  # a client that was killed


class WebSocket:
    """One WebSocket of a client, from the handler of its request."""

    def __init__(self, handler):
        self.source, self.connection = handler.rfile, handler.connection
        self.lock, self.open = threading.Lock(), True
        key = handler.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        handler.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                            b"Connection: Upgrade\r\nSec-WebSocket-Accept: " +
                            base64.b64encode(hashlib.sha1(key.encode()).digest()) + b"\r\n\r\n")
        handler.close_connection = True
        self.connection.settimeout(None)

    def frame(self, kind, data):
        length = (bytes((len(data),)) if len(data) < 126 else
                  b"\x7e" + struct.pack(">H", len(data)) if len(data) < 65536 else
                  b"\x7f" + struct.pack(">Q", len(data)))
        with self.lock:
            try:
                self.connection.sendall(bytes((0x80 | kind,)) + length + data)
            except OSError:
                self.open = False

    def send(self, document):
        self.frame(1, document if isinstance(document, bytes) else json.dumps(document).encode())

    def close(self, code, reason=""):
        self.frame(8, struct.pack(">H", code) + reason.encode())

    def read_frame(self):
        head = self.source.read(2)
        if len(head) < 2:
            raise OSError("ended")
        length = head[1] & 127
        if length > 125:
            size = 2 if length == 126 else 8
            length = int.from_bytes(self.source.read(size), "big")
        mask, data = self.source.read(4), self.source.read(length)
        return head[0] & 15, bytes(b ^ mask[i % 4] for i, b in enumerate(data))

    def serve(self, take):
        """Call `take` with each document that the client sends, until it is gone."""
        try:
            while True:
                kind, data = self.read_frame()
                if kind == 1:
                    take(json.loads(data))
                elif kind == 8:
                    self.frame(8, data)
                    break
                elif kind == 9:
                    self.frame(10, data)
        except OSError:
            pass
        self.open = False

    def cut(self):
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
