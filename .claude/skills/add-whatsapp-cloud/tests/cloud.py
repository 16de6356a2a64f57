"""cloud.py NANOCLAW [CHATS MESSAGES KILLS [SECONDS]]: the channel 'whatsapp-cloud' of a real
host against cloud_api.py, in TAP; at last with so many kills while so many messages come in so many
chats, and for so many seconds with connections that are lost again and again."""

import json
import os
import random
import re
import sqlite3
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("net", "shipped"):
    sys.path.append(os.path.join(HERE, "../../../../tests", folder))

import tap
from cloud_api import CloudApi
from fault_proxy import FaultProxy
from host import Host

TOKEN, PHONE_ID, SECRET, VERIFY = "EAAGsecret-token", "1122334455", "app-secret-0a1b", "a word"
ALICE, BOB = "15550001", "15550002"
FAMILY = ("15550003", "Y2FwaV9ncm91cA==")
FAULTS = ("status 429 1", "status 502", "reset", "drop", "cut 40", "delay 200", "break")


class Setup:
    def __init__(self, nanoclaw, **settings):
        self.api = CloudApi(TOKEN, PHONE_ID, SECRET)
        self.settings = {"WHATSAPP_TOKEN": TOKEN, "WHATSAPP_PHONE_ID": PHONE_ID,
                         "WHATSAPP_APP_SECRET": SECRET, "WHATSAPP_VERIFY_TOKEN": VERIFY,
                         "WHATSAPP_WEBHOOK_PORT": "0", "WHATSAPP_STATUS_SECONDS": "1",
                         "WHATSAPP_API_URL": self.api.url, **settings}
        self.host = Host(nanoclaw, self.settings)
        self.said = {}

    def start(self, words="is connected"):
        self.host.start()
        line = self.host.wait_for_line("webhook is http://127.0.0.1:")
        with self.api.changed:
            self.api.webhook = int(re.search(r"127\.0\.0\.1:(\d+)", line)[1])
            self.api.changed.notify_all()
        self.host.wait_for_line("channel 'whatsapp-cloud' " + words)

    def kill(self):
        self.host.kill()
        self.api.webhook = None

    def stop(self):
        self.host.stop()
        self.api.webhook = None

    def answers(self, chat, count=1):
        """The next messages in a chat."""
        begin = self.said.get(chat, 0)
        self.api.wait_for(lambda: len(self.api.sent(chat)) >= begin + count)
        self.said[chat] = begin + count
        return self.api.sent(chat)[begin:begin + count]

    def answer(self, chat, words=""):
        """The next text in a chat that has these words."""
        while words not in (text := self.answers(chat)[0].get("text", {}).get("body", "")):
            pass
        return text

    def pair(self, chat, folder):
        _, output = self.host.run("channel", "pair", "whatsapp-cloud", "--folder", folder)
        code = next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)
        self.api.message(chat, code)
        return self.answer(chat)

    def stored(self, columns, text):
        return self.host.rows("SELECT %s FROM messages WHERE content = ?" % columns, text)

    def detail(self):
        _, output = self.host.run("--json", "channel", "list")
        return next(c for c in json.loads(output)["channels"] if c["name"] == "whatsapp-cloud")

    def close(self):
        self.host.close()
        self.api.leave()


def test_webhook(s):
    question = "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token="
    tap.result(s.api.ask(question + "a%20word") == (200, "1158201444"),
               "Meta finds the webhook by its word")
    tap.result(s.api.ask(question + "another")[0] == 403, "another word is refused")
    tap.result(s.api.ask("?hub.mode=subscribe&hub.verify_token=a%20word&hub.challenge=<b>")[0] == 400,
               "nothing but a plain challenge comes back")
    body = b'{"object": "whatsapp_business_account", "entry": []}'
    tap.result(s.api.offer(body, "") == 401 and s.api.offer(body, "sha256=" + "0" * 64) == 401,
               "without the right signature nothing is taken")
    tap.result(s.api.offer(body, path="/elsewhere") == 404, "at another address there is nothing")
    tap.result(s.api.offer(b" " * 5000000) == 413, "nor is a body of any size")
    tap.result(s.api.offer(body) == 200 and s.api.offer(b'{"half": "\\ud800') == 200,
               "what is signed and cannot be read is passed over")
    tap.result("wrong signature" in s.detail()["detail"], "'channel list' tells of wrong signatures",
               s.detail())


