"""through_host.py NANOCLAW FAULTY [EVERY]: a real host with the agent 'native', and a provider
behind its gate. In TAP.

FAULTY is nanoclaw that dies at a change of its ledger (tests/harness/ledger_fault.c): at every
EVERYth one of a turn, after which another host finishes it. What takes long is only tested if that
is each."""

import os
import queue
import re
import socket
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../net"))
sys.path.append(os.path.join(HERE, "../shipped"))

import tap
from host import Host
from matrix import APIS, DONE
from provider import Provider
from shapes import openai_events
from valid import faults

KEY = "sk-a-secret-of-the-host"


class NativeHost(Host):
    def __init__(self, nanoclaw, api, port, **settings):
        self.more = {}
        where = {"NANOCLAW_PROVIDER": "custom", "NANOCLAW_MODEL_KEY": KEY,
                 "NANOCLAW_MODEL_URL": "http://127.0.0.1:%d/v1" % port} if api == "openai" else \
            {"NANOCLAW_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": KEY,
             "NANOCLAW_MODEL_URL": "http://127.0.0.1:%d" % port}
        super().__init__(nanoclaw, {"NANOCLAW_AGENT": "native", "NANOCLAW_MODEL": "played",
                                    **where, **settings})

    def environment(self):
        return super().environment() | self.more

    def up(self):
        self.start()
        self.wait_for_line("is running")
        return self

    def say(self, text):
        """The answer, or the reason why there is no answer."""
        return self.run("send", "main", text, "--wait")[1].strip()


# --- a chat -------------------------------------------------------------------

def call(tool, **arguments):
    return {"use": tool, "input": arguments}


def host_call(tool, **arguments):
    return call("mcp__nanoclaw__" + tool, **arguments)


def test_chat(nanoclaw, api):
    provider = Provider([
        {"blocks": [{"say": "Let me see."},
                    call("bash", command="echo here >>effects; cat /proc/self/environ")]},
        host_call("schedule_task", prompt="water the plants", schedule_type="once",
                  schedule_value="2099-01-01T00:00:00"),
        {"say": "Planned."}, call("read", path="effects"), {"say": "It says 'here'."}],
        after={"status": 400, "error": "one request too many"})
    host = NativeHost(nanoclaw, api, provider.port).up()
    try:
        said = host.say("Please plan it.")
        tap.result(said == "Planned.", "%s: a message is answered, with tools" % api, said)
        tap.result(host.read_file("groups/main/effects") == b"here\n",
                   "%s: a command works in the group's folder" % api)
        tap.result(host.rows("SELECT prompt FROM scheduled_tasks") == [("water the plants",)],
                   "%s: a tool of the host works" % api)
        said = host.say("What does the file say?")
        tap.result(said == "It says 'here'.", "%s: and the next message" % api, said)
        size = len(provider.requests[0].bytes)
        tap.result(size <= 8192, "%s: the first request has at most 8 KB" % api, size)
        wrong = [fault for body in provider.bodies() for fault in faults(api, body)]
        tap.result(not wrong, "%s: all requests are valid" % api, wrong)
        keys = {request.headers.get("x-api-key", request.headers.get("authorization"))
                for request in provider.requests}
        tap.result(keys in ({KEY}, {"Bearer " + KEY}), "%s: the gate adds the key" % api, keys)
        told = b"".join(request.bytes for request in provider.requests)
        logs = [os.path.join(folder, name) for folder, _, names in os.walk(host.root + "/data")
                for name in names if name.endswith(".jsonl")]
        kept = b"".join(open(path, "rb").read() for path in logs)
        tap.result(logs and KEY.encode() not in told + kept,
                   "%s: the agent never sees it" % api, logs)
        counted = host.rows("SELECT count(*), sum(output_tokens), sum(estimated) FROM usage")
        tap.result(counted == [(5, 50, 0)], "%s: every request is counted" % api, counted)
        host.stop()  # entries are collected before they are stored
        calls = [row[0] for row in
                 host.rows("SELECT what FROM audit WHERE what <> 'list_tools' ORDER BY id")]
        tap.result(calls == ["bash", "schedule_task", "read"],
                   "%s: every call is in the audit log" % api, calls)
    finally:
        host.close()
        provider.close()


