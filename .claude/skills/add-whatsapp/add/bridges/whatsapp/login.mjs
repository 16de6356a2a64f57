/*
 * login.mjs [--phone NUMBER] [--new]: pair with a phone, on the terminal of the person who asks.
 *
 * It works on a session of its own, and puts it in place when the phone has agreed; the bridge
 * then takes it. So nobody sees a code but this terminal, and a pairing that fails changes nothing.
 */
import { renameSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";

import { DEFAULT_CONNECTION_CONFIG } from "baileys";
// @ts-expect-error it has no types
import qrcode from "qrcode-terminal";

import { makeAuth } from "./auth.mjs";
import { connect, parseVersion, silent } from "./library.mjs";
import { reasonFor } from "./reasons.mjs";
import { Store } from "./store.mjs";

const SESSION = "data/whatsapp/session";
const PAIRING = "data/whatsapp/pairing";
const print = (/** @type {string} */ text) => process.stdout.write(text + "\n");

for (const word of /** @type {const} */ (["log", "info", "warn", "error", "debug", "trace"]))
  console[word] = () => {};
process.umask(0o077);

/** @param {string} text @returns {never} */
function fail(text) {
  process.stderr.write(`error: ${text}\n`);
  process.exit(1);
}

/** The number of the account that is paired, or null. */
function pairedNumber() {
  if (!Store.exists(SESSION)) return null;
  const store = new Store(SESSION);
  const me = store.get("creds", "creds")?.me?.id;
  const gone = store.get("state", "logged-out");
  store.close();
  return me && !gone ? `+${me.split(/[:@]/)[0]}` : null;
}

/** @param {string} qr */
function showQr(qr) {
  qrcode.generate(qr, { small: true }, (/** @type {string} */ picture) => {
    print("\x1b[2J\x1b[H" + picture);
    print("On the phone: WhatsApp > Settings > Linked devices > Link a device, then scan this.");
  });
}

/** @param {string} code */
function showCode(code) {
  print(`\nThe code: ${code.slice(0, 4)}-${code.slice(4)}\n`);
  print("On the phone: WhatsApp > Settings > Linked devices > Link a device > Link with phone");
  print("number instead, then type this code.");
}

/** @param {string | undefined} phone @returns {Promise<string>} the JID of the account */
function pair(phone) {
  for (const path of [PAIRING, PAIRING + ".new"]) rmSync(path, { force: true });
  const store = new Store(PAIRING);
  const auth = makeAuth(store);
  const socket = connect({
    auth,
    logger: silent,
    version: parseVersion(process.env.WHATSAPP_VERSION) ?? DEFAULT_CONNECTION_CONFIG.version,
  });
  let asked = false;
  auth.save();
  socket.ev.on("creds.update", () => auth.save());
  return new Promise((resolve, reject) => {
    socket.ev.on("connection.update", async ({ qr, connection, lastDisconnect }) => {
      const error = /** @type {any} */ (lastDisconnect?.error);
      const code = error?.output?.statusCode;
      if (qr && !phone) showQr(qr);
      else if (qr && phone && !asked) {
        asked = true;
        showCode(await socket.requestPairingCode(phone));
      } else if (connection === "close" && auth.creds.account) {
        store.close();
        renameSync(PAIRING, SESSION);
        resolve(auth.creds.me?.id ?? "");
      } else if (connection === "close")
        reject(new Error(code === 408 ? "nobody has answered on the phone in time"
          : reasonFor(code, error?.message).text));
    });
  });
}

const { values } = (() => {
  try {
    return parseArgs({ options: { phone: { type: "string" }, new: { type: "boolean" } } });
  } catch (error) {
    return fail(/** @type {Error} */ (error).message);
  }
})();
const phone = values.phone?.replace(/[\s+()-]/g, "");
if (phone !== undefined && !/^\d{7,15}$/.test(phone))
  fail(`'${values.phone}' is not a phone number such as +4915112345678`);
const number = values.new ? null : pairedNumber();
if (number) {
  print(`This project is already paired with ${number}. To pair it anew:`);
  print("nanoclaw channel login whatsapp -- --new");
  process.exit(0);
}
if (!process.stdout.isTTY) fail("the code is only shown on a terminal: run this in one");
try {
  const me = await pair(phone);
  print(`\nPaired with +${me.split(/[:@]/)[0]}. 'nanoclaw channel list' shows the connection.`);
  process.exit(0);
} catch (error) {
  rmSync(PAIRING, { force: true });
  fail(/** @type {Error} */ (error).message);
}
