import { createPaymentWorker } from "../checkout/charges/worker.ts";
import { paymentContext } from "../checkout/provider.ts";
import type { TestService } from "./service.ts";

/** Asks providers about all charges that are due, and makes owed refunds. */
export async function askDueCharges({ context }: TestService) {
  const worker = createPaymentWorker({ payments: paymentContext(context) });
  await worker.askDue();
  await worker.close();
}

/** The charges of an attempt, the oldest first. */
export async function chargesOf({ pool }: TestService, attempt: string) {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select state, answer, (select r.state from refund r where r.charge_id = c.charge_id and r.failed_at is null) as refund_state, is_booked, next_at, transaction_id, fee::text as fee
     from charge c where attempt_id = $1 order by begun_at, charge_id`,
    [attempt],
  );
  return rows;
}
