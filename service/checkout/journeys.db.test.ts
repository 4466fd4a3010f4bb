import { beforeEach, describe, expect, it } from "vitest";
import { encryptSecret } from "../webhooks/secret.ts";
import { PROVIDER_ADAPTERS } from "../providers/adapters.ts";
import type { ProviderAdapter, ProviderIo } from "../providers/provider.ts";
import { paymentsOf } from "../testing/checkout-forms.ts";
import {
  bookOf,
  NAMES,
  simulatorOf,
  simulators,
  usePaymentSimulators,
  type Name,
} from "../testing/payment-providers.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

/** A provider as in live mode, whose systems are the simulators on this machine. */
function liveOf(adapter: ProviderAdapter): ProviderAdapter {
  const near = (io: ProviderIo) => ({ ...io, allowPrivate: true });
  return {
    ...adapter,
    modeOf: () => "live",
    begin: (charge, details, settings, io) =>
      adapter.begin(charge, details, settings, near(io)),
    inquire: (charge, settings, io) => adapter.inquire(charge, settings, near(io)),
  };
}

usePaymentSimulators();
const service = useTestService("live", { providers: PROVIDER_ADAPTERS.map(liveOf) });
let api: SellerApi;

beforeEach(async () => {
  // Providers end a payment by the real time.
  service.clock.set(new Date().toISOString());
  api = await SellerApi.open(service, { name: "Phewa Yoga" });
  const { seller_id } = api.seller;
  const created_at = service.clock.now();
  await service.pool.query(
    `insert into message_channel (seller_id, channel, provider, sealed_settings, per_minute, created_at)
     values ($1, 'sms', 'any', '', 60, $2)`,
    [seller_id, created_at],
  );
  for (const [position, name] of NAMES.entries()) {
    const { settings } = simulators.providers[name];
    const { rows } = await service.pool.query<{ account_key: string }>(
      `insert into payment_account (seller_id, mode, provider, label, sealed_settings, position, created_at)
       values ($1, 'live', $2, $3, $4, $5, $6) returning account_key`,
      [
        seller_id,
        name,
        LABELS[name],
        encryptSecret(TEST_SECRETS_KEY, seller_id, JSON.stringify(settings)),
        position,
        created_at,
      ],
    );
    const url = `http://billing.test/pay-return/${rows[0]?.account_key}`;
    if (name === "connectips") simulators.setConnectIpsReturns({ success: url, failure: url });
  }
});

const LABELS: Record<Name, string> = {
  khalti: "Khalti",
  esewa: "eSewa",
  connectips: "connectIPS",
  fonepay: "Fonepay",
  fonepay_qr: "Fonepay QR",
  stripe: "Visa or Mastercard",
};

const plain = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
const attributeOf = (tag: string, name: string) =>
  plain(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "");

/** A browser without scripts: it follows redirects, refreshes at once, and submits forms. */
class Browser {
  url = "http://billing.test/";
  html = "";

  get text() {
    return plain(this.html.replace(/<style[^]*?<\/style>|<[^>]*>/g, " ")).replace(/\s+/g, " ");
  }

  async open(address: string, form?: URLSearchParams): Promise<void> {
    const url = new URL(address, this.url);
    const { status, headers, body } = await load(url.href, form);
    this.url = url.href;
    this.html = body;
    expect([url.href, status]).toEqual([url.href, expect.toBeOneOf([200, 303])]);
    if (status === 303) return this.open(headers.location ?? "");
    const [, onward] = /^0; url=(.*)$/.exec(headers.refresh ?? "") ?? [];
    return onward === undefined ? undefined : this.open(onward);
  }