def test_first_message(s):
    paired = s.pair(ALICE, "main")
    tap.result("belongs to the group 'main'" in paired, "a code pairs a direct chat", paired)
    message = s.api.message(ALICE, "remember milk")
    tap.result(s.answer(ALICE) == "Noted: milk", "a message is answered", s.api.texts())
    tap.result(message["id"] in s.api.read(), "and is marked as read, with 'typing …'")
    again = {"contacts": [], "messages": [message]}
    s.api.post(again)
    s.api.post(again, phone_id="999")
    s.api.message(ALICE, "remember bread")
    s.answer(ALICE, "bread")
    tap.result(len(s.stored("seq", "remember milk")) == 1, "a message that is posted again is one")
    tap.result(s.stored("sender_name", "remember milk") == [("Alice 01",)], "its sender has a name",
               s.stored("sender_name", "remember milk"))


def test_markup(s):
    s.api.message(ALICE, "remember **bold** and https://example.org/a_b_c")
    text = s.answer(ALICE)
    tap.result("*bold* and https://example.org/a_b_c" in text, "Markdown becomes WhatsApp's", text)
    words = " ".join("w%d" % i for i in range(1400))
    s.api.message(ALICE, "remember " + words)
    parts = [s.answer(ALICE)]
    while sum(map(len, parts)) < len(words) - 20:
        parts.append(s.answer(ALICE))
    tap.result(len(parts) > 1 and "w1399" in parts[-1] and max(map(len, parts)) <= 4096,
               "a long answer comes in parts, in order", list(map(len, parts)))


def test_contents(s):
    for what, fields, text in (
            ("a button", {"type": "button", "button": {"text": "remember button", "payload": "x"}},
             "remember button"),
            ("a row of a list", {"type": "interactive", "interactive": {
                "type": "list_reply", "list_reply": {"id": "1", "title": "remember row"}}},
             "remember row"),
            ("a place", {"type": "location", "location": {"latitude": 52.5, "longitude": 13.4,
                                                          "name": "Park"}},
             "[location: 52.500000, 13.400000, Park]"),
            ("a contact", {"type": "contacts", "contacts": [{
                "name": {"formatted_name": "Bob"}, "phones": [{"phone": "+1 555"}]}]},
             "[contact: Bob, +1 555]"),
            ("a poll", {"type": "unsupported", "unsupported": {"type": "poll_creation"}, "errors": [
                {"code": 131051, "title": "Message type unknown"}]},
             "[a message of the type 'poll_creation', which WhatsApp does not pass on]")):
        s.api.message(ALICE, **fields)
        s.api.wait_for(lambda: not s.api.queue)
        tap.result(len(s.stored("seq", text)) == 1, what + " is a text", text)
    first = s.api.message(ALICE, "remember an opinion")
    s.answer(ALICE, "opinion")
    s.api.message(ALICE, "remember a reply", context={"from": "15550100", "id": first["id"]})
    s.answer(ALICE, "reply")
    tap.result(s.stored("reference, refers_to", "remember a reply") == [("reply", first["id"])],
               "a reply refers to its message")
    s.api.message(ALICE, type="reaction", reaction={"message_id": first["id"], "emoji": "\U0001f44d"})
    s.api.wait_for(lambda: not s.api.queue)
    tap.result(s.stored("reference, refers_to, wants_answer", "\U0001f44d") ==
               [("reaction", first["id"], 0)], "a reaction is noted, and not answered")
    for nonsense in ({"messages": "x", "statuses": [1]}, {"messages": [{"id": 5}, None]},
                     {"messages": [{"id": "a", "from": "../..", "type": "text"}]},
                     {"statuses": [{"id": "a", "status": "failed",
                                    "biz_opaque_callback_data": "#" * 600, "errors": {}}]}):
        s.api.post(nonsense)
    s.api.message(ALICE, "remember sense")
    tap.result(s.answer(ALICE, "sense"), "nonsense does not stop it")


