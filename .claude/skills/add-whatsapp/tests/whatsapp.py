"""whatsapp.py NANOCLAW [CHATS MESSAGES KILLS [SECONDS]]: the bridge 'whatsapp' of a real host, in TAP,
against the WhatsApp of whatsapp_server.mjs. At last the host and the bridge are killed so many times
while people write, and for so many seconds the network breaks."""

import base64
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time

import whatsapp_peers
from whatsapp_peers import ALICE, BOB, FAMILY, ME, node, read_all, read_until, Setup, text_of

import tap
from fault_proxy import FaultProxy

STREAM_ERRORS = {
    "440": {"tag": "stream:error", "attrs": {},
            "content": [{"tag": "conflict", "attrs": {"type": "replaced"}}]},
    "515": {"tag": "stream:error", "attrs": {"code": "515"}},
    "503": {"tag": "stream:error", "attrs": {"code": "503"}},
    "500": {"tag": "stream:error", "attrs": {}, "content": [{"tag": "bad", "attrs": {}}]},
    "401": {"tag": "stream:error", "attrs": {"code": "401"},
            "content": [{"tag": "conflict", "attrs": {"type": "device_removed"}}]},
}
QR_OF_SESSION = """
import { buildPairingQRData, Browsers } from "baileys";
import qrcode from "qrcode-terminal";
const { creds } = JSON.parse(process.argv[1]);
const qr = buildPairingQRData("ref-one", creds.noise, creds.identity, creds.secret, Browsers.ubuntu("NanoClaw"));
qrcode.generate(qr, { small: true }, (picture) => process.stdout.write(JSON.stringify({ qr, picture })));
"""


def session_of(s, name):
    """The credentials in a session's log."""
    creds = None
    for line in s.host.read_file("data/whatsapp/" + name).decode().splitlines():
        creds = next((value for kind, _, value in json.loads(line[17:]) if kind == "creds"), creds)
    return creds


def test_store(s):
    code, output = s.server.run_script("store_cuts.mjs")
    tap.result(code == 0, "a session that was cut off at any byte has all of a change or nothing", output)


def test_pairing(s):
    code, output = s.host.run("channel", "login", "whatsapp")
    tap.result(code == 1 and "only shown on a terminal" in output,
               "without a terminal no code is shown", output)
    s.host.start()
    line = s.host.wait_for_line("channel 'whatsapp' is disconnected: not paired")
    tap.result("nanoclaw channel login whatsapp" in line, "without a session the bridge says what to do", line)
    process, screen = s.login()
    shown = read_until(screen, "scan this")
    creds = session_of(s, "pairing")
    done = subprocess.run([node(), "--input-type=module", "-e", QR_OF_SESSION, json.dumps({"creds": {
        "noise": creds["noiseKey"]["public"]["data"], "secret": creds["advSecretKey"],
        "identity": creds["signedIdentityKey"]["public"]["data"]}})],
        cwd=s.server.folder.name, capture_output=True, text=True, check=True)
    wanted = json.loads(done.stdout)
    picture = re.sub("\x1b\\[[0-9;]*[A-Za-z]", "", shown.replace("\r", ""))
    tap.result(wanted["picture"] in picture, "'channel login' shows the QR code on the terminal", picture)
    s.server.do("scan", qr=wanted["qr"])
    shown = read_all(screen)
    tap.result(process.wait() == 0 and "Paired with +" + ME in shown, "a phone that scans it is paired", shown)
    s.host.wait_for_line("channel 'whatsapp' is connected")
    tap.result(True, "the bridge takes the session without a restart")
    modes = [oct(os.stat(os.path.join(s.host.root, name)).st_mode & 0o777)
             for name in ("data/whatsapp", "data/whatsapp/session")]
    tap.result(modes == ["0o700", "0o600"], "the session is for its owner alone", modes)
    _, output = s.host.run("channel", "login", "whatsapp")
    tap.result("already paired with +" + ME in output, "who is paired is not asked again", output)
    s.server.say(s.code_for("main"))
    tap.result("group 'main'" in text_of(s.server.wait_for_text("belongs to")["message"]),
               "a code pairs a chat with a group")


