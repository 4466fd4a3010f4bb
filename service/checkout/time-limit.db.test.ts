import { describe, expect, it } from "vitest";
import { sweepAll } from "../lifecycle/run.ts";
import {
  choosePaymentOutcome,
  notifyOfPayment,
  paymentsOf,
  postForm,
  fetchCheckoutPage,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import type { ProviderCharge } from "../providers/provider.ts";
import { abandonCheckouts } from "./abandon.ts";
import { followUpSandbox } from "./follow-up.ts";
import { paymentContext } from "./provider.ts";

const service = useTestService();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TIMED_OUT = "checkout.failed: pending_checkout > pending_checkout (timed_out)";
const ABANDONED = "checkout.failed: pending_checkout > pending_checkout (abandoned)";

const sweep = () => sweepAll({ ...service.context, abandonedAfter: 24 * HOUR });

async function leaveAtProvider() {
  const api = await SellerApi.open(service);
  const { subscription_id: id } = await api.create();
  const attempt = await requestCode(service, id);
  const { reference } = await submitCodePage(service, id, attempt);
  return { api, id, reference, url: `/pay/${id}?attempt=${attempt}` };
}

async function timesOf(id: string) {
  const { rows } = await service.pool.query<{ created_at: Date }>(
    "select created_at from event where subscription_id = $1 order by sequence",
    [id],
  );
  return rows.map(({ created_at }) => created_at.toISOString());
}

describe("Spec choice, failed payments: an unanswered provider page", () => {
  it("makes the payment fail after half an hour, and the checkout is abandoned a day later", async () => {
    const { api, id } = await leaveAtProvider();
    service.clock.advance(30 * MINUTE - 1);
    await sweep();
    expect(await api.events(id)).toEqual([]);
    service.clock.advance(5 * HOUR);
    await sweep();
    expect(await api.events(id)).toEqual([TIMED_OUT]);
    service.clock.set("2026-03-11T06:29:59Z");
    await sweep();
    expect(await api.events(id)).toHaveLength(1);
    service.clock.set("2026-03-14T06:00:00Z");
    await sweep();
    expect(await api.events(id)).toEqual([TIMED_OUT, ABANDONED]);
    expect(await timesOf(id)).toEqual(["2026-03-10T06:30:00.000Z", "2026-03-11T06:30:00.000Z"]);
    expect(await api.pay(id)).toBe("paid");
  });

  it("has expired after half an hour even before a sweep, and the buyer can then pay again", async () => {
    const { api, id, reference, url } = await leaveAtProvider();
    service.clock.advance(40 * MINUTE);
    const back = await service.call(null, { url: `/sandbox-pay/${reference}` });
    expect([back.statusCode, back.headers.location]).toEqual([303, url]);
    expect((await fetchCheckoutPage(service, url)).body).toContain(
      "payment timed out and nothing was charged",
    );
    expect(await api.events(id)).toEqual([TIMED_OUT]);
    expect(await api.pay(id)).toBe("paid");
  });

  it("ignores an approval that comes after half an hour", async () => {
    const { api, id, reference, url } = await leaveAtProvider();
    service.clock.advance(30 * MINUTE);
    await choosePaymentOutcome(service, reference, "approve");
    for (let notices = 0; notices < 3; notices += 1) await notifyOfPayment(service, reference);
    expect((await fetchCheckoutPage(service, url)).body).toContain("payment timed out");
    expect(await api.events(id)).toEqual([TIMED_OUT]);
    expect(await paymentsOf(service, id)).toEqual([]);
  });

  it("keeps an approval given within half an hour, even if the service learns of the approval hours later", async () => {
    const { api, id, reference } = await leaveAtProvider();
    service.clock.advance(29 * MINUTE);
    await choosePaymentOutcome(service, reference, "approve");
    service.clock.advance(2 * HOUR);
    await sweep();
    await sweep();
    expect((await api.read(id)).status).toBe("active");
  });

  it("stays expired when the sandbox clock is set back", async () => {
    const { api, id, reference } = await leaveAtProvider();
    await api.post("/sandbox/clock/advance/", { by: "PT1H" });
    await api.post("/sandbox/clock/reset/");
    await choosePaymentOutcome(service, reference, "approve");
    await notifyOfPayment(service, reference);
    expect(await api.events(id)).toEqual([TIMED_OUT]);
  });

  it("sends its timeout event before the event of the subscription's end, even if one late sweep sends both events", async () => {
    const api = await SellerApi.open(service);
    const id = await api.createActive();
    service.clock.set("2026-04-11T06:00:00Z");
    await sweep();
    const before = (await api.events(id)).length;
    await submitCodePage(service, id, await requestCode(service, id));
    service.clock.set("2026-07-01T06:00:00Z");
    await sweep();
    expect((await api.events(id)).slice(before)).toEqual([
      "checkout.failed: due > due (timed_out)",
      "subscription.status_changed: due > inactive (grace_elapsed)",
    ]);
  });

  it("that timed out does not make the checkout count as abandoned within 24 hours of a later code", async () => {
    const { api, id } = await leaveAtProvider();
    service.clock.advance(HOUR);
    await requestCode(service, id);
    service.clock.advance(23.75 * HOUR);
    await sweep();
    expect(await api.events(id)).toEqual([TIMED_OUT]);
  });

  it("is checked at the provider in one run despite 450 other open charges, and no charge is checked twice", async () => {
    const { api, id, reference } = await leaveAtProvider();
    const payments = paymentContext(service.context);
    await service.pool.query(
      `with other as (
         insert into checkout_attempt (attempt_id, seller_id, subscription_id, method, code_hash,
           state, created_at, expires_at)
         select gen_random_uuid(), $1, $2, 'bank', '', 'pending', '2026-01-01', '2026-01-01'
         from generate_series(1, 450) n returning attempt_id)
       insert into charge (charge_id, attempt_id, seller_id, subscription_id, reference, amount,
         currency, state, begun_at)
       select gen_random_uuid(), attempt_id, $1, $2, 'other-' || attempt_id, 10, 'NPR', 'open', now()
       from other`,
      [api.seller.seller_id, id],
    );
    const asked: (string | null)[] = [];
    const sandbox = payments.sandbox && {
      ...payments.sandbox,
      inquire: async (charge: ProviderCharge) => {
        asked.push(charge.reference);
        return { state: "pending" } as const;
      },
    };
    await followUpSandbox({ ...payments, sandbox });
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toContain(reference);
    for (const table of ["charge", "checkout_attempt"])
      await service.pool.query(
        `delete from ${table} where attempt_id in (
           select attempt_id from checkout_attempt where created_at < '2026-02-01')`,
      );
  });
});

describe("Spec choice, failed payments: the time until a checkout counts as abandoned", () => {
  it("restarts when the buyer orders the pending subscription again", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    service.clock.advance(20 * HOUR);
    expect((await api.create()).subscription_id).toBe(id);
    service.clock.advance(20 * HOUR);
    await abandonCheckouts(service.pool, service.clock.now());
    expect(await api.events(id)).toEqual([]);
    service.clock.advance(4 * HOUR);
    await abandonCheckouts(service.pool, service.clock.now());
    expect(await api.events(id)).toEqual([ABANDONED]);
  });
});

