"""mail.py NANOCLAW [CHATS MESSAGES KILLS]: the channel 'email' of a real host, in TAP: against the
scripted mail_server.py, and against Dovecot and OpenSMTPD where they are installed."""

import base64
import imaplib
import os
import random
import re
import ssl
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("net", "shipped"):
    sys.path.append(os.path.join(HERE, "../../../../tests", folder))

import real_servers
import tap
from certificates import make_authority, make_certificate
from host import Host
from mail_server import MailServer

MIA = "mia@example.org"
VERIFIED = "Authentication-Results: mx.example.org;\n dkim=pass; dmarc=pass (p=none)\n"
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489")


def settings(server, **more):
    return {"EMAIL_ADDRESS": "Andy@example.org", "EMAIL_USER": "andy@example.org",
            "EMAIL_PASSWORD": "secret", "EMAIL_PLAIN": "yes",
            "EMAIL_IMAP": "127.0.0.1:%d" % server.port(server.imap),
            "EMAIL_SMTP": "127.0.0.1:%d" % server.port(server.smtp),
            "EMAIL_ALLOW": MIA + ", @Friends.example", "EMAIL_VERIFIED_BY": "mx.example.org",
            **more}


def mail(text, sender=MIA, subject="", number=0, head="", verified=VERIFIED, references=""):
    head += "Subject: %s\n" % subject if subject else ""
    head += "References: %s\n" % references if references else ""
    head += "Message-ID: <%s@mail.example>\n" % number if number else ""
    return "%sFrom: Mia <%s>\nTo: andy@example.org\n%s\n%s\n" % (verified, sender, head, text)


class Setup:
    """A host and a mail server."""

    def __init__(self, nanoclaw, context=None, **more):
        self.server, self.seen = MailServer(context), {}
        self.host = Host(nanoclaw, settings(self.server, **more))

    def start(self):
        self.host.start()
        self.host.wait_for_line("channel 'email' is connected")

    def pair(self, folder="main", sender=MIA):
        _, output = self.host.run("channel", "pair", "email", "--folder", folder)
        code = next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)
        self.server.deliver(mail(code, sender, number="pair-" + folder))
        return self.answer(sender)

    def answer(self, sender=MIA):
        """The next mail to this address."""
        number = self.seen.get(sender, 0)
        self.server.wait_for(lambda: len(self.server.mails(sender)) > number)
        self.seen[sender] = number + 1
        return self.server.mails(sender)[number]

    def say(self, *words, **more):
        self.server.deliver(mail(*words, **more))
        return self.answer(more.get("sender", MIA))

    def close(self):
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in self.host.log[-40:]))
        self.host.close()
        self.server.close()


def plain_of(answer):
    return answer.get_body(("plain",)).get_content().strip()


def test_mails(s):
    s.server.deliver(mail("remember old", number=99))
    s.start()
    paired = s.pair()
    tap.result("belongs to" in plain_of(paired), "a code pairs a mailbox", paired)
    answer = s.say("**milk**\n.dot\n\n> quoted\n", subject="remember \u2713", number=1)
    tap.result(plain_of(answer).startswith("Noted: \u2713"), "a mail is answered, and its subject "
               "belongs to it",
               plain_of(answer))
    html = answer.get_body(("html",)).get_content()
    tap.result("<strong>milk</strong>" in html and "quoted" not in html,
               "the answer is text and HTML", html)
    tap.result(answer["Subject"] == "Re: remember \u2713" and answer["In-Reply-To"] ==
               "<1@mail.example>" and answer["References"] == "<1@mail.example>" and
               answer["Auto-Submitted"] == "auto-replied", "and in the thread of the mail",
               answer.items())
    reply = s.say("remember tea\n\nOn Monday, Andy wrote:\n> Noted: milk\n> more\n",
                  subject="Re: A note", number=2,
                  references="<1@mail.example> %s" % answer["Message-ID"])
    tap.result(plain_of(reply) == "Noted: tea" and reply["References"].split() ==
               ["<1@mail.example>", "<2@mail.example>"], "quoted text is cut, the thread goes on",
               (plain_of(reply), reply["References"]))
    rows = s.host.rows("SELECT chat_jid, sender_name, thread FROM messages WHERE id = ?",
                       "2@mail.example")
    tap.result(rows == [("email:" + MIA, "Mia", "1@mail.example")], "it is stored as a chat's", rows)
    tap.result(not [row for row in s.host.rows("SELECT content FROM messages")
                    if "old" in row[0]], "mails from before are not answered")
    s.server.wait_for(lambda: len(s.server.flags) >= 2)
    tap.result(5 not in s.server.flags, "mails that are stored are marked as read, others are not",
               s.server.flags)


