/* Tests of the bridge '@NAME@': node --test bridges/@NAME@/test.mjs */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const BRIDGE = fileURLToPath(new URL("bridge.mjs", import.meta.url));
const folders = [];

after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function newFolder() {
  folders.push(mkdtempSync(join(tmpdir(), "bridge-")));
  return folders.at(-1);
}

/* The bridge as a child process; the test plays the host. */
async function start(folder) {
  const child = spawn(process.execPath, [BRIDGE, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const bridge = {
    read: async () => JSON.parse((await lines.next()).value),
    write: (line) => child.stdin.write(JSON.stringify(line) + "\n"),
    exit: async () => (await exited)[0],
    close: async () => {
      child.stdin.end();
      return (await exited)[0];
    },
  };
  bridge.hello = await bridge.read();
  bridge.connected = await bridge.read();
  return bridge;
}

test("hello comes first", async () => {
  const bridge = await start(newFolder());
  assert.equal(bridge.hello.type, "hello");
  assert.equal(bridge.connected.type, "connected");
  await bridge.close();
});

test("a ping is answered, and unknown lines are ignored", async () => {
  const bridge = await start(newFolder());
  bridge.write({ type: "something-new" });
  bridge.write({ type: "ping" });
  assert.deepEqual(await bridge.read(), { type: "pong" });
  await bridge.close();
});

test("a message is reported until it is acknowledged", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "inbox"), "alice: hello\n\nbob: good morning\n");
  const first = await start(folder);
  const message = await first.read();
  assert.deepEqual([message.sender, message.text], ["alice", "hello"]);
  await first.close();
  const again = await start(folder);
  assert.deepEqual(await again.read(), message);
  again.write({ type: "ack", chat: message.chat, id: message.id, stored: true });
  assert.equal((await again.read()).sender, "bob");
  await again.close();
});

test("a key is sent once, and always gets a receipt", async () => {
  const folder = newFolder();
  for (let i = 0; i < 2; i++) {
    const bridge = await start(folder);
    bridge.write({ type: "send", key: "k1", chat: "@NAME@:1", text: 'hi "there"\n' });
    assert.deepEqual(await bridge.read(), { type: "receipt", key: "k1", ok: true });
    await bridge.close();
  }
  const sent = readFileSync(join(folder, "outbox"), "utf8").trim().split("\n");
  assert.deepEqual(sent.map((line) => JSON.parse(line).text), ['hi "there"\n']);
});

test("it ends when told to, and at the end of its input", async () => {
  const bridge = await start(newFolder());
  bridge.write({ type: "shutdown" });
  assert.equal(await bridge.exit(), 0);
  assert.equal(await (await start(newFolder())).close(), 0);
});
