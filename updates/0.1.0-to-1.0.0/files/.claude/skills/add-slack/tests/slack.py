"""slack.py NANOCLAW [CHATS MESSAGES KILLS [SECONDS]]: the channel 'slack' of a real host against
slack_api.py, in TAP; at last with so many kills and faults while so many messages come in so many
chats, and for so many seconds with a connection that is lost again and again."""

import json
import os
import random
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("net", "shipped"):
    sys.path.append(os.path.join(HERE, "../../../../tests", folder))

import tap
from host import Host
from slack_api import SlackApi

BOT_TOKEN, APP_TOKEN = "xoxb-1-secretofthebot", "xapp-1-A1-2-secretoftheapp"
DIRECT, GENERAL, RANDOM, GROUP = "D1", "C1", "C2", "G1"


class Setup:
    def __init__(self, nanoclaw):
        self.slack = SlackApi(BOT_TOKEN, APP_TOKEN)
        self.settings = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN,
                         "SLACK_API_URL": self.slack.url}
        self.host = Host(nanoclaw, self.settings)
        self.said = {}

    def start(self):
        self.host.start()
        self.host.wait_for_line("channel 'slack' is connected")

    def answers(self, chat, count=1):
        """The next texts in a chat."""
        begin = self.said.get(chat, 0)
        self.slack.wait_for(lambda: len(self.slack.posted(chat)) >= begin + count)
        self.said[chat] = begin + count
        return self.slack.posted(chat)[begin:begin + count]

    def answer(self, chat):
        posted = self.answers(chat)[0]
        return posted.get("markdown_text", posted.get("text"))

    def pair(self, chat, folder, how="%s"):
        _, output = self.host.run("channel", "pair", "slack", "--folder", folder)
        code = next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)
        self.slack.say(chat, how % code)
        return self.answer(chat)

    def stored(self, columns, text):
        return self.host.rows("SELECT %s FROM messages WHERE content = ?" % columns, text)

    def close(self):
        self.host.close()
        self.slack.leave()


def test_first_message(s):
    paired = s.pair(DIRECT, "main")
    tap.result("belongs to the group 'main'" in paired, "a code pairs a direct chat", paired)
    s.slack.say(DIRECT, "remember milk")
    tap.result(s.answer(DIRECT) == "Noted: milk", "a message is answered", s.slack.texts())
    s.slack.wait_for(lambda: not s.slack.pending)
    tap.result(not s.slack.pending, "all envelopes are acknowledged")
    tap.result(s.stored("sender, sender_name", "remember milk") == [("U7", "Alice")],
               "people have their names", s.stored("sender, sender_name", "remember milk"))
    tap.result(len([c for c in s.slack.called("users.info") if c["user"] == "U7"]) == 1,
               "for which Slack is asked once")
    tap.result("Group" in s.pair(GENERAL, "general", "<@U0BOT> %s").title(),
               "a mention with a code pairs a channel")


def test_text(s):
    s.slack.say(DIRECT, "remember **bold** &lt;b&gt; &amp; <https://example.org/a_b|a page> by "
                        "<@U8>, <@U99|x> in <#C2>, <!here> <mailto:a@example.org|a@example.org>")
    sent = s.answers(DIRECT)[0]
    wanted = ("**bold** <b> & a page (https://example.org/a_b) by @Bob, @x in #random, @here "
              "a@example.org (mailto:a@example.org)")
    tap.result(sent.get("markdown_text") == "Noted: " + wanted and "text" not in sent,
               "Slack's text is read, and Markdown goes out as it is", sent)
    s.slack.fail("chat.postMessage", "invalid_blocks")
    s.slack.say(DIRECT, "remember **this** &lt;one")
    sent = s.answers(DIRECT)[0]
    tap.result("markdown_text" not in sent and sent["text"] == "Noted: *this* &lt;one",
               "Markdown that Slack refuses goes out in its own markup", sent)
    for note in range(8):
        s.slack.say(DIRECT, "remember n%d %s" % (note, "\U0001f600 words " * 230))
        s.answer(DIRECT)
    s.slack.say(DIRECT, "notes")
    parts = [s.answer(DIRECT)]
    while "n7" not in parts[-1]:
        parts.append(s.answer(DIRECT))
    tap.result(len(parts) > 1 and all(len(part) <= 12000 for part in parts),
               "a long answer comes in parts", [len(part) for part in parts])


