import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { ProviderCharge } from "./provider.ts";
import {
  simulators,
  usePaymentSimulators,
  adapterOf,
  io,
  settingsOf,
  bookOf,
  simulatorOf,
  chargeFor,
  handOver,
  begin,
  inquire,
  open,
  faultOf,
  LONG_AGO,
} from "../testing/payment-providers.ts";

usePaymentSimulators();

describe("an adapter", () => {
  it.each([
    ["khalti", "Partially Refunded", "held"],
    ["khalti", "Partially refunded", "held"],
    ["khalti", "Pending", "pending"],
    ["esewa", "AMBIGUOUS", "held"],
    ["esewa", "PARTIAL_REFUND", "held"],
    ["connectips", "FAILED", "failed"],
    ["fonepay", "timeout", "pending"],
  ] as const)(
    "for %s translates the provider's status %s to the state %s",
    async (name, word, state) => {
      const charge = await open(name);
      bookOf(name).answerNext({ status: word, paymentStatus: word });
      expect(await inquire(name, charge)).toMatchObject({ state });
    },
  );

  it("treats Fonepay's “failed” as pending for a new charge, and as failed for an old charge", async () => {
    const charge = await open("fonepay_qr");
    bookOf("fonepay_qr").decide(charge.reference, "decline");
    expect(await inquire("fonepay_qr", charge)).toEqual({ state: "pending" });
    const late = { ...charge, begun_at: LONG_AGO };
    expect(await inquire("fonepay_qr", late)).toEqual({ state: "failed", reason: "declined" });
  });

  it("treats error code 0 from eSewa as a busy provider", async () => {
    const charge = await open("esewa");
    bookOf("esewa").answerNext({ code: 0, error_message: "Service is unavailable" }, true);
    expect((await faultOf(inquire("esewa", charge))).kind).toBe("busy");
  });

  it("refuses an amount that is too small for Khalti or Stripe", async () => {
    const small = await begin("khalti", chargeFor("khalti", { amount: "9.99" }));
    expect(small).toMatchObject({ state: "refused", why: "amount_too_small" });
    const cents = await begin("stripe", chargeFor("stripe", { amount: "0.20" }));
    expect(cents).toMatchObject({ state: "refused", why: "amount_too_small" });
  });

  it("accepts a connectIPS private key without line breaks, but no truncated key", async () => {
    const { privateKey } = simulators.providers.connectips.settings;
    const flat = privateKey.replaceAll("\n", " ").trim();
    const charge = chargeFor("connectips");
    const answer = await begin("connectips", charge, { privateKey: flat });
    expect((await handOver(answer)).status).toBe(200);
    const { settings } = adapterOf("connectips");
    const wrong = settingsOf("connectips", { privateKey: flat.slice(0, 200) });
    expect(settings.safeParse(wrong).success).toBe(false);
  });

  it("respects the time zone offset in the expiry time of Khalti's payment page", async () => {
    const answer = await begin("khalti", chargeFor("khalti"));
    const left = answer.state === "begun" ? Number(answer.expires_at) - Date.now() : 0;
    expect(Math.round(left / 60_000)).toBe(30);
  });

  it("sends Stripe whole amounts in a currency without decimal places, and refuses a fraction", async () => {
    const charge = await open("stripe", { amount: "1200.00", currency: "JPY" });
    expect(bookOf("stripe").payments.get(charge.reference)?.units).toBe(1_200n);
    bookOf("stripe").decide(charge.reference, "approve");
    expect(await inquire("stripe", charge)).toMatchObject({
      amount: "1200.00",
      currency: "JPY",
    });
    const uneven = chargeFor("stripe", { amount: "1200.50", currency: "JPY" });
    expect(await begin("stripe", uneven)).toMatchObject({ state: "refused", why: "currency" });
  });

  it("reports the currency that Stripe says was paid, even if the charge has another currency", async () => {
    const charge = await open("stripe");
    bookOf("stripe").decide(charge.reference, "approve");
    bookOf("stripe").answerNext({ currency: "usd" });
    expect(await inquire("stripe", charge)).toMatchObject({
      state: "approved",
      amount: "1200.50",
      currency: "USD",
    });
  });

  it.each([
    ["khalti", "0.00"],
    ["esewa", null],
    ["connectips", "5.00"],
    ["fonepay", null],
    ["stripe", "0.59"],
  ] as const)("for %s reads the provider's fee as %s", async (name, fee) => {
    const charge = await open(name);
    bookOf(name).decide(charge.reference, "approve");
    expect(await inquire(name, charge)).toMatchObject({ state: "approved", fee });
  });

  it("approves an eSewa payment whose earlier status was AMBIGUOUS", async () => {
    const charge = await open("esewa");
    bookOf("esewa").say(charge.reference, "AMBIGUOUS");
    expect(await inquire("esewa", charge)).toEqual({ state: "held", word: "AMBIGUOUS" });
    bookOf("esewa").decide(charge.reference, "approve");
    expect(await inquire("esewa", charge)).toMatchObject({ state: "approved" });
  });

  it("reports each state of a slow Stripe payment: pending, failed, approved and disputed", async () => {
    const charge = await open("stripe");
    bookOf("stripe").say(charge.reference, "unpaid");
    expect(await inquire("stripe", charge)).toEqual({ state: "pending" });
    bookOf("stripe").say(charge.reference, "payment_failed");
    expect(await inquire("stripe", charge)).toEqual({ state: "failed", reason: "declined" });
    bookOf("stripe").decide(charge.reference, "approve");
    expect(await inquire("stripe", charge)).toMatchObject({ state: "approved" });
    bookOf("stripe").say(charge.reference, "disputed");
    expect(await inquire("stripe", charge)).toMatchObject({
      state: "held",
      word: "disputed",
      amount: expect.stringMatching(/^\d+\.\d\d$/),
    });
  });

  it.each([
    [
      "dispute_asked",
      { state: "held", dispute: { state: "open", taken: "0.00", fee: "0.00" } },
    ],
    ["disputed", { state: "held", dispute: { state: "open", fee: "15.00" } }],
    [
      "dispute_won",
      { state: "approved", dispute: { state: "won", taken: "0.00", fee: "15.00" } },
    ],
    ["dispute_lost", { state: "held", dispute: { state: "lost", fee: "15.00" } }],
  ])("reads the amount and fee that Stripe withholds for a dispute: %s", async (word, told) => {
    const charge = await open("stripe");
    bookOf("stripe").decide(charge.reference, "approve");
    bookOf("stripe").say(charge.reference, word);
    const answer = await inquire("stripe", charge);
    expect(answer).toMatchObject(told);
    if (answer.state !== "held") return;
    const isKept = word !== "dispute_asked";
    expect(answer.dispute?.taken).toBe(isKept ? answer.amount : "0.00");
  });

  it("reports a fault if a dispute at Stripe cannot be read", async () => {
    const charge = await open("stripe");
    bookOf("stripe").decide(charge.reference, "approve");
    bookOf("stripe").say(charge.reference, "disputed");
    const session = simulatorOf("stripe").arrival();
    const asked = faultOf(inquire("stripe", charge));
    await session;
    simulatorOf("stripe").next("too_many");
    expect((await asked).kind).toBe("busy");
  });

  it("cancels an unpaid checkout session at Stripe, but leaves a paid session approved", async () => {
    const cancel = (charge: ProviderCharge) =>
      adapterOf("stripe").cancel?.(charge, settingsOf("stripe"), io());
    const charge = await open("stripe");
    await cancel(charge);
    expect(await inquire("stripe", charge)).toEqual({ state: "left" });
    const paid = await open("stripe");
    bookOf("stripe").decide(paid.reference, "approve");
    await cancel(paid);
    expect(await inquire("stripe", paid)).toMatchObject({ state: "approved" });
  });
});

