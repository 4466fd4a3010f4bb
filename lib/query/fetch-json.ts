import { BillingError, type Failure } from "#lib/billing/errors.ts";

/** A read from the browser, through the dashboard's own route. @throws BillingError */
export async function fetchJson<Value>(path: string, signal: AbortSignal): Promise<Value> {
  const response = await request(path, signal);
  const body: unknown = await response.json().catch(() => null);
  // Both sides of this wire are this program: the route's type is the promise.
  if (response.ok && body !== null) return body as Value;
  throw new BillingError(isFailure(body) ? body : { kind: "unexpected" });
}

async function request(path: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(path, { signal, headers: { accept: "application/json" } });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new BillingError({ kind: "unavailable", outcome_unknown: false });
  }
}

function isFailure(body: unknown): body is Failure {
  return typeof body === "object" && body !== null && "kind" in body;
}
