#!/usr/bin/env python3
"""The bridge '@NAME@': connects NanoClaw to a chat platform.

NanoClaw starts this program and exchanges lines of JSON with it over standard input and
output (docs/bridge-protocol.md). Standard error goes to the host's log.

It works as it is, with a folder as its platform: append "alice: hello" to
data/bridges/@NAME@/inbox, and the answer appears in data/bridges/@NAME@/outbox. To connect
a real platform, replace the class Platform.
"""

import json
import os
import select
import sys
import time

NAME = "@NAME@"
REPEAT_SECONDS = 30


class Platform:
    """A folder. 'inbox' has a message per line, 'outbox' a JSON object per sent text."""

    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.inbox = os.path.join(folder, "inbox")
        self.outbox = os.path.join(folder, "outbox")
        self.acknowledged = os.path.join(folder, "acknowledged")
        for path in (self.inbox, self.outbox, self.acknowledged):
            open(path, "a").close()

    def next_message(self):
        """The oldest message that the host has not acknowledged, or None."""
        done = self.last_acknowledged()
        with open(self.inbox, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                sender, colon, text = line.strip().partition(": ")
                if not colon:
                    sender, text = "somebody", line.strip()
                if number > done and text and line.endswith("\n"):
                    return {
                        "type": "message",
                        "id": str(number),
                        "chat": NAME + ":1",
                        "sender": sender,
                        "name": sender,
                        "group": False,
                        "chat_name": NAME,
                        "text": text,  # last, so that the host can cut it if it is too long
                    }
        return None

    def acknowledge(self, message_id):
        """The host has this message now: never report it again."""
        with open(self.acknowledged + ".new", "w") as file:
            file.write(message_id)
        os.replace(self.acknowledged + ".new", self.acknowledged)

    def send(self, key, chat, text):
        """Send a text once, even if the same key comes again after a restart."""
        with open(self.outbox, encoding="utf-8") as file:
            if any(json.loads(line)["key"] == key for line in file):
                return
        # The key and the text are stored in one step: no crash can separate them.
        with open(self.outbox, "a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "chat": chat, "text": text}) + "\n")

    def last_acknowledged(self):
        with open(self.acknowledged) as file:
            return int(file.read() or 0)


def write_line(document):
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


class Bridge:
    """The protocol. This part stays as it is, whatever the platform."""

    def __init__(self, platform):
        self.platform = platform
        self.waiting = None  # the id of the message that is not acknowledged yet
        self.reported_at = 0.0

    def report_message(self):
        """Report one message at a time, again and again until it is acknowledged."""
        message = self.platform.next_message()
        if not message:
            return
        late = time.monotonic() - self.reported_at > REPEAT_SECONDS
        if message["id"] != self.waiting or late:
            self.waiting = message["id"]
            self.reported_at = time.monotonic()
            write_line(message)

    def send(self, line):
        receipt = {"type": "receipt", "key": line["key"], "ok": True}
        try:
            self.platform.send(line["key"], line["chat"], line["text"])
        except OSError as error:  # the host tries again; a rate limit is "later": SECONDS
            receipt.update(ok=False, error=str(error))
        write_line(receipt)

    def handle(self, line):
        """Returns False when the bridge should end."""
        kind = line.get("type")
        if kind == "ping":
            write_line({"type": "pong"})
        elif kind == "send":
            self.send(line)
        elif kind == "ack" and line["id"] == self.waiting:
            self.platform.acknowledge(line["id"])
        elif kind == "error":
            print(line.get("error"), file=sys.stderr)
        return kind != "shutdown"  # other types are ignored

    def run(self):
        write_line(
            {
                "type": "hello",
                "protocol": 1,
                "jids": [NAME + ":*"],
                "dialect": "plain",  # or slack, telegram, html ...: docs/bridge-protocol.md
                "unit": "bytes",
                "max_text": 4000,
                "can": [],  # "typing", if the platform shows it
                "remembers_keys": True,
            }
        )
        write_line({"type": "connected"})
        rest = b""
        while True:
            self.report_message()
            if not select.select([0], [], [], 1)[0]:
                continue
            piece = os.read(0, 65536)
            if not piece:
                return
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                if not self.handle(json.loads(line)):
                    return


if __name__ == "__main__":
    Bridge(Platform(sys.argv[1] if len(sys.argv) > 1 else "data/bridges/" + NAME)).run()
