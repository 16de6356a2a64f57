"""irc.py NANOCLAW [CHATS MESSAGES KILLS]: the channel 'irc' of a real host, in TAP: against the
scripted irc_server.py, and against ngircd and InspIRCd, where the host is killed so many times at last."""

import os
import random
import socket
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("net", "shipped"):
    sys.path.append(os.path.join(HERE, "../../../../tests", folder))

import inspircd
import ngircd
import tap
from certificates import make_authority, make_certificate
from host import Host
from irc_server import IrcServer

PASSWORD = "secret pass:word"
LONG = "#" + "l" * 55
COMMANDS = {"AUTHENTICATE", "CAP", "JOIN", "NICK", "PING", "PONG", "PRIVMSG", "QUIT", "USER"}


def settings(port, **more):
    return {"IRC_SERVER": "127.0.0.1:%d" % port, "IRC_NICK": "Andy", "IRC_PLAIN": "yes",
            "IRC_CHANNELS": "#Talk,#keyed key," + LONG, "IRC_LINES_PER_MINUTE": "60000",
            "IRC_LINES_AT_ONCE": "60000", **more}


def code_for(host, folder):
    _, output = host.run("channel", "pair", "irc", "--folder", folder)
    return next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)


class Setup:
    """A host and the scripted server."""

    def __init__(self, nanoclaw, server, more):
        self.server, self.settings, self.seen = server, settings(server.port, **more), {}
        self.host = Host(nanoclaw, self.settings)

    def start(self, rooms=3):
        self.host.start()
        self.host.wait_for_line("channel 'irc' is connected")
        self.server.wait_for(lambda: len(self.server.rooms) == rooms)

    def answer(self, target):
        """The next text."""
        number = self.seen.get(target, 0)
        self.server.wait_for(lambda: len(self.server.texts(target)) > number)
        self.seen[target] = number + 1
        return self.server.texts(target)[number]

    def answer_with(self, target, words):
        texts = [self.answer(target)]
        while words not in texts[-1]:
            texts.append(self.answer(target))
        return texts

    def pair(self, target, folder, nick="Alice"):
        code = code_for(self.host, folder)
        self.server.say(target, ("Andy: " if target else "") + code, nick)
        return self.answer_with(target or nick.lower(), "belongs to")[-1]

    def close(self):
        self.host.close()
        self.server.close()


def test_registration(s):
    s.server.taken.add("Andy")
    s.start()
    request = next(words[1] for words in s.server.commands("CAP") if words[0] == "REQ")
    tap.result(request == "batch echo-message labeled-response message-tags sasl server-time",
               "it asks for what the server offers and it can use", request)
    tap.result(s.server.nick == "Andy_", "it takes another nick if its own is taken", s.server.nick)
    tap.result(["#keyed", "key"] in s.server.commands("JOIN"), "it joins its channels, with keys",
               s.server.commands("JOIN"))
    s.server.taken.clear()
    paired = s.pair(None, "main")
    tap.result("group 'main'" in paired, "a code pairs a query", paired)


def test_messages(s):
    s.server.say(None, "remember milk", tags="@msgid=m1;time=2026-01-02T03:04:05.678Z ")
    s.server.say(None, "remember milk", tags="@msgid=m1;time=2026-01-02T03:04:05.678Z ")
    tap.result(s.answer("alice") == "Noted: milk", "a message is answered", s.server.said)
    rows = s.host.rows("SELECT id, sender, sender_name, chat_jid FROM messages "
                       "WHERE content = 'remember milk'")
    tap.result(rows == [("m1", "alice", "Alice", "irc:alice")], "and stored once", rows)
    s.server.say(None, "\x02remember\x0f \x034,12red\x03 \x1dtea\x1d \x04ff0000x")
    tap.result(s.answer("alice") == "Noted: red tea x", "formatting is left out")
    s.server.connection.sendall(b":Alice!a@b PRIVMSG " + s.server.nick.encode() +
                                b" :remember caf\xe9\r\n")
    tap.result(s.answer("alice") == "Noted: caf\ufffd", "bytes that are not UTF-8 do no harm")
    s.server.say(None, "remember **bold** _and_ `code` a_b_c")
    tap.result(s.answer("alice") == "Noted: \x02bold\x02 \x1dand\x1d \x11code\x11 a_b_c",
               "Markdown becomes formatting", s.server.said[-1])


