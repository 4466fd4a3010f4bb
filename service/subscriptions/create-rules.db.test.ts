import { describe, expect, it } from "vitest";
import { testBuyer } from "../testing/service.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const URL = "/api/v1/subscriptions/";

describe("the rule against duplicate subscriptions", () => {
  it("Spec, Errors: answers 400 with a detail if the buyer has an active subscription of the same billing period", async () => {
    const api = await SellerApi.open(service);
    await api.createActive();
    const answer = await api.requestCreate(api.periods.monthly, { phone: "+977-9800000001" });
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["detail"]]);
    expect((await api.list()).count).toBe(1);
  });

  it("allows a second subscription of the same plan with another billing period", async () => {
    const api = await SellerApi.open(service);
    await api.createActive();
    await api.createActive(api.periods.yearly);
    expect((await api.list("?status=active")).count).toBe(2);
  });

  it.each([
    ["due", 33],
    ["pending_cancellation", 0],
    ["inactive", 50],
    ["cancelled", 40],
  ])("Spec, Errors: does not apply to a subscription that is %s", async (status, days) => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    if (status.includes("cancel")) await api.cancel(id);
    await api.wait(days);
    expect((await api.read(id)).status).toBe(status);
    expect((await api.create()).subscription_id).not.toBe(id);
  });

  it("Spec, Other rules 2: a one-time purchase can be bought again", async () => {
    const api = await SellerApi.open(service);
    await api.createActive(api.periods.once);
    await api.createActive(api.periods.once);
    expect((await api.list()).count).toBe(2);
  });

  it("Spec, Transitions: treats a subscription with a passed billing date as due, even before the sweep runs", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    service.clock.set("2026-04-11T06:00:00Z");
    await api.create();
    expect((await api.read(id)).status).toBe("due");
  });

  it("Spec choice, order of checks: is applied again when the buyer pays", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.cancel(id);
    const second = (await api.create()).subscription_id;
    await api.resume(id);
    expect(await api.pay(second)).toBe("duplicate");
    expect((await api.read(second)).status).toBe("pending_checkout");
  });
});

describe("the checks of a new subscription", () => {
  it("Spec choice, order of checks: required fields are checked before pbp_id, and pbp_id before api_usage_type", async () => {
    const api = await SellerApi.open(service, { api_usage_type: null });
    const fields = await api.post(URL, { pbp_id: "unknown", client: testBuyer() });
    expect(Object.keys(fields.json())).toEqual(["return_url"]);
    expect(Object.keys((await api.requestCreate("unknown")).json())).toEqual(["pbp_id"]);
    expect(Object.keys((await api.requestCreate(api.periods.monthly)).json())).toEqual([
      "api_usage_type",
    ]);
  });

  it("Spec choice, order of checks: api_usage_type is checked before the rule against duplicates", async () => {
    const api = await SellerApi.open(service);
    await api.createActive();
    await service.pool.query("update seller set api_usage_type = null where seller_id = $1", [
      api.seller.seller_id,
    ]);
    expect(Object.keys((await api.requestCreate(api.periods.monthly)).json())).toEqual([
      "api_usage_type",
    ]);
  });

  it.each(["payment", "reminder_and_payment"] as const)(
    "Spec choice, return_url: the field is required for accounts with api_usage_type %s",
    async (api_usage_type) => {
      const api = await SellerApi.open(service, { api_usage_type });
      const answer = await api.post(URL, { pbp_id: api.periods.monthly, client: testBuyer() });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ return_url: ["This field is required."] });
    },
  );

  it.each([
    "javascript:alert(1)",
    "ftp://shop.example/",
    "https://user:pass@shop.example/",
    "//shop.example/",
    "shop.example",
    "",
    7,
  ])(
    "Spec choice, return_url: %s is refused, because only http and https are accepted",
    async (return_url) => {
      const api = await SellerApi.open(service);
      const answer = await api.post(URL, {
        pbp_id: api.periods.monthly,
        client: testBuyer(),
        return_url,
      });
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["return_url"]]);
    },
  );
});

