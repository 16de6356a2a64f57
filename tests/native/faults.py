"""faults.py PROGRAM [all]: what can go wrong between the program and a server. In TAP.

Streams are cut at every byte ('all'), or at a few: an answer that is not whole is asked for again,
and neither shown nor executed."""

import json
import re
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate

from agent import Place
from matrix import APIS, DONE, Cell, effect, run_all, tap
from provider import Provider, wire
from valid import faults as request_faults

FRAMES = ("chunked", "length", "close")
TURNS = 30  # of one session, with a cut in each
STRIDE = 61

# An answer is whole once this event has come, up to its blank line. OpenAI's protocol has servers
# without '[DONE]': if the end of the connection ends the body, the stop reason and that end do.
WHOLE = {"anthropic": rb'data: {"type": "message_stop"}\n\n', "openai": rb"data: \[DONE\]\n\n"}
STOP_REASON = rb'"finish_reason": "[a-z_]+".*\n\n'


def whole_from(api, answer):
    """The first byte at which a cut leaves a whole answer."""
    by_close = api == "openai" and answer["end"] == "close"
    return re.search(STOP_REASON if by_close else WHOLE[api], wire(answer, api)).end()


# --- cuts ---------------------------------------------------------------------

def cut_turn(place, provider, agent, answer, at, whole):
    """What is wrong after an answer that is cut at a byte."""
    before = len(provider.requests)
    place.write("effects", "")
    provider.answers = [dict(answer, cut=at), {"say": "The second one.", "usage": answer["usage"]}]
    turn = agent.turn("Go on.")
    asked, effects = len(provider.requests) - before, place.read("effects").split()
    if "use" in answer:
        right = ("The second one.", 2, ["ran"] if whole else [])
    else:
        right = ("The first one.", 1, []) if whole else ("The second one.", 2, [])
    if not turn.is_error and (turn.text, asked, effects) == right:
        return ""
    return "after %d requests: '%s', effects %s" % (asked, turn.text, effects)


def cut_at(program, api, answer, cuts):
    provider = Provider()
    place = Place(program, provider.address, api)
    agent = place.start()
    try:
        data = wire(answer, api)
        end = whole_from(api, answer)
        for at in cuts:
            wrong = cut_turn(place, provider, agent, answer, at, at >= end)
            wrong = wrong or "; ".join(request_faults(api, provider.bodies()[-1]))
            if wrong:
                return "cut at byte %d of %d: %s" % (at, len(data), wrong)
        return ""
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)
    finally:
        agent.kill()
        provider.close()
        place.close()


def test_cuts(program, stride):
    with ThreadPoolExecutor(6) as pool:
        for api in APIS:
            for kind, answer in (("a text", {"say": "The first one."}), ("a call", effect("ran"))):
                for end in FRAMES:
                    answer = dict(answer, end=end, usage=[5000, 10])
                    cuts = list(range(0, len(wire(answer, api)), stride))
                    parts = [cuts[at:at + TURNS] for at in range(0, len(cuts), TURNS)]
                    wrong = [each for each in pool.map(
                        lambda part, a=api, w=answer: cut_at(program, a, w, part), parts) if each]
                    tap.result(not wrong, "%s: %s that is cut at %s byte (%s) is asked for again" % (
                        api, kind, "every" if stride == 1 else "any", end), "\n".join(wrong))


# --- cells --------------------------------------------------------------------

cells = []


def cell(name, api, answers, check, **named):
    cells.append(Cell(name, api, answers, check, **named))


def again(outcome):
    return outcome.text == "All done." and not outcome.turn.is_error and len(outcome.requests) == 2


def gives_up(outcome):
    """After six more attempts."""
    return not outcome.turn.is_answered and len(outcome.requests) == 7 and outcome.text


def waits_long(outcome):
    """Overload passes: the person hears of it once, and ten more attempts are made."""
    notes = [block for block in outcome.turn.blocks("text") if "overloaded" in block["text"]]
    return not outcome.turn.is_answered and len(outcome.requests) == 11 and len(notes) == 1


def at_once(words):
    """Only a person can fix it, and the text says how: repeating the turn would not help."""
    return lambda outcome: outcome.turn.is_final and len(outcome.requests) == 1 and \
        re.search(words, outcome.text)