def send_random_lines(server):
    """Pieces of the protocol in any order; none that ends the connection or changes the nick."""
    chance = random.Random(1)
    pieces = ["@", ":", " ", ";", "=", "!", "*", "#Talk", "#talk", server.nick, "PRIVMSG", "BATCH",
              "+x", "-x", "PONG", "99999999999999999999", "label", "CAP", "LS", "005", "401", "404",
              "353", "CASEMAPPING=", "FAIL", "msgid", "time", "JOIN", "INVITE", "\x01ACTION",
              "\x03", "\x04", "\ud55c", "x" * 600, "y" * 9000]
    for _ in range(300):
        server.send("".join(chance.choice(pieces) for _ in range(chance.randrange(1, 12))))
    server.connection.sendall(b"\0\r\n\xff\xfe :\r\n\n\r\r\n")


def test_mentions(s):
    s.pair("#talk", "talk")
    s.server.say("#TALK", "remember nobody")
    s.server.say("#talk", "sandy: remember sand")
    s.server.say("#talk", "andy: remember colon")
    s.server.say("#talk", "ANDY_, remember comma")
    s.server.say("#talk", "now Andy! remember word")
    texts = s.answer_with("#talk", "comma")
    tap.result("colon" in "".join(texts) and "nobody" not in "".join(texts) and
               "sand" not in "".join(texts), "a mention is answered, other texts are not", texts)
    s.server.say("#talk", "andy: remember end")
    s.answer_with("#talk", "end")
    rows = s.host.rows("SELECT content, wants_answer FROM messages WHERE chat_jid = 'irc:#talk'")
    tap.result(("remember colon", 1) in rows and ("remember comma", 1) in rows and
               ("now Andy! remember word", 1) in rows and ("remember nobody", 0) in rows,
               "the nick at the beginning is cut out", rows)
    s.server.say("#talk", "\x01ACTION greets andy\x01")
    s.server.say("#talk", "\x01VERSION\x01")
    s.server.say(None, "\x01PING 123\x01")
    s.server.send(":Alice!a@b NOTICE %s :remember notice" % s.server.nick)
    s.server.say(None, "remember robot", nick="Robot", tags="@bot ")
    s.server.say("#other", "andy: remember other")
    s.server.send(":irc.example.org PRIVMSG %s :remember server" % s.server.nick)
    s.server.send("nonsense")
    s.server.send("@a;b= : :")
    s.server.send(":x PRIVMSG")
    send_random_lines(s.server)
    s.server.say(None, "remember sense")
    tap.result(s.answer("alice") == "Noted: sense", "nonsense does not stop it")
    rows = [row[0] for row in s.host.rows("SELECT content FROM messages")]
    tap.result("* Alice greets andy" in rows and not [row for row in rows if "VERSION" in row or
               "notice" in row or "robot" in row or "other" in row or "\x01" in row] and
               not s.server.commands("NOTICE"),
               "'/me' is a message; notices, bots and requests of clients get no answer", rows)


def test_lines(s):
    words = "\U0001f600\u00fc" * 30
    for number in range(6):
        s.server.say(None, "remember %s%d %s" % (words, number, "long words " * 12))
        s.answer_with("alice", "long")
    s.host.run("send", "main", "remember first\r\nQUIT :smuggled\r\nJOIN #smuggled", "--wait")
    s.server.say(None, "notes")
    s.answer_with("alice", "smuggled")
    s.pair(LONG, "long")
    for shift in ("", "x", "xx"):
        note = "%s%s|" % (shift, "\u20ac" * 120)
        s.server.say(LONG, "andy: remember " + note)
        texts = s.answer_with(LONG, "|")
        tap.result(len(texts) == 2 and "".join(texts) == "Noted: " + note and
                   not s.server.malformed, "a line that is too long is cut between characters",
                   s.server.malformed or texts)
    commands = {command for _, command, _ in s.server.lines}
    tap.result(commands <= COMMANDS and not s.server.commands("QUIT") and
               ["#smuggled"] not in s.server.commands("JOIN"), "no text becomes a command",
               commands)
    tap.result(s.server.longest <= 512, "no line has more than 512 bytes with its prefix",
               s.server.longest)


