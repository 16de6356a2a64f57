#!/usr/bin/env node
/*
 * The bridge '@NAME@': connects NanoClaw to a chat platform.
 *
 * NanoClaw starts this program and exchanges lines of JSON with it over standard input and
 * output (docs/bridge-protocol.md). Standard error goes to the host's log.
 *
 * It works as it is, with a folder as its platform: append "alice: hello" to
 * data/bridges/@NAME@/inbox, and the answer appears in data/bridges/@NAME@/outbox. To connect
 * a real platform, replace the class Platform.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const NAME = "@NAME@";
const REPEAT_MS = 30_000;

/* A folder. 'inbox' has a message per line, 'outbox' a JSON object per sent text. */
class Platform {
  constructor(folder) {
    mkdirSync(folder, { recursive: true });
    this.inbox = join(folder, "inbox");
    this.outbox = join(folder, "outbox");
    this.acknowledged = join(folder, "acknowledged");
    for (const path of [this.inbox, this.outbox, this.acknowledged]) appendFileSync(path, "");
  }

  /* The oldest message that the host has not acknowledged, or null. */
  nextMessage() {
    const done = Number(readFileSync(this.acknowledged, "utf8"));
    const lines = readFileSync(this.inbox, "utf8").split("\n").slice(0, -1);
    for (const [index, line] of lines.entries()) {
      const [, sender, text] = line.trim().match(/^(.+?): (.*)$/) ?? ["", "somebody", line.trim()];
      if (index + 1 > done && text)
        return {
          type: "message",
          id: String(index + 1),
          chat: `${NAME}:1`,
          sender,
          name: sender,
          group: false,
          chat_name: NAME,
          text, // last, so that the host can cut it if it is too long
        };
    }
    return null;
  }

  /* The host has this message now: never report it again. */
  acknowledge(id) {
    writeFileSync(`${this.acknowledged}.new`, id);
    renameSync(`${this.acknowledged}.new`, this.acknowledged);
  }

  /* Send a text once, even if the same key comes again after a restart. */
  async send(key, chat, text) {
    const sent = readFileSync(this.outbox, "utf8").split("\n").filter(Boolean);
    if (sent.some((line) => JSON.parse(line).key === key)) return;
    // The key and the text are stored in one step: no crash can separate them.
    appendFileSync(this.outbox, JSON.stringify({ key, chat, text }) + "\n");
  }
}

function writeLine(document) {
  process.stdout.write(JSON.stringify(document) + "\n");
}

/* The protocol. This part stays as it is, whatever the platform. */
class Bridge {
  waiting = null; // the id of the message that is not acknowledged yet
  reportedAt = 0;

  constructor(platform) {
    this.platform = platform;
  }

  /* Report one message at a time, again and again until it is acknowledged. */
  reportMessage() {
    const message = this.platform.nextMessage();
    const late = Date.now() - this.reportedAt > REPEAT_MS;
    if (!message || (message.id === this.waiting && !late)) return;
    this.waiting = message.id;
    this.reportedAt = Date.now();
    writeLine(message);
  }

  async send({ key, chat, text }) {
    try {
      await this.platform.send(key, chat, text);
      writeLine({ type: "receipt", key, ok: true });
    } catch (error) {
      // The host tries again; a rate limit is "later": SECONDS.
      writeLine({ type: "receipt", key, ok: false, error: String(error) });
    }
  }

  /* Returns false when the bridge should end. */
  async handle(line) {
    if (line.type === "ping") writeLine({ type: "pong" });
    else if (line.type === "send") await this.send(line);
    else if (line.type === "error") console.error(line.error);
    else if (line.type === "ack" && line.id === this.waiting) {
      this.platform.acknowledge(line.id);
      this.reportMessage();
    }
    return line.type !== "shutdown"; // other types are ignored
  }

  async run() {
    writeLine({
      type: "hello",
      protocol: 1,
      jids: [`${NAME}:*`],
      dialect: "plain", // or slack, telegram, html ...: docs/bridge-protocol.md
      unit: "bytes",
      max_text: 4000,
      can: [], // "typing", if the platform shows it
      remembers_keys: true,
    });
    writeLine({ type: "connected" });
    this.reportMessage();
    const timer = setInterval(() => this.reportMessage(), 1000);
    for await (const line of createInterface({ input: process.stdin }))
      if (!(await this.handle(JSON.parse(line)))) break;
    clearInterval(timer);
    process.stdin.destroy();
  }
}

await new Bridge(new Platform(process.argv[2] ?? `data/bridges/${NAME}`)).run();
