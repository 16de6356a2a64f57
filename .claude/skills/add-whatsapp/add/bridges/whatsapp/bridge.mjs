/*
 * One account on WhatsApp, between the host's lines and the library.
 *
 *     [no session] --login--> [connecting] --open--> [open]
 *          ^                    ^     |                 |
 *          |                    +-----+---- a while ----+
 *          +------- logged out -------+-----------------+
 *
 * It never ends by itself: where a person has to do something, it says so and waits.
 */
import { watchFile } from "node:fs";

import { DEFAULT_CONNECTION_CONFIG, fetchLatestWaWebVersion } from "baileys";

import { makeAuth } from "./auth.mjs";
import { Inbox } from "./inbox.mjs";
import { connect, log, parseVersion } from "./library.mjs";
import { download } from "./media.mjs";
import { NotConnected, Outbox, Refused } from "./outbox.mjs";
import { isOutdated, LOGGED_OUT, NOT_PAIRED, outdatedReason, reasonFor, Waits, WAS_LOGGED_OUT } from "./reasons.mjs";
import { makeSignal } from "./signal.mjs";
import { Store } from "./store.mjs";

const LAST_WORDS_MS = 1500; // for what is being sent when the host ends
const GROUP_MS = 3600 * 1000; // the name and the people of a group are asked for again after this
const MAX_GROUPS = 200;
const LOOK_MS = 1000; // for a new session

/** @typedef {(line: object) => void} Write */

export class Bridge {
  /** @type {import("baileys").WASocket | null} */
  #socket = null;
  #open = false;
  #closing = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #waits = new Waits();
  /** @type {import("baileys").WAVersion | null} */
  #foundVersion = null; // where the library's was refused
  /** @type {Map<string, {at: number, data: import("baileys").GroupMetadata}>} */
  #groups = new Map();

  /** @param {string} path of the session @param {Write} write a line to the host
   * @param {{files: string, max_file: number}} welcome */
  constructor(path, write, { files, max_file: maxFile }) {
    this.path = path;
    this.write = write;
    this.files = files;
    this.maxFile = maxFile;
    this.version = parseVersion(process.env.WHATSAPP_VERSION);
  }

