#!/usr/bin/env python3
"""Tests of the bridge '@NAME@': python3 bridges/@NAME@/test.py"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

BRIDGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bridge.py")


class Conversation:
    """The bridge as a child process; the test plays the host."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [sys.executable, BRIDGE, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.hello = self.read_line()
        self.connected = self.read_line()

    def read_line(self):
        return json.loads(self.process.stdout.readline())

    def write_line(self, **line):
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=30)


class BridgeTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self):
        conversation = Conversation(self.folder)
        self.addCleanup(conversation.close)
        return conversation

    def test_hello_comes_first(self):
        bridge = self.start()
        self.assertEqual(bridge.hello["type"], "hello")
        self.assertEqual(bridge.connected["type"], "connected")

    def test_ping_is_answered_and_unknown_lines_are_ignored(self):
        bridge = self.start()
        bridge.write_line(type="something-new")
        bridge.write_line(type="ping")
        self.assertEqual(bridge.read_line(), {"type": "pong"})

    def test_a_message_is_reported_until_it_is_acknowledged(self):
        with open(self.path("inbox"), "w") as file:
            file.write("alice: hello\n\nbob: good morning\n")
        first = self.start()
        message = first.read_line()
        self.assertEqual((message["sender"], message["text"]), ("alice", "hello"))
        first.close()
        again = self.start()
        self.assertEqual(again.read_line(), message)
        again.write_line(type="ack", chat=message["chat"], id=message["id"], stored=True)
        self.assertEqual(again.read_line()["sender"], "bob")

    def test_a_key_is_sent_once_and_always_gets_a_receipt(self):
        for _ in range(2):
            bridge = self.start()
            bridge.write_line(type="send", key="k1", chat="@NAME@:1", text="hi \"there\"\n")
            self.assertEqual(bridge.read_line(), {"type": "receipt", "key": "k1", "ok": True})
            bridge.close()
        with open(self.path("outbox")) as file:
            sent = [json.loads(line) for line in file]
        self.assertEqual([line["text"] for line in sent], ["hi \"there\"\n"])

    def test_it_ends_when_told_to(self):
        bridge = self.start()
        bridge.write_line(type="shutdown")
        self.assertEqual(bridge.process.wait(timeout=30), 0)
        self.assertEqual(self.start().close(), 0)


if __name__ == "__main__":
    unittest.main()
