"""A model that does what the instructions of a slash command say, and knows nothing else.

What it runs, reads and asks is taken from the text of the command, as Claude Code sends it,
and from what the tools answer. Only how a conflict is settled and what is edited is its own.
It is a generator: it yields what it says and does, and is sent the next request.
"""

import html
import json
import re


def use(name, **arguments):
    return {"type": "tool_use", "name": name, "input": arguments}


def say(text):
    return {"type": "text", "text": text}


def blocks_of(message):
    content = message["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def last_blocks(request):
    return blocks_of([m for m in request["messages"] if m["role"] == "user"][-1])


def last_words(request):
    """What the person has said last, without what Claude Code adds."""
    texts = [b["text"] for b in last_blocks(request) if b["type"] == "text"]
    return re.sub(r"<system-reminder>.*?</system-reminder>", "", texts[-1], flags=re.S).strip()


def instructions(request):
    """The text of the slash command, and the folder that it is in."""
    for message in request["messages"]:
        for block in blocks_of(message):
            found = re.match(r"Base directory for this skill: (\S+)\n", block.get("text", ""))
            if found:
                return block["text"], found.group(1)
    raise Lost("there are no instructions")


class Lost(Exception):
    """The instructions do not say what to do next."""


class Ended(Exception):
    """There is nothing more to do."""


def commands(text):
    """The commands that stand by themselves, with the text up to the next one."""
    parts = re.split(r"^ {7,}((?:nanoclaw|printf) .*)$", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def command(text, words):
    for line, _ in commands(text):
        if words in line:
            return line
    raise Lost("how to '%s' is not said" % words)


def result_of(request):
    block = [b for b in last_blocks(request) if b["type"] == "tool_result"][0]
    content = block.get("content", "")
    text = content if isinstance(content, str) else "".join(c.get("text", "") for c in content)
    code = re.match(r"Exit code (\d+)\n", text)
    if block.get("is_error") and not code:
        raise Lost(text)
    return int(code.group(1)) if code else 0, text


def run(line):
    request = yield [use("Bash", command=line, description="as the instructions say")]
    return result_of(request)


def document(text):
    """The JSON in what a command printed."""
    return json.loads(text[text.index("{"):text.rindex("}") + 1])


def read(path):
    request = yield [use("Read", file_path=path)]
    _, text = result_of(request)
    return html.unescape(re.sub(r"^ *\d+[\t\u2192]", "", text, flags=re.M))


def ask(question):
    request = yield [say("QUESTION: " + question)]
    return last_words(request)


def both_sides(text):
    """The conflict of 'shout' and 'polite': capitals, and thanks."""
    found = re.search(r"<<<<<<<.*\n(.*)\n\|{7}.*\n.*\n=======\n(.*)\n>>>>>>>.*\n", text)
    if not found:
        raise Lost("there is no conflict that I know")
    capitals = re.search(r" \| tr .*?(?=\)\")", found.group(1)).group(0)
    both = found.group(2).replace('$message")', '$message"%s)' % capitals)
    return found.group(0), both.replace("Thank you", "THANK YOU") + "\n"


def settle_conflict(text, entry, project):
    path = project + "/" + entry["path"]
    if "diff PATH --by" not in text or "skill show NAME" not in text:
        raise Lost("whose lines they are is not said")
    yield from run("nanoclaw --json diff %s --by" % entry["path"])
    _, shown = yield from run(command(text, "status"))
    names = [entry["skill"]] + [s["name"] for s in document(shown)["skills"]]
    for name in names:
        _, shown = yield from run("nanoclaw --json skill show %s" % name)
        folder = document(shown)["folder"]
        for file in re.findall(r"`FOLDER/(\S+)`", text):
            yield from read("%s/%s/%s" % (project, folder, file.replace("PATH", entry["path"])))
    old, new = both_sides((yield from read(path)))
    result_of((yield [use("Edit", file_path=path, old_string=old, new_string=new)]))


def settle(text, base, project):
    link = re.search(r"\b3(?: \| paused \| |: )\[[^\]]*\]\(([^)]+)\)", text)
    if not link:
        raise Lost("what a pause is for is not said")
    text = yield from read(base + "/" + link.group(1))
    for _ in range(3):
        _, shown = yield from run(command(text, "status"))
        for entry in document(shown)["pending"]["toSettle"]:
            if entry["kind"] == "conflict":
                yield from settle_conflict(text, entry, project)
            elif "person's choice" in text:
                answer = yield from ask("shall '%s' stay or go?" % entry["path"])
                if "go" in answer:
                    yield from run("rm " + entry["path"])
        code, shown = yield from run(command(text, "continue"))
        if code == 0:
            return
    raise Lost("it is still paused")


def edit_for(words, project):
    """What a customization is about: "say A instead of B"."""
    new, old = re.search(r"say (\w+) instead of (\w+)", words).groups()
    path = project + "/lib/settings.sh"
    yield from read(path)
    result_of((yield [use("Edit", file_path=path, old_string=old, new_string=new)]))


def steps(text, base, project, words):
    answers = {}
    for line, then in commands(text):
        if "skill list" in line:
            continue  # the name is known
        for old, new in answers.items():
            line = line.replace(old, new)
        code, shown = yield from run(line)
        if code == 3:
            yield from settle(text, base, project)
        elif code == 2 and document(shown).get("untrackedChanges") and "sk whether to" in then:
            answer = yield from ask("record your changes first?")
            answers["--on-drift record"] = "--on-drift " + answer
        elif code and then.strip():
            raise Ended(document(shown)["error"])
        elif "Ask whether to continue" in then:
            if (yield from ask("shall I continue?")) != "yes":
                raise Ended("left alone")
        elif "customize start" in line:
            yield from edit_for(words, project)


def follow(request):
    """Send it requests; it yields the blocks of each answer."""
    text, base = instructions(request)
    project = base.split("/.claude/")[0]
    try:
        yield from steps(text, base, project, text)
        ending = "DONE"
    except (Lost, KeyError, ValueError) as lost:
        ending = "LOST: %s" % lost
    except Ended as ended:
        ending = "ENDED: %s" % ended
    while True:
        yield [say(ending)]
