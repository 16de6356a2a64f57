"""remote.py NANOCLAW [AGENT [TURNS KILLS]]: agents of a real host in sandboxes of the kind 'remote', in
TAP. The machine that they are sent to is this one, in namespaces (docs/remote-driver-local.py). Without
the agent of the tests, only the built-in one is tried. At last so many turns with so many random kills."""

import glob
import json
import os
import random
import signal
import stat
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("net", "shipped"):
    sys.path.append(os.path.join(HERE, "../../../../tests", folder))

import tap
from host import PATIENCE
from reading import Chat, Server, needs

DRIVER = os.path.join(HERE, "../add/docs/remote-driver-local.py")
WRAPPER = """#!/bin/sh
if [ "$1" = place ]; then
	[ ! -e full ] || { echo "looking around" >&2; echo "every machine is busy" >&2; exit 75; }
	echo placed >>placed
fi
NANOCLAW_PROGRAMS='%s' exec '%s' '%s' "$@"
"""


def patiently(find, what):
    """Until it is true; it looks again and again, because nothing tells when."""
    end = time.monotonic() + PATIENCE
    while not (found := find()):
        if time.monotonic() > end:
            raise AssertionError("it did not happen: " + what)
        time.sleep(0.01)
    return found


class Setup:
    def __init__(self, nanoclaw, agent, programs):
        self.agent, self.programs, self.count = agent, programs, 0
        self.chat = Chat(nanoclaw, NANOCLAW_SANDBOX="remote", NANOCLAW_RETRY_MS="10",
                         TZ="Europe/Berlin")
        self.host = self.chat.host
        os.mkdir(os.path.join(self.host.root, "sandboxes"))
        self.host.write_file("sandboxes/driver", (
            WRAPPER % (programs, sys.executable, DRIVER)).encode())
        os.chmod(self.path("sandboxes/driver"), 0o700)
        self.settings(lease_seconds=2)

    def settings(self, **settings):
        self.host.write_file("sandboxes/remote.json", json.dumps(
            {"driver": ["sandboxes/driver"], **settings}).encode())

    def path(self, name):
        return os.path.join(self.host.root, name)

    def note(self, name, text=None):
        """A file of the group, as it is here."""
        path = self.path("groups/a/" + name)
        if text is not None:
            self.host.write_file("groups/a/" + name, text.encode())
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return file.read()

    def say(self, command):
        """A turn of the test's agent; its word is in the answer."""
        self.count += 1
        word = "w%d" % self.count
        self.chat.say("%s %s" % (word, command))
        return word

    def answer(self, word):
        return self.chat.answer(word)

    def ask(self, command):
        """What a shell inside says."""
        before = len(self.chat.sent)
        self.say("!sh " + command)
        self.chat.wait_for(lambda: len(self.chat.sent) > before, command)
        return list(self.chat.sent.values())[-1][1]

    def processes(self, word):
        """Those of our run, from outside, whose command line has a word that ends so."""
        name = "nanoclaw-%s-" % self.installation()
        found = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as file:
                    words = file.read().decode("utf-8", "replace").split("\0")
            except OSError:
                continue
            if words[0].endswith(word) and any(name in each or each.endswith(
                    "installation=" + self.installation()) for each in words):
                found.append(int(path.split("/")[2]))
        return found

    def installation(self):
        for path in glob.glob(self.path("data/run/sandboxes/*.json")):
            try:
                with open(path, encoding="utf-8") as file:
                    return json.load(file)["installation"]
            except (OSError, ValueError):
                pass
        return "?"

    def begun(self, marker):
        """The first process inside, once the agent has made this file in /tmp."""
        def look():
            for pid in self.processes("nanoclaw-node"):
                if os.path.exists("/proc/%d/root/tmp/%s" % (pid, marker)):
                    return pid
            return None
        return patiently(look, marker)

    def outcomes(self):
        return [row[0] for row in self.host.rows(
            "SELECT outcome FROM attempts WHERE turn = (SELECT max(id) FROM turns"
            " WHERE group_folder = 'a')"
            " ORDER BY number")]