def test_mentions(s):
    s.slack.say(GENERAL, "remember nobody")
    s.slack.say(GENERAL, "<@U8> remember bob")
    s.slack.say(GENERAL, "<@U0BOT>, remember name")
    sent = s.answer(GENERAL)
    tap.result("name" in sent and "nobody" not in sent and "bob" not in sent,
               "in a channel, a mention is answered and other texts are not", sent)
    tap.result(s.stored("wants_answer", "remember name") == [(1,)],
               "the mention at the beginning is cut out")
    twice = s.slack.say(GENERAL, "remember twice <@U0BOT>")
    s.slack.event({**twice, "type": "app_mention", "channel": GENERAL})
    tap.result("twice" in s.answer(GENERAL), "a mention at the end is one, too")
    s.pair(GROUP, "both", "<@U0BOT> %s")
    s.slack.say(GROUP, "<@U0BOT> remember all")
    tap.result("all" in s.answer(GROUP), "so is one in a message to several people")
    tap.result(s.host.rows("SELECT name FROM chats WHERE jid = 'slack:G1'") ==
               [("mpdm-alice--bob-1",)], "chats have their names",
               s.host.rows("SELECT * FROM chats"))


def test_threads(s):
    first = s.slack.say(GENERAL, "an opinion")
    reply = s.slack.say(GENERAL, "<@U0BOT> remember thread", thread_ts=first["ts"])
    sent = s.answers(GENERAL)[0]
    tap.result(sent.get("thread_ts") == first["ts"], "an answer goes to the thread of its message",
               sent)
    tap.result(s.stored("thread, refers_to", "remember thread") == [(first["ts"], first["ts"])],
               "a message in a thread refers to its beginning")
    own = next(m for c, m in s.slack.messages if c == GENERAL and m["user"] == "U0BOT")
    s.slack.say(GENERAL, "remember below ours", thread_ts=own["ts"])
    tap.result("below ours" in s.answer(GENERAL), "a reply to the assistant's message is to it")
    s.slack.fail("chat.postMessage", "thread_not_found")
    s.slack.say(GENERAL, "<@U0BOT> remember gone", thread_ts=first["ts"])
    tap.result("thread_ts" not in s.answers(GENERAL)[0],
               "an answer whose thread is gone goes to the channel")
    return reply


def changed(message, text, at, before=None):
    edit = {**message, "text": text, "edited": {"user": "U7", "ts": at}}
    return {"type": "message", "subtype": "message_changed", "hidden": True, "channel": GENERAL,
            "ts": at, "message": edit, "previous_message": before or message}


def test_edits(s):
    first = s.slack.say(GENERAL, "an idea")
    s.slack.event(changed(first, "a better idea", s.slack.next_ts()))
    s.slack.event({**changed(first, "with a preview", "1.1"), "message":
                   {**first, "text": "with a preview", "attachments": [{}]}})
    s.slack.event({"type": "message", "subtype": "message_deleted", "channel": GENERAL,
                   "ts": s.slack.next_ts(), "deleted_ts": first["ts"], "previous_message": first})
    s.slack.event({"type": "message", "subtype": "channel_join", "channel": GENERAL, "user": "U8",
                   "text": "<@U8> has joined", "ts": s.slack.next_ts()})
    s.slack.say(GENERAL, "<@U0BOT> remember a bot", user="U9", bot_id="B9")
    s.slack.say(GENERAL, "<@U0BOT> remember end")
    sent = s.answer(GENERAL)
    rows = [row[0] for row in s.host.rows("SELECT content FROM messages")]
    tap.result("a better idea" in rows and "an idea" not in rows,
               "an edit changes a message that no agent has seen", rows)
    tap.result("with a preview" not in rows, "a preview of a link is no edit")
    tap.result("end" in sent and "a bot" not in sent and not any("joined" in row for row in rows),
               "bots, deletions and notices of Slack are passed over", rows)


