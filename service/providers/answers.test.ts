import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProviderFault, type ProviderCharge } from "./provider.ts";
import {
  adapterOf,
  chargeFor,
  NAMES,
  settingsOf,
  usePaymentSimulators,
  type Name,
} from "../testing/payment-providers.ts";

usePaymentSimulators();

interface Answer {
  status: number;
  body: string;
}
let current: Answer;
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(current.status).end(current.body));
});
beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => new Promise((done) => server.close(done)));

/** The only answers that may be approvals, written again without the adapters' code. */
const RULES: Record<Name, (json: Record<string, unknown>, charge: ProviderCharge) => boolean> =
  {
    khalti: (json, { reference }) => json.pidx === reference && is(json.status, "Completed"),
    esewa: (json, { charge_id }) =>
      json.transaction_uuid === charge_id && json.status === "COMPLETE",
    connectips: (json, { reference }) =>
      json.referenceId === reference && json.status === "SUCCESS",
    fonepay: (json, { reference }) =>
      json.prn === reference && is(json.paymentStatus, "success"),
    fonepay_qr: (json, { reference }) =>
      json.prn === reference && is(json.paymentStatus, "success"),
    stripe: (json, { reference }) =>
      json.id === reference && json.status === "complete" && json.payment_status === "paid",
  };
const is = (value: unknown, word: string) =>
  typeof value === "string" && value.toLowerCase() === word.toLowerCase();

/** An answer of each provider that approves. */
const goodFor = ({ charge_id, reference }: ProviderCharge): Record<Name, object> => ({
  khalti: {
    pidx: reference,
    status: "Completed",
    total_amount: 120_050,
    transaction_id: "T1",
    fee: 0,
    refunded: false,
  },
  esewa: {
    transaction_uuid: charge_id,
    product_code: "EPAYTEST",
    status: "COMPLETE",
    total_amount: 1200.5,
    ref_id: "R1",
  },
  connectips: { referenceId: reference, status: "SUCCESS", txnAmt: "120050", txnId: 9 },
  fonepay: {
    prn: reference,
    merchantCode: "fonepay123",
    paymentStatus: "success",
    fonepayTraceId: 7,
  },
  fonepay_qr: {
    prn: reference,
    merchantCode: "fonepay123",
    paymentStatus: "success",
    fonepayTraceId: 7,
  },
  stripe: {
    id: reference,
    status: "complete",
    payment_status: "paid",
    amount_total: 120_050,
    currency: "npr",
    payment_intent: { id: "pi_1", status: "succeeded" },
  },
});

const word = fc.constantFrom(
  "Completed",
  "COMPLETE",
  "SUCCESS",
  "success",
  "paid",
  "complete",
  "open",
  "expired",
  "Refunded",
  "User canceled",
  "9812345678",
  "khalti-key-6b1f",
  "connectips-password-3d90",
  "fonepay-key-a4c2",
  "sk_test_51SimulatedKey90ab",
  true,
  null,
  0,
  1,
  -1,
  1e21,
  "1,200.505",
);
const value = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const NAMES_OF_FIELDS = [
  "pidx",
  "status",
  "total_amount",
  "transaction_id",
  "fee",
  "refunded",
  "transaction_uuid",
  "product_code",
  "ref_id",
  "code",
  "referenceId",
  "txnAmt",
  "creditStatus",
  "prn",
  "merchantCode",
  "paymentStatus",
  "fonepayTraceId",
  "requestedAmount",
  "errorCode",
  "message",
  "id",
  "payment_status",
  "amount_total",
  "currency",
  "payment_intent",
  "error",
] as const;
const changes = fc.dictionary(fc.constantFrom(...NAMES_OF_FIELDS), value, { maxKeys: 3 });
const status = fc.oneof(
  { weight: 4, arbitrary: fc.constant(200) },
  { weight: 1, arbitrary: fc.constantFrom(400, 404, 406, 409, 429, 500) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) },
);
const raw = fc.oneof(
  fc.json(),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom("", "null", "[]", "SUCCESS", "<html>Completed</html>"),
);

describe.each(NAMES)("a random answer from %s", (name) => {
  it("approves a charge only by that provider's rule, and no error or state repeats a secret or phone number", async () => {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const pointed = { baseUrl: url, statusUrl: url, verificationBase: url };
    const own = settingsOf(name);
    const settings = {
      ...own,
      ...Object.fromEntries(Object.entries(pointed).filter(([field]) => field in own)),
    };
    const charge = chargeFor(name, { begun_at: new Date(Date.now() - 7_200_000) });
    charge.reference ??= name === "stripe" ? "cs_test_1" : "pidx1";
    const good = goodFor(charge)[name];
    const times = { approved: 0 };
    const hidden = [
      "12345678",
      ...adapterOf(name).secrets.map((secret) =>
        String((own as Record<string, unknown>)[secret]),
      ),
    ];
    const expectClean = (text: string) => {
      for (const part of hidden) expect(text).not.toContain(part);
    };
    const body = fc.oneof(
      { weight: 4, arbitrary: changes.map((changed) => ({ ...good, ...changed })) },
      { weight: 1, arbitrary: raw },
    );
    await fc.assert(
      fc.asyncProperty(status, body, async (code, given) => {
        current = {
          status: code,
          body: typeof given === "string" ? given : JSON.stringify(given),
        };
        const io = { signal: new AbortController().signal, allowPrivate: true };
        const said = await adapterOf(name)
          .inquire(charge, settings, io)
          .catch((error: unknown) => error);
        if (said instanceof Error) {
          expect(said).toBeInstanceOf(ProviderFault);
          expectClean(said.message);
          return;
        }
        const answer = said as Awaited<ReturnType<ReturnType<typeof adapterOf>["inquire"]>>;
        if (answer.state === "held") {
          expect(answer.word.length).toBeLessThanOrEqual(40);
          expectClean(answer.word);
        }
        if (answer.state !== "approved") return;
        times.approved += 1;
        expect(RULES[name](JSON.parse(current.body) as Record<string, unknown>, charge)).toBe(
          true,
        );
        expect(answer.amount).toMatch(/^\d+\.\d{2}$/);
        expect(answer.currency).toMatch(/^[A-Z]{3}$/);
      }),
      { numRuns: 300, examples: [[200, JSON.stringify(good)]] },
    );
    expect(times.approved).toBeGreaterThan(0);
  }, 60_000);
});
