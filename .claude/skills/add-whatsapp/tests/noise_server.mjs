/* WhatsApp's side of the handshake and of the encrypted frames, with a certificate of our own. */
import {
  aesDecryptGCM, aesEncryptGCM, Curve, decodeBinaryNode, encodeBinaryNode, hkdf, NOISE_MODE,
  NOISE_WA_HEADER, proto, sha256,
} from "baileys";

const { Details } = proto.CertChain.NoiseCertificate;
const root = Curve.generateKeyPair();
export const ROOT_KEY = root.public.toString("hex");

function certify(signer, details) {
  const bytes = Details.encode(details).finish();
  return { details: bytes, signature: Curve.sign(signer.private, bytes) };
}

function certificates(key) {
  const intermediate = Curve.generateKeyPair();
  return proto.CertChain.encode({
    intermediate: certify(root, { serial: 1, issuerSerial: 0, key: intermediate.public }),
    leaf: certify(intermediate, { serial: 2, issuerSerial: 1, key }),
  }).finish();
}

function iv(counter) {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
}

function framed(bytes) {
  return Buffer.concat([Buffer.from([bytes.length >> 16, bytes.length >> 8, bytes.length]), bytes]);
}

export class NoiseServer {
  hash = Buffer.from(NOISE_MODE);
  salt = this.hash;
  key = this.hash;
  counter = 0;
  input = Buffer.alloc(0);
  introduced = false;
  ephemeral = Curve.generateKeyPair();
  static = Curve.generateKeyPair();
  state = "hello";

  constructor() {
    this.mixHash(NOISE_WA_HEADER);
  }

  mixHash(data) {
    this.hash = sha256(Buffer.concat([this.hash, data]));
  }

  mixKey(data) {
    const keys = Buffer.from(hkdf(data, 64, { salt: this.salt, info: "" }));
    [this.salt, this.key, this.counter] = [keys.subarray(0, 32), keys.subarray(32), 0];
    return keys;
  }

  encrypt(plain) {
    const sealed = aesEncryptGCM(plain, this.key, iv(this.counter++), this.hash);
    this.mixHash(sealed);
    return sealed;
  }

  decrypt(sealed) {
    const plain = aesDecryptGCM(sealed, this.key, iv(this.counter++), this.hash);
    this.mixHash(sealed);
    return plain;
  }

  /* The frames that are complete now. */
  *frames(data) {
    this.input = Buffer.concat([this.input, data]);
    if (!this.introduced) {
      // A client that was here before says first how it was routed.
      const routed = this.input.subarray(0, 2).toString() === "ED" ? 7 + this.input.readUIntBE(4, 3) : 0;
      if (this.input.length < routed + NOISE_WA_HEADER.length) return;
      this.input = this.input.subarray(routed + NOISE_WA_HEADER.length);
      this.introduced = true;
    }
    while (this.input.length >= 3 && this.input.length >= 3 + this.input.readUIntBE(0, 3)) {
      const end = 3 + this.input.readUIntBE(0, 3);
      yield this.input.subarray(3, end);
      this.input = this.input.subarray(end);
    }
  }

  /* The answer to the client's first frame. */
  hello(frame) {
    const { clientHello } = proto.HandshakeMessage.decode(frame);
    this.mixHash(clientHello.ephemeral);
    this.mixHash(this.ephemeral.public);
    this.mixKey(Curve.sharedKey(this.ephemeral.private, clientHello.ephemeral));
    const key = this.encrypt(this.static.public);
    this.mixKey(Curve.sharedKey(this.static.private, clientHello.ephemeral));
    const payload = this.encrypt(certificates(this.static.public));
    this.state = "finish";
    return framed(proto.HandshakeMessage.encode({
      serverHello: { ephemeral: this.ephemeral.public, static: key, payload },
    }).finish());
  }

  /* The payload of the client's second frame: who it is. */
  finish(frame) {
    const { clientFinish } = proto.HandshakeMessage.decode(frame);
    this.mixKey(Curve.sharedKey(this.ephemeral.private, this.decrypt(clientFinish.static)));
    const payload = proto.ClientPayload.decode(this.decrypt(clientFinish.payload));
    const keys = this.mixKey(Buffer.alloc(0));
    this.reading = { key: keys.subarray(0, 32), counter: 0 };
    this.writing = { key: keys.subarray(32), counter: 0 };
    this.state = "open";
    return payload;
  }

  decode(frame) {
    const { reading } = this;
    return decodeBinaryNode(aesDecryptGCM(frame, reading.key, iv(reading.counter++), Buffer.alloc(0)));
  }

  encode(node) {
    const { writing } = this;
    return framed(aesEncryptGCM(encodeBinaryNode(node), writing.key, iv(writing.counter++), Buffer.alloc(0)));
  }
}
