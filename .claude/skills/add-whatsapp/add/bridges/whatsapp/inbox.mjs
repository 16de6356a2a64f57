/*
 * Messages from WhatsApp to the host, none lost and none twice.
 *
 * The library confirms a message to the server before it hands it over, and a message can be
 * decrypted only once. So:
 *
 * I1. A stanza is in the store ('stanza') before the library sees it. If it cannot be stored, the
 *     library does not see it, the connection ends, and the server sends it again.
 * I2. Its decrypted content ('plain') is stored in the same write as the keys that decrypting has
 *     changed. Decrypting it again gives the same content.
 * I3. The stanza is removed when the host has acknowledged the message, or there is nothing to
 *     report. The newest contents stay, in case that the server has not heard of it and repeats it.
 * I4. At every connection, the stanzas that are still there go through the library again.
 */
import { createHash } from "node:crypto";

import {
  decodeBinaryNode, decodeMessageNode, encodeBinaryNode, getBinaryNodeChildren, isJidBroadcast,
  isJidGroup, isJidNewsletter, isLidUser, jidNormalizedUser, toNumber,
} from "baileys";

import { describeMedia, isMe, readContent } from "./content.mjs";
import { boundedChanges, getRecent, recentChanges } from "./recent.mjs";

const MAX_STANZAS = 5000; // that the host has not acknowledged
const MAX_PLAIN = 500; // contents that no stanza needs
const LARGE_PLAIN = 64 * 1024; // bytes of one that is not kept: old messages, which nobody reads
const MAX_AGE_MS = 14 * 24 * 3600 * 1000;
const NAME_MS = 5000; // that the name of a group may take
const EXCERPT = 300;

/** The library's error for a message that was decrypted before. */
const USED_ALREADY = "Key used already or never filled";

/**
 * @typedef {import("baileys").BinaryNode} BinaryNode
 * @typedef {import("baileys").WAMessage} WAMessage
 * @typedef {import("baileys").WASocket} WASocket
 */

/** @param {string} jid */
export function isIgnored(jid) {
  return !!isJidBroadcast(jid) || !!isJidNewsletter(jid);
}

