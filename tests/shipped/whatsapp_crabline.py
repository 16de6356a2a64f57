"""whatsapp_crabline.py NANOCLAW [MESSAGES]: a real host with the bridge 'whatsapp' against crabline's
WhatsApp, with a proxy between them that delays, cuts and breaks; and the types of the bridge. crabline
confirms direct messages only, knows no pairing, and sends nothing again. NODE_MODULES has all of
them. In TAP."""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../.claude/skills/add-whatsapp/tests"))

import whatsapp_peers
from whatsapp_peers import BRIDGES, modules, node
import tap
from crabline import Crabline, NODE
from fault_proxy import FaultProxy
from host import Host

ALICE = "15551234567@s.whatsapp.net"
# A session that crabline accepts: it does not check identities.
MAKE_SESSION = """
import { initAuthCreds, signedKeyPair } from "baileys";
import { Store } from "./store.mjs";
const store = new Store(process.argv[1]);
const creds = { ...initAuthCreds(), me: { id: process.argv[2], name: "Andy" }, registered: true, account: {
  details: Buffer.from("x"), accountSignature: Buffer.alloc(64), accountSignatureKey: Buffer.alloc(32),
  deviceSignature: Buffer.alloc(64) } };
store.put({ creds: { creds } });
"""


class WhatsApp(Crabline):
    platform, field = "whatsapp", "text"

    def say(self, text, **fields):
        super().say(text, chatJid=ALICE, senderJid=ALICE, **fields)

    def wait_for(self, words):
        """The next text of the bridge with these words."""
        for line in self.tail.stdout:
            event = json.loads(line)
            message = (event.get("body") or {}).get("message") or {}
            if event["type"] == "api" and event.get("accepted") and "conversation" in message:
                self.texts.append(message["conversation"])
                if words in message["conversation"]:
                    return message["conversation"]
        raise AssertionError("no text '%s'" % words)


def test_types():
    """TypeScript reads the bridge, with the types of its library."""
    with tempfile.TemporaryDirectory(prefix="nanoclaw-types.") as folder:
        for path in glob.glob(os.path.join(BRIDGES, "whatsapp/*.mjs")):
            shutil.copy(path, folder)
        os.symlink(modules(), os.path.join(folder, "node_modules"))
        command = [node(), os.path.join(modules(), "typescript/bin/tsc"), "--strict", "--noEmit", "--allowJs",
                   "--checkJs", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--types", "node"]
        names = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".mjs"))
        done = subprocess.run([*command, *names], cwd=folder, capture_output=True, text=True, check=False)
        tap.result(done.returncode == 0, "the bridge has the types of its library", done.stdout)
        with open(os.path.join(folder, "outbox.mjs"), encoding="utf-8") as file:
            wrong = file.read().replace("messageId: id", "messageID: id")
        with open(os.path.join(folder, "outbox.mjs"), "w", encoding="utf-8") as file:
            file.write(wrong)
        done = subprocess.run([*command, *names], cwd=folder, capture_output=True, text=True, check=False)
        tap.result("messageID" in done.stdout, "and a wrong name would be noticed", done.stdout)


def make_project(host, crabline):
    folder = os.path.join(host.root, "bridges")
    shutil.copytree(BRIDGES, folder, ignore=lambda *_: ["node_modules"])
    os.symlink(modules(), os.path.join(folder, "whatsapp/node_modules"))
    subprocess.run([node(), "--input-type=module", "-e", MAKE_SESSION,
                    os.path.join(host.root, "data/whatsapp/session"), crabline.manifest["selfJid"]],
                   cwd=os.path.join(folder, "whatsapp"), check=True)


def run(crabline, host, faults, count):
    _, output = host.run("channel", "pair", "whatsapp", "--folder", "main")
    crabline.say(next(word for word in output.split() if word[4:5] == "-" and len(word) == 9))
    tap.result(crabline.wait_for("belongs to the group"), "a chat is paired")
    crabline.say("remember **bold**")
    sent = crabline.wait_for("bold")
    tap.result(sent == "Noted: *bold*", "a message is answered", sent)
    for number in range(count):
        # crabline never repeats data that it has written to a socket, so it sends without faults.
        if number % 3 == 1:
            faults.command("delay 200")
        crabline.say("remember m%d." % number)
        crabline.wait_for("Noted: m%d." % number)
        if number % 3 == 2:
            host.kill() if number % 2 else faults.command("break")
            if number % 2:
                host.start()
            host.wait_for_line("channel 'whatsapp' is connected")
    words = [word for text in crabline.texts for word in text.split()]
    wanted = ["m%d." % number for number in range(count)]
    tap.result([word for word in words if word in wanted] == wanted,
               "with delays, broken connections and kills, each is answered once and in order", words)


def main():
    nanoclaw, count = (sys.argv[1:] + ["9"])[:2]
    if not whatsapp_peers.has_modules() or subprocess.run(
            [os.path.join(modules(), NODE), "--version"], capture_output=True, check=False).returncode:
        tap.skip_all("crabline's Node does not run here")
    test_types()
    with tempfile.TemporaryDirectory(prefix="nanoclaw-crabline.") as folder:
        crabline = WhatsApp(modules(), folder)
        proxy = FaultProxy("127.0.0.1", crabline.port)
        url = crabline.manifest["endpoints"]["baileysWebSocketUrl"].replace(
            ":%d" % crabline.port, ":%d" % proxy.port)
        host = Host(nanoclaw, {"WHATSAPP_URL": url})
        make_project(host, crabline)
        try:
            host.start()
            host.wait_for_line("channel 'whatsapp' is connected")
            run(crabline, host, proxy, int(count))
        finally:
            if sys.exc_info()[0]:
                print("\n".join("# " + line for line in host.log[-30:]))
            host.close()
            crabline.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
