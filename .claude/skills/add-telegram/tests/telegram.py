"""telegram.py NANOCLAW [CHATS MESSAGES KILLS [SECONDS]]: the channel 'telegram' of a real host against
bot_api.py, in TAP; at last with so many kills while so many messages come in so many chats, and for so
many seconds with connections that are lost again and again."""

import os
import random
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("net", "shipped"):
    sys.path.append(os.path.join(HERE, "../../../../tests", folder))

import tap
from bot_api import BotApi
from fault_proxy import FaultProxy
from host import Host

TOKEN = "424242:AAE-secret_token-of-the-bot"
ALICE = {"id": 7, "type": "private", "first_name": "Alice"}
BOB = {"id": 99, "is_bot": False, "first_name": "Bob"}
FAULTS = ("status 429 1", "status 502", "reset", "drop", "cut 40", "delay 200", "break")
FAMILY = {"id": -100, "type": "group", "title": "Family"}
BIG = {"id": -1001234567890, "type": "supergroup", "title": "Big", "is_forum": True}


class Setup:
    def __init__(self, nanoclaw, **settings):
        self.api = BotApi(TOKEN)
        self.host = Host(nanoclaw, {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_API_URL": self.api.url,
                                    **settings})
        self.said = {}

    def start(self):
        self.host.start()
        self.host.wait_for_line("channel 'telegram' is connected")

    def answers(self, chat, count=1):
        """The next texts in a chat."""
        begin = self.said.get(chat["id"], 0)
        self.api.wait_for(lambda: len(self.api.sent(chat)) >= begin + count)
        self.said[chat["id"]] = begin + count
        return self.api.sent(chat)[begin:begin + count]

    def answer(self, chat, words=""):
        """The next text in a chat that has these words."""
        while words not in (text := self.api.text_of(self.answers(chat)[0])):
            pass
        return text

    def pair(self, chat, folder, how="/start %s"):
        _, output = self.host.run("channel", "pair", "telegram", "--folder", folder)
        code = next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)
        self.api.message(chat, how % code)
        return self.answer(chat)

    def stored(self, columns, text):
        return self.host.rows("SELECT %s FROM messages WHERE content = ?" % columns, text)

    def close(self):
        self.host.close()
        self.api.leave()


def test_first_message(s):
    paired = s.pair(ALICE, "main")
    tap.result("belongs to the group 'main'" in paired, "a code pairs a direct chat", paired)
    s.api.message(ALICE, "remember milk")
    tap.result(s.answer(ALICE) == "Noted: milk", "a message is answered", s.api.texts())
    tap.result(s.api.called("sendChatAction"), "and meanwhile the bot is typing")
    tap.result("Group" in s.pair(FAMILY, "family", "/start@andy_bot %s").title(),
               "a command for the bot pairs a group")


def test_markup(s):
    s.api.message(ALICE, "remember **bold** <b> & https://example.org/a_b_c")
    sent = s.answers(ALICE)[0]
    tap.result(sent.get("parse_mode") == "HTML" and "<b>bold</b> &lt;b&gt; &amp;" in sent["text"],
               "Markdown becomes Telegram's HTML", sent)
    s.api.fail("sendMessage", 400, "Bad Request: can't parse entities: unsupported start tag")
    s.api.message(ALICE, "remember **this** one")
    sent = s.answers(ALICE)[0]
    tap.result("parse_mode" not in sent and sent["text"] == "Noted: this one",
               "what Telegram cannot parse is sent as plain text", sent)
    words = " ".join("\U0001f600w%d" % i for i in range(700))
    s.api.message(ALICE, "remember " + words)
    parts = [s.answer(ALICE)]
    while sum(map(len, parts)) < len(words) - 20:
        parts.append(s.answer(ALICE))
    tap.result(len(parts) > 1 and "w699" in parts[-1], "a long answer comes in parts", parts)


def entity(kind, offset, length, **fields):
    return {"entities": [{"type": kind, "offset": offset, "length": length, **fields}]}


def file(name, **fields):
    return {"file_id": name, "file_unique_id": name, **fields}


