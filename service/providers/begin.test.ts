import { describe, expect, it } from "vitest";
import type { BeginAnswer } from "./provider.ts";
import {
  usePaymentSimulators,
  BEGINS_AT_PROVIDER,
  adapterOf,
  bookOf,
  simulatorOf,
  chargeFor,
  begin,
  inquire,
  handOver,
  faultOf,
  LONG_AGO,
} from "../testing/payment-providers.ts";

usePaymentSimulators();

describe.each(BEGINS_AT_PROVIDER)("beginning a charge at %s", (name) => {
  it.each([
    ["hang_after", "unknown"],
    ["close_after", "unknown"],
    ["close_mid_answer", "unknown"],
    ["bad_gateway", "unknown"],
    ["html", "unknown"],
    ["too_many", "busy"],
    ["refused", "credentials"],
  ] as const)(
    "reports the provider failure %s as a fault of the kind %s",
    async (fault, kind) => {
      simulatorOf(name).next(fault);
      const begun = begin(name, chargeFor(name), { beginSeconds: 1 });
      expect((await faultOf(begun)).kind).toBe(kind);
    },
  );

  it("fails if the URL of the payment page is not an http or https URL", async () => {
    if (name === "fonepay_qr") return;
    for (const url of ["javascript:alert(1)", "data:text/html,x", "/pay", null, 5]) {
      bookOf(name).answerNext({ payment_url: url, url });
      expect((await faultOf(begin(name, chargeFor(name)))).kind).toBe("unknown");
    }
  });

  it("again after a lost answer creates a second payment only at Khalti", async () => {
    const charge = chargeFor(name);
    simulatorOf(name).next("close_after");
    await faultOf(begin(name, charge));
    const again = await begin(name, charge);
    expect(adapterOf(name).can.repeatBegin).toBe(name === "stripe");
    // Khalti makes a second charge, Fonepay refuses the reference.
    expect(again.state).toBe(name === "fonepay_qr" ? "refused" : "begun");
    expect(bookOf(name).payments.size).toBe(name === "khalti" ? 2 : 1);
  });
});

describe("a charge that the browser sends to the provider", () => {
  it.each(["esewa", "connectips", "fonepay"] as const)(
    "is refused by %s when it is sent a second time",
    async (name) => {
      const charge = chargeFor(name);
      const answer = await begin(name, charge);
      expect(await begin(name, charge)).toEqual(answer);
      expect((await handOver(answer)).status).toBe(200);
      expect((await handOver(answer)).status).toBeGreaterThanOrEqual(400);
    },
  );

  it.each(["esewa", "connectips", "fonepay"] as const)(
    "is refused by %s if the browser changed the amount",
    async (name) => {
      const answer = await begin(name, chargeFor(name));
      if (answer.state !== "begun") throw new Error("not begun");
      const { hand_over } = answer;
      const url = new URL(hand_over.kind === "redirect" ? hand_over.url : "http://x.example");
      url.searchParams.set("AMT", "1");
      const changed: BeginAnswer = {
        ...answer,
        hand_over:
          hand_over.kind === "form"
            ? {
                ...hand_over,
                fields: { ...hand_over.fields, total_amount: "1", amount: "1", TXNAMT: "100" },
              }
            : { kind: "redirect", url: url.href },
      };
      expect((await handOver(changed)).status).toBeGreaterThanOrEqual(400);
      expect(bookOf(name).payments.size).toBe(0);
    },
  );
});

describe("a charge whose payment page the buyer never opened", () => {
  it.each(["esewa", "connectips", "fonepay", "fonepay_qr"] as const)(
    'is "pending" at %s until the payment page expires, and "left" afterwards',
    async (name) => {
      expect(await inquire(name, chargeFor(name))).toEqual({ state: "pending" });
      const late = chargeFor(name, { begun_at: LONG_AGO });
      expect(await inquire(name, late)).toEqual({ state: "left" });
    },
  );
});
