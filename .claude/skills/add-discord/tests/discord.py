"""discord.py NANOCLAW [CHATS MESSAGES KILLS [SECONDS]]: the channel 'discord' of a real host against
discord_api.py, in TAP; at last with so many kills and faults while so many messages come in so many
chats, and for so many seconds with a connection that is lost again and again."""

import os
import random
import sqlite3
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("net", "shipped"):
    sys.path.append(os.path.join(HERE, "../../../../tests", folder))

import tap
from host import Host
from discord_api import (ALICE, BOB, BOT, DIRECT, GENERAL, GUILD, OTHER_BOT, OTHER_ROLE, OWN_ROLE,
                         RANDOM, DiscordApi)

TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAx.secret.ofthebot"
ANDY = "<@%s>" % BOT


class Setup:
    def __init__(self, nanoclaw, discord=None):
        self.discord = discord or DiscordApi(TOKEN)
        self.settings = {"DISCORD_BOT_TOKEN": TOKEN, "DISCORD_API_URL": self.discord.url}
        self.host = Host(nanoclaw, self.settings)
        self.said = {}

    def start(self):
        self.host.start()
        self.host.wait_for_line("channel 'discord' is connected")

    def answers(self, chat, count=1):
        """The next messages of the bot in a chat."""
        begin = self.said.get(chat, 0)
        self.discord.wait_for(lambda: len(self.discord.posted(chat)) >= begin + count)
        self.said[chat] = begin + count
        return self.discord.posted(chat)[begin:begin + count]

    def answer(self, chat):
        return self.answers(chat)[0]["content"]

    def answer_with(self, chat, words):
        """The next text with these words, and those before it."""
        texts = [self.answer(chat)]
        while words not in texts[-1]:
            texts.append(self.answer(chat))
        return texts

    def pair(self, chat, folder, how="%s"):
        _, output = self.host.run("channel", "pair", "discord", "--folder", folder)
        code = next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)
        self.discord.say(chat, how % code)
        return self.answer(chat)

    def stored(self, columns, text):
        return self.host.rows("SELECT %s FROM messages WHERE content = ?" % columns, text)

    def close(self):
        self.host.close()
        self.discord.leave()


def test_first_message(s):
    paired = s.pair(DIRECT, "main")
    tap.result("belongs to the group 'main'" in paired, "a code pairs a direct chat", paired)
    s.discord.say(DIRECT, "remember milk")
    tap.result(s.answer(DIRECT) == "Noted: milk", "a message is answered", s.discord.texts())
    tap.result(s.stored("sender, sender_name", "remember milk") == [(ALICE, "Alice")],
               "people have their names", s.stored("sender, sender_name", "remember milk"))
    tap.result(s.discord.called("POST typing"), "the chat shows that an answer is being written")
    tap.result("group" in s.pair(GENERAL, "general", ANDY + " %s"),
               "a mention with a code pairs a channel of a server")


def test_text(s):
    s.discord.say(DIRECT, "remember **bold** <@%s> <@!%s> <#%s> <:cat:123456789> <a:b:12> <x> a<b" %
                  (BOB, "42", RANDOM))
    sent = s.answer(DIRECT)
    tap.result(sent == r"Noted: **bold** @Bob @42 #random :cat: :b: \<x> a\<b",
               "Discord's text is read, and its Markdown goes out", sent)
    tap.result(len(s.stored("seq", "remember **bold** @Bob @42 #random :cat: :b: <x> a<b")) == 1,
               "with the names of people and channels")
    for note in range(4):
        s.discord.say(DIRECT, "remember n%d %s" % (note, "\U0001f600 words " * 130))
        s.answer_with(DIRECT, "n%d" % note)
    s.discord.say(DIRECT, "notes")
    s.discord.say(DIRECT, "remember that it is over")
    parts = s.answer_with(DIRECT, "it is over")
    tap.result(len(parts) > 2 and all(len(part.encode("utf-16-le")) <= 4000 for part in parts),
               "a long answer comes in parts", [len(part) for part in parts])
    body = s.discord.called("POST messages")[-1]["body"]
    tap.result(body["enforce_nonce"] and 20 < len(body["nonce"]) <= 25 and
               body["allowed_mentions"]["parse"] == ["users"],
               "each text has a nonce, and cannot mention everyone", body)


