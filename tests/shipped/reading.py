"""A chat whose messages have files, a server that reads files, and tests that all readers share."""

import base64
import http.server
import json
import os
import random
import shutil
import socket
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../net"))

import tap
from host import PATIENCE, Host

# The bridge only passes lines on: the chat is in the process of the test, and outlives the host.
BRIDGE = """
import os, socket, sys, threading
chat = socket.socket(socket.AF_UNIX)
chat.connect(sys.argv[1])
def pass_on():
    while data := chat.recv(65536):
        os.write(1, data)
    os._exit(0)
threading.Thread(target=pass_on, daemon=True).start()
while data := os.read(0, 65536):
    chat.sendall(data)
os._exit(0)
"""


class Chat:
    """Everybody in it is called Ann. It repeats what is not acknowledged, and remembers keys."""

    def __init__(self, nanoclaw, **settings):
        self.host, self.settings = Host(nanoclaw, settings), settings
        self.change = threading.Condition()
        self.waiting, self.acked, self.sent, self.link = {}, set(), {}, None
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(os.path.join(self.host.root, "chat.sock"))
        self.socket.listen()
        os.mkdir(os.path.join(self.host.root, "bridges"))
        self.host.write_file("bridges/relay.py", BRIDGE.encode())
        self.host.write_file("bridges/files.json", json.dumps(
            {"command": [sys.executable, "bridges/relay.py", "chat.sock"]}).encode())
        threading.Thread(target=self.accept, daemon=True).start()

    def start(self, **settings):
        self.host.configure({**self.settings, **settings})
        self.host.start()
        self.host.wait_for_line("channel 'files' is connected")

    def restart(self, **settings):
        self.host.stop()
        self.start(**settings)

    def group(self, name):
        self.host.run("group", "add", "files:" + name, name, "--no-trigger")

    def accept(self):
        while True:
            link, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(link,), daemon=True).start()

    def tell(self, link, **fields):
        try:
            link.sendall(json.dumps(fields).encode() + b"\n")
        except OSError:
            pass  # the host is gone, and will ask again

    def lines(self, link):
        try:
            for line in link.makefile():
                yield json.loads(line)
        except (OSError, ValueError):
            pass  # the host was killed, perhaps within a line

    def serve(self, link):
        self.tell(link, type="hello", protocol=1, jids=["files:*"], remembers_keys=True)
        for line in self.lines(link):
            with self.change:
                if line["type"] == "welcome":
                    self.link = link
                    self.tell(link, type="connected")
                    for message in list(self.waiting.values()):
                        self.tell(link, **message)
                elif line["type"] == "ack":
                    self.waiting.pop(line["id"], None)
                    self.acked.add(line["id"])
                elif line["type"] == "send":
                    self.sent.setdefault(line["key"], (line["chat"], line["text"]))
                    self.tell(link, type="receipt", key=line["key"], ok=True)
                elif line["type"] == "ping":
                    self.tell(link, type="pong")
                self.change.notify_all()

    def say(self, text, *files, chat="a", **fields):
        """A message with files: (content, fields)."""
        number = "m%d" % (len(self.waiting) + len(self.acked))
        message = {"type": "message", "id": number, "chat": "files:" + chat, "sender": "ann",
                   "name": "Ann", "text": text, "group": False, "attachments": [
                       {"data": base64.b64encode(content).decode(), **about}
                       for content, about in files], **fields}
        with self.change:
            self.waiting[number] = message
            if self.link:
                self.tell(self.link, **message)
        return number

    def wait_for(self, condition, what):
        with self.change:
            if not self.change.wait_for(condition, PATIENCE):
                raise AssertionError("nothing came: %s\n%s\n%s" % (
                    what, self.sent, "\n".join(self.host.log[-30:])))

    def wait_for_ack(self, number):
        self.wait_for(lambda: number in self.acked, number)

    def answer(self, words):
        """A text of the assistant that has these words."""
        def find():
            return [text for _, text in self.sent.values() if words in text]
        with self.change:
            self.wait_for(find, words)
            return find()[0]

    def texts(self, number):
        """Of the files of a message: text and reason."""
        return self.host.rows(
            "SELECT a.text, a.text_error FROM attachments a JOIN messages m ON m.seq = a.message"
            " WHERE m.id = ? ORDER BY a.id", number)

    def ask(self, text, *files):
        """What became of its files, when the message was answered."""
        number = self.say("remember " + text, *files)
        self.answer(text)
        return self.texts(number)

    def close(self):
        self.host.close()


