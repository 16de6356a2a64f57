"""A mail server on loopback for one mailbox: IMAP and SMTP, which fails on command."""

import base64
import email
import email.policy
import re
import socketserver
import ssl
import threading

PATIENCE = 300


class MailServer:
    def __init__(self, context=None, smtp_port=0):
        self.lock = threading.Condition()
        self.inbox, self.sent, self.received = {}, [], []
        self.validity, self.next_uid = 7, 5
        self.files_sent = True  # what goes out by SMTP is in the folder of sent mails
        self.password = "secret"
        self.capabilities = "IMAP4rev1 IDLE"
        self.replies = {}  # of SMTP, by command, once: ("RCPT", "450 later")
        self.refused_fetches = 0  # of whole mails
        self.lose_after_data = 0  # mails that are taken and not confirmed
        self.auths = self.secure_auths = 0
        self.connections, self.logins, self.commands, self.flags = set(), 0, [], []
        self.context, self.has_auth = context, not smtp_port
        self.starttls = False  # SMTP begins plain; None: and has no STARTTLS
        self.imap = self.serve(self.talk_imap, 0)
        self.smtp = self.serve(self.talk_smtp, smtp_port)

    # --- plumbing

    def serve(self, talk, port):
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                try:
                    sock = (outer.context.wrap_socket(self.request, server_side=True)
                            if outer.context and (talk != outer.talk_smtp or
                                                  outer.starttls is False) else self.request)
                    with outer.lock:
                        outer.connections.add(sock)
                    talk(sock, sock.makefile("rb"))
                except (OSError, ValueError):
                    pass

        server = socketserver.ThreadingTCPServer(("127.0.0.1", port), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def port(self, server):
        return server.server_address[1]

    def drop(self):
        """All connections, at once."""
        with self.lock:
            for sock in self.connections:
                try:
                    sock.shutdown(2)
                except OSError:
                    pass
            self.connections.clear()

    def wait_for(self, test):
        with self.lock:
            if not self.lock.wait_for(test, PATIENCE):
                raise AssertionError("it did not happen; received: %r" % self.received[-3:])

    def close(self):
        self.drop()
        for server in (self.imap, self.smtp):
            server.shutdown()
            server.server_close()

    # --- mails

    def deliver(self, mail):
        """A mail (text with \\n, or bytes) arrives in the mailbox."""
        if isinstance(mail, str):
            mail = mail.replace("\n", "\r\n").encode()
        with self.lock:
            uid, self.next_uid = self.next_uid, self.next_uid + 1
            self.inbox[uid] = mail
            self.lock.notify_all()
        return uid

    def renumber(self, without):
        with self.lock:
            self.validity += 1
            mails = [mail for mail in self.inbox.values()
                     if not any(word in mail for word in without)]
            self.inbox = {}
            self.next_uid = 1
            for mail in mails:
                self.inbox[self.next_uid] = mail
                self.next_uid += 1

    def mails(self, to=None):
        parsed = [email.message_from_bytes(mail, policy=email.policy.default)
                  for _, mail in self.received]
        return [mail for mail, (address, _) in zip(parsed, self.received)
                if not to or address == to]

    # --- IMAP

    def talk_imap(self, sock, file):
        def say(text):
            sock.sendall(text.encode() + b"\r\n")

        say("* OK ready")
        told = 0  # the client knows of the mails below this number
        while True:
            line = file.readline()
            if not line:
                return
            tag, _, command = line.decode().rstrip("\r\n").partition(" ")
            word = command.upper()
            with self.lock:
                self.commands.append(command)
            if word == "CAPABILITY":
                say("* CAPABILITY " + self.capabilities)
                say(tag + " OK done")
            elif word.startswith("AUTHENTICATE PLAIN"):
                say("+ ")
                _, user, password = base64.b64decode(file.readline()).split(b"\0")
                if password.decode() != self.password or user != b"andy@example.org":
                    say(tag + " NO [AUTHENTICATIONFAILED] invalid credentials")
                    continue
                with self.lock:
                    self.logins += 1
                say(tag + " OK logged in")
            elif word.startswith("SELECT") or word.startswith("EXAMINE"):
                with self.lock:
                    told = self.next_uid
                    say("* %d EXISTS" % len(self.inbox))
                    say("* OK [UIDVALIDITY %d] valid" % self.validity)
                    say("* OK [UIDNEXT %d] next" % self.next_uid)
                say(tag + " OK [READ-WRITE] selected")
            elif word.startswith("LIST"):
                say('* LIST (\\HasNoChildren) "/" INBOX')
                if self.files_sent:
                    say('* LIST (\\HasNoChildren \\Sent) "/" "My sent mails"')
                say(tag + " OK listed")
            elif word.startswith("UID SEARCH HEADER"):
                wanted = command.split('"')[1].encode()
                with self.lock:
                    found = [str(i + 1) for i, mail in enumerate(self.sent) if wanted in mail]
                say(("* SEARCH " + " ".join(found)).rstrip())
                say(tag + " OK searched")
            elif word.startswith("UID SEARCH SINCE"):
                with self.lock:
                    say("* SEARCH " + " ".join(map(str, sorted(self.inbox))))
                say(tag + " OK searched")
            elif word.startswith("UID FETCH"):
                self.fetch(sock, say, tag, command)
            elif word.startswith("UID STORE"):
                with self.lock:
                    self.flags.append(int(word.split()[2]))
                say(tag + " OK stored")
            elif word == "IDLE":
                say("+ idling")
                told = self.idle(file, say, told)
                say(tag + " OK done")
            else:
                say(tag + " BAD what is that?")

    def fetch(self, sock, say, tag, command):
        asked = re.match(r"UID FETCH (\d+)(:\*)? \((.*)\)", command)
        first, is_range, items = int(asked[1]), asked[2], asked[3]
        with self.lock:
            refuse = "BODY" in items and self.refused_fetches > 0
            self.refused_fetches -= refuse
        if refuse:
            say(tag + " NO [UNAVAILABLE] not now")
            return
        with self.lock:
            uids = [uid for uid in sorted(self.inbox) if uid >= first or
                    uid == max(self.inbox)] if is_range else [first]
            mails = [(uid, self.inbox.get(uid)) for uid in uids]
        for number, (uid, mail) in enumerate(mails, 1):
            if mail is None:
                continue
            if "RFC822.SIZE" in items:
                say("* %d FETCH (UID %d RFC822.SIZE %d)" % (number, uid, len(mail)))
                continue
            cut = re.search(r"<0\.(\d+)>", items)
            mail = mail[:int(cut[1])] if cut else mail
            sock.sendall(b"* %d FETCH (UID %d BODY[] {%d}\r\n%s)\r\n" %
                         (number, uid, len(mail), mail))
        say(tag + " OK fetched")

    def idle(self, file, say, told):
        ended = threading.Event()

        def tell():
            nonlocal told
            while True:
                with self.lock:
                    self.lock.wait_for(lambda: self.next_uid > told or ended.is_set())
                    if ended.is_set():
                        return
                    count, told = len(self.inbox), self.next_uid
                try:
                    say("* %d EXISTS" % count)
                except OSError:
                    return

        teller = threading.Thread(target=tell, daemon=True)
        teller.start()
        file.readline()  # DONE
        with self.lock:
            ended.set()
            self.lock.notify_all()
        teller.join()
        return told

    # --- SMTP

    def talk_smtp(self, sock, file):
        def say(text):
            sock.sendall(text.encode() + b"\r\n")

        say("220 ready")
        to = None
        while True:
            line = file.readline().decode().rstrip("\r\n")
            if not line:
                return
            word = line.split()[0].upper()
            with self.lock:
                planned = self.replies.pop(word, None)
            if planned:
                say(planned)
            elif word == "EHLO":
                say("250-hello")
                if self.starttls and not isinstance(sock, ssl.SSLSocket):
                    say("250-STARTTLS")
                elif self.has_auth:
                    say("250-AUTH PLAIN")
                say("250-SIZE 50000000")
                say("250")  # a text behind the number may be missing
            elif word == "STARTTLS":
                say("220 go ahead")
                sock = self.context.wrap_socket(sock, server_side=True)
                file = sock.makefile("rb")
            elif word == "AUTH":
                self.secure_auths += isinstance(sock, ssl.SSLSocket)
                self.auths += 1
                good = base64.b64decode(line.split()[2]).split(b"\0")[2].decode() == self.password
                say("235 welcome" if good else "535 wrong password")
            elif word == "MAIL":
                say("250 fine")
            elif word == "RCPT":
                to = re.search("<(.*)>", line)[1]
                say("250 fine")
            elif word == "DATA":
                say("354 go on")
                mail = self.read_mail(file)
                with self.lock:
                    self.received.append((to, mail))
                    if self.files_sent:
                        self.sent.append(mail)
                    lose = self.lose_after_data > 0
                    self.lose_after_data -= lose
                    self.lock.notify_all()
                if lose:
                    sock.shutdown(2)
                    return
                say("250 taken")
            elif word == "QUIT":
                say("221 bye")
                return
            else:
                say("502 what is that?")

    def read_mail(self, file):
        lines = []
        while True:
            line = file.readline()
            if not line.endswith(b"\r\n"):
                raise ValueError("the mail breaks off, or has a bare line end")
            if line == b".\r\n":
                return b"".join(lines)
            if len(line) > 1000:
                raise ValueError("a line is too long")
            lines.append(line[1:] if line.startswith(b".") else line)
