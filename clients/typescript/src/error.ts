export type DuebookErrorCode =
  /** 400: `fields` or the message says what is wrong. */
  | "invalid"
  /** 401: the key is missing, wrong, expired or revoked. */
  | "unauthorized"
  /** 403: the account is not verified, or the key's scopes do not allow this. */
  | "forbidden"
  | "not_found"
  /** 409: somebody changed the record, or a request with this idempotency key still runs. */
  | "conflict"
  | "gone"
  /** 422: the idempotency key was used for another request. */
  | "key_reused"
  | "rate_limited"
  /** Another refusal with a status from 300 to 499. */
  | "refused"
  /** 500 and above. */
  | "service_error"
  /** No answer in time. */
  | "timeout"
  /** The service could not be reached, or the connection broke. */
  | "network"
  /** The caller's signal ended the request. */
  | "aborted"
  /** An answer or a delivery that is not what the API describes. */
  | "unreadable"
  /** A delivery without a valid signature. */
  | "wrong_signature"
  /** A delivery whose time is too far from now. */
  | "wrong_time"
  /** An option or argument cannot be used. */
  | "usage";

const CODES: Record<number, DuebookErrorCode> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  410: "gone",
  422: "key_reused",
  429: "rate_limited",
};

interface Facts {
  status?: number;
  fields?: Record<string, string[]>;
  requestId?: string | null;
  retryAfter?: number | null;
}

/** The one error of this package. Its texts contain no keys, secrets or sent data. */
export class DuebookError extends Error {
  override readonly name = "DuebookError";
  readonly code: DuebookErrorCode;
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** What is wrong with each field of the request; empty if no field is named. */
  readonly fields: Record<string, string[]>;
  /** The id with which the service's operator finds the request; null without an answer. */
  readonly requestId: string | null;
  /** Seconds after which the service wants to be asked again; null if it did not say. */
  readonly retryAfter: number | null;

  constructor(
    code: DuebookErrorCode,
    message: string,
    { status, fields = {}, requestId = null, retryAfter = null }: Facts = {},
  ) {
    super(message);
    this.code = code;
    this.status = status ?? null;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** @param text the body; the API refuses with `detail`, or with texts by field */
export function refusalOf(response: Response, text: string): DuebookError {
  const { status, headers } = response;
  const code = CODES[status] ?? (status >= 500 ? "service_error" : "refused");
  const { detail, fields } = problemOf(text);
  const named = Object.entries(fields).map(([name, texts]) => `${name}: ${texts.join(" ")}`);
  const message = detail ?? (named.join(" ") || `The service answered ${status}.`);
  return new DuebookError(code, message, {
    status,
    fields,
    requestId: headers.get("x-request-id"),
    retryAfter: secondsOf(headers.get("retry-after")),
  });
}

function problemOf(text: string): { detail?: string; fields: Record<string, string[]> } {
  const body = jsonOf(text);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return { fields: {} };
  if ("detail" in body && typeof body.detail === "string")
    return { detail: body.detail, fields: {} };
  const fields = Object.entries(body).map(([name, value]): [string, string[]] => [
    name,
    [value].flat().filter((one) => typeof one === "string"),
  ]);
  return { fields: Object.fromEntries(fields) };
}

/** @returns undefined for a text that is not JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** @param value of `Retry-After`: seconds or a date */
function secondsOf(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}
