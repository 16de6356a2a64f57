/*
 * Signal's encryption as the library does it, with its changes on the disk in time.
 *
 * The library stores what encrypting has changed only after the message was sent, and lets a message
 * that arrives meanwhile change the same session. So a crash, or two people who write at once, gives a
 * message that nobody can read. Here everything that changes a session is one after the other, each in
 * a transaction of its own, which is stored before the library goes on.
 */
import { AsyncResource } from "node:async_hooks";

import { DEFAULT_CONNECTION_CONFIG } from "baileys";

const LOCK = "signal";

/**
 * @param {(bytes: Uint8Array, keys: any, decrypt: () => Promise<Uint8Array>) => Promise<Uint8Array>} decrypt
 *   within the transaction
 * @returns {import("baileys").SocketConfig["makeSignalRepository"]}
 */
export function makeSignal(decrypt) {
  return (auth, logger, toLid) => {
    const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, toLid);
    const keys = /** @type {import("baileys").SignalKeyStoreWithTransaction} */ (auth.keys);
    const outside = new AsyncResource(LOCK); // of the library's own transactions
    /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
    const alone = (work) => outside.runInAsyncScope(() => keys.transaction(work, LOCK));
    return {
      ...repository,
      decryptMessage: (options) => alone(() =>
        decrypt(options.ciphertext, keys, () => repository.decryptMessage(options))),
      decryptGroupMessage: (options) => alone(() =>
        decrypt(options.msg, keys, () => repository.decryptGroupMessage(options))),
      encryptMessage: (options) => alone(() => repository.encryptMessage(options)),
      encryptGroupMessage: (options) => alone(() => repository.encryptGroupMessage(options)),
      injectE2ESession: (options) => alone(() => repository.injectE2ESession(options)),
      deleteSession: (jids) => alone(() => repository.deleteSession(jids)),
      migrateSession: (from, to) => alone(() => repository.migrateSession(from, to)),
      processSenderKeyDistributionMessage: (options) =>
        alone(() => repository.processSenderKeyDistributionMessage(options)),
    };
  };
}
