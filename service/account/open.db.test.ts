import { describe, expect, it } from "vitest";
import {
  AccountDirectory,
  AccountProfile,
  ISSUED_KEY_HEADER,
  OpenedAccount,
} from "#contract/account.ts";
import { buildApp } from "../app.ts";
import { TEST_ACCOUNTS_TOKEN, type TestService } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const url = "/account/v1/accounts/";
const BUSINESS = {
  reference: "one",
  name: "Phewa Dairy",
  time_zone: "Asia/Kathmandu",
  currency: "NPR",
};

const open = (
  { call }: Pick<TestService, "call">,
  payload: object,
  token = TEST_ACCOUNTS_TOKEN,
) =>
  call(null, { method: "POST", url, payload, headers: { authorization: `Bearer ${token}` } });

async function openAccount(at: Pick<TestService, "call">, payload: object) {
  const answer = await open(at, payload);
  expect(answer.statusCode).toBe(201);
  const token = String(answer.headers[ISSUED_KEY_HEADER]);
  const ask = (path: string, request: object = {}) =>
    at.call(null, {
      url: `/account/v1/${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...request,
    });
  return { ...OpenedAccount.parse(answer.json()), ask };
}

describe("opening an account", () => {
  it("in test mode gives an account that can at once create an API key and call the API", async () => {
    const { ask, is_verified } = await openAccount(service, {
      ...BUSINESS,
      reference: "sells",
      return_url: "https://shop.example/thanks",
    });
    expect(is_verified).toBe(true);
    expect(AccountProfile.parse((await ask("profile/")).json())).toMatchObject({
      name: BUSINESS.name,
      currency: "NPR",
      grace_days: 7,
      api_usage_type: "payment",
      return_url: "https://shop.example/thanks",
    });
    const made = await ask("keys/", {
      method: "POST",
      payload: { name: "Shop", scopes: ["read", "write"] },
    });
    const key = String(made.headers[ISSUED_KEY_HEADER]);
    const listed = await service.call(null, {
      url: "/api/v1/subscriptions/",
      headers: { authorization: `Bearer ${key}` },
    });
    expect([listed.statusCode, listed.json().count]).toEqual([200, 0]);
  });

  it("again with the same reference returns the same account with a new token, and keeps the account's name", async () => {
    const first = await openAccount(service, { ...BUSINESS, reference: "again" });
    const second = await openAccount(service, {
      ...BUSINESS,
      reference: "again",
      name: "Another name",
    });
    expect(second.account_id).toBe(first.account_id);
    expect((await first.ask("profile/")).statusCode).toBe(401);
    expect((await second.ask("profile/")).json()).toMatchObject({ name: BUSINESS.name });
  });

  it("with five concurrent requests opens one account, and only one of the five tokens works", async () => {
    const payload = { ...BUSINESS, reference: "at once" };
    const opened = await Promise.all(
      Array.from({ length: 5 }, () => openAccount(service, payload)),
    );
    expect(new Set(opened.map(({ account_id }) => account_id)).size).toBe(1);
    const answers = await Promise.all(opened.map(({ ask }) => ask("profile/")));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it("is possible for two businesses with the same name", async () => {
    const one = await openAccount(service, { ...BUSINESS, reference: "first of two" });
    const other = await openAccount(service, { ...BUSINESS, reference: "second of two" });
    expect(other.account_id).not.toBe(one.account_id);
  });

  it("is refused with a wrong token, and with an invalid value, whose field the error names", async () => {
    for (const token of ["", "x", `${TEST_ACCOUNTS_TOKEN}x`, TEST_ACCOUNTS_TOKEN.slice(1)])
      expect((await open(service, BUSINESS, token)).statusCode).toBe(401);
    for (const [field, value] of [
      ["reference", ""],
      ["name", "  "],
      ["name", "x".repeat(201)],
      ["time_zone", "Nepal/Pokhara"],
      ["currency", "rupees"],
      ["api_usage_type", null],
      ["return_url", "javascript:alert(1)"],
      ["more", 1],
    ] as const) {
      const answer = await open(service, { ...BUSINESS, [field]: value });
      expect([field, answer.statusCode, Object.keys(answer.json())]).toEqual([
        field,
        400,
        [field],
      ]);
    }
  });

  it("is refused, and not listed as a capability, if the service has no token for installations", async () => {
    const app = await buildApp({ ...service.context, accountsToken: undefined });
    const call = app.inject.bind(app);
    const answer = await call({
      method: "POST",
      url,
      payload: BUSINESS,
      headers: { authorization: `Bearer ${TEST_ACCOUNTS_TOKEN}` },
    });
    expect(answer.statusCode).toBe(401);
    const { capabilities } = AccountDirectory.parse(
      (await call({ url: "/account/v1/" })).json(),
    );
    expect(capabilities).not.toContain("accounts");
    await app.close();
  });
});

describe("in live mode", () => {
  const live = useTestService("live");
  it("an opened account waits for verification, and cannot create a key before the verification", async () => {
    const { ask, is_verified } = await openAccount(live, BUSINESS);
    expect(is_verified).toBe(false);
    expect((await ask("verification/")).json()).toMatchObject({ state: "not_verified" });
    const made = await ask("keys/", {
      method: "POST",
      payload: { name: "Shop", scopes: ["read"] },
    });
    expect(made.statusCode).toBe(403);
  });
});
