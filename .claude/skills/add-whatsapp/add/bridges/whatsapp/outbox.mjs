/*
 * Texts, files, reactions and edits from the host to WhatsApp.
 *
 * The id of a message is made from the key of its row, so a row that is sent again is the same
 * message to WhatsApp, and people see it once. A receipt is given when the server has acknowledged
 * the message; that the library has written it to a socket means nothing.
 */
import { createHash } from "node:crypto";

import { isJidGroup, jidDecode, jidNormalizedUser, proto } from "baileys";

import { getRecent, recentChanges } from "./recent.mjs";

const ACK_MS = 25_000; // after it was sent
const SEND_MS = 150_000; // with the upload of a file; 'hang_seconds' in whatsapp.json is more
const EDIT_MS = 15 * 60 * 1000; // how long WhatsApp lets people edit a message
const MAX_KEPT = 16 * 1024; // bytes of a message that is kept for devices that ask for it again
const EXCERPT = 300;

/** What the server's errors mean, where it is known. @type {{[code: string]: string}} */
const REFUSALS = {
  463: "WhatsApp does not let this account write to people who have not written to it",
  475: "WhatsApp does not let this account write for a while",
};

/**
 * @typedef {import("baileys").AnyMessageContent} AnyMessageContent
 * @typedef {{path: string, name?: string, type?: string}} File
 * @typedef {{type: string, key: string, chat: string, text: string, reply_to?: string,
 *   message?: string, attachments?: File[]}} Line
 */

export class NotConnected extends Error {}

export class Refused extends Error {}

/** @param {string} key @param {number} part */
function makeId(key, part) {
  const hash = createHash("sha256").update(`${key}\n${part}`).digest("hex");
  return "3EB0" + hash.slice(0, 18).toUpperCase();
}

/** What WhatsApp shows as more than a file. @type {{[ending: string]: string}} */
const TYPES = { jpeg: "image/jpeg", jpg: "image/jpeg", mp4: "video/mp4", ogg: "audio/ogg", png: "image/png" };

/** @param {File} file @param {string} caption @returns {AnyMessageContent} */
function fileContent({ path, name = "file", type }, caption) {
  const url = { url: path };
  const mimetype = type ?? TYPES[name.toLowerCase().split(".").at(-1) ?? ""] ?? "application/octet-stream";
  if (/^image\/(jpeg|png)$/.test(mimetype)) return { image: url, mimetype, caption };
  if (mimetype === "video/mp4") return { video: url, mimetype, caption };
  if (mimetype === "audio/ogg") return { audio: url, mimetype: "audio/ogg; codecs=opus", ptt: true };
  return { document: url, mimetype, fileName: name, caption };
}

export class Outbox {
  /** Messages that the server has not acknowledged, by id.
   * @type {Map<string, {done: () => void, failed: (error: Error) => void}>} */
  #waiting = new Map();

  /**
   * @param {import("./store.mjs").Store} store
   * @param {() => import("baileys").WASocket | null} socket the open connection
   * @param {string} name that texts begin with; may be empty
   */
  constructor(store, socket, name) {
    this.store = store;
    this.socket = socket;
    this.name = name;
  }

  get busy() {
    return this.#waiting.size > 0;
  }

  /** Do what a line of the host asks for; returns WhatsApp's id. @param {Line} line */
  async send(line) {
    const contents = this.#contents(line);
    const quoted = line.type === "send" ? this.#quoted(line) : undefined;
    for (const [part, content] of contents.entries())
      await this.#deliver(line.chat, content, makeId(line.key, part), part ? undefined : quoted);
    return makeId(line.key, 0);
  }

