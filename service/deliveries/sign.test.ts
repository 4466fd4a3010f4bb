import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newSecret } from "../webhooks/secret.ts";
import { requestHeaders, signMessage } from "./sign.ts";

const secret = newSecret();
const message = { event_id: "e7a3f5d2", body: '{"name":"आस्मिता"}' };
const MINUTE = 60_000;

const signed = (at: Date, secrets = [secret]) =>
  requestHeaders(message.event_id, at, signMessage(message, at, secrets));
const verify = (headers: Record<string, string>, body = message.body, key = secret) =>
  new Webhook(key).verify(body, headers);

describe("sign", () => {
  it("Standard Webhooks: makes the same signature as the library standardwebhooks", () => {
    const at = new Date();
    const theirs = new Webhook(secret).sign(message.event_id, at, message.body);
    expect(signMessage(message, at, [secret])).toBe(theirs);
    expect(verify(signed(at))).toEqual({ name: "आस्मिता" });
  });

  it("makes a signature that fails with a wrong secret and verifies with each of two signing secrets", () => {
    const other = newSecret();
    expect(() => verify(signed(new Date()), message.body, other)).toThrow("signature");
    const both = signed(new Date(), [other, secret]);
    for (const key of [secret, other])
      expect(() => verify(both, message.body, key)).not.toThrow();
  });

  it("makes a signature that fails after six minutes, with another timestamp or another webhook-id", () => {
    const old = signed(new Date(Date.now() - 6 * MINUTE));
    expect(() => verify(old)).toThrow("too old");
    // A newer time with the old signature does not verify.
    const now = String(Math.floor(Date.now() / 1_000));
    expect(() => verify({ ...old, "webhook-timestamp": now })).toThrow("signature");
    expect(() => verify({ ...signed(new Date()), "webhook-id": "another" })).toThrow(
      "signature",
    );
  });

  it("makes a signature that fails if any character of the body is changed", () => {
    const headers = signed(new Date());
    for (let index = 0; index < message.body.length; index += 1) {
      const code = message.body.charCodeAt(index) ^ 1;
      const flipped =
        message.body.slice(0, index) +
        String.fromCharCode(code) +
        message.body.slice(index + 1);
      expect(() => verify(headers, flipped)).toThrow("signature");
    }
  });
});
