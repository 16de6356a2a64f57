"""A matrix of claims about nanoclaw-native: each cell is a scenario and what must come of it.

Whatever the cell, every request must be valid (valid.py), every turn must end in a result, and
the program must end by itself when its input ends."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../net"))

import tap
from agent import Ended, Place
from provider import Provider
from valid import faults

APIS = ("anthropic", "openai")
DONE = {"say": "All done."}


def effect(word):
    """A call whose effect can be counted."""
    return {"use": "bash", "input": {"command": "echo %s >>effects" % word}}


class Outcome:
    """Of a cell: its turns, the requests, and what the calls did."""

    def __init__(self, cell, place, provider):
        self.cell, self.place, self.provider, self.turns = cell, place, provider, []

    @property
    def requests(self):
        return self.provider.bodies()

    @property
    def effects(self):
        return (self.place.read("effects") or "").split()

    @property
    def turn(self):
        return self.turns[-1]

    @property
    def text(self):
        return self.turn.text

    def messages(self, number=-1):
        return self.requests[number]["messages"]

    def results(self, number=-1):
        """Texts of the tool results in a request."""
        if self.cell.api == "openai":
            return [m["content"] for m in self.messages(number) if m["role"] == "tool"]
        texts = []
        for message in self.messages(number):
            for block in message["content"] if isinstance(message["content"], list) else []:
                if block["type"] == "tool_result":
                    content = block.get("content", "")
                    texts.append(content if isinstance(content, str) else "".join(
                        part.get("text", "") for part in content))
        return texts

    def describe(self):
        lines = ["turn: %s%s" % ("error: " if turn.is_error else "", turn.text)
                 for turn in self.turns]
        lines += ["effects: %s" % self.effects, "%d requests" % len(self.requests)]
        if self.requests:
            lines.append("the last: " + json.dumps(self.messages()[-6:], ensure_ascii=False)[:3000])
        return "\n".join(lines)


class Cell:
    """`answers` are those of the provider; `check` takes the outcome, and is true if it is right.

    `steps` are the turns: texts, or functions of the outcome and the running agent."""

    def __init__(self, name, api, answers, check, steps=("Go on.",), env=None, after=None,
                 unix=False):
        self.name, self.api, self.answers, self.check = name, api, answers, check
        self.steps, self.env, self.after, self.unix = steps, env or {}, after, unix
        self.seen = lambda body: None  # is given every request

    def run(self, program):
        """What is wrong, or nothing."""
        make = Provider.on_socket if self.unix else Provider
        provider = make(self.answers, self.after)
        place = Place(program, provider.address, self.api, **self.env)
        outcome = Outcome(self, place, provider)
        try:
            return self.judge(outcome, place.start())
        except Exception as error:  # a cell that breaks is a cell that fails
            return "%s: %s\n%s" % (type(error).__name__, error, outcome.describe())
        finally:
            for body in provider.bodies():
                self.seen(body)
            provider.close()
            place.close()

    def judge(self, outcome, agent):
        try:
            for step in self.steps:
                if callable(step):
                    agent = step(outcome, agent) or agent
                else:
                    outcome.turns.append(agent.turn(step))
        except Ended:
            agent.kill()
            raise
        except Exception:
            agent.kill()
            raise
        code = agent.close()
        wrong = ["request %d: %s" % (number, fault)
                 for number, body in enumerate(outcome.requests)
                 for fault in faults(self.api, body)]
        if code:
            wrong.append("exit code %d: %s" % (code, agent.errors.decode("utf-8", "replace")))
        if not self.check(outcome):
            wrong.append("the outcome is wrong")
        return "\n".join(wrong) + "\n" + outcome.describe() if wrong else ""


def resume(**environment):
    """A step: the program ends, and a new one continues the session."""
    def step(outcome, agent):
        agent.close()
        return outcome.place.start(resume=agent.session, **environment)
    return step


def run_all(cells, program, threads=6):
    """In TAP; the exit code."""
    with ThreadPoolExecutor(threads) as pool:
        for cell, wrong in zip(cells, pool.map(lambda cell: cell.run(program), cells)):
            tap.result(not wrong, "%s: %s" % (cell.api, cell.name), wrong)
    return tap.end()
