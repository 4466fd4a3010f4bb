import * as z from "zod";
import {
  ProviderFault,
  type BeginAnswer,
  type BeginDetails,
  type HandOver,
  type InquiryAnswer,
  type ProviderAdapter,
  type ProviderCharge,
  type RefundAnswer,
} from "../providers/provider.ts";
import type { TestSeller, TestService } from "./service.ts";
import { encryptSecret } from "../webhooks/secret.ts";
import { TEST_SECRETS_KEY } from "./service.ts";

type Answers = "approve" | "silent" | InquiryAnswer;

/**
 * A provider that gives the answers of a test, and remembers the requests. The account that it
 * serves is named by its setting `shop`.
 */
export class FakeProvider {
  readonly begun: { reference: string; charge: ProviderCharge; details: BeginDetails }[] = [];
  readonly asked: string[] = [];
  readonly refunds: { reference: string | null; key: string; amount: string }[] = [];
  handOver: HandOver["kind"] = "redirect";
  /** Whether the service chooses the reference, which it then stores before the begin. */
  ownReference = false;
  /** What the next calls of `begin` answer. */
  begins: (BeginAnswer | "lost" | "unreachable")[] = [];
  /** Which of its refunds can be repeated. */
  repeatRefund: "always" | "never" = "always";
  refunding: RefundAnswer | "silent" = { state: "done", refund_id: "r-1" };
  private readonly answers = new Map<string, Answers>();
  private standard: Answers = { state: "pending" };
  private hanging: (() => void)[] = [];

  /** Sets the answers about a charge; without a reference, about all that have none yet. */
  answer(answer: Answers, reference?: string) {
    if (reference === undefined) this.standard = answer;
    else this.answers.set(reference, answer);
  }

  get hangs() {
    return this.hanging.length > 0;
  }

  /** Makes the inquiries that hang fail. */
  release() {
    for (const end of this.hanging.splice(0)) end();
  }

  adapter(provider = "fake"): ProviderAdapter {
    const settings = z.strictObject({
      shop: z.string().describe("The shop"),
      key: z.string().describe("The key"),
      mode: z.enum(["test", "live"]).default("test").describe("The mode"),
    });
    const keyOf = (known: Record<string, unknown>) => settings.parse(known).key;
    return {
      provider,
      label: provider === "fake" ? "Fake Pay" : provider,
      method: "wallet",
      settings,
      secrets: ["key"],
      merchant: ["shop"],
      can: {
        currencies: ["NPR"],
        least: "10.00",
        most: "100000.00",
        refund: "partial",
        repeatBegin: false,
        repeatRefund: this.repeatRefund,
        identifyBuyer: provider !== "card",
      },
      modeOf: (known) => settings.parse(known).mode,
      portalOf: () => "merchant.fake.example",
      formTargets: () => ["https://bank.fake.example"],
      referenceOf: (chargeId) => (this.ownReference ? `own-${chargeId}` : null),
      begin: async (charge, details) => this.begin(charge, details),
      inquire: async (charge) => this.inquire(charge),
      refund: async ({ reference }, { key, amount }) => {
        this.refunds.push({ reference, key, amount });
        if (this.refunding === "silent") throw new ProviderFault("unknown", "no answer");
        return this.refunding;
      },
      inquireRefund: async () => {
        if (this.refunding === "silent") throw new ProviderFault("unknown", "no answer");
        return this.refunding;
      },
      readReturn: (query) => query.ref ?? null,
      readNotice: ({ headers, body }, known) =>
        headers["x-signature"] === keyOf(known) ? body : null,
      check: async (known) => ({ ok: keyOf(known) !== "wrong", text: "Asked." }),
    };
  }

  private begin(charge: ProviderCharge, details: BeginDetails): BeginAnswer {
    const told = this.begins.shift();
    const reference = charge.reference ?? `fake-${charge.charge_id}`;
    if (told === "unreachable") throw new ProviderFault("not_reached", "no connection");
    this.begun.push({ reference, charge, details });
    if (told === "lost") throw new ProviderFault("unknown", "no answer");
    return (
      told ?? { state: "begun", reference, hand_over: this.hands(reference), expires_at: null }
    );
  }

  private hands(reference: string): HandOver {
    const url = `https://fake.example/pay?ref=${reference}`;
    switch (this.handOver) {
      case "redirect":
        return { kind: "redirect", url };
      case "form":
        return { kind: "form", action: "https://form.fake.example/pay", fields: { reference } };
      case "qr":
        return { kind: "qr", text: reference };
      case "push":
        return { kind: "push" };
    }
  }

  private async inquire(charge: ProviderCharge): Promise<InquiryAnswer> {
    const reference = charge.reference ?? "";
    this.asked.push(reference);
    const answer = this.answers.get(reference) ?? this.standard;
    if (answer === "silent") {
      await new Promise<void>((done) => this.hanging.push(done));
      throw new ProviderFault("unknown", "no answer");
    }
    if (answer !== "approve") return answer;
    const { amount, currency } = charge;
    return {
      state: "approved",
      amount,
      currency,
      transaction_id: `t-${reference}`,
      fee: "5.00",
      at: null,
    };
  }
}

/** Sets up an account at a fake provider, as its seller would. @returns its id and its key */
export async function addFakeAccount(
  { pool, clock, context }: TestService,
  { seller_id }: TestSeller,
  provider = "fake",
) {
  const settings = JSON.stringify({ shop: "one", key: "k", mode: context.mode });
  const { rows } = await pool.query<{ account_id: number; account_key: string }>(
    `insert into payment_account (seller_id, mode, provider, sealed_settings, position, created_at)
     values ($1, $2, $3, $4, 1, $5) returning account_id, account_key`,
    [
      seller_id,
      context.mode,
      provider,
      encryptSecret(TEST_SECRETS_KEY, seller_id, settings),
      clock.now(),
    ],
  );
  return rows[0] as { account_id: number; account_key: string };
}
