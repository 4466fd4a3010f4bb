import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  paymentsOf,
  postForm,
  fetchCheckoutPage,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { testCodeOf } from "./codes.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const MINUTE = 60_000;

async function begin() {
  const api = await SellerApi.open(service);
  const { subscription_id: id } = await api.create();
  return { api, id, attempt: await requestCode(service, id) };
}

async function expectUnpaid(api: SellerApi, id: string) {
  expect((await api.read(id)).status).toBe("pending_checkout");
  expect(await paymentsOf(service, id)).toEqual([]);
  expect(await api.events(id)).toEqual([]);
}

describe("S10: a code", () => {
  it("must be entered correctly before a payment begins", async () => {
    const { api, id, attempt } = await begin();
    const right = testCodeOf(attempt);
    for (const code of ["", " ", right.slice(1), `${right}0`])
      expect((await submitCodePage(service, id, attempt, { code })).path).toBe(`/pay/${id}`);
    expect((await postForm(service, `/pay/${id}/pay`, { attempt })).outcome).toBe("expired");
    await expectUnpaid(api, id);
  });

  it("allows five tries, even concurrent ones, and after five wrong tries the right code is refused", async () => {
    const { api, id, attempt } = await begin();
    const guesses = Array.from({ length: 12 }, (_, index) => String(100_000 + index));
    const outcomes = await Promise.all(
      guesses.map(
        async (code) => (await submitCodePage(service, id, attempt, { code })).outcome,
      ),
    );
    expect(outcomes.filter((one) => one === "wrong_code")).toHaveLength(4);
    expect((await submitCodePage(service, id, attempt)).outcome).toBe("expired");
    await expectUnpaid(api, id);
  });

  it("is no longer valid after ten minutes", async () => {
    const { api, id, attempt } = await begin();
    service.clock.advance(10 * MINUTE);
    expect((await submitCodePage(service, id, attempt)).outcome).toBe("expired");
    const page = await fetchCheckoutPage(service, `/pay/${id}?attempt=${attempt}`);
    expect(page.body).toContain("no longer valid");
    await expectUnpaid(api, id);
  });

  it("is sent at most twenty times an hour for one subscription", async () => {
    const { id } = await begin();
    for (let sent = 1; sent < 20; sent += 1) {
      service.clock.advance(MINUTE / 2);
      expect(await requestCode(service, id)).not.toBe("");
    }
    service.clock.advance(MINUTE / 2);
    const refused = await postForm(service, `/pay/${id}/code`, { method: "bank" });
    expect(refused.outcome).toBe("too_many");
    service.clock.advance(61 * MINUTE);
    expect(await requestCode(service, id)).not.toBe("");
  });

  it("sent to one buyer is refused at the checkout of another buyer", async () => {
    const [one, other] = [await begin(), await begin()];
    expect((await submitCodePage(service, other.id, one.attempt)).outcome).toBe("expired");
    const page = await fetchCheckoutPage(service, `/pay/${other.id}?attempt=${one.attempt}`);
    expect(page.body).not.toContain(one.attempt);
    await expectUnpaid(other.api, other.id);
  });
});

describe("S10: a price", () => {
  it.each(["0.01", "0", "-1130.00", "1130", "1130.000", "NaN", ""])(
    "of %j instead of the total is not charged, and the total is shown again",
    async (total) => {
      const { api, id, attempt } = await begin();
      const sent = await submitCodePage(service, id, attempt, { total });
      expect([sent.path, sent.outcome]).toEqual([`/pay/${id}`, "price_changed"]);
      const page = await fetchCheckoutPage(service, `/pay/${id}?${sent.query}`);
      expect(page.body).toContain("Pay NPR 1,130.00");
      await expectUnpaid(api, id);
    },
  );

  it("that changed while the page was open is shown to the buyer before the payment begins", async () => {
    const { api, id, attempt } = await begin();
    const seen = { total: "1130.00" };
    await service.pool.query("update billing_period set price = 900 where pbp_id = $1", [
      api.periods.monthly,
    ]);
    const sent = await submitCodePage(service, id, attempt, seen);
    const page = await fetchCheckoutPage(service, `/pay/${id}?${sent.query}`);
    expect(page.body).toContain("price has changed");
    expect(page.body).toContain("Pay NPR 1,017.00");
    expect((await submitCodePage(service, id, attempt)).path).toMatch(/^\/sandbox-pay\//);
  });
});

describe("S10: a form", () => {
  it.each<[string, Record<string, string>]>([
    ["another origin", { origin: "https://evil.example" }],
    ["the same host by another scheme", { origin: "https://localhost:80" }],
    ["an opaque origin", { origin: "null" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sister site", { "sec-fetch-site": "same-site" }],
  ])("from %s is refused at every route", async (_name, headers) => {
    const { api, id, attempt } = await begin();
    const { reference } = await submitCodePage(service, id, attempt);
    const pages = ["code", "pay", "again", "details/code", "details"].map(
      (page) => `/pay/${id}/${page}`,
    );
    for (const url of [...pages, `/sandbox-pay/${reference}`])
      expect((await postForm(service, url, { outcome: "approve" }, headers)).status).toBe(403);
    await expectUnpaid(api, id);
  });

  it("sent three times at once, and once more afterwards, begins one charge", async () => {
    const { id, attempt } = await begin();
    const sent = await Promise.all([1, 2, 3].map(() => submitCodePage(service, id, attempt)));
    sent.push(await submitCodePage(service, id, attempt, { code: "000000" }));
    expect(new Set(sent.map(({ path }) => path)).size).toBe(1);
    expect(sent[0]?.path).toMatch(/^\/sandbox-pay\//);
  });

  it("on a page that was opened before the subscription was paid does not begin another payment", async () => {
    const { api, id, attempt } = await begin();
    service.clock.advance(MINUTE);
    await api.pay(id);
    expect((await submitCodePage(service, id, attempt)).outcome).toBe("settled");
    expect((await postForm(service, `/pay/${id}/code`, { method: "wallet" })).outcome).toBe(
      "settled",
    );
    expect(await paymentsOf(service, id)).toHaveLength(1);
  });
});

describe("S10: a checkout URL", () => {
  it("with a guessed id gets a 404, and with a guessed attempt shows no payment", async () => {
    const { id } = await begin();
    for (const url of [
      `/pay/${randomUUID()}`,
      `/sandbox-pay/${randomUUID()}`,
      "/sandbox-pay/x",
    ])
      expect((await fetchCheckoutPage(service, url)).status).toBe(404);
    const guess = await fetchCheckoutPage(
      service,
      `/pay/${id}?attempt=${randomUUID()}&outcome=paid`,
    );
    expect(guess.body).not.toContain("received");
  });

  it("with a made-up outcome does not make the page report a payment", async () => {
    const { id } = await begin();
    for (const query of [
      "?outcome=paid",
      "?outcome=__proto__",
      "?outcome=constructor",
      "?early=1",
    ])
      expect((await fetchCheckoutPage(service, `/pay/${id}${query}`)).body).not.toMatch(
        /received|native code/,
      );
  });

  it("is served with headers that forbid frames, scripts and forms to other sites", async () => {
    const { id, attempt } = await begin();
    const { path } = await submitCodePage(service, id, attempt);
    for (const url of [`/pay/${id}`, `/pay/${id}?attempt=${attempt}`, path]) {
      const { headers } = await fetchCheckoutPage(service, url);
      expect(headers["content-security-policy"]).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      });
    }
  });
});