def stored(s, columns, text):
    return s.host.rows("SELECT %s FROM messages WHERE content = ?" % columns, text)


def test_messages(s):
    number = s.server.say("remember milk")
    sent = s.server.wait_for_text("Noted: milk")
    tap.result(sent["to"] == ALICE and re.fullmatch("3EB0[0-9A-F]{18}", sent["id"]),
               "a message is answered", sent)
    row = stored(s, "id, sender, sender_name, chat_jid, is_from_me", "remember milk")
    tap.result(row == [(number, ALICE, "Alice", ALICE, 0)], "and stored with its sender", row)
    s.server.say("remember **bold** _it_ `x`")
    text = text_of(s.server.wait_for_text("bold")["message"])
    tap.result(text == "Noted: *bold* _it_ `x`", "Markdown becomes WhatsApp's", text)
    s.server.say({"locationMessage": {"degreesLatitude": 52.5, "degreesLongitude": 13.4, "name": "Home"}})
    s.server.say({"contactMessage": {"displayName": "Bob", "vcard": "BEGIN:VCARD\nTEL;waid=1:+49 152\nEND:VCARD"}})
    s.server.say({"pollCreationMessageV3": {"name": "When?", "options": [{"optionName": "now"}, {"optionName": "never"}]}})
    s.server.say({"ephemeralMessage": {"message": {"extendedTextMessage": {"text": "remember wrapped"}}}})
    s.server.wait_for_text("wrapped")
    rows = [row[0] for row in s.host.rows("SELECT content FROM messages")]
    tap.result({"[location: Home; 52.5, 13.4]", "[contact: Bob; +49 152]", "[poll: When?: now / never]"} <= set(rows),
               "places, contacts and polls are texts; disappearing messages are read", rows)
    s.server.say({"protocolMessage": {"type": 0, "key": {"id": number, "remoteJid": ALICE}}})
    s.server.say({"reactionMessage": {"key": {"id": number, "remoteJid": ALICE, "fromMe": False}, "text": "\U0001f44d"}})
    s.server.say({"editedMessage": {"message": {"protocolMessage": {"type": 14, "key": {"id": number},
                 "editedMessage": {"conversation": "remember oat milk"}}}}})
    s.server.wait_for_text("oat milk")
    row = s.host.rows("SELECT reference, refers_to FROM messages WHERE content = '\U0001f44d'")
    tap.result(row == [("reaction", number)], "a reaction refers to its message", row)
    row = stored(s, "reference, refers_to", "remember oat milk")
    tap.result(row == [("edit", number)], "and so does an edit", row)
    s.server.say("remember own words", sender=ME + "@s.whatsapp.net", chat=ALICE)
    s.server.wait_for_text("own words")
    row = stored(s, "is_from_me, sender, chat_jid", "remember own words")
    tap.result(row == [(1, ME + "@s.whatsapp.net", ALICE)], "the owner writes on the phone in the same chat", row)


def test_lids(s):
    s.server.do("hide", lid="777", jid=BOB)
    s.server.say(s.code_for("bob"), sender="777@lid")
    s.server.wait_for_text("belongs to", to="777@lid")
    s.server.say("remember the number", sender="777@lid", attrs={"sender_pn": BOB})
    sent = s.server.wait_for_text("the number")
    tap.result(sent["to"] == BOB, "a chat whose number becomes known keeps its group", sent)


