"""A Linear on loopback in which people write, and that fails on command.

    linear = LinearApi(KEY)
    issue = linear.issue("Login fails", assignee="andy")    somebody makes one
    linear.say(issue, "please look")                        and writes a comment
    linear.wait_for(lambda: linear.said(issue))             until something has been called
    linear.fail("Comment", "RATELIMITED", 400)

Operations are known by their names. Lists are filtered as their variables say, have the newest change
first, and pages from either end, as at Linear; a comment with an id that exists is refused.
"""

import datetime
import itertools
import json
import os
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../tests/shipped"))

from web import Server

PATIENCE = 300  # seconds that anything may take; not a measure of anything
STATES = ("Backlog", "Todo", "In Progress", "Done")


class Failure(Exception):
    def __init__(self, code, status=400, message=None, **headers):
        super().__init__(message or code)
        self.code, self.status, self.headers = code, status, headers


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 120
    disable_nagle_algorithm = True

    def setup(self):
        super().setup()
        self.server.connections.append(self.connection)

    def do_POST(self):
        api = self.server.api
        document = json.loads(self.rfile.read(int(self.headers["content-length"])))
        operation = document["query"].split("(")[0].split("{")[0].split()[1]
        headers, status = dict(api.headers), 200
        try:
            if self.headers.get("authorization") != api.key:
                raise Failure("AUTHENTICATION_ERROR", 401, "Authentication required")
            answer = {"data": api.call(operation, document)}
        except Failure as failure:
            status, headers = failure.status, {**headers, **failure.headers}
            answer = {"data": None, "errors": [{"message": str(failure), "extensions": {
                "code": failure.code, "userPresentableMessage": str(failure)}}]}
        if api.is_lost(operation):
            self.close_connection = True
            return
        text = api.spoilt.pop(operation, None) or json.dumps(answer).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def date_time_string(self, timestamp=None):
        return super().date_time_string(time.time() + self.server.api.skew)

    def log_message(self, *_):
        pass