def test_receipts(s):
    s.server.faults = ["batch"]
    s.server.say(None, "remember batch")
    s.answer_with("alice", "batch")
    s.server.say(None, "remember more")
    tap.result("more" in s.answer("alice"), "an answer to a label may be a batch")
    s.server.faults = ["refuse"]
    s.server.say("#talk", "andy: remember refused")
    tap.result("refused" in s.answer_with("#talk", "refused")[-1],
               "what the server refuses is sent again later")
    s.server.faults = ["cut"]
    s.server.say(None, "remember cut")
    first, second = s.answer_with("alice", "cut")[-1], s.answer("alice")
    tap.result(first == second == "Noted: cut", "a text without a receipt is sent again", second)


def detail(s):
    _, output = s.host.run("channel", "list")
    return output


def test_rooms(s):
    s.server.wait_for(lambda: len(s.server.rooms) == 3)
    joins = len(s.server.commands("JOIN"))
    s.server.closed_rooms["#Talk"] = "474"
    s.server.send(":op!o@h KICK #talk %s :too loud" % s.server.nick)
    line = s.host.wait_for_line("kicked by 'op': too loud")
    tap.result("not in '#Talk'" in line and "kicked by 'op'" in detail(s), "a kick is said", line)
    s.host.wait_for_line("Cannot join channel (+b)")
    tap.result("Cannot join channel" in detail(s), "so is a ban", detail(s))
    tap.result(len(s.server.commands("JOIN")) == joins + 1, "which is not tried again at once")
    s.server.closed_rooms.clear()
    s.server.send(":op!o@h INVITE %s #talk" % s.server.nick)
    s.server.wait_for(lambda: len(s.server.rooms) == 3)
    s.server.say("#talk", "andy: remember back")
    tap.result("back" in s.answer_with("#talk", "back")[-1], "it is back, and answers")
    s.server.send("ERROR :Closing Link: flood")
    line = s.host.wait_for_line("channel 'irc' is disconnected")
    tap.result("Closing Link: flood" in line, "the server's reason for an end is said", line)
    s.host.wait_for_line("channel 'irc' is connected")
    s.server.wait_for(lambda: len(s.server.rooms) == 3)
    s.server.say("#talk", "andy: remember anew")
    tap.result("anew" in s.answer_with("#talk", "anew")[-1], "it connects again")


def test_refusals(s):
    code, output = s.host.run("doctor")
    tap.result("'127.0.0.1' port %d answers" % s.server.port in output, "doctor asks the server",
               output)
    tap.result(s.host.stop() == 0 and s.server.commands("QUIT"), "it says goodbye")
    for name, value, words in (
            ("IRC_PASSWORD", "secret wrong", "refuses IRC_PASSWORD for 'Andy'"),
            ("IRC_NICK", "", "IRC_NICK is not set"),
            ("IRC_NICK", "no nick", "cannot be a nick"),
            ("IRC_CHANNELS", "talk", "IRC_CHANNELS must be"),
            ("IRC_SERVER", "host:x", "IRC_SERVER must be"),
            ("IRC_PLAIN", "yes", "IRC_PLAIN is for a server on this machine")):
        more = {"IRC_SERVER": "irc.example.org"} if name == "IRC_PLAIN" else {}
        connections = s.server.connections
        s.host.configure({**s.settings, **more, name: value})
        s.host.start()
        line = s.host.wait_for_line("channel 'irc' is down")
        tap.result(words in line and s.server.connections == connections, words, line)
        if name == "IRC_CHANNELS":
            tap.result(words in s.host.run("doctor")[1], "doctor says so, too")
        s.host.stop()
    s.server.capabilities = "server-time"
    s.host.configure(s.settings)
    s.host.start()
    line = s.host.wait_for_line("channel 'irc' is down")
    tap.result("offers no SASL" in line, "no password goes to a server without SASL", line)
    s.host.stop()
    s.host.configure({key: value for key, value in s.settings.items() if key != "IRC_PASSWORD"})
    s.server.welcome_error = ":irc.example.org 465 Andy :You are banned: spam"
    s.host.start()
    line = s.host.wait_for_line("channel 'irc' is down")
    tap.result("You are banned: spam" in line, "a ban from the server is said", line)
    s.host.stop()
    found = [line for line in s.host.log if "secret" in line]
    s.host.configure({})
    for path, _, names in os.walk(s.host.root):
        for name in names:
            file = os.path.join(path, name)
            if os.path.isfile(file) and b"secret" in open(file, "rb").read():
                found.append(file)
    tap.result(not found, "no file and no line of the log has the password", found)


