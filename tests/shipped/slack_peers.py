"""slack_peers.py NANOCLAW [MESSAGES]: Slack's own clients judge the Slack of add-slack's tests,
their types the requests of the channel, and a real host talks to the Slack of emulate, through a
proxy that loses, cuts, delays and refuses. In TAP."""

import json
import os
import random
import subprocess
import sys
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../.claude/skills/add-slack/tests"))
sys.path.append(os.path.join(HERE, "../net"))

import tap
from fault_proxy import FaultProxy
from host import Host
from slack_api import Failure, SlackApi
from typescript import check

BOT_TOKEN, APP_TOKEN, ALICE = "xoxb-1-andy", "xapp-1-app", "xoxp-1-alice"
SCOPES = [
    "app_mentions:read", "channels:history", "channels:join", "channels:read", "chat:write",
    "files:read", "files:write", "groups:history", "groups:read", "im:history", "mpim:history",
    "mpim:read", "reactions:write", "users:read"]
SEED = {"strict_scopes": True,
        "users": [{"name": "alice", "real_name": "Alice"}, {"name": "andy", "real_name": "Andy"}],
        "tokens": [{"token": BOT_TOKEN, "user": "andy", "scopes": SCOPES},
                   {"token": ALICE, "user": "alice", "scopes": SCOPES}]}
FAULTS = ("drop", "reset", "cut 20", "delay 50", "status 429 1", "status 502")


def test_official(modules):
    slack = SlackApi(BOT_TOKEN, APP_TOKEN)
    client = subprocess.Popen(
        ["node", os.path.join(HERE, "slack_official.mjs"), modules, slack.url, BOT_TOKEN, APP_TOKEN],
        stdout=subprocess.PIPE, text=True)
    try:
        lines = [client.stdout.readline().strip() for _ in range(2)]
        tap.result(lines == ["connected as U0BOT", "user Alice"],
                   "Slack's own clients take our server for Slack", lines)
        slack.say("C1", "hello")
        lines = sorted(client.stdout.readline().strip() for _ in range(3))
        tap.result(lines == ["event C1 **hello**", "event C1 hello", "posted true"],
                   "they get its events, and post", lines)
        slack.wait_for(lambda: not slack.pending)
        tap.result(not slack.pending, "and it understands their acknowledgements")
    finally:
        client.kill()
        client.wait()
        slack.leave()