def test_mentions(s):
    for text in ("remember nobody", "<@%s> remember bob" % BOB, "<@&%s> remember cooks" % OTHER_ROLE):
        s.discord.say(GENERAL, text)
    s.discord.say(GENERAL, ANDY + ", remember name")
    sent = s.answers(GENERAL)[0]
    tap.result("name" in sent["content"] and "nobody" not in sent["content"] and
               "bob" not in sent["content"] and "cooks" not in sent["content"],
               "in a channel, a mention is answered and other texts are not", sent)
    tap.result(s.stored("wants_answer", "remember name") == [(1,)],
               "the mention at the beginning is cut out")
    tap.result(s.stored("seq", "@cooks remember cooks"), "roles have their names")
    question = s.discord.messages[GENERAL][-2]
    tap.result(sent["message_reference"]["message_id"] == question["id"],
               "the answer is a reply to its message", sent.get("message_reference"))
    s.discord.say(GENERAL, "remember role <@&%s>" % OWN_ROLE)
    tap.result("role" in s.answer(GENERAL), "so is a mention of the role of the bot")
    s.discord.say(GENERAL, "remember reply", message_reference={"message_id": sent["id"]})
    tap.result("reply" in s.answer(GENERAL), "so is a reply to the assistant")
    tap.result(s.stored("refers_to", "remember reply") == [(sent["id"],)],
               "and refers to that message")
    tap.result(s.host.rows("SELECT name FROM chats WHERE jid = 'discord:%s'" % GENERAL) ==
               [("general",)], "chats have their names", s.host.rows("SELECT * FROM chats"))


def test_threads(s):
    thread = s.discord.add_thread(GENERAL, "ideas", heard=False)
    s.discord.say(thread, "an opinion")
    s.discord.say(thread, ANDY + " remember thread")
    tap.result("thread" in s.answer(thread), "an answer goes to the thread of its message")
    tap.result(s.stored("thread, chat_jid", "remember thread") == [(thread, "discord:" + GENERAL)],
               "which belongs to the chat of its channel", s.stored("*", "remember thread"))
    s.discord.fail("POST messages", 400, 50083, "Thread is archived")
    s.discord.say(thread, ANDY + " remember archive")
    tap.result("archive" in s.answer(GENERAL), "an answer whose thread is closed goes to the channel")


def test_edits(s):
    first = s.discord.say(GENERAL, "an idea")
    s.discord.edit(first, "a better idea")
    s.discord.event("MESSAGE_UPDATE", {**s.discord.as_event(first), "content": "a better idea",
                                       "embeds": [{"type": "link"}]})
    other = s.discord.say(GENERAL, "with a preview")
    s.discord.event("MESSAGE_UPDATE", {**s.discord.as_event(other), "content": "an embed"})
    s.discord.event("MESSAGE_DELETE", {"id": first["id"], "channel_id": GENERAL, "guild_id": GUILD})
    s.discord.say(GENERAL, "", user=BOB, type=7)
    s.discord.say(GENERAL, ANDY + " remember a bot", user=OTHER_BOT)
    s.discord.say(GENERAL, ANDY + " remember a hook", webhook_id="5")
    s.discord.say(GENERAL, ANDY + " remember end")
    sent = s.answer(GENERAL)
    rows = [row[0] for row in s.host.rows("SELECT content FROM messages")]
    tap.result(rows.count("a better idea") == 1 and "an idea" not in rows,
               "an edit changes a message that no agent has seen", rows)
    tap.result("an embed" not in rows, "a preview of a link is no edit")
    tap.result("end" in sent and "a bot" not in sent and "a hook" not in sent,
               "bots, webhooks and notices of Discord are passed over", sent)
    s.discord.say(GENERAL, "", message_snapshots=[{"message": {"content": "forwarded words"}}])
    s.discord.react(other, "\U0001f44d", guild_id=GUILD,
                    member={"user": s.discord.user(BOB), "nick": "Bobby", "roles": []})
    s.discord.react(other, "party", guild_id=GUILD, emoji={"id": "99", "name": "party"})
    s.discord.react(other, "x", user=BOT)
    s.discord.say(GENERAL, ANDY + " remember reactions")
    s.answer_with(GENERAL, "reactions")
    rows = s.host.rows("SELECT content, sender_name, refers_to FROM messages WHERE reference = ? "
                       "ORDER BY seq", "reaction")
    tap.result(rows == [("\U0001f44d", "Bobby", other["id"]), (":party:", ALICE, other["id"])],
               "reactions come in, except our own", rows)
    tap.result(s.stored("seq", "forwarded words"), "so does the text of what is forwarded")


