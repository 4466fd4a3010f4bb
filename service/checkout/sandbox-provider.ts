import { randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { Answer, BegunCharge, Charge, PaymentProvider } from "./provider.ts";
import type { Method } from "./store.ts";

export const CHOICES = [
  "approve",
  "decline",
  "insufficient_balance",
  "time_out",
  "abandon",
] as const;
export type Choice = (typeof CHOICES)[number];

const ANSWERS: Record<Choice, Answer> = {
  approve: { state: "approved" },
  decline: { state: "failed", reason: "declined" },
  insufficient_balance: { state: "failed", reason: "insufficient_balance" },
  time_out: { state: "failed", reason: "timed_out" },
  abandon: { state: "left" },
};

/** A wallet and a bank that move no money: whoever pays chooses on its page how it ends. */
export const createSandboxProvider = (database: Database): PaymentProvider => ({
  pageSource: "'self'",
  begin: (charge) => beginCharge(database, charge),
  inquire: (reference) => answerAbout(database, reference),
  giveBack: async (reference) => {
    await database.query(
      "update sandbox_charge set returned_at = coalesce(returned_at, now()) where reference = $1",
      [reference],
    );
  },
});

async function beginCharge(
  database: Database,
  { attempt_id, seller_id }: Charge,
): Promise<BegunCharge> {
  const { rows } = await database.query<{ reference: string }>(
    `insert into sandbox_charge (reference, attempt_id, seller_id) values ($1, $2, $3)
     on conflict (attempt_id) do update set attempt_id = excluded.attempt_id returning reference`,
    [randomUUID(), attempt_id, seller_id],
  );
  const reference = rows[0]?.reference ?? "";
  return { reference, page: `/sandbox-pay/${reference}` };
}

/** As real ones do: pending at first, then the result, and the same result ever after. */
async function answerAbout(database: Database, reference: string): Promise<Answer> {
  const { rows } = await database.query<{ choice: Choice; times_asked: number }>(
    `update sandbox_charge set times_asked = times_asked + 1
     where reference = $1 and choice is not null returning choice, times_asked`,
    [reference],
  );
  const [charge] = rows;
  return charge && charge.times_asked > 1 ? ANSWERS[charge.choice] : { state: "pending" };
}

export interface SandboxCharge {
  reference: string;
  attempt_id: string;
  subscription_id: string;
  choice: Choice | null;
  method: Method;
  amount: string;
  currency: string;
  seller_name: string;
}

export async function findSandboxCharge(
  database: Database,
  reference: string,
): Promise<SandboxCharge | null> {
  const { rows } = await database.query<SandboxCharge>(
    `select c.reference, c.attempt_id, c.choice, a.subscription_id, a.method,
       a.amount::text as amount, a.currency, s.name as seller_name
     from sandbox_charge c join checkout_attempt a using (attempt_id)
     join seller s on s.seller_id = c.seller_id where c.reference = $1`,
    [reference],
  );
  return rows[0] ?? null;
}

/** The first choice stays. @returns whether this was it */
export async function chooseOutcome(
  database: Database,
  reference: string,
  choice: Choice,
): Promise<boolean> {
  const { rowCount } = await database.query(
    "update sandbox_charge set choice = $2 where reference = $1 and choice is null",
    [reference, choice],
  );
  return rowCount === 1;
}
