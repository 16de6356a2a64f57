"""progress.py NANOCLAW AGENT: turns that take long, in Telegram, Slack, Discord, IRC and Linear, as their
packages' own tests play them, in TAP. AGENT is test-agent, whose steps come from a FIFO."""

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE)
sys.path.append(os.path.join(HERE, "../net"))
for package in ("telegram", "slack", "discord", "irc", "linear"):
    sys.path.append(os.path.join(HERE, "../../.claude/skills/add-%s/tests" % package))

import discord
import irc
import linear
import slack
import tap
import telegram
from irc_server import IrcServer


class Telegram(telegram.Setup):
    def __init__(self, nanoclaw):
        super().__init__(nanoclaw)
        self.shown = {}  # by the number of the message
        self.api.sendMessage = self.note(self.api.sendMessage)
        self.api.editMessageText = self.note(self.api.editMessageText)

    def note(self, method):
        def noted(parameters):
            result = method(parameters)
            self.shown[result["message_id"]] = self.api.text_of(parameters)
            return result
        return noted

    def place(self):
        self.pair(telegram.ALICE, "main")

    def write(self, text):
        self.api.message(telegram.ALICE, text)

    def seen(self):
        """What the chat shows now, without the first text, which is of the pairing."""
        with self.api.changed:
            return [text for _, text in sorted(self.shown.items())][1:]

    def refuse(self):
        self.api.fail("editMessageText", 400, "Bad Request: message to edit not found")

    def wait_for(self, condition):
        return self.api.wait_for(condition)


class Slack(slack.Setup):
    def place(self):
        self.pair(slack.DIRECT, "main")

    def write(self, text):
        self.slack.say(slack.DIRECT, text)

    def seen(self):
        with self.slack.changed:
            return [m["text"] for _, m in self.slack.messages if m["user"] == "U0BOT"][1:]

    def refuse(self):
        self.slack.fail("chat.update", "message_not_found")

    def wait_for(self, condition):
        return self.slack.wait_for(condition)


class Discord(discord.Setup):
    def place(self):
        self.pair(discord.DIRECT, "main")

    def write(self, text):
        self.discord.say(discord.DIRECT, text)

    def seen(self):
        return self.discord.texts(discord.DIRECT)[1:]

    def refuse(self):
        self.discord.fail("PATCH messages", 404, 10008, "Unknown Message")

    def wait_for(self, condition):
        return self.discord.wait_for(condition)


class Linear(linear.Setup):
    def place(self):
        self.host.run("group", "add", linear.JID, "Linear", "--folder", "linear")
        self.issue = self.linear.issue("Fix it", assignee="andy")
        self.answer(self.issue)

    def write(self, text):
        self.linear.say(self.issue, text)

    def seen(self):
        return [comment["body"] for comment in self.linear.said(self.issue)][1:]

    def wait_for(self, condition):
        return self.linear.wait_for(condition)


class Irc(irc.Setup):
    def __init__(self, nanoclaw):
        super().__init__(nanoclaw, IrcServer(), {})

    def place(self):
        self.pair(None, "main")
        self.seen = self.texts

    def write(self, text):
        self.server.say(None, text)

    def texts(self):
        texts = self.server.texts("alice")
        return texts[1 + next(i for i, text in enumerate(texts) if "belongs to" in text):]

    def wait_for(self, condition):
        return self.server.wait_for(condition)


class Steps:
    """The FIFO of the agent; it is open here all the time, so nobody waits for the other end."""

    def __init__(self, host, folder):
        path = os.path.join(host.root, "groups", folder, "steps")
        os.mkfifo(path)
        self.fifo = os.open(path, os.O_RDWR | os.O_CLOEXEC)

    def __call__(self, *lines):
        os.write(self.fifo, "".join(line + "\n" for line in lines).encode())

    def close(self):
        os.close(self.fifo)


def shows(s, *texts):
    s.wait_for(lambda: s.seen() == list(texts))
    return s.seen() == list(texts)


def test_message(s, name, steps):
    s.write("one !steps steps")
    steps("I look at **it** & <that>")
    s.wait_for(lambda: len(s.seen()) == 1)
    first = s.seen()[0]
    tap.result("look at" in first and "that" in first, name + ": what the model writes is shown", first)
    steps("and again")
    tap.result(shows(s, "and again"), "in one message", s.seen())
    steps(".")
    tap.result(shows(s, "one"), "which becomes the answer", s.seen())
    s.write("two !steps steps")
    steps("working")
    shows(s, "one", "working")
    while not s.host.rows("SELECT count(*) FROM turns WHERE id = 2 AND progress_receipt NOT NULL")[0][0]:
        time.sleep(0.01)
    s.host.kill()
    s.start()
    steps("still working")
    tap.result(shows(s, "one", "still working"), "it is the same after a kill of the host", s.seen())
    steps(".")
    tap.result(shows(s, "one", "two"), "and becomes the answer", s.seen())
    s.write("three !steps steps")
    steps("gone")
    shows(s, "one", "two", "gone")
    s.refuse()
    steps(".")
    tap.result(shows(s, "one", "two", "gone", "three"),
               "an answer that cannot replace it is a message of its own", s.seen())
    s.write("four")
    tap.result(shows(s, "one", "two", "gone", "three", "four"), "a short turn has one message", s.seen())
    rows = s.host.rows("SELECT DISTINCT kind FROM outbox WHERE turn IS NOT NULL")
    tap.result(rows == [("answer",)], "the store has the answers only", rows)


def test_lines(s, name, steps):
    s.write("one !steps steps")
    steps("I look at it")
    tap.result(shows(s, "I look at it"), name + ": what the model writes is a line", s.seen())
    steps(".")
    tap.result(shows(s, "I look at it", "one"), "and the answer is one of its own", s.seen())


def test_issue(s, name, steps):
    s.write("one !steps steps")
    steps("working", "still working")
    while s.host.rows("SELECT count(*) FROM steps WHERE kind = 'said'") != [(2,)]:
        s.polled()
    rows = s.host.rows("SELECT count(*) FROM turns WHERE progress IS NOT NULL OR progress_sent")
    steps(".")
    s.wait_for(lambda: len(s.seen()) == 1)
    tap.result(rows == [(0,)] and s.seen() == ["one"], name + ": an issue shows the answer only",
               (rows, s.seen()))


def main():
    nanoclaw, agent = sys.argv[1:]
    for channel, test, folder in ((Telegram, test_message, "main"), (Slack, test_message, "main"),
                                  (Discord, test_message, "main"), (Irc, test_lines, "main"),
                                  (Linear, test_issue, "linear")):
        s, name = channel(nanoclaw), channel.__name__
        with open(os.path.join(s.host.root, ".env"), "a", encoding="utf-8") as file:
            file.write("NANOCLAW_AGENT=%s\nNANOCLAW_PROGRESS_SECONDS=1\n" % os.path.realpath(agent) +
                       "NANOCLAW_PROGRESS_LINE_SECONDS=1\n")
        try:
            s.start()
            s.place()
            steps = Steps(s.host, folder)
            test(s, name, steps)
            steps.close()
        finally:
            s.close()
    tap.end()


main()