def test_actions(s):
    picture = bytes(range(256)) * 300
    s.discord.say(DIRECT, "remember picture", attachments=[s.discord.add_file("cat\n.png", picture)])
    s.answer_with(DIRECT, "picture")
    row = s.host.rows("SELECT kind, name, type, state, file FROM attachments")[-1]
    tap.result(row[:4] == ("image", "cat?.png", "image/png", "stored"),
               "a file is there with its message", row)
    tap.result(s.host.read_file("data/media/main/" + row[4]) == picture, "byte by byte")
    s.discord.fail("GET messages", 404, 10008, "Unknown Message")
    s.discord.say(DIRECT, "remember lost", attachments=[s.discord.add_file("lost.png", picture)])
    s.answer_with(DIRECT, "lost")
    row = s.host.rows("SELECT state, error FROM attachments")[-1]
    tap.result(row[0] == "missing" and "Unknown Message" in row[1],
               "the agent learns that a file is missing", row)
    s.host.write_file("groups/main/cat.png", picture)

    def sent_files():
        return [(file["filename"], s.discord.files[file["id"]]) for message in
                s.discord.posted(DIRECT) for file in message["attachments"]]

    s.host.request(op="send_file", group="main", path="cat.png", text="a **cat**")
    tap.result(s.answer_with(DIRECT, "cat")[-1] == "a **cat**" and
               sent_files() == [("cat.png", picture)], "an agent sends a file with a text")
    for remembers in (True, False):
        s.discord.remembers_nonces = remembers
        s.discord.lose_answer("POST messages")
        s.host.request(op="send_file", group="main", path="cat.png", text="once %s" % remembers)
        s.discord.say(DIRECT, "remember after %s" % remembers)
        s.answer_with(DIRECT, "after %s" % remembers)
    tap.result(len(sent_files()) == 3, "without an answer, it is not sent twice", len(sent_files()))
    s.discord.remembers_nonces = True
    s.discord.fail("POST messages", 413, 40005, "Request entity too large")
    s.host.request(op="send_file", group="main", path="cat.png", text="too large")
    tap.result(s.host.wait_for_line("larger than Discord takes"), "a file that is too large is given up")
    s.host.request(op="edit_message", group="main", text="it is **edited**")
    s.discord.wait_for(lambda: s.discord.called("PATCH messages"))
    tap.result(s.discord.called("PATCH messages")[0]["body"]["content"] == "it is **edited**",
               "an agent changes its last text", s.discord.called("PATCH messages"))


def test_limits(s):
    s.discord.fail("POST messages", 429, retry_after=0.5)
    s.discord.say(DIRECT, "remember first")
    s.discord.say(DIRECT, "remember second")
    texts = s.answer_with(DIRECT, "second")
    tap.result("first" in "".join(texts), "what Discord wants later comes later, in order", texts)
    s.discord.fail("POST messages", 429, retry_after=0.5, everywhere=True)
    s.discord.say(DIRECT, "remember everywhere")
    tap.result("everywhere" in s.answer_with(DIRECT, "everywhere")[-1], "also from the whole bot")
    s.discord.limit, s.discord.buckets, s.discord.refused_calls = (2, 0.4), {}, 0
    for i in range(8):
        s.discord.say(DIRECT, "remember limit%d" % i)
        s.answer_with(DIRECT, "limit%d" % i)
    tap.result(s.discord.refused_calls == 0, "the headers' limits are kept", s.discord.refused_calls)
    s.discord.limit, s.discord.buckets = (1000, 1.0), {}
    s.discord.fail("POST messages", 500, 0, "internal")
    s.discord.say(DIRECT, "remember third")
    tap.result("third" in s.answer_with(DIRECT, "third")[-1], "what fails is sent again")
    for remembers in (True, False):
        s.discord.remembers_nonces = remembers
        s.discord.lose_answer("POST messages")
        s.discord.say(DIRECT, "remember fourth%s" % remembers)
        s.host.wait_for_line("channel 'discord' is connected")
        s.discord.say(DIRECT, "remember fifth%s" % remembers)
        s.answer_with(DIRECT, "fifth%s" % remembers)
    texts = s.discord.texts(DIRECT)
    tap.result(sum("fourthTrue" in text for text in texts) == 1 and
               sum("fourthFalse" in text for text in texts) == 1,
               "what was sent without an answer is not sent twice, with or without its nonce")
    s.discord.remembers_nonces = True
    s.discord.fail("POST messages", 403, 50013, "Missing Permissions")
    s.discord.say(GENERAL, ANDY + " remember nothing")
    tap.result("lacks a permission" in s.answer_with(DIRECT, "permission")[-1],
               "the owner learns of a chat in which the bot may not write")


