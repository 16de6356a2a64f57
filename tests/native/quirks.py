"""quirks.py PROGRAM [NUMBER…]: what servers do otherwise than the two references say. In TAP.

Each cell plays one quirk, in the answer or in what the server refuses, and looks at what the
program made of it and at the requests that followed."""

import base64
import copy
import itertools
import json
import os
import re
import struct
import sys
import zlib

import shapes
from matrix import APIS, DONE, Cell, effect, resume, run_all
from shapes import anthropic_events, openai_chunk, openai_events

COMMAND = effect("ran")["input"]
ARGUMENTS = json.dumps(COMMAND)
USAGE = dict(openai_chunk({}), choices=[], usage=shapes.usage_of("openai", None))
PNG = b"\x89PNG\r\n\x1a\n" + b"".join(
    struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)),
                       (b"IDAT", zlib.compress(b"\0\xff\0\0")), (b"IEND", b"")))

cells = []


def cell(number, name, api, answers, check, **named):
    cells.append((number, Cell("quirk %d: %s" % (number, name), api, answers, check, **named)))


def stream(*deltas, finish="tool_calls", tail=(USAGE, "[DONE]"), **how):
    return {"events": [openai_chunk({"role": "assistant"})] + [openai_chunk(d) for d in deltas] +
            [openai_chunk({}, finish)] + list(tail), **how}