def test_mentions(s):
    s.api.message(FAMILY, "remember nobody")
    s.api.message(FAMILY, "remember other", **entity("text_mention", 0, 8, user=BOB))
    s.api.message(FAMILY, "/notes@other_bot", **entity("bot_command", 0, 16))
    wanted = s.api.message(FAMILY, "@Andy_Bot remember name", **entity("mention", 0, 9))
    sent = s.answers(FAMILY)[0]
    tap.result("name" in sent["text"] and "nobody" not in sent["text"],
               "in a group, '@bot' is answered and other texts are not", sent)
    tap.result(sent["reply_parameters"]["message_id"] == wanted["message_id"],
               "as a reply", sent)
    for what, text, fields in (
            ("a mention behind emoji", "\U0001f600\U0001f600 @andy_bot remember emoji",
             entity("mention", 5, 9)),
            ("a mention of the bot without its name", "Andy remember text_mention",
             entity("text_mention", 0, 4, user=s.api.bot)),
            ("a command for the bot", "/remember@andy_bot command", entity("bot_command", 0, 18)),
            ("a reply to the bot", "remember reply",
             {"reply_to_message": {"message_id": 1, "chat": FAMILY, "date": 1,
                                   "from": s.api.bot, "text": "hm"}}),
            ("a mention below a photo", None,
             {"photo": [file("x", width=1, height=1)],
              "caption": "@andy_bot remember caption",
              "caption_entities": [{"type": "mention", "offset": 0, "length": 9}]})):
        s.api.message(FAMILY, text, **fields)
        tap.result(s.answer(FAMILY), what + " is answered")
    tap.result(s.stored("wants_answer", "/remember command") == [(1,)],
               "the bot's name is cut out of its command")


def test_references(s):
    s.pair(BIG, "big", "@andy_bot %s")
    topic = {"message_thread_id": 5, "is_topic_message": True,
             "reply_to_message": {"message_id": 5, "chat": BIG, "date": 1,
                                  "forum_topic_created": {"name": "News", "icon_color": 1}}}
    s.api.message(BIG, "@andy_bot remember topic", **entity("mention", 0, 9), **topic)
    sent = s.answers(BIG)[0]
    tap.result(sent.get("message_thread_id") == 5, "an answer goes to the topic of its message",
               sent)
    tap.result(s.stored("thread, reference", "remember topic") == [("5", None)],
               "the message that began the topic is not replied to")
    first = s.api.message(BIG, "an opinion")
    s.api.message(BIG, "another one", reply_to_message=first)
    s.api.message(BIG, "a better opinion", kind="edited_message", edit_date=first["date"] + 1,
                  message_id=first["message_id"])
    s.api.message(BIG, "@andy_bot remember end", **entity("mention", 0, 9))
    s.answer(BIG)
    tap.result(s.stored("reference, refers_to", "another one") ==
               [("reply", str(first["message_id"]))], "a reply refers to its message",
               s.stored("reference, refers_to", "another one"))
    tap.result(len(s.stored("seq", "an opinion")) == 0 and len(s.stored("seq", "a better opinion")),
               "an edit changes a message that no agent has seen",
               s.host.rows("SELECT id, content, reference FROM messages"))
    s.api.fail("sendMessage", 400, "Bad Request: message thread not found")
    s.api.message(BIG, "@andy_bot remember closed", **entity("mention", 0, 9), **topic)
    tap.result("message_thread_id" not in s.answers(BIG)[0],
               "an answer whose topic is gone goes to the chat")


