"""valid_test.py: the judge of requests takes good ones and notices each kind of fault. In TAP."""

import copy
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../net"))

from tap import end, result
from valid import faults

CALL = {"type": "tool_use", "id": "abcdefgh1", "name": "bash", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "abcdefgh1", "content": "ok"}
TEXT = {"type": "text", "text": "hello"}
MARK = {"cache_control": {"type": "ephemeral"}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
ANTHROPIC = {
    "model": "m", "max_tokens": 10, "stream": True, "system": [dict(TEXT, **MARK)],
    "tools": [{"name": "bash", "description": "d", "input_schema": {"type": "object"}}],
    "messages": [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "", "signature": "s"}, TEXT, CALL]},
        {"role": "user", "content": [RESULT, TEXT]}]}
OPENAI = {
    "model": "m", "stream": True, "stream_options": {"include_usage": True}, "max_tokens": 10,
    "tools": [{"type": "function", "function": {
        "name": "bash", "description": "d", "parameters": {"type": "object"}}}],
    "messages": [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "abcdefgh1", "type": "function",
             "function": {"name": "bash", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "abcdefgh1", "content": ""},
        {"role": "user", "content": [{"type": "text", "text": "its image"}, IMAGE]},
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "thanks"}]}


def put(path, value):
    """A change: the value at a path of names and numbers, or its removal."""
    def change(body):
        for step in path[:-1]:
            body = body[step]
        if value is None:
            del body[path[-1]]
        elif isinstance(body, list) and path[-1] == len(body):
            body.append(value)
        else:
            body[path[-1]] = value
    return change


BAD = {
    "anthropic": [
        ("no limit", put(["max_tokens"], None)),
        ("a limit of zero", put(["max_tokens"], 0)),
        ("a field of another API", put(["stream_options"], {})),
        ("no messages", put(["messages"], [])),
        ("a missing result", put(["messages", 2, "content"], [TEXT])),
        ("an orphaned result", put(["messages", 1, "content"], [TEXT])),
        ("a result after a text", put(["messages", 2, "content"], [TEXT, RESULT])),
        ("a result twice", put(["messages", 2, "content"], [RESULT, RESULT])),
        ("an id twice", put(["messages", 1, "content"], [CALL, CALL])),
        ("a long id", put(["messages", 1, "content", 2], dict(CALL, id="toolu_1234567"))),
        ("input that is no object", put(["messages", 1, "content", 2], dict(CALL, input="{}"))),
        ("two messages of the user", put(["messages", 1], {"role": "user", "content": "x"})),
        ("the assistant last", put(["messages", 3], {"role": "assistant", "content": "x"})),
        ("the assistant first", put(["messages", 0], None)),
        ("a blank text", put(["messages", 0, "content"], " \n")),
        ("an empty message", put(["messages", 0, "content"], [])),
        ("thinking without a signature", put(["messages", 1, "content", 0, "signature"], None)),
        ("thinking at the end", put(["messages", 1, "content"], [
            TEXT, {"type": "thinking", "thinking": "", "signature": "s"}])),
        ("five marks", put(["messages", 2, "content"],
                           [dict(RESULT, **MARK)] + [dict(TEXT, **MARK)] * 4)),
        ("half of a surrogate pair", put(["messages", 0, "content"], "\ud800")),
        ("tools of one name", put(["tools", 1], ANTHROPIC["tools"][0])),
    ],
    "openai": [
        ("a missing result", put(["messages", 3], None)),
        ("an orphaned result", put(["messages", 2], {"role": "assistant", "content": "x"})),
        ("a result twice", put(["messages", 4], OPENAI["messages"][3])),
        ("arguments that are no JSON", put(
            ["messages", 2, "tool_calls", 0, "function", "arguments"], '{"a":')),
        ("arguments that are no object", put(
            ["messages", 2, "tool_calls", 0, "function", "arguments"], '"a"')),
        ("a long id", put(["messages", 2, "tool_calls", 0, "id"], "call_12345")),
        ("an empty message of the assistant", put(["messages", 5, "content"], "")),
        ("an empty list of calls", put(["messages", 5, "tool_calls"], [])),
        ("a user after results", put(["messages", 4, "content"], "words")),
        ("an array without an image", put(["messages", 1, "content"], [TEXT])),
        ("two messages of the user", put(["messages", 5], {"role": "user", "content": "x"})),
        ("the assistant last", put(["messages", 6], None)),
        ("system in the middle", put(["messages", 5], {"role": "system", "content": "x"})),
        ("two limits", put(["max_completion_tokens"], 5)),
        ("no tools in tools", put(["tools"], [])),
        ("a mark for caches", put(["messages", 0, "cache_control"], {})),
        ("an image of a result", put(["messages", 3, "content"], [IMAGE])),
    ],
}

if __name__ == "__main__":
    for api, good in (("anthropic", ANTHROPIC), ("openai", OPENAI)):
        result(not faults(api, good), "%s: a good request has no fault" % api, faults(api, good))
        for name, change in BAD[api]:
            body = copy.deepcopy(good)
            change(body)
            result(faults(api, body), "%s: %s is noticed" % (api, name))
    sys.exit(end())
