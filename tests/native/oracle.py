"""oracle.py PROGRAM [MESSAGES]: what the vendors' own programs say to it. In TAP.

Random messages are read by the SDKs and by nanoclaw-native, from the same bytes; requests are
literals of the SDKs' types; and aimock is a provider that others have written. NODE_MODULES has
the packages."""

import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../shipped"))

import faults as fault_matrix
import quirks
from agent import Place
from matrix import APIS, tap
from provider import Provider
from typescript import check

SEED = 29
LETTERS = "ab \n\"\\{}[]:,\u00e9\u20ac\U0001f600\u2028</\t"


# --- messages -----------------------------------------------------------------

def random_text(rng, least):
    return "".join(rng.choices(LETTERS, k=rng.randrange(least, 60)))


def random_value(rng, depth=0):
    kind = rng.randrange(7 if depth < 3 else 5)
    if kind == 5:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(3))]
    if kind == 6:
        return {random_text(rng, 1): random_value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return (random_text(rng, 0), rng.randrange(10 ** 6), True, None, rng.random())[kind]


def random_answer(rng, api):
    """Texts, thinking, and calls of a tool that is not there: it only has to be read."""
    blocks = []
    if api == "anthropic" and rng.random() < .4:
        blocks.append({"think": random_text(rng, 1), "signature": "c2ln%d=" % rng.randrange(99)})
    blocks.append({"say": "x" + random_text(rng, 1) + "x"})
    blocks += [{"use": "missing_%d" % number, "id": "call_%d_%d" % (number, rng.randrange(10 ** 9)),
                "input": {"a": random_value(rng)} if rng.random() < .8 else {}}
               for number in range(rng.choice((0, 0, 1, 1, 2, 3)))]
    return {"blocks": blocks, "usage": [rng.randrange(1, 9999), rng.randrange(1, 999)],
            "end": rng.choice(("chunked", "length", "close")),
            "newline": rng.choice(("\n", "\r\n"))}


def read_by_sdk(answers, api):
    provider = Provider(answers)
    done = subprocess.run(["node", os.path.join(HERE, "sdk.mjs"), str(provider.port),
                           str(len(answers)), api],
                          capture_output=True, text=True, timeout=600, check=False)
    provider.close()
    if done.returncode:
        raise AssertionError(done.stderr)
    return [json.loads(line) for line in done.stdout.strip().split("\n")]


def read_by_us(program, answer, api):
    provider = Provider([answer], after=dict(blocks=[{"say": "The end."}], usage=[1, 1]))
    place = Place(program, provider.address, api)
    turn = place.ask("Go on.")
    usage = turn.result["usage"]
    first = [block["text"] for block in turn.blocks("text") if block["text"] != "The end."]
    read = {"text": "".join(text for text in first if text != "Go on."),
            "calls": [list(call) for call in turn.calls], "thinking": [],
            "usage": [usage[name] - (len(provider.requests) - 1)
                      for name in ("input_tokens", "output_tokens")]}
    if api == "anthropic" and turn.calls:
        read["thinking"] = [[block["thinking"], block["signature"]]
                            for message in provider.bodies()[1]["messages"]
                            for block in message["content"] if isinstance(block, dict) and
                            block["type"] == "thinking"]
    place.close()
    provider.close()
    return read


def test_messages(program, count):
    rng = random.Random(SEED)
    print("# seed %d" % SEED)
    for api in APIS:
        answers = [random_answer(rng, api) for _ in range(count)]
        wrong = []
        for answer, expected in zip(answers, read_by_sdk(answers, api)):
            got = read_by_us(program, dict(answer, split=None), api)
            if not got["calls"]:
                got["thinking"] = expected["thinking"]  # not sent again
            if got != expected:
                wrong.append("%s\n  the SDK: %s\n  we: %s" % (answer, expected, got))
        tap.result(not wrong, "%s: %d random messages are what the SDK reads" % (api, count),
                   "\n".join(wrong[:3]))


# --- types --------------------------------------------------------------------

TYPES = {
    "anthropic": ('import type Anthropic from "@anthropic-ai/sdk";',
                  "Anthropic.MessageCreateParamsStreaming"),
    "openai": ('import type OpenAI from "openai";',
               "OpenAI.ChatCompletionCreateParamsStreaming"),
}
# Of servers that have more than OpenAI.
EXTENSIONS = ("reasoning_content", "reasoning", "reasoning_text", "reasoning_details",
              "extra_content")


def plain(value):
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items() if name not in EXTENSIONS}
    return value


def literals(api, bodies):
    """Long parts that are the same are written once."""
    header, kind = TYPES[api]
    yield header
    known = {}
    for number, body in enumerate(bodies):
        fields = []
        for name, value in body.items():
            if name != "messages":
                text = json.dumps(plain(value))
                if text not in known:
                    known[text] = "%s_part%d" % (api, len(known))
                    yield 'const %s: NonNullable<%s["%s"]> = %s;' % (known[text], kind, name, text)
                fields.append("%s: %s" % (name, known[text]))
            else:
                fields.append("messages: %s" % json.dumps(plain(value)))
        yield "export const %s%d: %s = {%s};" % (api, number, kind, ", ".join(fields))


def test_types(program):
    bodies = {api: {} for api in APIS}
    cells = [cell for _, cell in quirks.cells] + fault_matrix.cells
    for cell in cells:
        cell.seen = lambda body, api=cell.api: bodies[api].setdefault(json.dumps(body), body)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda cell: cell.run(program), cells))
    lines = [line for api in APIS for line in literals(api, bodies[api].values())]
    wrong = next(line for line in reversed(lines) if '"role": "user"' in line)
    wrong = re.sub(r"const \w+", "const wrong", wrong.replace('"role": "user"', '"role": "usr"'))
    done = check(os.environ["NODE_MODULES"], lines, wrong)
    tap.result(done.returncode == 0 and all(bodies.values()),
               "%s requests have the types of the SDKs, and a wrong role would be noticed" %
               " and ".join("%d" % len(bodies[api]) for api in APIS), done.stdout[:3000])


# --- aimock -------------------------------------------------------------------

def test_aimock(program):
    mock = subprocess.Popen(["node", os.path.join(HERE, "aimock.mjs")], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)
    port = int(mock.stdout.readline())
    for api in APIS:
        place = Place(program, "tcp:127.0.0.1:%d" % port, api)
        for said, answer, effects in (
                ("count files", "There is one.", ["one"]), ("both", "There are two.", ["one", "two"]),
                ("think", "Forty-two.", []), ("overload", "Here again.", []),
                ("cut", "The whole answer.", [])):
            place.write("effects", "")
            turn = place.ask(said)
            got = (turn.text, sorted(place.read("effects").split()))
            tap.result(got == (answer, effects), "%s: aimock, '%s'" % (api, said), got)
        place.close()
    mock.stdin.close()
    mock.wait(60)
    mock.stdout.close()


if __name__ == "__main__":
    test_messages(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20)
    test_aimock(sys.argv[1])
    test_types(sys.argv[1])
    sys.exit(tap.end())
