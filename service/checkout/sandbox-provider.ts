import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { CheckoutMethod, PaymentOutcome } from "#contract/names.ts";
import { queryRow, type Database } from "../db/database.ts";
import type {
  BeginAnswer,
  InquiryAnswer,
  ProviderAdapter,
  ProviderCharge,
} from "../providers/provider.ts";
import { sellerAt } from "../sellers/store.ts";

/** The result that the buyer chose on the provider's page; "expired" if none was chosen in time. */
type Outcome = PaymentOutcome | "expired";

const ANSWERS: Record<Exclude<PaymentOutcome, "approve">, InquiryAnswer> = {
  decline: { state: "failed", reason: "declined" },
  insufficient_balance: { state: "failed", reason: "insufficient_balance" },
  time_out: { state: "failed", reason: "timed_out" },
  abandon: { state: "left" },
};

/** ADR 0060: how many minutes the provider's page waits, on the seller's clock. */
const ANSWER_WITHIN_MINUTES = 30;
const sellerTime = (clock: string) =>
  `${clock}::timestamptz + s.clock_offset_ms * interval '1 millisecond'`;

/** A wallet and a bank that move no money; the buyer chooses the result on their page. */
export const createSandboxAdapter = (database: Database, now: () => Date): ProviderAdapter => ({
  provider: "sandbox",
  label: "Sandbox",
  isLocal: true,
  method: "wallet",
  settings: z.strictObject({}),
  secrets: [],
  can: {
    currencies: [],
    least: null,
    most: null,
    refund: "full",
    repeatBegin: true,
    repeatRefund: "always",
    identifyBuyer: false,
  },
  modeOf: () => "test",
  portalOf: () => null,
  formTargets: () => [],
  referenceOf: () => null,
  begin: (charge) => beginCharge(database, charge, now()),
  inquire: (charge) => answerAbout(database, charge, now()),
  refund: async ({ reference, seller_id }) => {
    await database.query(
      "update sandbox_charge set returned_at = coalesce(returned_at, now()) where seller_id = $2 and reference = $1",
      [reference, seller_id],
    );
    return { state: "done", refund_id: null };
  },
  readReturn: () => null,
  check: async () => ({ ok: true, text: "The sandbox needs no credentials." }),
});

/** The page closes by the seller's clock, which `expires_at` shows too. */
async function beginCharge(
  database: Database,
  { charge_id, seller_id }: ProviderCharge,
  clock: Date,
): Promise<BeginAnswer> {
  const { rows } = await database.query<{ reference: string; expires_at: Date }>(
    `insert into sandbox_charge (reference, attempt_id, seller_id, expires_at)
     select $1, c.attempt_id, s.seller_id,
       ${sellerTime("$3")} + interval '${ANSWER_WITHIN_MINUTES} minutes'
     from charge c join seller s using (seller_id)
     where c.seller_id = $4 and c.charge_id = $2
     on conflict (seller_id, attempt_id) do update set attempt_id = excluded.attempt_id
     returning reference, expires_at`,
    [randomUUID(), charge_id, clock, seller_id],
  );
  const [charge] = rows;
  if (!charge) throw new Error("The charge to begin was not found.");
  const hand_over = { kind: "redirect", url: `/sandbox-pay/${charge.reference}` } as const;
  return { state: "begun", ...charge, hand_over };
}

/** Answers as real providers do: pending at first, then always the same result. */
async function answerAbout(
  database: Database,
  { reference, seller_id, amount, currency }: ProviderCharge,
  clock: Date,
): Promise<InquiryAnswer> {
  // The expiry is stored, so that setting the clock back does not undo it.
  await database.query(
    `update sandbox_charge c set choice = 'expired', times_asked = 1 from seller s
     where c.seller_id = $3 and c.reference = $1 and s.seller_id = c.seller_id
       and c.choice is null and c.expires_at <= ${sellerTime("$2")}`,
    [reference, clock, seller_id],
  );
  const { rows } = await database.query<{
    choice: Outcome;
    times_asked: number;
    expires_at: Date;
  }>(
    `update sandbox_charge set times_asked = times_asked + 1
     where seller_id = $2 and reference = $1 and choice is not null
     returning choice, times_asked, expires_at`,
    [reference, seller_id],
  );
  const [charge] = rows;
  if (!charge || charge.times_asked <= 1) return { state: "pending" };
  const { choice, expires_at: at } = charge;
  if (choice === "expired") return { state: "failed", reason: "timed_out", at };
  if (choice !== "approve") return ANSWERS[choice];
  const transaction_id = reference ?? "";
  return { state: "approved", amount, currency, transaction_id, fee: null, at: null };
}

export interface SandboxCharge {
  reference: string;
  attempt_id: string;
  subscription_id: string;
  is_open: boolean;
  method: CheckoutMethod;
  amount: string;
  currency: string;
  seller_name: string;
}

export const findSandboxCharge = (database: Database, reference: string, clock: Date) =>
  queryRow<SandboxCharge>(
    database,
    `select c.reference, c.attempt_id, c.choice is null and c.expires_at > ${sellerTime("$2")} as is_open,
       a.subscription_id, a.method, a.amount::text as amount, a.currency, coalesce(s.checkout_name, s.name) as seller_name
     from sandbox_charge c join checkout_attempt a using (seller_id, attempt_id)
       join seller s using (seller_id)
     where c.seller_id = ${sellerAt("$1")} and c.reference = $1`,
    [reference, clock],
  );

/** Stores the first choice, unless it comes too late. @returns whether this choice was stored */
export async function chooseOutcome(
  database: Database,
  { reference, choice }: { reference: string; choice: PaymentOutcome },
  clock: Date,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update sandbox_charge c set choice = $2 from seller s
     where c.seller_id = ${sellerAt("$1")} and c.reference = $1 and s.seller_id = c.seller_id
       and c.choice is null and c.expires_at > ${sellerTime("$3")}`,
    [reference, choice, clock],
  );
  return rowCount === 1;
}