def test_group(s):
    s.pair(FAMILY, "family")
    s.api.message(FAMILY, "remember nobody")
    wanted = s.api.message(FAMILY, "@Andy remember group")
    sent = s.answers(FAMILY)[0]
    tap.result("group" in sent["text"]["body"] and sent["recipient_type"] == "group",
               "a group is answered where it calls the assistant", sent)
    tap.result(sent["context"] == {"message_id": wanted["id"]}, "as a reply", sent)
    s.api.message(FAMILY, "remember this", context={"from": "15550100", "id": sent["id"]})
    tap.result(s.answer(FAMILY, "this"), "a reply to the assistant is answered")


def test_files(s):
    picture = bytes(range(256)) * 300
    s.api.files["777"] = picture
    s.api.message(ALICE, type="image", image={"id": "777", "mime_type": "image/jpeg",
                                              "caption": "remember picture", "sha256": "0"})
    s.answer(ALICE, "picture")
    row = s.host.rows("SELECT kind, type, state, file FROM attachments")[-1]
    tap.result(row[:3] == ("image", "image/jpeg", "stored"), "a picture is there with its message",
               row)
    tap.result(s.host.read_file("data/media/main/" + row[3]) == picture, "byte by byte")
    s.api.message(ALICE, type="document", document={"id": "gone", "filename": "a\nb.iso"})
    s.api.message(ALICE, "remember after the document")
    s.answer(ALICE, "after the document")
    row = s.host.rows("SELECT state, name, error FROM attachments")[-1]
    tap.result(row[:2] == ("missing", "a?b.iso") and "no such file" in row[2],
               "the agent learns that a file is missing, and why", row)
    s.host.write_file("groups/main/cat.jpg", picture)
    s.host.write_file("groups/main/cat.txt", b"meow")
    s.host.write_file("groups/main/cat.bin", b"\0")
    s.host.request(op="send_file", group="main", path="cat.jpg", text="a **cat**")
    s.api.wait_for(lambda: s.api.sent(ALICE, "image"))
    sent = s.api.sent(ALICE, "image")[0]["image"]
    tap.result(s.api.files[sent["id"]] == picture and sent["caption"] == "a *cat*",
               "an agent sends a picture, with a caption", sent)
    s.api.drops.append("text")
    s.host.request(op="send_file", group="main", path="cat.txt", text="long " * 300)
    s.api.wait_for(lambda: s.api.sent(ALICE, "document"))
    sent = s.api.sent(ALICE, "document")[0]["document"]
    tap.result(s.api.files[sent["id"]] == b"meow" and sent["filename"] == "cat.txt" and
               s.api.texts(ALICE)[-1].startswith("long long"),
               "any other file follows a text that is too long for a caption", sent)
    tap.result(len([text for text in s.api.texts(ALICE) if text.startswith("long")]) == 1,
               "whose reply was lost, and which is not repeated")
    s.host.request(op="send_file", group="main", path="cat.bin")
    s.host.wait_for_line("could not be delivered: WhatsApp does not take this file")
    tap.result(True, "a file that WhatsApp does not take is given up")
    s.host.write_file("groups/main/large.txt", b"413")
    s.host.request(op="send_file", group="main", path="large.txt")
    s.host.request(op="send_message", group="main", text="behind the file")
    s.answer(ALICE, "behind the file")
    tap.result(s.host.rows("SELECT state FROM outbox ORDER BY id DESC LIMIT 2")[-1] == ("waiting",),
               "one that is refused without a reason is passed by texts")


