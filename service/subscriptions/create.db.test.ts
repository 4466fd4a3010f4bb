import { describe, expect, it } from "vitest";
import {
  CreatedSubscription,
  Subscription,
  SubscriptionPage,
} from "#contract/subscriptions.ts";
import { testBuyer, createCatalogue, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

const create = (seller: TestSeller, payload: Record<string, unknown>) =>
  service.call(seller, {
    method: "POST",
    url: "/api/v1/subscriptions/",
    payload: { return_url: "https://shop.example/thanks", client: testBuyer(), ...payload },
  });

const listed = async (seller: TestSeller, query = "") => {
  const answer = await service.call(seller, { url: `/api/v1/subscriptions/${query}` });
  return SubscriptionPage.parse(answer.json());
};

const read = async (seller: TestSeller, id: string) => {
  const answer = await service.call(seller, { url: `/api/v1/subscriptions/${id}/` });
  return Subscription.parse(answer.json());
};

describe("creating a subscription", () => {
  it("Spec, POST subscriptions: answers 201 with a pending subscription and its checkout link", async () => {
    const seller = await service.createSeller();
    const { monthly } = await createCatalogue(service, seller);
    const answer = await create(seller, { pbp_id: monthly });
    expect(answer.statusCode).toBe(201);
    const created = CreatedSubscription.parse(answer.json());
    expect(created).toMatchObject({
      pbp_id: monthly,
      status: "pending_checkout",
      next_billing_cycle: null,
      checkout_url: `http://billing.test/pay/${created.subscription_id}`,
    });
    const stored = await read(seller, created.subscription_id);
    expect(stored).toMatchObject({
      status: "pending_checkout",
      is_active: false,
      current_period_start: null,
      client: { ...testBuyer(), billing: null, shipping: null },
    });
  });

  it("Spec, Transitions, create: twenty concurrent identical requests leave one pending subscription", async () => {
    const seller = await service.createSeller();
    const { monthly } = await createCatalogue(service, seller);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(seller, { pbp_id: monthly })),
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.json().subscription_id)).size).toBe(1);
    expect(await listed(seller)).toMatchObject({ count: 1, total_subscriptions: 1 });
  });

  it("reuses the buyer's pending subscription if only the plan's billing period differs, and answers 201", async () => {
    const seller = await service.createSeller();
    const { monthly, yearly } = await createCatalogue(service, seller);
    const first = (await create(seller, { pbp_id: monthly })).json();
    const second = await create(seller, {
      pbp_id: yearly,
      client: testBuyer({ phone: "+977 980-000 0001", full_name: "Asmita R." }),
    });
    expect(second.statusCode).toBe(201);
    expect(second.json().subscription_id).toBe(first.subscription_id);
    expect(await read(seller, first.subscription_id)).toMatchObject({
      product: { pbp_id: yearly, price: "10000.00" },
      client: { full_name: "Asmita R.", phone: "+977 980-000 0001" },
    });
  });

  it("Spec, POST subscriptions, Rules: overwrites a reused pending subscription only with values that are not null", async () => {
    const seller = await service.createSeller();
    const { monthly } = await createCatalogue(service, seller);
    const billing = {
      billing_business_name: "Rai Traders",
      billing_email: "office@example.com",
      billing_address: "Patan",
      billing_pan_vat: "012345678",
    };
    const shipping = {
      phone: "9800000002",
      full_name: "Bimala Rai",
      email: "bimala@example.com",
      address: "Jawalakhel",
    };
    await create(seller, { pbp_id: monthly, client: testBuyer({ billing, shipping }) });
    const again = await create(seller, {
      pbp_id: monthly,
      client: testBuyer({
        billing: { ...billing, billing_address: "Kupondole", billing_pan_vat: null },
        shipping: { ...shipping, full_name: "Bimala R.", address: null },
      }),
    });
    const { client } = await read(seller, again.json().subscription_id);
    expect(client).toMatchObject({
      billing: { address: "Kupondole", pan_vat: "012345678" },
      shipping: { full_name: "Bimala R.", address: "Jawalakhel" },
    });
    await create(seller, { pbp_id: monthly });
    expect((await read(seller, again.json().subscription_id)).client).toEqual(client);
  });

  it("fills in billing details that the same seller sent earlier for the buyer, but not another seller's", async () => {
    const seller = await service.createSeller();
    const other = await service.createSeller();
    const mine = await createCatalogue(service, seller);
    const second = await createCatalogue(service, seller);
    const theirs = await createCatalogue(service, other);
    const billing = {
      billing_business_name: "Rai Traders",
      billing_email: "office@example.com",
      billing_address: "Patan",
    };
    await create(seller, { pbp_id: mine.monthly, client: testBuyer({ billing }) });
    const filled = (await create(seller, { pbp_id: second.monthly })).json();
    const foreign = (await create(other, { pbp_id: theirs.monthly })).json();
    expect((await read(seller, filled.subscription_id)).client.billing).toEqual({
      business_name: "Rai Traders",
      email: "office@example.com",
      address: "Patan",
      pan_vat: "",
    });
    expect((await read(other, foreign.subscription_id)).client.billing).toBeNull();
  });

  it.each(["archived", "unknown", "foreign"])(
    "Spec, Errors: a billing period that is %s is refused with an error under pbp_id",
    async (kind) => {
      const seller = await service.createSeller();
      const other = await service.createSeller();
      const { archived } = await createCatalogue(service, seller);
      const { monthly: foreign } = await createCatalogue(service, other);
      const answer = await create(seller, {
        pbp_id: { archived, unknown: "nothing", foreign }[kind],
      });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ pbp_id: [expect.any(String)] });
      expect(await listed(seller)).toMatchObject({ count: 0 });
    },
  );

  it("Spec, Errors: an account without an API usage type gets an error under api_usage_type", async () => {
    const seller = await service.createSeller({ api_usage_type: null });
    const { monthly } = await createCatalogue(service, seller);
    const answer = await create(seller, { pbp_id: monthly });
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json())).toEqual(["api_usage_type"]);
  });

  it("Spec choice, order of checks: a refused request does not store the buyer", async () => {
    const seller = await service.createSeller({ api_usage_type: null });
    const { monthly } = await createCatalogue(service, seller);
    await create(seller, { pbp_id: monthly });
    const { rowCount } = await service.pool.query(
      "select 1 from customer where seller_id = $1",
      [seller.seller_id],
    );
    expect(rowCount).toBe(0);
  });

  it('B, Nested field errors: reports every wrong field at once, and client fields as "path: text" under client', async () => {
    const seller = await service.createSeller();
    const answer = await create(seller, {
      return_url: "javascript:alert(1)",
      client: testBuyer({
        phone: "12",
        full_name: "x".repeat(201),
        email: "nowhere",
        billing: { billing_business_name: "A", billing_pan_vat: "12345678" },
      }),
    });
    expect(answer.statusCode).toBe(400);
    const body = answer.json();
    expect(Object.keys(body).sort()).toEqual(["client", "pbp_id", "return_url"]);
    expect(body.client.map((text: string) => text.split(":")[0])).toEqual([
      "phone",
      "full_name",
      "email",
      "billing.billing_email",
      "billing.billing_address",
      "billing.billing_pan_vat",
    ]);
  });

  it("Spec, Client: stores markup, emoji and Devanagari in a name, and escapes the markup on the checkout page", async () => {
    const seller = await service.createSeller();
    const { monthly } = await createCatalogue(service, seller);
    const full_name = `<b>अस्मिता</b> 🌸 "O'Rai" & daughters`;
    const created = (
      await create(seller, { pbp_id: monthly, client: testBuyer({ full_name }) })
    ).json();
    expect((await read(seller, created.subscription_id)).client.full_name).toBe(full_name);
    const page = await service.call(null, { url: `/pay/${created.subscription_id}` });
    expect(page.body).not.toContain("<b>");
  });

  it.each([
    ["malformed JSON", "application/json", '{"pbp_id":', 400],
    ["an empty body", "application/json", "", 400],
    ["an array", "application/json", "[]", 400],
    ["10,000 levels", "application/json", "[".repeat(10_000) + "]".repeat(10_000), 400],
    ["a prototype in disguise", "application/json", '{"__proto__": {"a": 1}}', 400],
    ["another content type", "text/plain", "pbp_id=1", 415],
    ["a form", "application/x-www-form-urlencoded", "pbp_id=1", 415],
    ["10 MB", "application/json", JSON.stringify({ pbp_id: "x".repeat(10_000_000) }), 413],
  ])(
    "Spec choice, other refusals: a request with %s gets an error with a detail and stores nothing",
    async (_name, type, payload, status) => {
      const seller = await service.createSeller();
      const answer = await service.call(seller, {
        method: "POST",
        url: "/api/v1/subscriptions/",
        headers: { "content-type": type },
        payload,
      });
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toEqual({ detail: expect.any(String) });
      expect(await listed(seller)).toMatchObject({ count: 0 });
    },
  );

  it.each(["\u0000", "\ud800"])(
    "Spec, Errors: the character %j cannot be stored, and gets an error under its field",
    async (character) => {
      const seller = await service.createSeller();
      const { monthly } = await createCatalogue(service, seller);
      const answer = await create(seller, {
        pbp_id: monthly,
        client: testBuyer({ full_name: `A${character}` }),
      });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ client: [expect.stringMatching("^full_name: ")] });
    },
  );
});