def test_accounts(nanoclaw):
    """A list of senders by account, one by nick, and a nick 'owner'."""
    s = Setup(nanoclaw, IrcServer("account-tag message-tags"), {})
    try:
        s.start()
        s.pair("#talk", "talk")
        s.host.run("group", "set", "talk", "--allow", "account:Ann", "--allow", "bob")
        s.server.say("#talk", "andy: remember thief", nick="Ann")
        s.server.say("#talk", "andy: remember other", nick="Ann", tags="@account=eve ")
        s.server.say("#talk", "andy: remember real", nick="Ann_", tags="@account=Ann ")
        s.answer_with("#talk", "real")
        rows = s.host.rows("SELECT content, sender FROM messages WHERE chat_jid = 'irc:#talk'")
        tap.result(("remember real", "account:Ann") in rows and len(rows) == 1,
                   "a list of senders goes by account", rows)
        s.server.say("#talk", "andy: remember nick", nick="Bob", tags="@account=robert ")
        s.answer_with("#talk", "nick")
        line = s.host.wait_for_line("which anybody can take")
        tap.result("'bob'" in line and "'account:robert'" in line,
                   "a list by nick still holds, with a warning", line)
    finally:
        s.close()


def test_more(nanoclaw):
    s = Setup(nanoclaw, IrcServer(), {"IRC_LINES_AT_ONCE": "3"})
    try:
        s.start()
        s.pair(None, "main")
        for number in range(24):
            s.server.say(None, "remember n%d %s" % (number, "word " * 15))
            s.answer_with("alice", "n%d " % number)
        s.server.say(None, "notes")
        first = s.answer_with("alice", "Write 'more' for the rest")
        s.server.say(None, "More")
        second = s.answer_with("alice", "Write 'more' for the rest")
        tap.result(len(first) < 10 and len(second) < 10 and "n0 " in "".join(first) and
                   "n0 " not in "".join(second), "a long answer stops until somebody asks for more",
                   (first, second))
        s.server.say(None, "remember else")
        texts = s.answer_with("alice", "else")
        tap.result(texts == ["Noted: else"], "another question ends it", texts)
        rows = s.host.rows("SELECT count(*) FROM outbox WHERE state <> 'sent' AND parts > 1")
        tap.result(rows == [(0,)] and
                   not s.host.rows("SELECT 1 FROM messages WHERE content LIKE 'more'"),
                   "and nothing waits", rows)
    finally:
        s.close()


def test_more_of_others(nanoclaw):
    """A channel with a list of senders, in which a stranger writes, too."""
    s = Setup(nanoclaw, IrcServer(), {"IRC_LINES_AT_ONCE": "3"})
    try:
        s.start()
        s.pair("#talk", "talk")
        s.host.run("group", "set", "talk", "--allow", "alice")
        for number in range(24):
            s.server.say("#talk", "andy: remember n%d %s" % (number, "word " * 15))
            s.answer_with("#talk", "n%d " % number)
        s.server.say("#talk", "andy: notes")
        first = s.answer_with("#talk", "Write 'more' for the rest")
        s.server.say("#talk", "more", nick="Mallory")
        s.server.say("#talk", "andy: remember nothing", nick="Mallory")
        s.pair(None, "other", nick="Carol")  # by then, the lines before were taken
        tap.result(len(s.server.texts("#talk")) == s.seen["#talk"] and s.host.rows(
                   "SELECT count(*) FROM outbox WHERE state <> 'sent' AND parts > 1") != [(0,)],
                   "a stranger neither gets nor ends a long answer", s.server.said[-5:])
        s.server.say("#talk", "more")
        second = s.answer_with("#talk", "Write 'more' for the rest")
        tap.result("n0 " in "".join(first) and "n0 " not in "".join(second) and
                   not s.host.rows("SELECT 1 FROM messages WHERE content LIKE 'more'"),
                   "a person on the list gets more of it", second)
        s.host.stop()
        s.host.configure({**s.settings, "IRC_HOLD_SECONDS": "1"})
        s.start()
        texts = s.answer_with("#talk", "n23 ")
        stops = [text for text in texts if "Write 'more'" in text]
        s.server.say("#talk", "andy: remember else")
        after = s.answer_with("#talk", "else")
        tap.result(len(stops) == 1 and after[-1] == "Noted: else",
                   "the rest comes by itself if nobody asks for it", texts + after)
    finally:
        s.close()


