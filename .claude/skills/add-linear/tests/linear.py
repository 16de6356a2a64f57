"""linear.py NANOCLAW [ISSUES MESSAGES KILLS [SECONDS]]: the channel 'linear' of a real host against
linear_api.py, in TAP; at last with so many kills and faults while so many comments come in so many
issues, and for so many seconds with polls that fail again and again."""

import hashlib
import hmac
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("net", "shipped"):
    sys.path.append(os.path.join(HERE, "../../../../tests", folder))

import tap
from host import Host
from linear_api import LinearApi

KEY, SECRET = "lin_api_secretofthebot", "lin_wh_secretofthehook"
JID = "linear:__channel__"


class Setup:
    def __init__(self, nanoclaw):
        self.linear = LinearApi(KEY)
        self.settings = {"LINEAR_API_KEY": KEY, "LINEAR_API_URL": self.linear.url,
                         "LINEAR_POLL_SECONDS": "0.1"}
        self.host = Host(nanoclaw, self.settings)
        self.read = {}

    def start(self):
        self.host.start()
        self.host.wait_for_line("channel 'linear' is connected")

    def answers(self, issue, count=1):
        """The next comments of the assistant in an issue."""
        begin = self.read.get(issue["id"], 0)
        self.linear.wait_for(lambda: len(self.linear.said(issue)) >= begin + count)
        self.read[issue["id"]] = begin + count
        return self.linear.said(issue)[begin:begin + count]

    def answer(self, issue):
        return self.answers(issue)[0]["body"]

    def answers_until(self, issue, word):
        """The next ones up to one with this word."""
        texts = [self.answer(issue)]
        while word not in texts[-1]:
            texts.append(self.answer(issue))
        return texts

    def stored(self, columns, text):
        return self.host.rows("SELECT %s FROM messages WHERE content = ?" % columns, text)

    def polled(self):
        """Until a poll that begins now has ended."""
        count = len(self.linear.called("News"))
        self.linear.wait_for(lambda: len(self.linear.called("News")) > count + 1)

    def close(self):
        self.host.close()
        self.linear.leave()


def test_first_message(s):
    old = s.linear.issue("From before", assignee="andy")
    s.linear.say(old, "remember nothing", ago=3600)
    old.update(createdAt="2020-01-01T00:00:00.000Z", updatedAt="2020-01-01T00:00:00.000Z")
    s.start()
    code, output = s.host.run("group", "add", JID, "Linear", "--folder", "linear")
    tap.result(code == 0, "the workspace is a group's", output)
    issue = s.linear.issue("Login fails", description="With **umlauts**, see <b>.", assignee="andy")
    first = s.answer(issue)
    tap.result(first, "an issue that is made for the assistant is answered in a comment")
    tap.result(s.stored("id, thread, sender, sender_name",
                        issue["identifier"] + " was assigned to you: Login fails") ==
               [("assigned/" + issue["id"], issue["identifier"], "mia@example.org", "Mia")],
               "as a message in a thread of its own", s.host.rows("SELECT * FROM messages"))
    details = s.host.rows("SELECT kind, name, text FROM attachments")[-1]
    tap.result(details[:2] == ("issue", issue["identifier"]) and all(
        words in details[2] for words in (
            "Login fails", "State: Todo", "Assignee: andy", "Labels: Bug", "With **umlauts**",
            "issues/%s.md" % issue["identifier"])), "with what agents need to know", details)
    s.linear.say(issue, "remember milk")
    tap.result(s.answer(issue) == "Noted: milk", "a comment in it is answered")
    details = s.host.rows("SELECT text FROM attachments")[-1][0]
    tap.result("State: Todo" in details and "umlauts" not in details,
               "its description is not repeated", details)
    issue["description"] = "Changed"
    s.linear.say(issue, "remember bread")
    s.answer(issue)
    details = s.host.rows("SELECT text FROM attachments")[-1][0]
    tap.result("Changed" in details and "mia: remember milk" in details,
               "unless it has changed; earlier comments are with it", details)
    s.linear.assign(old, "andy", ago=7200)
    old["updatedAt"] = s.linear.stamp()
    s.polled()
    tap.result(not s.linear.said(old), "what was before the first start is not answered")
    return issue


