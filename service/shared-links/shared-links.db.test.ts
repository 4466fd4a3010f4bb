import { describe, expect, it } from "vitest";
import { SharedLink } from "#contract/products.ts";
import { transaction } from "../db/database.ts";
import { changePrice } from "../products/price.ts";
import { beginShared } from "../testing/buyer-browser.ts";
import {
  choosePaymentOutcome,
  fetchCheckoutPage,
  notifyOfPayment,
  postForm,
} from "../testing/checkout-forms.ts";
import { buildDescribedService, createDescribedCaller } from "../testing/described.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { CorrectionList } from "#contract/customers.ts";
import { untilBlocked } from "#tools/testing/database.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const MINUTE = 60_000;
const begin = () => beginShared(service);

describe("a buyer at a shared link", () => {
  it("places an order with one code, pays without a second code, and can open the receipt", async () => {
    const { api, owner, order, open, list } = await begin();
    const page = await open();
    expect(page.words).toContain("Milk");
    expect(page.words).toContain("NPR 1,130.00");
    expect(page.body).not.toContain("<script");
    const { subscription_id: id, cookie } = await order();
    expect(await api.read(id)).toMatchObject({
      status: "pending_checkout",
      client: { full_name: "Asmita Rai", phone: "9800000001", address: "Patan, Lalitpur" },
    });
    const newest = { subscription_id: id, full_name: "Asmita Rai" };
    expect((await list()).results).toMatchObject([
      { subscriptions: 1, paid: 0, newest: [{ ...newest, is_paid: false }] },
    ]);
    const checkout = await fetchCheckoutPage(service, `/pay/${id}`, cookie);
    expect(checkout.body).toContain("no other code is needed");
    const paid = await postForm(
      service,
      `/pay/${id}/code`,
      { method: "wallet", total: "1130.00" },
      { cookie },
    );
    const [, reference = ""] = /^\/sandbox-pay\/(.+)/.exec(paid.path) ?? [];
    await choosePaymentOutcome(service, reference, "approve");
    for (let notices = 0; notices < 2; notices += 1) await notifyOfPayment(service, reference);
    expect((await api.read(id)).status).toBe("active");
    expect((await list()).results).toMatchObject([
      { subscriptions: 1, paid: 1, newest: [{ ...newest, is_paid: true }] },
    ]);
    const { rows } = await service.pool.query<{ attempt_id: string }>(
      "select attempt_id from payment where subscription_id = $1",
      [id],
    );
    const receipt = await fetchCheckoutPage(
      service,
      `/pay/${id}?attempt=${rows[0]?.attempt_id}`,
      paid.cookie,
    );
    expect(receipt.body).toMatch(/\/bill\/[^"]+/);
    const url = `/account/v1/subscriptions/${id}/corrections/`;
    const origin = CorrectionList.parse((await service.call(owner, { url })).json());
    expect(origin).toMatchObject({ ordered_at: service.clock.now().toISOString() });
  });

  it("places an order at the time of the seller's sandbox clock, when the subscription is also created", async () => {
    const { api, owner, order } = await begin();
    await api.post("/sandbox/clock/advance/", { by: "P3D" });
    const { subscription_id: id } = await order();
    const url = `/account/v1/subscriptions/${id}/corrections/`;
    const { ordered_at } = CorrectionList.parse((await service.call(owner, { url })).json());
    expect(ordered_at).toBe((await api.read(id)).created_at);
  });

  it("leaves no name, phone number or address in the order record once the order is confirmed", async () => {
    const { order } = await begin();
    const { subscription_id } = await order();
    const { rows } = await service.pool.query(
      `select full_name || phone || email || address || phone_key as kept
       from shared_link_order where subscription_id = $1`,
      [subscription_id],
    );
    expect(rows).toEqual([{ kept: "" }]);
  });

  it("makes one order and one subscription, even if the form and the code are each sent six times", async () => {
    const { api, place, confirm } = await begin();
    const page = "1b7e9c02-5a4d-4f38-8c61-d90a2e3b47f5";
    const sixTimes = <Done>(work: () => Promise<Done>) =>
      Promise.all(Array.from({ length: 6 }, work));
    const placed = await sixTimes(async () => (await place({ page })).query.get("order"));
    expect(new Set(placed).size).toBe(1);
    const ends = await sixTimes(() => confirm(placed[0] ?? ""));
    expect(new Set(ends.map((end) => end.path)).size).toBe(1);
    expect((await api.list()).count).toBe(1);
  });

  it("sees an error beside each invalid field, and the form keeps the valid name", async () => {
    const { api, path } = await begin();
    const { body, statusCode } = await service.call(null, {
      method: "POST",
      url: `${path}?lang=ne`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams({
        full_name: "<b>Asmita</b>",
        phone: "12",
        email: "asmita",
      }).toString(),
    });
    expect(statusCode).toBe(400);
    expect(body).toContain('value="&lt;b&gt;Asmita&lt;/b&gt;"');
    for (const field of ["phone", "email", "address"])
      expect(body).toContain(`id="${field}-problem"`);
    expect(body).not.toContain('id="full_name-problem"');
    expect((await api.list()).count).toBe(0);
  });

  it("may type the phone number with Devanagari digits", async () => {
    const { api, order } = await begin();
    const { subscription_id } = await order({ phone: "९८०००००००१" });
    expect((await api.read(subscription_id)).client.phone).toBe("9800000001");
  });

  it("who already subscribes to the product gets a link to the buyer's page after confirming the code", async () => {
    const { api, place, confirm, open, pbp_id } = await begin();
    await api.createActive(pbp_id);
    const id = (await place()).query.get("order") ?? "";
    const end = await confirm(id);
    expect([end.outcome, end.cookie]).toEqual(["has_it", ""]);
    const page = await open("?outcome=has_it");
    expect(page.words).toContain("You have Milk already");
    expect(page.body).toContain('href="/my/');
  });

  it("who confirms a phone number gets the unpaid subscription that the seller created for that number", async () => {
    const { api, order, list, pbp_id } = await begin();
    const { subscription_id } = await api.create(pbp_id);
    expect((await order({ full_name: "Asmita Thapa" })).subscription_id).toBe(subscription_id);
    expect((await api.read(subscription_id)).client.full_name).toBe("Asmita Thapa");
    expect((await list()).results).toMatchObject([{ subscriptions: 0 }]);
  });
});

describe("the seller of a shared link", () => {
  it("can pause and reopen the link, and can replace the link's address with a new address", async () => {
    const { change, open, place, pbp_id, list, link } = await begin();
    await change({ pbp_id, change: "pause" });
    const paused = await open();
    expect(paused.status).toBe(410);
    expect(paused.words).toContain("Nothing can be ordered here");
    expect(paused.body).not.toContain("Milk");
    expect((await place()).status).toBe(410);
    await change({ pbp_id, change: "open" });
    expect((await open()).status).toBe(200);
    expect((await list()).results).toMatchObject([{ address: link.address }]);
    const renewed = SharedLink.parse((await change({ pbp_id, change: "renew" })).json());
    expect(renewed.address).not.toBe(link.address);
    const earlier = await open();
    expect(earlier.status).toBe(404);
    expect(earlier.words).toContain("Nothing is for sale at this address");
    const { statusCode } = await service.call(null, { url: new URL(renewed.address).pathname });
    expect(statusCode).toBe(200);
  });

  it("can change the price of a sold plan, and the same link then sells at the new price", async () => {
    const { api, order, open, pbp_id, list } = await begin();
    await order();
    const next = await transaction(service.pool, (database) =>
      changePrice(
        database,
        { sellerId: api.seller.seller_id, pbpId: pbp_id },
        { price: "1500" },
      ),
    );
    expect(next).not.toBe(pbp_id);
    expect((await open()).words).toContain("NPR 1,695.00");
    expect((await list()).results).toMatchObject([{ pbp_id: next, subscriptions: 1 }]);
    service.clock.advance(MINUTE);
    const { subscription_id } = await order({ phone: "9800000002" });
    expect((await api.read(subscription_id)).product.pbp_id).toBe(next);
  });

  it.each([
    ["product", "is_active = false", "over", null],
    ["billing_period", "is_archived = true", "over", null],
    ["seller", "api_usage_type = null", "No orders can be taken here yet", "no_usage_type"],
    ["seller", "kyc_verified = false", "No orders can be taken here at", null],
  ])(
    "cannot sell once the %s has %s, and the page explains why",
    async (table, set, text, problem) => {
      const { api, open, place, list } = await begin();
      await service.pool.query(`update ${table} set ${set} where seller_id = $1`, [
        api.seller.seller_id,
      ]);
      const page = await open();
      expect(page.status).toBe(410);
      expect(page.words).toContain(text);
      expect(page.body).not.toContain("Milk");
      expect((await open("?lang=ne")).words).toContain("कृपया");
      expect((await place()).status).toBe(410);
      if (set !== "kyc_verified = false") expect((await list()).problem).toBe(problem);
    },
  );

  it("takes the product off sale while a buyer enters a code, and the page says that the offer is over", async () => {
    const { api, place, confirm, open } = await begin();
    const id = (await place()).query.get("order") ?? "";
    const seller = [api.seller.seller_id];
    const connection = await service.pool.connect();
    await connection.query("begin");
    await connection.query("select from seller where seller_id = $1 for update", seller);
    await connection.query("update product set is_active = false where seller_id = $1", seller);
    const confirming = confirm(id);
    await untilBlocked(service.pool);
    await connection.query("commit");
    connection.release();
    expect((await confirming).outcome).not.toBe("has_it");
    expect((await open()).words).toContain("This offer is over.");
    expect((await api.list()).count).toBe(0);
  });

  it("gets no link for another seller's product or billing period, or for an archived billing period", async () => {
    const { change, product_id, pbp_id } = await begin();
    const other = await begin();
    expect((await change({ pbp_id: other.pbp_id, change: "open" })).statusCode).toBe(400);
    expect((await other.change({ pbp_id, change: "pause" })).statusCode).toBe(400);
    for (const id of [product_id, "none"]) {
      const url = `/account/v1/products/${id}/shared-links/`;
      expect((await service.call(other.owner, { url })).statusCode).toBe(404);
    }
    await service.pool.query("update billing_period set is_archived = true where pbp_id = $1", [
      pbp_id,
    ]);
    expect((await change({ pbp_id, change: "open" })).statusCode).toBe(400);
  });
});

it("the pages and API of shared links answer as the API description says", async () => {
  const caller = createDescribedCaller(await buildDescribedService());
  const { path, place, pbp_id, product_id, network, owner } = await begin();
  const form = (url: string, fields: Record<string, string>) => ({
    method: "POST" as const,
    url,
    remoteAddress: network,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams(fields).toString(),
  });
  const details = { full_name: "A", phone: "9800000007", email: "a@example.com", address: "B" };
  await caller.send(service, 200, { url: path }, null);
  await caller.send(service, 400, form(path, {}), null);
  await caller.send(service, 303, form(path, details), null);
  service.clock.advance(MINUTE);
  const order = (await place()).query.get("order") ?? "";
  service.clock.advance(MINUTE);
  await caller.send(service, 303, form(`${path}/again`, { order }), null);
  const code = testCodeOf(order);
  await caller.send(service, 303, form(`${path}/confirm`, { order, code }), null);
  await caller.send(service, 404, { url: "/buy/none" }, null);
  const url = `/account/v1/products/${product_id}/shared-links/`;
  const send = (status: number, payload: object) =>
    caller.send(service, status, { method: "POST", url, payload }, owner);
  await caller.send(service, 200, { url }, owner);
  await send(200, { pbp_id, change: "renew" });
  await send(400, { pbp_id, change: "burn" });
  await send(400, { pbp_id: "\0", change: "pause" });
  await send(400, { pbp_id: "none", change: "pause" });
  await caller.send(service, 404, { url: url.replace(product_id, "none") }, owner);
  await send(200, { pbp_id, change: "pause" });
  const other = await begin();
  await other.change({ pbp_id: other.pbp_id, change: "pause" });
  await caller.send(service, 410, { url: other.path }, null);
});