def test_statuses(s):
    s.api.drops.append("text")
    s.api.message(ALICE, "remember once")
    s.answer(ALICE, "once")
    s.api.message(ALICE, "remember behind it")
    s.answer(ALICE, "behind it")
    tap.result(sum("once" in text for text in s.api.texts(ALICE)) == 1,
               "a text whose reply is lost is not sent again: its status is its receipt")
    s.api.drops.append("text")
    s.api.silent = True
    s.api.message(ALICE, "remember twice")
    tap.result(s.api.wait_for(lambda: sum("twice" in text for text in s.api.texts(ALICE)) == 2),
               "without a status it is sent again")
    s.host.wait_for_line("WhatsApp posts nothing to the webhook")
    tap.result(s.api.wait_for(lambda: "posts nothing" in (s.detail()["detail"] or "")),
               "and 'channel list' tells of the silence")
    s.api.silent = False
    s.pair(BOB, "bob")
    s.api.message(BOB, "remember too late")
    sent = s.answers(BOB)[0]
    s.api.status(sent, "failed", errors=[{"code": 131047, "title": "Re-engagement message"}])
    text = s.answer(ALICE, "24 hours")
    tap.result("could not be delivered" in text and "131047" in text,
               "the owner learns in plain words of a text that WhatsApp took and did not deliver", text)
    row = s.host.rows("SELECT state FROM outbox WHERE receipt = ?", sent["id"])
    tap.result(row == [("dead",)], "and so does 'trace'", row)


def test_limits(s):
    for code, status in ((131056, 400), (130429, 429)):
        s.api.fail("messages", code, "Rate limit hit", status)
    s.api.message(BOB, "remember first")
    s.api.message(BOB, "remember second")
    text = s.answer(BOB, "first")
    tap.result("second" in text or s.answer(BOB, "second"),
               "what WhatsApp wants later comes later, in order")
    s.api.fail("messages", 131000, "Something went wrong", 500)
    s.api.message(BOB, "remember third")
    tap.result(s.answer(BOB, "third"), "what fails is sent again")
    s.api.fail("messages", 131026, "Message undeliverable")
    s.api.message(BOB, "remember nothing")
    tap.result(s.answer(ALICE, "has blocked the business"),
               "the owner learns of a person who cannot be reached")


def test_moves(s):
    s.api.message(BOB, type="system", system={"type": "customer_identity_changed",
                                              "wa_id": "15550098", "body": "new keys"})
    s.api.message(BOB, type="text", text={"body": "remember still"},
                  system={"type": "user_changed_number", "wa_id": "15550098"})
    s.api.message(ALICE, type="system", system={"type": "user_changed_number", "wa_id": "15550097",
                                                "body": "Alice changed from 1 to 97"})
    s.api.message(BOB, "remember staying")
    tap.result(s.answer(BOB, "staying"), "only a note of another number moves a chat")
    s.api.message(ALICE, "remember main stays")
    tap.result(s.answer(ALICE, "main stays"), "the chat of main moves only by a person's command")
    s.api.message(BOB, type="system", system={"type": "user_changed_number", "wa_id": "15550099",
                                              "body": "Bob changed from 2 to 99"})
    s.api.message("15550099", "remember moved")
    tap.result("moved" in s.answer("15550099"), "a person with another number goes on in the group")
    secret = {"from": None, "from_user_id": "US.77"}
    s.api.post({"messages": [{"id": "wamid.h", "type": "text", "timestamp": "1", **secret,
                              "text": {"body": "hello"}}]})
    s.api.message(ALICE, "remember hidden")
    s.answer(ALICE, "hidden")
    tap.result(s.host.rows("SELECT jid FROM chats WHERE jid = 'wa:US.77'"),
               "a person who hides the number is a chat, too")


def add_reaction(s):
    store = sqlite3.connect(os.path.join(s.host.root, "store/nanoclaw.db"))
    store.execute("INSERT INTO outbox (key, group_folder, chat_jid, kind, part, parts, content, "
                  "created_at, action, target) SELECT 'test', 'main', ?, 'message', 1, 1, "
                  "'\U0001f44d', created_at, 'react', 'wamid.IN1' FROM outbox LIMIT 1",
                  ("wa:" + ALICE,))
    store.commit()
    store.close()