def test_addressed(s, issue):
    other = s.linear.issue("Of others", assignee="bob")
    s.linear.say(other, "remember nobody")
    s.linear.say(other, "@andybody remember nobody")
    s.linear.say(other, "@andy, remember name", user="bob")
    tap.result(s.answer(other) == "Noted: name", "elsewhere a mention is answered")
    s.linear.say(other, "remember profile https://linear.app/acme/profiles/andy")
    tap.result("profile" in s.answer(other), "also as an address")
    s.linear.say(issue, "remember app", user="helper")
    s.linear.say(issue, "remember robot", user=None)
    s.linear.say(issue, "remember end")
    tap.result(s.answer(issue) == "Noted: end" and not s.stored("seq", "remember app") and
               not s.stored("seq", "remember robot") and not s.stored("seq", "remember nobody"),
               "apps and integrations are not", s.linear.said(issue)[-1])
    s.host.run("group", "set", "linear", "--allow", "mia@example.org")
    s.linear.say(issue, "remember stranger", user="bob")
    s.linear.say(issue, "remember friend")
    tap.result(s.answer(issue) == "Noted: friend", "only allowed people are answered")
    s.host.run("group", "set", "linear", "--allow-all")
    described = s.linear.issue("In words", description="For @Andy and others")
    tap.result(s.answer(described), "a mention in a description is answered")
    s.linear.assign(other, "andy", actor="bob")
    s.answer(other)
    s.linear.assign(other, None)
    s.polled()
    s.linear.assign(other, "andy", role="delegate")
    s.answer(other)
    texts = s.stored("id, sender_name", other["identifier"] + " was assigned to you: Of others")
    tap.result([name for _, name in texts] == ["Bob", "Mia"],
               "each assignment is a message of who made it", texts)
    s.linear.assign(other, "bob", actor="andy", role="delegate")
    s.linear.assign(other, "andy", actor="andy")
    s.polled()
    tap.result(len(s.linear.said(other)) == 4, "one by the assistant itself is none")


def test_threads(s, issue):
    first = s.linear.say(issue, "remember top")
    answer = s.answers(issue)[0]
    tap.result(answer["parent"] is None, "a comment gets a comment")
    s.linear.say(issue, "remember below", parent=first)
    answer = s.answers(issue)[0]
    tap.result(answer["parent"] == {"id": first["id"]}, "a reply is answered in its thread", answer)
    tap.result(s.stored("thread", "remember below") ==
               [(issue["identifier"] + "/" + first["id"],)], "which is one of its own")
    gone = {"id": "5b1a5e3c-0000-4000-8000-000000000000"}
    s.linear.say(issue, "remember gone", parent=gone)
    tap.result(s.answers(issue)[0]["parent"] is None,
               "an answer whose thread is gone goes to the issue")


def test_text(s, issue):
    body = "remember **bold** _a_b_c_ `x<y` \U0001f600 | a | b |"
    s.linear.say(issue, body)
    tap.result(s.answer(issue) == "Noted: " + body[9:], "Markdown goes out as it is")
    for note in range(10):
        s.linear.say(issue, "remember n%d %s" % (note, "\U0001f600 words " * 450))
        s.answer(issue)
    s.linear.say(issue, "notes")
    parts = s.answers_until(issue, "n9")
    tap.result(len(parts) > 1 and
               all(len(part.encode("utf-16-le")) <= 60000 for part in parts),
               "a long answer comes in parts", [len(part) for part in parts])
    comment = s.linear.say(issue, "remember draft")
    s.answer(issue)
    s.linear.edit(comment, "remember final")
    tap.result("final" in s.answer(issue), "an edit after the answer is a new message")
    s.polled()
    tap.result(s.stored("reference, refers_to", "remember final") == [("edit", comment["id"])] and
               len(s.stored("seq", "remember draft")) == 1, "once")
    tap.result(s.host.request(op="edit_message", group="linear", text="better")["ok"],
               "the last comment can be changed")
    s.linear.wait_for(lambda: s.linear.said(issue)[-1]["body"] == "better")


def test_overlap(s, issue):
    s.linear.say(issue, "remember now")
    s.answer(issue)
    s.linear.say(issue, "remember late", ago=2)
    tap.result(s.answers_until(issue, "late"), "a change that becomes visible late is not missed")
    for number in range(120):
        s.linear.say(issue, "remember p%d" % number)
    s.answers_until(issue, "p119")
    rows = [row[0] for row in s.host.rows(
        "SELECT content FROM messages WHERE content GLOB 'remember p[0-9]*' ORDER BY seq")]
    tap.result(rows == ["remember p%d" % number for number in range(120)],
               "many come in order, over several pages", rows)
    asked = len(s.linear.called("Issue"))
    s.polled()
    tap.result(len(s.linear.called("Issue")) == asked, "what is known is not asked for again")