describe("S10: another code", () => {
  const ask = (id: string) => postForm(service, `/pay/${id}/code`, { method: "wallet" });

  it("is sent only after half a minute, and the page says this to a buyer who asks sooner", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id);
    service.clock.advance(29_999);
    const early = await ask(id);
    expect([early.outcome, early.query.get("attempt")]).toEqual(["too_soon", attempt]);
    const page = await fetchCheckoutPage(service, `${early.path}?${early.query}`);
    expect(page.body).toContain("half a minute");
    expect(page.body).toContain('name="code"');
    service.clock.advance(1);
    expect((await ask(id)).outcome).toBeNull();
  });

  it("is not sent within half a minute, even for another tab or after five wrong tries", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id);
    const other = await ask(id);
    expect([other.outcome, other.query.get("attempt")]).toEqual(["too_soon", attempt]);
    for (let guess = 0; guess < 5; guess += 1)
      await submitCodePage(service, id, attempt, { code: `10000${guess}` });
    expect((await ask(id)).outcome).toBe("too_soon");
  });

  it("is sent once for three simultaneous submissions of one form", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const { body } = await fetchCheckoutPage(service, `/pay/${id}`);
    const [, page = ""] = /name="page" value="([^"]+)"/.exec(body) ?? [];
    const fields = { method: "wallet", page };
    const sent = await Promise.all(
      [1, 2, 3].map(() => postForm(service, `/pay/${id}/code`, fields)),
    );
    const [first, ...others] = sent.map(({ query }) => query.get("attempt"));
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([first, first]);
    expect((await ask(id)).outcome).toBe("too_soon");
    service.clock.advance(31_000);
    const later = await postForm(service, `/pay/${id}/code`, fields);
    expect([null, first]).not.toContain(later.query.get("attempt"));
  });

  it("is sent without waiting to a buyer whose payment was declined", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    expect(await api.pay(id, "decline")).toBe("declined");
    expect(await api.pay(id)).toBe("paid");
  });

  it("is sent once if ten tabs request a code at the same time", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const sent = await Promise.all(Array.from({ length: 10 }, () => requestCode(service, id)));
    expect(sent.filter((attempt) => attempt !== "")).toHaveLength(1);
  });
});
