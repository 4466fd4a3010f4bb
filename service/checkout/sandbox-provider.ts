import { randomUUID } from "node:crypto";
import type { CheckoutMethod, PaymentOutcome } from "#contract/names.ts";
import { queryRow, type Database } from "../db/database.ts";
import type { Charge, PaymentProvider, ProviderResult, StartedCharge } from "./provider.ts";

/** The result that the buyer chose on the provider's page; "expired" if none was chosen in time. */
type Outcome = PaymentOutcome | "expired";

const ANSWERS: Record<PaymentOutcome, ProviderResult> = {
  approve: { state: "approved" },
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
export const createSandboxProvider = (
  database: Database,
  now: () => Date,
): PaymentProvider => ({
  pageSource: "'self'",
  begin: (charge) => beginCharge(database, charge, now()),
  inquire: (reference) => answerAbout(database, reference, now()),
  refund: async (reference) => {
    await database.query(
      "update sandbox_charge set returned_at = coalesce(returned_at, now()) where reference = $1",
      [reference],
    );
  },
});

async function beginCharge(
  database: Database,
  { attempt_id, seller_id }: Charge,
  clock: Date,
): Promise<StartedCharge> {
  const { rows } = await database.query<{ reference: string; expires_at: Date }>(
    `insert into sandbox_charge (reference, attempt_id, seller_id, expires_at)
     select $1, $2, seller_id, ${sellerTime("$4")} + interval '${ANSWER_WITHIN_MINUTES} minutes'
     from seller s where seller_id = $3
     on conflict (attempt_id) do update set attempt_id = excluded.attempt_id
     returning reference, expires_at`,
    [randomUUID(), attempt_id, seller_id, clock],
  );
  const [charge] = rows;
  if (!charge) throw new Error("The seller of the payment was not found.");
  return { ...charge, page: `/sandbox-pay/${charge.reference}` };
}

/** Answers as real providers do: pending at first, then always the same result. */
async function answerAbout(
  database: Database,
  reference: string,
  clock: Date,
): Promise<ProviderResult> {
  // The expiry is stored, so that setting the clock back does not undo it.
  await database.query(
    `update sandbox_charge c set choice = 'expired', times_asked = 1 from seller s
     where c.reference = $1 and s.seller_id = c.seller_id and c.choice is null
       and c.expires_at <= ${sellerTime("$2")}`,
    [reference, clock],
  );
  const { rows } = await database.query<{
    choice: Outcome;
    times_asked: number;
    expires_at: Date;
  }>(
    `update sandbox_charge set times_asked = times_asked + 1
     where reference = $1 and choice is not null returning choice, times_asked, expires_at`,
    [reference],
  );
  const [charge] = rows;
  if (!charge || charge.times_asked <= 1) return { state: "pending" };
  const { choice, expires_at: at } = charge;
  return choice === "expired" ? { state: "failed", reason: "timed_out", at } : ANSWERS[choice];
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
     from sandbox_charge c join checkout_attempt a using (attempt_id)
     join seller s on s.seller_id = c.seller_id where c.reference = $1`,
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
     where c.reference = $1 and s.seller_id = c.seller_id and c.choice is null
       and c.expires_at > ${sellerTime("$3")}`,
    [reference, choice, clock],
  );
  return rowCount === 1;
}