def test_built_in(s):
    s.chat.start()
    s.chat.group("a")
    s.chat.say("remember milk")
    tap.result(s.chat.answer("milk") == "Noted: milk", "the built-in agent answers from elsewhere",
               s.host.log)
    tap.result("milk" in (s.note("CLAUDE.local.md") or ""),
               "what it wrote is here before its answer", os.listdir(s.path("groups/a")))
    s.chat.say("remind me tomorrow at 10:00 to call Ann")
    s.chat.answer("Ann")
    tap.result(s.host.rows("SELECT count(*) FROM scheduled_tasks")[0][0] == 1,
               "it calls the host through the socket", s.chat.sent)
    tap.result(len(s.note("../../placed").splitlines()) == 1, "one process has many turns")
    code, output = s.host.run("doctor")
    tap.result("the driver for agents on other machines works" in output,
               "doctor asks the driver", output)


def test_files(s):
    s.chat.restart(NANOCLAW_AGENT=s.agent)
    said = s.ask("echo new >new.txt; mkdir -p deep/er; echo x >deep/er/x; chmod 755 deep/er/x; id -u")
    tap.result(s.note("new.txt") == "new\n" and s.note("deep/er/x") == "x\n" and
               os.stat(s.path("groups/a/deep/er/x")).st_mode & stat.S_IXUSR,
               "files that an agent makes are here before the answer", (said, s.host.log[-20:]))
    s.note("here.txt", "from here")
    tap.result("from here" in s.ask("cat here.txt"), "a file that is made here is there")
    s.note("here.txt", "again here")
    tap.result("again here" in s.ask("cat here.txt"), "and when it is changed")
    os.chmod(s.path("groups/a/here.txt"), 0o640)
    s.ask("echo there >here.txt")
    tap.result(s.note("here.txt") == "there\n" and s.note("here.txt.from-agent") is None and
               os.stat(s.path("groups/a/here.txt")).st_mode & 0o777 == 0o640,
               "also the agent's change of it is here", os.listdir(s.path("groups/a")))
    os.remove(s.path("groups/a/here.txt"))
    tap.result("gone" in s.ask("[ -e here.txt ] || echo gone"), "what is removed here is not there")
    s.ask("rm -r deep; rm new.txt")
    tap.result(s.note("new.txt") is None and not os.path.exists(s.path("groups/a/deep")),
               "nor here what the agent removes", os.listdir(s.path("groups/a")))
    s.ask("echo file >turns; ")
    s.ask("rm turns; mkdir turns; echo x >turns/x")
    tap.result(s.note("turns/x") == "x\n", "a file can become a folder")
    before = s.note("container.json")
    s.ask("rm -f container.json; echo '{\"sandbox\": \"bwrap\"}' >container.json; "
          "ln -s /etc/passwd link; mkfifo pipe")
    tap.result(s.note("container.json") == before, "container.json cannot be changed", before)
    tap.result(not os.path.lexists(s.path("groups/a/link")) and
               not os.path.lexists(s.path("groups/a/pipe")), "links and pipes stay there")
    s.ask("head -c 5000000 /dev/urandom >big; sha256sum big >sum")
    tap.result(subprocess.run(["sha256sum", "-c", "sum"], cwd=s.path("groups/a"), check=False,
                              capture_output=True).returncode == 0, "a large file is whole")
    tap.result(s.ask("ls /sys/class/net 2>/dev/null; cut -d: -f1 /proc/net/dev | tail -n +3").split()
               [-1:] == ["lo"], "an agent has only 'lo'")
    tap.result("Seccomp:\t2" in s.ask("grep -E 'Seccomp:|NoNewPrivs|CapEff' /proc/self/status"),
               "and a filter of system calls")
    said = s.ask("NANOCLAW_PROBE_FILE='%s' NANOCLAW_PROBE_PID=%d NANOCLAW_PROBE_PORT=1 "
                 "NANOCLAW_PROBE_SOCKET=x /run/nanoclaw-sandbox breakout" % (
                     s.path(".env"), s.host.process.pid))
    tried = said.partition("refused ")[2].split(" of ")
    tap.result(len(set(tried)) == 1 and tried[0], "no way out that doctor tries is open", said)