def test_files(s):
    picture = bytes(range(256)) * 300
    s.api.files["photos/big.jpg"] = picture
    s.api.message(ALICE, caption="remember picture",
                  photo=[file("small", width=9, height=9),
                         file("big", width=99, height=99, file_size=len(picture))])
    s.answer(ALICE)
    row = s.host.rows("SELECT kind, type, state, file FROM attachments")[-1]
    tap.result(row[:3] == ("image", "image/jpeg", "stored"), "a photo is there with its message", row)
    tap.result(s.host.read_file("data/media/main/" + row[3]) == picture, "byte by byte")
    s.api.message(ALICE, document=file("huge", file_name="a\nb.iso"))
    s.api.message(ALICE, "remember after the document")
    s.answer(ALICE)
    row = s.host.rows("SELECT state, name, error FROM attachments")[-1]
    tap.result(row == ("missing", "a?b.iso", "Bad Request: file is too big"),
               "the agent learns that a file is missing, and why", row)
    s.host.write_file("groups/main/cat.jpg", picture)
    s.host.write_file("groups/main/cat.txt", b"meow")
    reply = s.host.request(op="send_file", group="main", path="cat.jpg", text="a **cat**")
    s.api.wait_for(lambda: s.api.sent(ALICE, "sendPhoto"))
    sent = (s.api.sent(ALICE, "sendPhoto") or [reply])[0]
    tap.result(sent.get("photo", ("", b""))[1] == picture and sent["caption"] == "a <b>cat</b>",
               "an agent sends a picture, with a caption", {**sent, "photo": None})
    s.host.request(op="send_file", group="main", path="cat.txt", text="long " * 300)
    s.api.wait_for(lambda: s.api.sent(ALICE, "sendDocument"))
    sent = s.api.sent(ALICE, "sendDocument")[0]
    tap.result(sent["document"] == ("cat.txt", b"meow") and "caption" not in sent,
               "and any other file, behind a text that is no caption", sent)
    s.answer(ALICE)
    s.api.fail("sendPhoto", 400, "Bad Request: PHOTO_INVALID_DIMENSIONS")
    s.host.request(op="send_file", group="main", path="cat.jpg")
    s.api.wait_for(lambda: len(s.api.sent(ALICE, "sendDocument")) > 1)
    tap.result(s.api.sent(ALICE, "sendDocument")[1]["document"][1] == picture,
               "a picture that Telegram does not show goes as a document")
    words, before = "again " * 300, len(s.api.sent(ALICE))
    s.api.fail("sendDocument", 429, "Too Many Requests: retry after 1", retry_after=1)
    s.api.fail("sendDocument", 502, "Bad Gateway")
    s.host.request(op="send_file", group="main", path="cat.txt", text=words)
    s.api.wait_for(lambda: len(s.api.sent(ALICE, "sendDocument")) > 2)
    tap.result(len(s.api.sent(ALICE)) == before + 1,
               "a file that has to wait does not repeat the text before it",
               s.api.texts(ALICE)[before:])
    s.answer(ALICE)
    s.api.fail("sendDocument", 413, "Request Entity Too Large")
    s.host.request(op="send_file", group="main", path="cat.txt", text="too large")
    s.api.message(ALICE, "remember what is behind it")
    tap.result(s.answer(ALICE, "behind it") and len(s.api.sent(ALICE, "sendDocument")) == 3,
               "a file that Telegram does not take is given up")


def test_edits(s):
    s.api.message(ALICE, "remember something")
    s.answer(ALICE)
    reply = s.host.request(op="edit_message", group="main", text="it is *edited*")
    s.api.wait_for(lambda: s.api.sent(ALICE, "editMessageText"))
    sent = (s.api.sent(ALICE, "editMessageText") or [reply])[0]
    tap.result(sent.get("text") == "it is <i>edited</i>", "an agent changes its last text", sent)


def test_moves(s):
    big = {**FAMILY, "id": -1001234567009, "type": "supergroup"}
    first = s.api.message(FAMILY, "@andy_bot remember old", **entity("mention", 0, 9))
    s.answer(FAMILY, "old")
    s.api.message(FAMILY, migrate_to_chat_id=big["id"])
    s.api.message(big, migrate_from_chat_id=FAMILY["id"])
    s.api.message(big, "@andy_bot remember moved", **entity("mention", 0, 9))
    tap.result("moved" in s.answer(big), "a group follows its chat to a supergroup")
    new = {**big, "id": -1010}
    numbers, s.api.message_id = s.api.message_id, first["message_id"] - 1
    s.api.message(big, "@andy_bot remember anew", **entity("mention", 0, 9))
    s.api.message_id = numbers
    tap.result("anew" in s.answer(big), "where messages are numbered anew, none is lost")
    s.api.moved[big["id"]] = new["id"]
    s.api.message(big, "@andy_bot remember late", **entity("mention", 0, 9))
    tap.result("late" in s.answer(new), "also when only an answer shows that it has moved")
    left, there = {**FAMILY, "id": -2000}, {**FAMILY, "id": -2002}
    s.pair(left, "left")
    s.api.fail("sendMessage", 429, "Too Many Requests: retry after 5", retry_after=5)
    s.api.message(left, "@andy_bot remember exile", **entity("mention", 0, 9))
    s.api.wait_for(lambda: not s.api.failures)
    s.api.moved[left["id"]] = there["id"]
    s.pair({**FAMILY, "id": -2001}, "left")
    text = s.answer(there)
    tap.result("exile" in text, "an answer follows its chat when its group does not", text)


