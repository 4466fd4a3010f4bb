import { describe, expect, it } from "vitest";
import { testCodeOf } from "./codes.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const open = (id: string, query = "") => service.call(null, { url: `/pay/${id}${query}` });

describe("the checkout page", () => {
  it("Spec, checkout_url: opens without an API key and does not show the buyer's name, phone, email or address", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id, checkout_url } = await api.create(api.periods.monthly, {
      shipping: {
        phone: "9811111111",
        full_name: "Bimala Tamang",
        email: "bimala@example.com",
      },
    });
    expect(checkout_url).toBe(`http://billing.test/pay/${subscription_id}`);
    const page = await open(subscription_id);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("1,130.00");
    for (const known of ["Asmita", "Rai", "asmita@", "9800000001", "Patan", "Bimala", "98111"])
      expect(page.body).not.toContain(known);
  });

  it("Spec choice, return parameters: links to the return URL with the subscription's id, without the payment's result", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const page = await open(id);
    const [, address = ""] = /href="(https:\/\/shop\.example[^"]*)"/.exec(page.body) ?? [];
    expect(address).toBe(`https://shop.example/thanks?subscription_id=${id}`);
  });

  it("Spec, Events 2: can be opened with outcome=paid in the URL without making the subscription paid", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    await open(id, "?outcome=paid");
    expect((await api.read(id)).status).toBe("pending_checkout");
    expect(await api.events(id)).toEqual([]);
  });

  it("Spec choice, not found: is the same 404 page for unknown and malformed links", async () => {
    const pages = await Promise.all(
      ["11111111-1111-4111-8111-111111111111", "x"].map((id) => open(id)),
    );
    expect(pages.map((page) => page.statusCode)).toEqual([404, 404]);
    expect(pages[0]?.body).toBe(pages[1]?.body);
  });

  it("redirects a link with a trailing slash to the same link without the slash", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const answer = await open(id, "/?lang=ne");
    expect([answer.statusCode, answer.headers.location]).toEqual([301, `/pay/${id}?lang=ne`]);
    const form = await service.call(null, { method: "POST", url: `/pay/${id}/code/` });
    expect(form.statusCode).toBe(404);
  });

  it("shows the price, the offer, the VAT, the total and the days that the payment covers", async () => {
    const api = await SellerApi.open(service);
    await service.pool.query(
      `insert into offer (id, pbp_id, seller_id, discount_amount, starts_at, valid_until)
       values (gen_random_uuid(), $1, $2, 100, '2026-03-01', '2026-03-31')`,
      [api.periods.monthly, api.seller.seller_id],
    );
    const { subscription_id: id } = await api.create();
    const { body } = await open(id);
    const text = body.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    expect(text).toContain(
      "Price NPR 1,000.00 Offer − NPR 100.00 VAT 13 % NPR 117.00 To pay NPR 1,017.00",
    );
    expect(text).toContain("For: 10 March 2026 to 10 April 2026.");
  });

  it("Spec choice, early renewals: has no form for a paid subscription, except for an early renewal with ?early=1", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const paid = await open(id);
    expect(paid.body).toContain("Paid until 10 April 2026");
    expect(paid.body).not.toContain("<form");
    const early = await open(id, "?early=1");
    expect(early.body.replace(/\s+/g, " ")).toContain("10 April 2026 to 10 May 2026");
    expect(early.body).toContain('name="early"');
  });

  it("shows since when a subscription is due, and no form for an ended subscription or a paid one-time purchase", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    const once = await api.createActive(api.periods.once, { phone: "9800000002" });
    await api.wait(33);
    expect((await open(id)).body).toContain("It was due on 10 April 2026");
    await api.wait(30);
    for (const url of [id, once]) {
      const { body } = await open(url, "?early=1");
      expect(body).not.toContain('name="method"');
    }
  });

  it("is in Nepali for a browser that prefers Nepali, and for a URL with lang=ne", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const asked = await service.call(null, {
      url: `/pay/${id}`,
      headers: { "accept-language": "ne-NP,ne;q=0.9" },
    });
    expect(asked.body).toContain('<html lang="ne">');
    expect(asked.body).toContain("रु १,१३०.००");
    expect(asked.body).toContain("२०२६ मार्च १० देखि २०२६ अप्रिल १० सम्मका लागि");
    const missing = await open("x", "?lang=ne");
    expect(missing.body).toContain("लिंक भेटिएन");
    expect((await open(id, "?lang=xx")).body).toContain('<html lang="en">');
  });

  it("keeps the chosen language in every form and after the buyer returns from the provider", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const send = async (url: string, form: Record<string, string>) => {
      const { headers } = await service.call(null, {
        method: "POST",
        url,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: new URLSearchParams(form).toString(),
      });
      return String(headers.location);
    };
    const formsOf = async (url: string) => {
      const { body } = await service.call(null, { url });
      const actions = [...body.matchAll(/action="([^"]*)"/g)].map(([, action = ""]) => action);
      expect(actions.filter((action) => !action.endsWith("?lang=ne"))).toEqual([]);
      return actions[0] ?? "";
    };
    const step2 = await send(await formsOf(`/pay/${id}?lang=ne`), { method: "wallet" });
    expect(step2).toMatch(/\?attempt=[^&]*&lang=ne$/);
    const other = step2
      .replace(/.*\?/, "?")
      .replace("lang=ne", "lang=en")
      .replace("&", "&amp;");
    expect((await service.call(null, { url: step2 })).body).toContain(`href="${other}"`);
    const pay = await formsOf(step2);
    const attempt = new URLSearchParams(step2.split("?")[1]).get("attempt") ?? "";
    // A Nepali keyboard types its own digits.
    const code = testCodeOf(attempt);
    const devanagari = code.replace(/\d/g, (digit) => "०१२३४५६७८९"[Number(digit)] ?? digit);
    const submission = { attempt, code: devanagari, total: "1130.00" };
    const wallet = await send(pay, submission);
    expect(wallet).toMatch(/^\/sandbox-pay\/[^?]*\?lang=ne$/);
    const back = await send(await formsOf(wallet), { outcome: "approve" });
    expect(back).toBe(`/pay/${id}?attempt=${attempt}&lang=ne`);
    expect((await service.call(null, { url: back })).body).toContain("वालेटको जवाफ पर्खँदै");
    await service.call(null, { url: back });
    expect((await service.call(null, { url: back })).body).toContain("भुक्तानी प्राप्त भयो");
  });
});
