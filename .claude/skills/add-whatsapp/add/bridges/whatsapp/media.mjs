/* Files that people send: fetched from WhatsApp's media servers into a folder of the host. */
import { createWriteStream } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

import { downloadContentFromMessage } from "baileys";

const MEDIA_HOST = "mmg.whatsapp.net";
const TIME_MS = 120_000;
const ATTEMPTS = 2;

/** Where the content is. A sender writes these fields, so the host is never the sender's choice.
 * @param {import("./content.mjs").Media} media */
function source({ mediaKey, directPath, url }) {
  if (process.env.WHATSAPP_URL) return { mediaKey, url, directPath: null }; // not the real WhatsApp
  const path = directPath ?? (url ? new URL(url).pathname + new URL(url).search : null);
  if (!path?.startsWith("/")) throw new Error("it has no address");
  return { mediaKey, directPath: path, url: null };
}

/** @param {AsyncIterable<Buffer>} chunks @param {number} max */
async function* bounded(chunks, max) {
  let size = 0;
  for await (const chunk of chunks) {
    if ((size += chunk.length) > max) throw new Error("it is too large");
    yield chunk;
  }
}

/** @param {import("./content.mjs").Found} found @param {string} path @param {number} max */
async function fetchFile({ media, mediaType }, path, max) {
  const options = { host: MEDIA_HOST, options: { signal: AbortSignal.timeout(TIME_MS) } };
  const stream = await downloadContentFromMessage(/** @type {any} */ (source(media)), mediaType, options);
  await pipeline(stream, (chunks) => bounded(chunks, max), createWriteStream(path, { mode: 0o600 }));
}

/**
 * Returns false if there is no content to be had: the host then learns only that there was a file.
 * @param {import("./content.mjs").Found} found @param {string} folder @param {string} name
 * @param {number} max @param {(text: string) => void} log
 */
export async function download(found, folder, name, max, log) {
  const path = join(folder, name);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++)
    try {
      if (Number(found.media.fileLength ?? 0) > max) throw new Error("it is too large");
      await fetchFile(found, path + ".part", max);
      const file = await open(path + ".part");
      await file.sync();
      await file.close();
      await rename(path + ".part", path);
      return true;
    } catch (error) {
      await unlink(path + ".part").catch(() => {});
      log(`a file of a message cannot be fetched: ${/** @type {Error} */ (error).message}`);
    }
  return false;
}