def test_other_bot(s):
    first = s.api.message(ALICE, "remember one bot")
    s.answer(ALICE, "one bot")
    s.host.stop()
    s.api.bot["id"] += 1
    numbers, s.api.message_id = s.api.message_id, first["message_id"] - 1
    s.start()
    s.api.message(ALICE, "remember another bot")
    s.api.message_id = numbers
    tap.result(s.answer(ALICE, "another bot"), "another bot may count messages anew")


def test_limits(s):
    s.api.fail("sendMessage", 429, "Too Many Requests: retry after 1", retry_after=1)
    s.api.message(ALICE, "remember first")
    s.api.message(ALICE, "remember second")
    text = s.answer(ALICE, "first")
    tap.result("second" in text or "second" in s.answer(ALICE, "second"),
               "what Telegram wants later comes later, in order")
    s.api.fail("sendMessage", 500, "Internal Server Error")
    s.api.message(ALICE, "remember third")
    tap.result(s.answer(ALICE, "third"), "what fails is sent again")
    bob = {**ALICE, "id": 8}
    s.pair(bob, "bob")
    s.api.fail("sendMessage", 403, "Forbidden: bot was blocked by the user")
    s.api.message(bob, "remember nothing")
    tap.result(s.answer(ALICE, "blocked by the user"),
               "the owner learns of a chat in which the bot is blocked")


def test_unreadable(s):
    s.api.spoiled.append((b"remember poison", b'half \\ud800 of a character'))
    s.api.message(ALICE, "remember poison")
    s.api.message(ALICE, "remember antidote")
    tap.result(s.answer(ALICE, "antidote"), "a message that cannot be read is passed over")
    s.api.spoiled.clear()
    s.api.update({"message": {"chat": "nonsense", "text": 5}})
    s.api.update({"message": {"chat": {"id": 1e300}, "message_id": -1, "text": "x" * 300}})
    s.api.message(ALICE, "remember sense", **entity("mention", -5, 10 ** 12))
    tap.result(s.answer(ALICE, "sense"), "nor does nonsense stop it")
    with s.api.changed:  # all of them in one response, which is too large
        for number in range(5):
            s.api.message(ALICE, "remember large%d" % number, junk="x" * 2000000)
    tap.result(s.answer(ALICE, "large4"), "nor do many large messages")


def test_numbers(s):
    s.api.wait_for(lambda: not s.api.updates)
    s.api.update_id = 5
    s.api.message(ALICE, "remember numbers")
    s.answer(ALICE, "numbers")
    tap.result(s.api.wait_for(lambda: not s.api.updates),
               "updates whose numbers begin anew are confirmed")


def test_troubles(s):
    s.api.fail("getUpdates", 409, "Conflict: terminated by other getUpdates request")
    s.api.message(ALICE, "remember conflict")
    line = s.host.wait_for_line("channel 'telegram' is disconnected")
    tap.result("another program receives this bot's messages" in line,
               "a second program with the token is named as the reason", line)
    s.host.wait_for_line("channel 'telegram' is connected")
    s.answer(ALICE, "conflict")
    port = s.api.port
    s.api.leave()
    line = s.host.wait_for_line("channel 'telegram' is disconnected")
    tap.result("cannot be reached" in line and TOKEN not in line, "so is a network that is gone",
               line)
    s.api.message(ALICE, "remember network")
    s.api.listen(port)
    s.host.wait_for_line("channel 'telegram' is connected")
    tap.result(s.answer(ALICE, "network"), "when it is back, so is the channel")