def test_strangers(s):
    hidden = [
        mail("remember stranger", sender="eve@evil.example", number=11),
        mail("remember forged", number=12, verified=""),
        mail("remember spoofed", number=13, verified=VERIFIED.replace("dmarc=pass", "dmarc=fail")),
        mail("remember below", number=14,
             verified="Authentication-Results: evil.example; dmarc=pass\n" + VERIFIED),
        mail("remember prefix", number=15, verified=VERIFIED.replace("mx.example.org",
                                                                     "mx.example.org.evil")),
        mail("remember quoted", number=25, verified=VERIFIED.replace(
            "dmarc=pass", 'spf=pass smtp.mailfrom="x; dmarc=pass "@evil.example; dmarc=fail')),
        mail("remember comment", number=26, verified=VERIFIED.replace(
            "dmarc=pass", "spf=pass (of x; dmarc=pass y); dmarc=none")),
        mail("remember injected", number=27, verified=VERIFIED.replace(
            "dmarc=pass", "dmarc=fail (x); dmarc=pass")),
        mail("remember domain of another", number=28, verified=VERIFIED.replace(
            "(p=none)", "(p=none) header.from=evil.example")),
        mail("remember open", number=29, verified=VERIFIED.replace("(p=none)", "(p=none")),
        mail("remember twice", number=30, verified=VERIFIED + "From: eve@evil.example\n"),
        mail("remember robot", number=16, head="Auto-Submitted: auto-replied\n"),
        mail("remember list", number=17, head="List-Id: <l.example>\n"),
        mail("remember bounce", number=18, head="Return-Path: <>\n"),
        mail("remember myself", sender="andy@example.org", number=19),
        VERIFIED + "From: a@friends.example, %s\n\nremember two\n" % MIA,
        "no mail at all", "", "\n\n\n", b"\xff\xfe\0\0" * 100,
        VERIFIED + "From: %s\nContent-Type: multipart/mixed; boundary=x\n\n" % MIA,
        VERIFIED + "From: x@friends.example\n" + "Content-Type: multipart/mixed; boundary=x\n\n"
        + "--x\nContent-Type: multipart/mixed; boundary=x\n\n" * 3000,
    ]
    for text in hidden:
        s.server.deliver(text)
    tap.result(plain_of(s.say("remember friend", number=20)) == "Noted: friend",
               "after mails that are no use, the next one is answered")
    texts = [row[0] for row in s.host.rows("SELECT content FROM messages")]
    taken = [word for word in ("stranger", "forged", "spoofed", "below", "prefix", "robot", "list",
                               "bounce", "myself", "two", "quoted", "comment", "injected",
                               "domain of another", "open", "twice") if "remember " + word in texts]
    tap.result(not taken, "mails of strangers, programs and forgers are not taken", taken)
    tap.result("not verified" in "\n".join(s.host.log), "a sender that is not verified is logged")
    s.pair("friends", "bob@friends.example")
    tap.result(plain_of(s.say("@Andy remember domain", sender="bob@friends.example", number=21)) ==
               "Noted: domain", "a whole domain can be allowed")
    s.say("remember secret", subject="a secret plan", number=191)
    reply = s.say("@Andy remember curious", sender="bob@friends.example", number=192,
                  references="<191@mail.example>")
    again = s.say("remember more", number=193, references="<191@mail.example>")
    tap.result("secret" not in reply["Subject"] and again["In-Reply-To"] == "<193@mail.example>",
               "who names the thread of another person does not get into it",
               (reply["Subject"], again["In-Reply-To"]))


