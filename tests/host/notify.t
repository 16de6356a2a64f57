# a service manager hears when the host is ready, and when it stops
needs: python3
ignore: store data groups
-- manager.py --
import os, signal, socket, subprocess
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind("notify")
host = subprocess.Popen(["nanoclaw", "run"], stderr=subprocess.DEVNULL,
                        env=dict(os.environ, NOTIFY_SOCKET=os.path.abspath("notify")))
print(manager.recv(4096).decode())
host.send_signal(signal.SIGTERM)
print(manager.recv(4096).decode())
print("exit code", host.wait())
os.unlink("notify")
== run ==
$ python3 manager.py
> READY=1
> STATUS=messages are taken
> STOPPING=1
> exit code 0
