import { describe, expect, it } from "vitest";
import { AccountKey, AccountKeyPage, ISSUED_KEY_HEADER } from "#contract/account.ts";
import { withAccountToken, type TestRequest, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const HOUR = 60 * 60 * 1_000;
const service = useTestService();

class Account {
  readonly seller: TestSeller;
  private constructor(seller: TestSeller) {
    this.seller = seller;
  }
  static async open() {
    return new Account(await withAccountToken(service, await service.createSeller()));
  }
  call(request: TestRequest) {
    return service.call(this.seller, request);
  }
  post(url: string, payload?: object) {
    return this.call({
      method: "POST",
      url: `/account/v1/${url}`,
      ...(payload && { payload }),
    });
  }
  /** Makes a key. @returns its record and its text */
  async make(changes: object = {}) {
    const answer = await this.post("keys/", { name: "Shop", scopes: ["read"], ...changes });
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return shown(answer);
  }
  async roll(id: number, overlap_hours: number) {
    return shown(await this.post(`keys/${id}/roll/`, { overlap_hours }));
  }
  async list() {
    const answer = await this.call({ url: "/account/v1/keys/" });
    return AccountKeyPage.parse(answer.json()).results;
  }
}

function shown(answer: {
  headers: Record<string, unknown>;
  json: () => unknown;
  body: string;
}) {
  const text = String(answer.headers[ISSUED_KEY_HEADER]);
  expect(answer.body).not.toContain(text.slice(-43));
  return { key: AccountKey.parse(answer.json()), text };
}

const statusOf = async (text: string, url = "/api/v1/customers/") =>
  (await service.app.inject({ url, headers: { authorization: `Bearer ${text}` } })).statusCode;

describe("API keys of an account", () => {
  it("are created with a name and scopes, and listed without their secrets", async () => {
    const account = await Account.open();
    const { key, text } = await account.make({ name: "Web shop", scopes: ["write", "read"] });
    expect(text).toMatch(/^dbk_test_[0-9a-z]{12}_[\w-]{43}$/);
    expect(key).toMatchObject({
      kind: "api_key",
      mode: "test",
      name: "Web shop",
      scopes: ["read", "write"],
      state: "active",
      last_four: text.slice(-4),
      last_used_at: null,
    });
    expect(await statusOf(text)).toBe(200);
    const [listed] = await account.list();
    expect(listed).toEqual({
      ...key,
      last_used_at: service.clock.now().toISOString(),
      last_used_address: "127.0.0.1",
    });
    const { rows } = await service.pool.query("select * from api_key where key_id = $1", [
      key.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(text.slice(-43));
  });

  it("have the time of their last use updated at most once a minute", async () => {
    const account = await Account.open();
    const { text } = await account.make();
    const lastUse = async () => (await account.list())[0]?.last_used_at;
    await statusOf(text);
    const first = await lastUse();
    service.clock.advance(59_000);
    await statusOf(text);
    expect(await lastUse()).toBe(first);
    service.clock.advance(1_000);
    await statusOf(text);
    expect(await lastUse()).toBe(service.clock.now().toISOString());
  });

  it("lose a removed scope at the next request", async () => {
    const account = await Account.open();
    const { key, text } = await account.make({ scopes: ["read", "write"] });
    expect(await statusOf(text)).toBe(200);
    const url = `/account/v1/keys/${key.id}/`;
    const changed = await account.call({
      method: "PATCH",
      url,
      payload: { scopes: ["write"], name: "Till" },
    });
    expect(AccountKey.parse(changed.json())).toMatchObject({ scopes: ["write"], name: "Till" });
    expect(await statusOf(text)).toBe(403);
  });

  it("stop working at their expiry time, unless the expiry was removed", async () => {
    const account = await Account.open();
    const at = (hours: number) => new Date(+service.clock.now() + hours * HOUR).toISOString();
    const { key, text } = await account.make({ expires_at: at(2) });
    service.clock.advance(2 * HOUR - 1);
    expect(await statusOf(text)).toBe(200);
    service.clock.advance(1);
    expect(await statusOf(text)).toBe(401);
    expect((await account.list()).find(({ id }) => id === key.id)?.state).toBe("expired");
    const other = await account.make({ expires_at: at(2) });
    await account.call({
      method: "PATCH",
      url: `/account/v1/keys/${other.key.id}/`,
      payload: { expires_at: null },
    });
    service.clock.advance(3 * HOUR);
    expect(await statusOf(other.text)).toBe(200);
  });

  it("can be replaced with an overlap of two hours, after which the old key stops working", async () => {
    const account = await Account.open();
    const old = await account.make({ name: "Shop", scopes: ["read", "account"] });
    const fresh = await account.roll(old.key.id, 2);
    expect(fresh.key).toMatchObject({ name: "Shop", scopes: ["read", "account"] });
    expect(fresh.text).not.toBe(old.text);
    service.clock.advance(2 * HOUR - 1);
    expect([await statusOf(old.text), await statusOf(fresh.text)]).toEqual([200, 200]);
    service.clock.advance(1);
    expect([await statusOf(old.text), await statusOf(fresh.text)]).toEqual([401, 200]);
  });

  it("can be replaced without an overlap, which revokes the old key at once", async () => {
    const account = await Account.open();
    const old = await account.make();
    const fresh = await account.roll(old.key.id, 0);
    expect([await statusOf(old.text), await statusOf(fresh.text)]).toEqual([401, 200]);
    expect((await account.list()).map(({ id, state }) => [id, state])).toEqual(
      expect.arrayContaining([
        [old.key.id, "revoked"],
        [fresh.key.id, "active"],
      ]),
    );
    const again = await account.post(`keys/${old.key.id}/roll/`, { overlap_hours: 0 });
    expect([again.statusCode, again.json()]).toEqual([
      400,
      { detail: "This key is revoked. Make a new one instead." },
    ]);
  });

  it("keep their expiry when they are replaced, and the old key works no longer than until that expiry", async () => {
    const account = await Account.open();
    const at = (hours: number) => new Date(+service.clock.now() + hours * HOUR).toISOString();
    const old = await account.make({ expires_at: at(10) });
    service.clock.advance(9 * HOUR);
    const fresh = await account.roll(old.key.id, 24);
    expect(fresh.key.expires_at).toBe(at(10));
    service.clock.advance(HOUR);
    expect(await statusOf(old.text)).toBe(401);
  });

  it("stop working when they are revoked, and the account token can be replaced without an overlap", async () => {
    const account = await Account.open();
    const { key, text } = await account.make();
    await account.post(`keys/${key.id}/revoke/`);
    expect(await statusOf(text)).toBe(401);
    const own = (await account.list()).find(({ kind }) => kind === "account_token");
    const rolled = await account.roll(own?.id ?? 0, 0);
    expect(rolled.text).toMatch(/^dba_test_/);
    const url = "/account/v1/keys/";
    expect(await statusOf(account.seller.key, url)).toBe(401);
    expect(await statusOf(rolled.text, url)).toBe(200);
  });

  it("are returned without the secret when a request is repeated with the same Idempotency-Key", async () => {
    const account = await Account.open();
    const request = {
      method: "POST" as const,
      url: "/account/v1/keys/",
      headers: { "idempotency-key": "one" },
      payload: { name: "Shop", scopes: ["read"] },
    };
    const first = await account.call(request);
    const again = await account.call(request);
    expect(again.json()).toEqual(first.json());
    expect(first.headers[ISSUED_KEY_HEADER]).toBeDefined();
    expect(again.headers[ISSUED_KEY_HEADER]).toBeUndefined();
    expect(await account.list()).toHaveLength(3);
  });

  it("of another seller get a 404 and cannot be changed", async () => {
    const [account, other] = [await Account.open(), await Account.open()];
    const { key, text } = await other.make();
    for (const path of ["roll/", "revoke/"])
      expect(
        (await account.post(`keys/${key.id}/${path}`, { overlap_hours: 0 })).statusCode,
      ).toBe(404);
    const patch = { method: "PATCH" as const, url: `/account/v1/keys/${key.id}/` };
    expect((await account.call({ ...patch, payload: { name: "Mine" } })).statusCode).toBe(404);
    expect((await account.list()).map(({ id }) => id)).not.toContain(key.id);
    expect(await statusOf(text)).toBe(200);
  });

  it("with an invalid name, scope, expiry or overlap are refused with the name of the field", async () => {
    const account = await Account.open();
    for (const [field, value] of [
      ["name", ""],
      ["name", "x".repeat(101)],
      ["scopes", []],
      ["scopes", ["all"]],
      ["scopes", "read"],
      ["expires_at", "2020-01-01T00:00:00Z"],
      ["expires_at", "tomorrow"],
    ] as const) {
      const answer = await account.post("keys/", {
        name: "Shop",
        scopes: ["read"],
        [field]: value,
      });
      expect([field, value, answer.statusCode]).toEqual([field, value, 400]);
      expect(Object.keys(answer.json())).toEqual([field]);
    }
    for (const overlap_hours of [-1, 0.5, 721, "1", null]) {
      const answer = await account.post("keys/1/roll/", { overlap_hours });
      expect(Object.keys(answer.json())).toEqual(["overlap_hours"]);
    }
  });

  it("are limited to a hundred, and at the limit a key can still be replaced", async () => {
    const account = await Account.open();
    await service.pool.query(
      `insert into api_key (seller_id, mode, prefix, secret_hash, last_four, created_at)
       select $1::bigint, 'test', 'many' || $1::bigint || '-' || n, sha256('x'), 'xxxx', now()
       from generate_series(1, 97) n`,
      [account.seller.seller_id],
    );
    const last = await account.make();
    const over = await account.post("keys/", { name: "Shop", scopes: ["read"] });
    expect([over.statusCode, over.json()]).toEqual([
      400,
      { detail: "An account can have 100 keys. Revoke one first." },
    ]);
    expect((await account.roll(last.key.id, 0)).key.state).toBe("active");
  });
});

describe("in live mode", () => {
  const live = useTestService("live");
  it("a verified account can create live keys, and an unverified account cannot", async () => {
    const make = async (kyc_verified: boolean) => {
      const seller = await live.createSeller({ kyc_verified });
      return live.call(await withAccountToken(live, seller, "live"), {
        method: "POST",
        url: "/account/v1/keys/",
        payload: { name: "Shop", scopes: ["read"] },
      });
    };
    const made = await make(true);
    expect(made.headers[ISSUED_KEY_HEADER]).toMatch(/^dbk_live_/);
    expect(AccountKey.parse(made.json())).toMatchObject({ mode: "live" });
    expect((await make(false)).statusCode).toBe(403);
  });
});
