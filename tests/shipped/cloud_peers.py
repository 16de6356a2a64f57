"""cloud_peers.py NANOCLAW [MESSAGES]: the types of the npm package whatsapp-api-js judge the requests of
the channel 'whatsapp-cloud' and what the Cloud API of its tests posts, and a real host talks to the
WhatsApp of crabline through a proxy that loses, cuts, delays and refuses. In TAP."""

import hashlib
import hmac
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../.claude/skills/add-whatsapp-cloud/tests"))
sys.path.append(os.path.join(HERE, "../net"))

import tap
import cloud
from cloud_api import PATH
from crabline import FAULTS, NODE, Crabline
from fault_proxy import FaultProxy
from host import Host
from typescript import check

# The messages of that package are classes: on the wire there is no name of the type in them.
PLAIN = """
import type { ClientMessageRequest, PostData } from 'whatsapp-api-js/types';
type Plain<T> = T extends object ?
	{ [K in keyof T as K extends `_${string}` ? never : K]: Plain<T[K]> } : T;
type Wire = Plain<ClientMessageRequest>;
"""
POSTED = ("text", "button", "reaction")


def literals(api):
    """Each different set of fields that was sent or posted, as a literal of its type."""
    documents = [("Wire", {key: value for key, value in message.items() if key != "id"})
                 for message in api.sent()]
    for document in api.posted:
        value = document["entry"][0]["changes"][0]["value"]
        for kind in ("messages", "statuses"):
            for item in value.get(kind, []) if isinstance(value.get(kind), list) else []:
                if isinstance(item, dict) and "timestamp" in item and (
                        item.get("type") in POSTED and value.get("contacts") or
                        item.get("status") in ("sent", "delivered")):
                    documents.append(("PostData", document))
    seen = set()
    for kind, document in documents:
        key = (kind, re.sub(r': "[^"]*"|\d+', "", json.dumps(document)), document.get("type"))
        if key not in seen:
            seen.add(key)
            yield "export const c%d: %s = %s;" % (len(seen), kind, json.dumps(document))


def test_types(modules, nanoclaw):
    s = cloud.Setup(nanoclaw)
    try:
        s.start()
        for test in (cloud.test_first_message, cloud.test_contents, cloud.test_group,
                     cloud.test_files):
            test(s)
        lines = [PLAIN, *literals(s.api)]
    finally:
        s.close()
    wrong = next(line for line in lines if '"messaging_product"' in line and "Wire" in line).replace(
        '"messaging_product"', '"messaging_products"')
    done = check(modules, lines, re.sub(r"const \w+", "const wrong", wrong))
    tap.result(done.returncode == 0, "requests and posts have the types of whatsapp-api-js, and a wrong "
               "name would be noticed", done.stdout + "\n".join(lines))
    tap.result(all(any(kind in line for line in lines) for kind in (
        '"type": "text"', '"type": "image"', '"type": "document"', '"context"', '"statuses"')),
        "all kinds of them")


class CloudCrabline(Crabline):
    platform = "whatsapp"
    webhook = None  # the port of the host

    def say(self, text, **fields):
        """What it would post is in its answer: it has no webhook of its own."""
        request = urllib.request.Request(
            self.manifest["endpoints"]["adminInboundUrl"],
            json.dumps({"chatJid": "15550007@s.whatsapp.net",
                        "senderJid": "15550007@s.whatsapp.net", "text": text, **fields}).encode(),
            {"content-type": "application/json",
             "authorization": "Bearer " + self.manifest["adminToken"]})
        with urllib.request.urlopen(request) as response:
            answer = json.load(response)
        body = json.dumps(answer.get("webhook") or answer["data"]["webhook"]).encode()
        signature = hmac.new(cloud.SECRET.encode(), body, hashlib.sha256).hexdigest()
        connection = http.client.HTTPConnection("127.0.0.1", self.webhook, 30)
        connection.request("POST", PATH, body, {"x-hub-signature-256": "sha256=" + signature})
        assert connection.getresponse().status == 200
        connection.close()

    def wait_for(self, words):
        for line in self.tail.stdout:
            event = json.loads(line)
            text = event.get("body", {}).get("text")
            if event["type"] == "api" and isinstance(text, dict):
                (self.texts if event["accepted"] else self.refused).append(event["body"])
                if event["accepted"] and words in text["body"]:
                    return event["body"]
        raise AssertionError("no text '%s'" % words)


def start(host, crabline):
    host.start()
    line = host.wait_for_line("webhook is http://127.0.0.1:")
    crabline.webhook = int(re.search(r"127\.0\.0\.1:(\d+)", line)[1])


def talk_to_crabline(crabline, host, faults, count):
    _, output = host.run("channel", "pair", "whatsapp-cloud", "--folder", "main")
    crabline.say(next(word for word in output.split() if word[4:5] == "-" and len(word) == 9))
    tap.result(crabline.wait_for("belongs to the group"), "crabline: a chat is paired")
    crabline.say("remember **bold**")
    sent = crabline.wait_for("bold")
    tap.result(sent["text"]["body"] == "Noted: *bold*", "a message is answered", sent)
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
        crabline.say("remember m%d." % i)
        if i % 4 == 3:
            host.kill()
            start(host, crabline)
        crabline.wait_for("m%d." % i)
    crabline.say("remember the end")
    crabline.wait_for("the end")
    words = [word for sent in crabline.texts for word in sent["text"]["body"].split()]
    wanted = ["m%d." % i for i in range(count)]
    print("# doubled: %d" % sum(words.count(word) > 1 for word in wanted))
    tap.result(list(dict.fromkeys(word for word in words if word in wanted)) == wanted,
               "with faults of each kind and kills, none is lost, and they are in order", words)


def test_crabline(modules, nanoclaw, count):
    if subprocess.run([os.path.join(modules, NODE), "--version"], capture_output=True,
                      check=False).returncode:
        print("# crabline's Node does not run here")
        return
    with tempfile.TemporaryDirectory(prefix="nanoclaw-crabline.") as folder:
        crabline = CloudCrabline(modules, folder)
        proxy = FaultProxy("127.0.0.1", crabline.port)
        host = Host(nanoclaw, {
            "WHATSAPP_TOKEN": crabline.manifest["accessToken"],
            "WHATSAPP_PHONE_ID": crabline.manifest["phoneNumberId"],
            "WHATSAPP_APP_SECRET": cloud.SECRET, "WHATSAPP_VERIFY_TOKEN": "word",
            "WHATSAPP_WEBHOOK_PORT": "0", "WHATSAPP_STATUS_SECONDS": "1",
            "WHATSAPP_API_URL": "http://127.0.0.1:%d/%s" % (
                proxy.port, crabline.manifest["graphVersion"])})
        try:
            start(host, crabline)
            host.wait_for_line("channel 'whatsapp-cloud' is connected")
            talk_to_crabline(crabline, host, proxy, count)
        finally:
            if sys.exc_info()[0]:
                print("\n".join("# " + line for line in host.log[-40:]))
            host.close()
            crabline.close()


def main():
    nanoclaw, count = (sys.argv[1:] + ["7"])[:2]
    modules = os.path.abspath(os.environ["NODE_MODULES"])
    test_types(modules, nanoclaw)
    test_crabline(modules, nanoclaw, int(count))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
