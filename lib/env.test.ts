import { expect, test } from "vitest";
import { ConfigurationError, readEnv } from "./env.ts";

const complete = {
  DATABASE_URL: "postgresql://user:pw@localhost/dashboard?host=/run/pg",
  NEXTAUTH_SECRET: "0123456789abcdef",
  NEXTAUTH_URL: "http://localhost:3000",
  API_KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
};

test("fills in what may be left out, and takes an empty text for left out", () => {
  const settings = readEnv({ ...complete, BILLING_API_URL: "", BILLING_API_KEY: "" });
  expect(settings.BILLING_API_URL).toBe("http://localhost:4000");
  expect(settings.BILLING_API_KEY).toBeUndefined();
  expect(settings.API_KEY_ENCRYPTION_KEY).toHaveLength(32);
});

test("names every variable that is wrong in one line, without its value", () => {
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