def test_sessions(s):
    identifies, resumes = s.discord.identifies, s.discord.resumes

    def again(words):
        s.discord.wait_for(lambda: s.discord.sockets and
                           s.discord.sockets[-1].session is not None)
        s.discord.say(DIRECT, "remember " + words)
        return words in s.answer_with(DIRECT, words)[-1]

    s.discord.refresh()
    s.discord.wait_for(lambda: s.discord.resumes > resumes)
    tap.result(again("reconnect") and s.discord.identifies == identifies,
               "a session is resumed when Discord wants another connection")
    s.discord.invalidate(True)
    s.discord.wait_for(lambda: s.discord.resumes > resumes + 1)
    tap.result(again("later") and s.discord.identifies == identifies,
               "so it is when Discord is not ready for it")
    s.discord.sockets[-1].cut()
    s.discord.say(DIRECT, "remember replayed")
    tap.result("replayed" in s.answer_with(DIRECT, "replayed")[-1] and
               s.discord.identifies == identifies, "what is missed is repeated in it")
    for number, (code, new) in enumerate(((4000, False), (4007, True), (4009, True))):
        identifies, resumes = s.discord.identifies, s.discord.resumes
        s.discord.close_sockets(code)
        s.discord.wait_for(lambda: s.discord.identifies + s.discord.resumes > identifies + resumes)
        tap.result((s.discord.identifies > identifies) == new and again("code%d" % number),
                   "the code %d %s" % (code, "begins a new one" if new else "keeps the session"))
    for number, payload in enumerate((b"{\"op\": 0, \"t\": \"X\", \"d\": \"\\ud800\"}", b"[]", b"nonsense",
                                      {"op": 0, "t": "MESSAGE_CREATE", "s": 1, "d": 7},
                                      {"op": 0, "t": "MESSAGE_CREATE", "s": 1, "d": {"channel_id": 5}},
                                      {"op": 99, "d": None}, {"op": 1, "d": None})):
        s.discord.sockets[-1].send(payload)
    s.discord.say(DIRECT, "<@" + "1" * 300 + "> <@&> <#> <::> <a:> <", author={"id": "x" * 300})
    tap.result(again("sense"), "nonsense does not stop it")
    s.discord.heartbeat_ms, s.discord.answers_heartbeats = 1000, False
    identifies, resumes = s.discord.identifies, s.discord.resumes
    s.discord.refresh()
    s.discord.wait_for(lambda: s.discord.resumes >= resumes + 2)
    tap.result(s.discord.identifies == identifies, "a gateway without a heartbeat is given up")
    s.discord.heartbeat_ms, s.discord.answers_heartbeats = 41250, True
    tap.result(again("beating"), "and comes back")


def test_gaps(s):
    s.discord.say(GENERAL, ANDY + " remember before")
    s.answer_with(GENERAL, "before")
    known = next(id for id, c in s.discord.channels.items() if c["type"] == 11)
    port = s.discord.port
    s.discord.leave()
    line = s.host.wait_for_line("channel 'discord' is disconnected")
    tap.result("connection ended" in line and "secret" not in line, "a lost connection is said", line)
    s.discord.say(GENERAL, "missed", heard=False)
    s.discord.say(GENERAL, ANDY + " remember the gap", heard=False)
    s.discord.say(known, ANDY + " remember the thread", heard=False)
    new = s.discord.add_thread(GENERAL, "new", heard=False)
    s.discord.say(new, ANDY + " remember the new one", heard=False)
    for number in range(250):
        s.discord.say(DIRECT, "remember g%d" % number, heard=False)
    s.discord.forget_sessions()
    s.discord.listen(port)
    s.host.wait_for_line("channel 'discord' is connected")
    tap.result("the gap" in "".join(s.answer_with(GENERAL, "the gap")) and
               "the thread" in "".join(s.answer_with(known, "the thread")),
               "what came without a session is fetched, in threads too")
    tap.result("the new one" in s.answer_with(new, "the new one")[-1], "in new ones, too")
    s.answer_with(DIRECT, "g249")
    rows = [row[0] for row in s.host.rows(
        "SELECT content FROM messages WHERE content GLOB 'remember g[0-9]*' ORDER BY seq")]
    tap.result(rows == ["remember g%d" % number for number in range(250)],
               "in order, over several pages", rows)