describe("a webhook notice of Stripe", () => {
  const read = (headers: Record<string, string>, body: string, changed = {}) =>
    adapterOf("stripe").readNotice?.(
      { headers, query: {}, body },
      settingsOf("stripe", changed),
    );

  it("from the Stripe simulator names its charge if it is signed, and is ignored if it is forged", async () => {
    const charge = await open("stripe");
    const arrived: ReturnType<typeof read>[] = [];
    const receiver = createServer((request, response) => {
      void text(request).then((body) => {
        const signature = String(request.headers["stripe-signature"]);
        arrived.push(read({ "stripe-signature": signature }, body));
        response.writeHead(204).end();
        receiver.emit("noticed");
      });
    });
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
    const { port } = receiver.address() as AddressInfo;
    simulators.setStripeWebhook(`http://127.0.0.1:${port}/`);
    const tell = async (given: object) => {
      const noticed = once(receiver, "noticed");
      const body = JSON.stringify({ reference: charge.reference, ...given });
      await fetch(`${simulators.providers.stripe.simulator.url}/_sim/notice`, {
        method: "POST",
        body,
      });
      await noticed;
    };
    await tell({});
    await tell({ forged: true });
    expect(arrived).toEqual([charge.reference, null]);
    simulators.setStripeWebhook(null);
    receiver.close();
  });

  it("names its checkout session or payment, but is ignored if the signature is wrong or old", async () => {
    const charge = await open("stripe");
    const payment = bookOf("stripe").payments.get(charge.reference);
    if (!payment) throw new Error("no payment");
    const { headers, body } = simulators.stripeNoticeOf(payment, "checkout.session.completed");
    expect(read(headers, body)).toBe(charge.reference);
    bookOf("stripe").decide(charge.reference, "approve");
    const dispute = simulators.stripeNoticeOf(payment, "charge.dispute.created");
    expect(read(dispute.headers, dispute.body)).toBe(`pi_${payment.transaction}`);
    expect(read(headers, `${body} `)).toBeNull();
    expect(read({}, body)).toBeNull();
    expect(read(headers, body, { webhookSecret: "whsec_another" })).toBeNull();
    expect(read(headers, body, { webhookSecret: undefined })).toBeNull();
    bookOf("stripe").setClock(-600);
    const old = simulators.stripeNoticeOf(payment, "checkout.session.completed");
    expect(read(old.headers, old.body)).toBeNull();
  });
});
