import { describe, expect, it } from "vitest";
import {
  choosePaymentOutcome,
  notifyOfPayment,
  postForm,
  fetchCheckoutPage,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const OWN_PAGE = `https://desk.example/returned/${"a1".repeat(32)}`;
const SECOND = 1_000;

const textOf = (body: string) => body.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

async function paid(return_url: string, seller = {}) {
  const api = await SellerApi.open(service, seller);
  const { subscription_id: id } = await api.create();
  await service.pool.query(
    "update subscription set return_url = $2 where subscription_id = $1",
    [id, return_url],
  );
  const attempt = await requestCode(service, id);
  const { reference, cookie } = await submitCodePage(service, id, attempt);
  await choosePaymentOutcome(service, reference, "approve");
  for (let notices = 0; notices < 2; notices += 1) await notifyOfPayment(service, reference);
  return { api, id, attempt, cookie, url: `/pay/${id}?attempt=${attempt}` };
}

describe("the result of a payment", () => {
  it("shows the amount, VAT, seller, time, method and a short reference of eight characters", async () => {
    const { id, url } = await paid(OWN_PAGE, { name: "Himal Dairy" });
    const { rows } = await service.pool.query<{ payment_id: string }>(
      "select payment_id from payment where subscription_id = $1",
      [id],
    );
    const reference = rows[0]?.payment_id.slice(0, 8).toUpperCase();
    expect(textOf((await fetchCheckoutPage(service, url)).body)).toContain(
      `Paid NPR 1,130.00 of which VAT NPR 130.00 Seller Himal Dairy Paid on 10 March 2026, 11:45 Paid with Mobile wallet Reference ${reference} `,
    );
  });

  it("does not redirect to a return page of Duebook itself, but links to that page", async () => {
    const { id, url } = await paid(OWN_PAGE);
    const { headers, body } = await fetchCheckoutPage(service, url);
    expect(headers.refresh).toBeUndefined();
    expect(body).toContain(`href="${OWN_PAGE}?subscription_id=${id}"`);
    expect(body).not.toContain("taken there");
  });

  it("Spec, What the service does 3: redirects to the shop after the payment, but not when reopened a minute later", async () => {
    const { id, url } = await paid("https://shop.example/thanks");
    const back = `https://shop.example/thanks?subscription_id=${id}`;
    expect((await fetchCheckoutPage(service, url)).headers.refresh).toBe(`5; url=${back}`);
    service.clock.advance(61 * SECOND);
    const later = await fetchCheckoutPage(service, url);
    expect(later.headers.refresh).toBeUndefined();
    expect(later.body).toContain(`href="${back}"`);
  });
});

it("a receipt links to the bill only in the browser in which the code was entered", async () => {
  const { id, attempt, url, cookie } = await paid(OWN_PAGE);
  const isLedToBill = async (held?: string) =>
    (await fetchCheckoutPage(service, url, held)).body.includes(`/pay/${id}/bill/`);
  expect(await isLedToBill(`other=1; ${cookie}`)).toBe(true);
  // Other people with the link see the attempt's id while the code is awaited, and can send the
  // form again.
  const again = await submitCodePage(service, id, attempt, { code: "000000" });
  const other = await paid(OWN_PAGE);
  for (const held of ["", again.cookie, other.cookie, `${cookie}x`])
    expect(await isLedToBill(held)).toBe(false);
});

describe("a link with nothing to pay", () => {
  const opened = async (id: string) =>
    textOf((await fetchCheckoutPage(service, `/pay/${id}`)).body);

  it("shows the receipt of the payment for the current period", async () => {
    const { id, url } = await paid(OWN_PAGE, { name: "Koshi Books" });
    const lines =
      /Paid NPR 1,130\.00 of which VAT NPR 130\.00 Seller Koshi Books Paid on 10 March 2026, 11:45 Paid with Mobile wallet Reference [0-9A-F]{8} /;
    const [receipt] = lines.exec(await opened(id)) ?? [];
    expect(receipt).toBeDefined();
    expect(textOf((await fetchCheckoutPage(service, url)).body)).toContain(receipt);
    expect(await opened(id)).toContain("Paid until 10 April 2026.");
  });

  it("shows the receipt while a cancellation is scheduled", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.cancel(id);
    expect(await opened(id)).toMatch(/ends with its current period.*Paid NPR 1,130\.00 /);
  });

  it("Spec choice, reschedule: does not call a rescheduled subscription paid, and links to an early renewal", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    await api.wait(33);
    await api.reschedule(id, "2026-04-20");
    const said = await opened(id);
    expect(said).toContain("Runs until 20 April 2026.");
    expect(said).not.toMatch(/paid/i);
    const { body } = await fetchCheckoutPage(service, `/pay/${id}`);
    expect(body).toContain(`/pay/${id}?early=1`);
    expect(body).toContain("Back to shop.example");
    await service.pool.query(
      "update subscription set return_url = $2 where subscription_id = $1",
      [id, OWN_PAGE],
    );
    expect((await fetchCheckoutPage(service, `/pay/${id}`)).body).not.toContain(OWN_PAGE);
  });
});