def test_conflict(s):
    s.note("both.txt", "first")
    s.ask("cat both.txt")
    word = s.say("!sh echo agent >both.txt; touch /tmp/begun; until [ -e /tmp/go ]; do sleep 0.01; done")
    pid = s.begun("begun")
    s.note("both.txt", "owner")
    before = len(s.chat.sent)
    with open("/proc/%d/root/tmp/go" % pid, "w", encoding="utf-8"):
        pass
    s.chat.wait_for(lambda: len(s.chat.sent) > before, word)
    tap.result(s.note("both.txt") == "owner" and s.note("both.txt.from-agent") == "agent\n",
               "changed on both sides: ours stays, and the agent's is beside it",
               os.listdir(s.path("groups/a")))
    said = s.ask("cat both.txt both.txt.from-agent")
    tap.result("owner" in said and "agent" in said, "and the agent sees both", said)


def test_api(s):
    server = Server((200, {"content": []}))
    settings = {"ANTHROPIC_API_KEY": "sk-secret-of-the-host", "ANTHROPIC_BASE_URL":
                server.url.removesuffix("/v1")}
    s.chat.restart(NANOCLAW_AGENT=s.agent, **settings)
    before = len(s.chat.sent)
    s.say("!api 3")
    s.chat.wait_for(lambda: len(s.chat.sent) > before, "an answer after three requests")
    tap.result([headers["x-api-key"] for _, headers, _ in server.requests] ==
               ["sk-secret-of-the-host"] * 3, "the API of the model is reached through the gate",
               (server.requests, s.chat.sent))
    said = s.ask("cat /proc/*/environ /proc/*/cmdline | tr '\\0' ' '; "
                 "grep -rs sk-secret-of-the /workspace /home /run /tmp /app /opt | head -3")
    tap.result("placeholder" in said and "secret-of-the-host" not in said, "and its key stays here",
               said)


HANG_ONCE = ("!sh touch /tmp/begun-%d; [ -e once-%d ] && echo second || { echo x >lost-%d; "
             "until [ -e /tmp/never ]; do sleep 0.01; done; }")


def lost(s, number, harm, outcome, claim):
    """A turn that hangs in its first run, until there is a file of the owner."""
    s.say(HANG_ONCE % (number, number, number))
    pid = s.begun("begun-%d" % number)
    s.note("once-%d" % number, "")
    before = len(s.chat.sent)
    harm(pid)
    s.chat.wait_for(lambda: len(s.chat.sent) > before, claim)
    tap.result("second" in list(s.chat.sent.values())[-1][1] and s.outcomes() ==
               [outcome, "answered"], claim, (s.outcomes(), s.chat.sent, s.host.log[-20:]))
    tap.result(s.note("lost-%d" % number) is None, "and the first one left no trace")
    tap.result(len(s.chat.sent) == before + 1, "once")


def test_lost(s):
    lost(s, 1, lambda pid: os.kill(pid, signal.SIGKILL), "interrupted",
         "a turn whose machine dies is answered by another run")
    lost(s, 2, lambda pid: os.kill(pid, signal.SIGSTOP), "interrupted",
         "a turn whose machine is silent is answered when its lease is over")
    lost(s, 3, lambda pid: [os.kill(each, signal.SIGKILL) for each in
                            s.processes("nanoclaw-remote")], "failed",
         "a turn whose stream is killed here is answered by another run")
    lost(s, 4, lambda pid: (s.host.kill(), s.chat.start(NANOCLAW_AGENT=s.agent)), "interrupted",
         "and so is one whose host is killed")
    patiently(lambda: len(s.processes("nanoclaw-node")) <= 1, "the old machines end")
    tap.result(True, "nothing is left of them")