  /** Presses a button of a form, with what is chosen and typed. */
  async press(button: string, typed: Record<string, string> = {}): Promise<void> {
    const forms = this.html.match(/<form[^]*?<\/form>/g) ?? [];
    const found = forms.find((form) => form.includes(`>${button}<`));
    if (found === undefined) throw new Error(`no “${button}” on: ${this.text}`);
    const fields = new URLSearchParams();
    for (const input of found.match(/<input[^>]*>/g) ?? [])
      if (attributeOf(input, "type") !== "radio")
        fields.set(attributeOf(input, "name"), attributeOf(input, "value"));
    const [pressed = ""] = new RegExp(`<button[^>]*>${button}<`).exec(found) ?? [];
    if (attributeOf(pressed, "name"))
      fields.set(attributeOf(pressed, "name"), attributeOf(pressed, "value"));
    for (const [name, value] of Object.entries(typed)) fields.set(name, value);
    await this.open(attributeOf(found, "action"), fields);
  }

  /** Follows a link by its text. */
  async follow(text: string): Promise<void> {
    const links = this.html.match(/<a [^>]*>[^<]*<\/a>/g) ?? [];
    const found = links.find((link) => link.includes(text));
    if (found === undefined) throw new Error(`no link “${text}” on: ${this.text}`);
    await this.open(attributeOf(found, "href"));
  }
}

async function load(url: string, form?: URLSearchParams) {
  const { host, pathname, search } = new URL(url);
  const method = form ? "POST" : "GET";
  const type = form ? { "content-type": "application/x-www-form-urlencoded" } : {};
  if (host === "billing.test") {
    const answer = await service.app.inject({
      method,
      headers: type,
      url: pathname + search,
      payload: form?.toString() ?? "",
    });
    const { location, refresh } = answer.headers;
    const headers = { location, refresh: refresh === undefined ? "" : String(refresh) };
    return { status: answer.statusCode, headers, body: answer.body };
  }
  const answer = await fetch(url, {
    method,
    headers: type,
    body: form ?? null,
    redirect: "manual",
  });
  const headers = {
    location: answer.headers.get("location"),
    refresh: answer.headers.get("refresh"),
  };
  return { status: answer.status, headers, body: await answer.text() };
}

/** The code that the buyer's phone got. */
async function codeOf(id: string) {
  const { rows } = await service.pool.query<{ body: string }>(
    "select body from message where subscription_id = $1 and kind = 'code' order by queued_at desc",
    [id],
  );
  return /\d{6}/.exec(rows[0]?.body ?? "")?.[0] ?? "";
}

/** Opens the link and pays up to the provider's page, or to the code that it shows. */
async function begin(name: Name, buyer = new Browser(), id?: string) {
  const link = id ?? (await api.create()).subscription_id;
  if (id === undefined) await buyer.open(`/pay/${link}`);
  expectBill(buyer);
  await buyer.press("Send me a code", { method: name });
  expectBill(buyer);
  await buyer.press("Pay NPR 1,130.00", { code: await codeOf(link) });
  const isForm = ["esewa", "connectips"].includes(name);
  if (isForm || name === "fonepay_qr") expectBill(buyer);
  if (isForm) await buyer.press(`Continue to ${LABELS[name]}`);
  if (name === "fonepay_qr") expect(buyer.html).toContain('<svg class="qr"');
  else expect(buyer.url).toContain(simulatorOf(name).url);
  const reference = [...bookOf(name).payments.keys()].at(-1) ?? "";
  return { buyer, id: link, reference };
}

