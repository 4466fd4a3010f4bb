import { checkSignature, STANDARD_SCHEME, type SignatureCheck } from "#lib/signature.ts";
import {
  type HeaderFault,
  type PastedRequest,
  readHeaders,
  readSignatures,
} from "./request.ts";
import { cleanSecret, isServiceFormat } from "./variants.ts";
import {
  explainSignature,
  timestampInOtherUnits,
  type DeliveryParts,
  type SignatureDeviation,
  type Explanation,
} from "./explain-signature.ts";

/** A delivery and everything that is known about it. */
export interface ExaminedDelivery {
  request: PastedRequest;
  /** The endpoint's own secret first, then others that may have signed the delivery. */
  secrets: string[];
  /** Milliseconds since 1970. */
  now: number;
  /** When the delivery was received, by the receiver's clock; null if unknown. */
  received_at: number | null;
  /** The same delivery as the sender logged it; null if unknown. */
  sent: DeliveryParts | null;
}

export type FindingName =
  | SignatureDeviation
  | HeaderFault
  | "no_secret"
  | "no_headers"
  | "no_body"
  | "bad_secret"
  | "wrong_secret"
  | "unexplained"
  | "several_signatures"
  | "too_old"
  | "from_the_future"
  | "clock_zone"
  | "old_by_now"
  | "bad_timestamp";

export interface ExamineFinding {
  name: FindingName;
  /** The values in the finding's message. */
  values: Record<string, string | number>;
  /** Whether the finding is only a note, not a fault. */
  is_note: boolean;
  /** The received and the signed body, if they differ. */
  diff: { came: string; signed: string } | null;
}

export type ExamineVerdict = "right" | "outdated" | "explained" | "wrong";

export interface Examination {
  verdict: ExamineVerdict;
  findings: ExamineFinding[];
  /** Every step of the check, with the headers under their standard names. */
  check: SignatureCheck;
  /** The parts that were signed, as far as they are known. */
  signed: DeliveryParts;
  /** The secret that signed it, else the first secret; without spaces and quotes. */
  secret: string | null;
}

/** Checks the signature of a delivery; if it does not verify, tries out common mistakes. */
export async function examineDelivery(given: ExaminedDelivery): Promise<Examination> {
  const { request, now, received_at, sent } = given;
  const secrets = given.secrets.filter((secret) => secret !== "");
  const { headers, findings } = readHeaders(request.headers);
  const { id, timestamp, signature } = STANDARD_SCHEME.headers;
  const received = {
    id: headers[id] ?? "",
    timestamp: headers[timestamp] ?? "",
    body: request.body,
  };
  const at = received_at ?? now;
  const check = await checkSignature({ headers, body: request.body }, secrets, at);
  const explanation = check.is_authentic
    ? null
    : await explainGiven(headers[signature] ?? "", received, secrets, sent);
  const known = check.agreed?.secret ?? explanation?.secret ?? 0;
  const secret = secrets[known];
  const all: ExamineFinding[] = [
    ...(findings.every(({ name }) => name === "header_missing") && findings.length === 3
      ? [finding("no_headers")]
      : findings.map(({ name, values }) => finding(name, values))),
    ...(request.body === "" ? [finding("no_body")] : []),
    ...secretFindings(check, secrets),
    ...(explanation ? deviationFindings(explanation, received) : []),
    ...(check.is_authentic || explanation ? [] : unexplainedFindings(given, check, headers)),
    ...(check.given.length > 1 && check.agreed
      ? [
          note("several_signatures", {
            count: check.given.length,
            place: check.agreed.given + 1,
          }),
        ]
      : []),
    ...clockFindings(
      explanation?.parts.timestamp ?? check.timestamp,
      check.is_authentic,
      given,
    ),
  ];
  return {
    verdict: verdictOf(check, explanation, all),
    findings: all,
    check,
    signed: explanation?.parts ?? received,
    secret: secret === undefined ? null : cleanSecret(secret).secret,
  };
}

const finding = (name: FindingName, values: ExamineFinding["values"] = {}): ExamineFinding => ({
  name,
  values,
  is_note: false,
  diff: null,
});

const note = (name: FindingName, values: ExamineFinding["values"] = {}): ExamineFinding => ({
  ...finding(name, values),
  is_note: true,
});

function verdictOf(
  check: SignatureCheck,
  explanation: Explanation | null,
  findings: ExamineFinding[],
): ExamineVerdict {
  if (explanation) return "explained";
  if (!check.is_authentic) return "wrong";
  const isWrong = findings.some(({ is_note, name }) => !is_note && !CLOCK.has(name));
  if (isWrong) return "explained";
  return check.problem === null ? "right" : "outdated";
}

const CLOCK = new Set<FindingName>(["too_old", "from_the_future", "clock_zone"]);