class Server(http.server.ThreadingHTTPServer):
    """Answers requests by `replies`, a list of (status, document), the last one for ever."""

    daemon_threads = True

    def __init__(self, *replies):
        self.replies, self.requests = list(replies), []
        super().__init__(("127.0.0.1", 0), Answering)
        self.url = "http://127.0.0.1:%d/v1" % self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answering(http.server.BaseHTTPRequestHandler):
    def answer(self, status, document):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.requests.append((self.path, self.headers, body))
        replies = self.server.replies
        self.answer(*(replies.pop(0) if len(replies) > 1 else replies[0]))

    def do_GET(self):
        known = self.headers["authorization"] in (None, "Bearer secret")
        self.answer(200 if known else 401, {"data": []})

    def log_message(self, *_):
        pass


def needs(*programs):
    """Why this cannot be tried, or None."""
    missing = [program for program in programs if not shutil.which(program)]
    return "%s is not installed" % missing[0] if missing else None


def test_programs(chat, setting, file):
    """Programs that a person could have named in the setting."""
    chat.restart(**{setting: "sed s/^/text:/"})
    (text, _), = chat.ask("the sed", (b"a line\n", file[1]))
    tap.result(text == "text:a line", "a program gets the file, and prints the text", text)
    chat.restart(**{setting: "sh -c 'cat %s/.env 2>/dev/null || { echo not there >&2; exit 1; }'" %
                    chat.host.root})
    (text, why), = chat.ask("the thief", file)
    tap.result(text is None and "'sh' failed: not there" in why,
               "it sees no file of the project, and its complaint is the reason", (text, why))
    chat.restart(**{setting: "bash -c 'echo > /dev/tcp/127.0.0.1/%d && echo out'" % Server(
        (200, {})).server_address[1]})
    (text, why), = chat.ask("the caller", file)
    tap.result(text is None and why, "it has no network", (text, why))
    chat.restart(**{setting: "no-such-program"})
    (text, why), = chat.ask("the absent", file)
    tap.result(text is None and "program not found" in why, "one that is missing is named", why)
    _, output = chat.host.run("doctor")
    tap.result("'no-such-program' is missing" in output, "also by doctor", output)
    chat.restart(**{setting: "sh -c 'cat >/dev/null; echo ' "})
    (text, why), = chat.ask("the silent", file)
    tap.result(text is None and why == "no text was found in it", "so is a file without text", why)
    chat.restart(**{setting: "sleep 1000", "NANOCLAW_READING_SECONDS": "1"})
    (text, why), = chat.ask("the slow", file)
    tap.result(text is None and "it ran longer than 1 second" in why,
               "one that does not end is ended", why)
    chat.restart(**{setting: "yes"})
    (text, _), = chat.ask("the chatty", file)
    tap.result(len(text) < 17000 and "goes on" in text, "a text without end is cut", len(text))
    tap.result(chat.host.stop() == 0, "the host ends")


def test_kills(chat, settings, file, text, messages, kills):
    """The host is killed while it reads. A message does not wait for its text for ever, so that a flood
    would be answered without texts: here it waits for as long as it takes, and there is no flood."""
    settings = {**settings, "NANOCLAW_READING_SECONDS": "3600"}
    chat.start(**settings)
    names = ["k%d" % i for i in range(4)]
    for name in names:
        chat.group(name)
    chance, numbers = random.Random(2), []
    for kill in range(kills):
        for _ in range(messages // kills):
            numbers.append(chat.say("remember n%d." % len(numbers), file,
                                    chat=chance.choice(names)))
        chat.wait_for_ack(numbers[-1 - chance.randrange(2)])
        chat.host.kill()
        chat.start(**settings)
        for i in range(max(kill - 1, 0) * (messages // kills), kill * (messages // kills)):
            chat.answer("n%d." % i)
    for i in range(len(numbers)):
        chat.answer("n%d." % i)
    read = [chat.texts(number)[0][0] for number in numbers]
    print("# %d messages, %d kills: %d without their text" % (
        len(numbers), kills, sum(found is None for found in read)))
    tap.result(all(found and text in found for found in read),
               "whenever the host is killed, each message has its text and its answer", read)


def run(chat, *tests):
    try:
        for test in tests:
            test(chat)
    finally:
        chat.close()
    return tap.end()