for api in APIS:
    for end in FRAMES:
        cell("a text that comes byte by byte (%s)" % end, api, [dict(DONE, split=1, end=end)],
             lambda o: o.text == "All done." and len(o.requests) == 1 and
             o.turn.partial == "All done.", unix=True)
        cell("a call that comes byte by byte (%s)" % end, api,
             [dict(effect("ran"), split=1, end=end), DONE],
             lambda o: o.effects == ["ran"] and len(o.requests) == 2, unix=True)
    for size in (2, 3, 7):
        cell("letters that are split, %d bytes at a time" % size, api,
             [{"say": "\u00e4\u20ac\U0001f600" * 5, "split": size}],
             lambda o: o.text == o.turn.partial == "\u00e4\u20ac\U0001f600" * 5, unix=True)

    # Overload, and errors of servers.
    for status, words, kind in ((408, "timed out", "timeout_error"),
                                (429, "slow down", "rate_limit_error"),
                                (500, "internal server error", "api_error"),
                                (502, "bad gateway", "api_error"),
                                (503, "overloaded", "overloaded_error"),
                                (504, "gateway timeout", "api_error"),
                                (529, "overloaded", "overloaded_error")):
        body = {"error": words, "kind": kind}
        cell("%d is tried again" % status, api, [{"status": status, **body}, DONE], again)
        cell("%d for ever ends in an error" % status, api, [],
             waits_long if status in (429, 503, 529) else gives_up,
             after={"status": status, **body})
        for name, headers in (("retry-after in seconds", {"retry-after": "0"}),
                              ("retry-after as a date", {"retry-after": formatdate(0, usegmt=True)}),
                              ("retry-after that is no time", {"retry-after": "soon"})):
            cell("%d with %s is tried again" % (status, name), api,
                 [{"status": status, "headers": headers, **body}, DONE], again)
    cell("500 that asks for a day of patience is tried again in a minute", api,
         [{"status": 500, "error": "internal server error", "headers": {"retry-after": "86400"}},
          DONE], again)
    cell("502 with a page of HTML is tried again", api,
         [{"status": 502, "body": "<html><h1>502 Bad Gateway</h1></html>",
           "headers": {"Content-Type": "text/html"}}, DONE], again)
    cell("a time that is too long to wait is an error that says so", api, [],
         lambda o: o.turn.is_final and len(o.requests) == 1 and "1440 minutes" in o.text,
         after={"status": 429, "error": "rate limited", "headers": {"retry-after": "86400"}})
    cell("five minutes are not called six", api, [],
         lambda o: o.turn.is_final and "in 5 minutes" in o.text,
         after={"status": 429, "error": "rate limited", "headers": {"retry-after": "300"}})

    # Errors that waiting does not mend.
    for status, words, error in (
            (401, "key", {"error": "invalid x-api-key", "kind": "authentication_error"}),
            (403, "key|allow|permi", {"error": "not allowed", "kind": "permission_error"}),
            (404, "model", {"error": "model: played", "kind": "not_found_error"}),
            (400, "strange words", {"error": "strange words"}),
            (402, "credit|pay|quota|money", {"error": "Insufficient credits"}),
            (429, "quota|credit", {"error": "You exceeded your current quota, please check your "
                                            "plan and billing details.",
                                   "kind": "insufficient_quota", "code": "insufficient_quota"}),
            (400, "credit|quota", {"error": "Your credit balance is too low to access the API."})):
        cell("%d '%s' is an error at once, in plain words" % (status, error["error"][:30]), api, [],
             at_once(words), after={"status": status, **error})
    cell("a key that is mended: the next turn works", api,
         [{"status": 401, "error": "invalid x-api-key"}, DONE],
         lambda o: "key" in o.turns[0].text and o.text == "All done.",
         steps=("Go on.", "And now?"))

    # Connections.
    cell("a connection that is reset in the middle", api, [dict(DONE, reset=-150), DONE], again)
    cell("a connection that is reset at once", api, [dict(DONE, reset=0), DONE], again)
    cell("a connection that closes for ever", api, [], gives_up, after=dict(DONE, cut=0))
    cell("a call that is cut for ever is never run", api, [],
         lambda o: gives_up(o) and not o.effects, after=dict(effect("ran"), cut=-160))

    def stall(outcome, agent):
        agent.send("Go on.")
        outcome.provider.wait_for(lambda p: p.stalled)
        outcome.provider.go()
        outcome.turns.append(agent.rest())

    cell("a stream that stalls and goes on", api, [dict(DONE, stall=-150)],
         lambda o: o.text == "All done." and len(o.requests) == 1, steps=(stall,), unix=True)
    cell("a stream that stalls for too long is asked for again", api,
         [dict(effect("ran"), stall=-150), DONE],
         lambda o: again(o) and not o.effects, env={"NANOCLAW_STALL_MS": "300"}, unix=True)
    cell("a server that takes the request and says nothing", api,
         [dict(DONE, stall=0), DONE], again, env={"NANOCLAW_STALL_MS": "300"}, unix=True)

    # Garbage.
    for name, answer in (
            ("an empty body", {"body": ""}),
            ("an empty stream", {"events": []}),
            ("a page of HTML", {"body": "<html>welcome</html>",
                                "headers": {"Content-Type": "text/html"}}),
            ("JSON of something else", {"body": {"hello": "world"}}),
            ("JSON that is cut", {"body": '{"id": "x", "choices": [{'}),
            ("a stream of something else", {"events": [{"hello": "world"}, "[DONE]"]}),
            ("a stream of numbers and texts", {"events": ["7", '"x"', "null", "[]", "[DONE]"]}),
            ("a stream of broken JSON", {"events": ['{"type": "mess', "[DONE]"]}),
            ("deltas without a beginning", {"events": [
                {"type": "content_block_delta", "index": 5,
                 "delta": {"type": "text_delta", "text": "x"}}, {"type": "message_stop"}]}),
            ("fields of wrong types", {"events": [
                {"type": "message_start", "message": 7}, {"type": 9},
                {"choices": {"delta": 1}}, {"choices": [7]}, {"choices": [{"delta": []}]},
                {"choices": [{"delta": {"tool_calls": {"index": "x"}}}]},
                {"choices": [{"delta": {"tool_calls": [7, {"index": -1, "function": 3}]}}]},
                "[DONE]"]}),
            ("indexes that are huge", {"events": [
                {"type": "content_block_start", "index": 10 ** 15,
                 "content_block": {"type": "text", "text": ""}},
                {"choices": [{"delta": {"tool_calls": [{"index": 10 ** 15, "id": "a"}]}}]},
                "[DONE]"]}),
            ("an event of 9 MB that is none", {"events": ["x" * 9000000, "[DONE]"]}),
            ("a redirect", {"status": 302, "headers": {"Location": "http://127.0.0.1/"},
                            "body": ""}),
            ("no content", {"status": 204, "body": "", "end": "length"}),
            ("a wrong length", {"say": "x", "end": "length", "headers": {"Content-Length": "-7"}}),
            ("a transfer encoding that nobody knows",
             {"say": "x", "end": "close", "headers": {"Transfer-Encoding": "rot13"}}),
            ("a head of a megabyte", {"say": "x", "headers": {"x": "y" * 1000000}}),
    ):
        cell("%s is no answer" % name, api, [],
             lambda o: not o.turn.is_answered and len(o.requests) < 12 and o.text, after=answer)
        cell("%s, and then an answer" % name, api, [answer, DONE],
             lambda o: o.text == "All done." and len(o.requests) == 2)


