import { waitInUnits } from "#lib/format/format.ts";
import {
  translateMessage,
  message,
  type MessageKey,
  type TranslateAll,
} from "#lib/i18n/message.ts";

/** The text shown in place of a service message that cannot be shown. */
export const UNSHOWABLE_MESSAGE = message("failures.wordless");

/** The expected failures, as plain data. */
export type Failure =
  | { kind: "validation"; fields: Record<string, string[]>; detail: string | null }
  | { kind: "unauthorized" }
  | { kind: "unverified" }
  // `status` if it is 410: the record or cursor existed earlier.
  | { kind: "not_found"; status?: 410 }
  | { kind: "not_offered" }
  // `status` if it is not the specification's 400.
  | { kind: "conflict"; detail: string; status?: number }
  | { kind: "rate_limited"; retry_after: number | null }
  | { kind: "unavailable"; outcome_unknown: boolean; why?: "timeout" | "failing" | "own" }
  // `status` of an error answer; without it, an answer that cannot be parsed, or an unknown error.
  | { kind: "unexpected"; status?: number }
  // Failures of the dashboard itself, not of the service.
  | { kind: "unanswered" }
  | { kind: "not_connected" }
  | { kind: "mode_absent" }
  | { kind: "signed_out" }
  | { kind: "second_factor" }
  | { kind: "forbidden" };

export type FailureKind = Failure["kind"];

export class AppError extends Error {
  override name = "AppError";
  readonly failure: Failure;

  /** @param options `cause`: the network error */
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.kind, options);
    this.failure = failure;
  }

  get kind(): FailureKind {
    return this.failure.kind;
  }
}

/** The dashboard's own database is unreachable, so no write was sent to the service. */
export const DATABASE_AWAY: Failure = {
  kind: "unavailable",
  outcome_unknown: false,
  why: "own",
};

const UNEXPECTED: Failure = { kind: "unexpected" };

export const failureOf = (error: unknown): Failure =>
  error instanceof AppError ? error.failure : UNEXPECTED;

/** Input that is refused, but not because of one field. @param detail a message for the user */
export const invalidInput = (detail: string | null = null): AppError =>
  new AppError({ kind: "validation", fields: {}, detail });

/**
 * The failure of an AppError.
 * @throws any other error
 */
export function expectedFailure(error: unknown): Failure {
  if (error instanceof AppError) return error.failure;
  throw error;
}

/** Whether the service has no such endpoint or record. */
export const isMissing = (error: unknown): boolean =>
  ["not_found", "not_offered"].includes(failureOf(error).kind);

/** Whether the service refused a write with 409, mostly because the record changed since it was read. */
export const isChangedSince = (failure: Failure): boolean =>
  failure.kind === "conflict" && failure.status === 409;

/** Whether the answer was lost, so that the outcome is unknown. */
export const isAnswerLost = (failure: Failure) =>
  failure.kind === "unavailable" && failure.outcome_unknown;

const PASSING = new Set<FailureKind>(["unavailable", "unanswered", "rate_limited"]);
const ASK_AGAIN_MS = 5_000;

/** Whether the failure is temporary, so that an automatic retry can help. */
export const isTemporaryFailure = (failure: Failure): boolean => PASSING.has(failure.kind);

/** Milliseconds until an automatic retry of a read; false if a retry is useless. */
export function retryDelayOf(failure: Failure): number | false {
  if (!isTemporaryFailure(failure)) return false;
  const told = failure.kind === "rate_limited" ? (failure.retry_after ?? 0) * 1000 : 0;
  return Math.max(ASK_AGAIN_MS, told);
}

const STATUS: Record<FailureKind, number> = {
  validation: 400,
  signed_out: 401,
  forbidden: 403,
  second_factor: 403,
  not_found: 404,
  not_offered: 409,
  conflict: 409,
  rate_limited: 429,
  // 502, because the service rejected the dashboard's API key; the person is signed in.
  unauthorized: 502,
  not_connected: 502,
  mode_absent: 404,
  unverified: 502,
  unexpected: 502,
  unavailable: 503,
  // Created in the browser and never sent as a response.
  unanswered: 503,
};

