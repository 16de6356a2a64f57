/* Why a connection ended, in plain words, and when to try again. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEADY_MS = HOUR; // a connection that held this long was a good one

export const LOGGED_OUT = 401;
export const RESTART = 515;
const LOGIN = "run 'nanoclaw channel login whatsapp'";
const RESTART_HOST = "then run 'nanoclaw restart'";

export const NOT_PAIRED = `not paired with a phone: ${LOGIN}`;
export const WAS_LOGGED_OUT = `logged out: this device was removed on the phone; ${LOGIN} to pair it again`;

/**
 * @typedef {object} Reason
 * @property {string} text
 * @property {number[]} waits milliseconds before the next attempts, the last for all others; empty:
 *   a person has to do something first
 */

const QUICK = [SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE];
const SLOW = [MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR];

/** @type {{[code: number]: Reason}} */
const REASONS = {
  [LOGGED_OUT]: { text: WAS_LOGGED_OUT, waits: [] },
  402: { text: "WhatsApp has banned this account for a while: open WhatsApp on the phone to see why",
    waits: [HOUR] },
  403: { text: `WhatsApp has locked this account: open WhatsApp on the phone to see why, ${RESTART_HOST}`,
    waits: [] },
  406: { text: `WhatsApp has banned this account: open WhatsApp on the phone to see why, ${RESTART_HOST}`,
    waits: [] },
  411: { text: `the phone's WhatsApp is too old for linked devices: update it, ${RESTART_HOST}`, waits: [] },
  440: { text: "another program uses this session, perhaps a copy of this project: stop one of them",
    waits: SLOW },
  500: { text: `WhatsApp refuses the session for now; if this stays, ${LOGIN} -- --new`, waits: QUICK },
  503: { text: "WhatsApp is not available", waits: QUICK },
  [RESTART]: { text: "WhatsApp wants a new connection", waits: [0, ...QUICK] },
};

/** @param {number} code */
export function isOutdated(code) {
  return code === 405 || code === 409;
}

/** @param {number[]} version @param {boolean} isSetting */
export function outdatedReason(version, isSetting) {
  return {
    text: `WhatsApp refuses version ${version.join(".")} of its web client: ` +
      (isSetting ? `set a newer WHATSAPP_VERSION, or none, ${RESTART_HOST}`
        : `update the skill, or set WHATSAPP_VERSION to the present one, ${RESTART_HOST}`),
    waits: [HOUR],
  };
}

/** @param {number} code @param {string} message @returns {Reason} */
export function reasonFor(code, message) {
  return REASONS[code] ?? { text: `the connection to WhatsApp ended: ${message}`, waits: QUICK };
}

/** How long to wait: longer each time, until a connection was of use. */
export class Waits {
  #tries = 0;
  #openedAt = 0;
  #useful = false;

  opened() {
    this.#openedAt = Date.now();
  }

  /** A message came, or one was acknowledged. */
  useful() {
    this.#useful = true;
  }

  /** @param {Reason} reason @returns {number | null} null: until a person has done something */
  next({ waits }) {
    const held = this.#openedAt ? Date.now() - this.#openedAt : 0;
    if (held > STEADY_MS || ((this.#useful || held > MINUTE) && waits === QUICK)) this.#tries = 0;
    this.#openedAt = 0;
    this.#useful = false;
    if (!waits.length) return null;
    const wait = waits[Math.min(this.#tries++, waits.length - 1)];
    return wait * (0.9 + Math.random() / 5);
  }
}
