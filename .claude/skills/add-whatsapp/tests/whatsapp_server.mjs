/*
 * whatsapp_server.mjs KEY CERTIFICATE: a WhatsApp on loopback, and the phones of the people on it.
 *
 * It speaks WhatsApp's wire protocol: handshake, pairing, stanzas, media, and Signal's encryption in
 * both directions, each person with keys of their own. Like WhatsApp, it keeps a message until the
 * client has confirmed it, and sends it again at the next connection, as offline.
 *
 * Commands come as JSON lines, and events go out as such:
 *
 *     {"do": "say", "from": JID, "chat"?: JID, "id": …, "message": {…}, "attrs"?: {…}}
 *     {"do": "upload", "data": BASE64, "kind": "image"}    "uploaded": the fields of a media message
 *     {"do": "scan", "qr": …}                              a phone scans the code
 *     {"do": "type", "code": …}                            a person types the pairing code
 *     {"do": "group", "jid": …, "subject": …, "members": […]}
 *     {"do": "hide", "lid": …, "jid": JID}                 a person whose number is hidden
 *     {"do": "end", "node": {…}}                           a last stanza, then the connection ends
 *     {"do": "refuse", "code": 401 | null}                 every login, or none
 *     {"do": "acks", "how": "all" | "none" | "463" | "cut"}    of messages from the client; the last
 *                                                          two hold for the next one
 *     {"do": "retry", "id": …, "from": JID}                a phone could not read a message
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer as createHttps } from "node:https";
import { createInterface } from "node:readline";

import {
  addTransactionCapability, aesDecryptCTR, aesEncryptCTR, Curve,
  DEFAULT_CONNECTION_CONFIG, derivePairingCodeKey, encodeBigEndian, encodeWAMessage,
  generateSignalPubKey, getAllBinaryNodeChildren, getBinaryNodeChild, getBinaryNodeChildBuffer,
  getBinaryNodeChildren, getMediaKeys, hkdf, initAuthCreds, isJidGroup, jidDecode, proto,
  unpadRandomMax16, WA_ADV_ACCOUNT_SIG_PREFIX,
} from "baileys";
import { WebSocketServer } from "ws";

import { NoiseServer, ROOT_KEY } from "./noise_server.mjs";

const ME = "491500000001";
const DEVICE = `${ME}:7@s.whatsapp.net`;
const LID = "990000001:7@lid";
const silent = { level: "silent", child: () => silent, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
for (const word of ["log", "info", "warn", "error"]) console[word] = () => {};

const tell = (event) => process.stdout.write(JSON.stringify(event) + "\n");
const now = () => String(Math.floor(Date.now() / 1000));

const numbers = new Map([[jidDecode(LID).user, `${ME}@s.whatsapp.net`]]); // of people with a hidden one

/* --- the phones of people -------------------------------------------------------------------- */

class Phone {
  static all = new Map();
  preKeyId = 1;
  knowsGroup = new Set();

  static of(jid) {
    const { user, server } = jidDecode(jid);
    const key = server === "lid" ? numbers.get(user) : `${user}@${server}`;
    if (!Phone.all.has(key)) Phone.all.set(key, new Phone(key));
    return Phone.all.get(key);
  }