def test_files(s):
    picture = bytes(range(256)) * 300
    s.slack.say(DIRECT, "remember picture", subtype="file_share",
                files=[s.slack.add_file("cat\n.png", picture)])
    s.answer(DIRECT)
    row = s.host.rows("SELECT kind, name, type, state, file FROM attachments")[-1]
    tap.result(row[:4] == ("image", "cat?.png", "image/png", "stored"),
               "a file is there with its message", row)
    tap.result(s.host.read_file("data/media/main/" + row[4]) == picture, "byte by byte")
    s.slack.say(DIRECT, "remember voice", subtype="file_share", files=[s.slack.add_file(
        "clip.m4a", b"sound", "audio/mp4", subtype="slack_audio")])
    s.answer(DIRECT)
    row = s.host.rows("SELECT kind, name, type, state FROM attachments")[-1]
    tap.result(row == ("voice", "clip.m4a", "audio/mp4", "stored"), "a clip is a voice message", row)
    s.slack.scopes = s.slack.scopes.replace("files:read,", "")
    for words, file in (
            ("files:read", s.slack.add_file("page.png", picture)),
            ("not at Slack", s.slack.add_file("other.png", picture,
                                              url_private_download="https://other.example/x")),
            ("did not send", s.slack.add_file("drive.png", picture, mode="external"))):
        s.slack.say(DIRECT, "remember " + file["name"], subtype="file_share", files=[file])
        s.answer(DIRECT)
        row = s.host.rows("SELECT state, error FROM attachments")[-1]
        tap.result(row[0] == "missing" and words in row[1],
                   "the agent learns that a file is missing: " + row[1], row)
    s.slack.scopes += ",files:read"
    s.host.write_file("groups/main/cat.png", picture)
    s.host.request(op="send_file", group="main", path="cat.png", text="a **cat**")
    s.slack.wait_for(lambda: s.slack.shared(DIRECT))
    tap.result(s.slack.shared(DIRECT) == [("cat.png", picture)] and s.answer(DIRECT) == "a **cat**",
               "an agent sends a file, behind its text", s.slack.texts(DIRECT)[-1])
    for method in ("files.completeUploadExternal", "chat.postMessage"):
        s.slack.lose_answer(method)
        s.host.request(op="send_file", group="main", path="cat.png", text="another " + method)
        s.host.wait_for_line("channel 'slack' is connected")
        s.slack.say(DIRECT, "remember after " + method)
        while "after" not in s.answer(DIRECT):
            pass
    tap.result(len(s.slack.shared(DIRECT)) == 3 and
               len([text for text in s.slack.texts(DIRECT) if text.startswith("another")]) == 2,
               "without an answer, neither is sent twice", [len(s.slack.shared(DIRECT))])
    s.host.request(op="edit_message", group="main", text="it is *edited*")
    s.slack.wait_for(lambda: s.slack.called("chat.update"))
    tap.result(s.slack.called("chat.update")[0].get("markdown_text") == "it is *edited*",
               "an agent changes its last text", s.slack.called("chat.update"))
    s.slack.lose_answer("files.completeUploadExternal")
    s.host.request(op="send_file", group="main", path="cat.png")
    s.host.wait_for_line("channel 'slack' is connected")
    s.slack.say(DIRECT, "remember the file alone")
    while "file alone" not in s.answer(DIRECT):
        pass
    tap.result(len(s.slack.shared(DIRECT)) == 4, "nor is a file without a text")


