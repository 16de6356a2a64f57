/* The newest messages in both directions: what replies, reactions and edits need of them. */

const MAX_ENTRIES = 500;

/**
 * @typedef {object} Recent
 * @property {boolean} fromMe the account wrote it
 * @property {boolean} [sent] this bridge sent it, and the server has acknowledged it
 * @property {string} [participant] who wrote it, in a group, as WhatsApp names them
 * @property {string} [sender] the same, as the host knows them
 * @property {string} text its beginning
 * @property {number} [at] when it was sent, in milliseconds
 * @property {string} [message] what was sent, encoded, for a device that asks for it again
 */

/** @param {import("./store.mjs").Store} store @param {string} chat @param {string} id
 * @returns {Recent | undefined} */
export function getRecent(store, chat, id) {
  return store.get("recent", `${chat} ${id}`);
}

/** Changes for Store.put() that add an entry and remove the oldest.
 * @param {import("./store.mjs").Store} store @param {string} type @param {string} id
 * @param {unknown} value @returns {{[type: string]: {[id: string]: unknown}}} */
export function boundedChanges(store, type, id, value) {
  /** @type {{[id: string]: unknown}} */
  const changes = {};
  for (const old of store.ids(type).slice(0, 1 - MAX_ENTRIES)) changes[old] = null;
  changes[id] = value;
  return { [type]: changes };
}

/** @param {import("./store.mjs").Store} store @param {string} chat @param {string} id
 * @param {Recent} recent */
export function recentChanges(store, chat, id, recent) {
  return boundedChanges(store, "recent", `${chat} ${id}`, recent);
}
