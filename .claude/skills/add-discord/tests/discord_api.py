"""A Discord on loopback: the gateway and the REST API, into which people's messages are put, and
which fails on command.

    discord = DiscordApi(TOKEN)
    discord.say(GENERAL, "hello")                     somebody writes
    discord.wait_for(lambda: discord.posted(GENERAL)) until something has been called
    discord.fail("POST messages", 429, retry_after=1)

A session keeps its events, and repeats them when it is resumed. A nonce is known for as long as
`remembers_nonces` says, and is in no history, as at Discord. tests/shipped/discord_peers.py lets
discord.js and Discord's types judge this server.
"""

import json
import threading
import time
import urllib.parse
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler

from web import Server, WebSocket

PATIENCE = 300  # seconds that anything may take; not a measure of anything
EPOCH = 1420070400000
BOT, ALICE, BOB, OTHER_BOT = ("10000000000000000%d" % n for n in (1, 7, 8, 9))
GUILD, OWN_ROLE, OTHER_ROLE = "500000000000000001", "500000000000000002", "500000000000000003"
GENERAL, RANDOM, FORUM_THREAD = "600000000000000001", "600000000000000002", "600000000000000003"
DIRECT = "700000000000000001"
TEXT, DM, THREAD = 0, 1, 11


class Failure(Exception):
    def __init__(self, status, code=0, message="an error", retry_after=None, everywhere=False):
        super().__init__(message)
        self.status, self.headers = status, {}
        self.document = {"message": message, "code": code}
        if retry_after is not None:
            self.headers["retry-after"] = str(int(retry_after + 1))
            self.document = {"message": "You are being rate limited.", "retry_after": retry_after,
                             "global": everywhere}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 120

    def setup(self):
        super().setup()
        self.server.connections.append(self.connection)

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def read_body(self):
        """The document, and the files in it."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        kind = self.headers.get("content-type", "")
        if not kind.startswith("multipart/"):
            return json.loads(body or b"{}"), []
        parts = BytesParser().parsebytes(
            b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body).get_payload()
        fields = {part.get_param("name", header="content-disposition"): part for part in parts}
        document = json.loads(fields.pop("payload_json").get_payload(decode=True))
        return document, [(part.get_filename(), part.get_payload(decode=True))
                          for _, part in sorted(fields.items())]

    def handle_call(self):
        api, address = self.server.api, urllib.parse.urlsplit(self.path)
        if address.path.startswith("/files/"):
            self.answer(200, api.files[address.path.split("/")[2]])
            return
        if self.headers.get("sec-websocket-key"):
            api.serve_socket(WebSocket(self), urllib.parse.parse_qs(address.query))
            return
        document, files = self.read_body()
        headers = {"content-type": "application/json"}
        try:
            result = api.call(self.command, address.path.split("/api/v10/")[1].strip("/"),
                              dict(urllib.parse.parse_qsl(address.query)), document, files,
                              self.headers, headers)
            status = 204 if result is None else 200
        except Failure as failure:
            status, result = failure.status, failure.document
            headers.update(failure.headers)
        if status == 502:
            self.answer(status, b"<h1>Bad Gateway</h1>")
        else:
            self.answer(status, b"" if result is None else json.dumps(result).encode(), headers)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_call

    def log_message(self, *_):
        pass


class Session:
    def __init__(self, number):
        self.id, self.seq, self.log, self.socket = "s-%d" % number, 0, [], None


class DiscordApi:
    def __init__(self, token, port=0):
        self.token, self.changed = token, threading.Condition(threading.RLock())
        self.names = {BOT: "Andy", ALICE: "Alice", BOB: "Bob", OTHER_BOT: "Robot"}
        self.channels = {}
        for id, name in ((GENERAL, "general"), (RANDOM, "random")):
            self.channels[id] = {"id": id, "type": TEXT, "name": name, "guild_id": GUILD,
                                 "parent_id": None, "position": 0, "permission_overwrites": []}
        self.messages, self.nonces, self.files, self.calls = {}, {}, {}, []
        self.sessions, self.sockets, self.waiting = {}, [], []
        self.identifies = self.resumes = self.last_id = self.refused_calls = 0
        self.failures, self.lost_answers, self.payloads = [], [], []
        self.remembers_nonces = self.answers_heartbeats = self.intents_allowed = True
        self.heartbeat_ms, self.sessions_left, self.flags = 41250, 1000, 1 << 19
        self.limit = (1000, 1.0)     # calls of a bucket, in so many seconds
        self.buckets = {}
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
        return "http://127.0.0.1:%d/api/v10" % self.port

    @property
    def gateway(self):
        return "ws://127.0.0.1:%d" % self.public_port

    # --- what people do ----------------------------------------------------

    def next_id(self):
        self.last_id = max(self.last_id + 1, (int(time.time() * 1000) - EPOCH) << 22)
        return str(self.last_id)

    def user(self, id):
        return {"id": id, "username": self.names[id].lower(), "global_name": self.names[id],
                "discriminator": "0", "avatar": None, **({"bot": True} if id in (BOT, OTHER_BOT) else {})}

    def channel(self, id):
        """That of a direct message, if it is not known."""
        return self.channels.setdefault(id, {
            "id": id, "type": DM, "recipients": [self.user(ALICE)], "last_message_id": None})

    def add_thread(self, parent, name, heard=True):
        with self.changed:
            id = self.next_id()
            self.channels[id] = {
                "id": id, "type": THREAD, "name": name, "guild_id": GUILD, "parent_id": parent,
                "last_message_id": None, "owner_id": ALICE, "message_count": 0, "member_count": 1,
                "total_message_sent": 0, "rate_limit_per_user": 0,
                "thread_metadata": {"archived": False, "auto_archive_duration": 1440, "locked": False,
                                    "archive_timestamp": "2026-01-01T00:00:00.000000+00:00"}}
            self.event("THREAD_CREATE", self.channels[id], heard)
            return id

    def make(self, channel, text, user, **fields):
        place = self.channel(channel)
        mentioned = [id for id in self.names if "<@%s>" % id in text or "<@!%s>" % id in text]
        message = {
            "id": self.next_id(), "channel_id": channel, "author": self.user(user), "content": text,
            "timestamp": "2026-01-01T00:00:00.000000+00:00", "edited_timestamp": None, "tts": False,
            "mention_everyone": False, "mentions": [self.user(id) for id in mentioned],
            "mention_roles": [id for id in (OWN_ROLE, OTHER_ROLE) if "<@&%s>" % id in text],
            "attachments": [], "embeds": [], "pinned": False, "type": 0, "components": [], **fields}
        if replied := fields.get("message_reference", {}).get("message_id"):
            message["type"] = 19
            message["referenced_message"] = self.find(channel, replied)
            message["message_reference"] = {"type": 0, "message_id": replied, "channel_id": channel}
        self.messages.setdefault(channel, []).append(message)
        place["last_message_id"] = message["id"]
        return message

    def as_event(self, message):
        place = self.channel(message["channel_id"])
        return {**message, **({"guild_id": GUILD, "member": {
            "roles": [], "joined_at": "2026-01-01T00:00:00.000000+00:00", "deaf": False,
            "mute": False, "flags": 1}} if place["type"] != DM else {})}

    def say(self, channel, text, user=ALICE, heard=True, **fields):
        """A message; without `heard`, its event is lost on the way."""
        with self.changed:
            message = self.make(channel, text, user, **fields)
            self.event("MESSAGE_CREATE", self.as_event(message), heard)
            return message

    def edit(self, message, text, at="2026-01-01T00:00:01.250000+00:00"):
        with self.changed:
            message.update(content=text, edited_timestamp=at)
            self.event("MESSAGE_UPDATE", self.as_event(message))

    def react(self, message, symbol, user=ALICE, **fields):
        with self.changed:
            self.event("MESSAGE_REACTION_ADD", {
                "user_id": user, "channel_id": message["channel_id"], "message_id": message["id"],
                "burst": False, "type": 0, "emoji": {"id": None, "name": symbol}, **fields})

    def add_file(self, name, content, kind="image/png"):
        with self.changed:
            id = self.next_id()
            self.files[id] = content
            url = "http://127.0.0.1:%d/files/%s/x" % (self.public_port, id)
            return {"id": id, "filename": name, "size": len(content), "content_type": kind,
                    "url": url, "proxy_url": url}

    def fail(self, route, status, code=0, message="an error", **fields):
        """The next such call."""
        self.failures.append((route, Failure(status, code, message, **fields)))

    def lose_answer(self, route):
        """The next such call happens, and its answer is an error of a proxy."""
        self.lost_answers.append(route)

    # --- what the bot does -------------------------------------------------

    def posted(self, channel=None):
        """Messages of the bot."""
        with self.changed:
            return [m for id, messages in self.messages.items() if channel in (None, id)
                    for m in messages if m["author"]["id"] == BOT]

    def texts(self, channel=None):
        return [message["content"] for message in self.posted(channel)]

    def called(self, route):
        with self.changed:
            return [call for call in self.calls if call["route"] == route]

    def wait_for(self, condition):
        with self.changed:
            return self.changed.wait_for(condition, PATIENCE)

    # --- the gateway -------------------------------------------------------

    def event(self, type, data, heard=True):
        with self.changed:
            for session in self.sessions.values():
                session.seq += 1
                if heard:
                    session.log.append({"op": 0, "t": type, "s": session.seq, "d": data})
                    if session.socket:
                        session.socket.send(session.log[-1])
            self.changed.notify_all()

    def serve_socket(self, listener, query):
        listener.session, listener.query = None, query
        with self.changed:
            self.sockets.append(listener)
            listener.send({"op": 10, "s": None, "t": None,
                           "d": {"heartbeat_interval": self.heartbeat_ms, "_trace": []}})
            self.changed.notify_all()
        listener.serve(lambda payload: self.take_payload(listener, payload))
        with self.changed:
            self.sockets.remove(listener)
            if listener.session and listener.session.socket is listener:
                listener.session.socket = None
            self.changed.notify_all()

    def take_payload(self, listener, payload):
        with self.changed:
            self.payloads.append(payload)
            op, data = payload["op"], payload["d"]
            if op == 1:
                if self.answers_heartbeats:
                    listener.send({"op": 11, "s": None, "t": None, "d": None})
            elif op in (2, 6) and data["token"] != self.token:
                listener.close(4004, "Authentication failed.")
            elif op == 2 and not self.intents_allowed:
                listener.close(4014, "Disallowed intent(s).")
            elif op == 2:
                self.identify(listener)
            elif op == 6:
                self.resume(listener, data)
            self.changed.notify_all()

    def attach(self, listener, session):
        if session.socket:
            session.socket.cut()
        session.socket, listener.session = listener, session

    def identify(self, listener):
        self.identifies += 1
        session = Session(self.identifies)
        self.sessions = {session.id: session}  # a bot of one shard has one
        self.attach(listener, session)
        self.event("READY", {
            "v": 10, "user": {**self.user(BOT), "bot": True}, "session_id": session.id,
            "guilds": [{"id": GUILD, "unavailable": True}],
            "resume_gateway_url": self.gateway, "application": {
                "id": BOT, "flags": self.flags, "flags_new": str(self.flags)}})
        self.event("GUILD_CREATE", {
            "id": GUILD, "name": "Home", "owner_id": ALICE, "unavailable": False, "large": False,
            "member_count": 3, "joined_at": "2026-01-01T00:00:00.000000+00:00", "roles": self.roles(),
            "channels": [c for c in self.channels.values() if c["type"] == TEXT],
            "threads": [c for c in self.channels.values() if c["type"] == THREAD],
            "members": [{"user": self.user(BOT), "roles": [OWN_ROLE], "deaf": False, "mute": False,
                         "joined_at": "2026-01-01T00:00:00.000000+00:00", "flags": 1}],
            "emojis": [], "features": [], "presences": [], "voice_states": []})

    def resume(self, listener, data):
        session = self.sessions.get(data["session_id"])
        if not session or data["seq"] > session.seq:
            listener.send({"op": 9, "s": None, "t": None, "d": False})
            return
        self.resumes += 1
        self.attach(listener, session)
        for payload in session.log:
            if payload["s"] > data["seq"]:
                listener.send(payload)
        self.event("RESUMED", {"_trace": []})

    def refresh(self):
        with self.changed:
            for listener in self.sockets:
                listener.send({"op": 7, "s": None, "t": None, "d": None})

    def invalidate(self, resumable):
        with self.changed:
            if not resumable:
                self.sessions = {}
            for listener in self.sockets:
                listener.send({"op": 9, "s": None, "t": None, "d": resumable})

    def forget_sessions(self):
        """They have timed out while nobody was connected."""
        with self.changed:
            self.sessions = {}

    def close_sockets(self, code):
        with self.changed:
            for listener in self.sockets:
                listener.close(code)

    # --- the REST API ------------------------------------------------------

    def call(self, method, path, query, document, files, request, headers):
        parts = path.split("/")
        route = "%s %s" % (method, "/".join(
            part for i, part in enumerate(parts) if not part.isdigit() and i != 5))
        route = route.replace("channels/", "", 1) if len(parts) > 2 else route
        with self.changed:
            call = {"route": route, "path": path, "query": query, "body": document,
                    "files": files, "accepted": False}
            self.calls.append(call)
            self.changed.notify_all()
            if request.get("authorization") != "Bot " + self.token:
                raise Failure(401, 0, "401: Unauthorized")
            if not request.get("user-agent", "").startswith("DiscordBot ("):
                raise Failure(403, 40333, "a user agent is wanted")
            self.count(route + parts[1], headers)
            for failure in self.failures:
                if failure[0] == route:
                    self.failures.remove(failure)
                    raise failure[1]
            result = self.answer(route, parts, query, document, files)
            call["accepted"] = True
            self.changed.notify_all()
            if route in self.lost_answers:
                self.lost_answers.remove(route)
                raise Failure(502)
            return result

    def count(self, bucket, headers):
        allowed, period = self.limit
        left, until = self.buckets.get(bucket, (allowed, 0))
        now = time.monotonic()
        if until <= now:
            left, until = allowed, now + period
        if not left:
            self.refused_calls += 1
            raise Failure(429, retry_after=until - now)
        self.buckets[bucket] = left - 1, until
        headers.update({"x-ratelimit-bucket": bucket.encode().hex(),
                        "x-ratelimit-limit": str(allowed),
                        "x-ratelimit-remaining": str(left - 1),
                        "x-ratelimit-reset-after": "%.3f" % (until - now)})

    def answer(self, route, parts, query, document, files):
        if route == "GET users/@me":
            return self.user(BOT)
        if route == "GET applications/@me":
            return {"id": BOT, "name": "Andy", "flags": self.flags}
        if route == "GET gateway/bot":
            return {"url": self.gateway, "shards": 1, "session_start_limit": {
                "total": 1000, "remaining": self.sessions_left, "reset_after": 1000,
                "max_concurrency": 1}}
        if route == "GET guilds/roles":
            return self.roles()
        if route == "GET guilds/threads/active":
            return {"threads": [c for c in self.channels.values() if c["type"] == THREAD],
                    "members": []}
        channel = parts[1]
        if channel not in self.channels:
            raise Failure(404, 10003, "Unknown Channel")
        if route == "GET channels":
            return self.channels[channel]
        if route == "POST typing":
            return None
        if route == "GET messages" and len(parts) == 3:
            return self.page(channel, query)
        if route == "POST messages":
            return self.post(channel, document, files)
        message = self.find(channel, parts[3])
        if not message:
            raise Failure(404, 10008, "Unknown Message")
        if route == "PATCH messages":
            if message["author"]["id"] != BOT:
                raise Failure(403, 50005, "Cannot edit a message authored by another user")
            message.update(content=document["content"])
        if route.startswith("PUT messages/reactions"):
            message.setdefault("reacted", []).append(urllib.parse.unquote(parts[5]))
            return None
        return message

    def roles(self):
        return [{"id": id, "name": name, "color": 0, "hoist": False, "position": 1, "managed": False,
                 "permissions": "0", "mentionable": True, "flags": 0, **more}
                for id, name, more in ((GUILD, "@everyone", {}), (OTHER_ROLE, "cooks", {}),
                                       (OWN_ROLE, "Andy", {"managed": True, "tags": {"bot_id": BOT}}))]

    def find(self, channel, id):
        return next((m for m in self.messages.get(channel, ()) if m["id"] == id), None)

    def page(self, channel, query):
        limit, after = int(query.get("limit", 50)), int(query.get("after", 0))
        if not 1 <= limit <= 100:
            raise Failure(400, 50035, "Invalid Form Body")
        found = [m for m in self.messages.get(channel, ()) if int(m["id"]) > after]
        found = found[:limit] if after else found[-limit:]
        return list(reversed(found))

    def post(self, channel, document, files):
        text, nonce = document.get("content", ""), document.get("nonce")
        if len(text) > 2000 or len(str(nonce)) > 25:
            raise Failure(400, 50035, "Invalid Form Body")
        if not text.strip() and not files:
            raise Failure(400, 50006, "Cannot send an empty message")
        if nonce and document.get("enforce_nonce") and nonce in self.nonces and self.remembers_nonces:
            return {**self.nonces[nonce], "nonce": nonce}
        fields = {"attachments": [self.add_file(*file) for file in files]}
        if "message_reference" in document:
            fields["message_reference"] = document["message_reference"]
        message = self.make(channel, text.strip(), BOT, **fields)
        self.nonces[nonce] = message
        self.event("MESSAGE_CREATE", {**self.as_event(message), "nonce": nonce})
        return {**message, "nonce": nonce}
