import "server-only";
import type { BillingClient } from "./client.ts";
import { failureOf, isPassing, type FailureKind } from "./errors.ts";

const NOT_OF_THE_ADDRESS = new Set<FailureKind>(["not_connected", "mode_absent", "validation"]);

/**
 * For what the specification does not ask a service to have: null where it answers, but has none.
 * What is said there of the key counts only if the API itself says so: a gateway may answer 401 or
 * 403 for an address that it does not know. @throws BillingError when nobody can tell
 */
export async function orAbsent<Value>(
  billing: BillingClient,
  read: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    const failure = failureOf(error);
    const { kind } = failure;
    if (isPassing(failure) || NOT_OF_THE_ADDRESS.has(kind)) throw error;
    if (kind !== "not_found" && kind !== "not_offered")
      await billing.listSubscriptions({ status: null, page: 1, page_size: 1 });
    return null;
  }
}