/** Checks an error body of the dashboard's routes; a newer version may have other kinds. */
export function isFailure(body: unknown): body is Failure {
  if (typeof body !== "object" || body === null || !("kind" in body)) return false;
  return typeof body.kind === "string" && Object.hasOwn(STATUS, body.kind);
}

/** The response to a failed request; after a temporary failure it says when to ask again. */
export function failureResponse(failure: Failure): Response {
  const wait = retryDelayOf(failure);
  const again = wait === false ? {} : { "retry-after": String(Math.ceil(wait / 1_000)) };
  return Response.json(failure, {
    status: STATUS[failure.kind],
    headers: { "cache-control": "no-store", ...again },
  });
}

export interface FailureText {
  title: string;
  /** What the user should do next. */
  advice: string;
}

/**
 * The call that failed: pages repeat a failed read by themselves, but only the user repeats a
 * write.
 */
type FailedCall = "read" | "write" | "create";

/** @param call `create` is safe to repeat, because the service reuses unpaid subscriptions */
export function describeFailure(
  t: TranslateAll,
  failure: Failure,
  call: FailedCall = "read",
): FailureText {
  const { title, advice } = failureMessages(failure, call);
  return { title: translateMessage(t, title), advice: translateMessage(t, advice) };
}

/** The text of a failure as untranslated messages, to be stored and translated later. */
export function failureMessages(failure: Failure, call: FailedCall): FailureText {
  const isRead = call === "read";
  const how = isRead ? "read" : "write";
  switch (failure.kind) {
    case "validation":
      return validationMessages(failure, how);
    case "conflict":
      return {
        title: failure.detail,
        advice: message(isRead ? "failures.conflict.read" : "failures.unchanged"),
      };
    case "not_offered":
      return {
        title: message("failures.not_offered.title"),
        advice: message(isRead ? "failures.not_offered.read" : "failures.unchanged"),
      };
    case "rate_limited":
      return {
        title: message("failures.rate_limited.title"),
        advice: message(`failures.rate_limited.${how}`, retryWaitValues(failure)),
      };
    case "unavailable":
      if (failure.outcome_unknown)
        return both(`lost.${call === "create" ? "create" : "write"}`);
      return {
        title: message(`failures.away.${failure.why ?? "silent"}`),
        advice: message(`failures.away.${how}`),
      };
    case "unexpected":
      return unexpectedMessages(failure.status, how);
    case "not_found":
    case "unanswered":
      return both(`${failure.kind}.${how}`);
    case "unauthorized":
    case "unverified":
    case "not_connected":
    case "mode_absent":
    case "signed_out":
    case "second_factor":
    case "forbidden":
      return both(failure.kind);
  }
}

type FailureOf<Kind extends FailureKind> = Extract<Failure, { kind: Kind }>;
type How = "read" | "write";

type Both =
  Extract<MessageKey, `failures.${string}.advice`> extends `failures.${infer Path}.advice`
    ? Path
    : never;

const both = (path: Both): FailureText => ({
  title: message(`failures.${path}.title` as MessageKey),
  advice: message(`failures.${path}.advice`),
});

/** Values of the messages that say when to try again. */
export const retryWaitValues = ({ retry_after }: { retry_after: number | null }) =>
  retry_after ? waitInUnits(retry_after) : { unit: "moment", count: 0 };

function validationMessages(
  { detail, fields }: FailureOf<"validation">,
  how: How,
): FailureText {
  const { title, advice } = both(`validation.${how}`);
  if (how === "write") return { title: detail ?? title, advice };
  const told = [detail ?? "", ...Object.values(fields).flat()].filter(Boolean);
  const spoken = told.filter((text) => text !== UNSHOWABLE_MESSAGE);
  return { title: spoken.join(" ") || told[0] || title, advice };
}

function unexpectedMessages(status: number | undefined, how: How): FailureText {
  if (status === undefined || status < 300)
    return {
      title: message("failures.unreadable.title"),
      advice: message(`failures.unreadable.${how}`),
    };
  const values = { status: String(status) };
  if (status < 400)
    return {
      title: message("failures.elsewhere.title", values),
      advice: message("failures.elsewhere.advice"),
    };
  return {
    title:
      status === 403
        ? message("failures.refused.barred")
        : message("failures.refused.title", values),
    advice: message(`failures.refused.${how}`),
  };
}