def test_groups(s):
    s.server.do("group", jid=FAMILY, subject="Family", members=[ALICE, BOB])
    s.server.say("@Andy " + s.code_for("family"), chat=FAMILY)
    sent = s.server.wait_for_text("belongs to", to=FAMILY)
    tap.result(sent["message"], "a group is paired, and its members can read the answer", sent)
    tap.result(s.host.rows("SELECT name FROM chats WHERE jid = ?", FAMILY) == [("Family",)], "its name is known")
    s.server.say("remember nobody", chat=FAMILY)
    me = {"contextInfo": {"mentionedJid": [ME + "@s.whatsapp.net"]}}
    hidden = {"contextInfo": {"mentionedJid": ["990000001@lid"]}}
    s.server.say({"extendedTextMessage": {"text": "@%s remember mention" % ME, **me}}, chat=FAMILY)
    sent = s.server.wait_for_text("Noted: mention", to=FAMILY)
    quoted = sent["message"]["extendedTextMessage"].get("contextInfo", {})
    tap.result(quoted.get("participant") == ALICE and "mention" in quoted["quotedMessage"]["conversation"],
               "a mention is answered, as a reply to it", quoted)
    s.server.say({"extendedTextMessage": {"text": "@990000001 remember hidden", **hidden}}, BOB, chat=FAMILY)
    s.server.wait_for_text("Noted: hidden", to=FAMILY)
    s.server.say({"extendedTextMessage": {"text": "remember reply", "contextInfo": {
        "stanzaId": sent["id"], "participant": ME + "@s.whatsapp.net",
        "quotedMessage": {"conversation": "x"}}}}, BOB, chat=FAMILY)
    s.server.wait_for_text("Noted: reply", to=FAMILY)
    rows = s.host.rows("SELECT content, wants_answer FROM messages WHERE chat_jid = ?", FAMILY)
    tap.result(("remember mention", 1) in rows and ("remember hidden", 1) in rows and
               ("remember reply", 1) in rows and ("remember nobody", 0) in rows,
               "mentions of both kinds and replies to us want an answer, other texts do not", rows)
    s.host.request(op="send_message", group="family", text="hello @%s" % BOB.split("@")[0])
    sent = s.server.wait_for_text("hello @", to=FAMILY)
    tap.result(sent["message"]["extendedTextMessage"]["contextInfo"]["mentionedJid"] == [BOB],
               "an agent mentions somebody by the number", sent)
    number = s.server.say("@Andy remember thumbs", chat=FAMILY)
    s.server.wait_for_text("thumbs", to=FAMILY)
    start = len(s.server.events)
    s.host.stop()
    with sqlite3.connect(os.path.join(s.host.root, "store/nanoclaw.db")) as store:
        store.execute("INSERT INTO outbox (key, group_folder, chat_jid, kind, part, parts, content, "
                      "created_at, action, target) SELECT 'react', group_folder, chat_jid, kind, 1, 1, "
                      "'\U0001f44d', created_at, 'react', ? FROM outbox WHERE chat_jid = ? LIMIT 1", (number, FAMILY))
    s.start()
    sent = s.server.wait_for("sent", start)
    key = (sent["message"] or {}).get("reactionMessage", {}).get("key", {})
    tap.result(key.get("id") == number and key.get("participant") == ALICE and not key.get("fromMe"),
               "an agent reacts to a message of a group", sent)


def test_files(s):
    picture = bytes(range(256)) * 300
    uploaded = s.server.do("upload", data=base64.b64encode(picture).decode(), kind="image")[0]["fields"]
    s.server.say({"imageMessage": {**uploaded, "mimetype": "image/jpeg", "caption": "remember picture"}})
    s.server.wait_for_text("picture")
    row = s.host.rows("SELECT kind, type, state, file FROM attachments")[-1]
    tap.result(row[:3] == ("image", "image/jpeg", "stored") and
               s.host.read_file("data/media/main/" + row[3]) == picture, "a picture is there with its message", row)
    uploaded = s.server.do("upload", data=base64.b64encode(b"OggS").decode(), kind="audio")[0]["fields"]
    s.server.say({"audioMessage": {**uploaded, "mimetype": "audio/ogg; codecs=opus", "ptt": True}})
    s.server.say({"documentMessage": {**uploaded, "url": uploaded["url"] + "9", "fileName": "gone.pdf"}})
    s.server.say({"documentMessage": {**uploaded, "fileLength": 10 ** 9, "fileName": "huge.pdf"}})
    s.server.say("remember files")
    s.server.wait_for_text("Noted: files")
    rows = s.host.rows("SELECT kind, name, type, state FROM attachments")[-3:]
    tap.result(rows[0] == ("voice", None, "audio/ogg", "stored"), "so is a voice message", rows)
    tap.result([row[1] for row in rows[1:]] == ["gone.pdf", "huge.pdf"] and "stored" not in
               [row[3] for row in rows[1:]], "a file that cannot be had, or is too large, is only named", rows)
    incoming = os.path.join(s.host.root, "data/media/.incoming/whatsapp")
    tap.result(not os.listdir(incoming), "nothing is left over", os.listdir(incoming))
    for name, content, kind in (("cat.jpg", picture, "image"), ("cat.txt", b"meow", "document")):
        s.host.write_file("groups/main/" + name, content)
        start = len(s.server.events)
        s.host.request(op="send_file", group="main", path=name, text="a *%s*" % kind)
        sent = s.server.wait_for("sent", start)["message"]
        fields = sent.get(kind + "Message", {})
        data = s.server.do("download", fields=fields, kind=kind)[0].get("data", "")
        tap.result(base64.b64decode(data) == content and fields.get("caption") == "a _%s_" % kind,
                   "an agent sends '%s', with a text" % name, fields)


