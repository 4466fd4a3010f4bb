import { expect, test } from "vitest";
import {
  ConfigurationError,
  directDatabaseUrl,
  encryptionKeysOf,
  ENV_NAMES,
  readEnv,
} from "./env.ts";

const complete = {
  DATABASE_URL: "postgresql://user:pw@localhost/dashboard?host=/run/pg",
  NEXTAUTH_SECRET: "0123456789abcdef",
  NEXTAUTH_URL: "http://localhost:3000",
  API_KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
};

test("optional settings get their defaults, and an empty value counts as unset", () => {
  const settings = readEnv({ ...complete, BILLING_API_URL: "", BILLING_API_KEY: "" });
  expect(settings.BILLING_API_URL).toBeUndefined();
  expect(settings.BILLING_SANDBOX_API_URL).toBe("http://localhost:4000");
  expect(settings.BILLING_API_KEY).toBeUndefined();
  expect(settings.API_KEY_ENCRYPTION_KEY).toHaveLength(32);
});

test("every empty optional setting counts as unset", () => {
  const empty = Object.fromEntries(ENV_NAMES.map((name) => [name, ""]));
  expect(readEnv({ ...empty, ...complete })).toEqual(readEnv(complete));
});

test("an error names every invalid variable in one line, without its value", () => {
  const bad = {
    ...complete,
    DATABASE_URL: "mysql://user:hunter2@x",
    API_KEY_ENCRYPTION_KEY: "c2hvcnQ",
  };
  const read = () => readEnv({ ...bad, NEXTAUTH_SECRET: undefined });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(/DATABASE_URL.*NEXTAUTH_SECRET is not set.*API_KEY_ENCRYPTION_KEY/);
  expect(read).not.toThrow(/hunter2|c2hvcnQ|\n/);
});

test("a variable that belongs with another, such as MAIL_FROM with SMTP_URL, is refused alone", () => {
  expect(() => readEnv({ ...complete, OIDC_ISSUER: "https://id.example" })).toThrow(
    /OIDC_CLIENT_ID is not set, but belongs with OIDC_ISSUER/,
  );
  expect(() => readEnv({ ...complete, MAIL_FROM: "desk@example.com" })).toThrow(/SMTP_URL/);
});

test("the current encryption key is listed before the previous keys", () => {
  const key = (fill: number) => Buffer.alloc(32, fill);
  const old = [key(1), key(2)].map((one) => one.toString("base64")).join(", ");
  const settings = readEnv({ ...complete, API_KEY_ENCRYPTION_KEY_OLD: old });
  expect(encryptionKeysOf(settings)).toEqual([key(0), key(1), key(2)]);
  expect(encryptionKeysOf(readEnv(complete))).toEqual([key(0)]);
  expect(() => readEnv({ ...complete, API_KEY_ENCRYPTION_KEY_OLD: "c2hvcnQ" })).toThrow(
    /API_KEY_ENCRYPTION_KEY_OLD.* must be 32 bytes/,
  );
});

test("the direct database URL is DATABASE_DIRECT_URL if set, else DATABASE_URL", () => {
  expect(directDatabaseUrl(readEnv(complete))).toBe(complete.DATABASE_URL);
  const DATABASE_DIRECT_URL = "postgresql://db.example/dashboard";
  expect(directDatabaseUrl(readEnv({ ...complete, DATABASE_DIRECT_URL }))).toBe(
    DATABASE_DIRECT_URL,
  );
});

test.each([
  [{}, "open"],
  [{ HOST: "0.0.0.0" }, "invitation"],
  [{ NEXTAUTH_URL: "https://desk.example" }, "invitation"],
  [{ TRUSTED_PROXIES: "1" }, "invitation"],
  [{ HOST: "0.0.0.0", SIGN_UP: "open" }, "open"],
])("with the settings %o the sign-up mode is %s", (changes, expected) => {
  expect(readEnv({ ...complete, ...changes }).SIGN_UP).toBe(expected);
});
