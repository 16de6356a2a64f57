/* The session of store.mjs as the library wants it: credentials, and keys by type and id. */
import { initAuthCreds, proto } from "baileys";

/** @param {import("./store.mjs").Store} store */
export function makeAuth(store) {
  /** @type {import("baileys").AuthenticationCreds} */
  const creds = store.get("creds", "creds") ?? initAuthCreds();
  return {
    creds,
    /** @type {import("baileys").SignalKeyStore} */
    keys: {
      get(type, ids) {
        /** @type {any} */
        const values = {};
        for (const id of ids) {
          const value = store.get(type, id);
          if (value !== undefined)
            values[id] = type === "app-state-sync-key"
              ? proto.Message.AppStateSyncKeyData.fromObject(value)
              : value;
        }
        return values;
      },
      set(changes) {
        store.put(/** @type {any} */ (changes));
      },
    },
    save() {
      store.put({ creds: { creds } });
    },
  };
}
