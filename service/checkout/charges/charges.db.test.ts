import { describe, expect, it } from "vitest";
import { sweepAll } from "../../lifecycle/run.ts";
import type { InquiryAnswer } from "../../providers/provider.ts";
import {
  fetchCheckoutPage,
  paymentsOf,
  requestCode,
  submitCodePage,
} from "../../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../../testing/fake-provider.ts";
import { askDueCharges, chargesOf as stored } from "../../testing/payment-steps.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";

const fake = new FakeProvider();
const other = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter(), other.adapter("other")] });

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000] as const;
const NPR = { amount: "1130.00", currency: "NPR" };
const APPROVED = {
  state: "approved",
  ...NPR,
  transaction_id: "t",
  fee: null,
  at: null,
} as const;

async function open(method = "fake") {
  for (const each of [fake, other]) {
    Object.assign(each, { handOver: "redirect", ownReference: false, begins: [] });
    each.refunding = { state: "done", refund_id: "r-1" };
    each.answer({ state: "pending" });
    each.refunds.length = 0;
  }
  const api = await SellerApi.open(service);
  await addFakeAccount(service, api.seller);
  if (method !== "fake") await addFakeAccount(service, api.seller, method);
  const { subscription_id: id } = await api.create();
  return { api, id };
}

async function goToProvider({ id, api }: { api: SellerApi; id: string }, method = "fake") {
  const attempt = await requestCode(service, id, { method });
  const sent = await submitCodePage(service, id, attempt);
  const url = `/pay/${id}?attempt=${attempt}`;
  return { id, api, attempt, sent, url, reference: lastOf(method === "fake" ? fake : other) };
}

const lastOf = (provider: FakeProvider) => provider.begun.at(-1)?.reference ?? "";
const begin = async () => goToProvider(await open());

const askDue = () => askDueCharges(service);
const chargesOf = (attempt: string) => stored(service, attempt);

async function askAfter(milliseconds: number) {
  service.clock.advance(milliseconds);
  await askDue();
}

describe("a charge", () => {
  it("is booked with its transaction and fee after an approval, whether the worker or the page asks the provider", async () => {
    const one = await begin();
    fake.answer("approve", one.reference);
    await askAfter(15 * SECOND);
    expect((await one.api.read(one.id)).status).toBe("active");
    expect(await chargesOf(one.attempt)).toMatchObject([
      {
        state: "approved",
        is_booked: true,
        transaction_id: `t-${one.reference}`,
        fee: "5.00",
        refund_state: null,
        next_at: null,
      },
    ]);
    const two = await begin();
    fake.answer("approve", two.reference);
    expect((await fetchCheckoutPage(service, two.url)).body).toContain("Payment received");
    expect(await paymentsOf(service, two.id)).toHaveLength(1);
  });

  it("is stored before the provider is called, and is booked even if the provider's first answer was lost", async () => {
    const opened = await open();
    fake.ownReference = true;
    const attempt = await requestCode(service, opened.id, { method: "fake" });
    fake.begins = ["lost"];
    await submitCodePage(service, opened.id, attempt);
    const reference = lastOf(fake);
    fake.answer("approve", reference);
    await askAfter(HOUR + SECOND);
    expect((await opened.api.read(opened.id)).status).toBe("active");
  });

  it("that was interrupted at the start is begun again for the buyer after its lease has ended", async () => {
    const { id, url, attempt } = await begin();
    await service.pool.query(
      `update charge set state = 'claimed', reference = null, hand_over = null,
         leased_until = begun_at + interval '1 minute' where attempt_id = $1`,
      [attempt],
    );
    const before = fake.begun.length;
    await fetchCheckoutPage(service, `/pay/${id}/go?attempt=${attempt}`);
    expect(fake.begun).toHaveLength(before);
    service.clock.advance(61 * SECOND);
    const page = await fetchCheckoutPage(service, `/pay/${id}/go?attempt=${attempt}`);
    expect(page.headers.refresh).toBe(`0; url=https://fake.example/pay?ref=${lastOf(fake)}`);
    expect(await chargesOf(attempt)).toMatchObject([{ state: "unseen" }, { state: "open" }]);
    fake.answer("approve", lastOf(fake));
    expect((await fetchCheckoutPage(service, url)).body).toContain("Payment received");
  });

  it("is begun once even if the form is sent three times at once", async () => {
    const opened = await open();
    const attempt = await requestCode(service, opened.id, { method: "fake" });
    const before = fake.begun.length;
    await Promise.all([1, 2, 3].map(() => submitCodePage(service, opened.id, attempt)));
    expect(fake.begun).toHaveLength(before + 1);
  });

  it("that the provider refuses, or that does not reach the provider, lets the buyer try again", async () => {
    const opened = await open();
    for (const [told, said] of [
      [{ state: "refused", why: "amount_too_small", text: "least 10" }, "choose another way"],
      ["unreachable", "could not be reached"],
    ] as const) {
      fake.begins = [told];
      const attempt = await requestCode(service, opened.id, { method: "fake" });
      const sent = await submitCodePage(service, opened.id, attempt);
      const page = await fetchCheckoutPage(service, `${sent.path}?${sent.query}`);
      expect(page.body).toContain(said);
    }
    expect(await opened.api.events(opened.id)).toEqual([]);
    const next = await goToProvider(opened);
    fake.answer("approve", next.reference);
    await askAfter(15 * SECOND);
    expect((await opened.api.read(opened.id)).status).toBe("active");
  });
});

