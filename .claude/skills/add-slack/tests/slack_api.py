"""A Slack on loopback: the Web API and Socket Mode, into which people's messages are put, and which
fails on command.

    slack = SlackApi(BOT_TOKEN, APP_TOKEN)
    slack.say("C1", "hello")                    somebody writes
    slack.wait_for(lambda: slack.posted("C1"))  until something has been called
    slack.fail("chat.postMessage", "ratelimited", 429, retry_after=1)

Events go to one of the open sockets, and are repeated on the next one until they are acknowledged,
as at Slack; an event that nobody hears is only in the history. tests/shipped/slack_peers.py lets
Slack's own clients judge this server.
"""

import json
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

from web import Server, WebSocket

PATIENCE = 300  # seconds that anything may take; not a measure of anything
SCOPES = ("app_mentions:read,channels:history,channels:read,chat:write,groups:history,groups:read,"
          "files:read,files:write,im:history,mpim:history,mpim:read,users:read")


class Failure(Exception):
    def __init__(self, error, status=200, retry_after=None, **fields):
        super().__init__(error)
        self.status, self.retry_after = status, retry_after
        self.document = {"ok": False, "error": error, **fields}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 120

    disable_nagle_algorithm = True  # head and body of an answer go out one after the other

    def setup(self):
        super().setup()
        self.server.connections.append(self.connection)

    def give_file(self):
        api = self.server.api
        allowed = self.headers.get("authorization") == "Bearer " + api.tokens["bot"]
        allowed = allowed and "files:read" in api.scopes
        body = api.files[self.path.rsplit("/", 1)[1]][1] if allowed else b"<html>Sign in</html>"
        self.send_response(200)
        self.send_header("content-type", "image/png" if allowed else "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.startswith("/files-pri/"):
            self.give_file()
            return
        if not self.headers.get("sec-websocket-key") or not self.server.api.take_ticket(self.path):
            self.send_error(403)
            return
        self.server.api.serve_socket(WebSocket(self))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.startswith("/upload/"):
            self.server.api.take_upload(self.path.rsplit("/", 1)[1], body)
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        body = body.decode()
        parameters = dict(urllib.parse.parse_qsl(body, keep_blank_values=True))
        status, retry_after = 200, None
        try:
            answer = {"ok": True, **self.server.api.call(
                self.path.rsplit("/", 1)[1], self.headers.get("authorization", ""), parameters)}
        except Failure as failure:
            status, retry_after, answer = failure.status, failure.retry_after, failure.document
        text = json.dumps(answer).encode() if status != 502 else b"<h1>Bad Gateway</h1>"
        self.send_response(status)
        self.send_header("content-type", "application/json; charset=utf-8")
        self.send_header("content-length", str(len(text)))
        self.send_header("x-oauth-scopes", self.server.api.scopes)
        if retry_after is not None:
            self.send_header("retry-after", str(retry_after))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class SlackApi:
    def __init__(self, bot_token, app_token, port=0):
        self.tokens = {"bot": bot_token, "app": app_token}
        self.scopes = SCOPES
        self.changed = threading.Condition(threading.RLock())
        self.users = {"U0BOT": "Andy", "U7": "Alice", "U8": "Bob"}
        self.channels = {"C1": "general", "C2": "random", "G1": "mpdm-alice--bob-1"}
        self.messages = []           # all of them, in order
        self.files = {}              # by id: name, content
        self.pending = {}            # envelopes without an acknowledgement
        self.sockets, self.greetings, self.most_sockets = [], 0, 0
        self.tickets, self.calls, self.failures, self.lost_answers = set(), [], [], []
        self.number = self.last_ts = 0
        self.listening = True        # to new sockets: 'hello' is said
        self.listen(port)

    def listen(self, port):
        self.server = Server(("127.0.0.1", port), Handler)
        self.server.api = self
        self.port = self.public_port = self.server.server_address[1]
        self.server.start()

    def leave(self):
        """The network is gone, until listen()."""
        self.server.leave()
        self.wait_for(lambda: not self.sockets)

    @property
    def url(self):
        return "http://127.0.0.1:%d/api" % self.port

    # --- what people do ----------------------------------------------------

    def next_ts(self):
        self.number += 1
        self.last_ts = max(self.last_ts + 1, time.time_ns() // 1000)
        return "%d.%06d" % divmod(self.last_ts, 1000000)

    def say(self, channel, text, user="U7", heard=True, **fields):
        """A message; without `heard`, its event is lost on the way."""
        with self.changed:
            message = {"type": "message", "user": user, "text": text, "ts": self.next_ts(), **fields}
            self.messages.append((channel, message))
            if (thread := message.get("thread_ts")) and (parent := self.find(channel, thread)):
                parent.update(thread_ts=thread, latest_reply=message["ts"])
                message.setdefault("parent_user_id", parent["user"])
            if heard:
                self.event({**message, "channel": channel, "channel_type":
                            {"D": "im", "G": "mpim"}.get(channel[0], "channel")})
            return message

    def event(self, event, kind="events_api"):
        with self.changed:
            self.number += 1
            envelope = "e-%d" % self.number
            payload = {"type": "event_callback", "event": event, "event_id": "Ev%d" % self.number,
                       "team_id": "T1", "api_app_id": "A1"}
            self.pending[envelope] = {"envelope_id": envelope, "type": kind, "payload": payload,
                                      "accepts_response_payload": False, "retry_attempt": 0,
                                      "retry_reason": ""}
            self.deliver(envelope)
            return envelope

    def deliver(self, envelope):
        for listener in reversed(self.sockets):
            if listener.open:
                listener.send(self.pending[envelope])
                return

    def fail(self, method, error, status=200, retry_after=None, **fields):
        """The next such call."""
        self.failures.append((method, Failure(error, status, retry_after, **fields)))

    def lose_answer(self, method):
        """The next such call happens, and its answer is an error of a proxy."""
        self.lost_answers.append(method)

    def refresh(self, reason="refresh_requested"):
        with self.changed:
            for listener in self.sockets:
                listener.send({"type": "disconnect", "reason": reason,
                               "debug_info": {"host": "applink-1"}})

    # --- what the bot does -------------------------------------------------

    def posted(self, channel=None):
        """Parameters of texts that were accepted, with their metadata read."""
        with self.changed:
            return [call["parameters"] for call in self.calls
                    if call["method"] == "chat.postMessage" and call["accepted"]
                    and channel in (None, call["parameters"]["channel"])]

    def texts(self, channel=None):
        return [p.get("markdown_text", p.get("text")) for p in self.posted(channel)]

    def called(self, method):
        with self.changed:
            return [call["parameters"] for call in self.calls if call["method"] == method]

    def wait_for(self, condition):
        with self.changed:
            return self.changed.wait_for(condition, PATIENCE)

    # --- Socket Mode -------------------------------------------------------

    def take_ticket(self, path):
        with self.changed:
            ticket = urllib.parse.parse_qs(urllib.parse.urlsplit(path).query).get("ticket", [""])[0]
            known = ticket in self.tickets
            self.tickets.discard(ticket)
            return known

    def serve_socket(self, listener):
        self.greet(listener)
        listener.serve(lambda document: self.acknowledge(document["envelope_id"]))
        self.gone(listener)

    def greet(self, listener):
        with self.changed:
            if not self.listening:
                return
            self.sockets.append(listener)
            self.greetings += 1
            self.most_sockets = max(self.most_sockets, len(self.sockets))
            listener.send({"type": "hello", "num_connections": len(self.sockets),
                           "debug_info": {"host": "applink-1", "approximate_connection_time": 18060},
                           "connection_info": {"app_id": "A1"}})
            for envelope in list(self.pending.values()):
                envelope["retry_attempt"] += 1
                envelope["retry_reason"] = "timeout"
                listener.send(envelope)
            self.changed.notify_all()

    def gone(self, listener):
        with self.changed:
            if listener in self.sockets:
                self.sockets.remove(listener)
            self.changed.notify_all()

    def acknowledge(self, envelope):
        with self.changed:
            self.pending.pop(envelope, None)
            self.changed.notify_all()

    # --- the Web API -------------------------------------------------------

    def call(self, method, authorization, parameters):
        kind = "app" if method == "apps.connections.open" else "bot"
        with self.changed:
            call = {"method": method, "parameters": parameters, "accepted": False}
            self.calls.append(call)
            self.changed.notify_all()
            if authorization != "Bearer " + self.tokens[kind]:
                raise Failure("invalid_auth")
            for failure in self.failures:
                if failure[0] == method:
                    self.failures.remove(failure)
                    raise failure[1]
            result = getattr(self, method.replace(".", "_"))(parameters)
            call["accepted"] = True
            self.changed.notify_all()
            if method in self.lost_answers:
                self.lost_answers.remove(method)
                raise Failure("bad_gateway", 502)
            return result

    def auth_test(self, _):
        return {"user_id": "U0BOT", "user": "andy", "bot_id": "B1", "team_id": "T1", "team": "Home"}

    def apps_connections_open(self, _):
        self.number += 1
        self.tickets.add("t-%d" % self.number)
        return {"url": "ws://127.0.0.1:%d/link/?ticket=t-%d" % (self.public_port, self.number)}

    def users_info(self, parameters):
        if parameters["user"] not in self.users:
            raise Failure("user_not_found")
        name = self.users[parameters["user"]]
        return {"user": {"id": parameters["user"], "name": name.lower(),
                         "profile": {"display_name": name, "real_name": name + " Liddell"}}}

    def conversations_info(self, parameters):
        if parameters["channel"] not in self.channels:
            raise Failure("channel_not_found")
        return {"channel": {"id": parameters["channel"],
                            "name": self.channels[parameters["channel"]]}}

    def find(self, channel, ts):
        return next((m for c, m in self.messages if c == channel and m["ts"] == ts), None)

    def page(self, parameters, messages, newest_first):
        oldest, limit = parameters.get("oldest", "0"), int(parameters.get("limit", 100))
        messages = [m for m in messages if m["ts"] > oldest]
        if newest_first:
            messages.reverse()
        begin = int(parameters.get("cursor") or 0)
        shown = [dict(m) for m in messages[begin:begin + limit]]
        if parameters.get("include_all_metadata") != "true":
            for message in shown:
                message.pop("metadata", None)
        more = begin + limit < len(messages)
        return {"messages": shown, "has_more": more,
                "response_metadata": {"next_cursor": str(begin + limit) if more else ""}}

    def conversations_history(self, parameters):
        return self.page(parameters, [m for c, m in self.messages if c == parameters["channel"]
                                      and m.get("thread_ts", m["ts"]) == m["ts"]], True)

    def conversations_replies(self, parameters):
        thread = parameters["ts"]
        if not self.find(parameters["channel"], thread):
            raise Failure("thread_not_found")
        return self.page(parameters, [m for c, m in self.messages if c == parameters["channel"]
                                      and thread in (m["ts"], m.get("thread_ts"))], False)

    def chat_postMessage(self, parameters):
        if ("text" in parameters) == ("markdown_text" in parameters):
            raise Failure("markdown_text_conflict" if "text" in parameters else "no_text")
        text = parameters.get("markdown_text", parameters.get("text"))
        if not text.strip():
            raise Failure("no_text")
        if len(text) > 12000:
            raise Failure("msg_too_long")
        thread = parameters.get("thread_ts")
        message = {"type": "message", "user": "U0BOT", "bot_id": "B1", "text": text,
                   "ts": self.next_ts(), "metadata": json.loads(parameters.get("metadata", "{}"))}
        if thread:
            message["thread_ts"] = thread
        self.messages.append((parameters["channel"], message))
        self.event({**message, "channel": parameters["channel"]})
        return {"channel": parameters["channel"], "ts": message["ts"], "message": message}

    def chat_update(self, parameters):
        message = self.find(parameters["channel"], parameters["ts"])
        if not message or message["user"] != "U0BOT":
            raise Failure("cant_update_message")
        message["text"] = parameters.get("markdown_text", parameters.get("text"))
        return {"channel": parameters["channel"], "ts": message["ts"], "text": message["text"]}

    # --- files -------------------------------------------------------------

    @property
    def origin(self):
        return "http://127.0.0.1:%d" % self.public_port

    def add_file(self, name, content, mimetype="image/png", **fields):
        """As a message has it."""
        with self.changed:
            self.number += 1
            self.files["F%d" % self.number] = (name, content, {
                "id": "F%d" % self.number, "name": name, "title": name, "mimetype": mimetype,
                "size": len(content), "mode": "hosted",
                "url_private_download": "%s/files-pri/F%d" % (self.origin, self.number), **fields})
            return self.files["F%d" % self.number][2]

    def files_info(self, parameters):
        if parameters["file"] not in self.files:
            raise Failure("file_not_found")
        return {"file": self.files[parameters["file"]][2]}

    def files_getUploadURLExternal(self, parameters):
        file = self.add_file(parameters["filename"], b"")["id"]
        return {"upload_url": "%s/upload/%s" % (self.origin, file), "file_id": file}

    def take_upload(self, file, content):
        with self.changed:
            name, _, about = self.files[file]
            self.files[file] = (name, content, about)

    def files_completeUploadExternal(self, parameters):
        files = [{**self.files[file["id"]][2], "title": file.get("title")}
                 for file in json.loads(parameters["files"])]
        message = {"type": "message", "subtype": "file_share", "user": "U0BOT", "bot_id": "B1",
                   "text": "", "files": files, "ts": self.next_ts()}
        if "thread_ts" in parameters:
            message["thread_ts"] = parameters["thread_ts"]
        self.messages.append((parameters["channel_id"], message))
        return {"files": files}

    def shared(self, channel):
        """Names and contents of the files that the bot has shared."""
        with self.changed:
            return [(file["title"], self.files[file["id"]][1]) for c, message in self.messages
                    if c == channel and message["user"] == "U0BOT"
                    for file in message.get("files", ())]