  /** @param {Line} line @returns {AnyMessageContent[]} */
  #contents({ type, chat, text, message = "", attachments = [] }) {
    if (type === "react") return [{ react: { text, key: this.#keyOf(chat, message) } }];
    if (type === "edit") return [{ ...this.#textContent(chat, text), edit: this.#editKey(chat, message) }];
    if (!attachments.length) return [this.#textContent(chat, text)];
    const files = attachments.map((file, i) => fileContent(file, i ? "" : this.#named(text)));
    const captioned = "caption" in files[0];
    return text && !captioned ? [this.#textContent(chat, text), ...files] : files;
  }

  /** @param {string} text */
  #named(text) {
    return this.name && text ? `*${this.name}:* ${text}` : text;
  }

  /** No link previews: they would fetch pages that an agent names.
   * @param {string} chat @param {string} text */
  #textContent(chat, text) {
    return { text: this.#named(text), mentions: this.#mentions(chat, text), linkPreview: null };
  }

  /** `@4915…` mentions somebody who has written in the group. @param {string} chat @param {string} text */
  #mentions(chat, text) {
    const numbers = new Set([...text.matchAll(/@(\d{5,20})/g)].map((found) => found[1]));
    if (!numbers.size || !isJidGroup(chat)) return [];
    const senders = this.store.ids("recent").flatMap((id) => {
      const [of, message] = id.split(" ");
      return of === chat ? [getRecent(this.store, chat, message)?.sender ?? ""] : [];
    });
    return [...new Set(senders)].filter((jid) => numbers.has(jidDecode(jid)?.user ?? ""));
  }

  /** @param {string} chat @param {string} id */
  #keyOf(chat, id) {
    const recent = getRecent(this.store, chat, id);
    if (!recent && isJidGroup(chat)) throw new Refused("the message is too old, or unknown");
    const { fromMe = false, participant } = recent ?? {};
    return { remoteJid: chat, id, fromMe, ...(participant ? { participant } : {}) };
  }

  /** @param {string} chat @param {string} id */
  #editKey(chat, id) {
    const recent = getRecent(this.store, chat, id);
    if (!recent?.sent || Date.now() - (recent.at ?? 0) > EDIT_MS)
      throw new Refused("WhatsApp changes messages only in the first 15 minutes");
    return { remoteJid: chat, id, fromMe: true };
  }

  /** @param {Line} line */
  #quoted({ chat, reply_to: id }) {
    const recent = id && getRecent(this.store, chat, id);
    return recent
      ? { key: this.#keyOf(chat, id), message: { conversation: recent.text } }
      : undefined;
  }

  /** @param {string} chat @param {AnyMessageContent} content @param {string} id
   * @param {import("baileys").WAMessage | undefined} quoted */
  async #deliver(chat, content, id, quoted) {
    if (getRecent(this.store, chat, id)?.sent) return; // an earlier run did it
    const socket = this.socket();
    if (!socket) throw new NotConnected("not connected to WhatsApp");
    const { acknowledged, failed, setTimer } = this.#wait(id);
    try {
      setTimer(SEND_MS);
      const sent = await Promise.race([socket.sendMessage(chat, content, { messageId: id, quoted }), failed]);
      setTimer(ACK_MS);
      await Promise.race([acknowledged, failed]);
      this.#remember(chat, id, content, sent);
    } finally {
      setTimer(0);
      this.#waiting.delete(id);
    }
  }

  /** @param {string} id */
  #wait(id) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    let fail = (/** @type {Error} */ _) => {};
    /** @type {Promise<never>} */
    const failed = new Promise((_, reject) => (fail = reject));
    /** @type {Promise<void>} */
    const acknowledged = new Promise((done) => this.#waiting.set(id, { done, failed: fail }));
    failed.catch(() => {}); // the sending itself may have failed first
    return {
      acknowledged,
      failed,
      /** @param {number} ms 0: none */
      setTimer: (ms) => {
        clearTimeout(timer);
        if (ms) timer = setTimeout(() => fail(new Error("WhatsApp has not confirmed the message")), ms);
      },
    };
  }

  /** @param {string} chat @param {string} id @param {AnyMessageContent} content
   * @param {import("baileys").WAMessage | undefined} sent */
  #remember(chat, id, content, sent) {
    const bytes = sent?.message ? proto.Message.encode(sent.message).finish() : Buffer.alloc(0);
    this.store.put(recentChanges(this.store, chat, id, {
      fromMe: true,
      sent: true,
      at: Date.now(),
      text: "text" in content ? content.text.slice(0, EXCERPT) : "",
      message: bytes.length && bytes.length <= MAX_KEPT ? Buffer.from(bytes).toString("base64") : undefined,
    }));
  }

  /** An 'ack' of the server. @param {import("baileys").BinaryNode} node */
  acknowledge({ attrs }) {
    const waiting = this.#waiting.get(attrs.id);
    const refusal = attrs.error && REFUSALS[attrs.error];
    if (refusal) waiting?.failed(new Refused(refusal));
    else if (attrs.error) waiting?.failed(new Error(`WhatsApp refuses the message: error ${attrs.error}`));
    else waiting?.done();
  }

  /** Everything that waits is to be sent again. */
  disconnected() {
    for (const waiting of this.#waiting.values()) waiting.failed(new NotConnected("the connection ended"));
  }

  /** A device could not read a message, and asks for it again.
   * @param {import("baileys").WAMessageKey} key */
  async again({ remoteJid, id }) {
    const kept = getRecent(this.store, jidNormalizedUser(remoteJid ?? undefined), id ?? "")?.message;
    return kept ? proto.Message.decode(Buffer.from(kept, "base64")) : undefined;
  }

  /** @param {string} chat @param {boolean} on */
  async typing(chat, on) {
    const socket = this.socket();
    // Only those who are online can be seen typing; online, the phone would not ring.
    if (on) await socket?.sendPresenceUpdate("available");
    await socket?.sendPresenceUpdate(on ? "composing" : "paused", chat);
    if (!on) await socket?.sendPresenceUpdate("unavailable");
  }
}
