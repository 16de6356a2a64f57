"""kills.py PROGRAM FAULTY [all]: a session continues after a kill at any point. In TAP.

Sessions are continued from their log cut at every byte ('all'), or at some; and FAULTY, the program
with faults on demand (tests/harness/fault.h), dies or fails at every change to the disk. In the
end every call has had its effect once; and every request was valid. A shell command that may have
run is not repeated: the model of this test looks, as it is told to, and runs it if it has not."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from agent import Ended, Place
from matrix import APIS, effect, tap
from provider import Provider
from valid import faults

TURNS = (("The first turn.", ["one", "two"]), ("The second turn.", ["three", "four"]))
DOUBT = "It may have been carried out"
ALL = [word for _, words in TURNS for word in words]


def look(word):
    return {"use": "bash", "input": {
        "command": "grep -qx %s effects || echo %s >>effects # looked" % (word, word)}}


def play(request):
    """A model that has its four calls made once, two in each turn; it looks only at the request."""
    said = request.bytes.decode()
    if said.count(DOUBT) > said.count("# looked"):
        begun = [word for word in ALL if "echo %s >>effects" % word in said]
        return look(begun[-1])
    for text, words in TURNS:
        if text in said:
            for word in words:
                if "echo %s >>effects" % word not in said:
                    return effect(word)
    return {"say": "Done with: " + " ".join(word for word in ALL if "echo %s >>" % word in said)}


class Session:
    """The session of TURNS, in a place of its own."""

    def __init__(self, program, api):
        self.provider = Provider(after=play)
        self.place = Place(program, self.provider.address, api)
        self.api = api

    def talk(self, agent, first=0):
        """The turns from `first` on; how many of all were answered."""
        answered = first
        try:
            for text, words in TURNS[first:]:
                turn = agent.turn(text)
                if turn.is_error or not turn.text.startswith("Done with"):
                    return answered, turn.text
                answered += 1
        except Ended:
            pass
        return answered, ""

    def continue_at(self, first, program=None):
        """A new program, as the host starts it after a kill, does the rest. What is wrong?"""
        logs = self.place.logs()
        if program:
            self.place.program = os.path.abspath(program)
        agent = self.place.start(resume=os.path.basename(logs[0])[:-len(".jsonl")] if logs else None)
        answered, text = self.talk(agent, first)
        code = agent.close()
        if answered < len(TURNS):
            return "turn %d failed: %s (exit code %d) %s" % (
                answered + 1, text, code, agent.errors.decode("utf-8", "replace"))
        return self.judge()

    def judge(self):
        for number, body in enumerate(self.provider.bodies()):
            wrong = faults(self.api, body)
            if wrong:
                return "request %d: %s\n%s" % (number, wrong, json.dumps(body["messages"])[:2000])
        effects = (self.place.read("effects") or "").split()
        if sorted(effects) != sorted(ALL):
            return "effects: %s" % effects
        return ""

    def close(self):
        self.provider.close()
        self.place.close()


# --- the log is cut -----------------------------------------------------------

def run_whole(program, api):
    """The log of a session that nothing disturbed."""
    session = Session(program, api)
    agent = session.place.start()
    answered, text = session.talk(agent)
    agent.close()
    wrong = text or session.judge()
    log = open(session.place.logs()[0], "rb").read() if session.place.logs() else b""
    session.close()
    return log, wrong


def cut_at(program, api, log, at):
    """The log ends at a byte. Effects of calls that had begun have happened."""
    session = Session(program, api)
    folder = session.place.home + "/.claude/native"
    os.makedirs(folder)
    with open(folder + "/0123-cut.jsonl", "wb") as file:
        file.write(log[:at])
    kept = [json.loads(line) for line in log[:at].split(b"\n")[:-1]]
    begun = [record["id"] for record in kept if record["type"] == "run"]
    commands = {block["id"]: block["input"]["command"] for record in kept
                if record["type"] == "answer" for block in record["content"]
                if block["type"] == "tool_use"}
    session.place.write("effects", "".join(commands[call].split()[1] + "\n" for call in begun))
    turns = [record for record in kept if record["type"] == "turn"]
    try:
        wrong = session.continue_at(max(len(turns) - 1, 0))
    except Exception as error:
        wrong = "%s: %s" % (type(error).__name__, error)
    finally:
        session.close()
    return "cut at byte %d of %d: %s" % (at, len(log), wrong) if wrong else ""


def test_cut_logs(program, stride):
    for api in APIS:
        log, wrong = run_whole(program, api)
        tap.result(not wrong, "%s: a session without a fault" % api, wrong)
        with ThreadPoolExecutor(4) as pool:
            wrong = [each for each in pool.map(
                lambda at, a=api, l=log: cut_at(program, a, l, at),
                range(0, len(log) + 1, stride)) if each]
        tap.result(not wrong and log, "%s: a session whose log ends at %s byte goes on" % (
            api, "every" if stride == 1 else "any"), "\n".join(wrong[:5]))


# --- every change to the disk -------------------------------------------------

def count_changes(program, api):
    session = Session(program, api)
    path = session.place.folder.name + "/count"
    agent = session.place.start(NANOCLAW_FAULT="count 0", NANOCLAW_FAULT_COUNT=path)
    session.talk(agent)
    agent.close()
    with open(path, encoding="utf-8") as file:
        count = int(file.read().split()[0])
    session.close()
    return count


def fault_at(program, faulty, api, mode, number):
    session = Session(faulty, api)
    try:
        agent = session.place.start(NANOCLAW_FAULT="%s %d" % (mode, number))
        answered, _ = session.talk(agent)
        if mode in ("kill", "torn"):
            agent.finish() if agent.process.poll() is not None else agent.close()
        else:
            agent.close()
        wrong = session.continue_at(answered, program) if answered < len(TURNS) else session.judge()
    except Exception as error:
        wrong = "%s: %s" % (type(error).__name__, error)
    finally:
        session.close()
    return "%s %d: %s" % (mode, number, wrong) if wrong else ""


def test_changes(program, faulty, stride):
    for api in APIS:
        count = count_changes(faulty, api)
        for mode in ("kill", "torn", "eio", "enospc"):
            with ThreadPoolExecutor(4) as pool:
                wrong = [each for each in pool.map(
                    lambda number, a=api, m=mode: fault_at(program, faulty, a, m, number),
                    range(1, count + 1, stride)) if each]
            tap.result(not wrong and count > 10, "%s: '%s' at %s of %d changes to the disk" % (
                api, mode, "each" if stride == 1 else "some", count), "\n".join(wrong[:5]))


# --- killed by its own call, and by the host ----------------------------------

def test_kill_in_call(program):
    """The effect has happened, and there is no result: it is not repeated, and the model hears of it."""
    for api in APIS:
        agent = None

        def answer(request):
            if b"kill -9" not in request.bytes:
                return {"use": "bash", "input": {"command": "echo once >>effects; kill -9 %d; "
                                                            "read wait" % agent.process.pid}}
            return {"say": "I see."}
        provider = Provider(after=answer)
        place = Place(program, provider.address, api)
        agent = place.start()
        agent.send("Go on.")
        try:
            agent.rest()
        except Ended:
            pass
        agent.finish()
        turn = place.ask("Go on.", resume=agent.session)
        words = json.dumps(provider.bodies()[-1]["messages"])
        tap.result(turn.text == "I see." and place.read("effects").split() == ["once"] and
                   not faults(api, provider.bodies()[-1]),
                   "%s: a call during which the program was killed is not repeated" % api,
                   "%s %s %s" % (turn.text, place.read("effects"),
                                 faults(api, provider.bodies()[-1])))
        tap.result(DOUBT in words,
                   "%s: and the model is told" % api, words)
        place.close()
        provider.close()


def test_kill_in_answers(program):
    """Killed while an answer comes, after each of its events; then the host starts it again."""
    for api in APIS:
        wrong = []
        for cut in range(0, 1400, 100):
            provider = Provider.on_socket([dict(effect("ran"), stall=cut)], after=lambda request:
                                          effect("ran") if b"echo ran" not in request.bytes else
                                          {"say": "All done."})
            place = Place(program, provider.address, api)
            agent = place.start()
            agent.send("Go on.")
            provider.wait_for(lambda p: p.stalled)
            agent.kill()
            while not agent.lines.empty():
                line = agent.lines.get()
                agent.session = json.loads(line).get("session_id") or agent.session if line else \
                    agent.session
            turn = place.ask("Go on.", resume=agent.session)
            if (turn.text, place.read("effects")) != ("All done.", "ran\n"):
                wrong.append("at byte %d: %s, %s" % (cut, turn.text, place.read("effects")))
            place.close()
            provider.close()
        tap.result(not wrong, "%s: killed during an answer, it is asked for again" % api,
                   "\n".join(wrong))


if __name__ == "__main__":
    everything = "all" in sys.argv[3:]
    test_kill_in_call(sys.argv[1])
    test_kill_in_answers(sys.argv[1])
    test_cut_logs(sys.argv[1], 1 if everything else 37)
    if sys.argv[2] != "-":
        test_changes(sys.argv[1], sys.argv[2], 1 if everything else 3)
    sys.exit(tap.end())
