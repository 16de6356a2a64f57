"""linear_peers.py NANOCLAW [MESSAGES]: the types of Linear's SDK judge the requests of the channel, and
a real host talks to the Linear of emulate, through a proxy that loses, cuts, delays and refuses. In
TAP."""

import json
import os
import random
import re
import subprocess
import sys
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../.claude/skills/add-linear/tests"))
sys.path.append(os.path.join(HERE, "../net"))

import linear
import tap
from fault_proxy import FaultProxy
from host import Host
from linear_api import Failure, LinearApi, page
from typescript import check

KEY, MIA = "lin_api_andy", "lin_api_mia"
SEED = {"users": [{"email": name + "@example.org", "name": name.title(), "display_name": name}
                  for name in ("andy", "mia")],
        "teams": [{"key": "ENG", "name": "Engineering"}],
        "tokens": [{"token": KEY, "user": "andy@example.org"}, {"token": MIA, "user": "mia@example.org"}]}
FAULTS = ("drop", "reset", "cut 20", "delay 50", "status 429 1", "status 502")
LACKS = r"history\(.*hasNextPage } }|editedAt|parent { id }"  # of the fields
NODES = "nodes { id updatedAt %s } pageInfo { hasNextPage }"


class Front(LinearApi):
    """Everything is in emulate. What it lacks is here: filters, the history, and the ids of comments."""

    def __init__(self, modules):
        self.emulate = subprocess.Popen(
            ["node", os.path.join(HERE, "emulate.mjs"), modules, "linear", json.dumps(SEED)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.emulated = "http://127.0.0.1:%s/graphql" % self.emulate.stdout.readline().strip()
        self.ids = {}
        super().__init__(KEY)

    def ask(self, key, query, **variables):
        request = urllib.request.Request(
            self.emulated, json.dumps({"query": query, "variables": variables}).encode(),
            {"authorization": key, "content-type": "application/json"})
        try:
            with urllib.request.urlopen(request) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as error:
            raise Failure("INPUT_ERROR", 400, error.read().decode()) from error
        if answer.get("errors"):
            raise Failure("INPUT_ERROR", 400, answer["errors"][0]["message"])
        return answer["data"]

    def forward(self, **variables):
        return self.ask(KEY, re.sub(LACKS, "", self.calls[-1]["query"]), **variables)

    def do_Viewer(self):
        return self.forward()

    def do_News(self, comments, issues, last, commentsBefore=None, issuesBefore=None):
        owners = "assignee { id } delegate { id } team { key }"
        user = "user { id name displayName email app }"
        return {"comments": page(self.list("comments", "body createdAt %s issue { id %s }" % (
                    user, owners)), comments, last, commentsBefore),
                "issues": page(self.list("issues", "description " + owners), issues, last,
                               issuesBefore)}

    def list(self, table, fields):
        nodes = self.ask(KEY, "query { %s(first: 1000) { %s } }" % (table, NODES % fields))
        return {node["id"]: node for node in nodes[table]["nodes"]}

    def do_Issue(self, id):
        answer = self.forward(id=id)
        answer["issue"]["history"] = {"nodes": [], "pageInfo": {"hasNextPage": False}}
        return answer

    def do_States(self, id):
        return self.forward(id=id)

    def do_State(self, id, input):
        return self.forward(id=id, input=input)

    def do_Edit(self, id, input):
        return self.forward(id=self.ids[id], input=input)

    def do_Look(self, id):
        if id not in self.ids:
            raise Failure("INPUT_ERROR", 400, "Could not find referenced Comment.")
        return {"comment": self.forward(id=self.ids[id])["comment"] and {"id": id}}

    def do_Comment(self, input):
        if input["id"] in self.ids:
            raise Failure("INPUT_ERROR", 400, "Argument Validation Error")
        answer = self.forward(input={name: input[name] for name in ("issueId", "body")})
        comment = answer["commentCreate"]["comment"]
        self.ids[input["id"]], comment["id"] = comment["id"], input["id"]
        return answer

    def write(self, issue, body):
        """Mia writes."""
        self.ask(MIA, "mutation ($input: CommentCreateInput!) { commentCreate(input: $input) {"
                 " success } }", input={"issueId": issue, "body": body})

    def texts(self, issue):
        """What the assistant has written, in its order."""
        nodes = self.ask(MIA, "query ($id: String!) { issue(id: $id) { comments(first: 1000) { nodes {"
                         " body createdAt user { displayName } } } } }", id=issue)
        nodes = nodes["issue"]["comments"]["nodes"]
        return [node["body"] for node in sorted(nodes, key=lambda node: node["createdAt"])
                if node["user"]["displayName"] == "andy"]

    def answered(self, issue, words):
        self.wait_for(lambda: any(words in text for text in self.texts(issue)))
        return True

    def close(self):
        self.emulate.kill()
        self.emulate.wait()
        self.leave()


def test_emulate(front, host, faults, count):
    viewer = front.ask(KEY, "query { viewer { id } }")["viewer"]["id"]
    team = front.ask(MIA, "query { teams { nodes { id key } } }")["teams"]["nodes"]
    team = next(node["id"] for node in team if node["key"] == "ENG")
    host.run("group", "add", "linear:__channel__", "Linear", "--folder", "main")
    issue = front.ask(
        MIA, "mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { issue { identifier } } }",
        input={"teamId": team, "title": "Fix it", "assigneeId": viewer})["issueCreate"]["issue"]
    issue = issue["identifier"]
    tap.result(front.answered(issue, ""), "emulate: an issue that is assigned is answered")
    front.write(issue, "remember **bold**")
    tap.result(front.answered(issue, "Noted: **bold**"), "so is a comment", front.texts(issue))
    host.request(op="edit_message", group="main", text="edited")
    tap.result(front.answered(issue, "edited"), "an answer is changed")
    front.lose_answer("Comment")
    front.write(issue, "remember once")
    front.answered(issue, "once")
    front.wait_for(lambda: "Look" in {call["operation"] for call in front.calls})
    chance = random.Random(3)
    for i in range(count):
        faults.command(FAULTS[i] if i < len(FAULTS) else chance.choice(FAULTS))
        front.write(issue, "remember m%d." % i)
        if i % 5 == 4:
            host.kill()
            host.start()
        front.answered(issue, "m%d." % i)
    words = [word for text in front.texts(issue) for word in text.split()
             if re.match(r"m\d+\.$|once", word)]
    tap.result(words == ["once"] + ["m%d." % i for i in range(count)],
               "with faults of each kind and kills, none is lost, doubled or out of order", words)
    return issue


def test_states(front, nanoclaw, proxy, issue):
    """Of an issue in emulate, by an agent that calls the tool."""
    agent = os.path.join(os.path.dirname(nanoclaw), "../host/test-agent")
    host = Host(nanoclaw, {**settings(proxy), "NANOCLAW_AGENT": os.path.realpath(agent)})
    try:
        host.start()
        host.wait_for_line("channel 'linear' is connected")
        host.run("group", "add", "linear:__channel__", "Linear", "--folder", "linear")
        front.write(issue, 'a !op {"op":"set_state","state":"done"}')
        state = "query { issue(id: \"%s\") { state { name } } }" % issue
        front.wait_for(lambda: front.ask(MIA, state)["issue"]["state"]["name"] == "Done")
        tap.result(True, "an agent changes the state of an issue")
    finally:
        host.close()


def test_types(calls, modules):
    """Each different form of a request that was made, as TypeScript."""
    forms = {}
    for call in calls:
        forms.setdefault((call["query"], *sorted(call["variables"])), call)
    made = subprocess.run(
        ["node", os.path.join(HERE, "linear_types.mjs"), modules], capture_output=True, text=True,
        input="".join(json.dumps(call) + "\n" for call in forms.values()), check=True)
    done = check(modules, made.stdout.splitlines(), 'export type Wrong = Field<L.Comment, "bodies">;')
    operations = {call["operation"] for call in forms.values()}
    tap.result(done.returncode == 0 and operations >= {
        "Viewer", "News", "Issue", "Comment", "Look", "Edit", "States", "State"},
        "the requests of the channel have the types that Linear's SDK gives them",
        done.stdout + str(operations))


JUDGE = """import { readFileSync } from 'node:fs';
const { LinearWebhookClient } = await import(process.argv[1] + '/@linear/sdk/dist/webhooks/index.mjs');
const [secret, signature, time] = process.argv.slice(2);
new LinearWebhookClient(secret).verify(readFileSync(0), signature, Number(time));"""


def test_signature(modules):
    """Of the webhooks that the test of the channel posts."""
    event = linear.event()
    body = json.dumps(event).encode()
    codes = [subprocess.run(
        ["node", "--input-type=module", "-e", JUDGE, modules, "secret", linear.sign(body, secret),
         str(event["webhookTimestamp"])], input=body, capture_output=True, check=False).returncode
        for secret in ("secret", "wrong")]
    tap.result(codes == [0, 1], "Linear's SDK accepts the signatures that the channel accepts", codes)


def settings(proxy):
    return {"LINEAR_API_KEY": KEY, "LINEAR_API_URL": "http://127.0.0.1:%d/graphql" % proxy.port,
            "LINEAR_TEAM": "ENG", "LINEAR_POLL_SECONDS": "0.2"}


def main():
    nanoclaw, count = (sys.argv[1:] + ["6"])[:2]
    modules = os.path.abspath(os.environ["NODE_MODULES"])
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout[1:].split(".")[0]) < 20:
        tap.skip_all("emulate needs Node 20")
    front = Front(modules)
    proxy = FaultProxy("127.0.0.1", front.port)
    host = Host(nanoclaw, settings(proxy))
    try:
        host.start()
        host.wait_for_line("channel 'linear' is connected")
        issue = test_emulate(front, host, proxy, int(count))
        host.stop()
        test_states(front, nanoclaw, proxy, issue)
        test_types(front.calls, modules)
        test_signature(modules)
    finally:
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in host.log[-40:]))
        host.close()
        front.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