  constructor(jid) {
    this.jid = jid;
    this.creds = initAuthCreds();
    const kept = new Map();
    const keys = {
      get: (type, ids) => Object.fromEntries(ids.flatMap((id) =>
        kept.has(`${type} ${id}`) ? [[id, kept.get(`${type} ${id}`)]] : [])),
      set: (changes) => {
        for (const [type, values] of Object.entries(changes))
          for (const [id, value] of Object.entries(values))
            value === null ? kept.delete(`${type} ${id}`) : kept.set(`${type} ${id}`, value);
      },
    };
    this.keys = addTransactionCapability(keys, silent, { maxCommitRetries: 1, delayBetweenTriesMs: 1 });
    this.signal = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: this.creds, keys: this.keys }, silent);
  }

  /* What others need to write to it. */
  async bundle(jid) {
    const id = this.preKeyId++;
    const preKey = Curve.generateKeyPair();
    const { signedPreKey, signedIdentityKey, registrationId } = this.creds;
    await this.keys.set({ "pre-key": { [id]: preKey } });
    const key = (tag, number, pair, signature) => ({ tag, attrs: {}, content: [
      { tag: "id", attrs: {}, content: encodeBigEndian(number, 3) },
      { tag: "value", attrs: {}, content: pair.public },
      ...(signature ? [{ tag: "signature", attrs: {}, content: signature }] : []),
    ] });
    return { tag: "user", attrs: { jid }, content: [
      { tag: "registration", attrs: {}, content: encodeBigEndian(registrationId) },
      { tag: "type", attrs: {}, content: Buffer.from([5]) },
      { tag: "identity", attrs: {}, content: signedIdentityKey.public },
      key("skey", signedPreKey.keyId, signedPreKey.keyPair, signedPreKey.signature),
      key("key", id, preKey),
    ] };
  }

  /* The children of a stanza that only the client can read. */
  async encrypt(client, group, message) {
    const seal = async (content) => {
      if (!(await this.signal.validateSession(DEVICE)).exists)
        await this.signal.injectE2ESession({ jid: DEVICE, session: client.session() });
      const { type, ciphertext } = await this.signal.encryptMessage({ jid: DEVICE, data: encodeWAMessage(content) });
      return { tag: "enc", attrs: { v: "2", type }, content: ciphertext };
    };
    if (!group) return [await seal(message)];
    const { ciphertext, senderKeyDistributionMessage } = await this.signal.encryptGroupMessage({
      group, meId: this.jid, data: encodeWAMessage(message) });
    const sealed = { tag: "enc", attrs: { v: "2", type: "skmsg" }, content: ciphertext };
    if (this.knowsGroup.has(group)) return [sealed];
    this.knowsGroup.add(group);
    return [await seal({ senderKeyDistributionMessage: {
      groupId: group, axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage } }), sealed];
  }

  async decrypt(enc) {
    const bytes = await this.signal.decryptMessage({ jid: DEVICE, type: enc.attrs.type, ciphertext: enc.content });
    return this.learn(proto.Message.decode(unpadRandomMax16(bytes)));
  }

  async decryptGroup(group, enc) {
    const bytes = await this.signal.decryptGroupMessage({ group, authorJid: DEVICE, msg: enc.content });
    return proto.Message.decode(unpadRandomMax16(bytes));
  }

  async learn(message) {
    const item = message.senderKeyDistributionMessage;
    if (item) await this.signal.processSenderKeyDistributionMessage({ item, authorJid: DEVICE });
    return message;
  }
}

/* --- the client's account --------------------------------------------------------------------- */

const groups = new Map();
const client = {
  paired: false,
  identity: null, signed: null, registrationId: 0, preKeys: [],
  queue: [], // stanzas that it has not confirmed
  socket: null,

  session() {
    const preKey = this.preKeys.length > 1 ? this.preKeys.shift() : this.preKeys[0];
    return {
      registrationId: this.registrationId,
      identityKey: generateSignalPubKey(this.identity),
      signedPreKey: this.signed,
      preKey,
    };
  },

  takeKeys(node) {
    const key = (child) => ({
      keyId: getBinaryNodeChildBuffer(child, "id").readUIntBE(0, 3),
      publicKey: generateSignalPubKey(getBinaryNodeChildBuffer(child, "value")),
      signature: getBinaryNodeChildBuffer(child, "signature"),
    });
    this.registrationId = getBinaryNodeChildBuffer(node, "registration").readUInt32BE();
    this.identity = getBinaryNodeChildBuffer(node, "identity");
    this.signed = key(getBinaryNodeChild(node, "skey"));
    this.preKeys.push(...getBinaryNodeChildren(getBinaryNodeChild(node, "list"), "key").map(key));
  },

  confirm(attrs) {
    const ids = [attrs.id];
    const before = this.queue.length;
    this.queue = this.queue.filter((node) => !ids.includes(node.attrs.id));
    if (this.queue.length < before) tell({ event: "confirmed", id: attrs.id, type: attrs.type ?? null, error: attrs.error ?? null });
  },
};