def test_limits(s):
    s.slack.fail("chat.postMessage", "ratelimited", 429, retry_after=1)
    s.slack.say(DIRECT, "remember first")
    s.slack.say(DIRECT, "remember second")
    texts = [s.answer(DIRECT)]
    while "second" not in texts[-1]:
        texts.append(s.answer(DIRECT))
    tap.result("first" in texts[0], "what Slack wants later comes later, in order", texts)
    s.slack.fail("chat.postMessage", "internal_error")
    s.slack.say(DIRECT, "remember third")
    tap.result("third" in s.answer(DIRECT), "what fails is sent again")
    s.slack.lose_answer("chat.postMessage")
    s.slack.say(DIRECT, "remember fourth")
    s.host.wait_for_line("channel 'slack' is connected")
    s.slack.say(DIRECT, "remember fifth")
    tap.result("fourth" in s.answer(DIRECT) and "fifth" in s.answer(DIRECT),
               "what was sent without an answer is not sent twice", s.slack.texts(DIRECT)[-3:])
    s.slack.fail("chat.postMessage", "not_in_channel")
    s.slack.say(GENERAL, "<@U0BOT> remember nothing")
    tap.result("not in the chat" in s.answer(DIRECT),
               "the owner learns of a chat in which the app is not")


def test_sockets(s):
    greetings = s.slack.greetings
    s.slack.refresh()
    s.slack.wait_for(lambda: s.slack.greetings > greetings and len(s.slack.sockets) == 1)
    tap.result(s.slack.most_sockets == 2, "a new socket is open before the old one is closed")
    s.slack.say(DIRECT, "remember refreshed")
    tap.result("refreshed" in s.answer(DIRECT), "and brings messages")
    for listener in list(s.slack.sockets):
        listener.send(b'{"type": "events_api", "envelope_id": "e", "payload": {"x": "\\ud800"}}')
        listener.send({"type": "slash_commands", "envelope_id": "other", "payload": {}})
        listener.send({"type": "events_api", "envelope_id": "odd",
                       "payload": {"event": {"type": "message", "channel": 5, "user": "U7"}}})
    s.slack.event({"type": "message", "channel": DIRECT, "user": "U7", "ts": "x" * 300,
                   "text": "<@" + "U" * 300 + "> <> <|> <@|> &am"})
    s.slack.say(DIRECT, "remember sense")
    # The odd message may have an answer of its own.
    tap.result(any("sense" in s.answer(DIRECT) for _ in range(2)), "nonsense does not stop it")
    s.slack.event({"event": 1}, kind="interactive")
    s.slack.wait_for(lambda: not s.slack.pending)
    tap.result(not s.slack.pending, "what is of no use is acknowledged, too", s.slack.pending)


def test_gaps(s):
    thread = s.slack.say(GENERAL, "<@U0BOT> remember before")
    s.answer(GENERAL)
    s.slack.say(GENERAL, "<@U0BOT> remember old thread", thread_ts=thread["ts"])
    s.answer(GENERAL)
    port = s.slack.port
    s.slack.leave()
    line = s.host.wait_for_line("channel 'slack' is disconnected")
    tap.result("connection ended" in line and "xoxb" not in line, "a lost connection is said", line)
    s.slack.say(GENERAL, "missed", heard=False)
    s.slack.say(GENERAL, "<@U0BOT> remember the gap", heard=False)
    s.slack.say(GENERAL, "<@U0BOT> remember the thread", heard=False, thread_ts=thread["ts"])
    new = s.slack.say(GENERAL, "a new thread", heard=False)
    s.slack.say(GENERAL, "<@U0BOT> remember the new one", heard=False, thread_ts=new["ts"])
    for number in range(250):
        s.slack.say(DIRECT, "remember g%d" % number, heard=False)
    s.slack.listen(port)
    s.host.wait_for_line("channel 'slack' is connected")
    texts = [s.answer(GENERAL)]
    while "the new one" not in "".join(texts):
        texts.append(s.answer(GENERAL))
    tap.result("the gap" in "".join(texts) and "the thread" in "".join(texts),
               "what came meanwhile is fetched, in threads too", texts)
    while "g249" not in s.answer(DIRECT):
        pass
    rows = [row[0] for row in s.host.rows(
        "SELECT content FROM messages WHERE content GLOB 'remember g[0-9]*' ORDER BY seq")]
    tap.result(rows == ["remember g%d" % number for number in range(250)],
               "in order, over several pages", rows)


