"""Talk(PROGRAM, COMMAND): the tools of the native agent with one MCP server, called "s"."""
import json
import os
import subprocess
import tempfile


class Talk:
    def __init__(self, program, command):
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "mcp.json")
        with open(path, "w") as file:
            json.dump({"mcpServers": {"s": {"command": command[0], "args": command[1:]}}}, file)
        self.process = subprocess.Popen([os.path.abspath(program), path], cwd=self.folder.name, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        start = self.take()
        self.problems = start["problems"]
        self.tools = {tool["name"]: tool for tool in start["tools"]}

    def take(self):
        return json.loads(self.process.stdout.readline())

    def call(self, name, **arguments):
        return self.calls([(name, arguments)])[0]

    def calls(self, calls):
        """These at the same time."""
        lines = [{"name": "mcp__s__" + name, "input": arguments} for name, arguments in calls]
        self.process.stdin.write(json.dumps(lines) + "\n")
        self.process.stdin.flush()
        return self.take()

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(60)
        self.folder.cleanup()
        return code


class Tap:
    count = 0
    failed = 0

    def claim(self, name, true, details=None):
        self.count += 1
        self.failed += not true
        print(f"{'ok' if true else 'not ok'} {self.count} - {name}")
        if not true and details is not None:
            for line in str(details).splitlines():
                print("#", line)

    def end(self):
        print(f"1..{self.count}")
        return 1 if self.failed else 0
