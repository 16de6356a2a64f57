# a host under a guard ends with it, at once and even if it is stopped; and the guard ends with the host
needs: python3
ignore: keeper.pid logs store data groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- lock [755] --
#!/bin/sh
# Holds a lock for as long as it runs, and notes that it was released.
trap 'echo released >&2; exit 0' TERM
echo held
while :; do sleep 0.1; done
-- keeper [755] --
#!/bin/sh
sleep 1000 2>/dev/null &
echo $! >keeper.pid
echo held
wait
-- try.py --
import os, re, signal, socket, subprocess, sys

def run(guard="./lock", **more):
    """The process that was started, its guard, and the host when it runs."""
    outer = subprocess.Popen(["nanoclaw", "--json", "run", "--guard", guard], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, env=dict(os.environ, **more))
    for line in outer.stderr:
        host = re.search(r"is running \(pid (\d+)\)", line)
        if host:
            break
    children = open(f"/proc/{outer.pid}/task/{outer.pid}/children").read().split()
    return outer, [int(pid) for pid in children if pid != host[1]][0], int(host[1])

def is_there(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rsplit(") ")[1][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False

outer, lock, host = run()
os.kill(lock, signal.SIGKILL)
print(outer.stderr.read().splitlines()[-1], '"success": false' in outer.stdout.read())
print("exit code", outer.wait(), "host", is_there(host))

outer, lock, host = run("./keeper")
os.kill(lock, signal.SIGKILL)
outer.wait()
while is_there(int(open("keeper.pid").read())):
    pass
print("what it has started is gone")

outer, lock, host = run()
os.kill(host, signal.SIGSTOP)
os.kill(lock, signal.SIGKILL)
print("stopped: exit code", outer.wait(), "host", is_there(host))

outer, lock, host = run()
outer.send_signal(signal.SIGTERM)
print(outer.stderr.read().splitlines()[-1])
print("exit code", outer.wait(), "lock", is_there(lock))

manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind("notify")
outer, lock, host = run(NOTIFY_SOCKET=os.path.abspath("notify"), WATCHDOG_USEC="20000")
while "WATCHDOG=1" not in manager.recv(4096).decode():
    pass
print("the watchdog hears the host")
subprocess.run(["nanoclaw", "stop"], stdout=subprocess.DEVNULL)
print("exit code", outer.wait(), "lock", is_there(lock))

outer, lock, host = run()
outer.kill()
outer.wait()
for pid in lock, host:
    while is_there(pid):
        pass
os.unlink("notify")
print("both are gone")
== run ==
$ python3 try.py
> error: the guard has ended (exit code 137), and so has the host True
> exit code 1 host False
> what it has started is gone
> stopped: exit code 1 host False
> released
> exit code 0 lock False
> the watchdog hears the host
> exit code 0 lock False
> both are gone
$ nanoclaw run --guard 'sh -c "exit 7"'
? 1
2> waiting until the guard writes a line: sh -c "exit 7"
2> error: the guard has ended (exit code 7), and no host ran
2> hint: it has to write a line when it holds the lock, and to run on
$ nanoclaw run --guard nosuch
? 2
2> error: --guard: there is no program 'nosuch'