def test_edits(s):
    s.server.say("remember hedgehogs")
    first = s.server.wait_for_text("Noted: hedgehogs")
    s.wait_until_sent()
    start = len(s.server.events)
    s.host.request(op="edit_message", group="main", text="it is *edited*")
    sent = s.server.wait_for("sent", start)
    tap.result(sent["edit"] == "1" and text_of(sent["message"]) == "it is _edited_" and
               first["id"] in json.dumps(sent["message"]), "an agent changes its last text", sent)


def test_receipts(s):
    s.server.do("acks", how="none")
    s.server.say("remember silence")
    first = s.server.wait_for_text("silence")
    time_to_look = s.host.rows("SELECT count(*) FROM outbox WHERE state = 'waiting'")
    tap.result(time_to_look == [(1,)], "what WhatsApp has not acknowledged is not sent", time_to_look)
    s.server.do("acks", how="all")
    s.server.do("end", node=None)
    again = s.server.wait_for("sent", id=first["id"], again=True)
    tap.result(text_of(again["message"]) == text_of(first["message"]), "it is sent again, as the same message", again)
    s.server.do("acks", how="cut")
    s.server.say("remember cut")
    s.server.wait_for_text("cut")
    s.server.wait_until(lambda: [event for event in s.server.find("sent", again=True) if "cut" in text_of(event["message"])])
    tap.result(True, "also if the connection ends before the acknowledgement")
    s.server.say("remember asking")
    asked = s.server.wait_for_text("asking")
    s.server.say("remember quiet")
    s.server.wait_for_text("quiet")
    start = len(s.server.events)
    os.kill(bridge_pid(s), signal.SIGKILL)
    s.server.wait_for("open", start)
    start = len(s.server.events)
    s.server.do("retry", id=asked["id"], **{"from": ALICE})
    sent = s.server.wait_for("sent", start, id=asked["id"])
    tap.result("asking" in text_of(sent["message"]), "a phone that could not read a text gets it again, after a restart too", sent)


def test_refusals(s):
    s.server.do("acks", how="463")
    s.host.request(op="send_message", group="family", text="to strangers")
    sent = s.server.wait_for_text("does not let this account write")
    tap.result(sent["to"] == ALICE, "the owner learns of a text that WhatsApp refuses", sent)
    tap.result(len(s.server.find("sent", to=FAMILY)) == len({event["id"] for event in s.server.find("sent", to=FAMILY)}),
               "and it is not tried again")


def bridge_pid(s):
    """The process of the bridge that belongs to this host."""
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % name, encoding="utf-8") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            with open("/proc/%s/cmdline" % name, encoding="utf-8") as file:
                if parent == s.host.process.pid and "bridges/whatsapp/" in file.read():
                    return int(name)
        except (OSError, IndexError, ValueError):
            pass
    raise AssertionError("no bridge")


def test_offline(s):
    s.host.stop()
    for number in range(5):
        s.server.say("remember offline%d" % number)
    s.start()
    s.server.wait_for_text("offline4")
    words = " ".join(text for _, _, text in s.server.sent())
    tap.result(all(words.count("offline%d" % number) == 1 for number in range(5)),
               "what people wrote meanwhile is answered, once", words)


