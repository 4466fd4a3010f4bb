import { expect, test } from "vitest";
import { CONFIG_NAMES, readConfig, readWorkerConfig } from "./config.ts";

const SERVICE_DATABASE_URL = "postgresql://localhost/service";

test("an empty environment variable counts as unset", () => {
  const empty = Object.fromEntries(CONFIG_NAMES.map((name) => [name, ""]));
  const usual = readConfig({ SERVICE_DATABASE_URL });
  expect(readConfig({ ...empty, SERVICE_DATABASE_URL })).toEqual(usual);
  expect(usual.limits.perKey).toBeGreaterThan(0);
  expect(usual.metricsPort).toBeUndefined();
});

test.each([
  ["SERVICE_DATABASE_URL", ""],
  ["SERVICE_PORT", "65536"],
  ["SERVICE_METRICS_PORT", "http"],
  ["METRICS_TOKEN", "short"],
  ["SERVICE_PUBLIC_URL", "billing.example"],
  ["SERVICE_SECRETS_KEY", "c2hvcnQ="],
  ["SERVICE_SECRETS_KEY_OLD", `${Buffer.alloc(32).toString("base64")},c2hvcnQ=`],
  ["SERVICE_MODE", "staging"],
  ["SERVICE_RATE_LIMIT", "-1"],
])("the setting %s=%s is refused with one line that names the variable", (name, value) => {
  expect(() => readConfig({ SERVICE_DATABASE_URL, [name]: value })).toThrow(
    new RegExp(`^${name}: .+$`),
  );
});

test("a metrics port that other machines can reach requires METRICS_TOKEN", () => {
  const reached = { SERVICE_DATABASE_URL, SERVICE_HOST: "0.0.0.0" };
  expect(() => readConfig(reached)).not.toThrow();
  for (const name of ["SERVICE_METRICS_PORT", "SERVICE_WORKER_METRICS_PORT"]) {
    expect(() => readConfig({ ...reached, [name]: "9464" })).toThrow(/^METRICS_TOKEN: set it/);
    const METRICS_TOKEN = "a long enough token";
    expect(readConfig({ ...reached, [name]: "9464", METRICS_TOKEN }).metricsToken).toBe(
      METRICS_TOKEN,
    );
    expect(() => readConfig({ ...reached, [name]: "0" })).toThrow(/^METRICS_TOKEN: set it/);
    expect(() => readConfig({ SERVICE_DATABASE_URL, [name]: "9464" })).not.toThrow();
  }
});

test("a separate worker sends webhooks to private addresses only with SERVICE_PRIVATE_TARGETS=allow", () => {
  expect(readConfig({ SERVICE_DATABASE_URL }).privateTargets).toBe(true);
  for (const [SERVICE_PRIVATE_TARGETS, isTaken] of [
    ["", false],
    ["refuse", false],
    ["allow", true],
  ] as const)
    expect(
      readWorkerConfig({ SERVICE_DATABASE_URL, SERVICE_PRIVATE_TARGETS }).privateTargets,
    ).toBe(isTaken);
});

test("SERVICE_DATABASE_DIRECT_URL sets the direct database URL, which is SERVICE_DATABASE_URL by default", () => {
  expect(readConfig({ SERVICE_DATABASE_URL }).directUrl).toBe(SERVICE_DATABASE_URL);
  const SERVICE_DATABASE_DIRECT_URL = "postgresql://db.example/service";
  const { databaseUrl, directUrl } = readConfig({
    SERVICE_DATABASE_URL,
    SERVICE_DATABASE_DIRECT_URL,
  });
  expect([databaseUrl, directUrl]).toEqual([SERVICE_DATABASE_URL, SERVICE_DATABASE_DIRECT_URL]);
});
