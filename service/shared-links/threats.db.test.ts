import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { testCodeOf } from "../checkout/codes.ts";
import { queryRows, queryValue } from "../db/database.ts";
import { beginShared, wordsOf } from "../testing/buyer-browser.ts";
import { fetchCheckoutPage } from "../testing/checkout-forms.ts";
import { useTestService } from "../testing/use-service.ts";
import { deleteEndedOrders } from "./store.ts";

const service = useTestService();
const live = useTestService("live");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const begin = () => beginShared(service);

type Begun = Awaited<ReturnType<typeof begin>>;

/** The seller's customers and subscriptions. */
const recordsOf = ({ api: { seller } }: Begun) =>
  queryRows(
    service.pool,
    `select k.full_name, k.buyer_email, k.buyer_phone, k.address, s.full_name as sold_to, s.email,
       s.status, s.checkout_activity_at
     from customer k left join subscription s on s.customer_id = k.id
     where k.seller_id = $1 order by k.id, s.position`,
    [seller.seller_id],
  );

describe("a stranger who types a known buyer's phone number", () => {
  it("cannot learn that the phone number belongs to a buyer, or what the buyer has ordered", async () => {
    const begun = await begin();
    const { api, place, open, send, path, pbp_id } = begun;
    await api.createActive(pbp_id, { phone: "9811111111" });
    await api.create(api.periods.weekly, { phone: "9822222222" });
    const seen = [];
    for (const phone of ["9811111111", "9822222222", "9833333333"]) {
      const placed = await place({ phone, full_name: "Somebody" });
      const order = placed.query.get("order") ?? "";
      const page = await open(`?order=${order}`);
      const wrong = await send(`${path}/confirm`, { order, code: "000000" });
      const again = await send(`${path}/again`, { order });
      const words = page.words.replaceAll(/•+ ?\d+/g, "…").replaceAll(/\b\d{6}\b/g, "…");
      seen.push([placed.status, page.status, words, wrong.outcome, again.status]);
      for (const known of ["Asmita", "asmita@", "Patan"])
        expect(page.body).not.toContain(known);
    }
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  it("waits at least 299 ms for an answer, whether or not the phone number belongs to a buyer", async () => {
    const { api, place, pbp_id } = await begin();
    await api.create(pbp_id, { phone: "9811111111" });
    for (const phone of ["9811111111", "9822222222"]) {
      const start = performance.now();
      await place({ phone });
      expect(performance.now() - start).toBeGreaterThanOrEqual(299);
    }
  });

  it("cannot change the buyer's records or add a record without the code", async () => {
    const begun = await begin();
    const { api, place, send, path, pbp_id } = begun;
    await api.create(pbp_id, { phone: "9811111111" });
    const before = await recordsOf(begun);
    const placed = await place({ phone: "+977 981-111-1111", full_name: "Thief" });
    const order = placed.query.get("order") ?? "";
    for (let tries = 0; tries < 6; tries += 1)
      await send(`${path}/confirm`, { order, code: "000000" });
    expect(await recordsOf(begun)).toEqual(before);
    expect((await api.list()).count).toBe(1);
    const late = await send(`${path}/confirm`, { order, code: testCodeOf(order) });
    expect([late.outcome, late.cookie]).toEqual(["expired", ""]);
  });

  it("can have codes sent in live mode only to the phone number, not to an email address", async () => {
    const begun = await beginShared(live, "live");
    const { api, open, place, list } = begun;
    const { seller_id } = api.seller;
    expect((await list()).problem).toBe("no_payment");
    expect((await open()).words).toContain("No payments can be taken here");
    await live.pool.query("update seller set pay_otherwise = 'Cash' where seller_id = $1", [
      seller_id,
    ]);
    const channel = `insert into message_channel (seller_id, channel, provider, sealed_settings,
      per_minute, created_at) values ($1, $2, $3, '', 60, now())`;
    await live.pool.query(channel, [seller_id, "email", "smtp"]);
    expect((await list()).problem).toBe("no_codes");
    expect(await open()).toMatchObject({ status: 410 });
    await live.pool.query(channel, [seller_id, "sms", "http_sms"]);
    const page = await open(`?order=${(await place()).query.get("order")}`);
    expect(page.body).not.toContain('class="sandbox"');
    const queued = await queryRows(
      live.pool,
      "select phone, email, kind, subscription_id from message where seller_id = $1",
      [seller_id],
    );
    expect(queued).toEqual([
      { phone: "9800000001", email: "", kind: "code", subscription_id: null },
    ]);
  });
});

describe("an attacker at a shared link", () => {
  it("cannot open another link's order, or an order that does not exist", async () => {
    const [own, other] = [await begin(), await begin()];
    const order = (await own.place()).query.get("order") ?? "";
    const there = await other.send(`${other.path}/confirm`, {
      order,
      code: testCodeOf(order),
    });
    expect([there.outcome, there.cookie]).toEqual(["expired", ""]);
    expect((await other.open(`?order=${order}`)).words).toContain("no longer valid");
    const again = await other.send(`${other.path}/again`, { order });
    expect(again.outcome).toBe("expired");
    for (const id of [randomUUID(), "", "x", "../etc", "' or 1=1"]) {
      const end = await own.send(`${own.path}/confirm`, { order: id, code: "000000" });
      expect(end.outcome).toBe("expired");
    }
  });

  it("cannot pay without a code by using a forged cookie or another subscription's cookie", async () => {
    const { api, order, send } = await begin();
    const { cookie } = await order();
    const other = await api.create(api.periods.weekly, { phone: "9811111111" });
    for (const forged of [cookie, "duebook.proven=x", "duebook.proven=", "duebook.proven"]) {
      const page = await fetchCheckoutPage(service, `/pay/${other.subscription_id}`, forged);
      expect(page.body).not.toContain("no other code is needed");
      const paid = await send(
        `/pay/${other.subscription_id}/code`,
        { method: "wallet", total: "113.00", page: randomUUID() },
        { cookie: forged },
      );
      expect(paid.path).not.toContain("sandbox-pay");
      service.clock.advance(MINUTE);
    }
  });

  it("gets no cookie for a confirmed order's code after five wrong codes", async () => {
    const { order, confirm, send, path } = await begin();
    const { id } = await order();
    for (let tries = 0; tries < 5; tries += 1)
      await send(`${path}/confirm`, { order: id, code: "000000" });
    expect(await confirm(id)).toMatchObject({ outcome: "expired", cookie: "" });
  });

  it("cannot pay without a code by using a cookie that is an hour old", async () => {
    const { order } = await begin();
    const { cookie, subscription_id } = await order();
    const open = () => fetchCheckoutPage(service, `/pay/${subscription_id}`, cookie);
    expect((await open()).body).toContain("no other code is needed");
    service.clock.advance(HOUR);
    expect((await open()).body).not.toContain("no other code is needed");
    const later = cookie.replace(/=\d+/, "$&0");
    const page = await fetchCheckoutPage(service, `/pay/${subscription_id}`, later);
    expect(page.body).not.toContain("no other code is needed");
  });

  it("who sends malformed form data causes no server error, and no order is stored", async () => {
    const { api, path, network } = await begin();
    const type = "application/x-www-form-urlencoded";
    const texts = ["\0", "ए".repeat(3_000), "<script>", "\u202e", "null", "a\nb", "%", " "];
    const bodies = [
      "",
      "full_name[]=a&full_name[]=b",
      "__proto__[x]=1&constructor=1",
      ...texts.map((text) =>
        new URLSearchParams({ full_name: text, phone: text, email: text }).toString(),
      ),
      "full_name=" + "a".repeat(40_000),
    ];
    for (const url of [path, `${path}/again`, `${path}/confirm`, "/buy/%00", "/buy/__proto__"])
      for (const payload of bodies) {
        const answer = await service.call(null, {
          method: "POST",
          url,
          payload,
          remoteAddress: network,
          headers: { "content-type": type },
        });
        expect([303, 400, 404, 413]).toContain(answer.statusCode);
        expect(answer.body).not.toContain("<script>");
      }
    for (const content of ["application/json", "text/plain"]) {
      const headers = { "content-type": content };
      const request = { method: "POST", url: path, payload: "{}", headers } as const;
      const { statusCode } = await service.call(null, { ...request, remoteAddress: network });
      expect([400, 415]).toContain(statusCode);
    }
    expect((await api.list()).count).toBe(0);
    expect(
      await queryValue(
        service.pool,
        "select count(*)::int from shared_link_order where seller_id = $1",
        [api.seller.seller_id],
      ),
    ).toBe(0);
  });

  it("cannot send the form from another site, or show the page in a frame", async () => {
    const { place, path } = await begin();
    expect((await place({}, { origin: "https://evil.example" })).status).toBe(403);
    expect((await place({}, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const { headers } = await service.call(null, { url: path });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("form-action 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("script-src");
    expect(headers["cache-control"]).toBe("no-store");
  });
});

describe("a flood of orders at a shared link", () => {
  /** Inserts orders that were placed a minute ago. */
  const fill = ({ api: { seller }, pbp_id }: Begun, count: number) =>
    service.pool.query(
      `insert into shared_link_order (order_id, seller_id, shared_link_id, phone_key, full_name,
         phone, email, address, code_hash, created_at, expires_at)
       select gen_random_uuid(), $1, h.shared_link_id, 'k' || n, 'A', 'p', 'e', 'a', '', $3, $3
       from shared_link h, generate_series(1, $4) n where h.pbp_id = $2`,
      [seller.seller_id, pbp_id, new Date(service.clock.now().getTime() - MINUTE), count],
    );

  it("gets at most 200 codes an hour per link and 300 per seller, even by concurrent requests", async () => {
    const begun = await begin();
    const { place, api, change } = begun;
    await fill(begun, 199);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => place({ phone: `980000010${index}` })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const weekly = { ...begun, pbp_id: api.periods.weekly };
    await change({ pbp_id: weekly.pbp_id, change: "open" });
    await fill(weekly, 100);
    expect((await place({ phone: "9800000200" })).status).toBe(400);
  });

  it("from one network is refused after too many attempts, and accepted again two minutes later", async () => {
    const { place } = await begin();
    const tries = Array.from({ length: 35 }, () => place({ phone: "x" }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect((await place()).status).toBe(400);
    service.clock.advance(2 * MINUTE);
    expect((await place()).status).toBe(303);
  });

  it("leaves no subscriptions, only masked phone numbers in messages, and no unconfirmed orders after clean-up", async () => {
    const begun = await begin();
    const { api, place, order, owner } = begun;
    await service.pool.query(
      `insert into message_channel (seller_id, channel, provider, sealed_settings, per_minute,
         created_at) values ($1, 'sms', 'http_sms', '', 60, now())`,
      [api.seller.seller_id],
    );
    for (const phone of ["9800000301", "9800000302"]) await place({ phone });
    const sent = await service.call(owner, { url: "/account/v1/messages/" });
    const { results } = sent.json<{ results: { to: string }[] }>();
    expect(results.map(({ to }) => to).toSorted()).toEqual(["•••• 301", "•••• 302"]);
    await order({ phone: "9800000303" });
    expect((await api.list()).count).toBe(1);
    const before = new Date(service.clock.now().getTime() + HOUR);
    while ((await deleteEndedOrders(service.pool, before, 1)) > 0);
    const left = await queryRows<{ phone: string; state: string }>(
      service.pool,
      "select phone, state from shared_link_order where seller_id = $1",
      [api.seller.seller_id],
    );
    expect(left).toEqual([{ phone: "", state: "done" }]);
    const told = await queryRows<{ phone: string }>(
      service.pool,
      "select phone from message where seller_id = $1 order by phone",
      [api.seller.seller_id],
    );
    expect(told.map(({ phone }) => phone).toSorted()).toEqual([
      "9800000303",
      "•••• 301",
      "•••• 302",
    ]);
  });
});

it("the key of a shared link has 24 hexadecimal digits, and a key with one other digit answers 404", async () => {
  const keys = [await begin(), await begin()].map(({ path }) => path);
  expect(new Set(keys).size).toBe(2);
  for (const key of keys) expect(key).toMatch(/^\/buy\/[0-9a-f]{24}$/);
  const [first = ""] = keys;
  const near = `${first.slice(0, -1)}${first.endsWith("0") ? "1" : "0"}`;
  const missing = await service.call(null, { url: near });
  expect(missing.statusCode).toBe(404);
  expect(wordsOf(missing.body)).not.toContain("Milk");
  expect((await service.call(null, { url: first.toUpperCase() })).statusCode).toBe(404);
  const slash = await service.call(null, { url: `${first}/` });
  expect([slash.statusCode, slash.headers.location]).toEqual([301, first]);
});
