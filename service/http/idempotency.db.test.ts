import { describe, expect, it } from "vitest";
import { WEBHOOK_SECRET_HEADER } from "#contract/webhooks.ts";
import { testBuyer } from "../testing/service.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { deleteExpiredAnswers } from "./idempotency.ts";

const service = useTestService();
const CREATE = "/api/v1/subscriptions/";
const HOUR = 60 * 60 * 1000;

const order = (api: SellerApi, changes: object = {}) => ({
  pbp_id: api.periods.monthly,
  return_url: "https://shop.example/thanks",
  client: testBuyer(),
  ...changes,
});
const keyed = (api: SellerApi, url: string, payload: object, key = "one") =>
  api.post(url, payload, { "idempotency-key": key });

const stored = async (api: SellerApi) => {
  const { rowCount } = await service.pool.query(
    "select 1 from idempotency_key where seller_id = $1",
    [api.seller.seller_id],
  );
  return rowCount;
};

describe("Idempotency-Key", () => {
  it("Spec choice, repeated writes: a repeated request gets the status and body of the first answer", async () => {
    const api = await SellerApi.open(service);
    const first = await keyed(api, CREATE, order(api));
    await api.pay(first.json().subscription_id);
    const again = await keyed(api, CREATE, order(api));
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await api.list()).count).toBe(1);
  });

  it("a repeated answer locks its stored row, so that its commit waits for a synchronous replica", async () => {
    const api = await SellerApi.open(service);
    const lockedBy = async () => {
      const { rows } = await service.pool.query<{ xmax: string }>(
        "select xmax::text from idempotency_key where seller_id = $1",
        [api.seller.seller_id],
      );
      return rows[0]?.xmax;
    };
    await keyed(api, CREATE, order(api));
    expect(await lockedBy()).toBe("0");
    await keyed(api, CREATE, order(api));
    expect(await lockedBy()).not.toBe("0");
  });

  it("Spec choice, repeated writes: a key that is sent again with another body or URL gets 422", async () => {
    const api = await SellerApi.open(service);
    const first = await keyed(api, CREATE, order(api));
    const { subscription_id } = first.json();
    const answers = [
      await keyed(api, CREATE, order(api, { return_url: "https://shop.example/other" })),
      await keyed(api, `${CREATE}${subscription_id}/resume/`, {}),
    ];
    for (const answer of answers)
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([422, ["detail"]]);
  });

  it("Spec choice, repeated writes: twenty concurrent requests have one effect and get the same answer or 409", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const url = "/api/v1/subscriptions/update-billing-cycle/";
    const body = { subscription_id: id, next_billing_cycle: "2026-06-01" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => keyed(api, url, body)));
    const statuses = new Set(answers.map((answer) => answer.statusCode));
    expect(statuses.has(200)).toBe(true);
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true);
    const done = answers.filter(({ statusCode }) => statusCode === 200);
    expect(new Set(done.map(({ body }) => body)).size).toBe(1);
    const moves = (await api.events(id)).filter((event) => event.endsWith("(reschedule)"));
    expect(moves).toHaveLength(1);
    expect((await keyed(api, url, body)).statusCode).toBe(200);
  });

  it("Spec choice, repeated writes: a repeated request gets 409 while the first request is running", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const connection = await service.pool.connect();
    await connection.query("begin");
    await connection.query("select 1 from subscription where subscription_id = $1 for update", [
      id,
    ]);
    const running = keyed(api, `${CREATE}${id}/cancel/`, {});
    await expect
      .poll(async () => {
        const { rowCount } = await service.pool.query(
          `select 1 from pg_locks
            where locktype = 'advisory' and granted
              and database = (select oid from pg_database where datname = current_database())`,
        );
        return rowCount;
      })
      .toBe(1);
    const second = await keyed(api, `${CREATE}${id}/cancel/`, {});
    await connection.query("commit");
    connection.release();
    expect([second.statusCode, Object.keys(second.json())]).toEqual([409, ["detail"]]);
    expect((await running).statusCode).toBe(200);
  });

  it("Spec choice, repeated writes: two sellers may use the same key", async () => {
    const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
    const mine = await keyed(api, CREATE, order(api));
    const theirs = await keyed(other, CREATE, order(other));
    expect([mine.statusCode, theirs.statusCode]).toEqual([201, 201]);
    expect(mine.json().subscription_id).not.toBe(theirs.json().subscription_id);
  });

  it("Spec choice, repeated writes: a key can be used for a new request after 24 hours", async () => {
    const api = await SellerApi.open(service);
    const first = await keyed(api, CREATE, order(api));
    await api.pay(first.json().subscription_id);
    service.clock.advance(24 * HOUR - 1);
    expect((await keyed(api, CREATE, order(api))).statusCode).toBe(201);
    service.clock.advance(1);
    expect((await keyed(api, CREATE, order(api))).statusCode).toBe(400);
  });

  it("Spec choice, repeated writes: storing a new answer removes expired answers", async () => {
    const api = await SellerApi.open(service);
    for (const key of ["a", "b", "c"]) await keyed(api, CREATE, order(api), key);
    service.clock.advance(25 * HOUR);
    await keyed(api, CREATE, order(api), "d");
    expect(await stored(api)).toBe(1);
  });

  it("Spec choice, repeated writes: the cleanup removes expired answers", async () => {
    const api = await SellerApi.open(service);
    await keyed(api, CREATE, order(api));
    await deleteExpiredAnswers(service.pool, service.clock.now());
    expect(await stored(api)).toBe(1);
    service.clock.advance(24 * HOUR);
    expect(await deleteExpiredAnswers(service.pool, service.clock.now())).toBeGreaterThan(0);
    expect(await stored(api)).toBe(0);
  });

  it("Spec choice, repeated writes: a request with invalid fields stores no answer under the key", async () => {
    const api = await SellerApi.open(service);
    expect((await keyed(api, CREATE, { pbp_id: 1 })).statusCode).toBe(400);
    expect(await stored(api)).toBe(0);
    expect((await keyed(api, CREATE, order(api))).statusCode).toBe(201);
  });

  it("Spec choice, repeated writes: a repeated failed request gets the same error, and its changes are rolled back", async () => {
    const api = await SellerApi.open(service);
    await api.createActive();
    const body = order(api, { client: testBuyer({ full_name: "Somebody Else" }) });
    const first = await keyed(api, CREATE, body);
    const again = await keyed(api, CREATE, body);
    expect([first.statusCode, again.statusCode, again.body]).toEqual([400, 400, first.body]);
    const { rows } = await service.pool.query(
      "select full_name from customer where seller_id = $1",
      [api.seller.seller_id],
    );
    expect(rows).toEqual([{ full_name: "Asmita Rai" }]);
  });

  it.each(["cancel", "resume"])(
    "Spec choice, repeated writes: the operation %s supports the key",
    async (operation) => {
      const api = await SellerApi.open(service);
      const id = await api.createActive();
      const url = `${CREATE}${id}/${operation}/`;
      const first = await keyed(api, url, {});
      expect([first.statusCode, (await keyed(api, url, {})).body]).toEqual([200, first.body]);
    },
  );

  it("Spec choice, signatures: the repeated answer to a new webhook endpoint omits the signing secret", async () => {
    const api = await SellerApi.open(service);
    const body = { event: "checkout.failed", endpoint_url: "https://shop.example/hooks" };
    const first = await keyed(api, "/api/v1/webhooks/", body);
    const again = await keyed(api, "/api/v1/webhooks/", body);
    expect(first.headers).toHaveProperty(WEBHOOK_SECRET_HEADER);
    expect(again.headers).not.toHaveProperty(WEBHOOK_SECRET_HEADER);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
  });

  it.each([
    ["k".repeat(255), 201],
    ["k".repeat(256), 400],
    ["", 400],
  ])(
    "Spec choice, repeated writes: a key must have 1 to 255 characters",
    async (key, status) => {
      const api = await SellerApi.open(service);
      expect((await keyed(api, CREATE, order(api), key)).statusCode).toBe(status);
    },
  );

  it("Spec choice, repeated writes: without a key, an equal request reuses the pending subscription", async () => {
    const api = await SellerApi.open(service);
    const ids = [await api.create(), await api.create()].map((one) => one.subscription_id);
    expect(ids[0]).toBe(ids[1]);
    expect(await stored(api)).toBe(0);
  });
});