def test_bodies(s):
    html = ("<html><head><title>no</title><style>p {}</style></head><body><p>remember&nbsp;caf"
            "&eacute; &amp; &#x2713;</p><script>bad()</script></body></html>")
    answer = s.say(html, number=31, head="Content-Type: text/html; charset=utf-8\n")
    tap.result(plain_of(answer) == "Noted: caf\u00e9 & \u2713", "an HTML mail is read as text",
               plain_of(answer))
    s.server.deliver(mail("", number=32, head="Content-Type: text/plain; charset=iso-8859-1\n"
                          "Content-Transfer-Encoding: quoted-printable\n").encode()
                     .replace(b"\n\n\n", b"\n\nremember gr=FC=DFe\n").replace(b"\n", b"\r\n"))
    tap.result(plain_of(s.answer()) == "Noted: gr\u00fc\u00dfe", "other character sets are read")
    answer = s.say("remember\nx\n\n-----Original Message-----\nFrom: x\nsecret", number=33)
    tap.result("secret" not in plain_of(answer), "the original message is cut", plain_of(answer))
    answer = s.say("remember name\n-- \nMia, 555-1234", number=34)
    tap.result(plain_of(answer) == "Noted: name", "the signature is cut", plain_of(answer))
    body = ("--b\nContent-Type: text/plain\n\nremember picture\n--b\nContent-Type: image/png\n"
            "Content-Disposition: attachment; filename*=utf-8''caf%%C3%%A9.png\n"
            "Content-Transfer-Encoding: base64\n\n%s\n--b--\n" % base64.b64encode(PNG).decode())
    s.say(body, number=35, head="MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n")
    rows = s.host.rows("SELECT a.name, a.type, a.file FROM attachments a")
    tap.result([row[:2] for row in rows] == [("caf\u00e9.png", "image/png")] and
               s.host.read_file("data/media/main/" + rows[0][2]) == PNG,
               "an attachment is in the media store", rows)


def test_outgoing(s):
    s.host.write_file("groups/main/r\u00e9sum\u00e9.txt", b"line\n" * 1000)
    reply = s.host.request(op="send_file", group="main", path="r\u00e9sum\u00e9.txt", text="here")
    answer = s.answer()
    files = [(part.get_filename(), part.get_payload(decode=True))
             for part in answer.iter_attachments()]
    tap.result(files == [("r\u00e9sum\u00e9.txt", b"line\n" * 1000)], "a file is sent",
               (reply, files))
    tap.result(answer["Subject"].startswith("Message from") and not answer["References"],
               "a mail without a thread begins one", answer.items())


def test_faults(s):
    s.server.replies["RCPT"] = "450 try later"
    tap.result(plain_of(s.say("remember later", number=41)) == "Noted: later",
               "a mail that the server puts off is sent again")
    s.server.lose_after_data = 1
    s.say("remember once", number=42)
    s.say("remember next", number=43)
    ids = [answer["Message-ID"] for answer in s.server.mails(MIA)]
    tap.result(len(ids) == len(set(ids)), "a mail that was not confirmed is found among the sent", ids)
    s.server.files_sent = False
    s.server.lose_after_data = 1
    s.say("remember twice", number=44)
    again = s.answer()
    tap.result(plain_of(again) == "Noted: twice" and again["Message-ID"] ==
               s.server.mails(MIA)[-2]["Message-ID"],
               "where sent mails are not filed, it comes again with the same id")
    s.server.files_sent = True
    for _ in range(3):
        s.server.drop()
        s.server.deliver(mail("remember dropped", number=random.randrange(1000, 2000)))
        s.answer()
    tap.result(True, "a connection that breaks is made again")
    s.server.refused_fetches = 1
    s.server.deliver(mail("remember refused", number=48))
    s.server.deliver(mail("remember behind", number=49))
    texts = plain_of(s.answer())
    texts += plain_of(s.answer()) if "behind" not in texts else ""
    tap.result("refused" in texts, "a mail that the server refuses once is not lost", texts)
    s.host.kill()
    s.server.deliver(mail("remember down", number=45))
    s.start()
    tap.result(plain_of(s.answer()) == "Noted: down", "mails that came meanwhile are taken")
    stored = s.host.rows("SELECT count(*) FROM messages")
    s.server.renumber(without=(b"<99@", b"<pair-"))  # which are no messages of the chat
    s.server.drop()
    anew = plain_of(s.say("remember anew", number=46))
    count = s.host.rows("SELECT count(*) FROM messages")[0][0] - stored[0][0]
    tap.result(anew == "Noted: anew" and count == 1,
               "mails that are numbered anew are not taken twice", (anew, count))
    s.server.deliver(mail("remember large " + "x" * 70 + "\n" + ("y" * 70 + "\n") * 500000,
                          number=47))
    s.answer()
    text = s.host.rows("SELECT content FROM messages WHERE id = '47@mail.example'")[0][0]
    tap.result(text.startswith("remember large") and text.endswith("left out.]"),
               "of a mail that is too large the beginning is taken", text[-100:])