def test_token(s):
    status, output = s.host.run("doctor")
    tap.result("the bot is '@andy_bot'" in output, "doctor asks Telegram for the bot", output)
    tap.result("sees only commands" in output, "and says what it sees in groups", output)
    right, s.api.token = s.api.token, "1:other"
    s.api.message(ALICE, "remember nobody hears it")
    line = s.host.wait_for_line("channel 'telegram' is down")
    tap.result("Telegram refuses the token" in line, "a token that is revoked is said to be", line)
    status, output = s.host.run("doctor")
    tap.result("refuses the token" in output, "doctor says so, too", output)
    tap.result(s.api.refused.count("getUpdates") == 1, "and it is not tried again at once")
    s.api.token = right
    tap.result(s.host.stop() == 0, "the host ends")
    s.host.configure({"TELEGRAM_API_URL": s.api.url})
    s.host.start()
    line = s.host.wait_for_line("channel 'telegram' is down")
    tap.result("TELEGRAM_BOT_TOKEN is not set" in line, "so is a token that is missing", line)
    status, output = s.host.run("doctor")
    tap.result("TELEGRAM_BOT_TOKEN is not set" in output, "also by doctor", output)
    s.host.stop()
    found = [name for name in files_below(s.host.root)
             if TOKEN.encode() in open(name, "rb").read()]
    tap.result(not found and not any(TOKEN in line for line in s.host.log),
               "no file and no line of the log has the token", found)


def files_below(folder):
    for path, _, names in os.walk(folder):
        for name in names:
            if os.path.isfile(os.path.join(path, name)):
                yield os.path.join(path, name)


def test_kills(s, chats, messages, kills):
    """Everybody writes; the host is killed again and again, and the network has faults."""
    faults = FaultProxy("127.0.0.1", s.api.port)
    s.host.configure({"TELEGRAM_BOT_TOKEN": TOKEN,
                      "TELEGRAM_API_URL": "http://127.0.0.1:%d" % faults.port})
    s.start()
    rooms = [{**ALICE, "id": 1000 + i, "first_name": "P%d" % i} for i in range(chats)]
    for room in rooms:
        s.pair(room, "p%d" % room["id"])
    chance = random.Random(1)
    wanted = {room["id"]: [] for room in rooms}
    for number in range(messages):
        room = chance.choice(rooms)
        s.api.message(room, "remember m%d" % number)
        wanted[room["id"]].append("m%d" % number)

    def answered(room=None):  # an answer may be to several messages
        return [word for text in s.api.texts(room) for word in re.findall(r"\bm[0-9]+\b", text)]

    def done(count):
        return len(set(answered())) >= count

    for kill in range(kills):
        faults.command(chance.choice(FAULTS))
        s.api.wait_for(lambda: done(messages * (kill + 1) // (kills + 2)))
        s.host.kill()
        s.host.start()
    s.api.wait_for(lambda: done(messages))
    doubled = lost = disordered = 0
    for room in rooms:
        texts, words = s.api.texts(room), answered(room)
        unique = list(dict.fromkeys(words))
        doubled += len(texts) - len(set(texts))
        lost += len(set(wanted[room["id"]]) - set(words))
        disordered += unique != wanted[room["id"]]
    print("# %d messages, %d chats, %d kills: %d lost, %d doubled" %
          (messages, chats, kills, lost, doubled))
    tap.result(lost == 0, "no message stays without an answer")
    tap.result(disordered == 0, "each chat has its answers in order")
    tap.result(doubled <= kills * chats, "only what was under way at a kill is doubled")


def test_soak(s, seconds):
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
    used, polls = s.host.measure()[1], len(s.api.called("getUpdates"))
    time.sleep(20)
    used, polls = s.host.measure()[1] - used, len(s.api.called("getUpdates")) - polls
    print("# %.2f seconds of CPU and %d polls in 20 idle seconds" % (used, polls))
    tap.result(used < 5 and polls <= 2, "an idle host does nothing")


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
    size = tuple(map(int, sys.argv[2:5])) or (4, 40, 4)
    soak = [lambda s: test_soak(s, int(sys.argv[5]))] if sys.argv[5:] else []
    return run(Setup(sys.argv[1]), test_first_message, test_markup, test_mentions, test_references,
               test_files, test_edits, test_moves, test_other_bot, test_limits, test_unreadable,
               test_numbers, test_troubles, test_token, lambda s: test_kills(s, *size), *soak)


if __name__ == "__main__":
    sys.exit(main())
