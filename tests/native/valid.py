"""Is a request one that every server takes? As strict as the strictest of each API.

`faults(api, body)` lists what a server would object to. Sources: the vendors' references, and
the chat templates of local models, which refuse roles that do not alternate."""

import json
import re

ID = re.compile(r"[A-Za-z0-9]{9}")  # Mistral; all others take it
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")


def faults(api, body):
    found = []
    (anthropic_faults if api == "anthropic" else openai_faults)(body, found.append)
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        found.append("half of a surrogate pair")
    return found


def blank(text):
    return not isinstance(text, str) or not text.strip()


def check_fields(body, required, optional, wrong):
    for name in required:
        if name not in body:
            wrong("no '%s'" % name)
    for name in body:
        if name not in required + optional:
            wrong("unknown field '%s'" % name)
    if blank(body.get("model")):
        wrong("no model")
    if not isinstance(body.get("messages"), list) or not body.get("messages"):
        wrong("no messages")
        return False
    for name in ("max_tokens", "max_completion_tokens"):
        value = body.get(name, 1)
        if type(value) is not int or value < 1:
            wrong("%s is %r" % (name, value))
    return True


def check_tools(tools, wrong):
    """(name, description, schema) of each."""
    names = [name for name, _, _ in tools]
    if len(set(names)) < len(names):
        wrong("two tools of one name")
    if names != sorted(names):
        wrong("tools are not sorted")
    for name, description, schema in tools:
        if not NAME.fullmatch(name or ""):
            wrong("name of a tool: %r" % name)
        if blank(description):
            wrong("tool %s has no description" % name)
        if not isinstance(schema, dict) or schema.get("type") != "object":
            wrong("tool %s has no schema of an object" % name)


def check_id(call, seen, wrong):
    if not isinstance(call, str) or not ID.fullmatch(call):
        wrong("id of a call: %r" % call)
    if call in seen:
        wrong("id '%s' twice" % call)
    seen.add(call)


# --- Anthropic ----------------------------------------------------------------

def anthropic_blocks(message, wrong):
    content = message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if not isinstance(content, list) or not content:
        wrong("message without content")
        return []
    return content


def anthropic_block(block, role, wrong):
    kind = block.get("type")
    if kind == "text":
        if blank(block.get("text")):
            wrong("blank text of %s" % role)
    elif kind in ("thinking", "redacted_thinking") and role == "assistant":
        if kind == "thinking" and (not isinstance(block.get("thinking"), str) or
                                   blank(block.get("signature"))):
            wrong("thinking without a signature")
        if kind == "redacted_thinking" and blank(block.get("data")):
            wrong("redacted thinking without data")
        if "cache_control" in block:
            wrong("cache_control on thinking")
    elif kind == "tool_use" and role == "assistant":
        if not NAME.fullmatch(block.get("name") or ""):
            wrong("name of a call: %r" % block.get("name"))
        if not isinstance(block.get("input"), dict):
            wrong("input of a call is no object")
    elif kind == "tool_result" and role == "user":
        content = block.get("content", "")
        if isinstance(content, list):
            for part in content:
                if part.get("type") not in ("text", "image"):
                    wrong("a result has a '%s'" % part.get("type"))
                else:
                    anthropic_block(part, "tool", wrong)
        elif not isinstance(content, str):
            wrong("content of a result is %r" % content)
        if not isinstance(block.get("is_error", False), bool):
            wrong("is_error is no boolean")
    elif kind == "image" and role != "assistant":
        source = block.get("source", {})
        if source.get("type") != "base64" or source.get("media_type") not in IMAGES or \
                blank(source.get("data")):
            wrong("an image without data")
    else:
        wrong("%s has a block '%s'" % (role, kind))


def anthropic_faults(body, wrong):
    if not check_fields(body, ["model", "max_tokens", "messages"],
                        ["system", "tools", "tool_choice", "stream", "thinking", "temperature",
                         "metadata", "stop_sequences", "output_config", "cache_control"], wrong):
        return
    if "system" in body:
        for block in anthropic_blocks({"content": body["system"]}, wrong):
            if block.get("type") != "text":
                wrong("system has a '%s'" % block.get("type"))
            anthropic_block(block, "system", wrong)
    if "tools" in body:
        check_tools([(tool.get("name"), tool.get("description"), tool.get("input_schema"))
                     for tool in body["tools"]], wrong)
    if json.dumps(body).count('"cache_control"') > 4:
        wrong("more than four cache_control")
    seen, open_calls, expected = set(), [], "user"
    for message in body["messages"]:
        role = message.get("role")
        if role != expected:
            wrong("'%s' where '%s' is expected" % (role, expected))
        expected = "assistant" if role == "user" else "user"
        blocks = anthropic_blocks(message, wrong)
        for block in blocks:
            anthropic_block(block, role, wrong)
        kinds = [block.get("type") for block in blocks]
        if role == "user":
            results = [block.get("tool_use_id") for block in blocks
                       if block.get("type") == "tool_result"]
            if kinds[:len(results)] != ["tool_result"] * len(results):
                wrong("results are not first in their message")
            if sorted(map(str, results)) != sorted(map(str, open_calls)):
                wrong("calls %s have the results %s" % (open_calls, results))
            open_calls = []
        else:
            if open_calls:
                wrong("calls %s have no results" % open_calls)
            if kinds and kinds[-1] in ("thinking", "redacted_thinking"):
                wrong("the last block is thinking")
            open_calls = [block.get("id") for block in blocks if block.get("type") == "tool_use"]
            for call in open_calls:
                check_id(call, seen, wrong)
    if expected != "assistant":
        wrong("the last message is the assistant's")