const media = new Map();
let refusal = null;
let acks = "all";
const seen = new Map(); // ids of messages from the client, and what they said

/* --- one connection ---------------------------------------------------------------------------- */

class Connection {
  noise = new NoiseServer();
  work = Promise.resolve();

  constructor(socket) {
    this.socket = socket;
    socket.on("message", (data) => {
      this.work = this.work.then(() => this.take(data)).catch((error) => tell({ event: "error", text: error.stack }));
    });
    socket.on("close", () => {
      if (client.socket === this) client.socket = null;
      tell({ event: "closed" });
    });
    socket.on("error", () => {});
  }

  send(node) {
    if (this.socket.readyState === 1) this.socket.send(this.noise.encode(node));
  }

  end(node) {
    if (node) this.send(node);
    this.socket.close();
  }

  async take(data) {
    for (const frame of this.noise.frames(data))
      if (this.noise.state === "hello") this.socket.send(this.noise.hello(frame));
      else if (this.noise.state === "finish") this.login(this.noise.finish(frame));
      else await this.stanza(await this.noise.decode(frame));
  }

  login(payload) {
    const { primary, secondary, tertiary } = payload.userAgent.appVersion;
    tell({ event: "login", version: [primary, secondary, tertiary].join("."), pairing: !!payload.devicePairingData,
      user: Number(payload.username ?? 0) });
    if (refusal) return this.end({ tag: "failure", attrs: { reason: String(refusal), location: "x" } });
    if (payload.devicePairingData) return this.offerCodes();
    if (!client.paired) return this.end({ tag: "failure", attrs: { reason: "401", location: "x" } });
    client.socket?.end({ tag: "stream:error", attrs: {}, content: [{ tag: "conflict", attrs: { type: "replaced" } }] });
    client.socket = this;
    this.send({ tag: "success", attrs: { t: now(), lid: LID } });
  }

  offerCodes() {
    client.socket = this;
    this.refs = ["ref-one", "ref-two"];
    this.send({ tag: "iq", attrs: { from: "s.whatsapp.net", type: "set", id: "pair-1", xmlns: "md" }, content: [
      { tag: "pair-device", attrs: {}, content: this.refs.map((ref) => ({ tag: "ref", attrs: {}, content: Buffer.from(ref) })) },
    ] });
  }

