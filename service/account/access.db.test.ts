import { describe, expect, it } from "vitest";
import { GeneralError } from "#contract/errors.ts";
import { KEY_SCOPES, type KeyScope } from "#contract/names.ts";
import { Verification } from "#contract/verification.ts";
import { buildApp } from "../app.ts";
import { ACCOUNT_ACCESS } from "../http/access.ts";
import { routesOf } from "../http/route-doc.ts";
import { issueKey, revokeKey, type NewKey } from "../sellers/key-store.ts";
import { readKey } from "../sellers/key.ts";
import { withAccountToken, type TestRequest, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

const issue = (seller: TestSeller, key: Partial<NewKey>) =>
  issueKey(service.pool, {
    seller_id: seller.seller_id,
    mode: "test",
    created_at: service.clock.now(),
    ...key,
  });
const issueToken = async (seller: TestSeller) => (await withAccountToken(service, seller)).key;

async function issueRevoked(seller: TestSeller, key: Partial<NewKey>) {
  const text = await issue(seller, key);
  await revokeKey(service.pool, readKey(text)?.prefix ?? "");
  return text;
}

/** Every kind of credential of a seller, by name. */
async function credentialsOf(seller: TestSeller): Promise<Record<string, string | null>> {
  const expires_at = service.clock.now();
  const scoped = KEY_SCOPES.map(
    async (scope) => [scope, await issue(seller, { scopes: [scope] })] as const,
  );
  const token = await issueToken(seller);
  return {
    none: null,
    malformed: "dba_test_none",
    "unknown token": token.replace(/_[0-9a-z]{12}_/, "_000000000000_"),
    "wrong secret": `${token.slice(0, -4)}AAA${token.endsWith("A") ? "E" : "A"}`,
    "token as a key": token.replace("dba_", "dbk_"),
    "key as a token": (await issue(seller, { scopes: KEY_SCOPES })).replace("dbk_", "dba_"),
    "live token": await issue(seller, { kind: "account_token", mode: "live" }),
    "live key": await issue(seller, { mode: "live" }),
    "revoked token": await issueRevoked(seller, { kind: "account_token" }),
    "revoked key": await issueRevoked(seller, { scopes: KEY_SCOPES }),
    "expired token": await issue(seller, { kind: "account_token", expires_at }),
    "expired key": await issue(seller, { scopes: KEY_SCOPES, expires_at }),
    ...Object.fromEntries(await Promise.all(scoped)),
    token,
  };
}
const isUsable = (kind: string) => ["token", ...KEY_SCOPES].includes(kind);

const ask = (credential: string | null, request: TestRequest) =>
  service.call(null, {
    ...request,
    headers: {
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
      ...request.headers,
    },
  });

const guardedRoutes = () =>
  routesOf(service.app).filter(({ access, method }) => access !== null && method !== "HEAD");

/** A request without a body and with the id of no record: past the guard it changes nothing. */
const harmless = ({ method, url }: { method: string; url: string }): TestRequest => ({
  method: method as "GET",
  url: url.replace(/:\w+/g, "999999"),
});

describe("access to the API", () => {
  const OPENED_BY: Record<string, (KeyScope | "token")[]> = {
    "POST accounts/": [],
    "GET profile/": ["read", "token"],
    "PATCH profile/": ["account", "token"],
    "GET verification/": ["read", "token"],
    "PATCH verification/": ["account", "token"],
    "POST verification/documents/": ["account", "token"],
    "POST verification/documents/:id/remove/": ["account", "token"],
    "POST verification/submit/": ["account", "token"],
    "GET keys/": ["token"],
    "POST keys/": ["token"],
    "PATCH keys/:id/": ["token"],
    "POST keys/:id/roll/": ["token"],
    "POST keys/:id/revoke/": ["token"],
    "GET products/": ["read", "token"],
    "POST products/": ["account", "token"],
    "GET products/:id/": ["read", "token"],
    "PATCH products/:id/": ["account", "token"],
    "POST images/": ["account", "token"],
    "GET products/:id/subscribers/": ["read", "token"],
    "GET moves/preview/": ["read", "token"],
    "POST moves/": ["account", "token"],
    "POST moves/:id/undo/": ["account", "token"],
    "GET deliveries/": ["read", "token"],
    "GET deliveries/:id/": ["read", "token"],
    "POST deliveries/:id/resend/": ["write", "token"],
    "POST deliveries/recover/": ["write", "token"],
    "GET webhooks/notices/": ["read", "token"],
    "POST webhooks/:id/example/": ["write", "token"],
    "POST webhooks/:id/rotate-secret/": ["write", "token"],
    "GET payments/": ["read", "token"],
    "POST subscriptions/": ["account", "token"],
    "POST subscriptions/:id/withdraw/": ["write", "token"],
    "GET subscriptions/:id/payments/": ["read", "token"],
    "POST subscriptions/:id/payments/": ["account", "token"],
    "GET subscriptions/:id/corrections/": ["read", "token"],
    "GET recorded-payments/": ["read", "token"],
    "GET recorded-payments/:id/photo/": ["account", "token"],
    "POST recorded-payments/:id/approve/": ["account", "token"],
    "POST recorded-payments/:id/decline/": ["account", "token"],
    "POST recorded-payments/:id/reverse/": ["account", "token"],
    "POST payments/:id/refunds/": ["account", "token"],
    "GET products/:id/shared-links/": ["read", "token"],
    "POST products/:id/shared-links/": ["account", "token"],
    "GET buyer-requests/": ["read", "token"],
    "POST buyer-requests/:id/answer/": ["write", "token"],
    "GET payment-tasks/": ["read", "token"],
    "POST payment-tasks/:id/decide/": ["account", "token"],
    "GET refunds/": ["read", "token"],
    "POST refunds/:id/confirm/": ["account", "token"],
    "POST refunds/:id/refuse/": ["account", "token"],
    "POST refunds/:id/retry/": ["account", "token"],
    "POST refunds/:id/by-hand/": ["account", "token"],
    "GET changes/": ["read", "token"],
    "GET subscription-changes/": ["read", "token"],
    "GET balances/": ["read", "token"],
    "GET statements/:month/": ["read", "token"],
    "GET statements/:month/pdf/": ["read", "token"],
    "GET payment-accounts/": ["read", "token"],
    "GET bills/": ["read", "token"],
    "GET bills/settings/": ["read", "token"],
    "PATCH bills/settings/": ["account", "token"],
    "GET bills/:id/pdf/": ["read", "token"],
    "POST bills/:id/send/": ["write", "token"],
    "POST payment-accounts/order/": ["account", "token"],
    "POST payment-accounts/:provider/": ["account", "token"],
    "POST payment-accounts/:provider/remove/": ["account", "token"],
    "POST payment-accounts/:provider/check/": ["account", "token"],
    "POST payment-accounts/:provider/compare/": ["account", "token"],
    "POST payment-accounts/:provider/statement/": ["account", "token"],
    "GET channels/": ["read", "token"],
    "POST channels/:channel/": ["account", "token"],
    "POST channels/:channel/remove/": ["account", "token"],
    "POST channels/:channel/check/": ["account", "token"],
    "POST channels/:channel/test/": ["account", "token"],
    "GET messages/": ["read", "token"],
    "POST messages/": ["write", "token"],
    "GET reminders/schedule/": ["read", "token"],
    "PATCH reminders/schedule/": ["account", "token"],
    "POST reminders/preview/": ["read", "token"],
    "GET reminders/planned/": ["read", "token"],
    "POST reminders/send/": ["write", "token"],
    "GET reminders/results/": ["read", "token"],
    "GET reminders/holds/": ["read", "token"],
    "GET reminders/languages/": ["read", "token"],
    "POST reminders/languages/": ["write", "token"],
    "POST reminders/holds/": ["write", "token"],
    "POST reminders/holds/:id/remove/": ["write", "token"],
    "GET reminders/opt-outs/": ["read", "token"],
    "POST reminders/opt-outs/": ["write", "token"],
    "POST reminders/opt-outs/find/": ["read", "token"],
    "POST reminders/opt-outs/:id/remove/": ["write", "token"],
  };

  it("is defined for each route of the account API", () => {
    const rows = Object.keys(ACCOUNT_ACCESS).toSorted();
    const routes = guardedRoutes()
      .map(({ method, url }) => `${method} ${url}`)
      .filter((route) => route.includes("/account/v1/"));
    expect(routes.toSorted()).toEqual(rows);
    expect(rows.map((row) => row.replace("/account/v1/", ""))).toEqual(
      Object.keys(OPENED_BY).toSorted(),
    );
  });

  it("is given to exactly the expected credentials at each tested route (all but the sandbox's resets and clock/next)", async () => {
    const seller = await service.createSeller();
    const credentials = await credentialsOf(seller);
    const opens: Record<string, string[]> = {};
    const refusals = { 401: 0, 403: 0 };
    for (const route of guardedRoutes()) {
      if (route.url === "/sandbox/reset/" || /clock\/(next|reset)/.test(route.url)) continue;
      const name = `${route.method} ${route.url}`;
      opens[name] = [];
      for (const [kind, credential] of Object.entries(credentials)) {
        const answer = await ask(credential, harmless(route));
        const { statusCode } = answer;
        if (statusCode !== 401 && statusCode !== 403) {
          opens[name].push(kind);
          continue;
        }
        refusals[statusCode] += 1;
        const isOut =
          typeof route.access?.sharedToken === "string" ||
          (kind === "token" && !route.url.startsWith("/account/"));
        const expected = !isUsable(kind) || isOut ? 401 : 403;
        expect([name, kind, statusCode]).toEqual([name, kind, expected]);
        GeneralError.parse(answer.json());
        expect(answer.headers["www-authenticate"]).toMatch(
          statusCode === 401 ? /^Bearer$/ : /^Bearer error="insufficient_scope"/,
        );
        if (credential !== null) expect(answer.body).not.toContain(credential.slice(-20));
      }
    }
    const expected = Object.fromEntries(
      Object.keys(opens).map((name) => [
        name,
        (name.includes(" /operator/") ? [] : OPENED_BY[name.replace("/account/v1/", "")]) ??
          (name.startsWith("GET ") ? ["read"] : ["write"]),
      ]),
    );
    expect(opens).toEqual(expected);
    expect(refusals[401]).toBeGreaterThan(12 * Object.keys(opens).length);
    expect(refusals[403]).toBeGreaterThan(Object.keys(opens).length);
  });

  it("is refused with the name of the missing scope before the request's body is read", async () => {
    const seller = await service.createSeller();
    const answer = await ask(await issue(seller, { scopes: ["read"] }), {
      method: "POST",
      url: "/api/v1/subscriptions/",
      payload: "{",
      headers: { "content-type": "application/json" },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({
      detail: "This API key lacks the scope write; it has read. Nothing was changed.",
    });
    expect(answer.headers["www-authenticate"]).toBe(
      'Bearer error="insufficient_scope", scope="write"',
    );
  });

  it("without a credential gets a 401, even at URLs where a valid credential gets a 404, 301 or 405", async () => {
    for (const url of ["/account/v1/nothing/", "/account/v1/keys", "/account/v1/keys/1/"])
      for (const method of ["GET", "POST", "DELETE"] as const)
        expect((await ask(null, { method, url })).statusCode).toBe(401);
    const token = await issueToken(await service.createSeller());
    const status = async (method: "GET" | "DELETE", url: string) =>
      (await ask(token, { method, url })).statusCode;
    expect(await status("GET", "/account/v1/nothing/")).toBe(404);
    expect(await status("GET", "/account/v1/keys")).toBe(301);
    expect(await status("DELETE", "/account/v1/keys/")).toBe(405);
  });
});

describe("the limits of the API", () => {
  it("apply to the account API per credential, and per network for wrong credentials", async () => {
    const app = await buildApp(service.context, { limits: { perKey: 3, failedKeys: 2 } });
    const seller = await service.createSeller();
    const statuses = async (credential: string, times: number) => {
      const found = [];
      for (let time = 0; time < times; time += 1) {
        const headers = { authorization: `Bearer ${credential}` };
        const answer = await app.inject({ url: "/account/v1/profile/", headers });
        if (answer.statusCode === 429) expect(answer.headers["retry-after"]).toBeDefined();
        found.push(answer.statusCode);
      }
      return found;
    };
    const token = await issueToken(seller);
    expect(await statuses(token, 4)).toEqual([200, 200, 200, 429]);
    expect(await statuses(seller.key, 1)).toEqual([200]);
    expect(await statuses(`${token.slice(0, -4)}AAAA`, 3)).toEqual([401, 401, 429]);
    expect(await statuses(seller.key, 1)).toEqual([200]);
    await app.close();
  });
});

describe("an account that is not verified", () => {
  it("can only use its profile and verification, list products and keys, and revoke keys in the account API", async () => {
    const seller = await service.createSeller({ kyc_verified: false });
    const token = await issueToken(seller);
    const open = [];
    for (const route of guardedRoutes()) {
      if (!route.url.startsWith("/account/")) continue;
      const answer = await ask(token, harmless(route));
      if ([401, 403].includes(answer.statusCode)) GeneralError.parse(answer.json());
      else open.push(`${route.method} ${route.url.replace("/account/v1/", "")}`);
    }
    expect(open.toSorted()).toEqual([
      "GET keys/",
      "GET products/",
      "GET products/:id/",
      "GET profile/",
      "GET verification/",
      "PATCH profile/",
      "PATCH verification/",
      "POST keys/:id/revoke/",
      "POST verification/documents/",
      "POST verification/documents/:id/remove/",
      "POST verification/submit/",
    ]);
    expect((await ask(token, { url: "/account/v1/nothing/" })).statusCode).toBe(403);
    const answer = await ask(token, { url: "/account/v1/verification/" });
    expect(Verification.parse(answer.json())).toMatchObject({ state: "not_verified" });
  });
});
