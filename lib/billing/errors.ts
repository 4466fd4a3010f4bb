/** Everything that can go wrong between the dashboard and the billing service, as plain data. */
export type Failure =
  | { kind: "validation"; fields: Record<string, string[]>; detail: string | null }
  | { kind: "unauthorized" }
  | { kind: "unverified" }
  | { kind: "not_found" }
  | { kind: "conflict"; detail: string }
  | { kind: "rate_limited"; retry_after: number | null }
  | { kind: "unavailable"; outcome_unknown: boolean }
  | { kind: "unexpected" }
  // The dashboard's own two refusals; the service never sees the call.
  | { kind: "signed_out" }
  | { kind: "forbidden" };

export type FailureKind = Failure["kind"];

export class BillingError extends Error {
  override name = "BillingError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }

  get kind(): FailureKind {
    return this.failure.kind;
  }
}

const UNEXPECTED: Failure = { kind: "unexpected" };

export function failureOf(error: unknown): Failure {
  return error instanceof BillingError ? error.failure : UNEXPECTED;
}

/** Worth asking again by itself: the cause is outside and passes. */
export function isPassing(failure: Failure): boolean {
  return failure.kind === "unavailable" || failure.kind === "rate_limited";
}

const STATUS: Record<FailureKind, number> = {
  validation: 400,
  signed_out: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  // The seller is signed in here; it is the dashboard's own key that was refused there.
  unauthorized: 502,
  unverified: 502,
  unexpected: 502,
  unavailable: 503,
};

export function statusOf(failure: Failure): number {
  return STATUS[failure.kind];
}

export interface Words {
  /** What happened. */
  title: string;
  /** What to do about it. */
  advice: string;
}

/** @param call a read is repeated by the page itself, a write by nobody but the seller */
export function describeFailure(failure: Failure, call: "read" | "write" = "read"): Words {
  switch (failure.kind) {
    case "validation":
      return {
        title: failure.detail ?? "Some fields need another look.",
        advice: "Nothing was saved. Correct them and try again.",
      };
    case "unauthorized":
      return {
        title: "The billing service refused this seller's API key.",
        advice: "The key is missing, wrong or switched off. An owner has to set a working one.",
      };
    case "unverified":
      return {
        title: "This seller is not verified at the billing service yet.",
        advice: "Finish the identity check (KYC) there; until then only products can be read.",
      };
    case "not_found":
      return {
        title: "There is nothing at this address.",
        advice: "It may belong to another seller, or the link is incomplete.",
      };
    case "conflict":
      return { title: failure.detail, advice: "Nothing was changed." };
    case "rate_limited":
      return {
        title: "The billing service asks us to slow down.",
        advice: failure.retry_after
          ? `Try again in ${failure.retry_after} seconds.`
          : "Try again in a moment.",
      };
    case "unavailable":
      return failure.outcome_unknown
        ? {
            title: "The billing service did not answer, so we cannot say whether it was done.",
            advice:
              "Trying again is safe: a subscription that still waits for payment is reused, never doubled.",
          }
        : {
            title: "The billing service cannot be reached.",
            advice:
              call === "write"
                ? "Nothing was sent, and what you typed is still here. Try again in a moment."
                : "Nothing is lost. This page keeps trying and recovers by itself.",
          };
    case "unexpected":
      return {
        title: "The billing service sent an answer we cannot read.",
        advice: "Try again. If it stays, check that BILLING_API_URL points at the service.",
      };
    case "signed_out":
      return {
        title: "Your session has ended.",
        advice: "Sign in again in another tab, then come back and try again.",
      };
    case "forbidden":
      return {
        title: "Your role does not include this.",
        advice: "Ask an owner or an admin of this seller.",
      };
  }
}