def test_turns(nanoclaw):
    s = Setup(nanoclaw, IrcServer(), {"IRC_LINES_PER_MINUTE": "300"})
    try:
        s.start()
        s.pair(None, "main")
        s.pair("#talk", "talk")
        s.host.run("send", "main", "remember list" + "".join("\n- %d" % n for n in range(30)),
                   "--wait")
        s.server.say(None, "notes")
        s.server.wait_for(lambda: "   - 1" in s.server.texts("alice"))
        s.server.say("#talk", "andy: remember meanwhile")
        s.answer_with("#talk", "meanwhile")
        s.server.wait_for(lambda: "   - 29" in s.server.texts("alice"))
        said = [text for _, text in s.server.said]
        tap.result(said.index("Noted: meanwhile") < said.index("   - 29"), "chats take turns", said)
    finally:
        s.close()


def test_outage(nanoclaw):
    closed = socket.socket()  # nobody listens
    closed.bind(("127.0.0.1", 0))
    s = Setup(nanoclaw, IrcServer(), {"IRC_SERVER": "127.0.0.1:%d" % closed.getsockname()[1]})
    try:
        s.host.start()
        line = s.host.wait_for_line("channel 'irc' is disconnected")
        tap.result("cannot be reached" in line and "login" not in line,
                   "a server that is away does not refuse the login", line)
    finally:
        s.close()
        closed.close()


def test_plain_server(nanoclaw, capabilities):
    """Receipts by echo, or by PING alone; and limits."""
    s = Setup(nanoclaw, IrcServer(capabilities), {"IRC_LINES_PER_MINUTE": "600"})
    try:
        s.start()
        s.pair(None, "main")
        for number in range(8):
            s.server.say(None, "remember n%d" % number)
        s.answer_with("alice", "n7")
        begin, count = time.monotonic(), len(s.server.lines)
        s.server.say(None, "notes")
        s.answer_with("alice", "8. n7")
        count, took = len(s.server.lines) - count, time.monotonic() - begin
        tap.result(8 <= count <= 6 + 10 * took, "no more lines are sent than the limit allows",
                   "%d lines in %f seconds" % (count, took))
        s.server.faults = ["cut"]
        s.server.say(None, "remember cut")
        s.answer_with("alice", "cut")
        tap.result(s.answer("alice") == "Noted: cut",
                   "with '%s', a text without a receipt is sent again" % capabilities)
        tap.result(any(words[0].isdigit() for words in s.server.commands("PING")) and
                   not any("label" in tags for tags, _, _ in s.server.lines),
                   "and a PING is behind each text")
    finally:
        s.close()


def test_silence(nanoclaw):
    """It takes a minute to notice a server that is gone without a word."""
    s = Setup(nanoclaw, IrcServer(""), {})
    try:
        s.start()
        s.server.silent = True
        line = s.host.wait_for_line("channel 'irc' is disconnected")
        tap.result("silent" in line, "a server that is gone without a word is noticed", line)
        s.server.silent = False
        s.host.wait_for_line("channel 'irc' is connected")
    finally:
        s.close()


def test_scripted(nanoclaw):
    with tempfile.TemporaryDirectory(prefix="nanoclaw-irc.") as folder:
        make_authority(folder, "authority")
        make_certificate(folder, "server", "authority", "IP:127.0.0.1")
        s = Setup(nanoclaw, IrcServer(password=PASSWORD, certificate=folder + "/server"),
                  {"IRC_PLAIN": "no", "IRC_PASSWORD": PASSWORD,
                   "NANOCLAW_CA_FILE": folder + "/authority.pem"})
        try:
            for test in (test_registration, test_messages, test_mentions, test_lines,
                         test_receipts, test_rooms, test_refusals):
                test(s)
        finally:
            if sys.exc_info()[0]:
                print("\n".join("# " + line for line in s.host.log[-40:]))
            s.close()


# --- real servers -----------------------------------------------------------------


class Kills:
    """A person writes in all rooms; the host is killed again and again."""

    def __init__(self, host, person, rooms):
        self.host, self.person, self.rooms, self.number = host, person, rooms, 0
        self.chance = random.Random(1)

    def start(self):
        begin = len(self.person.lines)
        self.host.start()
        self.person.wait_until(lambda: all(
            any(" JOIN :" + room in line for line in self.person.lines[begin:])
            for room in self.rooms))

    def say(self, until):
        for self.number in range(self.number + 1, until + 1):
            self.person.say(self.chance.choice(self.rooms), "andy: remember m%d" % self.number)

    def answers(self, room):
        return [word for nick, text in self.person.heard(room) if nick.startswith("Andy")
                for word in text.split() if word[0] == "m" and word[1:].isdigit()]

    def stored(self, room):
        return [row[0].split()[1] for row in self.host.rows(
            "SELECT content FROM messages WHERE chat_jid = ? AND content GLOB 'remember m*' "
            "ORDER BY seq", "irc:" + room)]

    def answered(self):
        return all(set(self.stored(room)) <= set(self.answers(room)) for room in self.rooms)


