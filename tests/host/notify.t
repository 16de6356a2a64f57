# a service manager hears when the host is ready, that it is alive, and when it stops
needs: python3
ignore: logs store data groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- manager.py --
import os, signal, socket, subprocess

def wait_for(word):
    """The first message with this word; others may come before it."""
    while True:
        message = manager.recv(4096).decode()
        if word in message:
            return message

manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind("notify")
host = subprocess.Popen(["nanoclaw", "run"], stderr=subprocess.DEVNULL,
                        env=dict(os.environ, NOTIFY_SOCKET=os.path.abspath("notify"),
                                 WATCHDOG_USEC="20000"))
print(wait_for("READY"))
print(wait_for("WATCHDOG"))
print(wait_for("WATCHDOG"))
host.send_signal(signal.SIGTERM)
print(wait_for("STOPPING"))
print("exit code", host.wait())
os.unlink("notify")
== run ==
$ python3 manager.py
> READY=1
> STATUS=messages are taken
> WATCHDOG=1
> WATCHDOG=1
> STOPPING=1
> exit code 0