def test_store(s):
    """Twice the same, and what an earlier host stored."""
    message = s.slack.say(DIRECT, "remember once")
    s.slack.event({**message, "channel": DIRECT})
    s.answer(DIRECT)
    s.host.kill()
    s.slack.say(DIRECT, "remember downtime", heard=False)
    s.start()
    tap.result("downtime" in s.answer(DIRECT), "what came while the host was down is fetched")
    tap.result(len(s.stored("seq", "remember once")) == 1, "what comes twice is stored once")


def test_tokens(s):
    _, output = s.host.run("doctor")
    tap.result("the bot is '@andy'" in output, "doctor asks Slack for the bot", output)
    s.slack.scopes = s.slack.scopes.replace("im:history,", "")
    _, output = s.host.run("doctor")
    tap.result("lacks the scope 'im:history'" in output, "and for the scopes of the app", output)
    asked = len(s.slack.called("auth.test"))
    s.slack.tokens["bot"] = "xoxb-other"
    s.slack.say(DIRECT, "remember that nobody hears it")
    line = s.host.wait_for_line("channel 'slack' is down")
    tap.result("refuses the token in SLACK_BOT_TOKEN" in line, "a token that is revoked is said to be",
               line)
    tap.result(len(s.slack.called("auth.test")) == asked, "and it is not tried again at once")
    _, output = s.host.run("doctor")
    tap.result("refuses the token" in output, "doctor says so, too", output)
    s.slack.tokens["bot"] = BOT_TOKEN
    tap.result(s.host.stop() == 0, "the host ends")
    s.start()
    tap.result("nobody hears it" in s.answer(DIRECT), "with another token the answer is sent")
    s.slack.refresh("link_disabled")
    line = s.host.wait_for_line("channel 'slack' is down")
    tap.result("Socket Mode is turned off" in line, "so is Socket Mode that is turned off", line)
    s.host.stop()
    for missing in ("SLACK_APP_TOKEN", "SLACK_BOT_TOKEN"):
        s.host.configure({name: value for name, value in s.settings.items() if name != missing})
        s.host.start()
        line = s.host.wait_for_line("channel 'slack' is down")
        _, output = s.host.run("doctor")
        tap.result(missing + " is not set" in line and missing + " is not set" in output,
                   "so is a missing " + missing, line)
        s.host.stop()
    s.host.configure({})
    found = [name for name in files_below(s.host.root) for token in (BOT_TOKEN, APP_TOKEN)
             if token.encode() in open(name, "rb").read()]
    tap.result(not found and not any("secret" in line for line in s.host.log),
               "no file and no line of the log has a token", found)


def files_below(folder):
    for path, _, names in os.walk(folder):
        for name in names:
            if os.path.isfile(os.path.join(path, name)):
                yield os.path.join(path, name)


TROUBLES = {
    "refresh": lambda slack: slack.refresh(),
    "limit": lambda slack: slack.fail("chat.postMessage", "ratelimited", 429, retry_after=1),
    "history limit": lambda slack: slack.fail("conversations.history", "ratelimited", 429,
                                              retry_after=1),
    "lost answer": lambda slack: slack.lose_answer("chat.postMessage"),
    "cut": lambda slack: [listener.cut() for listener in list(slack.sockets)],
    "no socket": lambda slack: slack.fail("apps.connections.open", "internal_error"),
}


