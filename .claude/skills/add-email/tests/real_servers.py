"""Dovecot and OpenSMTPD, in a network and a mount namespace of their own: run as a program, this
file makes the namespaces and runs the rest of its command line there."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

IMAP, SMTP, RELAY = 10143, 10025, 10026

DOVECOT = """
base_dir = %(folder)s/run
log_path = %(folder)s/log
ssl = no
disable_plaintext_auth = no
protocols = imap
listen = 127.0.0.1
mail_location = maildir:%(folder)s/mail
first_valid_uid = 1
service imap-login {
  inet_listener imap {
    port = %(imap)d
  }
  inet_listener imaps {
    port = 0
  }
}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=mail gid=mail home=%(folder)s
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
"""

SMTPD = """
listen on lo port %(smtp)d hostname mail.example.org
action "relay" relay host smtp://127.0.0.1:%(relay)d
match from local for any action "relay"
"""


def why_not():
    """Why they cannot run here, or None."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    for program in ("dovecot", "smtpd", "unshare", "ip"):
        if not shutil.which(program, path=path):
            return "there is no '%s'" % program
    if os.getuid() != 0:
        return "mail servers are started by root"
    if subprocess.run(["unshare", "--net", "--mount", "true"], capture_output=True,
                      check=False).returncode:
        return "no namespaces here"
    return None


class RealServers:
    """Mails go out through OpenSMTPD to 127.0.0.1:RELAY, where the test listens."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="nanoclaw-mail.", dir="/tmp")
        folder = self.folder.name
        os.chmod(folder, 0o755)
        for name in ("mail", "run"):
            os.mkdir(os.path.join(folder, name))
        shutil.chown(folder + "/mail", "mail", "mail")
        values = {"folder": folder, "imap": IMAP, "smtp": SMTP, "relay": RELAY}
        for name, text in (("dovecot.conf", DOVECOT), ("smtpd.conf", SMTPD)):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text % values)
        with open(folder + "/smtpd.log", "wb") as log:
            self.processes = [
                subprocess.Popen(["/usr/sbin/dovecot", "-F", "-c", folder + "/dovecot.conf"]),
                subprocess.Popen(["/usr/sbin/smtpd", "-d", "-f", folder + "/smtpd.conf"],
                                 stdout=log, stderr=log)]
        for port in (IMAP, SMTP):
            self.wait_for_port(port)

    def wait_for_port(self, port):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except ConnectionRefusedError:
                time.sleep(0.05)
        raise AssertionError("nobody listens on port %d" % port)

    def close(self):
        for process in self.processes:
            process.terminate()
            process.wait()
        self.folder.cleanup()


def main():
    script = "ip link set lo up && mount -t tmpfs none /var/spool && mkdir -m 711 /var/spool/smtpd " \
             "&& exec \"$@\""
    os.execvp("unshare", ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child",
                          "--mount-proc", "sh", "-c", script, "sh"] + sys.argv[1:])


if __name__ == "__main__":
    main()