/** Expects the seller, the product, the price, the VAT and the days of the period. */
function expectBill({ text }: Browser) {
  for (const part of [
    "Phewa Yoga",
    "Milk",
    "Daily litre · Monthly",
    "NPR 1,130.00",
    "NPR 130.00",
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/For: \d+ \w+ \d{4} to \d+ \w+ \d{4}/);
}

/** The buyer's decision on the provider's page; a code is paid in a bank's app. */
async function decide(name: Name, buyer: Browser, reference: string, outcome: string) {
  if (name !== "fonepay_qr") return buyer.press(outcome);
  const app = new Browser();
  await app.open(`${simulatorOf(name).url}/pay?reference=${reference}`);
  await app.press(outcome);
  service.clock.advance(6_000);
  return buyer.follow("I have paid");
}

/** Opens the payment's page again, so late that the provider's page has closed. */
async function later(buyer: Browser, id: string) {
  await service.pool.query(
    "update charge set begun_at = begun_at - interval '3 hours' where subscription_id = $1",
    [id],
  );
  service.clock.advance(6_000);
  await buyer.open(buyer.url);
}

/**
 * The text for a buyer who was declined; for one who leaves, the button and the text before the
 * provider's page has closed.
 */
const WAITING = /^.*Waiting for /;
const UNPAID = /nothing was charged/;
const ENDS: Record<Name, { declined: RegExp; left: [outcome: string, then: RegExp] }> = {
  khalti: { declined: WAITING, left: ["cancel", UNPAID] },
  esewa: { declined: WAITING, left: ["cancel", UNPAID] },
  connectips: { declined: UNPAID, left: ["cancel", WAITING] },
  fonepay: { declined: WAITING, left: ["cancel", WAITING] },
  fonepay_qr: { declined: WAITING, left: ["cancel", WAITING] },
  stripe: { declined: WAITING, left: ["expire", UNPAID] },
};

describe.each(NAMES)("in live mode, without scripts, %s", (name) => {
  it("takes a payment, and the receipt names the provider", async () => {
    const { buyer, id, reference } = await begin(name);
    await decide(name, buyer, reference, "approve");
    expect(buyer.text).toContain("Payment received");
    expect(buyer.text).toContain(`Paid with ${LABELS[name]} Reference`);
    expect(buyer.text).toMatch(/of which VAT NPR 130\.00.* Paid until \d+ \w+ \d{4}/);
    expect(buyer.text).not.toContain("no money moves");
    expect((await api.read(id)).status).toBe("active");
  });

  it("declines a payment, and the buyer then pays once at another provider", async () => {
    const { buyer, id, reference } = await begin(name);
    await decide(name, buyer, reference, "decline");
    expect(buyer.text).toMatch(ENDS[name].declined);
    if (ENDS[name].declined === WAITING) await buyer.follow("Choose another way to pay");
    const other = name === "esewa" ? "khalti" : "esewa";
    service.clock.advance(31_000);
    const next = await begin(other, buyer, id);
    await decide(other, buyer, next.reference, "approve");
    expect(buyer.text).toContain(`Paid with ${LABELS[other]} Reference`);
    await buyer.open(`/pay/${id}`);
    expect(buyer.text).toContain("This is paid");
    expect(await paymentsOf(service, id)).toHaveLength(1);
  });

  it("approves a payment after the buyer left, and the payment link shows first unpaid and then paid", async () => {
    const { buyer, id, reference } = await begin(name);
    const [outcome, then] = ENDS[name].left;
    if (outcome === "expire") {
      bookOf(name).decide(reference, "expire");
      await buyer.open(`http://billing.test/pay/${id}`);
      expect(buyer.text).toContain("Send me a code");
      const { rows } = await service.pool.query<{ attempt_id: string }>(
        "select attempt_id from charge where subscription_id = $1",
        [id],
      );
      await buyer.open(`/pay/${id}?attempt=${rows[0]?.attempt_id}`);
    } else await decide(name, buyer, reference, outcome);
    expect(buyer.text).toMatch(then);
    await later(buyer, id);
    expect(buyer.text).toMatch(UNPAID);
    expect((await api.read(id)).status).toBe("pending_checkout");
    bookOf(name).decide(reference, "approve");
    service.clock.advance(6_000);
    await buyer.open(`http://billing.test/pay/${id}`);
    expect(buyer.text).toContain(`This is paid. There is nothing more to do here.`);
    expect(buyer.text).toContain(`Paid with ${LABELS[name]} Reference`);
    expect((await api.read(id)).status).toBe("active");
    expect(await paymentsOf(service, id)).toHaveLength(1);
  });
});