def test_kills(s, chats, messages, kills):
    """Everybody writes; the host is killed again and again, and Slack has troubles of its own."""
    s.host.configure(s.settings)
    s.start()
    rooms = ["D%d" % (1000 + i) for i in range(chats)]
    for room in rooms:
        s.pair(room, "p" + room[1:])
    chance, wanted = random.Random(1), {room: [] for room in rooms}
    answers, read = {room: [] for room in rooms}, [0]

    def say(until, heard=True):
        for number in range(sum(map(len, wanted.values())), until):
            room = chance.choice(rooms)
            wanted[room].append("m%d" % number)
            s.slack.say(room, "remember m%d" % number, heard=heard)

    def count():
        posted = s.slack.posted()
        for parameters in posted[read[0]:]:
            if (room := parameters["channel"]) in rooms:
                answers[room] += [word for word in parameters["markdown_text"].split()
                                  if word in wanted[room]]
        read[0] = len(posted)
        return sum(len(set(words)) for words in answers.values())

    for kill in range(kills):
        trouble = TROUBLES[chance.choice(list(TROUBLES))]
        share = messages * (kill + 1) // (kills + 1)
        say(share * 2 // 3)
        s.slack.wait_for(lambda: count() >= share // 2)
        trouble(s.slack)
        s.host.kill()
        s.slack.wait_for(lambda: not s.slack.sockets)
        say(share * 5 // 6, heard=False)  # Slack has given up on these events
        say(share)
        s.host.start()
    say(messages)
    s.slack.wait_for(lambda: count() >= messages)
    lost = sum(len(set(wanted[room]) - set(answers[room])) for room in rooms)
    doubled = sum(len(answers[room]) - len(set(answers[room])) for room in rooms)
    disordered = [(wanted[room], answers[room]) for room in rooms
                  if list(dict.fromkeys(answers[room])) != wanted[room]]
    print("# %d messages, %d chats, %d kills: %d lost, %d doubled" %
          (messages, chats, kills, lost, doubled))
    tap.result(lost == 0, "no message stays without an answer")
    tap.result(not disordered, "each chat has its answers in order", disordered)
    tap.result(doubled == 0, "and none twice")


def test_soak(s, seconds):
    begin, rounds, memory = time.monotonic(), 0, []
    while time.monotonic() - begin < seconds:
        rounds += 1
        greetings = s.slack.greetings
        list(s.slack.sockets)[-1].cut() if rounds % 3 else s.slack.refresh()
        s.slack.say("D1000", "remember s%d." % rounds, heard=rounds % 6 not in (1, 5))
        s.slack.wait_for(lambda: any("s%d." % rounds in text for text in s.slack.texts("D1000")) and
                         s.slack.greetings > greetings and len(s.slack.sockets) == 1)
        memory.append(s.host.measure()[0])
    early, late = memory[len(memory) // 4], memory[-1]
    print("# %d reconnections: %d KB, then %d KB" % (rounds, early, late))
    tap.result(late < early * 1.2 + 1000, "reconnections cost no memory", memory)
    used = s.host.measure()[1]
    time.sleep(20)
    idle = s.host.measure()[1] - used
    print("# %.2f seconds of CPU in 20 idle ones" % idle)
    tap.result(idle < 5 and len(s.slack.sockets) == 1, "an idle host does nothing, with one socket")


def test_manifest():
    """What a person pastes has the scopes that doctor wants, and the events."""
    with open(os.path.join(HERE, "../add/docs/slack-app.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    with open(os.path.join(HERE, "../add/src/cli/doctor/slack.c"), encoding="utf-8") as file:
        probe = file.read()
    scopes = manifest["oauth_config"]["scopes"]["bot"]
    tap.result(all('{"%s", ' % scope in probe for scope in scopes) and
               probe.count(', "') - probe.count(', "slack"') >= len(scopes),
               "the app manifest has the scopes that doctor looks for", scopes)
    tap.result(manifest["settings"]["socket_mode_enabled"], "and turns Socket Mode on")


def main():
    nanoclaw = sys.argv[1]
    chats, messages, kills = map(int, sys.argv[2:5] or (4, 40, 4))
    s = Setup(nanoclaw)
    try:
        test_manifest()
        s.start()
        for test in (test_first_message, test_text, test_mentions, test_threads, test_edits, test_files,
                     test_limits, test_sockets, test_gaps, test_store, test_tokens):
            test(s)
        test_kills(s, chats, messages, kills)
        if sys.argv[5:]:
            test_soak(s, int(sys.argv[5]))
    finally:
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in s.host.log[-40:]))
        s.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