def files_below(folder):
    for path, _, names in os.walk(folder):
        for name in names:
            if os.path.isfile(os.path.join(path, name)):
                yield os.path.join(path, name)


def test_troubles(s, issue):
    s.linear.fail("Comment", "RATELIMITED", 400, "Rate limit exceeded", Retry_After=1)
    s.linear.fail("News", "RATELIMITED", 400, "Rate limit exceeded", Retry_After=1)
    s.linear.say(issue, "remember first")
    s.linear.say(issue, "remember second")
    texts = s.answers_until(issue, "second")
    tap.result("first" in texts[0], "what Linear wants later comes later, in order", texts)
    s.linear.fail("Comment", "INTERNAL_SERVER_ERROR", 500)
    s.linear.fail("Issue", "INTERNAL_SERVER_ERROR", 500)
    s.linear.say(issue, "remember third")
    tap.result("third" in s.answer(issue), "what fails is tried again")
    s.linear.lose_answer("Comment")
    s.linear.say(issue, "remember fourth")
    s.host.wait_for_line("the connection ended")
    s.host.wait_for_line("channel 'linear' is connected")
    s.linear.say(issue, "remember fifth")
    tap.result("fourth" in s.answer(issue) and "fifth" in s.answer(issue),
               "what was sent without an answer is not sent twice", s.linear.said(issue)[-3:])
    s.linear.spoilt["News"] = b"<html>log in first</html>"
    line = s.host.wait_for_line("channel 'linear' is disconnected")
    tap.result("without JSON" in line, "a page that is not Linear's is said to be", line)
    s.host.wait_for_line("channel 'linear' is connected")
    s.linear.fail("Issue", "GRAPHQL_VALIDATION_FAILED", 400, "Cannot query field 'dueDate'")
    s.linear.say(issue, "remember a newer API")
    line = s.host.wait_for_line("channel 'linear' is disconnected")
    tap.result("Cannot query field" in line and s.answers_until(issue, "newer API"),
               "no news are passed over because a query does not fit", line)
    s.host.wait_for_line("channel 'linear' is connected")
    s.linear.fail("Comment", "FORBIDDEN", 400, "You may not comment here")
    s.linear.say(issue, "remember forbidden")
    line = s.host.wait_for_line("could not be delivered")
    tap.result("You may not comment here" in line, "a comment that Linear refuses is given up", line)
    s.linear.say(issue, "remember sixth")
    tap.result("sixth" in s.answer(issue), "and holds up no other")
    s.linear.say(issue, "x" * 300000)
    tap.result(s.host.wait_for_line("is not taken: it is too long"), "a comment without end is passed over")
    s.linear.issues["odd"] = {**issue, "id": "odd", "identifier": "../x-1"}
    s.linear.say(s.linear.issues["odd"], "remember odd")
    del s.linear.issues["odd"]
    s.linear.say(issue, "remember sense")
    tap.result("sense" in s.answer(issue), "an issue that is gone, or odd, stops nothing")
    s.linear.headers = {"X-RateLimit-Requests-Remaining": 10,
                        "X-RateLimit-Requests-Reset": int((time.time() + 3600) * 1000)}
    line = s.host.wait_for_line("few calls left")
    tap.result(line, "with few calls left, it polls later")
    s.linear.say(issue, "remember scarce")
    s.linear.headers = {}
    s.host.stop()
    s.start()
    tap.result(s.answers_until(issue, "scarce"), "a new start looks at once")


