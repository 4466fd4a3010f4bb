import { BillingError, isFailure } from "#lib/billing/errors.ts";

/**
 * A read from the browser, through the dashboard's own route. @throws BillingError
 * @param headers for what may not stand in an address, because addresses are logged
 */
export async function fetchJson<Value>(
  path: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Value> {
  const response = await request(path, signal, headers);
  const body: unknown = await response.json().catch(() => null);
  // Both sides of this wire are this program: the route's type is the promise.
  if (response.ok && body !== null) return body as Value;
  if (isFailure(body)) throw new BillingError(body);
  // Without a body of ours it comes from what stands before Duebook, as while that starts anew.
  throw new BillingError({ kind: response.status >= 500 ? "unanswered" : "unexpected" });
}

async function request(
  path: string,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<Response> {
  try {
    return await fetch(path, { signal, headers: { accept: "application/json", ...headers } });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new BillingError({ kind: "unanswered" });
  }
}
