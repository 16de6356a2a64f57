"""WhatsApp's Cloud API on loopback: people's messages are put into it, and it fails on command.

    api = CloudApi(TOKEN, PHONE_ID, SECRET)
    api.webhook = 8321                      where to post
    api.message(ALICE, "hello")             somebody writes
    api.wait_for(lambda: api.sent(ALICE))   until something has been called
    api.fail("messages", 131056, "Pair rate limit hit")

What happens is posted to the webhook with a signature, and posted again until it gets a 200. Each
message that is accepted has the statuses "sent" and "delivered", with its callback data.
"""

import collections
import email
import hashlib
import hmac
import http.client
import json
import socket
import socketserver
import threading
import time
from http.server import BaseHTTPRequestHandler

PATIENCE = 300  # seconds that anything may take; not a measure of anything
AGAIN = 0.05    # seconds before something is posted again
PATH = "/webhook/whatsapp"
MESSAGE = {"messaging_product", "recipient_type", "to", "recipient", "type", "context",
           "biz_opaque_callback_data", "text", "reaction", "image", "audio", "video", "document"}


class Failure(Exception):
    def __init__(self, code, message, status=400, **fields):
        super().__init__(message)
        self.status = status
        self.document = {"error": {"message": "(#%d) %s" % (code, message), "code": code,
                                   "type": "OAuthException", "fbtrace_id": "A", **fields}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 120
    disable_nagle_algorithm = True  # head and body of an answer go out one after the other

    def setup(self):
        super().setup()
        self.server.connections.append(self.connection)

    def handle_call(self):
        api = self.server.api
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        status, answer, document = 200, None, self.parse(body)
        try:
            if self.headers.get("authorization") != "Bearer " + api.token:
                raise Failure(190, "Invalid OAuth access token", 401)
            answer = api.call(self.command, self.path, document)
        except Failure as failure:
            status, answer = failure.status, failure.document
        if api.drops and status == 200 and document.get("type") == api.drops[0]:
            api.drops.pop(0)
            self.close_connection = True
            return
        text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = handle_call

    def parse(self, body):
        kind = self.headers.get("content-type", "")
        if not kind.startswith("multipart/"):
            return json.loads(body) if body else {}
        form = {}
        for part in email.message_from_bytes(
                b"content-type: %s\r\n\r\n%s" % (kind.encode(), body)).get_payload():
            value = part.get_payload(decode=True)
            name = part.get_param("name", header="content-disposition")
            form[name] = ((part.get_filename(), part.get_content_type(), value)
                          if part.get_filename() else value.decode())
        return form

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True

    def __init__(self, *arguments):
        self.connections = []
        super().__init__(*arguments)

    def handle_error(self, *_):
        pass  # a client that was killed


class CloudApi:
    def __init__(self, token, phone_id, secret):
        self.token, self.phone_id, self.secret = token, phone_id, secret
        self.changed = threading.Condition()
        self.webhook = None  # the port; None: the host is down
        self.calls, self.failures = [], []
        self.drops = []    # types of messages: the reply to an accepted one is dropped
        self.silent = False  # no statuses
        self.files = {}    # contents by id
        self.numbers = 0
        # Messages and statuses are posted side by side.
        self.queue, self.statuses, self.posted = collections.deque(), collections.deque(), []
        self.listen(0)
        for queue in (self.queue, self.statuses):
            threading.Thread(target=self.post_all, args=(queue,), daemon=True).start()

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
        for connection in self.server.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    @property
    def url(self):
        return "http://127.0.0.1:%d/v24.0" % self.port

    # --- what people do ----------------------------------------------------

    def number(self):
        self.numbers += 1
        return self.numbers

    def message(self, chat, text=None, **fields):
        """`chat` is a number, or a number and a group; without a text, `fields` have the type."""
        phone, group = chat if isinstance(chat, tuple) else (chat, None)
        with self.changed:
            message = {"from": phone, "from_user_id": "US." + phone,
                       "id": "wamid.IN%d" % self.number(), "timestamp": str(int(time.time()))}
            if text is not None:
                message.update(type="text", text={"body": text})
            if group:
                message["group_id"] = group
            message.update(fields)
            self.post({"contacts": [{"profile": {"name": "Alice %s" % phone[-2:]}, "wa_id": phone,
                                     "user_id": "US." + phone}], "messages": [message]})
            return message

    def post(self, value, phone_id=None):
        """It is posted, now or when the webhook takes it."""
        value = {"messaging_product": "whatsapp", "metadata": {
            "display_phone_number": "1 555-0100", "phone_number_id": phone_id or self.phone_id},
            **value}
        with self.changed:
            queue = self.statuses if "statuses" in value else self.queue
            queue.append({"object": "whatsapp_business_account", "entry": [
                {"id": "1", "changes": [{"field": "messages", "value": value}]}]})
            self.changed.notify_all()

    def post_all(self, queue):
        connection = port = None
        while True:
            with self.changed:
                self.changed.wait_for(lambda: queue and self.webhook)
                document, webhook = queue[0], self.webhook
            if connection is None or port != webhook:
                connection, port = http.client.HTTPConnection("127.0.0.1", webhook, 30), webhook
            try:
                taken = self.offer(json.dumps(document).encode(), connection=connection) == 200
            except (OSError, http.client.HTTPException):
                taken, connection = False, None
            with self.changed:
                if taken:
                    self.posted.append(queue.popleft())
                    self.changed.notify_all()
                else:
                    self.changed.wait(AGAIN)

    def offer(self, body, signature=None, path=PATH, connection=None):
        """Post it once; returns the status."""
        if signature is None:
            signature = "sha256=" + hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        once = connection or http.client.HTTPConnection("127.0.0.1", self.webhook, 30)
        once.request("POST", path, body, {"content-type": "application/json",
                                          "x-hub-signature-256": signature})
        response = once.getresponse()
        response.read()
        if not connection:
            once.close()
        return response.status

    def ask(self, query):
        """A GET at the webhook: its status and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.webhook, 30)
        connection.request("GET", PATH + query)
        response = connection.getresponse()
        answer = response.status, response.read().decode()
        connection.close()
        return answer

    def fail(self, path, code, message, status=400, **fields):
        """The next such call."""
        self.failures.append((path, Failure(code, message, status, **fields)))

    def status(self, message, kind, **fields):
        self.post({"statuses": [{
            "id": message["id"], "status": kind, "timestamp": str(int(time.time())),
            "recipient_id": message.get("to", ""),
            "biz_opaque_callback_data": message["biz_opaque_callback_data"], **fields}]})

    # --- what the channel does ---------------------------------------------

    def sent(self, chat=None, kind=None):
        """Messages that were accepted, with their ids."""
        to = chat[1] if isinstance(chat, tuple) else chat
        with self.changed:
            return [call["body"] for call in self.calls
                    if call["accepted"] and "biz_opaque_callback_data" in call["body"]
                    and to in (None, call["body"].get("to", call["body"].get("recipient")))
                    and kind in (None, call["body"]["type"])]

    def texts(self, chat=None):
        return [message["text"]["body"] for message in self.sent(chat, "text")]

    def read(self):
        """Ids of messages that were marked as read, with 'typing …'."""
        with self.changed:
            return [call["body"]["message_id"] for call in self.calls
                    if call["body"].get("status") == "read" and "typing_indicator" in call["body"]]

    def wait_for(self, condition):
        with self.changed:
            return self.changed.wait_for(condition, PATIENCE)

    # --- the API -----------------------------------------------------------

    def call(self, method, path, body):
        path = path.removeprefix("/v24.0/")
        with self.changed:
            call = {"method": method, "path": path, "body": body, "accepted": False}
            self.calls.append(call)
            self.changed.notify_all()
            name = path.split("?")[0].rsplit("/", 1)[-1] if "status" not in body else "read"
            for failure in self.failures:
                if failure[0] == name:
                    self.failures.remove(failure)
                    raise failure[1]
            if method == "GET":
                return self.get(path.split("?")[0])
            if path == self.phone_id + "/media":
                return self.upload(body)
            if path != self.phone_id + "/messages":
                raise Failure(100, "Unsupported post request")
            if "status" in body:
                return {"success": True}
            answer = self.accept(body)
            call["accepted"] = True
            if not self.silent:
                self.status(body, "sent")
                self.status(body, "delivered")
            self.changed.notify_all()
            return answer

    def get(self, path):
        if path == self.phone_id:
            return {"id": path, "display_phone_number": "+1 555-0100", "verified_name": "Andy",
                    "webhook_configuration": {"application": "https://example.org" + PATH}}
        if path.startswith("file/"):
            return self.files[path[5:]]
        if path not in self.files:
            raise Failure(100, "Unsupported get request", error_data={"details": "no such file"})
        return {"id": path, "url": "%s/file/%s" % (self.url, path), "messaging_product": "whatsapp",
                "mime_type": "image/jpeg", "sha256": "0", "file_size": len(self.files[path])}

    def upload(self, form):
        name, kind, content = form["file"]
        if form["messaging_product"] != "whatsapp" or form["type"] != kind:
            raise Failure(100, "Invalid parameter")
        if content.startswith(b"413"):
            failure = Failure(0, "", 413)
            failure.document = {"title": "Request Entity Too Large"}
            raise failure
        if kind == "application/octet-stream":
            raise Failure(131053, "Media upload error")
        number = "9%d" % self.number()
        self.files[number] = content
        return {"id": number}

    def accept(self, body):
        kind = body["type"]
        content = body[kind]
        if set(body) - MESSAGE or body["messaging_product"] != "whatsapp":
            raise Failure(100, "Unexpected key")
        if not body.get("to" if body["recipient_type"] == "group" or "to" in body else "recipient"):
            raise Failure(100, "The parameter to is required")
        if len(body["biz_opaque_callback_data"]) > 512:
            raise Failure(100, "biz_opaque_callback_data is too long")
        if kind == "text" and not 0 < len(content["body"]) <= 4096:
            raise Failure(100, "Param text['body'] must be at most 4096 characters long")
        if kind not in ("text", "reaction") and content["id"] not in self.files:
            raise Failure(100, "no such media")
        body["id"] = "wamid.OUT%d" % self.number()
        return {"messaging_product": "whatsapp",
                "contacts": [{"input": body.get("to", ""), "wa_id": body.get("to", "")}],
                "messages": [{"id": body["id"], "message_status": "accepted"}]}