  /* A phone agrees: it signs the client's identity. */
  pair(identityKey, secret) {
    const account = Phone.of(`${ME}@s.whatsapp.net`).creds.signedIdentityKey;
    const details = proto.ADVDeviceIdentity.encode({ rawId: 1, timestamp: 1, keyIndex: 1 }).finish();
    const signature = Curve.sign(account.private, Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, identityKey]));
    const signed = proto.ADVSignedDeviceIdentity.encode({
      details, accountSignatureKey: account.public, accountSignature: signature }).finish();
    const hmac = createHmac("sha256", secret).update(signed).digest();
    client.identity = identityKey;
    client.preKeys = [];
    this.send({ tag: "iq", attrs: { from: "s.whatsapp.net", type: "set", id: "pair-2", xmlns: "md" }, content: [
      { tag: "pair-success", attrs: {}, content: [
        { tag: "device-identity", attrs: {}, content: proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac }).finish() },
        { tag: "device", attrs: { jid: DEVICE, lid: LID } },
        { tag: "platform", attrs: { name: "test" } },
      ] },
    ] });
  }

  async stanza(node) {
    if (node.tag === "iq") await this.iq(node);
    else if (node.tag === "message") await this.message(node);
    else if (node.tag === "receipt" || (node.tag === "ack" && node.attrs.class === "message")) {
      tell({ event: node.tag, id: node.attrs.id, to: node.attrs.to, type: node.attrs.type ?? null });
      client.confirm(node.attrs);
      if (node.attrs.type === "retry") await retry(said.get(node.attrs.id));
    } else if (node.tag === "chatstate") tell({ event: "typing", to: node.attrs.to, state: node.content[0].tag });
    else if (node.tag === "presence") tell({ event: "presence", type: node.attrs.type });
  }

  async iq(node) {
    const child = getAllBinaryNodeChildren(node)[0];
    const reply = (...content) => this.send({ tag: "iq",
      attrs: { from: node.attrs.to, id: node.attrs.id, t: now(), type: "result" }, content });
    const { xmlns } = node.attrs;
    if (node.attrs.type === "result" && child?.tag === "pair-device-sign") {
      client.paired = true;
      tell({ event: "paired" });
      return this.end({ tag: "stream:error", attrs: { code: "515" } });
    }
    if (node.attrs.type === "result") return undefined;
    if (child?.tag === "link_code_companion_reg") return this.linkCode(child, reply);
    if (xmlns === "encrypt" && child?.tag === "count")
      return reply({ tag: "count", attrs: { value: String(client.preKeys.length) } });
    if (xmlns === "encrypt" && child?.tag === "digest") return reply({ tag: "digest", attrs: {} });
    if (xmlns === "encrypt" && child?.tag === "key")
      return reply({ tag: "list", attrs: {}, content: await Promise.all(
        getBinaryNodeChildren(child, "user").map(({ attrs }) => Phone.of(attrs.jid).bundle(attrs.jid))) });
    if (xmlns === "encrypt" && node.attrs.type === "set") {
      client.takeKeys(node);
      return reply();
    }
    if (xmlns === "passive") {
      reply();
      return this.offline();
    }
    if (xmlns === "usync") return reply(this.usync(child));
    if (xmlns === "w:g2") return this.groupInfo(node, reply);
    if (xmlns === "w:m")
      return reply({ tag: "media_conn", attrs: { auth: "a", ttl: "3600" }, content: [
        { tag: "host", attrs: { hostname: `127.0.0.1:${files.address().port}`, maxContentLengthBytes: "99999999" } }] });
    return reply();
  }

  /* Everything that the client has not confirmed. */
  offline() {
    const { queue } = client;
    for (const node of queue) this.send({ ...node, attrs: { ...node.attrs, offline: "1" } });
    this.send({ tag: "ib", attrs: { from: "s.whatsapp.net" }, content: [
      { tag: "offline", attrs: { count: String(queue.length) } }] });
    tell({ event: "open", offline: queue.length });
  }

  usync(child) {
    const users = getBinaryNodeChildren(getBinaryNodeChild(child, "list"), "user");
    return { tag: "usync", attrs: { ...child.attrs }, content: [{ tag: "list", attrs: {}, content: users.map(({ attrs }) => {
      const mine = jidDecode(attrs.jid).user === ME;
      const devices = [{ tag: "device", attrs: { id: "0" } },
        ...(mine ? [{ tag: "device", attrs: { id: "7", "key-index": "1" } }] : [])];
      return { tag: "user", attrs, content: [{ tag: "devices", attrs: {}, content: [{ tag: "device-list", attrs: {}, content: devices }] }] };
    }) }] };
  }

  groupInfo(node, reply) {
    const group = groups.get(node.attrs.to);
    if (!group) return reply({ tag: "groups", attrs: {}, content: [] });
    return reply({ tag: "group", attrs: { id: node.attrs.to, subject: group.subject, s_t: now(), creation: now() },
      content: [...group.members, `${ME}@s.whatsapp.net`].map((jid) => ({ tag: "participant", attrs: { jid } })) });
  }

  /* The client's half of pairing by a code; the other half is 'type'. */
  linkCode(child, reply) {
    if (child.attrs.stage === "companion_hello") {
      this.wrapped = getBinaryNodeChildBuffer(child, "link_code_pairing_wrapped_companion_ephemeral_pub");
      reply({ tag: "link_code_companion_reg", attrs: {}, content: [
        { tag: "link_code_pairing_ref", attrs: {}, content: Buffer.from("link-ref") }] });
      return tell({ event: "code-wanted", jid: child.attrs.jid });
    }
    this.companionFinish(child);
    return reply();
  }

  async typeCode(code) {
    const key = await derivePairingCodeKey(code, this.wrapped.subarray(0, 32));
    this.companionEphemeral = aesDecryptCTR(this.wrapped.subarray(48, 80), key, this.wrapped.subarray(32, 48));
    this.primaryEphemeral = Curve.generateKeyPair();
    const [salt, start] = [randomBytes(32), randomBytes(16)];
    const sealed = aesEncryptCTR(this.primaryEphemeral.public, await derivePairingCodeKey(code, salt), start);
    this.send({ tag: "notification", attrs: { from: "s.whatsapp.net", id: "n1", type: "link_code_companion_reg", t: now() }, content: [
      { tag: "link_code_companion_reg", attrs: { stage: "primary_hello" }, content: [
        { tag: "link_code_pairing_ref", attrs: {}, content: Buffer.from("link-ref") },
        { tag: "primary_identity_pub", attrs: {}, content: Phone.of(`${ME}@s.whatsapp.net`).creds.signedIdentityKey.public },
        { tag: "link_code_pairing_wrapped_primary_ephemeral_pub", attrs: {}, content: Buffer.concat([salt, start, sealed]) },
      ] }] });
  }

  companionFinish(child) {
    const account = Phone.of(`${ME}@s.whatsapp.net`).creds.signedIdentityKey;
    const bundle = getBinaryNodeChildBuffer(child, "link_code_pairing_wrapped_key_bundle");
    const identity = getBinaryNodeChildBuffer(child, "companion_identity_public");
    const shared = Curve.sharedKey(this.primaryEphemeral.private, this.companionEphemeral);
    const key = Buffer.from(hkdf(shared, 32, { salt: bundle.subarray(0, 32), info: "link_code_pairing_key_bundle_encryption_key" }));
    const sealed = bundle.subarray(44);
    const decipher = createDecipheriv("aes-256-gcm", key, bundle.subarray(32, 44));
    decipher.setAuthTag(sealed.subarray(-16));
    const random = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).subarray(64);
    const secret = Buffer.concat([shared, Curve.sharedKey(account.private, identity), random]);
    this.pair(identity, Buffer.from(hkdf(secret, 32, { info: "adv_secret" })));
  }

  /* --- messages ------------------------------------------------------------------------------- */

  async message(node) {
    const { id, to } = node.attrs;
    const again = seen.has(id);
    let message = seen.get(id) ?? null;
    try {
      message = await this.open(node) ?? message;
    } catch (error) {
      // A phone that has read it before cannot read it once more.
      if (!again) tell({ event: "unreadable", id, text: error.message });
    }
    if (!message) this.send(retryReceipt(id, to));
    seen.set(id, message);
    tell({ event: "sent", id, to, again, edit: node.attrs.edit ?? null, message: message && proto.Message.toObject(message,
      { bytes: String, longs: Number }) });
    const how = acks;
    if (how !== "none") acks = "all";
    if (how === "cut") this.socket.terminate();
    else if (how !== "none") this.send({ tag: "ack", attrs: { class: "message", from: to, id, t: now(),
      ...(how === "all" ? {} : { error: how }) } });
  }

  async open(node) {
    const { to } = node.attrs;
    const sealed = getBinaryNodeChildren(getBinaryNodeChild(node, "participants"), "to");
    let message;
    for (const { attrs, content } of sealed) {
      const read = await Phone.of(attrs.jid).decrypt(content[0]).catch((error) => {
        throw new Error(`${attrs.jid}, ${content[0].attrs.type}: ${error.message}`);
      });
      if (jidDecode(attrs.jid).user === jidDecode(to).user || isJidGroup(to)) message = read.deviceSentMessage?.message ?? read;
    }
    for (const enc of getBinaryNodeChildren(node, "enc"))
      if (enc.attrs.type === "skmsg")
        for (const jid of groups.get(to).members) message = await Phone.of(jid).decryptGroup(to, enc);
      else message = await Phone.of(to).decrypt(enc);
    return message;
  }
}