it("the page of a refunded payment does not link to Duebook's own return page", async () => {
  const { api, id } = await paid(OWN_PAGE);
  service.clock.advance(61 * SECOND);
  const early = await requestCode(service, id, { early: "1" });
  const { reference } = await submitCodePage(service, id, early);
  await api.reschedule(id, "2026-04-20");
  await choosePaymentOutcome(service, reference, "approve");
  for (let notices = 0; notices < 2; notices += 1) await notifyOfPayment(service, reference);
  const { body } = await fetchCheckoutPage(service, `/pay/${id}?attempt=${early}`);
  expect(textOf(body)).toContain("will be refunded to your wallet");
  expect(body).not.toContain(OWN_PAGE);
});

describe("a reopened receipt", () => {
  it("no longer shows a paid-until date after a reschedule or another payment", async () => {
    const { api, id, url } = await paid(OWN_PAGE);
    const again = async () => textOf((await fetchCheckoutPage(service, url)).body);
    expect(await again()).toContain("Paid until 10 April 2026.");
    await api.reschedule(id, "2026-04-20");
    expect(await again()).not.toContain("Paid until");
    service.clock.advance(61 * SECOND);
    const early = await requestCode(service, id, { early: "1" });
    const { reference } = await submitCodePage(service, id, early);
    await choosePaymentOutcome(service, reference, "approve");
    for (let notices = 0; notices < 2; notices += 1) await notifyOfPayment(service, reference);
    expect(await again()).not.toContain("Paid until");
    expect(
      textOf((await fetchCheckoutPage(service, `/pay/${id}?attempt=${early}`)).body),
    ).toContain("Paid until 20 May 2026.");
  });
});

describe("a requested code", () => {
  it("can be entered after the buyer reopens the link, until the code expires after ten minutes", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id);
    const { body } = await fetchCheckoutPage(service, `/pay/${id}`);
    expect(body).toContain('name="code"');
    expect(body).toContain(`value="${attempt}"`);
    service.clock.advance(10 * 60 * SECOND);
    expect((await fetchCheckoutPage(service, `/pay/${id}`)).body).not.toContain('name="code"');
  });

  it("can still be entered after another code is requested too soon from an older page", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id);
    const early = await postForm(service, `/pay/${id}/code`, { method: "wallet" });
    expect([early.outcome, early.query.get("attempt")]).toEqual(["too_soon", attempt]);
    const { body } = await fetchCheckoutPage(service, `${early.path}?${early.query}`);
    expect(body).toContain("Use that one");
    expect(body).toContain('name="code"');
  });

  it("does not keep the buyer from choosing another payment method", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    await requestCode(service, id);
    const { body } = await fetchCheckoutPage(service, `/pay/${id}`);
    const [, other = ""] = /href="([^"]+)"\s*>Choose another way/.exec(body) ?? [];
    expect((await fetchCheckoutPage(service, other)).body).toContain('type="radio"');
  });

  it("has no input field after the period is paid", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    await requestCode(service, id);
    service.clock.advance(31 * SECOND);
    await api.pay(id);
    for (const query of ["", "?early=1"])
      expect((await fetchCheckoutPage(service, `/pay/${id}${query}`)).body).not.toContain(
        'name="code"',
      );
  });

  it("is shown with the number of tries left, even after a reload", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id);
    const says = async (url: string, tries: string) => {
      const { body } = await fetchCheckoutPage(service, url);
      expect(body).toMatch(/aria-describedby="code-tries code-hint"/);
      expect(textOf(/id="code-tries"[^]*?<\/p>/.exec(body)?.[0] ?? "")).toContain(tries);
    };
    await says(`/pay/${id}?attempt=${attempt}`, "Tries left: 5.");
    const wrong = await submitCodePage(service, id, attempt, { code: "000000" });
    await says(`${wrong.path}?${wrong.query}`, "Wrong code.");
    await says(`${wrong.path}?${wrong.query}`, "Tries left: 4.");
    await says(`/pay/${id}`, "Tries left: 4.");
  });

  it("is no longer mentioned after five wrong tries", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id);
    for (let guess = 0; guess < 5; guess += 1)
      await submitCodePage(service, id, attempt, { code: `10000${guess}` });
    const early = await postForm(service, `/pay/${id}/code`, { method: "wallet" });
    const { body } = await fetchCheckoutPage(service, `${early.path}?${early.query}`);
    expect(body).toContain("Wait a moment, then request another");
    expect(body).not.toContain("Use that one");
  });
});

it("the first page of a checkout in test mode says that no money moves", async () => {
  const api = await SellerApi.open(service);
  const { subscription_id: id } = await api.create();
  expect((await fetchCheckoutPage(service, `/pay/${id}`)).body).toContain(
    "Test: no money moves here.",
  );
});
