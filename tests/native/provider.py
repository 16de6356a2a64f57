"""A provider of models for tests: both APIs, on a Unix socket or on loopback.

    provider.py SCENARIO.json [--socket PATH] [--record FOLDER]

The first line on stdout is the address, as nanoclaw-native includes it NANOCLAW_API_SOCKET;
then comes a line 'request N TARGET' for each request, whose body is FOLDER/N.json. A line on
stdin continues all answers that stall; the end of stdin ends the program.

A scenario is a list of answers, or {"answers": […], "after": ANSWER}: each request gets the next
one, those that are left over get "after". An answer is an object. Its content is one of

    say, think, use, input    a message of one block, in the API and the way (streaming or not)
                              of the request
    blocks                    a message of several: see shapes.py; with them go
                              usage: [INPUT, OUTPUT] (else by the size of the request), and
                              stop: the reason why it ends
    events                    a stream of these objects and texts
    body                      an object, sent as JSON, or a text
    error                     a message in the form of the API's errors, with kind and code

and the rest says how it is sent:

    status, headers           200 and the usual ones, if they are not given
    newline                   at the end of lines in a stream
    end                       how the reader finds the end of the body: "chunked", "length", "close"
    split                     so many bytes at a time, each after the reader has taken those before
    cut, reset, stall         after so many bytes, those of the head included, the connection is
                              closed, or reset, or nothing comes until someone says so; a negative
                              number counts from the end
    when                      only for requests whose body contains this text
"""

import argparse
import fcntl
import itertools
import json
import os
import socket
import struct
import sys
import tempfile
import termios
import threading
import time

import shapes

NO_ANSWER = {"status": 400, "error": "the scenario has no answer to this request"}
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"  # other programs look around
REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 429: "Too Many Requests"}


class Request:
    def __init__(self, head, body):
        self.connection = None  # the number of its connection
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = lines[0].split(" ", 2)
        self.headers = {name.strip().lower(): value.strip() for name, value in
                        (line.split(":", 1) for line in lines[1:])}
        self.bytes = body
        self.body = json.loads(body) if body.startswith(b"{") else None
        path = self.target.split("?")[0]
        self.is_message = self.method == "POST" and path.endswith(("/messages", "/chat/completions"))
        self.api = "openai" if path.endswith("/chat/completions") else "anthropic"
        self.streams = bool(self.body and self.body.get("stream"))


def stream_text(answer, api, events):
    """Server-sent events; Anthropic's have names."""
    newline = answer.get("newline", "\n")
    lines = []
    for event in events:
        if isinstance(event, str) and event.startswith(":"):
            lines.append(event + newline + newline)
            continue
        if api == "anthropic" and isinstance(event, dict) and "type" in event:
            lines.append("event: %s%s" % (event["type"], newline))
        text = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
        lines.append("data: %s%s%s" % (text, newline, newline))
    return "".join(lines)