def test_troubles(s):
    port = s.api.port
    s.api.leave()
    s.api.message(ALICE, "remember the outage")
    s.host.wait_for_line("'whatsapp-cloud' is disconnected")
    s.api.listen(port)
    tap.result(s.answer(ALICE, "outage"), "after an outage it goes on")
    code, output = s.host.run("doctor")
    tap.result("the number is +1 555-0100, 'Andy'; WhatsApp posts to" in output,
               "the doctor asks WhatsApp", output)
    s.api.fail("messages", 190, "Session has expired", 401)
    s.api.message(ALICE, "remember the token")
    line = s.host.wait_for_line("'whatsapp-cloud' is down")
    tap.result("the token has expired" in line, "a token that is refused is reported", line)
    s.stop()
    add_reaction(s)
    s.start()
    tap.result(s.answer(ALICE, "the token"), "and after a restart nothing is lost")
    s.api.wait_for(lambda: s.api.sent(ALICE, "reaction"))
    tap.result(s.api.sent(ALICE, "reaction")[0]["reaction"] ==
               {"message_id": "wamid.IN1", "emoji": "\U0001f44d"},
               "an agent puts an emoji under a message")
    tap.result(not any(TOKEN in line or SECRET in line for line in s.host.log),
               "no secret is in the log")
    s.stop()
    s.host.configure({**s.settings, "WHATSAPP_APP_SECRET": ""})
    s.host.start()
    line = s.host.wait_for_line("'whatsapp-cloud' is down")
    tap.result("WHATSAPP_APP_SECRET is not set" in line, "without a secret there is no webhook", line)
    s.stop()


def test_kills(s, chats, messages, kills):
    """Random kills while messages come, and the network has faults."""
    faults = FaultProxy("127.0.0.1", s.api.port)
    s.host.configure({**s.settings, "WHATSAPP_STATUS_SECONDS": "5" if kills > 10 else "1",
                      "WHATSAPP_API_URL": "http://127.0.0.1:%d/v24.0" % faults.port})
    s.start()
    rooms = ["1777%04d" % i for i in range(chats)]
    for room in rooms:
        s.pair(room, "p" + room)
    chance = random.Random(1)
    wanted = {room: [] for room in rooms}
    for number in range(messages):
        room = chance.choice(rooms)
        s.api.message(room, "remember m%d" % number)
        wanted[room].append("m%d" % number)

    def answered(room=None):  # an answer may be to several messages
        return [word for text in s.api.texts(room) for word in re.findall(r"\bm[0-9]+\b", text)]

    def done(count):
        return len(set(answered())) >= count

    for kill in range(kills):
        faults.command(chance.choice(FAULTS))
        s.api.wait_for(lambda: done(messages * (kill + 1) // (kills + 2)))
        s.kill()
        s.start()
    s.api.wait_for(lambda: done(messages))
    doubled = lost = disordered = 0
    for room in rooms:
        texts, words = s.api.texts(room), answered(room)
        doubled += len(texts) - len(set(texts))
        lost += len(set(wanted[room]) - set(words))
        disordered += list(dict.fromkeys(words)) != wanted[room]
    print("# %d messages, %d chats, %d kills: %d lost, %d doubled" %
          (messages, chats, kills, lost, doubled))
    tap.result(lost == 0, "no message stays without an answer")
    tap.result(disordered == 0, "each chat has its answers in order")
    tap.result(doubled <= kills * chats, "only what was under way at a kill is doubled")


def test_soak(s, seconds):
    s.stop()
    s.host.configure(s.settings)
    s.start()
    begin, rounds, memory = time.monotonic(), 0, []
    while time.monotonic() - begin < seconds:
        rounds += 1
        s.api.cut()
        s.api.message(ALICE, "remember s%d." % rounds)
        s.answer(ALICE, "s%d." % rounds)
        memory.append(s.host.measure()[0])
    early, late = memory[len(memory) // 4], memory[-1]
    print("# %d reconnections: %d KB, then %d KB" % (rounds, early, late))
    tap.result(late < early * 1.2 + 1000, "reconnections cost no memory", memory)


def run(s, *tests):
    try:
        s.start()
        for test in tests:
            test(s)
    finally:
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in s.host.log[-40:]))
        s.close()
    return tap.end()


def main():
    size = tuple(map(int, sys.argv[2:5])) or (4, 40, 2)
    soak = [lambda s: test_soak(s, int(sys.argv[5]))] if sys.argv[5:] else []
    return run(Setup(sys.argv[1]), test_webhook, test_first_message, test_markup, test_contents,
               test_group, test_files, test_statuses, test_limits, test_moves, test_troubles,
               lambda s: test_kills(s, *size), *soak)


if __name__ == "__main__":
    sys.exit(main())