def test_subagent(nanoclaw, api):
    provider = Provider([call("agent", prompt="Look."), call("bash", command="echo seen"),
                         {"say": "It says 'seen'."}, DONE],
                        after={"status": 400, "error": "one request too many"})
    host = NativeHost(nanoclaw, api, provider.port).up()
    try:
        said = host.say("Go on.")
        host.stop()
        calls = [row[0] for row in
                 host.rows("SELECT what FROM audit WHERE what <> 'list_tools' ORDER BY id")]
        tap.result((said, calls) == ("All done.", ["agent", "bash"]),
                   "%s: the calls of a subagent are in the audit log" % api, (said, calls))
    finally:
        host.close()
        provider.close()


def test_budget(nanoclaw, api):
    """A server that reports nothing is counted all the same, and a budget holds."""
    events = [event for event in openai_events([DONE])
              if event == "[DONE]" or not event.get("usage")]
    silent = {"events": events} if api == "openai" else DONE
    provider = Provider(after=silent)
    host = NativeHost(nanoclaw, api, provider.port).up()
    try:
        host.run("group", "config", "main", "budget.dailyTokens", "1")
        said = host.say("One.")
        tap.result("All done." in said and "of 1 tokens today, and is paused" in said,
                   "%s: a budget that is used up is told in the chat" % api, said)
        estimated = host.rows("SELECT sum(estimated) FROM usage")
        tap.result(estimated == [(1 if api == "openai" else 0,)],
                   "%s: usage that nobody reports is an estimate" % api, estimated)
    finally:
        host.close()
        provider.close()


# --- configuration ------------------------------------------------------------

def test_configuration(nanoclaw, api):
    """What is wrong, and what to do, as an error in the chat; mended, the next one works."""
    for name, answer, words in (
            ("a wrong key", {"status": 401, "error": "invalid key"}, "key.*nanoclaw (setup|doctor)"),
            ("an unknown model", {"status": 404, "error": "model 'played' not found"},
             "model 'played'.*nanoclaw setup"),
            ("a model without tools", {"status": 400, "error": "played does not support tools"},
             "tools.*nanoclaw setup"),
            ("no money", {"status": 402, "error": "Insufficient credits"}, "credit|quota")):
        provider = Provider([answer], after=DONE)
        host = NativeHost(nanoclaw, api, provider.port).up()
        try:
            first, second = host.say("One."), host.say("Two.")
            tap.result(re.search("I could not answer this: .*(%s).*error t1" % words, first, re.S)
                       and second == "All done.",
                       "%s: %s is told in the chat, and can be mended" % (api, name),
                       "%s | %s" % (first, second))
            attempts = host.rows("SELECT turn, outcome FROM attempts ORDER BY turn, number")
            tap.result([turn for turn, _ in attempts] == [1, 2],
                       "%s: %s is not tried again" % (api, name), attempts)
        finally:
            host.close()
            provider.close()


