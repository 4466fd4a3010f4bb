import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

interface Received {
  /** The decrypted message. */
  message: unknown;
  headers: IncomingHttpHeaders;
}

/** A push service on this machine, and browsers that subscribed at it. */
export async function startPushService() {
  const browsers = new Map<string, ReturnType<typeof makeBrowser>>();
  const received: Received[] = [];
  const answers = { status: 201 };
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const browser = browsers.get(request.url ?? "");
      if (browser && answers.status < 300)
        received.push({ message: JSON.parse(browser.decrypt(body)), headers: request.headers });
      response.writeHead(browser ? answers.status : 404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    received,
    /** The status of the next answers. */
    answers,
    /** @param endpoint that of an earlier subscription, which this one replaces */
    subscribe: (endpoint = `${origin}/push/${randomBytes(12).toString("hex")}`) => {
      const browser = makeBrowser();
      browsers.set(new URL(endpoint).pathname, browser);
      return { endpoint, p256dh: browser.p256dh, auth: browser.auth };
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The keys of a browser's subscription. */
function makeBrowser() {
  const ecdh = createECDH("prime256v1");
  const own = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    p256dh: own.toString("base64url"),
    auth: auth.toString("base64url"),
    /** Decrypts a message of one record (RFC 8291, RFC 8188). */
    decrypt: (body: Buffer): string => {
      const salt = body.subarray(0, 16);
      const keyEnd = 21 + (body[20] ?? 0);
      const sender = body.subarray(21, keyEnd);
      const derive = (key: Buffer, from: Buffer, info: Buffer | string, length: number) =>
        Buffer.from(hkdfSync("sha256", key, from, info, length));
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), own, sender]);
      const secret = derive(ecdh.computeSecret(sender), auth, info, 32);
      const decipher = createDecipheriv(
        "aes-128-gcm",
        derive(secret, salt, "Content-Encoding: aes128gcm\0", 16),
        derive(secret, salt, "Content-Encoding: nonce\0", 12),
      );
      decipher.setAuthTag(body.subarray(-16));
      const text = Buffer.concat([
        decipher.update(body.subarray(keyEnd, -16)),
        decipher.final(),
      ]);
      // The last record ends with 2 and padding of zeros.
      return text.subarray(0, text.lastIndexOf(2)).toString();
    },
  };
}

/** The claims of an Authorization header (RFC 8292). @throws if its signature is not of the key that it names */
export function readVapid(authorization: string | undefined): {
  key: string;
  claims: { aud: string; exp: number; sub: string };
} {
  const [, token = "", key = ""] = /^vapid t=(\S+), k=(\S+)$/.exec(authorization ?? "") ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const publicKey = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const isSigned = verify(
    "sha256",
    signed,
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) throw new Error("the signature is wrong");
  return { key, claims: JSON.parse(Buffer.from(claims, "base64url").toString()) };
}
