import type { Attempt, Delivery } from "#contract/deliveries.ts";
import type { FailureText } from "#lib/failure.ts";
import type { Translate } from "#lib/i18n/message.ts";

/** The outcome of an attempt or a delivery, and what to do about it. */
interface Diagnosis extends FailureText {
  look: "info" | "warning" | "danger";
}

const SLOW_MS = 5_000;

type T = Translate<"deliveries">;

/** Explains an attempt to the operator of the endpoint. */
export function diagnoseAttempt(
  t: T,
  { response, error, duration_ms }: Pick<Attempt, "response" | "error" | "duration_ms">,
): Diagnosis {
  if (!response) return { look: "danger", ...wordsOfError(t, error ?? "") };
  if (!isSuccess(response.code)) return { look: "danger", ...wordsOfCode(t, response.code) };
  if (duration_ms < SLOW_MS) return { look: "info", ...wordsOf(t, "arrived") };
  const duration = formatDuration(t, duration_ms);
  return { look: "warning", title: t("met.slow", { duration }), advice: t("advice.slow") };
}

const isSuccess = (code: number) => code >= 200 && code < 300;

const CODES = new Map(
  Object.entries({
    400: "badRequest",
    401: "signIn",
    403: "refused",
    404: "noPath",
    405: "noPost",
    408: "gaveUp",
    410: "gone",
    413: "tooLong",
    415: "mediaType",
    429: "slowDown",
  } as const).map(([code, met]) => [Number(code), met]),
);

/** Patterns of the service's error texts, tried in this order: it reports errors as sentences. */
const ERRORS = [
  [/private address|public internet/i, "privateNetwork"],
  [/port 443 or 8443/i, "port"],
  [/begins with https/i, "notSecure"],
  [/signing secret|SERVICE_SECRETS_KEY/, "unsigned"],
  [/\bDNS\b|ENOTFOUND|EAI_AGAIN/, "dns"],
  [/certificate has expired/i, "expired"],
  [/certificate is for another name/i, "otherName"],
  [/certificate|self-signed/i, "notTrusted"],
  [/\bTLS\b|secure connection|SSL/i, "tls"],
  [/refused/i, "nothingListens"],
  [/cut the connection|ECONNRESET/i, "cut"],
  [/in time|time-?out|ETIMEDOUT/i, "timeout"],
  [/no way to|UNREACH/i, "noWay"],
  [/not an HTTP answer|HPE_/i, "notHttp"],
] as const;

type CodeMet = typeof CODES extends Map<number, infer Name> ? Name : never;
/** Outcomes whose texts have no values. */
type Met = CodeMet | (typeof ERRORS)[number][1] | "arrived" | "skipped" | "underWay";

const wordsOf = (t: T, met: Met): FailureText => ({
  title: t(`met.${met}`),
  advice: t(`advice.${met}`),
});

function wordsOfCode(t: T, status: number): FailureText {
  const known = CODES.get(status);
  if (known) return wordsOf(t, known);
  const code = String(status);
  if (status >= 300 && status < 400)
    return { title: t("met.redirected", { code }), advice: t("advice.redirected") };
  if (status >= 500) return { title: t("met.failed", { code }), advice: t("advice.failed") };
  return {
    title: status ? t("met.answered", { code }) : t("met.unreadable"),
    advice: t("advice.answered"),
  };
}

function wordsOfError(t: T, error: string): FailureText {
  const [, known] = ERRORS.find(([pattern]) => pattern.test(error)) ?? [];
  if (known) return wordsOf(t, known);
  return { title: error || t("met.unsaid"), advice: t("advice.unsaid") };
}

/** Explains a delivery; a failed one by its last attempt. */
export function diagnoseDelivery(t: T, delivery: Delivery): Diagnosis {
  const { state, attempt_list, attempts: count } = delivery;
  const last = attempt_list.at(-1);
  const met = last && diagnoseAttempt(t, last);
  if (state === "skipped") return { look: "info", ...wordsOf(t, "skipped") };
  if (isWaiting(state) && (!met || met.look !== "danger"))
    return { look: "info", ...wordsOf(t, "underWay") };
  if (!met) return { look: "info", ...wordsOf(t, "arrived") };
  if (state !== "failed") return met;
  return { ...met, advice: t("advice.givenUp", { advice: met.advice, count }) };
}

const isWaiting = (state: string) => state === "pending" || state === "retrying";

/** A duration such as "85 ms" or "1.2 s". */
export function formatDuration(t: T, milliseconds: number): string {
  if (milliseconds < 1_000) return t("attempt.milliseconds", { count: milliseconds });
  const tenths = Math.round(milliseconds / 100);
  return t("attempt.seconds", { whole: Math.floor(tenths / 10), tenths: tenths % 10 });
}

/** Indents a JSON text; other text is returned unchanged. */
export function prettyBody(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/**
 * Whether the body is that of a test event, whose content is invented and whose subscription does
 * not exist.
 */
export function isExample(body: string): boolean {
  const event = parsed(body);
  return (
    typeof event === "object" &&
    event !== null &&
    "reason" in event &&
    event.reason === "example"
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The request as a curl command, quoted for a shell. */
export function curlCommandOf({ url, headers, body }: Attempt["request"]): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
  );
  return [`curl -X POST ${quote(url)}`, ...lines, `--data-raw ${quote(body)}`].join(" \\\n  ");
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whether the delivery will change soon, so that polling is worthwhile. */
export function isDeliveryUnderWay({
  state,
  next_attempt_at,
}: Pick<Delivery, "state" | "next_attempt_at">): boolean {
  return isWaiting(state) && next_attempt_at === null;
}
