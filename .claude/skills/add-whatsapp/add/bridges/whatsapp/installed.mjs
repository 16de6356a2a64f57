/* Is everything there that the bridge needs? Runs on any Node, before anything is loaded. */
import { readFileSync } from "node:fs";

const MIN_NODE = 20;

/** @param {string} path relative to this file */
function readJson(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}

/** @returns {string | null} what is missing, and what to do */
export function whatIsMissing() {
  if (parseInt(process.versions.node) < MIN_NODE)
    return `Node ${process.versions.node} is too old, it must be ${MIN_NODE} or newer: ` +
      "run 'nanoclaw channel login whatsapp'";
  const wanted = readJson("package.json").dependencies;
  /** @type {any} */
  let installed = {};
  try {
    installed = readJson("node_modules/.package-lock.json").packages; // npm writes this last
  } catch {}
  for (const name of Object.keys(wanted)) {
    if (installed[`node_modules/${name}`]?.version !== wanted[name])
      return `the library '${name}' ${wanted[name]} is not installed: ` +
        "run 'nanoclaw channel login whatsapp'";
  }
  return null;
}
