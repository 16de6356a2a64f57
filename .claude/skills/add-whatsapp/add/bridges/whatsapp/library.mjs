/* How the library is set up, for the bridge and for pairing. */
import { Browsers, DEFAULT_CONNECTION_CONFIG, makeWASocket, proto } from "baileys";

import { isIgnored } from "./inbox.mjs";

const { HistorySyncType } = proto.HistorySync;
/** Names and numbers, without which sessions break; never old messages. @type {unknown[]} */
const HISTORY = [HistorySyncType.INITIAL_BOOTSTRAP, HistorySyncType.PUSH_NAME,
  HistorySyncType.NON_BLOCKING_DATA];

/** @param {string} text */
export function log(text) {
  process.stderr.write(text.replaceAll("\n", " ") + "\n");
}

/** @type {any} */
export const silent = {
  level: "silent", child: () => silent, trace() {}, debug() {}, info() {}, warn() {}, error() {},
};

/** The library's words, without the objects, which contain keys. @type {any} */
const logger = {
  ...silent,
  level: "warn",
  child: () => logger,
  warn: (/** @type {any} */ about, /** @type {string} */ text) => log(text ?? about),
  error: (/** @type {any} */ about, /** @type {string} */ text) =>
    log([text, about?.error?.message ?? about?.err?.message].filter(Boolean).join(": ")),
};

/** @param {string | undefined} text such as 2.3000.1043857760
 * @returns {import("baileys").WAVersion | null} */
export function parseVersion(text) {
  const numbers = text?.match(/^(\d+)\.(\d+)\.(\d+)$/)?.slice(1).map(Number);
  return /** @type {any} */ (numbers ?? null);
}

/** @param {Partial<import("baileys").UserFacingSocketConfig> &
 *   {auth: import("baileys").AuthenticationState}} config */
export function connect(config) {
  return makeWASocket({
    browser: Browsers.ubuntu("NanoClaw"),
    waWebSocketUrl: process.env.WHATSAPP_URL || DEFAULT_CONNECTION_CONFIG.waWebSocketUrl,
    logger,
    emitOwnEvents: false,
    markOnlineOnConnect: false, // the phone rings as before
    syncFullHistory: false,
    shouldSyncHistoryMessage: ({ syncType }) => HISTORY.includes(syncType),
    shouldIgnoreJid: isIgnored,
    ...config,
  });
}
