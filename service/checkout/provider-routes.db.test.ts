import { expect, describe, it } from "vitest";
import {
  fetchCheckoutPage,
  paymentsOf,
  postForm,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../testing/fake-provider.ts";
import { askDueCharges } from "../testing/payment-steps.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });

async function atProvider(kind: FakeProvider["handOver"] = "redirect") {
  fake.handOver = kind;
  fake.answer({ state: "pending" });
  const api = await SellerApi.open(service);
  const { account_key } = await addFakeAccount(service, api.seller);
  const { subscription_id: id } = await api.create();
  const attempt = await requestCode(service, id, { method: "fake" });
  const sent = await submitCodePage(service, id, attempt);
  const reference = fake.begun.at(-1)?.reference ?? "";
  const url = `/pay/${id}?attempt=${attempt}`;
  return { api, id, attempt, account_key, reference, url, go: `${sent.path}?${sent.query}` };
}

const policyOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers["content-security-policy"]);

const formTargets = (page: { headers: Record<string, unknown> }) =>
  /form-action ([^;]+)/.exec(policyOf(page))?.[1];

describe("the way to a provider", () => {
  it("by a redirect goes by a header, also to a browser without scripts", async () => {
    const { id, go, reference } = await atProvider();
    expect(go).toMatch(new RegExp(`^/pay/${id}/go\\?attempt=`));
    const page = await fetchCheckoutPage(service, go);
    expect(page.headers.refresh).toBe(`0; url=https://fake.example/pay?ref=${reference}`);
    expect(page.body).toContain("Continue to Fake Pay");
    expect(formTargets(page)).toBe("'none'");
  });

  it("by a form has one button, and that page alone names its targets", async () => {
    const { go, reference, url } = await atProvider("form");
    const page = await fetchCheckoutPage(service, `${go}&lang=ne`);
    expect(page.body).toContain('action="https://form.fake.example/pay"');
    expect(page.body).toContain(`name="reference" value="${reference}"`);
    expect(page.body.match(/<button/g)).toHaveLength(1);
    expect(page.body).toContain("Fake Payमा जानुहोस्");
    expect(formTargets(page)).toBe("https://form.fake.example https://bank.fake.example");
    expect(formTargets(await fetchCheckoutPage(service, url))).toBe("'self'");
  });

  it("by a code shows it, and goes on once it is paid", async () => {
    const { go, reference, url } = await atProvider("qr");
    expect((await fetchCheckoutPage(service, go)).body).toMatch(/<svg class="qr" role="img"/);
    fake.answer("approve", reference);
    service.clock.advance(6_000);
    const paid = await fetchCheckoutPage(service, go);
    expect([paid.status, paid.headers.location]).toEqual([303, url]);
  });

  it("by the phone says so and leads to the payment's page", async () => {
    const { go, url } = await atProvider("push");
    const page = await fetchCheckoutPage(service, go);
    expect(page.body).toContain("asks you on your phone");
    expect(page.headers.refresh).toBe(`5; url=${url}`);
  });

  it("never leads to an address that a browser would run", async () => {
    fake.begins = [
      {
        state: "begun",
        reference: "evil-1",
        hand_over: { kind: "redirect", url: "javascript:alert(1)" },
        expires_at: null,
      },
    ];
    const { go } = await atProvider();
    const page = await fetchCheckoutPage(service, go);
    expect(`${String(page.headers.refresh)}${page.body}`).not.toContain("javascript:");
  });
});

describe("a return", () => {
  it("leads to the payment's page and proves nothing", async () => {
    const { api, id, account_key, reference, url } = await atProvider();
    const address = `/pay-return/${account_key}`;
    const back = await fetchCheckoutPage(
      service,
      `${address}?ref=${reference}&status=Completed`,
    );
    expect([back.status, back.headers.location]).toEqual([303, url]);
    expect((await fetchCheckoutPage(service, url)).body).toContain("Waiting for your");
    expect((await api.read(id)).status).toBe("pending_checkout");
    fake.answer("approve", reference);
    service.clock.advance(6_000);
    expect((await fetchCheckoutPage(service, url)).body).toContain("Payment received");
  });

  it("may be posted from the provider's site", async () => {
    const { account_key, reference, url } = await atProvider();
    const headers = { "sec-fetch-site": "cross-site", origin: "https://fake.example" };
    const back = await postForm(
      service,
      `/pay-return/${account_key}`,
      { ref: reference },
      headers,
    );
    expect([back.status, `${back.path}?${back.query}`]).toEqual([303, url]);
  });

  it("finds no charge of another account", async () => {
    const [one, other] = [await atProvider(), await atProvider()];
    const page = await fetchCheckoutPage(
      service,
      `/pay-return/${other.account_key}?ref=${one.reference}`,
    );
    expect(page.status).toBe(200);
    expect(page.body).toContain("Open your payment link again");
    expect(page.body).not.toContain(one.id);
  });
});

describe("a notice", () => {
  const notify = (key: string, reference: string, signature = "k") =>
    service.call(null, {
      method: "POST",
      url: `/pay-notices/${key}`,
      payload: reference,
      headers: { "content-type": "application/json", "x-signature": signature },
    });
  it("leads to a question at once, and ten of them to one payment", async () => {
    const { api, id, account_key, reference } = await atProvider();
    fake.answer("approve", reference);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => notify(account_key, reference)),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([204]));
    await askDueCharges(service);
    expect((await api.read(id)).status).toBe("active");
    expect(await paymentsOf(service, id)).toHaveLength(1);
  });

  it("that is forged is refused, and one about an unknown payment is answered as any other", async () => {
    const [one, other] = [await atProvider(), await atProvider()];
    fake.answer("approve", one.reference);
    expect((await notify(one.account_key, one.reference, "forged")).statusCode).toBe(404);
    expect((await notify(other.account_key, one.reference)).statusCode).toBe(204);
    expect((await notify(one.account_key, "unknown")).statusCode).toBe(204);
    await askDueCharges(service);
    expect((await one.api.read(one.id)).status).toBe("pending_checkout");
  });
});

it("one network reaches these addresses so often a minute at most", async () => {
  const { account_key } = await atProvider();
  const ask = () => fetchCheckoutPage(service, `/pay-return/${account_key}`);
  const pages = [];
  for (let time = 0; time < 130; time += 1) pages.push((await ask()).status);
  expect(pages).toContain(429);
});