# --- OpenAI -------------------------------------------------------------------

def openai_content(message, wrong):
    """True if it has an image."""
    content = message.get("content")
    if isinstance(content, str):
        if blank(content):
            wrong("blank text of %s" % message.get("role"))
        return False
    if not isinstance(content, list):
        wrong("content of %s is %r" % (message.get("role"), content))
        return False
    images = [part for part in content if part.get("type") == "image_url"]
    for part in images:
        if not re.match(r"data:image/(png|jpeg|gif|webp);base64,.", part["image_url"]["url"]):
            wrong("an image without data")
    for part in content:
        if part.get("type") == "text" and blank(part.get("text")):
            wrong("blank text of %s" % message.get("role"))
        if part.get("type") not in ("text", "image_url"):
            wrong("content has a '%s'" % part.get("type"))
    if not images:
        wrong("content is an array without an image")
    if message.get("role") != "user":
        wrong("an image of %s" % message.get("role"))
    return bool(images)


def openai_calls(message, seen, wrong):
    calls = message.get("tool_calls", [])
    if "tool_calls" in message and not calls:
        wrong("tool_calls is empty")
    for call in calls:
        check_id(call.get("id"), seen, wrong)
        function = call.get("function", {})
        if call.get("type") != "function" or not NAME.fullmatch(function.get("name") or ""):
            wrong("a call is %r" % call)
        try:
            if not isinstance(json.loads(function.get("arguments")), dict):
                wrong("arguments are no object")
        except (TypeError, ValueError):
            wrong("arguments are %r" % function.get("arguments"))
    content = message.get("content")
    if not calls and blank(content):
        wrong("empty message of the assistant")
    if content is not None and not isinstance(content, str):
        wrong("content of the assistant is %r" % content)
    return [call.get("id") for call in calls]


def openai_faults(body, wrong):
    if not check_fields(body, ["model", "messages"],
                        ["stream", "stream_options", "tools", "max_tokens",
                         "max_completion_tokens", "temperature", "reasoning_effort"], wrong):
        return
    if "cache_control" in json.dumps(body["messages"]) + json.dumps(body.get("tools", [])):
        wrong("cache_control is Anthropic's")
    if "max_tokens" in body and "max_completion_tokens" in body:
        wrong("two limits of the output")
    if "stream_options" in body and not body.get("stream"):
        wrong("stream_options without a stream")
    if "tools" in body:
        if not body["tools"]:
            wrong("tools is empty")
        check_tools([(tool["function"].get("name"), tool["function"].get("description"),
                      tool["function"].get("parameters")) for tool in body["tools"]
                     if tool.get("type") == "function"], wrong)
    seen, open_calls, last = set(), [], None
    for number, message in enumerate(body["messages"]):
        role = message.get("role")
        if role == "tool":
            if message.get("tool_call_id") not in open_calls:
                wrong("a result of '%s', which is not open" % message.get("tool_call_id"))
            else:
                open_calls.remove(message["tool_call_id"])
            if not isinstance(message.get("content"), str):
                wrong("content of a result is %r" % message.get("content"))
        else:
            if open_calls:
                wrong("calls %s have no results" % open_calls)
            open_calls = []
            if role == "system":
                if number:
                    wrong("system is not first")
                openai_content(message, wrong)
            elif role == "user":
                image = openai_content(message, wrong)
                if last == "user":
                    wrong("two messages of the user")
                if last == "tool" and not image:
                    wrong("a message of the user after results")
            elif role == "assistant":
                if last not in ("user", "tool"):
                    wrong("'assistant' after '%s'" % last)
                open_calls = openai_calls(message, seen, wrong)
            else:
                wrong("role '%s'" % role)
        last = role
    if open_calls:
        wrong("calls %s have no results" % open_calls)
    if last not in ("user", "tool"):
        wrong("the last message is of '%s'" % last)