/** Explains the first signature of the header that can be explained. */
async function explainGiven(
  value: string,
  received: DeliveryParts,
  secrets: string[],
  sent: DeliveryParts | null,
): Promise<Explanation | null> {
  if (secrets.length === 0) return null;
  for (const { bytes, deviations } of readSignatures(value)) {
    const found = await explainSignature(bytes, received, secrets, sent);
    if (found) return { ...found, deviations: [...deviations, ...found.deviations] };
  }
  return null;
}

const isOfBody = (deviation: SignatureDeviation) => deviation.startsWith("body_");

function deviationFindings(
  explanation: Explanation,
  received: DeliveryParts,
): ExamineFinding[] {
  const { deviations, parts, algorithm, layout, secret } = explanation;
  // A missing header has a finding of its own.
  const isMissing = (name: SignatureDeviation) =>
    (name === "id_changed" && received.id === "") ||
    (name === "timestamp_changed" && received.timestamp === "");
  return deviations
    .filter((name) => !isMissing(name))
    .map((name) => ({
      ...finding(name, {
        algorithm,
        layout,
        place: secret + 1,
        came: name === "id_changed" ? received.id : received.timestamp,
        signed: name === "id_changed" ? parts.id : parts.timestamp,
      }),
      diff: isOfBody(name) ? { came: received.body, signed: parts.body } : null,
    }));
}

function secretFindings(check: SignatureCheck, secrets: string[]): ExamineFinding[] {
  if (secrets.length === 0) return [note("no_secret")];
  const agreed = check.agreed?.secret ?? 0;
  return agreed > 0 ? [finding("other_secret", { place: agreed + 1 })] : [];
}

/** The likeliest cause if no known mistake explains the signature. */
function unexplainedFindings(
  { request, secrets, sent }: ExaminedDelivery,
  check: SignatureCheck,
  headers: Record<string, string>,
): ExamineFinding[] {
  if (secrets.every((secret) => secret === "") || check.signed === null) return [];
  if (
    check.given.length === 0 &&
    readSignatures(headers["webhook-signature"] ?? "").length === 0
  )
    return [];
  const faults = cleanSecret(secrets[0] ?? "").faults;
  if (isCut(request.body, headers))
    return [finding("body_cut", { said: "none", ...lengths(request.body, headers) })];
  if (check.secrets.every(({ is_readable }) => !is_readable) && faults.length === 0)
    return [finding("bad_secret")];
  const isWhole =
    sent?.body === request.body ||
    lengths(request.body, headers).said === byteLength(request.body) ||
    isServiceFormat(request.body);
  return [
    finding(isWhole ? "wrong_secret" : "unexplained"),
    ...faults.map((fault) => finding(fault)),
  ];
}

const byteLength = (text: string) => new TextEncoder().encode(text).length;

function lengths(body: string, headers: Record<string, string>) {
  const said = Number(headers["content-length"] ?? Number.NaN);
  return { came: byteLength(body), ...(Number.isInteger(said) ? { said } : {}) };
}

function isCut(body: string, headers: Record<string, string>): boolean {
  const { came, said } = lengths(body, headers);
  if (said !== undefined) return came < said;
  try {
    JSON.parse(body);
    return false;
  } catch {
    return /^\s*\{/.test(body) && !/\}\s*$/.test(body);
  }
}

const QUARTER = 15 * 60;
const LEAST_ZONE = 30 * 60;
const MOST_ZONE = 14 * 60 * 60;

function clockFindings(
  timestamp: string | null,
  isAuthentic: boolean,
  { received_at, now }: ExaminedDelivery,
): ExamineFinding[] {
  if (timestamp === null) return [];
  if (!/^\d{1,15}$/.test(timestamp))
    return [
      finding("bad_timestamp", {
        came: timestamp,
        signed: timestampInOtherUnits(timestamp)[0] ?? "",
      }),
    ];
  // Thirteen digits are milliseconds: as seconds they would be a year far beyond 9999.
  if (timestamp.length === 13)
    return isAuthentic ? [finding("timestamp_unit", { came: timestamp })] : [];
  const { tolerance } = STANDARD_SCHEME;
  const age = Math.floor((received_at ?? now) / 1_000) - Number(timestamp);
  const away = Math.abs(age);
  if (away <= tolerance) return [];
  const values = { seconds: away, tolerance };
  if (received_at === null && age > 0) return [note("old_by_now", values)];
  const isZone =
    away >= LEAST_ZONE &&
    away <= MOST_ZONE &&
    Math.abs(away - Math.round(away / QUARTER) * QUARTER) <= 60;
  if (isZone) return [finding("clock_zone", { ...values, minutes: Math.round(away / 60) })];
  return [finding(age > 0 ? "too_old" : "from_the_future", values)];
}