def test_torture(s, turns, kills):
    """Each turn writes its word into a file unless it is there."""
    seed = 44
    print("# seed %d" % seed)
    chance = random.Random(seed)
    s.settings(lease_seconds=1)
    s.chat.restart(NANOCLAW_AGENT=s.agent, NANOCLAW_TURN_TRIES="100")
    before, words = len(s.chat.sent), []
    harmed = set(chance.sample(range(turns), min(turns, kills)))
    for i in range(turns):
        word = "t%d" % i
        words.append(word)
        s.chat.say("%s !sh grep -qx %s words || echo %s >>words; echo %s-done" % ((word,) * 4))
        if i in harmed:
            time.sleep(chance.random() / 5)
            program, harm = chance.choice((("nanoclaw-node", signal.SIGKILL),
                                           ("nanoclaw-node", signal.SIGSTOP),
                                           ("nanoclaw-remote", signal.SIGKILL)))
            for pid in s.processes(program):
                os.kill(pid, harm)
        if i % 10 == 9 or i == turns - 1:
            s.chat.wait_for(lambda: all(any(word + "-done" in text for _, text in
                                            s.chat.sent.values()) for word in words), word)
    said = [text for _, text in list(s.chat.sent.values())[before:]]
    tap.result(sum(text.count("-done") for text in said) == turns,
               "%d turns with %d kills: each is answered once" % (turns, kills), said)
    tap.result(sorted(s.note("words").split()) == sorted(words),
               "and each has written its file once", s.note("words"))


def test_no_place(s):
    s.host.write_file("full", b"")
    s.chat.restart(NANOCLAW_AGENT=s.agent, NANOCLAW_WAIT_SECONDS="1")
    before = len(s.chat.sent)
    s.say("!sh echo at last")
    patiently(lambda: s.outcomes().count("stopped") > 1, "two looks for a place")
    code, output = s.host.run("status")
    tap.result("of 'a': no place: every machine is busy" in output,
               "status says what a turn waits for", output)
    code, output = s.host.run("doctor")
    tap.result("of 'a': no place: every machine is busy" in output, "and doctor", output)
    tap.result(s.host.rows("SELECT failures, interruptions FROM turns ORDER BY id DESC LIMIT 1") ==
               [(0, 0)], "it is no failure")
    told = patiently(lambda: s.host.rows("SELECT content FROM outbox WHERE group_folder = 'main'"),
                     "main hears of it")
    tap.result("no place for a long time" in told[0][0], "main hears of it", told)
    code, output = s.host.run("send", "--wait", "main", "m1 hello")
    tap.result("m1" in output, "main is answered here meanwhile", output)
    os.remove(s.path("full"))
    s.chat.answer("at last")
    tap.result(set(s.outcomes()[:-1]) == {"stopped"}, "when there is a place, it is answered",
               s.outcomes())


def test_settings(s):
    s.settings(lease=5)
    code, output = s.host.run("doctor")
    tap.result("sandboxes/remote.json:1:" in output and "'lease' is unknown" in output,
               "a fault in the settings is said with its place", output)


def main(nanoclaw, agent=None, turns="10", kills="3"):
    why = needs("bwrap")
    if not why and subprocess.run(["bwrap", "--unshare-all", "--as-pid-1", "--ro-bind", "/", "/",
                                   "true"], check=False, capture_output=True).returncode:
        why = "bwrap does not work here"
    if why:
        tap.skip_all(why)
    programs = os.path.dirname(os.path.abspath(nanoclaw))
    programs += ":" + os.path.join(programs, "../..")
    s = Setup(nanoclaw, agent and os.path.abspath(agent), programs)
    tests = [test_built_in, test_files, test_conflict, test_api, test_lost, test_no_place,
             test_settings]
    try:
        for test in tests if agent else (test_built_in, test_settings):
            test(s)
        if agent:
            test = test_torture
            test_torture(s, int(turns), int(kills))
    except AssertionError as error:
        tap.result(False, test.__name__, "%s\n%s" % (error, "\n".join(s.host.log[-40:])))
    finally:
        s.chat.close()
    sys.exit(tap.end())


main(*sys.argv[1:5])