def test_states(s):
    """With an agent that calls the tool, where tests are built."""
    folder = os.path.dirname(s.host.nanoclaw)
    agent = next((path for path in (os.path.join(folder, below, "host/test-agent")
                                    for below in ("..", "tests")) if os.path.exists(path)), None)
    if not agent:
        tap.skip("an agent changes the state of its issue", "there is no agent to do it")
        return
    t = Setup(s.host.nanoclaw)
    try:
        t.host.configure({**t.settings, "NANOCLAW_AGENT": os.path.realpath(agent)})
        t.start()
        t.host.run("group", "add", JID, "Linear", "--folder", "linear")
        issue = t.linear.issue("Fix it", assignee="andy")
        t.answer(issue)
        t.linear.say(issue, 'a !op {"op":"set_state","state":"in progress"}')
        t.linear.wait_for(lambda: t.linear.called("State"))
        tap.result(issue["state"]["name"] == "In Progress" and '"ok":true' in t.answer(issue),
                   "an agent changes the state of its issue", issue["state"])
        t.linear.say(issue, 'a !op {"op":"set_state","state":"Fixed"}')
        answer = t.answer(issue)
        tap.result("there is no state 'Fixed'; the states are 'Backlog', 'Todo', 'In Progress', "
                   "'Done'" in answer, "a state that its team does not have is refused", answer)
        t.linear.lose_answer("State")
        t.linear.say(issue, 'a !op {"op":"set_state","state":"Done"}', parent={"id": issue["id"]})
        tap.result('"ok":true' in t.answer(issue) and issue["state"]["name"] == "Done" and
                   len(t.linear.called("State")) == 3, "without an answer, it is changed again")
        t.linear.say(issue, "a !files")
        answer = t.answer(issue)
        tap.result('kind="issue" name="%s">' % issue["identifier"] in answer and
                   "Your notes: issues/%s.md" % issue["identifier"] in answer,
                   "agents read about the issue beside the message", answer)
        asked = t.host.request(op="set_state", state="Done", group="linear")
        tap.result(not asked["ok"], "outside of a conversation there is none to change", asked)
    finally:
        t.close()


def test_store(s, issue):
    s.linear.say(issue, "remember once")
    s.answer(issue)
    s.host.kill()
    s.linear.say(issue, "remember downtime")
    s.start()
    tap.result("downtime" in s.answer(issue), "what came while the host was down is fetched")
    tap.result(len(s.stored("seq", "remember once")) == 1, "what comes twice is stored once")
    port = s.linear.port
    s.linear.leave()
    line = s.host.wait_for_line("channel 'linear' is disconnected")
    tap.result("cannot be reached" in line and "lin_api" not in line, "a lost connection is said", line)
    s.linear.say(issue, "remember the gap")
    s.linear.listen(port)
    tap.result("the gap" in s.answer(issue), "what came meanwhile is fetched")


def test_keys(s, issue):
    _, output = s.host.run("doctor")
    tap.result("the user is '@andy'" in output, "doctor asks Linear whose key it is", output)
    s.linear.key = "lin_api_other"
    line = s.host.wait_for_line("channel 'linear' is down")
    tap.result("refuses the key (Authentication required)" in line, "a key that is revoked is said to be",
               line)
    _, output = s.host.run("doctor")
    tap.result("refuses the key" in output, "doctor says so, too", output)
    s.linear.key = KEY
    s.linear.say(issue, "remember new key")
    tap.result(s.host.stop() == 0, "the host ends")
    s.start()
    tap.result("new key" in s.answer(issue), "with another key it goes on")
    s.host.stop()
    for settings, words in (({}, "LINEAR_API_KEY is not set"),
                            ({"LINEAR_API_KEY": "a b"}, "not a key like 'lin_api_"),
                            ({**s.settings, "LINEAR_POLL_SECONDS": "x"}, "LINEAR_POLL_SECONDS")):
        s.host.configure(settings)
        s.host.start()
        line = s.host.wait_for_line("channel 'linear' is down")
        tap.result(words in line, "what is missing is said: " + words, line)
        s.host.stop()
    found = [name for name in files_below(s.host.root) if KEY.encode() in open(name, "rb").read() and
             not name.endswith(".env")]
    tap.result(not found and not any(KEY in line for line in s.host.log),
               "no file and no line of the log has the key", found)
    s.host.configure(s.settings)


def sign(body, secret):
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def post(line, document, secret=SECRET):
    """What Linear posts to the webhook in this line of the log; returns the status."""
    body = json.dumps(document).encode()
    request = urllib.request.Request(line.split()[-1], body, {
        "content-type": "application/json", "linear-signature": sign(body, secret)})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def event(kind="Comment", age=0):
    return {"type": kind, "action": "create", "data": {},
            "webhookTimestamp": int((time.time() - age) * 1000)}


def test_webhook(s, issue):
    s.host.stop()
    s.host.configure({**s.settings, "LINEAR_POLL_SECONDS": "3600", "LINEAR_WEBHOOK_PORT": "0",
                      "LINEAR_WEBHOOK_SECRET": SECRET})
    s.host.start()
    line = s.host.wait_for_line("Linear's webhook is")
    s.host.wait_for_line("channel 'linear' is connected")
    s.linear.say(issue, "remember the hook")
    tap.result(post(line, event(), "wrong") == 401 and post(line, event(age=120)) == 200 and
               post(line, event("Reaction")) == 200 and post(line, [1]) == 200,
               "a webhook is answered; one that is forged, late or about something else does nothing")
    s.host.wait_for_line("without the signature")
    tap.result(post(line, event()) == 200 and s.answers_until(issue, "the hook"),
               "one with the right signature brings the news at once")
    s.host.stop()
    s.host.configure(s.settings)
    s.start()


