"""Answers of a model as the events of both APIs, in the form that the vendors' own servers send.

A message is a list of blocks: {"think": TEXT}, {"say": TEXT}, {"use": NAME, "input": {…}} with
an optional "id". Quirks of other servers are made by changing these events: see quirks.py.
"""

import json

# Pieces of a text in a stream: small, so that there are several.
PIECE = 12


def pieces(text):
    return [text[at:at + PIECE] for at in range(0, len(text), PIECE)] or [""]


def call_id(block, api, number):
    default = "toolu_%024d" if api == "anthropic" else "call_%024d"
    return block.get("id", default % number)


def usage_of(api, usage):
    read, written = (usage or (100, 10))[:2]
    if api == "anthropic":
        return {"input_tokens": read, "output_tokens": written}
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


# --- Anthropic ----------------------------------------------------------------

def anthropic_content(blocks, first=1):
    content = []
    for number, block in enumerate(blocks):
        if "think" in block:
            content.append({"type": "thinking", "thinking": block["think"],
                            "signature": block.get("signature", "c2lnbmF0dXJl")})
        elif "say" in block:
            content.append({"type": "text", "text": block["say"]})
        else:
            content.append({"type": "tool_use", "id": call_id(block, "anthropic", first + number),
                            "name": block["use"], "input": block.get("input", {})})
    return content


def anthropic_message(blocks, usage=None, stop=None, first=1):
    content = anthropic_content(blocks, first)
    called = any(block["type"] == "tool_use" for block in content)
    return {"id": "msg_%024d" % first, "type": "message", "role": "assistant", "model": "played",
            "content": content, "stop_reason": stop or ("tool_use" if called else "end_turn"),
            "stop_sequence": None, "usage": usage_of("anthropic", usage)}


def anthropic_deltas(block):
    """The block as it starts, and its deltas."""
    if block["type"] == "thinking":
        return dict(block, thinking="", signature=""), \
            [{"type": "thinking_delta", "thinking": text} for text in pieces(block["thinking"])] + \
            [{"type": "signature_delta", "signature": block["signature"]}]
    if block["type"] == "text":
        return dict(block, text=""), \
            [{"type": "text_delta", "text": text} for text in pieces(block["text"])]
    return dict(block, input={}), \
        [{"type": "input_json_delta", "partial_json": text}
         for text in [""] + (pieces(json.dumps(block["input"])) if block["input"] else [])]


def anthropic_events(blocks, usage=None, stop=None, first=1):
    message = anthropic_message(blocks, usage, stop, first)
    start = dict(message, content=[], stop_reason=None, usage=dict(message["usage"], output_tokens=1))
    events = [{"type": "message_start", "message": start}]
    for index, block in enumerate(message["content"]):
        begun, deltas = anthropic_deltas(block)
        events.append({"type": "content_block_start", "index": index, "content_block": begun})
        events += [{"type": "ping"}] if index == 0 else []
        events += [{"type": "content_block_delta", "index": index, "delta": delta}
                   for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    events.append({"type": "message_delta",
                   "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
                   "usage": {"output_tokens": message["usage"]["output_tokens"]}})
    events.append({"type": "message_stop"})
    return events


# --- OpenAI -------------------------------------------------------------------

def openai_message(blocks, usage=None, stop=None, first=1):
    message = {"role": "assistant", "content": "".join(b.get("say", "") for b in blocks) or None}
    thought = "".join(b.get("think", "") for b in blocks)
    if thought:
        message["reasoning_content"] = thought
    calls = [{"id": call_id(block, "openai", first + number), "type": "function",
              "function": {"name": block["use"], "arguments": json.dumps(block.get("input", {}))}}
             for number, block in enumerate(blocks) if "use" in block]
    if calls:
        message["tool_calls"] = calls
    return {"id": "chatcmpl-%d" % first, "object": "chat.completion", "created": 1700000000,
            "model": "played", "usage": usage_of("openai", usage),
            "choices": [{"index": 0, "message": message, "logprobs": None,
                         "finish_reason": stop or ("tool_calls" if calls else "stop")}]}


def openai_chunk(delta, finish=None, **more):
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000,
            "model": "played",
            "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
            **more}


def openai_events(blocks, usage=None, stop=None, first=1):
    whole = openai_message(blocks, usage, stop, first)
    message = whole["choices"][0]["message"]
    events = [openai_chunk({"role": "assistant", "content": ""})]
    for text in pieces(message.get("reasoning_content", "")) if "reasoning_content" in message else []:
        events.append(openai_chunk({"reasoning_content": text}))
    for text in pieces(message["content"]) if message["content"] else []:
        events.append(openai_chunk({"content": text}))
    for index, call in enumerate(message.get("tool_calls", [])):
        begun = dict(call, index=index, function=dict(call["function"], arguments=""))
        events.append(openai_chunk({"tool_calls": [begun]}))
        for text in pieces(call["function"]["arguments"]):
            events.append(openai_chunk(
                {"tool_calls": [{"index": index, "function": {"arguments": text}}]}))
    events.append(openai_chunk({}, whole["choices"][0]["finish_reason"]))
    events.append(dict(openai_chunk({}), choices=[], usage=whole["usage"]))
    return events + ["[DONE]"]


EVENTS = {"anthropic": anthropic_events, "openai": openai_events}
MESSAGES = {"anthropic": anthropic_message, "openai": openai_message}


def error_body(api, message, kind="invalid_request_error", code=None):
    error = {"type": kind, "message": message}
    if api == "anthropic":
        return {"type": "error", "error": error}
    return {"error": dict(error, param=None, code=code)}