def content(answer, api, streams, number, size):
    """The content type and the body."""
    if "events" in answer:
        return "text/event-stream", stream_text(answer, api, answer["events"])
    if "error" in answer:
        body = shapes.error_body(api, answer["error"], answer.get("kind", "invalid_request_error"),
                                 answer.get("code"))
        return "application/json", json.dumps(body)
    if "body" in answer:
        body = answer["body"]
        return "application/json", body if isinstance(body, str) else json.dumps(body)
    blocks = answer.get("blocks") or [
        {key: answer[key] for key in ("say", "think", "use", "input", "id") if key in answer}]
    usage = answer.get("usage", [size // 3 + 1, 10])
    arguments = (blocks, usage, answer.get("stop"), number * 100)
    if streams:
        return "text/event-stream", stream_text(answer, api, shapes.EVENTS[api](*arguments))
    return "application/json", json.dumps(shapes.MESSAGES[api](*arguments))


def wire(answer, api="anthropic", streams=True, number=1, size=300):
    """All bytes of an answer, as the connection carries them if nothing goes wrong."""
    kind, body = content(answer, api, streams, number, size)
    body = body.encode()
    status = answer.get("status", 200)
    end = answer.get("end", "chunked")
    head = {"Content-Type": kind}
    if end == "chunked":
        head["Transfer-Encoding"] = "chunked"
        events = [event + b"\n\n" for event in body.split(b"\n\n") if event]
        if b"".join(events) != body:
            events = [body] if body else []
        body = b"".join(b"%x\r\n%s\r\n" % (len(event), event) for event in events) + b"0\r\n\r\n"
    elif end == "length":
        head["Content-Length"] = str(len(body))
    else:
        head["Connection"] = "close"
    head.update(answer.get("headers", {}))
    lines = ["HTTP/1.1 %d %s" % (status, REASONS.get(status, "Status"))]
    lines += ["%s: %s" % item for item in head.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Provider:
    """Serves from its creation to close(). `answers` and `after` may be functions of the request."""

    def __init__(self, answers=(), after=None, path=None, record=None, told=None):
        self.answers, self.after, self.record = list(answers), after or NO_ANSWER, record
        self.told = told or (lambda number, request: None)
        self.requests, self.lock, self.changed = [], threading.Lock(), threading.Condition()
        self.going = threading.Event()
        self.stalled = 0
        self.folder = None
        if path is None:
            self.socket = socket.create_server(("127.0.0.1", 0), backlog=512)
            self.port = self.socket.getsockname()[1]
            self.address = "tcp:127.0.0.1:%d" % self.port
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.bind(path)
            self.socket.listen(512)
            self.address = path
        threading.Thread(target=self.accept, daemon=True).start()

    @classmethod
    def on_socket(cls, *arguments, **named):
        """On a Unix socket of its own: there, `split` and `stall` know what the reader has."""
        folder = tempfile.TemporaryDirectory(prefix="nanoclaw-provider.")
        provider = cls(*arguments, path=folder.name + "/api.sock", **named)
        provider.folder = folder
        return provider

    def accept(self):
        for number in itertools.count():
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client, number), daemon=True).start()

    def serve(self, client, number):
        try:
            with client, client.makefile("rb") as reader:
                while request := self.read(reader):
                    request.connection = number
                    if not request.is_message:
                        client.sendall(NOT_FOUND)
                    elif not self.send(client, *self.choose(request)):
                        return
        except OSError:
            pass

    @staticmethod
    def read(reader):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = reader.readline()
            if not line:
                return None
            head += line
        fields = head.lower()
        if b"\r\ntransfer-encoding: chunked" in fields:
            body = b""
            while size := int(reader.readline().split(b";")[0], 16):
                body += reader.read(size)
                reader.readline()
            reader.readline()
        else:
            at = fields.find(b"\r\ncontent-length:")
            length = int(fields[at + 17:].split(b"\r\n")[0]) if at >= 0 else 0
            body = reader.read(length)
            if len(body) < length:
                return None
        return Request(head[:-4], body)

    def choose(self, request):
        with self.lock:
            number = len(self.requests)
            for at, answer in enumerate(self.answers):
                if callable(answer) or answer.get("when", "").encode() in request.bytes:
                    del self.answers[at]
                    break
            else:
                answer = self.after
            if callable(answer):
                answer = answer(request)
            if self.record:
                with open("%s/%d.json" % (self.record, number), "wb") as file:
                    file.write(request.bytes)
            self.requests.append(request)
            self.told(number, request)
        with self.changed:
            self.changed.notify_all()
        return answer, request, number + 1

    def send(self, client, answer, request, number):
        """False if the connection ends with this answer."""
        data = wire(answer, request.api, request.streams, number, len(request.bytes))
        for fault in ("cut", "reset", "stall"):
            if fault in answer:
                at = answer[fault] if answer[fault] >= 0 else len(data) + answer[fault]
                self.write(client, data[:at], answer.get("split"))
                if fault == "stall":
                    self.stall(client)
                    self.write(client, data[at:], answer.get("split"))
                    break
                if fault == "reset":
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                      struct.pack("ii", 1, 0))
                else:
                    client.shutdown(socket.SHUT_RDWR)
                return False
        else:
            self.write(client, data, answer.get("split"))
        if answer.get("end") == "close":
            client.shutdown(socket.SHUT_RDWR)
            return False
        return True

    @staticmethod
    def write(client, data, split):
        for at in range(0, len(data), split or len(data) or 1):
            client.sendall(data[at:at + (split or len(data))])
            # Unread bytes of a Unix socket; on TCP only those that have not arrived.
            while split and struct.unpack("i", fcntl.ioctl(client, termios.TIOCOUTQ, b"\0" * 4))[0]:
                time.sleep(0.00005)

    def stall(self, client):
        with self.changed:
            self.stalled += 1
            self.changed.notify_all()
        self.going.wait()

    def wait_for(self, condition):
        """Until condition(self) is true; it is asked again after each request and stall."""
        with self.changed:
            if not self.changed.wait_for(lambda: condition(self), 300):
                raise AssertionError("the provider waited in vain; %d requests" % len(self.requests))

    def go(self):
        """Continue all answers that stall."""
        self.going.set()

    def bodies(self):
        return [request.body for request in self.requests]

    def close(self):
        self.going.set()
        self.socket.close()
        if self.folder:
            self.folder.cleanup()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario")
    parser.add_argument("--socket")
    parser.add_argument("--record")
    words = parser.parse_args()
    with open(words.scenario, encoding="utf-8") as file:
        scenario = json.load(file)
    if isinstance(scenario, list):
        scenario = {"answers": scenario}
    if words.record:
        os.makedirs(words.record, exist_ok=True)
    provider = Provider(scenario["answers"], scenario.get("after"), words.socket, words.record,
                        lambda number, request: print("request %d %s" % (number, request.target),
                                                      flush=True))
    print(provider.address, flush=True)
    for _ in sys.stdin:
        provider.go()
    provider.close()


if __name__ == "__main__":
    main()