TROUBLES = {
    "limit": lambda linear: linear.fail("Comment", "RATELIMITED", 400, Retry_After=1),
    "poll limit": lambda linear: linear.fail("News", "RATELIMITED", 400, Retry_After=1),
    "lost answer": lambda linear: linear.lose_answer("Comment"),
    "lost page": lambda linear: linear.lose_answer("News"),
    "busy": lambda linear: linear.fail("Issue", "INTERNAL_SERVER_ERROR", 500),
}


def test_kills(s, issues, messages, kills):
    """Everybody writes; the host is killed again and again, and Linear has troubles of its own."""
    s.start()
    rooms = [s.linear.issue("Room %d" % i, assignee="andy") for i in range(issues)]
    for room in rooms:
        s.answer(room)
    chance, wanted = random.Random(1), {room["id"]: [] for room in rooms}
    told, read = {room["id"]: [] for room in rooms}, [0]

    def say(until):
        for number in range(sum(map(len, wanted.values())), until):
            room = chance.choice(rooms)
            wanted[room["id"]].append("m%d" % number)
            s.linear.say(room, "remember m%d" % number)

    def count():
        for comment in s.linear.posted[read[0]:]:
            words = wanted.get(comment["issue"]["id"], ())
            told.get(comment["issue"]["id"], []).extend(
                word for word in comment["body"].split() if word in words)
            read[0] += 1
        return sum(len(set(words)) for words in told.values())

    for kill in range(kills):
        trouble = TROUBLES[chance.choice(list(TROUBLES))]
        share = messages * (kill + 1) // (kills + 1)
        say(share * 2 // 3)
        s.linear.wait_for(lambda: count() >= share // 2)
        trouble(s.linear)
        s.host.kill()
        say(share)
        s.host.start()
    say(messages)
    s.linear.wait_for(lambda: count() >= messages)
    lost = sum(len(set(wanted[room]) - set(told[room])) for room in wanted)
    doubled = sum(len(told[room]) - len(set(told[room])) for room in wanted)
    disordered = [(wanted[room], told[room]) for room in wanted
                  if list(dict.fromkeys(told[room])) != wanted[room]]
    print("# %d messages, %d issues, %d kills: %d lost, %d doubled" %
          (messages, issues, kills, lost, doubled))
    tap.result(lost == 0, "no message stays without an answer")
    tap.result(not disordered, "each issue has its answers in order", disordered)
    tap.result(doubled == 0, "and none twice")
    return rooms[0]


def test_soak(s, issue, seconds):
    begin, rounds, memory = time.monotonic(), 0, []
    while time.monotonic() - begin < seconds:
        rounds += 1
        TROUBLES[random.Random(rounds).choice(list(TROUBLES))](s.linear)
        s.linear.say(issue, "remember s%d." % rounds)
        s.linear.wait_for(lambda: any("s%d." % rounds in c["body"] for c in s.linear.posted[-5:]))
        memory.append(s.host.measure()[0])
    early, late = memory[len(memory) // 4], memory[-1]
    print("# %d rounds: %d KB, then %d KB" % (rounds, early, late))
    tap.result(late < early * 1.2 + 1000, "troubles cost no memory", memory)
    used = s.host.measure()[1]
    time.sleep(20)
    idle = s.host.measure()[1] - used
    print("# %.2f seconds of CPU in 20 idle ones, with 10 polls a second" % idle)
    tap.result(idle < 5, "an idle host does little")


def main():
    issues, messages, kills = map(int, sys.argv[2:5] or (4, 40, 4))
    s = Setup(sys.argv[1])
    try:
        issue = test_first_message(s)
        for test in (test_addressed, test_threads, test_text, test_overlap, test_troubles, test_store,
                     test_webhook, test_keys):
            test(s, issue)
        test_states(s)
        room = test_kills(s, issues, messages, kills)
        if sys.argv[5:]:
            test_soak(s, room, int(sys.argv[5]))
    finally:
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in s.host.log[-40:]))
        s.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
