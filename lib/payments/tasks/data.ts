import "server-only";
import { DEFAULT_PAGE_SIZE } from "#contract/names.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findPaymentClient } from "#lib/billing/account.ts";
import { AppError, expectedFailure, isMissing } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import type { PaymentTasksResult, TaskSearch } from "./rules.ts";

/** Open or past decisions about money. */
export async function listPaymentTasks(
  scope: Scope,
  { show, before }: TaskSearch,
): Promise<PaymentTasksResult> {
  const { owner } = await requireSeller(scope, "payments:read");
  const client = await findPaymentClient(owner);
  if (!client) return { absence: "elsewhere" };
  try {
    const page = await client.listTasks({
      is_open: show === null,
      before,
      page_size: DEFAULT_PAGE_SIZE,
    });
    return { open: page.open, tasks: page.results, has_older: page.next !== null };
  } catch (error) {
    if (isMissing(error)) return { absence: "not_offered" };
    return { failure: expectedFailure(error) };
  }
}

/** The number of open decisions about money; null if the service keeps none or does not answer. */
export async function countMoneyToCheck(scope: Scope): Promise<number | null> {
  const { owner } = await requireSeller(scope, "payments:read");
  const client = await findPaymentClient(owner);
  if (!client) return null;
  try {
    return (await client.listTasks({ is_open: true, page_size: 1 })).open;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
