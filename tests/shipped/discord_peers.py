"""discord_peers.py NANOCLAW [MESSAGES]: discord.js judges the Discord of add-discord's tests, Discord's
types the requests of the channel and the events of that server, and a real host talks to the Discord
of crabline, and to our own, through a proxy that loses, cuts, delays and refuses. In TAP."""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../.claude/skills/add-discord/tests"))
sys.path.append(os.path.join(HERE, "../net"))

import tap
import discord
from crabline import FAULTS, NODE, Crabline
from discord_api import DIRECT, GENERAL, DiscordApi
from fault_proxy import FaultProxy
from host import Host
from typescript import check


def test_official(modules):
    server = DiscordApi(discord.TOKEN)
    client = subprocess.Popen(
        ["node", os.path.join(HERE, "discord_official.mjs"), modules,
         "http://127.0.0.1:%d/api" % server.port, discord.TOKEN],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def lines(count):
        return sorted(client.stdout.readline().strip() for _ in range(count))

    try:
        said = lines(2)
        tap.result(said == ["ready andy", "session"], "discord.js takes our server for Discord", said)
        message = server.say(GENERAL, "hello")
        said = lines(3)
        tap.result(said == ["message general alice hello", "message general andy hi",
                            "replied true 1 true"],
                   "it gets its events, and replies once under a nonce", said)
        server.refresh()
        said = lines(1)
        tap.result(said == ["resumed"] and server.identifies == 1, "it resumes its session", said)
        server.sockets[-1].cut()
        server.edit(message, "better")
        server.react(message, "\U0001f44d", guild_id=discord.GUILD)
        server.add_thread(GENERAL, "ideas")
        said = lines(4)
        tap.result(said == ["edited better", "reaction \U0001f44d", "resumed", "thread general ideas"],
                   "in which it gets what it missed", said)
        server.invalidate(False)
        said = lines(1)
        tap.result(said == ["session"] and server.identifies == 2,
                   "and begins a new one when that is over", said)
    finally:
        client.kill()
        client.wait()
        server.leave()


class DiscordCrabline(Crabline):
    platform, method, field = "discord", "/messages", "content"

    def say(self, text, **fields):
        super().say(text, channelId=self.manifest["fixture"]["channelId"],
                    guildId=self.manifest["fixture"]["guildId"], senderId="100000000000000007",
                    senderName="Alice", **fields)


def test_crabline(modules, nanoclaw, count):
    if subprocess.run([os.path.join(modules, NODE), "--version"], capture_output=True,
                      check=False).returncode:
        print("# crabline's Node does not run here")
        return
    with tempfile.TemporaryDirectory(prefix="nanoclaw-crabline.") as folder:
        crabline = DiscordCrabline(modules, folder)
        proxy = FaultProxy("127.0.0.1", crabline.port)
        host = Host(nanoclaw, {"DISCORD_BOT_TOKEN": crabline.manifest["botToken"],
                               "DISCORD_API_URL": "http://127.0.0.1:%d/api/v10" % proxy.port})
        try:
            host.start()
            host.wait_for_line("channel 'discord' is connected")
            talk_to_crabline(crabline, host, proxy, count)
        finally:
            host.close()
            crabline.close()


def talk_to_crabline(crabline, host, faults, count):
    bot = crabline.manifest["botUserId"]
    _, output = host.run("channel", "pair", "discord", "--folder", "main")
    code = next(word for word in output.split() if word[4:5] == "-" and len(word) == 9)
    crabline.say("<@%s> %s" % (bot, code))
    tap.result(crabline.wait_for("belongs to the group"), "crabline: a chat is paired")
    crabline.say("remember **bold**")
    tap.result(crabline.wait_for("bold")["content"] == "Noted: **bold**", "a message is answered")
    for i in range(2):
        crabline.say("remember n%d " % i + "\U0001f600 " * 600)
        crabline.wait_for("Noted: n%d" % i)
    crabline.say("notes")
    crabline.say("remember more")
    crabline.wait_for("Noted: more")
    tap.result(not crabline.refused, "a long answer is within the limit", crabline.refused)
    chance = random.Random(3)
    for i in range(count):
        faults.command(FAULTS[i] if i < len(FAULTS) else chance.choice(FAULTS))
        crabline.say("remember m%d." % i)
        if i % 4 == 3:
            host.kill()
            host.start()
            # It does not repeat events in a session that is resumed.
            host.wait_for_line("channel 'discord' is connected")
        crabline.wait_for("m%d." % i)
    crabline.say("remember the end")
    crabline.wait_for("the end")
    judge(count, [text["content"] for text in crabline.texts])


def test_faults(nanoclaw, count):
    """The gateway is behind the proxy, too."""
    server = DiscordApi(discord.TOKEN)
    proxy = FaultProxy("127.0.0.1", server.port)
    server.public_port = proxy.port
    server.remembers_nonces = False
    s = discord.Setup(nanoclaw, server)
    s.settings["DISCORD_API_URL"] = "http://127.0.0.1:%d/api/v10" % proxy.port
    s.host.configure(s.settings)
    try:
        s.start()
        s.pair(DIRECT, "main")
        chance = random.Random(5)
        faults = FAULTS + ("break",)
        for i in range(count):
            proxy.command(faults[i] if i < len(faults) else chance.choice(faults))
            server.say(DIRECT, "remember m%d." % i)
            if i % 4 == 3:
                s.host.kill()
                s.host.start()
            server.wait_for(lambda: any("m%d." % i in text for text in server.texts(DIRECT)))
        judge(count, server.texts(DIRECT))
        if count > len(faults):  # it takes a minute
            proxy.command("freeze")
            server.say(DIRECT, "remember spring")
            tap.result("spring" in s.answer_with(DIRECT, "spring")[-1],
                       "a connection that has gone silent is noticed")
    finally:
        if sys.exc_info()[0]:
            print("\n".join("# " + line for line in s.host.log[-40:]))
        s.close()


def judge(count, texts):
    words = [word for text in texts for word in text.split() if word[0] == "m" and word[-1] == "."]
    wanted = ["m%d." % i for i in range(count)]
    tap.result(set(words) == set(wanted), "with faults of each kind and kills, none is lost",
               set(wanted) - set(words))
    tap.result(words == wanted, "none is doubled, and they are in order", words)


# Enumerations are texts and numbers on the wire.
PLAIN = """
import type * as discord from 'discord-api-types/v10';
type Plain<T> = T extends string ? `${T}` : T extends number ?
	`${T}` extends `${infer N extends number}` ? N : T :
	T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
"""
BODIES = {"POST messages": "RESTPostAPIChannelMessageJSONBody",
          "PATCH messages": "RESTPatchAPIChannelMessageJSONBody"}
PAYLOADS = {1: "GatewayHeartbeat", 2: "GatewayIdentify", 6: "GatewayResume"}
EVENTS = {"MESSAGE_CREATE": "GatewayMessageCreateDispatch",
          "MESSAGE_UPDATE": "GatewayMessageUpdateDispatch",
          "READY": "GatewayReadyDispatch", "THREAD_CREATE": "GatewayThreadCreateDispatch"}


def literals(server):
    """Each distinct set of fields that was sent or received, as a literal of Discord's type."""
    documents = [(BODIES[call["route"]], call["body"]) for call in server.calls
                 if call["route"] in BODIES]
    documents += [("RESTGetAPIChannelMessagesQuery", {**call["query"], "limit": int(call["query"]["limit"])})
                  for call in server.calls if call["route"] == "GET messages" and call["query"]]
    documents += [(PAYLOADS[payload["op"]], payload) for payload in server.payloads]
    documents += [(EVENTS[event["t"]], event) for session in server.sessions.values()
                  for event in session.log if event["t"] in EVENTS]
    seen = set()
    for kind, document in documents:
        content = document.get("d")
        key = (kind, *sorted(document), *sorted(content if isinstance(content, dict) else ()))
        if key not in seen:
            seen.add(key)
            yield kind, "export const c%d: Plain<discord.%s> = %s;" % (
                len(seen), kind, json.dumps(document))


def test_types(modules, nanoclaw):
    s = discord.Setup(nanoclaw)
    try:
        s.start()
        s.discord.heartbeat_ms = 1000
        for test in (discord.test_first_message, discord.test_mentions, discord.test_threads,
                     discord.test_actions):
            test(s)
        s.discord.refresh()
        resumes = s.discord.resumes
        s.discord.wait_for(lambda: s.discord.resumes > resumes and
                           any(payload["op"] == 1 for payload in s.discord.payloads))
        found = list(literals(s.discord))
    finally:
        s.close()
    lines = [PLAIN] + [line for _, line in found]
    wrong = next(line for line in lines if '"allowed_mentions"' in line).replace(
        '"allowed_mentions"', '"allowed_mention"')
    done = check(modules, lines, re.sub(r"const \w+", "const wrong", wrong))
    tap.result(done.returncode == 0, "requests and events have the types that Discord gives them, "
               "and a wrong name would be noticed",
               done.stdout + "\n".join(lines))
    wanted = {*BODIES.values(), *PAYLOADS.values(), "GatewayMessageCreateDispatch",
              "RESTGetAPIChannelMessagesQuery"}
    tap.result(wanted <= {kind for kind, _ in found}, "all kinds of them",
               wanted - {kind for kind, _ in found})


def main():
    nanoclaw, count = (sys.argv[1:] + ["7"])[:2]
    modules = os.path.abspath(os.environ["NODE_MODULES"])
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout[1:].split(".")[0]) < 18:
        tap.skip_all("discord.js needs Node 18")
    test_official(modules)
    test_crabline(modules, nanoclaw, int(count))
    test_faults(nanoclaw, int(count))
    test_types(modules, nanoclaw)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
