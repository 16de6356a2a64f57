"""channels.py BUILD: channels of packages beside the terminal, which needs no platform:

  - from a message on the platform to the first instruction of the agent;
  - from the answer of the agent to the call that brings it to the platform;
  - the memory of the host, connected, and after the messages.

The platforms are those of the packages' tests, in this process: what Python takes for a request is part
of the times. The hosts run beside each other, and take turns.
"""

import json
import os
import socket
import statistics
import struct
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("tests/net", "tests/shipped", ".claude/skills/add-slack/tests",
               ".claude/skills/add-telegram/tests"):
    sys.path.append(os.path.join(HERE, "../..", folder))

from bot_api import BotApi
from host import Host
from slack_api import SlackApi

MESSAGES = 50


class Local:
    name = "local"

    def __init__(self, nanoclaw, settings):
        self.host = Host(nanoclaw, settings)
        self.host.start()
        self.host.wait_for_line("is running")
        self.link = None

    def group(self, i):
        self.host.run("group", "add", "bench:%d" % i, "g%d" % i, "--no-trigger")

    def attach(self, i):
        self.link = socket.socket(socket.AF_UNIX)
        self.link.connect(os.path.join(self.host.root, "data/run/host.sock"))
        self.lines = self.link.makefile("rw")
        self.tell(type="attach", chat="g%d" % i)

    def tell(self, **fields):
        self.lines.write(json.dumps(fields) + "\n")
        self.lines.flush()

    def say(self, i):
        self.attach(i)
        begin = time.monotonic_ns()
        self.tell(type="message", chat="g%d" % i, id="m%d" % i, text="hello")
        return begin

    def heard(self, _):
        for line in self.lines:
            now = time.monotonic_ns()
            line = json.loads(line)
            if line["type"] == "send":
                self.tell(type="receipt", key=line["key"])
                return now
        raise AssertionError("the host has ended")


class Platform:
    def __init__(self, nanoclaw, api, method, settings):
        self.api, self.times = api, {}
        call = api.call

        def note_call(called, *arguments):
            if called == method:
                self.times.setdefault(self.chat_of(arguments[-1]), time.monotonic_ns())
            return call(called, *arguments)
        api.call = note_call
        self.host = Host(nanoclaw, settings)
        self.host.start()
        self.host.wait_for_line("channel '%s' is connected" % self.name)

    def group(self, i):
        _, output = self.host.run("channel", "pair", self.name, "--folder", "g%d" % i)
        self.write(i, next(word for word in output.split() if word[4:5] == "-" and len(word) == 9))
        self.heard(i)
        del self.times[self.chat(i)]

    def say(self, i):
        begin = time.monotonic_ns()
        self.write(i, "hello")
        return begin

    def heard(self, i):
        self.api.wait_for(lambda: self.chat(i) in self.times)
        return self.times[self.chat(i)]


class Telegram(Platform):
    name, token = "telegram", "424242:AAE-token"

    def __init__(self, nanoclaw, settings):
        api = BotApi(self.token)
        super().__init__(nanoclaw, api, "sendMessage", {
            **settings, "TELEGRAM_BOT_TOKEN": self.token, "TELEGRAM_API_URL": api.url})

    def chat(self, i):
        return 1000 + i

    def chat_of(self, parameters):
        return parameters["chat_id"]

    def write(self, i, text):
        self.api.message({"id": 1000 + i, "type": "private", "first_name": "Ann"}, text)


class Slack(Platform):
    name = "slack"

    def __init__(self, nanoclaw, settings):
        api = SlackApi("xoxb-bench", "xapp-bench")
        super().__init__(nanoclaw, api, "chat.postMessage", {
            **settings, "SLACK_BOT_TOKEN": "xoxb-bench", "SLACK_APP_TOKEN": "xapp-bench",
            "SLACK_API_URL": api.url})

    def chat(self, i):
        return "D%d" % (1000 + i)

    def chat_of(self, parameters):
        return parameters["channel"]

    def write(self, i, text):
        self.api.say(self.chat(i), text)


def measure(channel, i):
    """Nanoseconds to the agent, and from it."""
    path = os.path.join(channel.host.root, "groups/g%d/gate" % i)
    os.mkfifo(path, 0o600)
    gate = os.open(path, os.O_RDWR)
    try:
        begin = channel.say(i)
        started, answered = (struct.unpack("q", os.read(gate, 8))[0] for _ in range(2))
        return started - begin, channel.heard(i) - answered
    finally:
        os.close(gate)


def main():
    build = sys.argv[1]
    nanoclaw = os.path.join(build, "nanoclaw")
    shipped = os.path.join(build, "tests/shipped/nanoclaw-shipped")
    settings = {"NANOCLAW_AGENT": os.path.join(build, "tests/bench/bench-channel-agent"),
                "NANOCLAW_AGENTS": "1000", "NANOCLAW_IDLE_SECONDS": "5"}
    channels, times, memory = [], {}, {}
    try:
        for kind in (Local, Telegram, Slack):
            channels.append(kind(nanoclaw if kind is Local else shipped, settings))
        for channel in channels:
            memory[channel.name] = [channel.host.measure()[0] / 1024]
            for i in range(MESSAGES):
                channel.group(i)
        for i in range(MESSAGES):
            for channel in channels:
                times.setdefault(channel.name, []).append(measure(channel, i))
        for channel in channels:
            memory[channel.name].append(channel.host.measure()[0] / 1024)
    finally:
        for channel in channels:
            channel.host.close()
    inward, outward = ({name: statistics.median(pair[way] for pair in pairs)
                        for name, pairs in times.items()} for way in (0, 1))
    for name in ("telegram", "slack"):
        for label, found in (("message to agent start", inward), ("answer to its call", outward)):
            print("%-44s %6.2f  of  the local channel  (%.1f ms)" % (
                "%s: %s" % (name, label), found[name] / found["local"], found[name] / 1e6))
    print("host: memory with each channel               %s" % ", ".join(
        "%s %.1f MiB, %.1f after %d messages" % (name, *values, MESSAGES)
        for name, values in memory.items()))


if __name__ == "__main__":
    main()
