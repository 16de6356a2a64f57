"""A Bot API on loopback that people's messages are put into, and that fails on command.

    api = BotApi(TOKEN)
    api.message(chat, "hello")              somebody writes
    api.wait_for(lambda: api.sent(chat))    until something has been called
    api.fail("sendMessage", 429, "Too Many Requests", retry_after=1)

Updates are repeated until a later offset confirms them, and a second getUpdates ends the first
with 409, as at Telegram. sendMessage counts UTF-16 units and reads HTML as Telegram does.
"""

import email
import html.parser
import json
import socket
import socketserver
import threading
import time
from http.server import BaseHTTPRequestHandler

PATIENCE = 300  # seconds that anything may take; not a measure of anything
TAGS = {"a", "b", "blockquote", "code", "i", "pre", "s", "u"}


class Html(html.parser.HTMLParser):
    """The text of a message, or an error where Telegram has one."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.text = [], ""
        self.feed(text)
        self.close()
        if self.open:
            raise ValueError("can't find end tag corresponding to start tag %s" % self.open[-1])

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            raise ValueError("unsupported start tag %s" % tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise ValueError("unmatched end tag %s" % tag)

    def handle_data(self, data):
        self.text += data


class Failure(Exception):
    def __init__(self, code, description, **parameters):
        super().__init__(description)
        self.document = {"ok": False, "error_code": code, "description": description}
        if parameters:
            self.document["parameters"] = parameters


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 120

    disable_nagle_algorithm = True  # head and body of an answer go out one after the other

    def setup(self):
        super().setup()
        self.server.connections.append(self.connection)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        _, bot, method = self.path.split("/", 2)
        api = self.server.api.others.get(bot[3:], self.server.api)
        if bot != "bot" + api.token:
            api.refused.append(method)
            code, answer = 401, {"ok": False, "error_code": 401, "description": "Unauthorized"}
        else:
            try:
                answer = {"ok": True, "result": api.call(method, self.parameters(body))}
                code = 200
            except Failure as failure:
                code, answer = failure.document["error_code"], failure.document
                if code == 413:  # not Telegram says so, but the server in front of it
                    answer = b"<html><h1>413 Request Entity Too Large</h1></html>"
        text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        text = api.spoil(method, text)
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def parameters(self, body):
        """As a dictionary; a file is a tuple of its name and its content."""
        if not self.headers["content-type"].startswith("multipart/"):
            return json.loads(body)
        message = email.message_from_bytes(
            b"content-type: %s\r\n\r\n%s" % (self.headers["content-type"].encode(), body))
        parameters = {}
        for part in message.get_payload():
            name = part.get_param("name", header="content-disposition")
            value = part.get_payload(decode=True)
            if part.get_filename():
                parameters[name] = (part.get_filename(), value)
            else:
                parameters[name] = value.decode()
        parameters["chat_id"] = int(parameters["chat_id"])
        return parameters

    def do_GET(self):
        api, (_, _, bot, path) = self.server.api, self.path.split("/", 3)
        content = api.files.get(path) if bot == "bot" + api.token else None
        self.send_response(200 if content is not None else 404)
        self.send_header("content-length", str(len(content or b"")))
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True

    def __init__(self, *arguments):
        self.connections = []
        super().__init__(*arguments)

    def handle_error(self, *_):
        pass  # a client that was killed


class BotApi:
    def __init__(self, token, port=0):
        self.token, self.bot = token, {"id": 424242, "is_bot": True, "first_name": "Andy",
                                       "username": "andy_bot"}
        self.changed = threading.Condition()
        self.updates, self.calls, self.failures, self.spoiled = [], [], [], []
        self.others = {}  # bots at the same address, by their tokens
        self.told = []  # all updates ever
        self.files = {}  # contents by path
        self.moved = {}  # chats that have become supergroups, and their new ids
        self.refused = []  # methods that were called with another token
        self.update_id, self.message_id, self.poller = 1000, 0, None
        self.listen(port)

    def listen(self, port):
        self.server = Server(("127.0.0.1", port), Handler)
        self.server.api = self
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def leave(self):
        """The network is gone, until listen()."""
        self.server.shutdown()
        self.server.server_close()
        self.cut()

    def cut(self):
        """All connections end."""
        for connection in self.server.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.port

    # --- what people do ----------------------------------------------------

    def message(self, chat, text=None, kind="message", **fields):
        with self.changed:
            self.message_id += 1
            message = {"message_id": self.message_id, "date": int(time.time()), "chat": chat,
                       "from": {"id": 7, "is_bot": False, "first_name": "Alice"}}
            if text is not None:
                message["text"] = text
            message.update(fields)
            self.update({kind: message})
            return message

    def update(self, update):
        with self.changed:
            self.update_id += 1
            self.updates.append({"update_id": self.update_id, **update})
            self.told.append(self.updates[-1])
            self.changed.notify_all()

    def fail(self, method, code, description, **parameters):
        """The next such call."""
        self.failures.append((method, Failure(code, description, **parameters)))

    # --- what the bot does -------------------------------------------------

    def sent(self, chat=None, method="sendMessage"):
        """Parameters of texts that were accepted."""
        with self.changed:
            return [call["parameters"] for call in self.calls
                    if call["method"] == method and call["accepted"]
                    and (chat is None or call["parameters"]["chat_id"] == chat["id"])]

    def texts(self, chat=None):
        return [self.text_of(parameters) for parameters in self.sent(chat)]

    def called(self, method):
        with self.changed:
            return [call for call in self.calls if call["method"] == method]

    def wait_for(self, condition):
        with self.changed:
            return self.changed.wait_for(condition, PATIENCE)

    # --- the API -----------------------------------------------------------

    def spoil(self, method, text):
        if method == "getUpdates" and self.spoiled and b'"update_id"' in text:
            for piece, replacement in self.spoiled:
                text = text.replace(piece, replacement)
        return text

    def call(self, method, parameters):
        with self.changed:
            call = {"method": method, "parameters": parameters, "accepted": False}
            self.calls.append(call)
            self.changed.notify_all()
            for failure in self.failures:
                if failure[0] == method:
                    self.failures.remove(failure)
                    raise failure[1]
            result = getattr(self, method)(parameters)
            call["accepted"] = True
            self.changed.notify_all()
            return result

    def getMe(self, _):
        return self.bot

    def getWebhookInfo(self, _):
        return {"url": "", "pending_update_count": len(self.updates)}

    def sendChatAction(self, _):
        return True

    def setMessageReaction(self, _):
        return True

    def getFile(self, parameters):
        path = "photos/%s.jpg" % parameters["file_id"]
        if path not in self.files:
            raise Failure(400, "Bad Request: file is too big")
        return {"file_id": parameters["file_id"], "file_path": path}

    def sendDocument(self, parameters):
        if len(parameters.get("caption", "")) > 1024:
            raise Failure(400, "Bad Request: message caption is too long")
        self.message_id += 1
        return {"message_id": self.message_id}

    sendPhoto = sendVoice = sendVideo = sendAudio = sendDocument

    def editMessageText(self, parameters):
        self.text_of(parameters)
        return {"message_id": parameters["message_id"]}

    def getUpdates(self, parameters):
        offset = parameters.get("offset")
        # One that is far ahead of all updates counts as none, at Telegram, too.
        if offset and offset <= self.update_id + 10:
            self.updates = [u for u in self.updates if u["update_id"] >= offset]
        self.poller = me = object()
        self.changed.notify_all()
        self.changed.wait_for(lambda: self.updates or self.poller is not me,
                              parameters.get("timeout", 0))
        if self.poller is not me:
            raise Failure(409, "Conflict: terminated by other getUpdates request; make sure "
                               "that only one bot instance is running")
        return self.updates[:parameters.get("limit", 100)]

    def text_of(self, parameters):
        if parameters.get("parse_mode") != "HTML":
            return parameters["text"]
        try:
            return Html(parameters["text"]).text
        except ValueError as error:
            raise Failure(400, "Bad Request: can't parse entities: %s" % error)

    def sendMessage(self, parameters):
        text = self.text_of(parameters)
        if new := self.moved.get(parameters["chat_id"]):
            raise Failure(400, "Bad Request: group chat was upgraded to a supergroup chat",
                          migrate_to_chat_id=new)
        if not text.strip():
            raise Failure(400, "Bad Request: message text is empty")
        if len(text.encode("utf-16-le")) // 2 > 4096:
            raise Failure(400, "Bad Request: message is too long")
        self.message_id += 1
        return {"message_id": self.message_id, "from": self.bot, "text": text,
                "chat": {"id": parameters["chat_id"]}, "date": int(time.time())}