def test_no_server(nanoclaw, api):
    """It is tried for a while first."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        host = NativeHost(nanoclaw, api, held.getsockname()[1]).up()
        try:
            said = host.say("One.")
            tap.result(re.search("reach|connect", said) and "nanoclaw" in said,
                       "%s: a server that is not there is told in the chat" % api, said)
        finally:
            host.close()


# --- killed -------------------------------------------------------------------

DOUBT = b"It may have been carried out"
STEPS = (call("bash", command="echo once >>effects"),
         host_call("send_message", text="On my way."),
         host_call("schedule_task", prompt="water the plants", schedule_type="once",
                   schedule_value="2099-01-01T00:00:00"))


def play(request):
    """A stateless model: the calls that are not yet in the conversation. Told that a command may
    have run, it looks."""
    if DOUBT in request.bytes and b"# looked" not in request.bytes:
        return call("bash", command="grep -qx once effects || echo once >>effects # looked")
    for step in STEPS:
        mark = next(iter(step["input"].values()))
        if mark.encode() not in request.bytes:
            return step
    return DONE


def effects_of(host):
    """What must have happened once. Another message is answered when the first one is."""
    answer = host.say("And now?").split("\n")[0]
    try:
        command = host.read_file("groups/main/effects")
    except FileNotFoundError:
        command = b""
    return {"next": answer, "command": command,
            "messages": host.rows("SELECT kind, content FROM outbox WHERE turn = 1 ORDER BY id"),
            "tasks": host.rows("SELECT prompt FROM scheduled_tasks")}


ONCE = {"next": "All done.", "command": b"once\n", "tasks": [("water the plants",)],
        "messages": [("message", "On my way."), ("answer", "All done.")]}


def interrupted(nanoclaw, api, stalls):
    """A host that was killed while the model thought about its first, second … answer."""
    provider = Provider(after=play)
    provider.answers = [play] * stalls + [dict(DONE, stall=0)]
    host = NativeHost(nanoclaw, api, provider.port).up()
    host.run("send", "main", "Go on.")
    provider.wait_for(lambda p: p.stalled)
    host.kill()
    return host, provider


def test_killed_host(nanoclaw, api):
    for stalls in range(len(STEPS) + 1):
        host, provider = interrupted(nanoclaw, api, stalls)
        try:
            effects = effects_of(host.up())
            wrong = [fault for body in provider.bodies() for fault in faults(api, body)]
            tap.result(effects == ONCE and not wrong,
                       "%s: killed at request %d, the turn goes on and does nothing twice" % (
                           api, stalls + 1), "%s %s" % (effects, wrong))
        finally:
            host.close()
            provider.close()


def run_faulty(faulty, host, **environment):
    """A host that dies by itself on the way, or is ended after the turn and another message."""
    normal, host.nanoclaw, host.more = host.nanoclaw, os.path.abspath(faulty), environment
    host.start()
    host.nanoclaw, host.more = normal, {}
    process = host.process

    def wait():
        process.wait()
        host.lines.put("it is running no more")
    waiter = threading.Thread(target=wait, daemon=True)
    waiter.start()
    host.wait_for_line("is running")
    host.say("And now?")
    if process.poll() is None:
        host.stop()
    waiter.join()
    host.lines = queue.Queue()


def ledger_fault(nanoclaw, faulty, api, number):
    """What is wrong after a death at this change of the ledger."""
    host, provider = interrupted(nanoclaw, api, 0)
    try:
        run_faulty(faulty, host, NANOCLAW_LEDGER_FAULT=str(number))
        effects = effects_of(host.up())
        bad = [fault for body in provider.bodies() for fault in faults(api, body)]
        return "" if effects == ONCE and not bad else "%s %s" % (effects, bad)
    finally:
        host.close()
        provider.close()


def test_ledger_faults(nanoclaw, faulty, api, every):
    host, provider = interrupted(nanoclaw, api, 0)
    run_faulty(faulty, host, NANOCLAW_LEDGER_COUNT=host.root + "/changes")
    changes = host.read_file("changes").decode().splitlines()
    host.close()
    provider.close()
    wrong = []
    for number in range(1, len(changes) + 1, every):
        why = ledger_fault(nanoclaw, faulty, api, number)
        wrong += ["%d (%s): %s" % (number, changes[number - 1], why)] if why else []
    tap.result(not wrong and changes, "%s: killed at %s of %d changes of the ledger" % (
        api, "each" if every == 1 else "some", len(changes)), "\n".join(wrong))


def main():
    nanoclaw, faulty = sys.argv[1:3]
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    if subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"],
                      stderr=subprocess.DEVNULL, check=False).returncode:
        tap.skip_all("bwrap does not work here")
    for api in APIS:
        test_chat(nanoclaw, api)
        test_subagent(nanoclaw, api)
        test_budget(nanoclaw, api)
        test_configuration(nanoclaw, api)
        if every == 1:
            test_no_server(nanoclaw, api)
        test_killed_host(nanoclaw, api)
        test_ledger_faults(nanoclaw, faulty, api, every)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