def test_store(s):
    """Twice the same, and what an earlier host stored."""
    message = s.discord.say(DIRECT, "remember once")
    s.discord.event("MESSAGE_CREATE", s.discord.as_event(message))
    s.answer_with(DIRECT, "once")
    identifies = s.discord.identifies
    s.host.kill()
    s.discord.say(DIRECT, "remember resumed")
    s.start()
    tap.result("resumed" in s.answer_with(DIRECT, "resumed")[-1] and
               s.discord.identifies == identifies,
               "the next host resumes the session of the last one")
    tap.result(len(s.stored("seq", "remember once")) == 1, "what comes twice is stored once")
    s.host.kill()
    s.discord.forget_sessions()
    s.discord.say(DIRECT, "remember downtime", heard=False)
    store = sqlite3.connect(os.path.join(s.host.root, "store/nanoclaw.db"))
    store.execute("INSERT INTO outbox (key, group_folder, chat_jid, kind, part, parts, content, "
                  "created_at, action, target) SELECT 'test', 'main', ?, 'message', 1, 1, "
                  "'\U0001f44d', created_at, 'react', ? FROM outbox LIMIT 1",
                  ("discord:" + DIRECT, message["id"]))
    store.commit()
    store.close()
    s.start()
    s.discord.wait_for(lambda: "reacted" in message)
    tap.result(message.get("reacted") == ["\U0001f44d"], "an agent puts an emoji under a message")
    tap.result("downtime" in s.answer_with(DIRECT, "downtime")[-1],
               "without it, what came while the host was down is fetched")


def test_refusals(s):
    _, output = s.host.run("doctor")
    tap.result("the bot is 'andy'" in output, "doctor asks Discord for the bot", output)
    s.discord.flags = 0
    _, output = s.host.run("doctor")
    tap.result("Message Content Intent" in output, "and whether it may read texts", output)
    s.discord.flags, s.discord.intents_allowed = 1 << 19, False
    s.discord.invalidate(False)
    line = s.host.wait_for_line("channel 'discord' is down")
    tap.result("turn on 'Message Content Intent'" in line, "a missing intent is said", line)
    s.discord.intents_allowed, s.discord.sessions_left = True, 0
    s.host.stop()
    s.host.start()
    line = s.host.wait_for_line("channel 'discord' is disconnected")
    tap.result("new sessions per day" in line, "so is a day without sessions", line)
    s.discord.sessions_left = 1000
    s.host.wait_for_line("channel 'discord' is connected")
    asked = len(s.discord.called("GET users/@me"))
    s.discord.token = "other"
    s.discord.close_sockets(4004)
    line = s.host.wait_for_line("channel 'discord' is down")
    tap.result("refuses the token in DISCORD_BOT_TOKEN" in line, "so is a token that is reset", line)
    s.discord.wait_for(lambda: not s.discord.sockets)
    tap.result(len(s.discord.called("GET users/@me")) == asked and not s.discord.sockets,
               "and it is not tried again at once")
    _, output = s.host.run("doctor")
    tap.result("refuses the token" in output, "doctor says so, too", output)
    s.discord.token = TOKEN
    s.host.stop()
    s.discord.say(DIRECT, "remember nobody hears it")
    s.start()
    tap.result("nobody hears" in s.answer_with(DIRECT, "nobody hears")[-1], "with a good one it goes on")
    tap.result(s.host.stop() == 0, "the host ends")
    for token, words in ((None, "is not set"), ("nonsense", "is not a token like")):
        s.host.configure({"DISCORD_API_URL": s.discord.url,
                          **({"DISCORD_BOT_TOKEN": token} if token else {})})
        s.host.start()
        line = s.host.wait_for_line("channel 'discord' is down")
        _, output = s.host.run("doctor")
        tap.result("DISCORD_BOT_TOKEN " + words in line and "DISCORD_BOT_TOKEN " + words in output,
                   "a token that %s is said" % words, line)
        s.host.stop()
    s.host.configure({})
    found = [name for name in files_below(s.host.root) if TOKEN.encode() in open(name, "rb").read()]
    tap.result(not found and not any("secret" in line for line in s.host.log),
               "no file and no line of the log has the token", found)


def files_below(folder):
    for path, _, names in os.walk(folder):
        for name in names:
            if os.path.isfile(os.path.join(path, name)):
                yield os.path.join(path, name)