def test_states(s):
    s.host.stop()
    s.start()
    for code, words in (("503", "not available"), ("515", "wants a new connection"),
                        ("500", "refuses the session")):
        s.server.do("end", node=STREAM_ERRORS[code])
        line = s.host.wait_for_line("channel 'whatsapp' is disconnected")
        tap.result(words in line, "%s: %s" % (code, words), line)
        s.host.wait_for_line("channel 'whatsapp' is connected")
    s.server.do("end", node=STREAM_ERRORS["440"])
    line = s.host.wait_for_line("channel 'whatsapp' is disconnected")
    tap.result("another program uses this session" in line, "440: another program uses this session", line)
    for code, words in (("405", "refuses version"), ("403", "locked this account")):
        s.host.stop()
        s.server.do("refuse", code=int(code))
        start = len(s.server.events)
        s.host.start()
        line = s.host.wait_for_line("channel 'whatsapp' is disconnected: W")
        tap.result(words in line and "nanoclaw restart" in line, "%s: %s" % (code, words), line)
        time.sleep(1)  # for a loop, if there is one
        tap.result(len(s.server.find("login", start)) == 1, "and it is not tried again at once")
    code, output = s.host.run("doctor")
    tap.result("locked this account" in output, "doctor says it, too", output)
    s.host.stop()
    s.server.do("refuse", code=None)
    s.host.configure({**s.settings, "WHATSAPP_VERSION": "2.3000.99", "WHATSAPP_NAME": "Andy"})
    start = s.start()
    tap.result(s.server.wait_for("login", start)["version"] == "2.3000.99", "the version is a setting")
    s.server.say("remember names")
    text = text_of(s.server.wait_for_text("names")["message"])
    tap.result(text == "*Andy:* Noted: names", "so is the name that texts begin with", text)


def test_logout(s):
    s.server.do("end", node=STREAM_ERRORS["401"])
    s.server.do("forget")
    line = s.host.wait_for_line("channel 'whatsapp' is disconnected")
    tap.result("logged out" in line and "channel login" in line, "401: logged out, and what to do", line)
    s.host.stop()
    start = len(s.server.events)
    s.host.start()
    s.host.wait_for_line("channel 'whatsapp' is disconnected: logged out")
    tap.result(not s.server.find("login", start), "a restart does not try it again")
    code, shown = s.pair()
    tap.result(code == 0 and "Paired with" in shown, "the phone is paired again, by a code", shown)
    s.host.wait_for_line("channel 'whatsapp' is connected")
    s.server.say("remember the return", number="3B000001")
    tap.result(s.server.wait_for_text("the return"), "and the chats are as before")


def test_secrets(s):
    creds = session_of(s, "session")
    secrets = [creds[name]["private"]["data"] for name in ("noiseKey", "signedIdentityKey")]
    found = [line for line in s.host.log if any(secret in line for secret in secrets) or "privKey" in line]
    tap.result(not found, "no line of the log has a key", found[:1])


def test_check(s):
    if s.host.run("help", "channel", "check")[0] != 0:
        tap.skip("'channel check' finds that the bridge follows the protocol",
                 "the skill 'bridge-tools' is not applied")
        return
    s.host.stop()
    s.server.say("hello check")
    code, output = s.host.run("channel", "check", "whatsapp", "--chat", ALICE, "--wait", "30")
    tap.result(code == 0, "'channel check' finds that the bridge follows the protocol", output)
    texts = [event for event in s.server.find("sent", again=False) if not event["edit"] and
             "extendedTextMessage" in (event["message"] or {}) and
             "channel check" in text_of(event["message"])]
    tap.result(len(texts) == 2, "and people saw each of its texts once", texts)
    s.start()


def test_faults(s, kinds):
    faults = FaultProxy("127.0.0.1", s.server.port)
    s.host.stop()
    s.host.configure({**s.settings, "WHATSAPP_URL": "ws://127.0.0.1:%d/ws/chat" % faults.port})
    start = s.start()
    for number, fault in enumerate(kinds):
        faults.command(fault)
        s.server.say("remember fault%d." % number)
        s.server.wait_for_text("fault%d." % number)
    words = " ".join(text for _, _, text in s.server.sent())
    tap.result(all(words.count("fault%d." % number) == 1 for number in range(len(kinds))),
               "with a network that delays, cuts and breaks, each message is answered once", words)
    asked = s.server.find("receipt", start, type="retry")
    tap.result(not asked, "and nobody is asked to send a message again", asked)
    s.host.stop()
    s.host.configure(s.settings)
    s.start()


