#!/usr/bin/env python3
"""everything.py TALK: the agent's tools with the public server-everything over stdio."""
import os
import sys

from talk import Talk, Tap

server = os.path.join(os.environ["NODE_MODULES"],
                      "@modelcontextprotocol/server-everything/dist/index.js")
tap = Tap()
talk = Talk(sys.argv[1], ["node", server, "stdio"])


def says(name, words, result, error=False):
    tap.claim(name, words in result["text"] and result["isError"] is error, result)


tap.claim("the server starts, and its tools are listed", talk.problems is None and all(
    "mcp__s__" + name in talk.tools for name in ("echo", "get-sum", "get-tiny-image")),
    (talk.problems, sorted(talk.tools)))
tap.claim("every tool has a description and the schema of an object", all(
    tool["description"] and tool["input_schema"]["type"] == "object"
    for tool in talk.tools.values()))
says("a text comes back", "Echo: Grüße\n", talk.call("echo", message="Grüße\n"))
says("numbers arrive as numbers", "is 5", talk.call("get-sum", a=2, b=3))
says("wrong arguments are an error", "expected number", talk.call("get-sum", a="x"), error=True)
image = talk.call("get-tiny-image")
tap.claim("an image comes with its type", image["imageType"] == "image/png" and
          image["imageLength"] > 1000 and "[image: image/png" in image["text"], image)
says("structured content is text", '"temperature"',
     talk.call("get-structured-content", location="Chicago"))
says("a resource is text", "plaintext resource", talk.call("get-resource-reference"))
says("links to resources are named", "[resource: demo://", talk.call("get-resource-links"))
says("notifications about progress disturb nothing", "completed",
     talk.call("trigger-long-running-operation", duration=0.2, steps=3))
together = talk.calls([("trigger-long-running-operation", {"duration": 0.3, "steps": 1})] +
                      [("echo", {"message": str(number)}) for number in range(20)])
tap.claim("21 calls at the same time get their own answers", "completed" in together[0]["text"] and
          [result["text"] for result in together[1:]] == [f"Echo: {n}" for n in range(20)],
          together)
tap.claim("the server ends with the agent", talk.close() == 0)
sys.exit(tap.end())