describe("an approval", () => {
  it("that comes days after a failure still pays the subscription", async () => {
    const one = await begin();
    fake.answer({ state: "failed", reason: "declined" }, one.reference);
    await askAfter(15 * SECOND);
    expect(await one.api.events(one.id)).toEqual([
      "checkout.failed: pending_checkout > pending_checkout (declined)",
    ]);
    for (let hour = 0; hour < 26; hour += 1) await askAfter(HOUR + SECOND);
    service.clock.advance(DAY);
    fake.answer("approve", one.reference);
    await askAfter(DAY);
    expect((await one.api.read(one.id)).status).toBe("active");
  });

  it("is no longer requested from the provider once a week has passed since the charge ended", async () => {
    const one = await begin();
    fake.answer({ state: "left" }, one.reference);
    await askAfter(15 * SECOND);
    for (let day = 0; day < 7; day += 1) await askAfter(DAY + SECOND);
    fake.answer("silent", one.reference);
    const last = askAfter(DAY + SECOND);
    await expect.poll(() => fake.hangs).toBe(true);
    fake.answer({ state: "left" }, one.reference);
    fake.release();
    await last;
    const asked = () => fake.asked.filter((reference) => reference === one.reference).length;
    const before = asked();
    await askAfter(DAY);
    expect(await chargesOf(one.attempt)).toMatchObject([{ state: "left", next_at: null }]);
    await askAfter(30 * DAY);
    expect(asked()).toBe(before + 1);
  });

  it("of a second charge for the same period is refunded once, and the first charge stays paid", async () => {
    const opened = await open();
    const one = await goToProvider(opened);
    service.clock.advance(31 * SECOND);
    const two = await goToProvider(opened);
    fake.answer("approve", one.reference);
    fake.answer("approve", two.reference);
    await askAfter(15 * SECOND);
    await Promise.all([askAfter(DAY), askDue(), askDue()]);
    expect(await paymentsOf(service, opened.id)).toHaveLength(1);
    expect(fake.refunds).toMatchObject([{ amount: "1130.00" }]);
    const states = [...(await chargesOf(one.attempt)), ...(await chargesOf(two.attempt))];
    expect(new Set(states.map((one) => one.refund_state))).toEqual(new Set(["done", null]));
  });

  it("of both charges of one payment attempt books one charge and refunds the other charge", async () => {
    const opened = await open();
    fake.handOver = "form";
    const { attempt, id } = await goToProvider(opened);
    const page = () => fetchCheckoutPage(service, `/pay/${id}/go?attempt=${attempt}`);
    await page();
    const first = lastOf(fake);
    await page();
    expect(lastOf(fake)).not.toBe(first);
    for (const reference of [first, lastOf(fake)]) fake.answer("approve", reference);
    await askAfter(15 * SECOND);
    await askAfter(15 * SECOND);
    expect((await chargesOf(attempt)).map((one) => [one.is_booked, one.refund_state])).toEqual(
      expect.arrayContaining([
        [true, null],
        [false, "done"],
      ]),
    );
    expect(await paymentsOf(service, id)).toHaveLength(1);
  });

  it("that six pages and two workers request at once is booked once", async () => {
    const one = await begin();
    fake.answer("approve", one.reference);
    service.clock.advance(15 * SECOND);
    await Promise.all([
      ...Array.from({ length: 6 }, () => fetchCheckoutPage(service, one.url)),
      askDue(),
      askDue(),
    ]);
    expect(await paymentsOf(service, one.id)).toHaveLength(1);
    expect(fake.asked.filter((reference) => reference === one.reference)).toHaveLength(1);
  });
});

