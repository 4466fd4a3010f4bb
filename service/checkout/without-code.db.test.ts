import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { fetchCheckoutPage, paymentsOf, postForm } from "../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../testing/fake-provider.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { openCheckout } from "./open.ts";

const fake = new FakeProvider();
const service = useTestService("live", {
  providers: [fake.adapter(), fake.adapter("other"), fake.adapter("card")],
});

beforeEach(() => {
  fake.answer({ state: "pending" });
  fake.begun.length = 0;
});

/** A live link of a seller without a channel, whose provider has buyers sign in. */
async function link() {
  const api = await SellerApi.open(service);
  const { account_id } = await addFakeAccount(service, api.seller);
  await service.pool.query(
    "update payment_account set identifies_buyer = true where account_id = $1",
    [account_id],
  );
  const { subscription_id: id } = await api.create();
  const { amount } = await openCheckout(service.pool, id, service.clock.now());
  const begin = (changes: Record<string, string> = {}) =>
    postForm(service, `/pay/${id}/code`, { method: "fake", total: amount.total, ...changes });
  return { api, id, begin };
}

describe("a payment for which the buyer signs in at the provider", () => {
  it("begins in live mode without a message channel and a code, and counts as paid only when the provider approves", async () => {
    const { api, id, begin } = await link();
    const page = await fetchCheckoutPage(service, `/pay/${id}`);
    expect(page.body).toContain("You sign in where you pay");
    expect(page.body).not.toContain("Send me a code");
    const sent = await begin();
    expect(sent).toMatchObject({ status: 303, path: `/pay/${id}/go`, cookie: "" });
    const attempt = sent.query.get("attempt") ?? "";
    expect((await fetchCheckoutPage(service, `/pay/${id}/go?${sent.query}`)).body).toContain(
      "https://fake.example/pay?ref=",
    );
    const waiting = await fetchCheckoutPage(service, `/pay/${id}?attempt=${attempt}`);
    expect(waiting.body).toContain("Waiting for Fake Pay");
    expect(await paymentsOf(service, id)).toEqual([]);
    fake.answer("approve");
    service.clock.advance(6_000);
    expect((await fetchCheckoutPage(service, `/pay/${id}?attempt=${attempt}`)).body).toContain(
      "Payment received",
    );
    expect(await paymentsOf(service, id)).toHaveLength(1);
    expect((await api.read(id)).status).toBe("active");
  });

  it("shows no details of the buyer on any page, and sends no details to the provider", async () => {
    const { api, id, begin } = await link();
    const { client } = await api.read(id);
    const sent = await begin();
    expect(fake.begun.map(({ details }) => details.buyer)).toEqual([
      { name: "", phone: "", email: null },
    ]);
    fake.answer("approve");
    service.clock.advance(6_000);
    const bodies = await Promise.all(
      [
        `/pay/${id}`,
        `/pay/${id}/go?${sent.query}`,
        `/pay/${id}?${sent.query}`,
        `/pay/${id}/details`,
      ].map(async (url) => (await fetchCheckoutPage(service, url)).body),
    );
    for (const secret of [client.full_name, client.phone, client.email, "/bill/"])
      expect(bodies.join()).not.toContain(secret);
    // Data behind the code stays hidden, also from a person who invents one.
    expect(
      await postForm(service, `/pay/${id}/pay`, {
        attempt: sent.query.get("attempt") ?? "",
        code: "000000",
        total: "1130.00",
      }),
    ).toMatchObject({ status: 303, cookie: "" });
    expect(await postForm(service, `/pay/${id}/details/code`, {})).toMatchObject({
      outcome: "no_channel",
    });
  });

  it("begins without a code only at that provider; every other provider still needs the code", async () => {
    const { api, id, begin } = await link();
    const { account_id } = await addFakeAccount(service, api.seller, "other");
    const page = await fetchCheckoutPage(service, `/pay/${id}`);
    expect(page.body).toContain("No code is needed with Fake Pay");
    expect((await begin({ method: "other" })).outcome).toBe("no_channel");
    // A provider without sign-in needs the code, even if the account's row says that buyers sign in.
    await service.pool.query(
      "update payment_account set identifies_buyer = true, provider = 'card' where account_id = $1",
      [account_id],
    );
    expect((await begin({ method: "card" })).outcome).toBe("no_channel");
    expect(fake.begun).toEqual([]);
  });

  it("begins once for a form sent twice, only at the price shown, and at most twenty times an hour", async () => {
    const { id, begin } = await link();
    expect((await begin({ total: "1.00" })).outcome).toBe("price_changed");
    const page = randomUUID();
    const twice = await Promise.all([begin({ page }), begin({ page })]);
    expect(new Set(twice.map(({ query }) => query.get("attempt"))).size).toBe(1);
    expect(fake.begun).toHaveLength(1);
    for (let begun = 1; begun < 20; begun += 1) expect((await begin()).outcome).toBeNull();
    expect((await begin()).outcome).toBe("begun_too_often");
    expect(
      (await fetchCheckoutPage(service, `/pay/${id}?outcome=begun_too_often`)).body,
    ).toContain("begun too often");
    service.clock.advance(61 * 60_000);
    expect((await begin()).outcome).toBeNull();
  });
});
