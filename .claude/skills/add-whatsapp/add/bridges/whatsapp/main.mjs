/*
 * The bridge 'whatsapp': lines of JSON with the host on standard input and output
 * (docs/bridge-protocol.md), WhatsApp on the other side (docs/whatsapp.md).
 */
import { createInterface } from "node:readline";

import { whatIsMissing } from "./installed.mjs";

const SESSION = "data/whatsapp/session";
const LOOK_AGAIN_MS = 5000;
const MAX_TEXT = 4096;

// The library prints whole sessions, with their private keys.
for (const word of /** @type {const} */ (["log", "info", "warn", "error", "debug", "trace"]))
  console[word] = () => {};

/** @param {object} line */
function write(line) {
  process.stdout.write(JSON.stringify(line) + "\n");
}

/** @type {import("./bridge.mjs").Bridge | undefined} */
let bridge;
/** @type {NodeJS.Timeout | undefined} */
let timer;

/** @param {{files: string, max_file: number}} welcome */
async function begin(welcome) {
  try {
    const missing = whatIsMissing();
    if (missing) throw new Error(missing);
    const { Bridge } = await import("./bridge.mjs");
    bridge = new Bridge(SESSION, write, welcome);
    bridge.start();
  } catch (error) {
    write({ type: "disconnected", reason: /** @type {Error} */ (error).message });
    timer = setTimeout(() => void begin(welcome), LOOK_AGAIN_MS);
  }
}

process.on("unhandledRejection", (error) => bridge?.fail(error));
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
process.umask(0o077);
write({
  type: "hello",
  protocol: 1,
  jids: ["*@g.us", "*@s.whatsapp.net", "*@lid"],
  dialect: "whatsapp",
  unit: "utf16",
  max_text: MAX_TEXT - (process.env.WHATSAPP_NAME ?? "").length - 4,
  can: ["typing", "files", "react", "edit"],
  remembers_keys: true,
});
for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text);
  if (line.type === "shutdown") break;
  if (line.type === "welcome") void begin(line);
  else if (line.type === "ping") write({ type: "pong" });
  else bridge?.handle(line);
}
clearTimeout(timer);
await bridge?.stop();
process.exit(0);