def test_kills(host, person, rooms, messages, kills):
    k = Kills(host, person, rooms)
    for kill in range(kills):
        begin, before = len(person.lines), k.number
        k.say(messages * (kill + 1) // (kills + 1))
        person.wait_until(lambda: any(int(word[1:]) > before for room in rooms
                                      for word in k.answers(room)))
        host.kill()
        person.wait_until(lambda: any(" QUIT " in line for line in person.lines[begin:]))
        k.start()
    k.say(messages)
    person.wait_until(lambda: "m%d" % messages in sum(map(k.answers, rooms), []))
    person.wait_until(k.answered)
    lost = messages - sum(len(k.stored(room)) for room in rooms)
    doubled = sum(len(k.answers(room)) - len(set(k.answers(room))) for room in rooms)
    print("# %d messages, %d rooms, %d kills: %d came while no host was there, %d answers doubled"
          % (messages, len(rooms), kills, lost, doubled))
    tap.result(k.answered(), "each message that was stored has its answer")
    tap.result(all(list(dict.fromkeys(k.answers(room))) == k.stored(room) for room in rooms),
               "in order", [(k.answers(room), k.stored(room)) for room in rooms])


def talk(host, person, name, rooms):
    """A query, a channel, and lines that are long in bytes."""
    person.say("Andy", code_for(host, "main"))
    person.wait_for("PRIVMSG Alice :")
    for room in rooms:
        person.say(room, "andy: " + code_for(host, "g" + room[1:]))
        person.wait_for("PRIVMSG %s :" % room)
    person.say("ANDY", "remember real **bold** " + "\u20ac " * 80)
    person.wait_for("real \x02bold\x02")
    for number in range(4):
        person.say("Andy", "remember %d %s" % (number, "\u00fc " * 100))
        person.wait_for("Noted: %d" % number)
    begin = len(person.lines)
    person.say("Andy", "notes")
    person.wait_for("3 \u00fc", begin)
    texts = " ".join(text for _, text in person.heard("Alice"))
    tap.result(max(len(line.encode()) for line in person.lines) <= 510 and
               "\ufffd" not in texts and texts.count("\u00fc") == 800,
               "%s takes all lines, and none is cut" % name, texts.count("\u00fc"))
    begin = len(person.lines)
    person.send("KICK %s Andy :out" % rooms[0])
    person.wait_for(" JOIN :" + rooms[0], begin)
    person.say(rooms[0], "andy: remember kicked")
    person.wait_for("kicked", begin)
    tap.result("kicked by 'Alice': out" in "\n".join(host.log), "%s's kick is said" % name,
               host.log[-5:])


def test_real(nanoclaw, module, make, chats, messages, kills):
    name = module.__name__
    if not module.find():
        tap.skip(name, "it is not installed")
        return
    server, rooms = make(), ["#c%d" % number for number in range(chats)]
    host = Host(nanoclaw, settings(server.port, IRC_CHANNELS=",".join(rooms)))
    try:
        person = ngircd.Person(server.port, "Alice")
        for room in rooms:
            person.send("JOIN " + room)
            person.wait_for(" 366 Alice " + room)
        Kills(host, person, rooms).start()
        talk(host, person, name, rooms)
        if module is inspircd:
            tap.result(server.labels and server.acks, "its labeled responses are the receipts")
        test_kills(host, person, rooms, messages, kills)
        person.close()
    finally:
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in host.log[-40:]))
        host.close()
        server.close()


def main():
    nanoclaw = sys.argv[1]
    chats, messages, kills = map(int, sys.argv[2:5] or (3, 30, 3))
    test_scripted(nanoclaw)
    for test in (test_accounts, test_more, test_more_of_others, test_turns, test_outage):
        test(nanoclaw)
    test_plain_server(nanoclaw, "echo-message message-tags")
    test_plain_server(nanoclaw, "")
    test_real(nanoclaw, ngircd, ngircd.Ngircd, chats, messages, kills)
    test_real(nanoclaw, inspircd, inspircd.Inspircd, chats, messages, kills)
    if kills > 50:
        test_silence(nanoclaw)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
