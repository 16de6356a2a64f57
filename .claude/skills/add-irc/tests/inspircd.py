"""A real InspIRCd on a Unix socket of its own, behind a loopback port that the test holds."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading

CONFIGURATION = """
<server name="irc.example.org" description="a server of tests" network="Tests">
<admin name="nobody" nick="nobody" email="nobody@example.org">
<bind path="%s" type="clients">
<connect allow="*" timeout="60" localmax="1000" globalmax="1000" maxchans="1000" fakelag="no"
 commandrate="1000000" threshold="10000" recvq="65536" hardsendq="1048576" softsendq="1048576"
 resolvehostnames="no" useident="no">
<performance nouserdns="yes">
<log method="file" type="* -USERINPUT -USEROUTPUT" level="default" target="%s">
"""
MODULES = ("cap", "ircv3", "ircv3_batch", "ircv3_ctctags", "ircv3_echomessage",
           "ircv3_labeledresponse", "ircv3_msgid", "ircv3_servertime")


def find():
    return shutil.which("inspircd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class Inspircd:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="nanoclaw-inspircd.")
        path = os.path.join(self.folder.name, "inspircd.conf")
        self.socket = os.path.join(self.folder.name, "socket")
        with open(path, "w", encoding="ascii") as file:
            file.write(CONFIGURATION % (self.socket, os.path.join(self.folder.name, "log")))
            file.writelines('<module name="%s">\n' % name for name in MODULES)
        self.process = subprocess.Popen(
            [find(), *(["--runasroot"] if os.getuid() == 0 else []), "--nofork", "--nopid",
             "--config", path],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "is now running" in line:
                break
        else:
            raise AssertionError("inspircd does not start: " + "".join(lines))
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.labels = self.acks = False  # of labeled-response: asked for, and answered
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                client, _ = self.listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self.socket)
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self.pump, args=pair, daemon=True).start()
        except OSError:
            pass  # it is closed

    def pump(self, source, target):
        try:
            while data := source.recv(65536):
                self.labels |= b"@label=" in data and source.family == socket.AF_INET
                self.acks |= b"label=" in data and source.family == socket.AF_UNIX
                target.sendall(data)
        except OSError:
            pass
        for side in (source, target):
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.process.kill()
        self.process.wait()
        self.listener.close()
        self.folder.cleanup()
