"""provider_test.py: the provider of the other tests does what its scenario says. In TAP."""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../net"))

from provider import Provider, wire
from tap import end, result

TARGETS = {"anthropic": "/v1/messages", "openai": "/v1/chat/completions"}


def post(provider, api, stream=True):
    connection = http.client.HTTPConnection("127.0.0.1", provider.port, timeout=60)
    connection.request("POST", TARGETS[api], json.dumps({"stream": stream, "text": "hello"}))
    return connection.getresponse()


def test_messages():
    answer = {"blocks": [{"think": "Hm."}, {"say": "Let me look."},
                         {"use": "bash", "input": {"command": "ls"}}]}
    provider = Provider([answer] * 4)
    for api, last in (("anthropic", "event: message_stop"), ("openai", "data: [DONE]")):
        text = post(provider, api).read().decode()
        result("bash" in text and last in text, "%s: a message is a stream" % api, text)
        whole = json.loads(post(provider, api, False).read())
        result("bash" in json.dumps(whole), "%s: or an object" % api, whole)
    result([body["text"] for body in provider.bodies()] == ["hello"] * 4,
           "every request is recorded")
    refused = post(provider, "openai")
    result(refused.status == 400 and "no answer" in refused.read().decode(),
           "a request too many is refused")
    provider.close()


def receive_all(answer, path):
    provider = Provider([answer], path=path)
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(path)
        client.sendall(b"POST /v1/messages HTTP/1.1\r\nContent-Length: 15\r\n\r\n{\"stream\":true}")
        sizes, data = [], b""
        if "stall" in answer:
            provider.wait_for(lambda p: p.stalled)
            data = client.recv(65536)
            sizes.append(len(data))
            provider.go()
        if "cut" not in answer and answer.get("end") != "close":
            client.shutdown(socket.SHUT_WR)
        while more := client.recv(65536):
            sizes.append(len(more))
            data += more
    provider.close()
    os.unlink(path)
    return sizes, data


def test_faults():
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/socket"
        for end_kind in ("chunked", "length", "close"):
            plain = {"say": "Hello, world", "end": end_kind, "usage": [9, 9]}
            whole = wire(plain)
            sizes, data = receive_all({**plain, "split": 1}, path)
            result(data == whole and set(sizes) == {1}, "%s: a byte at a time" % end_kind, set(sizes))
            sizes, data = receive_all({**plain, "cut": -5}, path)
            result(data == whole[:-5], "%s: cut five bytes before the end" % end_kind)
            sizes, data = receive_all({**plain, "stall": 100}, path)
            result(data == whole and sizes[0] == 100, "%s: stalled, then continued" % end_kind, sizes)
    provider = Provider([{"say": "x", "reset": 60}])
    try:
        post(provider, "openai").read()
        result(False, "a connection is reset")
    except ConnectionResetError:
        result(True, "a connection is reset")
    provider.close()


def test_program():
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/scenario.json", "w", encoding="utf-8") as file:
            json.dump([{"status": 429, "headers": {"retry-after": "7"}, "error": "slowly"}], file)
        program = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "provider.py"), folder + "/scenario.json",
             "--record", folder + "/requests"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = int(program.stdout.readline().rsplit(":", 1)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("POST", TARGETS["openai"], b'{"a": 1}')
        answer = connection.getresponse()
        result(answer.status == 429 and answer.headers["retry-after"] == "7",
               "as a program, it plays a scenario")
        line = program.stdout.readline()
        with open(folder + "/requests/0.json", encoding="utf-8") as file:
            result(line == "request 0 /v1/chat/completions\n" and file.read() == '{"a": 1}',
                   "and records the requests", line)
        program.stdin.close()
        result(program.wait(60) == 0, "until its input ends")
        program.stdout.close()


if __name__ == "__main__":
    test_messages()
    test_faults()
    test_program()
    sys.exit(end())
