import { expect, describe, it } from "vitest";
import { untilBlocked } from "#tools/testing/database.ts";
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

/** The return URL that was given to the provider. */
const returnOf = (reference: string) =>
  new URL(fake.begun.find((each) => each.reference === reference)?.details.return_url ?? "")
    .pathname;

const policyOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers["content-security-policy"]);

const formTargets = (page: { headers: Record<string, unknown> }) =>
  /form-action ([^;]+)/.exec(policyOf(page))?.[1];

describe("the page that leads to a provider", () => {
  it("redirects by a Refresh header and has a link, and needs no scripts", async () => {
    const { id, go, reference } = await atProvider();
    expect(go).toMatch(new RegExp(`^/pay/${id}/go\\?attempt=`));
    const page = await fetchCheckoutPage(service, go);
    expect(page.headers.refresh).toBe(`0; url=https://fake.example/pay?ref=${reference}`);
    expect(page.body).toContain("Continue to Fake Pay");
    expect(formTargets(page)).toBe("'none'");
  });

  it("has a form with one button, and only the policy of this page allows forms to the provider", async () => {
    const { go, reference, url } = await atProvider("form");
    const page = await fetchCheckoutPage(service, `${go}&lang=ne`);
    expect(page.body).toContain('action="https://form.fake.example/pay"');
    expect(page.body).toContain(`name="reference" value="${reference}"`);
    expect(page.body.match(/<button/g)).toHaveLength(1);
    expect(page.body).toContain("Fake Payमा जानुहोस्");
    expect(formTargets(page)).toBe("https://form.fake.example https://bank.fake.example");
    expect(formTargets(await fetchCheckoutPage(service, url))).toBe("'self'");
  });

  it("shows a QR code, and leads to the payment's page after the payment", async () => {
    const { go, reference, url } = await atProvider("qr");
    expect((await fetchCheckoutPage(service, go)).body).toMatch(/<svg class="qr" role="img"/);
    fake.answer("approve", reference);
    service.clock.advance(6_000);
    const paid = await fetchCheckoutPage(service, go);
    expect([paid.status, paid.headers.location]).toEqual([303, url]);
  });

  it("announces a prompt on the buyer's phone, and leads to the payment's page after five seconds", async () => {
    const { go, url } = await atProvider("push");
    const page = await fetchCheckoutPage(service, go);
    expect(page.body).toContain("asks you on your phone");
    expect(page.headers.refresh).toBe(`5; url=${url}`);
  });

  it("never leads to a javascript: address", async () => {
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

describe("a buyer's return from a provider", () => {
  it("leads to the payment's page, and a status in the return URL does not count as a payment", async () => {
    const { api, id, account_key, reference, url } = await atProvider();
    const address = `/pay-return/${account_key}`;
    const back = await fetchCheckoutPage(
      service,
      `${address}?ref=${reference}&status=Completed`,
    );
    expect([back.status, back.headers.location]).toEqual([303, url]);
    expect((await fetchCheckoutPage(service, url)).body).toContain("Waiting for Fake Pay");
    expect((await api.read(id)).status).toBe("pending_checkout");
    fake.answer("approve", reference);
    service.clock.advance(6_000);
    expect((await fetchCheckoutPage(service, url)).body).toContain("Payment received");
  });

  it("leads to the charge in the URL's path, even if the query names another charge", async () => {
    const [one, other] = [await atProvider(), await atProvider()];
    const address = returnOf(one.reference);
    const forged = `${address}?data=x?&ref=${other.reference}&next=https://evil.example`;
    const back = await fetchCheckoutPage(service, forged);
    expect([back.status, back.headers.location]).toEqual([303, one.url]);
    expect(fake.asked.filter((reference) => reference === other.reference)).toEqual([]);
    const unknown = await fetchCheckoutPage(
      service,
      `/pay-return/charge/${crypto.randomUUID()}`,
    );
    expect([unknown.status, unknown.headers.location]).toEqual([200, undefined]);
  });

  it("makes the service ask again about an unconfirmed payment, and the page shows the payment as received", async () => {
    const { id, reference, url } = await atProvider();
    fake.answer({ state: "left" }, reference);
    service.clock.advance(6_000);
    expect((await fetchCheckoutPage(service, url)).body).toContain("was not confirmed");
    fake.answer("approve", reference);
    service.clock.advance(6_000);
    await fetchCheckoutPage(service, returnOf(reference));
    const page = await fetchCheckoutPage(service, url);
    expect(page.body).toContain("Payment received");
    expect(page.body).toMatch(/<dt>of which VAT<\/dt>\s*<dd class="name">NPR 130.00<\/dd>/);
    expect(page.body).toMatch(/<dt>Paid with<\/dt>\s*<dd class="name">Fake Pay<\/dd>/);
    expect(await paymentsOf(service, id)).toHaveLength(1);
  });

  it("that never happens leaves the payment link waiting until the provider reports the payment", async () => {
    const { id, reference } = await atProvider();
    const link = `/pay/${id}`;
    expect((await fetchCheckoutPage(service, link)).body).toContain("Waiting for Fake Pay");
    expect((await fetchCheckoutPage(service, `${link}?choose=1`)).body).toContain(
      "Send me a code",
    );
    fake.answer("approve", reference);
    service.clock.advance(6_000);
    expect((await fetchCheckoutPage(service, link)).body).toMatch(
      /This is paid[^]*Paid with[^]*Fake Pay/,
    );
  });

  it("can be a form that is posted from the provider's site", async () => {
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

  it("pays nothing with a second charge while the payment attempt's first charge is being refunded", async () => {
    const { api, id, go, url, reference } = await atProvider("form");
    await fetchCheckoutPage(service, go);
    await fetchCheckoutPage(service, go);
    const second = fake.begun.at(-1)?.reference ?? "";
    fake.answer("approve");
    const { subscription_id: duplicate } = await api.create(api.periods.weekly);
    const code = await requestCode(service, duplicate, { method: "fake" });
    await submitCodePage(service, duplicate, code);
    await fetchCheckoutPage(service, returnOf(fake.begun.at(-1)?.reference ?? ""));
    const setPeriod = "update subscription set pbp_id = $2 where subscription_id = $1";
    const activating = await service.pool.connect();
    await activating.query("begin");
    await activating.query(setPeriod, [duplicate, api.periods.monthly]);
    const first = fetchCheckoutPage(service, returnOf(reference));
    await untilBlocked(service.pool, 1, "update subscription%");
    const delaying = await service.pool.connect();
    await delaying.query("begin; lock table refund in share mode");
    await activating.query("commit");
    activating.release();
    await untilBlocked(service.pool, 1, "%insert into refund%");
    await service.pool.query(setPeriod, [duplicate, api.periods.weekly]);
    const later = fetchCheckoutPage(service, returnOf(second));
    await Promise.race([later, untilBlocked(service.pool, 2)]);
    await delaying.query("commit");
    delaying.release();
    await Promise.all([first, later]);
    const shown = async () => (await fetchCheckoutPage(service, url)).body;
    await expect.poll(shown).toContain("refunded");
    expect(await paymentsOf(service, id)).toEqual([]);
    expect((await api.read(id)).status).toBe("pending_checkout");
  });

  it("does not find a charge of another payment account", async () => {
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

const notify = (key: string, reference: string, signature = "k") =>
  service.call(null, {
    method: "POST",
    url: `/pay-notices/${key}`,
    payload: reference,
    headers: { "content-type": "application/json", "x-signature": signature },
  });

describe("a provider's notice", () => {
  it("makes the service ask the provider, and ten notices about one charge result in one payment", async () => {
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

  it("with a transaction's id, such as for a dispute, makes the service ask the provider about the payment", async () => {
    const { api, id, account_key, reference } = await atProvider();
    fake.answer("approve", reference);
    await notify(account_key, reference);
    await askDueCharges(service);
    const charge = await service.pool.query<{ transaction_id: string }>(
      "update charge set transaction_id = 'pi_1' where reference = $1 returning transaction_id",
      [reference],
    );
    service.clock.advance(6_000);
    const dispute = { state: "open", taken: "1130.00", fee: null } as const;
    fake.answer({ state: "held", word: "disputed", amount: "1130.00", dispute }, reference);
    expect((await notify(account_key, "pi_1")).statusCode).toBe(204);
    await askDueCharges(service);
    const { rows } = await service.pool.query<object>(
      "select kind from payment_task where subscription_id = $1",
      [id],
    );
    expect([charge.rowCount, rows]).toEqual([1, [{ kind: "disputed" }]]);
    expect((await api.read(id)).status).toBe("active");
  });

  it("with a forged signature gets a 404, and a signed notice about an unknown payment gets the usual 204", async () => {
    const [one, other] = [await atProvider(), await atProvider()];
    fake.answer("approve", one.reference);
    expect((await notify(one.account_key, one.reference, "forged")).statusCode).toBe(404);
    expect((await notify(other.account_key, one.reference)).statusCode).toBe(204);
    expect((await notify(one.account_key, "unknown")).statusCode).toBe(204);
    await askDueCharges(service);
    expect((await one.api.read(one.id)).status).toBe("pending_checkout");
  });
});

describe("too many requests", () => {
  const statusesOf = async (times: number, ask: () => Promise<number>) => {
    const statuses = new Set<number>();
    for (let time = 0; time < times; time += 1) statuses.add(await ask());
    return statuses;
  };
  const get = (url: string) => async () => (await fetchCheckoutPage(service, url)).status;

  it("to return URLs are counted per charge, and together for return URLs without a charge", async () => {
    const [one, other] = [await atProvider(), await atProvider()];
    const here = get(returnOf(one.reference));
    expect(await statusesOf(70, here)).toEqual(new Set([303, 429]));
    expect(await statusesOf(130, get(`/pay-return/${one.account_key}`))).toEqual(
      new Set([200, 429]),
    );
    expect(await statusesOf(1, get(returnOf(other.reference)))).toEqual(new Set([303]));
  });

  it("with a forged signature are refused, and notices with a valid signature are still accepted", async () => {
    const { account_key, reference } = await atProvider();
    const forged = async () => (await notify(account_key, reference, "forged")).statusCode;
    expect(await statusesOf(130, forged)).toEqual(new Set([404, 429]));
    const signed = async () => (await notify(account_key, reference)).statusCode;
    expect(await statusesOf(130, signed)).toEqual(new Set([204]));
  });
});