/* The client could not read it: the phone begins a new session with it, and sends it again. */
const said = new Map();
async function retry(command) {
  const phone = Phone.of(command.from);
  await phone.signal.deleteSession([DEVICE]);
  phone.knowsGroup.clear();
  await commands.say(command);
}

/* A phone could not read a message. */
function retryReceipt(id, from) {
  return { tag: "receipt", attrs: { from, id, type: "retry", t: now() }, content: [
    { tag: "retry", attrs: { count: "1", id, t: now(), v: "1" } },
    { tag: "registration", attrs: {}, content: encodeBigEndian(Phone.of(from).creds.registrationId) }] };
}

/* --- commands ------------------------------------------------------------------------------------ */

const commands = {
  async say(command) {
    const { from, chat, id, message, attrs = {} } = command;
    said.set(id, command);
    const mine = jidDecode(from).user === ME;
    const group = chat && isJidGroup(chat) ? chat : null;
    const content = proto.Message.fromObject(message);
    const sealed = await Phone.of(from).encrypt(client, group,
      mine && !group ? { deviceSentMessage: { destinationJid: chat, message: content } } : content);
    const node = { tag: "message", attrs: {
      from: group ?? from, ...(group ? { participant: from } : {}), ...(mine && !group ? { recipient: chat } : {}),
      id, t: now(), type: "text", notify: attrs.notify ?? "Alice", ...attrs }, content: sealed };
    client.queue.push(node);
    client.socket?.send(node);
    tell({ event: "said", id });
  },

  async upload({ data, kind }) {
    const plain = Buffer.from(data, "base64");
    const mediaKey = randomBytes(32);
    const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, kind);
    const cipher = createCipheriv("aes-256-cbc", cipherKey, iv);
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    const mac = createHmac("sha256", macKey).update(iv).update(sealed).digest().subarray(0, 10);
    const path = `/media/${media.size}`;
    media.set(path, Buffer.concat([sealed, mac]));
    tell({ event: "uploaded", fields: {
      url: `https://127.0.0.1:${files.address().port}${path}`, directPath: path, fileLength: plain.length,
      mediaKey: mediaKey.toString("base64"),
      fileSha256: createHash("sha256").update(plain).digest("base64"),
      fileEncSha256: createHash("sha256").update(media.get(path)).digest("base64") } });
  },

  /* What the client has uploaded, as its receiver reads it. */
  async download({ fields, kind }) {
    const { cipherKey, iv } = await getMediaKeys(Buffer.from(fields.mediaKey, "base64"), kind);
    const sealed = media.get(fields.directPath);
    const decipher = createDecipheriv("aes-256-cbc", cipherKey, iv);
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -10)), decipher.final()]);
    tell({ event: "downloaded", data: plain.toString("base64") });
  },

  scan({ qr }) {
    const [, , identity, secret] = qr.split("#").at(-1).split(",");
    client.socket.pair(Buffer.from(identity, "base64"), Buffer.from(secret, "base64"));
  },
  type: ({ code }) => client.socket.typeCode(code.replace("-", "")),
  group: ({ jid, subject, members }) => void groups.set(jid, { subject, members }),
  hide: ({ lid, jid }) => void numbers.set(lid, jid),
  end: ({ node }) => client.socket?.end(node),
  refuse: ({ code }) => void (refusal = code),
  acks: ({ how }) => void (acks = how),
  forget: () => void (client.paired = false),
  retry: ({ id, from }) => client.socket.send(retryReceipt(id, from)),
};

const files = createHttps({ key: readFileSync(process.argv[2]), cert: readFileSync(process.argv[3]) }, (request, response) => {
  const path = new URL(request.url, "https://x").pathname;
  if (request.method === "GET") {
    response.writeHead(media.has(path) ? 200 : 404);
    return response.end(media.get(path));
  }
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  return request.on("end", () => {
    media.set(path, Buffer.concat(chunks));
    response.end(JSON.stringify({ url: `https://127.0.0.1:${files.address().port}${path}`, direct_path: path }));
  });
});
await new Promise((done) => files.listen(0, "127.0.0.1", done));
const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
server.on("connection", (socket) => new Connection(socket));
await new Promise((done) => server.on("listening", done));
tell({ event: "ready", port: server.address().port, root: ROOT_KEY });
for await (const line of createInterface({ input: process.stdin }))
  try {
    const command = JSON.parse(line);
    await commands[command.do](command);
    tell({ event: "done", do: command.do });
  } catch (error) {
    tell({ event: "error", text: error.stack });
  }
process.exit(0);