def test_kills(s, chats, messages, kills):
    """Everybody writes; the host and the bridge are killed again and again."""
    people = ["49160000%04d@s.whatsapp.net" % number for number in range(chats)]
    for number, person in enumerate(people):
        s.server.say(s.code_for("p%d" % number), sender=person)
        s.server.wait_for_text("belongs to", to=person)
    chance = random.Random(1)
    wanted = {person: [] for person in people}

    def answered(person=None):
        return [word for _, to, text in s.server.sent() if person in (None, to)
                for word in re.findall(r"\bm[0-9]+\b", text)]

    for number in range(messages):
        person = chance.choice(people)
        s.server.say("remember m%d" % number, sender=person)
        wanted[person].append("m%d" % number)
        if number % max(1, messages // kills) == 0:
            # At any point of its work, and sometimes of its start.
            time.sleep(chance.random() * chance.choice((0.02, 0.3, 2)))
            if chance.random() < 0.5:
                s.host.kill()
                s.host.start()
            else:
                try:
                    os.kill(bridge_pid(s), signal.SIGKILL)
                except AssertionError:
                    pass  # it is not started yet
    s.server.wait_until(lambda: len(set(answered())) >= messages)
    s.server.say("remember the end", sender=people[0])
    s.server.wait_for_text("the end", to=people[0])
    words = answered()
    lost = messages - len(set(words))
    doubled = len(words) - len(set(words))
    disordered = sum(list(dict.fromkeys(answered(person))) != wanted[person] for person in people)
    resent = len(s.server.find("sent", again=True))
    print("# %d messages, %d chats, %d kills: %d lost, %d doubled, %d sent again under their ids" %
          (messages, chats, kills, lost, doubled, resent))
    tap.result(lost == 0, "no message stays without an answer")
    tap.result(doubled == 0, "and none is answered twice", [word for word in words if words.count(word) > 1])
    tap.result(disordered == 0, "each chat has its answers in order")
    tap.result(not s.server.find("unreadable"), "people can read everything", s.server.find("unreadable"))


def test_soak(s, seconds):
    """Connections come and go; a frozen one is noticed."""
    faults = FaultProxy("127.0.0.1", s.server.port)
    s.host.stop()
    s.host.configure({**s.settings, "WHATSAPP_URL": "ws://127.0.0.1:%d/ws/chat" % faults.port})
    s.start()
    faults.command("freeze")
    s.server.say("remember ice")
    tap.result(s.server.wait_for_text("ice"), "a connection that is frozen is noticed")
    begin, rounds, memory = time.monotonic(), 0, []
    while time.monotonic() - begin < seconds:
        rounds += 1
        faults.command("break")
        s.server.say("remember s%d." % rounds)
        s.server.wait_for_text("s%d." % rounds)
        with open("/proc/%d/status" % bridge_pid(s), encoding="utf-8") as file:
            memory.append(next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")))
    early, late = memory[len(memory) // 4], memory[-1]
    size = os.stat(os.path.join(s.host.root, "data/whatsapp/session")).st_size
    print("# %d reconnections: the bridge has %d KB, then %d KB; the session %d KB" %
          (rounds, early, late, size // 1024))
    tap.result(late < early * 1.3 + 20000, "reconnections cost no memory", memory)


def main():
    if not whatsapp_peers.has_modules():
        tap.skip_all("the libraries of the bridge are not installed")
    size = tuple(map(int, sys.argv[2:5])) or (2, 16, 3)
    s = Setup(sys.argv[1])
    tests = [test_store, test_pairing, test_messages, test_lids, test_groups, test_files, test_edits, test_receipts,
             test_refusals, test_offline, test_states, test_logout, test_secrets, test_check,
             lambda s: test_faults(s, ("delay 300", "cut 20", "drop", "reset", "break")),
             lambda s: test_kills(s, *size)]
    if sys.argv[5:]:
        tests.append(lambda s: test_soak(s, int(sys.argv[5])))
    try:
        for test in tests:
            test(s)
    finally:
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in s.host.log[-40:]))
        s.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
