import "server-only";
import type { BuyerRequestPage } from "#contract/buyer-requests.ts";
import { findPaymentClient } from "#lib/billing/account.ts";
import { listOpenTasks } from "#lib/billing/payment-client.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import type { OpenRequests, WaitingMoney } from "./queries.ts";
import { readSaidPaid } from "./said-paid-store.ts";

/** Records to approve, refunds to make, notes to check, tasks and buyers' requests. @throws AppError */
export async function readWaitingMoney(db: Database, owner: KeyOwner): Promise<WaitingMoney> {
  const client = await findPaymentClient(owner);
  const [waiting, refunds, notes, tasks, requests] = await Promise.all([
    client?.listWaiting(),
    client?.listOpenRefunds(),
    readSaidPaid(db, owner),
    client && listOpenTasks(client, { page_size: 1 }),
    client?.listRequests(),
  ]);
  return {
    waiting: waiting?.results ?? [],
    // Refunds that a provider is still making need no member.
    refunds: (refunds?.results ?? []).filter(
      ({ state }) => state === "by_hand" || state === "refused",
    ),
    notes,
    to_check: tasks?.open ?? 0,
    requests: openRequestsOf(requests ?? { next: null, results: [] }),
  };
}

/** A page of requests, and where the older ones begin. */
export const openRequestsOf = ({
  next,
  results,
}: Pick<BuyerRequestPage, "next" | "results">): OpenRequests => ({
  requests: results,
  before: next === null ? null : (results.at(-1)?.id ?? null),
});
