"""histories.py PROGRAM [COUNT [SEED]]: any log gives valid requests for both APIs. In TAP.

Logs are random: records in any order, with fields missing, doubled or of other types, ids that
nobody gave, lines that are cut or no JSON. The session must go on: its requests are valid, and
the turn is answered."""

import json
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor

from agent import Place
from matrix import APIS, DONE, tap
from provider import Provider
from valid import faults

TEXTS = ("Hello.", "", " \n", "\u00e9\u20ac\U0001f600", "x" * 5000, "\u2028</s>\x7f", "\u0000",
         "Go on.")
IDS = ["%09d" % number for number in range(6)] + ["", "toolu_1234567890", "a b"]
IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"


def block(rng):
    return rng.choice((
        lambda: {"type": "text", "text": rng.choice(TEXTS)},
        lambda: {"type": "tool_use", "id": rng.choice(IDS), "name": rng.choice(
            ("bash", "read", "gone", "", "no name!", "x" * 80)),
                 "input": rng.choice(({"command": "ls"}, {}, None, [], "x"))},
        lambda: {"type": "tool_use", "id": rng.choice(IDS), "name": "bash", "input": {},
                 "broken": "it was cut"},
        lambda: {"type": "thinking", "thinking": rng.choice(TEXTS), "signature": "c2ln"},
        lambda: {"type": "redacted_thinking", "data": "c2ln"},
        lambda: {"type": "reasoning", "field": "reasoning_content", "text": rng.choice(TEXTS)},
        lambda: {"type": "reasoning", "field": "reasoning_details", "value": [{"text": "x"}]},
        lambda: {"type": "unheard_of", "x": 1},
        lambda: 7,
    ))()


def record(rng):
    kind = rng.choice(("turn", "turn", "answer", "answer", "answer", "run", "result", "result",
                       "result", "end", "end", "prune", "summary", "learned", "other"))
    if kind == "turn":
        return {"type": "turn", "text": rng.choice(TEXTS)}
    if kind == "answer":
        return {"type": "answer", "content": [block(rng) for _ in range(rng.randrange(4))],
                "api": rng.choice(APIS), "model": rng.choice(("played", "another")),
                "usage": {"input": 100, "output": 10}, "estimate": 90}
    if kind == "run":
        return {"type": "run", "id": rng.choice(IDS)}
    if kind == "result":
        made = {"type": "result", "id": rng.choice(IDS), "text": rng.choice(TEXTS),
                "is_error": rng.random() < .2}
        if rng.random() < .2:
            made.update(image_type="image/png", image=IMAGE)
        return made
    if kind == "prune":
        return {"type": "prune", "ids": rng.choices(IDS, k=rng.randrange(4))}
    if kind == "summary":
        return {"type": "summary", "from": rng.choice((0, 1, 2, 5, 1000, -1)),
                "text": rng.choice(TEXTS)}
    if kind == "learned":
        return {"type": "learned", "window": rng.choice((0, 8000, -5, 10 ** 15)),
                "quirks": {"no_limit": rng.random() < .5}}
    return {"type": kind, "text": rng.choice(TEXTS)}


def likely(rng):
    """A session as the program would have written it, which ends anywhere."""
    number = 0
    for _ in range(rng.randrange(1, 5)):
        yield {"type": "turn", "text": rng.choice(TEXTS[:1] + TEXTS[3:])}
        for _ in range(rng.randrange(4)):
            calls = ["%09d" % (number + i) for i in range(rng.randrange(1, 4))]
            number += len(calls)
            yield {"type": "answer", "api": rng.choice(APIS), "model": "played", "content": [
                {"type": "text", "text": "Let me see."}] * (rng.random() < .5) + [
                {"type": "tool_use", "id": call, "name": "bash", "input": {}} for call in calls]}
            for call in calls:
                yield {"type": "run", "id": call}
                yield {"type": "result", "id": call, "text": rng.choice(TEXTS)}
        yield {"type": "answer", "api": "openai", "model": "played",
               "content": [{"type": "text", "text": "Yes."}]}
        yield {"type": "end", "text": "Yes."}


def damage(rng, records):
    """Some are left out, doubled, exchanged, or lose a field."""
    records = [json.loads(json.dumps(each)) for each in records]
    for _ in range(rng.randrange(4)):
        if not records:
            break
        at = rng.randrange(len(records))
        kind = rng.randrange(5)
        if kind == 0:
            del records[at]
        elif kind == 1:
            records.insert(rng.randrange(len(records)), records[at])
        elif kind == 2:
            records[at:at] = [record(rng)]
        elif kind == 3:
            records[at].pop(rng.choice(list(records[at]) or [None]), None)
        else:
            name = rng.choice(list(records[at]) or ["type"])
            records[at][name] = rng.choice((None, 7, [], {}, "x", True, -1))
    return records


def make_log(rng):
    if rng.random() < .5:
        records = [record(rng) for _ in range(rng.randrange(25))]
    else:
        records = list(likely(rng))
        records = damage(rng, records[:rng.randrange(1, len(records) + 1)])
    lines = [json.dumps(each).encode() for each in records]
    if rng.random() < .2:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(
            (b"", b"{", b"[]", b"\xff\xfe", b"null", b'{"type": "turn"', b"\0" * 20)))
    log = b"".join(line + b"\n" for line in lines)
    return log[:-rng.randrange(1, 20)] if rng.random() < .2 and len(log) > 20 else log


def try_log(program, api, log, calls):
    def answer(request):
        """First calls; with more tokens than anybody guesses, so that nothing seems to be cut off."""
        said = DONE if len(provider.requests) >= calls else \
            {"use": "bash", "input": {"command": "true"}}
        return dict(said, usage=[len(request.bytes), 10])
    provider = Provider(after=answer)
    place = Place(program, provider.address, api, NANOCLAW_VISION="1")
    folder = place.home + "/.claude/native"
    os.makedirs(folder)
    with open(folder + "/0123-random.jsonl", "wb") as file:
        file.write(log)
    try:
        agent = place.start(resume="0123-random")
        turns = [agent.turn("Hello again."), agent.turn("And now?")]
        code = agent.close()
        for body in provider.bodies():
            wrong = faults(api, body)
            if wrong:
                return "%s\n%s" % (wrong, json.dumps(body["messages"])[:3000])
        if code or [turn.text for turn in turns] != ["All done."] * 2:
            return "%s, exit code %d %s" % ([turn.text for turn in turns], code, agent.errors)
        return ""
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)
    finally:
        provider.close()
        place.close()


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 29
    print("# seed %d" % seed)
    for api in APIS:
        logs = [(number, make_log(random.Random("%d %d" % (seed, number))))
                for number in range(count)]
        with ThreadPoolExecutor(4) as pool:
            tried = pool.map(lambda each, a=api: try_log(program, a, each[1], each[0] % 3), logs)
            wrong = ["log %d: %s\n%s" % (number, why, log.decode("utf-8", "replace")[:3000])
                     for (number, log), why in zip(logs, tried) if why]
        tap.result(not wrong, "%s: %d random logs give valid requests" % (api, count),
                   "%d of them do not\n%s" % (len(wrong), "\n".join(wrong[:2])))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