describe("the client field of a new subscription", () => {
  const billing = {
    billing_business_name: "Rai Traders",
    billing_email: "office@example.com",
    billing_address: "Patan",
  };

  it("billing is returned with shorter field names, and the PAN keeps its leading zeros", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id } = await api.create(api.periods.monthly, {
      billing: { ...billing, billing_pan_vat: "001234567" },
    });
    expect((await api.read(subscription_id)).client.billing).toEqual({
      business_name: "Rai Traders",
      email: "office@example.com",
      address: "Patan",
      pan_vat: "001234567",
    });
  });

  it.each(["12345678", "1234567890", "12345678a", "१२३४५६७८९", 123456789])(
    "Spec, Limits: billing_pan_vat %s is refused, because it is not a string of 9 digits",
    async (billing_pan_vat) => {
      const api = await SellerApi.open(service);
      const answer = await api.requestCreate(api.periods.monthly, {
        billing: { ...billing, billing_pan_vat },
      });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({
        client: [expect.stringMatching(/^billing\.billing_pan_vat: /)],
      });
    },
  );

  it("Spec, client.shipping: a missing address is accepted, and is an empty string in the answer", async () => {
    const api = await SellerApi.open(service);
    const shipping = { phone: "9800000002", full_name: "Bimala Rai", email: "b@example.com" };
    const { subscription_id } = await api.create(api.periods.monthly, { shipping });
    expect((await api.read(subscription_id)).client.shipping).toEqual({
      ...shipping,
      address: "",
    });
  });

  it.each(["billing", "shipping"])(
    "Spec, client.%s: an empty object is refused with an error for each required field",
    async (part) => {
      const api = await SellerApi.open(service);
      const answer = await api.requestCreate(api.periods.monthly, { [part]: {} });
      expect(answer.statusCode).toBe(400);
      const texts: string[] = answer.json().client;
      expect(texts).toHaveLength(3);
      for (const text of texts) expect(text).toMatch(new RegExp(`^${part}\\.\\w+: `));
    },
  );

  it.each(["phone", "full_name", "email", "address"])(
    "Spec, client: %s is required",
    async (field) => {
      const api = await SellerApi.open(service);
      for (const value of [undefined, null, " ", 7]) {
        const answer = await api.requestCreate(api.periods.monthly, { [field]: value });
        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toEqual({ client: [expect.stringMatching(`^${field}: `)] });
      }
    },
  );

  it("Spec choice, phone numbers: spellings of one phone number are the same buyer, and are stored as sent", async () => {
    const api = await SellerApi.open(service);
    const spellings = ["9800000001", "+977 980-000 0001", "00977 9800000001", "(980) 000 0001"];
    const ids = new Set<string>();
    for (const phone of spellings) {
      const { subscription_id } = await api.create(api.periods.monthly, { phone });
      ids.add(subscription_id);
      expect((await api.read(subscription_id)).client.phone).toBe(phone);
    }
    expect(ids.size).toBe(1);
  });

  it("a pending subscription is not reused for another seller's request with the same client", async () => {
    const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
    const mine = await api.create();
    const theirs = await other.create();
    expect(mine.subscription_id).not.toBe(theirs.subscription_id);
  });
});

describe("a created subscription", () => {
  it("Spec, Subscription: has no period dates and no billing date before the first payment", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id } = await api.create();
    expect(await api.read(subscription_id)).toMatchObject({
      status: "pending_checkout",
      is_active: false,
      current_period_start: null,
      current_period_end: null,
      next_billing_cycle: null,
      created_at: "2026-03-10T06:00:00.000Z",
      product: {
        label: "Monthly",
        price: "1000.00",
        currency: "NPR",
        plan_name: "Daily litre",
      },
    });
    // Spec, Events: no event is sent, because no status changed.
    expect(await api.events(subscription_id)).toEqual([]);
  });

  it("keeps its billing period after the seller archives the billing period", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await service.pool.query("update billing_period set is_archived = true where pbp_id = $1", [
      api.periods.monthly,
    ]);
    expect((await api.read(id)).product.pbp_id).toBe(api.periods.monthly);
  });

  it("Spec, GET one: answers the same 404 to an unknown ID, a malformed ID and another seller's ID", async () => {
    const api = await SellerApi.open(service);
    const foreign = await (await SellerApi.open(service)).createActive();
    const unknown = "11111111-1111-4111-8111-111111111111";
    for (const id of [unknown, foreign, "1", "%00", "..", "a".repeat(150)]) {
      const answer = await api.call({ url: `${URL}${id}/` });
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
    }
  });
});