  /** @param {string} reason */
  #disconnected(reason) {
    this.write({ type: "disconnected", reason });
  }

  start() {
    this.#openSession();
    watchFile(this.path, { interval: LOOK_MS }, () => {
      if (!this.#closing && Store.exists(this.path) && !this.store?.isCurrent()) this.#openSession();
    });
  }

  /** The session that is there now; an earlier one is over. */
  #openSession() {
    const old = this.#socket;
    this.#socket = null;
    this.#open = false;
    clearTimeout(this.#timer);
    void old?.end(undefined);
    this.outbox?.disconnected();
    this.store?.close();
    this.store = undefined;
    if (!Store.exists(this.path)) return this.#disconnected(NOT_PAIRED);
    try {
      this.store = new Store(this.path);
    } catch (error) {
      return this.#disconnected(`${/** @type {Error} */ (error).message}; ` +
        "run 'nanoclaw channel login whatsapp -- --new' to pair it again");
    }
    this.auth = makeAuth(this.store);
    this.inbox = new Inbox(this.store, this.auth, {
      report: this.write,
      log,
      shared: !!process.env.WHATSAPP_NAME,
      download: (found, file) => download(found, this.files, file, this.maxFile, log),
      groupName: async (jid) => (await this.#group(jid))?.subject,
    });
    this.outbox = new Outbox(this.store, () => (this.#open ? this.#socket : null),
      process.env.WHATSAPP_NAME ?? "");
    if (this.store.get("state", "logged-out")) return this.#disconnected(WAS_LOGGED_OUT);
    this.#connect();
  }

  #connect() {
    const { auth, inbox, outbox } = this;
    if (!auth || !inbox || !outbox || this.#closing) return;
    const socket = connect({
      auth,
      version: this.version ?? this.#foundVersion ?? DEFAULT_CONNECTION_CONFIG.version,
      makeSignalRepository: makeSignal((...work) => inbox.decryptOnce(...work)),
      getMessage: (key) => outbox.again(key),
      cachedGroupMetadata: async (jid) => this.#knownGroup(jid),
    });
    this.#socket = socket;
    const emit = socket.ws.emit.bind(socket.ws);
    /** @type {(event: string, ...args: any[]) => boolean} */
    const gate = (event, ...args) => {
      if (event !== "CB:message" || inbox.keep(args[0])) return emit(event, ...args);
      void socket.end(new Error("a message could not be stored"));
      return true;
    };
    socket.ws.emit = /** @type {any} */ (gate);
    socket.ws.on("CB:success", () => void inbox.replay((node) => emit("CB:message", node)));
    socket.ws.on("CB:ack,class:message", (/** @type {any} */ node) => {
      this.#waits.useful();
      outbox.acknowledge(node);
    });
    socket.ev.on("creds.update", () => this.#socket === socket && auth.save());
    socket.ev.on("messages.upsert", ({ messages }) => {
      this.#waits.useful();
      inbox.take(messages, socket);
    });
    socket.ev.on("groups.update", (groups) => groups.forEach(({ id }) => id && this.#groups.delete(id)));
    socket.ev.on("group-participants.update", ({ id }) => void this.#groups.delete(id));
    socket.ev.on("connection.update", ({ connection, lastDisconnect }) => {
      if (this.#socket !== socket) return;
      if (connection === "open") this.#opened();
      else if (connection === "close") void this.#ended(/** @type {any} */ (lastDisconnect?.error));
    });
  }

  #opened() {
    this.#open = true;
    this.#waits.opened();
    this.write({ type: "connected" });
  }

  /** @param {Error & {output?: {statusCode?: number}} | undefined} error */
  async #ended(error) {
    const code = error?.output?.statusCode ?? 0;
    this.#open = false;
    this.outbox?.disconnected();
    if (this.#closing) return;
    if (code === LOGGED_OUT) this.store?.put({ state: { "logged-out": true } });
    const reason = isOutdated(code) ? await this.#outdated() : reasonFor(code, error?.message ?? "");
    const wait = this.#waits.next(reason);
    this.#disconnected(reason.text);
    if (wait !== null) this.#timer = setTimeout(() => this.#connect(), wait);
  }

  /** WhatsApp itself says which version its web client has now. */
  async #outdated() {
    const used = this.version ?? this.#foundVersion ?? DEFAULT_CONNECTION_CONFIG.version;
    if (!this.version && !this.#foundVersion && !process.env.WHATSAPP_URL) {
      const { version, isLatest } = await fetchLatestWaWebVersion({ signal: AbortSignal.timeout(20_000) });
      if (isLatest && version.join() !== used.join()) {
        this.#foundVersion = version;
        return reasonFor(515, "");
      }
    }
    return outdatedReason(used, !!this.version);
  }

  /** @param {string} jid */
  #knownGroup(jid) {
    const known = this.#groups.get(jid);
    return known && Date.now() - known.at < GROUP_MS ? known.data : undefined;
  }

  /** @param {string} jid */
  async #group(jid) {
    const known = this.#knownGroup(jid);
    const data = known ?? await this.#socket?.groupMetadata(jid);
    if (known || !data) return known;
    if (this.#groups.size >= MAX_GROUPS) this.#groups.delete(this.#groups.keys().next().value ?? "");
    this.#groups.set(jid, { at: Date.now(), data });
    return data;
  }

  /** A line of the host. @param {any} line */
  handle(line) {
    if (line.type === "ack") this.inbox?.acknowledge(line.chat, line.id, line.stored);
    else if (line.type === "moved") this.inbox?.acknowledgeMove(line.chat);
    else if (line.type === "error") log(`the host says: ${line.error}`);
    else if (line.type === "typing") this.outbox?.typing(line.chat, line.on).catch(() => {});
    else if (["send", "react", "edit"].includes(line.type)) void this.#send(line);
  }

  /** @param {import("./outbox.mjs").Line} line */
  async #send(line) {
    const { key } = line;
    try {
      if (!this.outbox) throw new NotConnected(NOT_PAIRED);
      this.write({ type: "receipt", key, ok: true, id: await this.outbox.send(line) });
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      const lost = error instanceof NotConnected || !this.#open;
      this.write({
        type: "receipt", key, ok: false, error: message,
        ...(lost ? { later: 1 } : { retry: !(error instanceof Refused) }),
      });
    }
  }

  /** The library failed in a way that it does not handle: a new connection is a new start.
   * @param {unknown} error */
  fail(error) {
    log(`the library failed: ${error instanceof Error ? error.message : error}`);
    void this.#socket?.end(error instanceof Error ? error : new Error(String(error)));
  }

  async stop() {
    const until = Date.now() + LAST_WORDS_MS;
    while (this.outbox?.busy && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
    this.#closing = true;
    clearTimeout(this.#timer);
    void this.#socket?.end(undefined);
  }
}