def call(arguments=ARGUMENTS, name="bash", **more):
    """A piece of a call; `None` leaves a field out."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments))
                if value is not None}
    return {"tool_calls": [dict({"type": "function", "function": function}, **more)]}


def ran_once(outcome):
    return outcome.effects == ["ran"] and outcome.text == "All done." and len(outcome.requests) == 2


def ran_one_two(outcome):
    return sorted(outcome.effects) == ["one", "two"] and outcome.text == "All done."


def not_run(outcome):
    """The call was refused, the model got the reason and continued."""
    return not outcome.effects and outcome.text == "All done." and not outcome.turn.is_error


def command(word):
    return json.dumps(effect(word)["input"])


HALF = len(ARGUMENTS) // 2

# --- 1 to 2: calls in pieces --------------------------------------------------

for name, deltas in (
        ("a whole call without an index", [call(id="a1")]),
        ("pieces without an index, the later ones without an id",
         [call("", id="a1"), call(ARGUMENTS[:HALF], None), call(ARGUMENTS[HALF:], None)]),
        ("pieces without an index, each with the id",
         [call(ARGUMENTS[:HALF], id="a1"), call(ARGUMENTS[HALF:], None, id="a1")]),
        ("an index that does not begin at 0",
         [call(ARGUMENTS[:HALF], id="a1", index=3), call(ARGUMENTS[HALF:], None, index=3)]),
        ("an index of null", [call(id="a1", index=None)]),
):
    cell(1, name, "openai", [stream(*deltas), DONE], ran_once)

ONE, TWO = command("one"), command("two")
for name, deltas in (
        ("two whole calls without an index", [call(ONE, id="a1"), call(TWO, id="a2")]),
        ("two whole calls in one delta, without an index",
         [{"tool_calls": call(ONE, id="a1")["tool_calls"] + call(TWO, id="a2")["tool_calls"]}]),
        ("two calls, interleaved by index",
         [call("", id="a1", index=0), call("", id="a2", index=1),
          call(ONE[:9], None, index=0), call(TWO[:9], None, index=1),
          call(TWO[9:], None, index=1), call(ONE[9:], None, index=0)]),
        ("two calls, interleaved by id without an index",
         [call(ONE[:9], id="a1"), call(TWO[:9], id="a2"),
          call(ONE[9:], None, id="a1"), call(TWO[9:], None, id="a2")]),
        ("two calls of one index with two ids",
         [call(ONE, id="a1", index=0), call(TWO, id="a2", index=0)]),
        ("two whole calls without an id", [call(ONE, index=0), call(TWO, index=1)]),
        ("two whole calls without an id or an index", [call(ONE), call(TWO)]),
):
    cell(1, name, "openai", [stream(*deltas), DONE], ran_one_two)

for name, deltas in (
        ("arguments before the name",
         [call(ARGUMENTS[:HALF], None, index=0), call(ARGUMENTS[HALF:], None, index=0),
          call(None, id="a1", index=0)]),
        ("a whole call in one delta", [call(id="a1", index=0)]),
        ("arguments as an object", [call(COMMAND, id="a1", index=0)]),
        ("later pieces with an empty name and id",
         [call("", id="a1", index=0), call(ARGUMENTS, "", index=0, id="")]),
        ("the name again in each piece",
         [call(ARGUMENTS[:HALF], id="a1", index=0), call(ARGUMENTS[HALF:], id="a1", index=0)]),
        ("a call with content of null beside it",
         [dict(call(id="a1", index=0), content=None)]),
        ("no type", [{"tool_calls": [{"index": 0, "id": "a1", "function": {
            "name": "bash", "arguments": ARGUMENTS}}]}]),
        ("blanks around the arguments", [call(" \n" + ARGUMENTS + "\n", id="a1", index=0)]),
):
    cell(2, name, "openai", [stream(*deltas), DONE], ran_once)

for name, delta in (
        ("arguments that are an empty text", call("", "glob", id="a1", index=0)),
        ("arguments of null", call(None, "glob", id="a1", index=0)),
        ("no arguments at all", {"tool_calls": [{"index": 0, "id": "a1", "type": "function",
                                                 "function": {"name": "glob"}}]}),
):
    cell(2, name + " are an empty object", "openai", [stream(delta), DONE],
         lambda o: o.turn.calls == [("glob", {})] and o.text == "All done.")
cell(2, "a call without arguments is an empty object", "anthropic",
     [{"use": "glob", "input": {}}, DONE],
     lambda o: o.turn.calls == [("glob", {})] and o.text == "All done.")

started = anthropic_events([effect("ran")])
started = [e for e in started if e["type"] != "content_block_delta"]
started[1] = copy.deepcopy(started[1])
started[1]["content_block"]["input"] = COMMAND
cell(2, "the whole input in the start of the block", "anthropic", [{"events": started}, DONE],
     ran_once)

# --- 3 to 4: content and reasoning --------------------------------------------

cell(3, "content as an array, with thinking", "openai",
     [stream({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}]},
             {"content": [{"type": "text", "text": "All "}]}, {"content": "done."}, finish="stop")],
     lambda o: o.text == "All done." and o.turn.partial == "All done.")
cell(3, "an array with thinking before a call", "openai",
     [stream({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}]},
             call(id="a1", index=0)), DONE], ran_once)

REASONING = {
    "reasoning_content": "Deep thought.",
    "reasoning": "Deep thought.",
    "reasoning_text": "Deep thought.",
    "reasoning_details": [{"type": "reasoning.text", "text": "Deep thought.", "index": 0}],
}
for name, value in REASONING.items():
    cell(4, "'%s' is not part of the answer" % name, "openai",
         [stream({name: value}, {"content": "All done."}, finish="stop")],
         lambda o: o.text == "All done." and o.turn.partial == "All done.")
    cell(4, "'%s' before a call" % name, "openai",
         [stream({name: value, "content": ""}, call(id="a1", index=0)), DONE], ran_once)
cell(4, "two of them at once", "openai",
     [stream({"reasoning": "Deep", "reasoning_content": "Deep"},
             {"reasoning": " thought.", "reasoning_details": REASONING["reasoning_details"]},
             {"content": "All done."}, finish="stop"), {"say": "Again."}],
     lambda o: o.turns[0].text == "All done." and
     "DeepDeep" not in json.dumps(o.messages()) and o.text == "Again.",
     steps=("Go on.", "And now?"))
cell(4, "only reasoning is no answer", "openai",
     [stream({"reasoning_content": "Deep thought."}, finish="stop"), DONE],
     lambda o: o.text == "All done." and len(o.requests) == 2)
cell(4, "thinking is not part of the answer", "anthropic",
     [{"blocks": [{"think": "Deep thought."}, DONE]}],
     lambda o: o.text == "All done." and o.turn.partial == "All done.")

# --- 5: the reason why it ended -----------------------------------------------

for finish in ("stop", None, "end", "eos", "function_call", "tool_calls", "", "length"):
    cell(5, "whole calls with the reason %r" % finish, "openai",
         [stream(call(id="a1", index=0), finish=finish), DONE], ran_once)
for finish in ("stop", "end", "eos", "tool_calls", None):
    cell(5, "a text with the reason %r" % finish, "openai",
         [stream({"content": "All done."}, finish=finish)],
         lambda o: o.text == "All done." and len(o.requests) == 1)
for finish in ("tool_calls", "length", "stop", None):
    cell(5, "arguments that are cut are not run, whatever the reason: %r" % finish, "openai",
         [stream(call(ARGUMENTS[:-2], id="a1", index=0), finish=finish), DONE], not_run)
for stop in ("tool_use", "end_turn", "max_tokens", "pause_turn"):
    cell(5, "whole calls with the reason '%s'" % stop, "anthropic",
         [{"blocks": [effect("ran")], "stop": stop}, DONE], ran_once)
    cut = anthropic_events([effect("ran")], stop=stop)
    del cut[-4]
    cell(5, "arguments that are cut are not run, whatever the reason: '%s'" % stop, "anthropic",
         [{"events": cut}, DONE], not_run)
for api in APIS:
    cell(5, "a text that is cut by the limit is an answer that says so", api,
         [{"say": "A long story about", "stop": "max_tokens" if api == "anthropic" else "length"}],
         lambda o: re.search("A long story about.*limit", o.text, re.S) and len(o.requests) == 1)
cell(5, "an answer that pauses is continued, and both parts are the answer", "anthropic",
     [{"say": "All ", "stop": "pause_turn"}, {"say": "done", "stop": "pause_turn"}, {"say": "."}],
     lambda o: o.text == "All done." and len(o.requests) == 3)
cell(5, "an answer that pauses for ever ends", "anthropic", [],
     lambda o: o.text.startswith("All done.All done.") and not o.turn.is_error
     and len(o.requests) <= 20, after=dict(DONE, stop="pause_turn"))
cell(5, "a refusal is said", "anthropic",
     [{"events": [event for event in anthropic_events([DONE], stop="refusal")
                  if not event["type"].startswith("content")]}],
     lambda o: re.search("refus|declin", o.text), after={
         "events": [event for event in anthropic_events([DONE], stop="refusal")
                    if not event["type"].startswith("content")]})

# --- 6: errors in a stream, and lines of it -----------------------------------

for name, error in (
        ("an error", {"error": {"message": "upstream failed", "type": "server_error", "code": 502}}),
        ("an object 'error'", {"object": "error", "message": "engine died", "code": 500}),
        ("an error that is a text", {"error": "engine died"}),
):
    cell(6, name + " in a stream is tried again", "openai",
         [{"events": [openai_chunk({"content": "All d"}), error]}, DONE],
         lambda o: o.text == "All done." and len(o.requests) == 2)
    cell(6, name + " after a whole call: it is not run", "openai",
         [{"events": [openai_chunk(call(id="a1", index=0)), error]}, DONE],
         lambda o: o.text == "All done." and not o.effects)
for kind in ("overloaded_error", "api_error"):
    error = {"type": "error", "error": {"type": kind, "message": "Overloaded"}}
    cell(6, "'%s' in a stream is tried again" % kind, "anthropic",
         [{"events": anthropic_events([DONE])[:4] + [error]}, DONE],
         lambda o: o.text == "All done." and len(o.requests) == 2)
    cell(6, "'%s' after a whole call: it is not run" % kind, "anthropic",
         [{"events": anthropic_events([effect("ran")])[:-2] + [error]}, DONE],
         lambda o: o.text == "All done." and not o.effects)

for api in APIS:
    events = shapes.EVENTS[api]([effect("ran")])
    comments = [item for event in events for item in (": keep-alive", event)]
    cell(6, "comments between events", api, [{"events": comments}, DONE], ran_once)
    cell(6, "lines that end in CR LF", api, [{"blocks": [effect("ran")], "newline": "\r\n"}, DONE],
         ran_once)
    cell(6, "lines that end in CR", api, [{"blocks": [effect("ran")], "newline": "\r"}, DONE],
         ran_once)
    plain = "".join("data:%s\n\n" % (e if isinstance(e, str) else json.dumps(e)) for e in events)
    head = {"content-type": "text/event-stream"}
    cell(6, "no blank after 'data:', no names of events", api,
         [{"body": plain, "headers": {"Content-Type": "text/event-stream"}}, DONE], ran_once)
    cell(6, "a byte order mark, ids and retry lines", api,
         [{"body": "\ufeff" + plain.replace("\n\n", "\nid: 7\nretry: 5\n\n"),
           "headers": {"Content-Type": "text/event-stream"}}, DONE], ran_once)
    cell(6, "an event in several lines", api,
         [{"body": "".join("data: %s\n\n" % (e if isinstance(e, str) else
                                            json.dumps(e, indent=1).replace("\n", "\ndata: "))
                           for e in events),
           "headers": {"Content-Type": "text/event-stream"}}, DONE], ran_once)
    cell(6, "one object instead of a stream", api,
         [{"body": shapes.MESSAGES[api]([effect("ran")])}, DONE], ran_once)
cell(6, "a stream that ends without [DONE]", "openai",
     [stream(call(id="a1", index=0), tail=[USAGE]), DONE], ran_once)

# --- 7: usage -----------------------------------------------------------------


def usage(numbers, cached=0):
    """Input (cached tokens apart), output, and cached tokens of the turn."""
    def check(outcome):
        told = outcome.turn.result["usage"]
        return (told.get("input_tokens"), told.get("output_tokens"),
                told.get("cache_read_input_tokens", 0)) == (*numbers, cached)
    return check


REPORT = {"prompt_tokens": 321, "completion_tokens": 17, "total_tokens": 338}
TEXT = openai_chunk({"content": "All done."})
for name, events in (
        ("in a last chunk without choices", [openai_chunk({}, "stop"),
                                             dict(openai_chunk({}), choices=[], usage=REPORT)]),
        ("in a last chunk whose choices are null", [openai_chunk({}, "stop"),
                                                    dict(openai_chunk({}), choices=None,
                                                         usage=REPORT)]),
        ("in the chunk that finishes", [openai_chunk({}, "stop", usage=REPORT)]),
        ("as x_groq.usage", [openai_chunk({}, "stop", x_groq={"id": "r", "usage": REPORT})]),
        ("in the choice", [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop",
                                         "usage": REPORT}]}]),
        ("in every chunk, growing", [
            openai_chunk({"content": ""}, usage=dict(REPORT, completion_tokens=3)),
            openai_chunk({}, "stop", usage=REPORT)]),
        ("followed by null", [openai_chunk({}, "stop", usage=REPORT),
                              openai_chunk({}, None, usage=None)]),
):
    cell(7, "usage " + name, "openai", [{"events": [TEXT] + events + ["[DONE]"]}],
         usage((321, 17)))
for name, cached in (
        ("prompt_tokens_details.cached_tokens", {"prompt_tokens_details": {"cached_tokens": 300}}),
        ("prompt_cache_hit_tokens", {"prompt_cache_hit_tokens": 300,
                                     "prompt_cache_miss_tokens": 21}),
        ("cached_tokens", {"cached_tokens": 300}),
):
    cell(7, "cached tokens as " + name, "openai",
         [{"events": [TEXT, openai_chunk({}, "stop", usage=dict(REPORT, **cached)), "[DONE]"]}],
         usage((21, 17), 300))
cell(7, "no usage anywhere", "openai",
     [{"events": [TEXT, openai_chunk({}, "stop"), "[DONE]"]}],
     lambda o: o.text == "All done.")
late = anthropic_events([DONE], usage=(43, 2))
late[-2]["usage"].update(input_tokens=321, output_tokens=17, cache_read_input_tokens=300)
cell(7, "input tokens in the delta of the message stand", "anthropic", [{"events": late}],
     usage((321, 17), 300))
fresh = anthropic_events([DONE], usage=(43, 2))
fresh[0]["message"]["usage"].update(cache_read_input_tokens=300, cache_creation_input_tokens=20)
fresh[-2]["usage"].update(input_tokens=321, output_tokens=17, cache_read_input_tokens=0,
                          cache_creation_input_tokens=0)
cell(7, "a delta that says that nothing came from the cache stands", "anthropic",
     [{"events": fresh}], usage((321, 17)))
for api in APIS:
    cell(7, "the usage of a turn is that of all its requests", api,
         [dict(effect("ran"), usage=[100, 10]), dict(DONE, usage=[200, 20])], usage((300, 30)))

# --- 8: Anthropic's events ----------------------------------------------------

twice = anthropic_events([DONE])
cell(8, "message_start twice at the beginning", "anthropic",
     [{"events": twice[:1] + twice}], lambda o: o.text == "All done.")
cell(8, "message_start in the middle begins anew", "anthropic",
     [{"events": anthropic_events([{"say": "Lost"}])[:4] + twice}, DONE],
     lambda o: o.text == "All done.")
bare = copy.deepcopy(anthropic_events([effect("ran")]))
del bare[1]["content_block"]["input"]
cell(8, "a call that starts without input", "anthropic", [{"events": bare}, DONE], ran_once)
odd = anthropic_events([effect("ran")])
odd.insert(3, {"type": "weather", "temperature": 21})
odd.insert(4, {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta"}})
cell(8, "events and deltas of unknown types", "anthropic", [{"events": odd}, DONE], ran_once)

for name, blocks in (
        ("a blank one between them", [{"say": "All"}, {"say": " "}, {"say": "done."}]),
        ("blanks at their ends", [{"say": "\n"}, {"say": "All "}, {"say": "done."}])):
    cell(8, "texts that follow each other are one text, with " + name, "anthropic",
         [{"blocks": blocks}, {"say": "Yes."}],
         lambda o: o.turns[0].text.strip() == "All done." and o.turns[0].is_answered
         and "All done." in json.dumps(o.messages(-1)), steps=("Go on.", "Sure?"))
cell(8, "texts with a thought between them are two paragraphs", "anthropic",
     [{"blocks": [{"say": "One."}, {"think": "Hm"}, {"say": "Two."}]}],
     lambda o: o.text == "One.\n\nTwo.")

# --- 9: parameters that a server refuses --------------------------------------


def refuse(field, words):
    """Answers 400 with these words to a request with the field, and as usual to others."""
    def answer(request):
        if field in request.body:
            return {"status": 400, "error": words}
        return DONE
    return answer


for field, words in (
        ("max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. "
                       "Use 'max_completion_tokens' instead."),
        ("max_completion_tokens", "[{'type': 'extra_forbidden', 'loc': ('body', "
                                  "'max_completion_tokens'), 'msg': 'Extra inputs are not "
                                  "permitted'}]"),
        ("stream_options", "Unrecognized request argument supplied: stream_options"),
):
    cell(9, "'%s' is refused, and not sent again" % field, "openai", [],
         lambda o, field=field: [turn.text for turn in o.turns] == ["All done."] * 2 and
         len([body for body in o.requests if field in body]) <= 1,
         after=refuse(field, words), steps=("Go on.", "And now?"),
         env={"NANOCLAW_MAX_OUTPUT": "1000"})
cell(9, "tool_choice and num_ctx are not sent", "openai", [DONE],
     lambda o: not {"tool_choice", "num_ctx", "options"} & set(o.requests[0]))
for api in APIS:
    cell(9, "a cap of the output is sent", api, [DONE],
         lambda o: 1000 in (o.requests[0].get("max_tokens"),
                            o.requests[0].get("max_completion_tokens")),
         env={"NANOCLAW_MAX_OUTPUT": "1000"})
cell(9, "a model without tools is told in plain words", "openai",
     [], lambda o: o.turn.is_final and re.search("tools", o.text) and len(o.requests) == 1,
     after={"status": 400, "error": "registry.ollama.ai/library/x does not support tools"})

# --- 10: ids of calls ---------------------------------------------------------

for api in APIS:
    # The form of the ids is checked in every request.
    for name, ids in (("long ones", ["call_" + "x" * 60 + "1", "call_" + "x" * 60 + "2"]),
                      ("the same one twice", ["a1", "a1"]),
                      ("empty ones", ["", ""]),
                      ("ones with other characters", ["functions.bash:0", "functions.bash:1"])):
        blocks = [dict(effect(word), id=ids[i]) for i, word in enumerate(("one", "two"))]
        cell(10, name + " become nine letters or digits", api,
             [{"blocks": blocks[:1]}, {"blocks": blocks[1:]}, DONE], ran_one_two)
    cell(10, "two calls of one id are two calls", api,
         [{"blocks": [dict(effect("one"), id="a1"), dict(effect("two"), id="a1")]}, DONE],
         ran_one_two)

# --- 11: blocks that must come back -------------------------------------------

THOUGHT = {"think": "Hm …  \n\u00e9\U0001f600\\ \"x\"", "signature": "c2ln+/=="}


def thinking_of(body):
    return [block for message in body["messages"] if message["role"] == "assistant" and
            isinstance(message["content"], list)
            for block in message["content"] if "thinking" in block["type"]]


cell(11, "thinking comes back as it was", "anthropic",
     [{"blocks": [THOUGHT, effect("ran")]}, DONE],
     lambda o: ran_once(o) and thinking_of(o.requests[1]) == [
         {"type": "thinking", "thinking": THOUGHT["think"], "signature": THOUGHT["signature"]}])
redacted = anthropic_events([{"think": ""}, effect("ran")])
redacted = [e for e in redacted if e.get("index") != 0]
redacted[1:1] = [{"type": "content_block_start", "index": 0,
                  "content_block": {"type": "redacted_thinking", "data": "RW5j+/=="}},
                 {"type": "content_block_stop", "index": 0}]
cell(11, "redacted thinking comes back as it was", "anthropic", [{"events": redacted}, DONE],
     lambda o: ran_once(o) and thinking_of(o.requests[1]) == [
         {"type": "redacted_thinking", "data": "RW5j+/=="}])
cell(11, "thinking of another model does not", "anthropic",
     [{"blocks": [THOUGHT, effect("ran")]}, DONE, {"say": "Hello."}],
     lambda o: o.text == "Hello." and thinking_of(o.requests[2]) == [],
     steps=("Go on.", resume(NANOCLAW_MODEL="another"), "And now?"))
cell(11, "reasoning_content comes back in the same turn", "openai",
     [stream({"reasoning_content": "Deep "}, {"reasoning_content": "thought."},
             call(id="a1", index=0)), DONE],
     lambda o: ran_once(o) and [m.get("reasoning_content") for m in o.messages(1)
                                if m["role"] == "assistant"] == ["Deep thought."])
cell(11, "reasoning_content of another model does not", "openai",
     [stream({"reasoning_content": "Deep thought."}, call(id="a1", index=0)), DONE,
      {"say": "Hello."}],
     lambda o: o.text == "Hello." and "Deep thought." not in json.dumps(o.messages(2)),
     steps=("Go on.", resume(NANOCLAW_MODEL="another"), "And now?"))
SIGNED = {"google": {"thought_signature": "c2ln+/=="}}
cell(11, "Gemini's signature of a call comes back", "openai",
     [stream(call(id="a1", index=0, extra_content=SIGNED)), DONE],
     lambda o: ran_once(o) and [c.get("extra_content") for m in o.messages(1)
                                for c in m.get("tool_calls", [])] == [SIGNED])

# --- 12: malformed arguments --------------------------------------------------

for name, arguments in (("cut", ARGUMENTS[:-2]), ("with a comma too many", '{"command": "ls",}'),
                        ("in single quotes", "{'command': 'ls'}"), ("an array", '["ls"]'),
                        ("two objects", ARGUMENTS + ARGUMENTS), ("a number", "7"),
                        ("with half of a surrogate pair", '{"command": "echo \\ud800"}'),
                        ("with a byte of zero", '{"command": "echo \\u0000"}')):
    cell(12, "arguments that are malformed (%s) are not run and not kept" % name, "openai",
         [stream(call(arguments, id="a1", index=0)), DONE],
         lambda o: o.text == "All done." and not o.effects and len(o.requests) == 2)
    broken = anthropic_events([effect("ran")])
    broken[2:-3] = [{"type": "content_block_delta", "index": 0,
                     "delta": {"type": "input_json_delta", "partial_json": arguments}}]
    cell(12, "arguments that are malformed (%s) are not run and not kept" % name, "anthropic",
         [{"events": broken}, DONE],
         lambda o: o.text == "All done." and not o.effects and len(o.requests) == 2)
for api in APIS:
    cell(12, "malformed arguments again and again end the turn", api, [],
         lambda o: not o.turn.is_answered and o.text and len(o.requests) == 4,
         after=stream(call("{", id="a1", index=0)) if api == "openai" else
         {"events": anthropic_events([effect("x")])[:2] + [
             {"type": "content_block_delta", "index": 0,
              "delta": {"type": "input_json_delta", "partial_json": "{"}}] +
          anthropic_events([effect("x")])[-3:]})
    cell(12, "an unknown tool is an error that the model sees", api,
         [{"use": "no_such_tool", "input": {"a": 1}}, DONE],
         lambda o: o.text == "All done." and "no_such_tool" in " ".join(o.results()))
    cell(12, "a call whose name is no name", api,
         [{"use": "bash; rm -rf /", "input": {"a": 1}}, DONE],
         lambda o: o.text == "All done.")

# --- 13: roles and contents ---------------------------------------------------

for api in APIS:
    cell(13, "an empty answer is no answer", api, [{"say": ""}, DONE],
         lambda o: o.text == "All done." and len(o.requests) == 2)
    cell(13, "a blank answer, and then another turn", api,
         [{"say": " \n"}] * 3 + [DONE],
         lambda o: o.turns[0].is_error and not o.turns[0].is_final and o.text == "All done.",
         steps=("Go on.", "And now?"))
    cell(13, "a turn that failed after results, and then another", api,
         [effect("ran"), {"status": 401, "error": "invalid x-api-key"}, DONE],
         lambda o: "key" in o.turns[0].text and o.text == "All done." and o.effects == ["ran"],
         steps=("Go on.", "And now?"))
    cell(13, "a turn that failed at once, and then another", api,
         [{"status": 401, "error": "invalid x-api-key"}, DONE],
         lambda o: "key" in o.turns[0].text and o.text == "All done.", steps=("Go on.", "And now?"))
    cell(13, "a message that is blank", api, [DONE],
         lambda o: len(o.turns) == 2, after=DONE, steps=(" \n", "And now?"))
    cell(13, "results that are empty", api, [{"use": "bash", "input": {"command": "true"}}, DONE],
         lambda o: o.text == "All done.")

    def image(outcome, agent):
        with open(outcome.place.path("red.png"), "wb") as file:
            file.write(PNG)

    encoded = base64.b64encode(PNG).decode()
    cell(13, "an image that is read is seen by the model", api,
         [{"use": "read", "input": {"path": "red.png"}}, DONE],
         lambda o: o.text == "All done." and encoded in json.dumps(o.requests[1]),
         steps=(image, "Go on."), env={"NANOCLAW_VISION": "1"})
    cell(13, "a model without eyes gets no image", api,
         [{"use": "read", "input": {"path": "red.png"}}, DONE],
         lambda o: o.text == "All done." and encoded not in json.dumps(o.requests[1]),
         steps=(image, "Go on."))
    cell(13, "two images of one answer, and then another turn", api,
         [{"blocks": [{"use": "read", "input": {"path": "red.png"}}] * 2}, DONE, {"say": "Bye."}],
         lambda o: o.text == "Bye.", steps=(image, "Go on.", "And now?"),
         env={"NANOCLAW_VISION": "1"})

# --- 14: marks for caches, and stable prompts ---------------------------------


def prefix(outcome):
    """Each request begins with the bytes of the one before, but for marks and the end."""
    def steady(body):
        return [json.dumps(part) for part in
                (body.get("system"), body.get("tools"), *body["messages"])]
    texts = [re.sub(r', "cache_control": {[^}]*}', "", "\0".join(steady(body)))
             for body in outcome.requests]
    texts = [re.sub(r'"content": "([^"]*)"', r'"content": [{"type": "text", "text": "\1"}]', text)
             for text in texts]
    return all(after.startswith(before) for before, after in zip(texts, texts[1:]))


for api in APIS:
    cell(14, "requests of a session begin alike", api,
         [effect("one"), effect("two"), DONE, effect("three"), {"say": "Bye."}],
         lambda o: len(o.requests) == 5 and prefix(o),
         steps=("Go on.", resume(), "And now?"))
cell(14, "system, tools and the end of the messages are marked", "anthropic",
     [effect("one"), effect("two"), DONE],
     lambda o: all("cache_control" in json.dumps(part) for part in
                   (o.requests[2]["messages"][-1], o.requests[2].get("system"))))

# --- 15: too long -------------------------------------------------------------

OVERFLOWS = {
    "anthropic": [
        (400, {"error": "prompt is too long: 210345 tokens > 200000 maximum"}),
        (413, {"error": "Request exceeds the maximum size", "kind": "request_too_large"}),
        (400, {"error": "input length and `max_tokens` exceed context limit: 199000 + 8192 > "
                        "200000, decrease input length or `max_tokens` and try again"}),
    ],
    "openai": [
        (400, {"error": "This model's maximum context length is 8192 tokens. However, your "
                        "messages resulted in 9000 tokens.", "code": "context_length_exceeded"}),
        (400, {"body": {"error": {"code": 400, "type": "exceed_context_size_error", "message":
                                  "the request exceeds the available context size, try increasing "
                                  "it", "n_prompt_tokens": 9000, "n_ctx": 4096}}}),
        (400, {"body": {"object": "error", "type": "BadRequestError", "code": 400, "message":
                        "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's "
                        "maximum context length is 8192 tokens"}}),
        (400, {"body": {"object": "error", "type": "invalid_request_error", "message":
                        "Prompt contains 40000 tokens and 0 draft tokens, too large for model "
                        "with 32768 maximum context length", "code": "3051"}}),
        (413, {"error": "Request too large for model. Please reduce the length of the messages or "
                        "completion.", "code": "rate_limit_exceeded"}),
        (400, {"error": "This endpoint's maximum context length is 8192 tokens. However, you "
                        "requested about 9000 tokens. Please reduce the length of either one."}),
        (400, {"body": {"error": "Trying to keep the first 9000 tokens when context the overflows. "
                                 "However, the model is loaded with context length of only 4096 "
                                 "tokens, which is not enough."}}),
        (500, {"error": "the request exceeds the available context size. try increasing the "
                        "context size or enable context shift", "kind": "server_error"}),
    ],
}


def shorter(outcome):
    """It went on with a shorter request."""
    sizes = [len(json.dumps(body)) for body in outcome.requests]
    if len(sizes) > 12:
        return False
    return outcome.text == "All done." and sizes[-1] < sizes[2]


for api in APIS:
    for status, overflow in OVERFLOWS[api]:
        words = overflow.get("error") or json.dumps(overflow["body"])
        long = {"use": "bash", "input": {"command": "seq 1 9000"}}
        cell(15, "too long: '%s'" % words[:60], api,
             [long, DONE, {"status": status, **overflow}], shorter, after=DONE,
             steps=("Go on.", "And now?"))
        cell(15, "too long for ever: '%s'" % words[:60], api, [],
             lambda o: o.turn.is_final and o.text and len(o.requests) <= 5,
             after={"status": status, **overflow})


def anew(outcome, agent):
    """A step: the program ends, and another session begins."""
    agent.close()
    return outcome.place.start()


def forget(outcome, agent):
    """A step: what 'nanoclaw doctor --fix' does, while the agent runs."""
    os.remove(outcome.place.home + "/.claude/native/window")


def small_window(request):
    """A server whose window is a fiftieth of what the settings say."""
    if len(request.bytes) > 8000:
        return {"status": 400, "error": "prompt is too long"}
    return DONE


for api in APIS:
    cell(15, "a message that no window takes loses its middle, and the session goes on", api, [],
         lambda o: [turn.text for turn in o.turns] == ["All done."] * 3 and len(o.requests) < 12,
         after=small_window, steps=("x y z " * 9000, "And now?", resume(), "And then?"))
cell(15, "a server that cuts silently is noticed", "openai", [],
     lambda o: re.search("context|window|cut", json.dumps([turn.events for turn in o.turns]))
     and len(o.turns) == 3,
     after=lambda request: dict(DONE, usage=[min(4096, len(request.bytes) // 4), 10]),
     steps=("x y z " * 9000, "And now?", "And then?"))



NUMBERS = itertools.count()


def reads_little(request):
    """It cuts silently, reads hardly more than the instructions, and its model calls forever."""
    return {"use": "bash", "input": {"command": "seq 1 400 # %d" % next(NUMBERS)},
            "usage": [min(1500, len(request.bytes) // 4), 10]}


def stays(outcome, agent):
    """A step: the window that the agent has learned."""
    path = outcome.place.home + "/.claude/native/window"
    outcome.learned = os.path.exists(path) and open(path, encoding="utf-8").read()


for api in APIS:
    cell(15, "a window that holds no more than the instructions ends the turn, and is forgotten", api,
         [], lambda o: o.turn.is_final and re.search(
             "window of about 2[0-9]{3} tokens.*(num_ctx|larger)", o.text)
         and len(o.requests) <= 15 and not o.learned,
         after=reads_little, steps=("x y z " * 900, stays))
    cell(15, "a window that was learned holds for the next session, until its file is gone", api,
         [], lambda o: len(o.requests) == 3 and o.learned == "played\n5120\n"
         and len(json.dumps(o.requests[-2])) < 40000 < len(json.dumps(o.requests[-1])),
         after=lambda request: dict(DONE, usage=[min(4096, len(request.bytes) // 4), 10]),
         steps=("x y z " * 9000, stays, anew, "a b c " * 9000, forget, "d e f " * 9000))

# --- 16: connections ----------------------------------------------------------

for api in APIS:
    cell(16, "each request has a connection of its own", api, [effect("ran"), DONE],
         lambda o: ran_once(o) and
         len({r.connection for r in o.provider.requests}) == len(o.requests))

# --- calls in texts -----------------------------------------------------------

TAGGED = '<tool_call>\n{"name": "bash", "arguments": %s}\n</tool_call>' % ARGUMENTS
BARE = '{"name": "bash", "arguments": %s}' % ARGUMENTS
LISTED = "[TOOL_CALLS][%s]" % BARE
for api in APIS:
    for name, text in (("in tags", TAGGED), ("after [TOOL_CALLS]", LISTED), ("as bare JSON", BARE),
                       ("as bare JSON with blanks around it", "\n  %s\n" % BARE),
                       ("as bare JSON with 'parameters'", BARE.replace("arguments", "parameters")),
                       ("as bare JSON after thoughts", "<think>Run it.</think>\n" + BARE)):
        cell(17, "a text that is nothing but a call, %s, is a call" % name, api,
             [{"say": text}, DONE], ran_once)
        cell(17, "and it is not run if the text breaks off, %s" % name, api,
             [{"say": text.rstrip()[:-1]}],
             lambda o, text=text: not o.effects and len(o.requests) == 1)
for api in APIS:
    for name, text in (("with words before", "Try this: " + TAGGED),
                       ("with words after", TAGGED + "\nwould do it."),
                       ("as JSON with words before", "Try this: " + BARE),
                       ("as JSON with words after", BARE + " would do it."),
                       ("as JSON in a fence", "```json\n%s\n```" % BARE),
                       ("as JSON twice", BARE + "\n" + BARE),
                       ("as JSON with more members", BARE[:-1] + ', "why": "a sample"}'),
                       ("in the middle of a JSON", '{"calls": [%s]}' % BARE),
                       ("of an unknown tool", BARE.replace("bash", "nothing"))):
        cell(17, "a text with a call, %s, is a text" % name, api, [{"say": text}],
             lambda o, text=text: not o.effects and o.text == text and len(o.requests) == 1)

# --- subagents ----------------------------------------------------------------


def task(text):
    return {"use": "mcp", "input": {"tool": "agent", "input": {"prompt": text}}}


for api in APIS:
    cell(19, "tasks that are given by the tool 'mcp' have an answer each", api,
         [task("Count."), {"say": "one"}, task("Count again."), {"say": "two"}, DONE],
         lambda o: o.results() == ["one", "two"])

for name in ("input", "arguments"):
    cell(19, "the tool 'mcp' takes '%s'" % name, "openai",
         [{"use": "mcp", "input": {"tool": "agent", name: {"prompt": "Count."}}}, {"say": "one"}, DONE],
         lambda o: o.results() == ["one"])
cell(19, "the tool 'mcp' names the tools when it has none of that name", "openai",
     [{"use": "mcp", "input": {"tool": "weather"}},
      {"use": "mcp", "input": {"tool": "weather", "input": {"city": "Rome"}}}, DONE],
     lambda o: all(re.search("no.*'weather'.*agent, bash, ", text) for text in o.results())
     and len(o.results()) == 2)

# --- loops --------------------------------------------------------------------

for api in APIS:
    cell(18, "the same call again and again runs twice, and ends the turn", api, [],
         lambda o: not o.turn.is_answered and len(o.requests) == 4 and o.effects == ["again"] * 2,
         after=effect("again"))
    big = {"use": "bash", "input": {"command": "echo again >>effects; seq 1 450"}}
    cell(18, "the same call again and again ends the turn though the window forgets it", api, [],
         lambda o: not o.turn.is_answered and len(o.requests) <= 10
         and o.effects == ["again"] * 2, env={"NANOCLAW_CONTEXT": "6500"}, after=big)


if __name__ == "__main__":
    wanted = set(map(int, sys.argv[2:])) or {number for number, _ in cells}
    sys.exit(run_all([each for number, each in cells if number in wanted], sys.argv[1]))
