import { describe, expect, it } from "vitest";
import { newSecret, decryptSecret, encryptSecret } from "./secret.ts";

const key = Buffer.alloc(32, 1);
const secret = newSecret();
const sealed = encryptSecret(key, 7, secret);

describe("an encrypted webhook secret", () => {
  it("can be decrypted with its key for its seller", () => {
    expect(decryptSecret(key, 7, sealed)).toBe(secret);
  });

  it("is different each time the same secret is encrypted", () => {
    expect(encryptSecret(key, 7, secret).equals(sealed)).toBe(false);
  });

  it("cannot be decrypted with another key or for another seller", () => {
    expect(() => decryptSecret(Buffer.alloc(32, 2), 7, sealed)).toThrow();
    expect(() => decryptSecret(key, 8, sealed)).toThrow();
  });

  it("cannot be decrypted if a bit is changed or the tag is truncated", () => {
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => decryptSecret(key, 7, changed)).toThrow();
    }
    expect(() => decryptSecret(key, 7, sealed.subarray(0, 16))).toThrow();
  });
});