TROUBLES = {
    "reconnect": lambda discord: discord.refresh(),
    "invalid": lambda discord: discord.invalidate(False),
    "not ready": lambda discord: discord.invalidate(True),
    "limit": lambda discord: discord.fail("POST messages", 429, retry_after=0.3),
    "history limit": lambda discord: discord.fail("GET messages", 429, retry_after=0.3),
    "lost answer": lambda discord: discord.lose_answer("POST messages"),
    "no history": lambda discord: discord.fail("GET messages", 502),
    "cut": lambda discord: [listener.cut() for listener in list(discord.sockets)],
    "no gateway": lambda discord: discord.fail("GET gateway/bot", 500),
}


def test_kills(s, chats, messages, kills):
    """Everybody writes; the host is killed again and again, and Discord has troubles of its own."""
    s.host.configure(s.settings)
    s.start()
    rooms = [str(700000000000001000 + i) for i in range(chats)]
    for room in rooms:
        s.pair(room, "p" + room[-4:])
    chance, wanted = random.Random(1), {room: [] for room in rooms}
    s.discord.remembers_nonces = False  # the host is on its own

    def say(until, heard=True):
        for number in range(sum(map(len, wanted.values())), until):
            room = chance.choice(rooms)
            wanted[room].append("m%d" % number)
            s.discord.say(room, "remember m%d" % number, heard=heard)

    def answers(room):
        words = set(wanted[room])
        return [word for text in s.discord.texts(room) for word in text.split() if word in words]

    def count():
        return sum(len(set(answers(room))) for room in rooms)

    for kill in range(kills):
        trouble = TROUBLES[chance.choice(list(TROUBLES))]
        share = messages * (kill + 1) // (kills + 1)
        say(share * 2 // 3)
        s.discord.wait_for(lambda: count() >= share // 2)
        trouble(s.discord)
        s.host.kill()
        s.discord.wait_for(lambda: not s.discord.sockets)
        if chance.random() < 0.5:
            s.discord.forget_sessions()
            say(share * 5 // 6, heard=False)
        say(share)
        s.host.start()
    say(messages)
    s.discord.wait_for(lambda: count() >= messages)
    lost = sum(len(set(wanted[room]) - set(answers(room))) for room in rooms)
    doubled = sum(len(answers(room)) - len(set(answers(room))) for room in rooms)
    disordered = [(wanted[room], answers(room)) for room in rooms
                  if list(dict.fromkeys(answers(room))) != wanted[room]]
    print("# %d messages, %d chats, %d kills: %d lost, %d doubled; %d sessions, %d resumed" %
          (messages, chats, kills, lost, doubled, s.discord.identifies, s.discord.resumes))
    tap.result(lost == 0, "no message stays without an answer")
    tap.result(not disordered, "each chat has its answers in order", disordered)
    tap.result(doubled == 0, "and none twice")


def test_soak(s, seconds):
    begin, rounds, memory, room = time.monotonic(), 0, [], str(700000000000001000)
    while time.monotonic() - begin < seconds:
        rounds += 1
        sessions = s.discord.identifies + s.discord.resumes
        # The budget of new sessions is a part of what is tried: most are resumed.
        if rounds % 3 and s.discord.sockets:
            s.discord.sockets[-1].cut()
        else:
            s.discord.invalidate(rounds % 30 != 0)
        s.discord.say(room, "remember s%d." % rounds)
        s.discord.wait_for(lambda: any("s%d." % rounds in text for text in s.discord.texts(room)[-20:])
                           and s.discord.identifies + s.discord.resumes > sessions)
        memory.append(s.host.measure()[0])
    early, late = memory[len(memory) // 4], memory[-1]
    print("# %d reconnections: %d KB, then %d KB" % (rounds, early, late))
    tap.result(late < early * 1.2 + 1000, "reconnections cost no memory", memory)
    used = s.host.measure()[1]
    time.sleep(20)
    idle = s.host.measure()[1] - used
    print("# %.2f seconds of CPU in 20 idle ones" % idle)
    tap.result(idle < 5 and len(s.discord.sockets) == 1,
               "an idle host does nothing, with one socket")


def main():
    nanoclaw = sys.argv[1]
    chats, messages, kills = map(int, sys.argv[2:5] or (4, 40, 4))
    s = Setup(nanoclaw)
    try:
        s.start()
        for test in (test_first_message, test_text, test_mentions, test_threads, test_edits,
                     test_actions, test_limits, test_sessions, test_gaps, test_store, test_refusals):
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
