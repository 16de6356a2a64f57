"""A real ngircd on a loopback port that the test holds, and people who talk there."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading

CONFIGURATION = """
[Global]
Name = irc.example.org
Info = a server of tests
MotdPhrase = hello
AdminInfo1 = nobody
ServerUID = %s
ServerGID = %s
[Limits]
MaxJoins = 100
MaxConnectionsIP = 0
MaxPenaltyTime = 0
[Options]
Ident = no
DNS = no
PAM = no
IncludeDir = %s
"""


def find():
    return shutil.which("ngircd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class Ngircd:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="nanoclaw-ngircd.")
        os.chmod(self.folder.name, 0o755)
        root = os.getuid() == 0
        path = os.path.join(self.folder.name, "ngircd.conf")
        with open(path, "w", encoding="ascii") as file:
            file.write(CONFIGURATION % (65534 if root else os.getuid(),
                                        65534 if root else os.getgid(), self.folder.name))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        # By socket activation: the port cannot be taken by anybody else.
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec 3<&%d; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"' %
             self.listener.fileno(), "sh", find(), "-n", "-f", path],
            pass_fds=[self.listener.fileno()], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.listener.close()
        self.folder.cleanup()


class Person:
    def __init__(self, port, nick):
        self.nick, self.lines, self.changed = nick, [], threading.Condition()
        self.socket = socket.create_connection(("127.0.0.1", port))
        threading.Thread(target=self.read, daemon=True).start()
        self.send("NICK " + nick)
        self.send("USER %s 0 * :%s" % (nick, nick))
        self.wait_for(" 001 ")

    def read(self):
        try:
            for line in self.socket.makefile("rb"):
                text = line.decode().rstrip("\r\n")
                if text.startswith("PING"):
                    self.send("PONG" + text[4:])
                with self.changed:
                    self.lines.append(text)
                    self.longest = max(getattr(self, "longest", 0), len(line))
                    self.changed.notify_all()
        except OSError:
            pass

    def send(self, line):
        self.socket.sendall(line.encode() + b"\r\n")

    def say(self, target, text):
        self.send("PRIVMSG %s :%s" % (target, text))

    def wait_until(self, condition):
        with self.changed:
            if not self.changed.wait_for(condition, 300):
                raise AssertionError("it did not happen; the last lines: %s" % self.lines[-20:])

    def wait_for(self, words, begin=0):
        self.wait_until(lambda: any(words in line for line in self.lines[begin:]))
        return next(line for line in self.lines[begin:] if words in line)

    def heard(self, target):
        """Texts of others to a channel, or to this person, as (nick, text)."""
        found = []
        for line in list(self.lines):
            source, _, rest = line.partition(" PRIVMSG %s :" % target)
            if rest:
                found.append((source[1:].split("!")[0], rest))
        return found

    def close(self):
        self.socket.close()
