"""fault_proxy.py HOST PORT: stands between a client and a server, and misbehaves on command.

It listens on a port of 127.0.0.1, prints it, and forwards each connection to HOST PORT. It reads
commands in lines, and prints "did COMMAND" when one has happened:

    status CODE [SECONDS]   the next bytes of a client are not forwarded: it gets this HTTP status,
                            with Retry-After
    reset                   the next bytes of a client are not forwarded: its connection is reset
    drop                    the next bytes of the server are not forwarded: the connection ends, and
                            the client never sees the reply to what it has done
    cut N                   only the first N of the next bytes of the server are forwarded; then the
                            connection ends
    delay MS                the next bytes of the server are forwarded that much later
    freeze                  all connections stay open, and forward nothing any more
    break                   all connections are reset

The first five wait for their bytes, one after the other on each side. Tests in Python can import
the class instead.
"""

import queue
import socket
import struct
import sys
import threading
import time

FROM_CLIENT = ("status", "reset")
FROM_SERVER = ("drop", "cut", "delay")


class Ended(Exception):
    """This connection is done for."""


def reset(connection):
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except OSError:  # it is closed already
        pass
    connection.close()


class Connection:
    def __init__(self, proxy, client):
        self.proxy, self.client, self.frozen, self.ended = proxy, client, False, []
        self.server = socket.create_connection(proxy.target)

    def start(self):
        for source, target, faults in (
                (self.client, self.server, self.proxy.client_faults),
                (self.server, self.client, self.proxy.server_faults)):
            threading.Thread(target=self.pump, args=(source, target, faults), daemon=True).start()

    def end(self):
        for side in (self.client, self.server):
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def pump(self, source, target, faults):
        try:
            while data := source.recv(65536):
                if self.frozen:
                    continue
                if not faults.empty():
                    self.suffer(faults.get(), data, target)
                else:
                    target.sendall(data)
            if not self.frozen:
                target.shutdown(socket.SHUT_WR)
        except (Ended, OSError):
            if not self.frozen:
                self.end()
        self.ended.append(source)
        if len(self.ended) == 2:  # a soak has thousands of connections
            self.client.close()
            self.server.close()
            self.proxy.connections.discard(self)

    def suffer(self, fault, data, target):
        kind, *words = fault.split()
        try:
            if kind == "delay":
                time.sleep(int(words[0]) / 1000)
                target.sendall(data)
                return
            if kind == "status":
                retry = "Retry-After: %s\r\n" % words[1] if words[1:] else ""
                self.client.sendall(("HTTP/1.1 %s Fault\r\n%sContent-Length: 0\r\n"
                                     "Connection: close\r\n\r\n" % (words[0], retry)).encode())
            elif kind == "reset":
                reset(self.client)
            elif kind == "cut":
                target.sendall(data[:int(words[0])])
        finally:
            self.proxy.happened(fault)
        raise Ended


class FaultProxy:
    def __init__(self, host, port, happened=lambda fault: None):
        self.target, self.happened, self.connections = (host, port), happened, set()
        self.client_faults, self.server_faults = queue.Queue(), queue.Queue()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.socket.accept()
            try:
                connection = Connection(self, client)
            except OSError:
                client.close()
                continue
            self.connections.add(connection)
            connection.start()

    def command(self, line):
        kind = line.split()[0]
        if kind in FROM_CLIENT:
            self.client_faults.put(line)
        elif kind in FROM_SERVER:
            self.server_faults.put(line)
        elif kind == "freeze":
            for connection in list(self.connections):
                connection.frozen = True
            self.happened(line)
        elif kind == "break":
            for connection in list(self.connections):
                connection.end()  # the threads that read from it let go
                try:
                    reset(connection.client)
                except OSError:
                    pass  # it has ended by itself
            self.happened(line)
        else:
            raise ValueError("unknown command '%s'" % line)


def main():
    proxy = FaultProxy(sys.argv[1], int(sys.argv[2]),
                       lambda fault: print("did " + fault, flush=True))
    print(proxy.port, flush=True)
    for line in sys.stdin:
        proxy.command(line.strip())


if __name__ == "__main__":
    main()
