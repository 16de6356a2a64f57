"""An IRC server on loopback for one client, which does what a test tells it: it offers capabilities,
refuses nicks, passwords and channels, answers labels or not, and goes silent."""

import base64
import contextlib
import socket
import ssl
import threading

CAPABILITIES = "batch echo-message labeled-response message-tags sasl=PLAIN server-time"
HOST = "u" * 16 + "@" + "h" * 64  # the longest that there are


class IrcServer:
    """The state of all connections; `lines` has everything that came, as (tags, command, words)."""

    def __init__(self, capabilities=CAPABILITIES, password=None, certificate=None):
        self.changed = threading.Condition()
        self.capabilities, self.password = capabilities, password
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate + ".pem", certificate + ".key")
        self.lines, self.said, self.faults, self.taken = [], [], [], set()
        self.malformed = []
        self.closed_rooms, self.rooms, self.nick, self.connection = {}, set(), None, None
        self.connections, self.longest, self.silent, self.number = 0, 0, False, 0
        self.welcome_error = None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
                if self.context:
                    connection = self.context.wrap_socket(connection, server_side=True)
            except ssl.SSLError:
                continue
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with self.changed:
            self.nick, self.rooms, self.connection = None, set(), connection
            self.enabled, self.negotiating, self.user = set(), False, False
        try:
            for line in connection.makefile("rb"):
                if not self.silent:
                    self.take(line)
        except (OSError, ValueError):
            pass
        with self.changed:
            if self.connection is connection:
                self.connection, self.nick, self.rooms = None, None, set()
            self.changed.notify_all()
        connection.close()

    def send(self, line):
        with self.changed:
            try:
                self.connection.sendall(line.encode() + b"\r\n")
            except (OSError, AttributeError):
                pass

    def numeric(self, number, text, label=""):
        self.send("%s:irc.example.org %s %s %s" % (label, number, self.nick or "*", text))

    def source(self):
        return ":%s!%s" % (self.nick, HOST)

    # --- what the client sends -------------------------------------------------

    def take(self, raw):
        tags = ""
        text = raw.decode("utf-8", "replace")
        if text.encode() != raw or not text.endswith("\r\n") or text.count("\r") > 1 or \
                "\0" in text:
            self.malformed.append(raw)
        line = text[:-2]
        if line.startswith("@"):
            tags, line = line[1:].split(" ", 1)
        head, _, last = line.partition(" :")
        words = head.split() + ([last] if " :" in line else [])
        with self.changed:
            self.longest = max(self.longest, len((self.source() + " " + line + "\r\n").encode()))
            self.lines.append((tags, words[0], words[1:]))
            getattr(self, "on_" + words[0].lower(), lambda *_: None)(tags, words[1:])
            self.changed.notify_all()

    def on_cap(self, _, words):
        if words[0] == "LS":
            self.negotiating = True
            first, _, rest = self.capabilities.partition(" ")
            if rest:
                self.send(":irc.example.org CAP * LS * :" + first)
            self.send(":irc.example.org CAP * LS :" + (rest or first))
        elif words[0] == "REQ":
            self.enabled = set(words[1].split())
            self.send(":irc.example.org CAP * ACK :" + words[1])
        elif words[0] == "END":
            self.negotiating = False
            self.welcome()

    def on_authenticate(self, _, words):
        if words[0] == "PLAIN":
            self.send("AUTHENTICATE +")
            return
        _, name, password = base64.b64decode(words[0]).decode().split("\0")
        right = (name, password) == ("Andy", self.password)
        self.numeric("903" if right else "904", ":SASL")

    def on_nick(self, _, words):
        if words[0] in self.taken:
            self.numeric("433", words[0] + " :Nickname is already in use")
        elif self.nick and self.user and not self.negotiating:
            self.send("%s NICK :%s" % (self.source(), words[0]))
            self.nick = words[0]
        else:
            self.nick = words[0]
            self.welcome()

    def on_user(self, *_):
        self.user = True
        self.welcome()

    def welcome(self):
        if self.negotiating or not self.nick or not self.user:
            return
        self.connections += 1
        if self.welcome_error:
            self.send(self.welcome_error)
            return
        self.numeric("001", ":Welcome")
        self.numeric("005", "CASEMAPPING=rfc1459 CHANTYPES=# :are supported")
        self.numeric("422", ":no message of the day")

    def on_join(self, _, words):
        if words[0] in self.closed_rooms:
            self.numeric(self.closed_rooms[words[0]], words[0] + " :Cannot join channel (+b)")
        else:
            self.rooms.add(words[0].lower())
            self.send("%s JOIN %s" % (self.source(), words[0]))

    def on_ping(self, _, words):
        self.send(":irc.example.org PONG irc.example.org :" + words[0])

    def on_privmsg(self, tags, words):
        label = "@%s " % tags if tags else ""
        fault = self.faults.pop(0) if self.faults else None
        if fault == "refuse":
            self.numeric("404", words[0] + " :Cannot send to channel", label)
            return
        self.said.append((words[0], words[1]))
        if fault == "cut":
            self.cut()
        elif fault == "batch":
            self.send("%s:irc.example.org BATCH +b1 labeled-response" % label)
            self.send("@batch=b1 %s PRIVMSG %s :%s" % (self.source(), *words))
            self.send(":irc.example.org BATCH -b1")
        elif "echo-message" in self.enabled:
            self.number += 1
            label = "@%s%smsgid=own%d " % (tags, ";" if tags else "", self.number)
            self.send("%s%s PRIVMSG %s :%s" % (label, self.source(), *words))
        elif label:
            self.send(label + ":irc.example.org ACK")

    # --- what tests do -------------------------------------------------------------

    def say(self, target, text, nick="Alice", tags=""):
        self.send("%s:%s!a@example.org PRIVMSG %s :%s" % (tags, nick, target or self.nick, text))

    def cut(self):
        if self.connection:
            with contextlib.suppress(OSError):  # the client may have gone first
                self.connection.shutdown(socket.SHUT_RDWR)

    def texts(self, target):
        return [text for to, text in self.said if to == target.lower()]

    def commands(self, name):
        return [words for _, command, words in self.lines if command == name]

    def wait_for(self, condition, patience=300):
        with self.changed:
            if not self.changed.wait_for(condition, patience):
                raise AssertionError("it did not happen; the last lines: %s" % self.lines[-20:])

    def close(self):
        self.listener.close()
        self.cut()