class LinearApi:
    def __init__(self, key):
        self.key, self.skew, self.headers = key, 0, {}
        self.changed = threading.Condition()
        self.calls, self.failures, self.lost, self.spoilt = [], [], [], {}
        self.users, self.issues, self.comments, self.posted = {}, {}, {}, []
        self.numbers, self.last_stamp = itertools.count(1), 0
        for name in ("andy", "mia", "bob"):
            self.user(name)
        self.user("helper", app=True)
        self.states = [{"id": str(uuid.uuid4()), "name": name} for name in STATES]
        self.listen()

    def listen(self, port=0):
        self.server = Server(("127.0.0.1", port), Handler)
        self.server.api, self.port = self, self.server.server_address[1]
        self.url = "http://127.0.0.1:%d/graphql" % self.port
        self.server.start()

    def leave(self):
        self.server.leave()

    # --- what people do

    def stamp(self, ago=0):
        """A time that is later than all before, by milliseconds."""
        now = max(time.time() + self.skew, self.last_stamp + 0.001)
        self.last_stamp = now
        now -= ago
        return datetime.datetime.fromtimestamp(now, datetime.timezone.utc).isoformat(
            timespec="milliseconds").replace("+00:00", "Z")

    def user(self, name, app=False):
        self.users[name] = {"id": str(uuid.uuid4()), "name": name.title(), "displayName": name,
                            "email": name + "@example.org", "app": app,
                            "url": "https://linear.app/acme/profiles/" + name}

    def issue(self, title, assignee=None, creator="mia", team="ENG", **fields):
        with self.changed:
            number, now = next(self.numbers), self.stamp()
            issue = {
                "id": str(uuid.uuid4()), "identifier": "%s-%d" % (team, number), "title": title,
                "description": None, "url": "https://linear.app/acme/issue/%s-%d" % (team, number),
                "createdAt": now, "updatedAt": now, "dueDate": None, "state": self.states[1],
                "team": {"key": team, "states": {"nodes": self.states}},
                "assignee": self.users.get(assignee), "delegate": None,
                "creator": self.users[creator], "labels": {"nodes": [{"name": "Bug"}]},
                "history": {"nodes": [], "pageInfo": {"hasNextPage": False}}, **fields}
            self.issues[issue["id"]] = issue
        return issue

    def assign(self, issue, user, actor="mia", role="assignee", ago=0):
        with self.changed:
            issue[role] = self.users.get(user)
            issue["updatedAt"] = self.stamp(ago)
            issue["history"]["nodes"].insert(0, {
                "id": str(uuid.uuid4()), "createdAt": issue["updatedAt"],
                "actor": self.users.get(actor),
                "toAssignee": issue[role] if role == "assignee" else None,
                "toDelegate": issue[role] if role == "delegate" else None})

    def say(self, issue, body, user="mia", parent=None, ago=0, identifier=None):
        with self.changed:
            now = self.stamp(ago)
            comment = {"id": identifier or str(uuid.uuid4()), "body": body, "createdAt": now,
                       "updatedAt": now, "editedAt": None, "user": self.users.get(user),
                       "parent": parent and {"id": parent["id"]}, "issue": issue}
            self.comments[comment["id"]] = comment
            self.changed.notify_all()
        return comment

    def edit(self, comment, body):
        with self.changed:
            comment.update(body=body, editedAt=self.stamp(), updatedAt=self.stamp())

    # --- troubles

    def fail(self, operation, code, status=400, message=None, **headers):
        self.failures.append((operation, Failure(code, status, message, **headers)))

    def lose_answer(self, operation):
        self.lost.append(operation)

    def is_lost(self, operation):
        with self.changed:
            if operation in self.lost:
                self.lost.remove(operation)
                return True
        return False

    # --- what is asked for

    def wait_for(self, condition):
        with self.changed:
            if not self.changed.wait_for(condition, PATIENCE):
                raise AssertionError("it does not happen; the last calls: %s" % self.calls[-5:])

    def said(self, issue=None, parent=None):
        """What the assistant has written."""
        return [c for c in self.comments.values() if c["user"] == self.users["andy"] and
                (not issue or c["issue"] is issue) and
                (not parent or c["parent"] == {"id": parent["id"]})]

    def called(self, operation):
        return [call["variables"] for call in self.calls if call["operation"] == operation]

    def call(self, operation, document):
        with self.changed:
            self.calls.append({"operation": operation, **document})
            for at, (name, failure) in enumerate(self.failures):
                if name == operation:
                    del self.failures[at]
                    self.changed.notify_all()
                    raise failure
            try:
                return getattr(self, "do_" + operation)(**document["variables"])
            finally:
                self.changed.notify_all()

    def do_Viewer(self):
        return {"viewer": self.users["andy"]}

    def do_News(self, comments, issues, last, commentsBefore=None, issuesBefore=None):
        return {"comments": page(self.comments, comments, last, commentsBefore),
                "issues": page(self.issues, issues, last, issuesBefore)}

    def do_Issue(self, id):
        issue = self.find(id)
        newest = sorted((c for c in self.comments.values() if c["issue"] is issue),
                        key=lambda c: c["createdAt"], reverse=True)
        return {"issue": {**issue, "comments": {"nodes": [
            {name: c[name] for name in ("id", "body", "createdAt", "user")} for c in newest[:20]]}}}

    def do_States(self, id):
        return {"issue": self.find(id)}

    def do_State(self, id, input):
        issue = self.find(id)
        issue["state"] = next(s for s in self.states if s["id"] == input["stateId"])
        issue["updatedAt"] = self.stamp()
        return {"issueUpdate": {"success": True}}

    def do_Look(self, id):
        if id not in self.comments:
            raise Failure("INPUT_ERROR", 400, "Could not find referenced Comment.")
        return {"comment": {"id": id}}

    def do_Edit(self, id, input):
        self.do_Look(id)
        self.comments[id].update(input)
        return {"commentUpdate": {"success": True}}

    def do_Comment(self, input):
        if uuid.UUID(input["id"]).version != 4 or input["id"] in self.comments:
            raise Failure("INPUT_ERROR", 400, "Argument Validation Error")
        if "parentId" in input:
            self.do_Look(input["parentId"])
        parent = self.comments.get(input.get("parentId"))
        comment = self.say(self.find(input["issueId"]), input["body"], "andy", parent,
                           identifier=input["id"])
        self.posted.append(comment)
        return {"commentCreate": {"success": True, "comment": {"id": comment["id"]}}}

    def find(self, name):
        for issue in self.issues.values():
            if name in (issue["id"], issue["identifier"]):
                return issue
        raise Failure("INPUT_ERROR", 400, "Could not find referenced Issue.")


def page(table, wanted, last, before):
    since = wanted["updatedAt"]  # first: most are older
    nodes = sorted((node for node in list(table.values())
                    if matches(node["updatedAt"], since) and matches(node, wanted)),
                   key=lambda node: (node["updatedAt"], node["id"]), reverse=True)
    if before:
        nodes = nodes[:next(at for at, node in enumerate(nodes) if node["id"] == before)]
    shown = [{**node, "issue": {"id": node["issue"]["id"]}} if "issue" in node else
             {"id": node["id"], "updatedAt": node["updatedAt"]} for node in nodes[-last:]]
    return {"nodes": shown, "pageInfo": {"hasPreviousPage": len(nodes) > last,
                                         "startCursor": shown[0]["id"] if shown else None}}


def matches(value, wanted):
    """Does an object, or one of its fields, fit a filter of Linear's?"""
    for name, limit in wanted.items():
        if name == "or":
            fits = any(matches(value, part) for part in limit)
        elif name in ("eq", "neq", "gte", "contains", "containsIgnoreCase"):
            text = value or ""
            fits = {"eq": text == limit, "neq": text != limit, "gte": text >= limit,
                    "contains": limit in text,
                    "containsIgnoreCase": limit.lower() in text.lower()}[name]
        else:
            fits = (value is not None and
                    (matches(value.get(name), limit) if value.get(name) is not None or
                     not isinstance(next(iter(limit.values())), dict) else False))
        if not fits:
            return False
    return True
