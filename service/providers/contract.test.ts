import { describe, expect, it } from "vitest";
import type { GatewayFault } from "#tools/simulators/gateway-simulator.ts";
import type { ProviderFault } from "./provider.ts";
import {
  usePaymentSimulators,
  NAMES,
  adapterOf,
  io,
  settingsOf,
  bookOf,
  simulatorOf,
  chargeFor,
  begin,
  inquire,
  open,
  decideOnPage,
  expectClean,
  faultOf,
  LONG_AGO,
} from "../testing/payment-providers.ts";

usePaymentSimulators();

describe.each(NAMES)("the adapter for %s", (name) => {
  it("begins a charge, and reports the amount, currency and transaction ID once the buyer has paid", async () => {
    const charge = await open(name);
    expect(await inquire(name, charge)).toEqual({ state: "pending" });
    await decideOnPage(name, charge.reference, "approve");
    const answer = await inquire(name, charge);
    expect(answer).toMatchObject({
      state: "approved",
      amount: "1200.50",
      currency: "NPR",
      transaction_id: expect.stringMatching(/./),
    });
    expectClean(answer);
  });

  it("gives the browser no secret, and allows a form to be sent only to the provider", async () => {
    const answer = await begin(name, chargeFor(name));
    const text = JSON.stringify(answer);
    for (const secret of adapterOf(name).secrets)
      expect(text).not.toContain(String((settingsOf(name) as Record<string, unknown>)[secret]));
    const targets = adapterOf(name).formTargets(settingsOf(name));
    const isForm = answer.state === "begun" && answer.hand_over.kind === "form";
    expect(targets).toEqual(isForm ? [simulatorOf(name).url] : []);
    expect(adapterOf(name).modeOf(settingsOf(name))).toBe("test");
  });

  it("keeps an unpaid charge pending although a forged return URL says that the buyer has paid", async () => {
    const charge = await open(name);
    const forged = {
      pidx: charge.reference,
      TXNID: charge.reference,
      PRN: charge.reference,
      session_id: charge.reference,
      status: "Completed",
      PS: "true",
      data: Buffer.from(
        JSON.stringify({ transaction_uuid: charge.reference, status: "COMPLETE" }),
      ).toString("base64"),
    };
    const reference = adapterOf(name).readReturn(forged);
    expect(reference).toBe(name === "fonepay_qr" ? null : charge.reference);
    expect(await inquire(name, charge)).toEqual({ state: "pending" });
  });

  it("reads the charge's reference from a genuine return URL, and null from a malformed one", async () => {
    const charge = await open(name);
    const query = await decideOnPage(name, charge.reference, "approve");
    const readReturn = (given: Record<string, string>) => adapterOf(name).readReturn(given);
    if (name === "fonepay_qr") expect(query).toBeNull();
    else expect(readReturn(query ?? {})).toBe(charge.reference);
    for (const other of [{}, { data: "%%%" }, { data: "e30" }, { pidx: "../x" }, { TXNID: "" }])
      expect(readReturn(other as Record<string, string>)).toBeNull();
  });

  it.each(["decline", "cancel", "expire"] as const)(
    'reports no payment after the outcome "%s", but approves the charge if the buyer pays later',
    async (outcome) => {
      const charge = { ...(await open(name)), begun_at: LONG_AGO };
      bookOf(name).decide(charge.reference, outcome);
      const before = await inquire(name, charge);
      expect(before.state).toMatch(/^(pending|failed|left)$/);
      bookOf(name).decide(charge.reference, "approve");
      expect(await inquire(name, charge)).toMatchObject({
        state: "approved",
        amount: "1200.50",
      });
    },
  );

  it('reports a charge with an expired, unused payment page as "left", or as "pending" at Fonepay', async () => {
    const charge = { ...(await open(name)), begun_at: LONG_AGO };
    bookOf(name).setClock(4 * 3_600);
    bookOf(name).decide(charge.reference, "expire");
    const { state } = await inquire(name, charge);
    expect(state).toBe(name.startsWith("fonepay") ? "pending" : "left");
  });

  it("reports the amount that the provider says was paid, even if the charge has another amount", async () => {
    const charge = await open(name);
    bookOf(name).decide(charge.reference, "approve");
    bookOf(name).answerNext(
      {
        khalti: { total_amount: 120_051 },
        esewa: { total_amount: "1,200.51" },
        connectips: { txnAmt: "120051" },
        fonepay: { totalTransactionAmount: "1200.51" },
        fonepay_qr: { requestedAmount: 1200.51 },
        stripe: { amount_total: 120_051 },
      }[name],
    );
    expect(await inquire(name, charge)).toMatchObject({ state: "approved", amount: "1200.51" });
  });

  it.each(["RECONSIDERED", "नमस्ते", "9812345678", "<script>", ""])(
    'reports the unknown provider status %o as "held", for a person to check',
    async (word) => {
      const charge = await open(name);
      bookOf(name).decide(charge.reference, "approve");
      const field = name.startsWith("fonepay") ? "paymentStatus" : "status";
      bookOf(name).answerNext({ [field]: word });
      const answer = await inquire(name, charge);
      expect(answer).toEqual({
        state: "held",
        word: word === "RECONSIDERED" ? word : "unreadable",
      });
    },
  );

  it('reports an approval without an amount or a transaction ID as "held"', async () => {
    const charge = await open(name);
    bookOf(name).decide(charge.reference, "approve");
    const without = {
      khalti: { transaction_id: null },
      esewa: { ref_id: null },
      connectips: { txnAmt: "12.5 rupees" },
      fonepay: { fonepayTraceId: null },
      fonepay_qr: { fonepayTraceId: null },
      stripe: { amount_total: null },
    }[name];
    bookOf(name).answerNext(without);
    expect(await inquire(name, charge)).toMatchObject({ state: "held" });
  });

  it("reports a fault if the provider's answer is about another charge", async () => {
    const charge = await open(name);
    bookOf(name).decide(charge.reference, "approve");
    const field = {
      khalti: "pidx",
      esewa: "transaction_uuid",
      connectips: "referenceId",
      fonepay: "prn",
      fonepay_qr: "prn",
      stripe: "id",
    }[name];
    bookOf(name).answerNext({ [field]: "another" });
    expect((await faultOf(inquire(name, charge))).kind).toBe("unknown");
  });

  it.each([
    ["too_many", "busy", 7],
    ["busy", "busy", 30],
    ["bad_gateway", "unknown", null],
    ["server_error", "unknown", null],
    ["close_before", "unknown", null],
    ["close_mid_answer", "unknown", null],
    ["html", "unknown", null],
    ["empty", "unknown", null],
    ["huge", "unknown", null],
    ["redirect", "unknown", null],
    ["refused", "credentials", null],
  ] as [GatewayFault, ProviderFault["kind"], number | null][])(
    "reports the provider failure %s during a status inquiry as a fault of the kind %s",
    async (fault, kind, retryAfter) => {
      const charge = await open(name);
      bookOf(name).decide(charge.reference, "approve");
      simulatorOf(name).next(fault);
      expect(await faultOf(inquire(name, charge))).toMatchObject({ kind, retryAfter });
      expect(await inquire(name, charge)).toMatchObject({ state: "approved" });
    },
  );

  it.each(["hang_before", "slow"] as const)(
    "ends a status inquiry with a fault at the time limit if the provider is too slow (%s)",
    async (fault) => {
      const charge = await open(name);
      simulatorOf(name).next(fault);
      const { kind } = await faultOf(inquire(name, charge, { askSeconds: 1 }));
      expect(kind).toBe("unknown");
    },
  );

  it("distinguishes an unreachable provider from a forbidden address or missing settings", async () => {
    const charge = await open(name);
    const closed = "http://127.0.0.1:9";
    const away = {
      baseUrl: closed,
      statusUrl: `${closed}/status`,
      verificationBase: closed,
    };
    const known = Object.keys(settingsOf(name));
    const changed = Object.fromEntries(
      Object.entries(away).filter(([field]) => known.includes(field)),
    );
    expect((await faultOf(inquire(name, charge, changed))).kind).toBe("not_reached");
    const live = { signal: io().signal, allowPrivate: false };
    const asked = adapterOf(name).inquire(charge, settingsOf(name), live);
    expect((await faultOf(asked)).kind).toBe("credentials");
    const incomplete = adapterOf(name).inquire(charge, { environment: "test" }, io());
    expect((await faultOf(incomplete)).kind).toBe("credentials");
  });

  it("reports wrong credentials at a status inquiry and at the check of the account's settings", async () => {
    const charge = await open(name);
    const wrong = {
      khalti: { secretKey: "another-key" },
      esewa: { productCode: "OTHER" },
      connectips: { password: "another-password" },
      fonepay: { password: "another-password" },
      fonepay_qr: { secretKey: "another-key" },
      stripe: { secretKey: "sk_test_another" },
    }[name];
    const { kind } = await faultOf(inquire(name, charge, wrong));
    // eSewa is asked without a key, and answers a wrong product code like any other fault.
    expect(kind).toBe(name === "esewa" ? "unknown" : "credentials");
    const checked = await adapterOf(name).check(settingsOf(name, wrong), io());
    expect(checked.ok).toBe(false);
    expect(checked.text).not.toContain("another");
    expect(await adapterOf(name).check(settingsOf(name), io())).toMatchObject({ ok: true });
    expect(bookOf(name).payments.size).toBe(1);
  });

  it.each(["server_error", "too_many", "close_before", "redirect"] as const)(
    "fails the check of the account's settings after the provider failure %s",
    async (fault) => {
      simulatorOf(name).next(fault);
      const checked = await adapterOf(name).check(settingsOf(name), io());
      expect(checked.ok).toBe(false);
      expectClean(checked);
    },
  );

  it("refuses an unsupported currency without sending a request to the provider", async () => {
    const answer = await begin(name, chargeFor(name, { currency: "KWD" }));
    expect(answer).toMatchObject({ state: "refused", why: "currency" });
    expect(simulatorOf(name).requests).toEqual([]);
  });

  it("accepts live credentials only with https URLs", () => {
    const live = { ...settingsOf(name, { environment: "live" }) } as Record<string, unknown>;
    if (name === "stripe") live.secretKey = "sk_live_51SimulatedKey90ab";
    const { settings } = adapterOf(name);
    const problems = settings.safeParse(live).error?.issues.map(({ path }) => path[0]);
    expect(problems).toContain(
      { esewa: "formUrl", fonepay: "pageUrl" }[name as string] ?? "baseUrl",
    );
    for (const [field, value] of Object.entries(live))
      if (typeof value === "string") live[field] = value.replace("http://", "https://");
    expect(settings.safeParse(live).success).toBe(true);
    expect(adapterOf(name).modeOf(live)).toBe("live");
  });

  it("refuses settings with an unknown field or an unknown environment", () => {
    const { settings } = adapterOf(name);
    expect(settings.safeParse(settingsOf(name)).success).toBe(true);
    expect(settings.safeParse(settingsOf(name, { other: 1 })).success).toBe(false);
    expect(settings.safeParse(settingsOf(name, { environment: "both" })).success).toBe(false);
  });
});