def test_no_server(program):
    """No server: a port that is bound without a listener, and a path without a socket."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        for api in APIS:
            for name, address in (("a closed port", "tcp:127.0.0.1:%d" % held.getsockname()[1]),
                                  ("no socket", "/nonexistent/api.sock")):
                place = Place(program, address, api)
                turn = place.ask("Go on.")
                tap.result("the test's provider" in turn.text and turn.is_final,
                           "%s: %s is an error that names the provider" % (api, name), turn.text)
                place.close()


def test_settings(program):
    """Settings that are missing or wrong are an error that names them."""
    provider = Provider(after=DONE)
    for name, value in (("NANOCLAW_MODEL", ""), ("NANOCLAW_API", "telepathy"),
                        ("NANOCLAW_API_SOCKET", "")):
        place = Place(program, provider.address)
        place.environment[name] = value
        turn = place.ask("Go on.")
        tap.result(re.search(name + "|model|API", turn.text) and turn.is_final and
                   not provider.requests, "a wrong %s is an error that says so" % name, turn.text)
        place.close()
    provider.close()


if __name__ == "__main__":
    test_cuts(sys.argv[1], 1 if "all" in sys.argv[2:] else STRIDE)
    test_no_server(sys.argv[1])
    test_settings(sys.argv[1])
    sys.exit(run_all(cells, sys.argv[1]))