def test_settings(nanoclaw):
    server = MailServer()
    cases = [
        ({"EMAIL_ADDRESS": ""}, "EMAIL_ADDRESS is not set"),
        ({"EMAIL_ADDRESS": "andy"}, "EMAIL_ADDRESS must be an address"),
        ({"EMAIL_ALLOW": "mia"}, "EMAIL_ALLOW must be"),
        ({"EMAIL_IMAP": "a b"}, "EMAIL_IMAP must be"),
        ({"EMAIL_SMTP": "host:99999"}, "EMAIL_SMTP must be"),
        ({"EMAIL_VERIFIED_BY": ""}, "EMAIL_VERIFIED_BY is not set"),
        ({"EMAIL_PLAIN": "maybe"}, "EMAIL_PLAIN must be"),
        ({"EMAIL_IMAP": "mail.example.org"}, "EMAIL_PLAIN is for servers on this machine"),
        ({"EMAIL_PASSWORD": "wrong"}, "does not accept EMAIL_USER and EMAIL_PASSWORD"),
    ]
    host = Host(nanoclaw, settings(server))
    for changes, words in cases:
        host.configure(settings(server, **changes))
        host.start()
        line = host.wait_for_line("channel 'email' is down")
        tap.result(words in line and "secret" not in line, "said plainly: " + words, line)
        _, output = host.run("doctor")
        tap.result(words.split(" on this")[0] in output, "and by doctor", output)
        host.stop()
    host.configure(settings(server))
    host.start()
    host.wait_for_line("is connected")
    _, output = host.run("doctor")
    tap.result("accepts the login" in output, "doctor tries the login", output)
    logins = server.logins
    server.capabilities = "IMAP4rev1"
    tap.result(logins >= 2, "with one of its own")
    host.close()
    server.close()


def test_tls(nanoclaw):
    with tempfile.TemporaryDirectory() as folder:
        make_authority(folder, "authority")
        make_certificate(folder, "server", "authority", "IP:127.0.0.1")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder + "/server.pem", folder + "/server.key")
        s = Setup(nanoclaw, context, EMAIL_PLAIN="no", NANOCLAW_CA_FILE=folder + "/authority.pem")
        try:
            s.start()
            s.pair()
            tap.result(plain_of(s.say("remember tls", number=51)) == "Noted: tls",
                       "both connections have TLS")
        finally:
            s.close()
        s = Setup(nanoclaw, context, EMAIL_PLAIN="no", EMAIL_STARTTLS="yes", NANOCLAW_SEND_TRIES="1",
                  NANOCLAW_CA_FILE=folder + "/authority.pem")
        s.server.starttls = True
        try:
            s.start()
            s.pair()
            tap.result(plain_of(s.say("remember start", number=52)) == "Noted: start" and
                       s.server.auths == s.server.secure_auths > 0,
                       "with STARTTLS, the password comes after it", s.server.auths)
            auths = s.server.auths
            s.server.starttls = None
            s.server.deliver(mail("remember nothing", number=53))
            line = s.host.wait_for_line("could not be delivered")
            tap.result(s.server.auths == auths, "a server without it gets no password and no mail",
                       line)
        finally:
            s.close()
        s = Setup(nanoclaw, context, EMAIL_PLAIN="no")
        try:
            s.host.start()
            s.host.wait_for_line("the mailbox cannot be read")
            tap.result(s.server.logins == 0, "a server with an unknown certificate gets no password")
        finally:
            s.close()


