/*
 * One session with WhatsApp in one file: credentials, keys, and everything that must survive
 * together with them. The file is a log; each line is a set of changes with its checksum:
 *
 *     0123456789abcdef [["session","4915.0",{…}],["plain","8c1f…",null]]
 *
 * S1. put() returns when its line is on the disk. All its changes hold, or none.
 * S2. A crash can only tear the last line. Its checksum is wrong, and open() cuts it off.
 * S3. When most of the log is out of date, it is written anew beside the old file, synced and
 *     renamed. Half-written credentials, which log people out, do not exist at any time.
 */
import { createHash } from "node:crypto";
import {
  closeSync, existsSync, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync,
  readFileSync, renameSync, statSync, writeSync,
} from "node:fs";
import { dirname } from "node:path";

import { BufferJSON } from "baileys";

const SLACK = 1024 * 1024; // bytes that may be out of date before the log is written anew
const ENTRIES_PER_LINE = 100;

/** @param {string} json */
function toLine(json) {
  return `${createHash("sha256").update(json).digest("hex").slice(0, 16)} ${json}\n`;
}

/** @param {Buffer} bytes @param {string} path */
function parseLog(bytes, path) {
  /** @type {Map<string, Map<string, string>>} */
  const types = new Map();
  let good = 0;
  for (let end; (end = bytes.indexOf(10, good)) >= 0; good = end + 1) {
    const line = bytes.toString("utf8", good, end + 1);
    if (toLine(line.slice(17, -1)) !== line) {
      if (end + 1 < bytes.length)
        throw new Error(`'${path}' is damaged at byte ${good}`);
      break;
    }
    for (const [type, id, value] of JSON.parse(line.slice(17))) setEntry(types, type, id, value);
  }
  return { types, good };
}

/**
 * @param {Map<string, Map<string, string>>} types
 * @param {string} type @param {string} id @param {unknown} value
 */
function setEntry(types, type, id, value) {
  const entries = types.get(type) ?? new Map();
  types.set(type, entries);
  entries.delete(id); // the newest is the last
  if (value !== null) entries.set(id, JSON.stringify(value));
}

/** Append to a file that has only whole lines, or leave it as it was.
 * @param {number} fd @param {number} length @param {Buffer} bytes */
function append(fd, length, bytes) {
  try {
    for (let done = 0; done < bytes.length; )
      done += writeSync(fd, bytes, done, bytes.length - done, length + done);
    fdatasyncSync(fd);
  } catch (error) {
    ftruncateSync(fd, length);
    throw error;
  }
}

/** @param {string} folder */
function syncFolder(folder) {
  const fd = openSync(folder, "r");
  fsyncSync(fd);
  closeSync(fd);
}

export class Store {
  /** @type {Map<string, Map<string, string>>} */
  #types;
  #fd;
  #length;
  #live = 0; // bytes of the log when it was last written anew

  /** @param {string} path */
  constructor(path) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const created = !existsSync(path);
    this.#fd = openSync(path, created ? "wx+" : "r+", 0o600);
    try {
      const { types, good } = parseLog(readFileSync(this.#fd), path);
      this.#types = types;
      this.#length = good;
      ftruncateSync(this.#fd, good);
      if (created) syncFolder(dirname(path));
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  /** @param {string} path */
  static exists(path) {
    return existsSync(path) && statSync(path).size > 0;
  }

  /** Is this file still the one at its path? Another program may have put a new session there. */
  isCurrent() {
    return existsSync(this.path) && statSync(this.path).ino === fstatSync(this.#fd).ino;
  }

  /** @param {string} type @param {string} id @returns {any} */
  get(type, id) {
    const json = this.#types.get(type)?.get(id);
    return json === undefined ? undefined : JSON.parse(json, BufferJSON.reviver);
  }

  /** The ids of a type; the one that was put last is the last. @param {string} type */
  ids(type) {
    return [...(this.#types.get(type)?.keys() ?? [])];
  }

  /** @param {string} type */
  count(type) {
    return this.#types.get(type)?.size ?? 0;
  }

  /** Values by type and id; null removes one.
   * @param {{[type: string]: {[id: string]: unknown}}} changes */
  put(changes) {
    const entries = Object.entries(changes).flatMap(([type, values]) =>
      Object.entries(values).map(([id, value]) => [type, id, value ?? null]));
    if (!entries.length) return;
    const json = JSON.stringify(entries, BufferJSON.replacer);
    const line = Buffer.from(toLine(json));
    append(this.#fd, this.#length, line);
    this.#length += line.length;
    for (const [type, id, value] of JSON.parse(json)) setEntry(this.#types, type, id, value);
    if (this.#length > 2 * this.#live + SLACK) this.#writeAnew();
  }

  #writeAnew() {
    const path = this.path + ".new";
    const all = [...this.#types].flatMap(([type, entries]) =>
      [...entries].map(([id, json]) => `[${JSON.stringify(type)},${JSON.stringify(id)},${json}]`));
    let text = "";
    for (let i = 0; i < all.length; i += ENTRIES_PER_LINE)
      text += toLine(`[${all.slice(i, i + ENTRIES_PER_LINE).join(",")}]`);
    const bytes = Buffer.from(text);
    if (!this.isCurrent()) return;
    const fd = openSync(path, "w+", 0o600);
    try {
      append(fd, 0, bytes);
      renameSync(path, this.path);
    } catch {
      closeSync(fd);
      this.#live = this.#length; // no room now: later
      return;
    }
    closeSync(this.#fd);
    this.#fd = fd;
    this.#length = this.#live = bytes.length;
    syncFolder(dirname(path));
  }

  /** Nothing can be put after this. */
  close() {
    closeSync(this.#fd);
    this.#fd = -1;
  }
}