/** @param {Uint8Array} bytes */
function hashOf(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/** @param {import("baileys").WAMessageKey} key */
function stanzaKey(key) {
  return [key.remoteJid, key.participant].map((jid) => jidNormalizedUser(jid ?? undefined)).join(" ") +
    " " + key.id;
}

/** @param {BinaryNode} node */
function cipherHashes(node) {
  return getBinaryNodeChildren(node, "enc").flatMap(({ content }) =>
    content instanceof Uint8Array ? [hashOf(content)] : []);
}

/** null: the library cannot write what it has read. @param {BinaryNode} node */
function encodeNode(node) {
  try {
    return Buffer.from(encodeBinaryNode(node));
  } catch {
    return null;
  }
}

/** @param {WAMessage["messageTimestamp"]} seconds */
function timeOf(seconds) {
  const date = new Date(toNumber(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export class Inbox {
  /** Messages that the host has not acknowledged, by "CHAT ID": the key of the stanza, and what is
   * remembered of it. @type {Map<string, {key: string, recent: import("./recent.mjs").Recent}>} */
  #reported = new Map();
  /** Stanzas whose message is being reported. @type {Set<string>} */
  #underWay = new Set();
  /** Stanzas whose message the host has acknowledged, the newest. @type {Set<string>} */
  #acknowledged = new Set();
  /** The end of the work in each chat, which keeps its messages in order.
   * @type {Map<string, Promise<void>>} */
  #chats = new Map();

  /**
   * @param {import("./store.mjs").Store} store
   * @param {{creds: import("baileys").AuthenticationCreds}} auth
   * @param {{
   *   report: (line: object) => void, log: (text: string) => void, shared: boolean,
   *   download: (found: import("./content.mjs").Found, name: string) => Promise<boolean>,
   *   groupName: (jid: string) => Promise<string | undefined>,
   * }} host
   */
  constructor(store, auth, host) {
    this.store = store;
    this.auth = auth;
    this.host = host;
  }

  get me() {
    return this.auth.creds.me ?? { id: "" };
  }

  /** I2, as 'decrypt' of signal.mjs.
   * @param {Uint8Array} bytes @param {any} keys @param {() => Promise<Uint8Array>} decrypt */
  async decryptOnce(bytes, keys, decrypt) {
    const id = hashOf(bytes);
    const { [id]: known } = await keys.get("plain", [id]);
    if (known) return known;
    try {
      const plain = await decrypt();
      await keys.set({ plain: { [id]: Buffer.from(plain) } });
      return plain;
    } catch (error) {
      // The host has acknowledged it: the library drops it without a word, and so do we.
      if (/** @type {Error} */ (error).message === USED_ALREADY) this.#finishCipher(id);
      throw error;
    }
  }

  /** I1. Returns false if the library must not see it. @param {BinaryNode} node */
  keep(node) {
    const key = this.#journalKey(node);
    if (!key) return true;
    if (this.store.count("stanza") >= MAX_STANZAS) {
      this.host.log(`${MAX_STANZAS} messages wait for the host`);
      return false;
    }
    const bytes = encodeNode(node);
    if (!bytes) return true;
    try {
      if (!this.store.get("stanza", key)?.node.equals(bytes))
        this.store.put({ stanza: { [key]: { node: bytes, hashes: cipherHashes(node), at: Date.now() } } });
      return true;
    } catch (error) {
      this.host.log(`a message cannot be stored: ${/** @type {Error} */ (error).message}`);
      return false;
    }
  }

  /** null: the library can make no message of it. @param {BinaryNode} node */
  #journalKey(node) {
    const encrypted = getBinaryNodeChildren(node, "enc");
    const hasContent = encrypted.length || getBinaryNodeChildren(node, "plaintext").length;
    if (!hasContent || isIgnored(node.attrs.from ?? "") || encrypted[0]?.attrs.type === "msmsg")
      return null;
    try {
      return stanzaKey(decodeMessageNode(node, this.me.id, this.me.lid ?? "").fullMessage.key);
    } catch {
      return null; // the library refuses it in the same way
    }
  }

  /** I4. Hand the stanzas that are left to the library. @param {(node: BinaryNode) => void} process */
  async replay(process) {
    /** @type {{[key: string]: null}} */
    const old = {};
    /** @type {BinaryNode[]} */
    const nodes = [];
    for (const key of this.store.ids("stanza")) {
      const { node, at } = this.store.get("stanza", key);
      if (Date.now() - at > MAX_AGE_MS) old[key] = null;
      else if (!this.#underWay.has(key)) nodes.push(await decodeBinaryNode(node));
    }
    this.store.put({ stanza: old });
    for (const node of nodes) process(node);
  }

  /** Messages as the library emits them. @param {WAMessage[]} messages @param {WASocket} socket */
  take(messages, socket) {
    for (const message of messages) {
      const key = stanzaKey(message.key);
      const chat = message.key.remoteJid ?? "";
      if (this.#underWay.has(key) || isIgnored(chat)) continue;
      const said = message.messageStubType ? null : readContent(message, this.me);
      if (this.#acknowledged.has(key) || !said || !message.key.id) {
        this.#finish(key);
        continue;
      }
      this.#underWay.add(key);
      const work = (this.#chats.get(chat) ?? Promise.resolve())
        .then(() => this.#report(message, said, key, socket))
        .catch((error) => {
          this.host.log(`a message cannot be reported: ${error.message}`);
          this.#underWay.delete(key);
        });
      this.#chats.set(chat, work);
      void work.then(() => this.#chats.get(chat) === work && this.#chats.delete(chat));
    }
  }

  /** @param {WAMessage} message @param {NonNullable<ReturnType<typeof readContent>>} said
   * @param {string} key @param {WASocket} socket */
  async #report(message, said, key, socket) {
    const chat = await this.#phoneJid(message.key.remoteJid ?? "", message.key.fromMe
      ? undefined : message.key.remoteJidAlt, socket);
    const group = !!isJidGroup(chat);
    const sender = message.key.fromMe ? jidNormalizedUser(this.me.id) : group
      ? await this.#phoneJid(message.key.participant ?? "", message.key.participantAlt, socket) : chat;
    const { found, mentioned, text, ...fields } = said;
    const file = hashOf(Buffer.from(`${chat} ${message.key.id}`));
    const attachments = found && [{
      ...describeMedia(found), ...(await this.host.download(found, file) ? { file } : {}),
    }];
    const answersUs = !!said.reply_to && !!getRecent(this.store, chat, said.reply_to)?.sent;
    const chatName = group ? await this.#groupName(chat) : undefined;
    this.#followMove(message.key.remoteJid ?? "", chat);
    this.#reported.set(`${chat} ${message.key.id}`, { key, recent: {
      fromMe: !!message.key.fromMe,
      participant: message.key.participant || undefined,
      sender,
      text: text.slice(0, EXCERPT),
    } });
    this.host.report({
      type: "message",
      id: message.key.id,
      chat,
      sender,
      name: message.pushName ?? message.verifiedBizName ?? undefined,
      time: timeOf(message.messageTimestamp),
      group,
      chat_name: chatName,
      from_me: !!message.key.fromMe,
      mentions_me: answersUs || (mentioned && !this.host.shared),
      ...(attachments ? { attachments } : {}),
      ...fields,
      text, // the last, so that the host can cut it
    });
  }

  /** A chat that had no phone number has one now. @param {string} jid @param {string} chat */
  #followMove(jid, chat) {
    if (this.store.get("hidden", jid) && chat !== jid)
      this.host.report({ type: "moved", chat: jid, to: chat });
  }

  /** The host has recorded or refused it. @param {string} jid */
  acknowledgeMove(jid) {
    this.store.put({ hidden: { [jid]: null } });
  }

  /** The JID with a phone number, if it is known. @param {string} jid
   * @param {string | null | undefined} other @param {WASocket} socket */
  async #phoneJid(jid, other, socket) {
    if (!isLidUser(jid)) return jidNormalizedUser(jid);
    if (isMe(this.me, jid)) return jidNormalizedUser(this.me.id);
    const known = other ?? await socket.signalRepository.lidMapping.getPNForLID(jid);
    return jidNormalizedUser(known ?? jid);
  }

  /** @param {string} jid */
  async #groupName(jid) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, NAME_MS)));
    const name = await Promise.race([this.host.groupName(jid).catch(() => undefined), late]);
    clearTimeout(timer);
    return name;
  }

  /** @param {string} chat @param {string} id @param {boolean} stored */
  acknowledge(chat, id, stored) {
    const reported = this.#reported.get(`${chat} ${id}`);
    if (!reported) return;
    this.#reported.delete(`${chat} ${id}`);
    this.#acknowledged.add(reported.key);
    if (this.#acknowledged.size > MAX_PLAIN)
      this.#acknowledged.delete([...this.#acknowledged.keys()][0]);
    this.#finish(reported.key, {
      ...(stored ? recentChanges(this.store, chat, id, reported.recent) : {}),
      ...(isLidUser(chat) ? boundedChanges(this.store, "hidden", chat, true) : {}),
    });
  }

  /** I3. @param {string} key @param {{[type: string]: {[id: string]: unknown}}} changes */
  #finish(key, changes = {}) {
    /** @type {string[]} */
    const hashes = this.store.get("stanza", key)?.hashes ?? [];
    const large = hashes.filter((hash) => this.store.get("plain", hash)?.length > LARGE_PLAIN);
    const plain = Object.fromEntries([...large, ...this.#oldContents()].map((hash) => [hash, null]));
    this.#underWay.delete(key);
    this.store.put({ stanza: { [key]: null }, plain, ...changes });
  }

  #oldContents() {
    if (this.store.count("plain") <= MAX_PLAIN + this.store.count("stanza")) return [];
    const needed = new Set(this.store.ids("stanza").flatMap((key) => this.store.get("stanza", key).hashes));
    return this.store.ids("plain").slice(0, -MAX_PLAIN).filter((hash) => !needed.has(hash));
  }

  /** @param {string} hash */
  #finishCipher(hash) {
    for (const key of this.store.ids("stanza"))
      if (this.store.get("stanza", key).hashes.includes(hash) && !this.#underWay.has(key))
        this.#finish(key);
  }
}
