/* The store of a session, cut off at every byte, damaged, and written anew. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Store } from "./store.mjs";

const path = join(mkdtempSync("store-"), "session");
const big = Buffer.alloc(20, 7);
const states = [];
let store = new Store(path);
for (let i = 0; i < 3; i++) {
  store.put({ key: { a: { big, i }, [`b${i}`]: i ? null : i }, creds: { creds: { i } } });
  states.push({ length: statSync(path).size, i });
}
store.close();
const whole = readFileSync(path);
for (let length = 0; length <= whole.length; length++) {
  writeFileSync(path, whole.subarray(0, length));
  const { i } = states.findLast((state) => state.length <= length) ?? {};
  store = new Store(path);
  assert.equal(store.get("key", "a")?.i, i);
  assert.equal(store.get("creds", "creds")?.i, i);
  store.put({ key: { after: { length } } });
  store.close();
  store = new Store(path);
  assert.equal(store.get("key", "after").length, length);
  assert.ok(i === undefined || store.get("key", "a").big.equals(big));
  store.close();
}

writeFileSync(path, whole);
const damaged = Buffer.from(whole);
damaged[states[0].length + 30] ^= 1;
writeFileSync(path, damaged);
assert.throws(() => new Store(path), /damaged at byte/);

truncateSync(path);
store = new Store(path);
const huge = "x".repeat(20_000);
for (let i = 0; i < 300; i++) store.put({ key: { [`k${i % 10}`]: { i, huge } }, gone: { [`g${i}`]: i % 2 ? 1 : null } });
assert.ok(statSync(path).size < 2 * 1024 * 1024, "it is written anew");
assert.equal(statSync(path).mode & 0o777, 0o600);
assert.ok(store.isCurrent());
store.close();
assert.throws(() => store.put({ key: { late: 1 } }));
store = new Store(path);
assert.deepEqual(store.ids("key").map((id) => store.get("key", id).i), [...Array(10).keys()].map((i) => 290 + i));
assert.equal(store.count("gone"), 150);