def test_kills(nanoclaw, chats, messages, kills):
    """Every mail is answered, in order within its chat, with kills and broken connections."""
    s = Setup(nanoclaw)
    chance = random.Random(5)
    people = ["p%d@friends.example" % i for i in range(chats)]
    try:
        s.start()
        for i, person in enumerate(people):
            s.pair("g%d" % i, person)
        when = sorted(chance.sample(range(messages), min(kills, messages)))
        for number in range(messages):
            s.server.deliver(mail("@Andy remember n%d" % number, people[number % chats],
                                  number="k%d" % number))
            if number in when:
                fault = chance.randrange(3)
                if fault == 1:
                    s.server.drop()
                elif fault == 2:
                    s.server.lose_after_data = 1
                s.host.kill()
                s.start()

        def numbers(person=None):
            """A turn may answer several mails at once."""
            return [int(number) for answer in s.server.mails(person)
                    for number in re.findall(r"\bn(\d+)\b", plain_of(answer))]

        s.server.wait_for(lambda: set(numbers()) == set(range(messages)))
        tap.result(True, "%d mails, %d kills: every one is answered" % (messages, kills))
        ids = [answer["Message-ID"] for answer in s.server.mails()]
        tap.result(len(ids) == len(set(ids)), "none twice: sent mails are looked up",
                   len(ids) - len(set(ids)))
        wrong = [person for person in people if numbers(person) != sorted(numbers(person))]
        tap.result(not wrong, "in order within each chat", wrong)
    finally:
        s.close()


def test_real(nanoclaw):
    """Within the namespaces of real_servers.py: Dovecot, and OpenSMTPD, which relays to us."""
    relay = MailServer(smtp_port=real_servers.RELAY)
    real = real_servers.RealServers()
    host = Host(nanoclaw, {**settings(relay), "EMAIL_IMAP": "127.0.0.1:%d" % real_servers.IMAP,
                           "EMAIL_SMTP": "127.0.0.1:%d" % real_servers.SMTP})
    seen = 0

    def say(text, number, **more):
        nonlocal seen
        with imaplib.IMAP4("127.0.0.1", real_servers.IMAP) as client:
            client.login("andy@example.org", "secret")
            client.append("INBOX", None, None, mail(text, number=number, **more).encode())
        relay.wait_for(lambda: len(relay.received) > seen)
        seen += 1
        return relay.mails()[seen - 1]

    try:
        host.start()
        host.wait_for_line("channel 'email' is connected")
        _, output = host.run("channel", "pair", "email", "--folder", "main")
        code = next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)
        tap.result("belongs to" in plain_of(say(code, 1)), "Dovecot: a code pairs a mailbox")
        answer = say("remember real **bold** \u20ac\n.dot", 2, subject="")
        tap.result(plain_of(answer).startswith("Noted: real bold \u20ac") and
                   answer["In-Reply-To"] == "<2@mail.example>",
                   "OpenSMTPD takes the answer", answer.as_string())
        host.kill()
        with imaplib.IMAP4("127.0.0.1", real_servers.IMAP) as client:
            client.login("andy@example.org", "secret")
            client.append("INBOX", None, None, mail("remember down", number=3).encode())
        host.start()
        tap.result(plain_of(say("remember up", 4)) and relay.mails()[-1],
                   "mails are taken after a kill")
        with imaplib.IMAP4("127.0.0.1", real_servers.IMAP) as client:
            client.login("andy@example.org", "secret")
            client.select("INBOX", readonly=True)
            unseen = client.search(None, "UNSEEN")[1]
        tap.result(len(unseen[0].split()) <= 1, "Dovecot has them marked as read", unseen)
    finally:
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in host.log[-40:]))
        host.close()
        real.close()
        relay.close()
    return tap.end()


def run_real(nanoclaw):
    why = real_servers.why_not()
    if why:
        print("# Dovecot and OpenSMTPD are not tried: " + why)
        return
    done = subprocess.run([sys.executable, os.path.join(HERE, "real_servers.py"), sys.executable,
                           os.path.abspath(__file__), os.path.abspath(nanoclaw), "real"],
                          check=False, capture_output=True, text=True)
    tap.result(done.returncode == 0, "with Dovecot and OpenSMTPD, too", done.stdout + done.stderr)


def main():
    nanoclaw = sys.argv[1]
    if sys.argv[2:] == ["real"]:
        return test_real(nanoclaw)
    chats, messages, kills = map(int, sys.argv[2:5] or (3, 30, 3))
    s = Setup(nanoclaw)
    try:
        for test in (test_mails, test_strangers, test_bodies, test_outgoing, test_faults):
            test(s)
    finally:
        s.close()
    test_settings(nanoclaw)
    test_tls(nanoclaw)
    test_kills(nanoclaw, chats, messages, kills)
    run_real(nanoclaw)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