describe("an answer that needs a person", () => {
  it.each<[string, InquiryAnswer]>([
    ["another amount", { ...APPROVED, amount: "1129.99" }],
    ["an amount that is no decimal", { ...APPROVED, amount: "1,130.00" }],
    ["another currency", { ...APPROVED, currency: "USD" }],
    ["an unknown word", { state: "held", word: "AMBIGUOUS" }],
    ["a partial refund", { state: "refunded", amount: "100.00" }],
  ])(
    "because of %s holds the charge, neither paid nor failed, until the provider approves the payment",
    async (_, answer) => {
      const one = await begin();
      fake.answer(answer, one.reference);
      await askAfter(15 * SECOND);
      expect(await chargesOf(one.attempt)).toMatchObject([{ state: "held" }]);
      expect((await fetchCheckoutPage(service, one.url)).body).toContain(
        "This payment is being checked",
      );
      expect(await one.api.events(one.id)).toEqual([]);
      fake.answer("approve", one.reference);
      await askAfter(HOUR + SECOND);
      expect((await one.api.read(one.id)).status).toBe("active");
    },
  );

  it("can also be a pending payment: after nine days the charge is held", async () => {
    const one = await begin();
    for (let day = 0; day < 9; day += 1) await askAfter(DAY + SECOND);
    expect(await chargesOf(one.attempt)).toMatchObject([{ state: "held", answer: "pending" }]);
  });
});

describe("a refund that is owed", () => {
  async function approveTwice(told: FakeProvider["refunding"]) {
    const opened = await open();
    const one = await goToProvider(opened);
    service.clock.advance(31 * SECOND);
    const two = await goToProvider(opened);
    fake.refunding = told;
    fake.answer("approve", one.reference);
    await fetchCheckoutPage(service, one.url);
    fake.answer("approve", two.reference);
    await fetchCheckoutPage(service, two.url);
    await askAfter(15 * SECOND);
    return two;
  }

  it("is requested again with the same idempotency key when the provider's answer is lost", async () => {
    const two = await approveTwice("silent");
    expect(await chargesOf(two.attempt)).toMatchObject([{ refund_state: "sent" }]);
    await askAfter(DAY);
    fake.refunding = { state: "done", refund_id: "r-2" };
    await askAfter(DAY);
    expect(await chargesOf(two.attempt)).toMatchObject([{ refund_state: "done" }]);
    expect(fake.refunds.length).toBeGreaterThan(1);
    expect(new Set(fake.refunds.map(({ key }) => key)).size).toBe(1);
    expect((await fetchCheckoutPage(service, two.url)).body).toContain("refunded");
  });

  it("that a member must make by hand counts as made when the provider reports the refund", async () => {
    const two = await approveTwice({ state: "by_hand", where: "merchant.fake.example" });
    expect(await chargesOf(two.attempt)).toMatchObject([{ refund_state: "by_hand" }]);
    fake.answer({ state: "refunded", amount: null }, two.reference);
    await askAfter(DAY + SECOND);
    expect(await chargesOf(two.attempt)).toMatchObject([{ refund_state: "done" }]);
  });
});

describe("a silent provider", () => {
  it("delays no status change and no payment at another provider, and is no longer asked by pages after three timeouts", async () => {
    const opened = await open("other");
    const hanging = await goToProvider(opened);
    const phone = "9800000003";
    const { subscription_id } = await opened.api.create(opened.api.periods.weekly, { phone });
    const quick = await goToProvider({ api: opened.api, id: subscription_id }, "other");
    fake.answer("silent", hanging.reference);
    other.answer("approve", quick.reference);
    service.clock.advance(15 * SECOND);
    const asking = askDue();
    const status = async () => (await opened.api.read(quick.id)).status;
    await expect.poll(status).toBe("active");
    service.clock.advance(10 * DAY);
    await sweepAll({ ...service.context, abandonedAfter: DAY });
    expect(await status()).toBe("due");
    fake.release();
    await asking;
    for (let faults = 1; faults < 3; faults += 1) {
      const again = askAfter(HOUR);
      await expect.poll(() => fake.hangs).toBe(true);
      fake.release();
      await again;
    }
    const asked = fake.asked.length;
    expect((await fetchCheckoutPage(service, hanging.url)).body).toContain(
      "Waiting for Fake Pay",
    );
    expect(fake.asked).toHaveLength(asked);
    expect(await chargesOf(hanging.attempt)).toMatchObject([{ state: "open" }]);
  });
});