class Front(SlackApi):
    """The Web API is that of emulate, and the sockets are ours."""

    def __init__(self, modules):
        self.emulate = subprocess.Popen(
            ["node", os.path.join(HERE, "emulate.mjs"), modules, "slack", json.dumps(SEED)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.emulated = "http://127.0.0.1:" + self.emulate.stdout.readline().strip()
        super().__init__(BOT_TOKEN, APP_TOKEN)

    def ask(self, method, token, parameters):
        request = urllib.request.Request(
            self.emulated + "/api/" + method, urllib.parse.urlencode(parameters).encode(),
            {"authorization": "Bearer " + token})
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def forward(self, method, parameters):
        answer = self.ask(method, BOT_TOKEN, parameters)
        if not answer.pop("ok"):
            raise Failure(answer.pop("error"), **answer)
        if "upload_url" in answer:  # it does not know its own port
            path = urllib.parse.urlsplit(answer["upload_url"]).path
            answer["upload_url"] = self.emulated + path
        return answer

    def write(self, channel, text, files=(), **fields):
        """Alice writes."""
        message = self.ask("chat.postMessage", ALICE,
                           {"channel": channel, "text": text, **fields})["message"]
        with self.changed:
            self.event({**message, "files": files, "channel": channel, "channel_type": "channel"})
        return message

    def close(self):
        self.emulate.kill()
        self.emulate.wait()
        self.leave()


for own in ("auth_test", "chat_postMessage", "chat_update", "conversations_history",
            "conversations_info", "conversations_replies", "files_completeUploadExternal",
            "files_getUploadURLExternal", "files_info", "users_info"):
    setattr(Front, own, lambda self, parameters, method=own.replace("_", ".", 1):
            self.forward(method, parameters))


def test_emulated_files(front, host, general, answered):
    host.write_file("groups/main/cat.txt", b"meow\n" * 20000)
    host.request(op="send_file", group="main", path="cat.txt", text="the cat")
    front.wait_for(lambda: any(call["accepted"] for call in front.calls
                               if call["method"] == "files.completeUploadExternal"))
    files = [file for message in front.ask("conversations.history", ALICE,
                                           {"channel": general})["messages"]
             for file in message.get("files", ())]
    tap.result([(file["title"], file["size"]) for file in files] == [("cat.txt", 100000)],
               "an agent sends a file", files)
    front.write(general, "remember the file", files=[{"id": file["id"]} for file in files])
    tap.result(answered("the file"), "a file that is not at Slack's address is not waited for")
    host.request(op="edit_message", group="main", text="edited")
    tap.result(front.wait_for(lambda: any(call["accepted"] for call in front.calls
                                          if call["method"] == "chat.update")),
               "and changes its last text")


def test_emulate(front, host, faults, count):
    general = next(c["id"] for c in front.ask("conversations.list", ALICE, {})["channels"]
                   if c["name"] == "general")
    bot = front.ask("auth.test", BOT_TOKEN, {})["user_id"]
    for token in (ALICE, BOT_TOKEN):
        front.ask("conversations.join", token, {"channel": general})

    def answered(words):
        return front.wait_for(lambda: any(words in p.get("text", "") for p in front.posted(general)))

    _, output = host.run("channel", "pair", "slack", "--folder", "main")
    code = next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)
    front.write(general, "<@%s> %s" % (bot, code))
    tap.result(answered("belongs to the group"), "emulate: a chat is paired")
    bold = front.write(general, "remember **bold**")
    tap.result(answered("Noted: *bold*"), "a message is answered; without Markdown, which it lacks",
               front.texts())
    front.write(general, "remember thread", thread_ts=bold["ts"])
    tap.result(answered("thread") and front.posted(general)[-1].get("thread_ts") == bold["ts"],
               "so is one in a thread, there", front.posted(general)[-1])
    test_emulated_files(front, host, general, answered)
    chance = random.Random(3)
    for i in range(count):
        faults.command(FAULTS[i] if i < len(FAULTS) else chance.choice(FAULTS))
        front.write(general, "remember m%d." % i)
        if i % 5 == 4:
            host.kill()
            host.start()
        answered("m%d." % i)
    words = [word for p in front.posted(general) for word in p.get("text", "").split()]
    words = [word for word in words if word[0] == "m" and word[-1] == "."]
    wanted = ["m%d." % i for i in range(count)]
    tap.result(set(words) == set(wanted), "with faults of each kind and kills, none is lost",
               set(wanted) - set(words))
    tap.result(words == wanted, "none is doubled, and they are in order", words)
    if count > len(FAULTS):  # it takes half a minute
        faults.command("freeze")
        front.write(general, "remember spring")
        tap.result(answered("spring"), "a connection that has gone silent is noticed")


TYPES = {"apps.connections.open": "AppsConnectionsOpen", "auth.test": "AuthTest",
         "chat.postMessage": "ChatPostMessage", "chat.update": "ChatUpdate",
         "files.completeUploadExternal": "FilesCompleteUploadExternal",
         "files.getUploadURLExternal": "FilesGetUploadURLExternal", "files.info": "FilesInfo",
         "conversations.history": "ConversationsHistory",
         "conversations.info": "ConversationsInfo", "conversations.replies": "ConversationsReplies",
         "users.info": "UsersInfo"}
READ = ("files", "include_all_metadata", "length", "limit", "metadata")  # not texts; a form has only these


def test_types(calls, modules):
    """Each different set of parameters that was sent, as a literal of the type that Slack gives."""
    lines, seen = ["import type * as slack from '@slack/web-api';"], set()
    for call in calls:
        parameters = {name: json.loads(value) if name in READ else value
                      for name, value in call["parameters"].items()}
        key = (call["method"], *sorted(parameters))
        if key not in seen:
            seen.add(key)
            lines.append("export const c%d: slack.%sArguments = %s;" % (
                len(seen), TYPES[call["method"]], json.dumps(parameters)))
    done = check(modules, lines,
                 "export const wrong: slack.ChatPostMessageArguments = {\"chanel\": \"C1\"};")
    tap.result(done.returncode == 0 and {key[0] for key in seen} == set(TYPES),
               "the requests of the channel have the types that Slack gives them",
               done.stdout + "\n".join(lines))


def main():
    nanoclaw, count = (sys.argv[1:] + ["6"])[:2]
    modules = os.path.abspath(os.environ["NODE_MODULES"])
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout[1:].split(".")[0]) < 20:
        tap.skip_all("Slack's clients need Node 20")
    test_official(modules)
    front = Front(modules)
    proxy = FaultProxy("127.0.0.1", front.port)
    front.public_port = proxy.port
    host = Host(nanoclaw, {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN,
                           "SLACK_API_URL": "http://127.0.0.1:%d/api" % proxy.port})
    try:
        host.start()
        host.wait_for_line("channel 'slack' is connected")
        test_emulate(front, host, proxy, int(count))
        host.stop()
        test_types(front.calls, modules)
    finally:
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in host.log[-40:]))
        host.close()
        front.close()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
