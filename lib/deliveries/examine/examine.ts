import { checkSignature, STANDARD_SCHEME, type SignatureCheck } from "#lib/signature.ts";
import { readHeaders, type HeaderFault } from "./headers/rules.ts";
import type { Pasted } from "./reading/rules.ts";
import { cleanSecret, type SecretFault } from "./secrets/rules.ts";
import { isOwnSpelling } from "./spelling/rules.ts";
import {
  explainSignature,
  otherUnits,
  readSignatures,
  type Departure,
  type Explanation,
  type Parts,
} from "./trying/rules.ts";

/** A delivery and what is known of it. */
export interface Case {
  came: Pasted;
  /** The receiver's first; then others that it may have been signed with. */
  secrets: string[];
  /** Milliseconds since 1970. */
  now: number;
  /** When it was received, by the receiver's own clock; null where nobody said. */
  received_at: number | null;
  /** What the receiver's program worked out, where it says. */
  computed: string;
  /** The same delivery as the sender logged it. */
  sent: Parts | null;
}

export type FindingName =
  | Departure
  | HeaderFault
  | "no_secret"
  | "no_headers"
  | "no_body"
  | "bad_secret"
  | "wrong_secret"
  | "unexplained"
  | "body_was_parsed"
  | "several_signatures"
  | "too_old"
  | "from_the_future"
  | "clock_zone"
  | "old_by_now"
  | "bad_timestamp"
  | "computed_right"
  | "computed_unexplained";

export interface Finding {
  name: FindingName;
  /** What the words of it tell. */
  values: Record<string, string | number>;
  /** A note explains, and has to be changed only where something does not work. */
  is_note: boolean;
  /** Of the delivery as it came, or of what the program worked out. */
  about: "delivery" | "computed";
  /** What came and what was signed, where they differ. */
  diff: { came: string; signed: string } | null;
}

/** What can be said of a delivery on the whole. */
export type Verdict = "right" | "outdated" | "explained" | "wrong";

export interface Examination {
  verdict: Verdict;
  findings: Finding[];
  /** Every step, with the headers under their right names. */
  check: SignatureCheck;
  came: Parts;
  /** What was signed, as far as that was found out. */
  signed: Parts;
  /** The first secret that signed it, or the first of all, as it should be stored. */
  secret: string | null;
}

/** Finds out what is right and wrong with a delivery, by trying. */
export async function examine(given: Case): Promise<Examination> {
  const { came: pasted, now, received_at, sent } = given;
  const secrets = given.secrets.filter((secret) => secret !== "");
  const { headers, findings } = readHeaders(pasted.headers);
  const { id, timestamp, signature } = STANDARD_SCHEME.headers;
  const came = {
    id: headers[id ?? ""] ?? "",
    timestamp: headers[timestamp ?? ""] ?? "",
    body: pasted.body,
  };
  const at = received_at ?? now;
  const check = await checkSignature({ headers, body: pasted.body }, secrets, at);
  const explanation = check.is_authentic
    ? null
    : await explainGiven(headers[signature] ?? "", came, secrets, sent);
  const known = check.agreed?.secret ?? explanation?.secret ?? 0;
  const secret = secrets[known];
  const all: Finding[] = [
    ...(findings.every(({ name }) => name === "header_missing") && findings.length === 3
      ? [finding("no_headers")]
      : findings.map(({ name, values }) => finding(name, values))),
    ...(pasted.body === "" ? [finding("no_body")] : []),
    ...secretFindings(check, secrets),
    ...(explanation ? departuresOf(explanation, came) : []),
    ...(check.is_authentic || explanation ? [] : guesses(given, check, headers)),
    ...(check.given.length > 1 && check.is_authentic ? [several(check)] : []),
    ...clockFindings(
      explanation?.parts.timestamp ?? check.timestamp,
      check.is_authentic,
      given,
    ),
    ...(await computedFindings(given, came, check, secrets)),
  ];
  return {
    verdict: verdictOf(check, explanation, all),
    findings: all,
    check,
    came,
    signed: explanation?.parts ?? came,
    secret: secret === undefined ? null : cleanSecret(secret).secret,
  };
}

function finding(name: FindingName, more: Partial<Finding["values"]> = {}): Finding {
  const values = Object.fromEntries(
    Object.entries(more).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  return { name, values, is_note: false, about: "delivery", diff: null };
}

const note = (name: FindingName, values: Finding["values"] = {}): Finding => ({
  ...finding(name, values),
  is_note: true,
});

function verdictOf(
  check: SignatureCheck,
  explanation: Explanation | null,
  findings: Finding[],
): Verdict {
  if (explanation) return "explained";
  if (!check.is_authentic) return "wrong";
  const isWrong = findings.some(
    ({ about, is_note, name }) => about === "delivery" && !is_note && !CLOCK.has(name),
  );
  if (isWrong) return "explained";
  return check.problem === null ? "right" : "outdated";
}

const CLOCK = new Set<FindingName>(["too_old", "from_the_future", "clock_zone"]);

/** The first of several signatures that can be explained. */
async function explainGiven(
  value: string,
  came: Parts,
  secrets: string[],
  sent: Parts | null,
): Promise<(Explanation & { signature: string }) | null> {
  if (secrets.length === 0) return null;
  for (const { bytes, departures, text } of readSignatures(value)) {
    const found = await explainSignature(bytes, came, secrets, sent);
    if (found)
      return { ...found, signature: text, departures: [...departures, ...found.departures] };
  }
  return null;
}

const isOfBody = (departure: Departure) => departure.startsWith("body_");

function departuresOf(explanation: Explanation, came: Parts): Finding[] {
  const { departures, parts, algorithm, layout, secret } = explanation;
  // A missing header is told as such.
  const isTold = (name: Departure) =>
    (name === "id_changed" && came.id === "") ||
    (name === "timestamp_changed" && came.timestamp === "");
  return departures
    .filter((name) => !isTold(name))
    .map((name) => ({
      ...finding(name, {
        algorithm,
        layout,
        place: secret + 1,
        came: name === "id_changed" ? came.id : came.timestamp,
        signed: name === "id_changed" ? parts.id : parts.timestamp,
      }),
      diff: isOfBody(name) ? { came: came.body, signed: parts.body } : null,
    }));
}

/** A secret that had to be repaired was repaired in this examination alone. */
function secretFindings(check: SignatureCheck, secrets: string[]): Finding[] {
  const [first] = secrets;
  if (first === undefined) return [note("no_secret")];
  const agreed = check.agreed?.secret ?? 0;
  if (check.is_authentic)
    return agreed > 0 ? [finding("other_secret", { place: agreed + 1 })] : [];
  return [];
}

/** What can be said when nothing that was tried gives the signature. */
function guesses(
  { came, secrets, sent }: Case,
  check: SignatureCheck,
  headers: Record<string, string>,
): Finding[] {
  if (secrets.every((secret) => secret === "") || check.signed === null) return [];
  if (
    check.given.length === 0 &&
    readSignatures(headers["webhook-signature"] ?? "").length === 0
  )
    return [];
  const faults = cleanSecret(secrets[0] ?? "").faults;
  if (came.was_parsed) return [finding("body_was_parsed"), ...ofSecret(faults)];
  if (isCut(came.body, headers))
    return [finding("body_cut", { said: "none", ...lengths(came.body, headers) })];
  if (check.secrets.every(({ is_readable }) => !is_readable) && faults.length === 0)
    return [finding("bad_secret")];
  const isWhole =
    sent?.body === came.body ||
    lengths(came.body, headers).said === byteLength(came.body) ||
    isOwnSpelling(came.body);
  return [finding(isWhole ? "wrong_secret" : "unexplained"), ...ofSecret(faults)];
}

const ofSecret = (faults: SecretFault[]) => faults.map((fault) => finding(fault));

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

const several = (check: SignatureCheck) =>
  note("several_signatures", {
    count: check.given.length,
    place: (check.agreed?.given ?? 0) + 1,
  });

const QUARTER = 15 * 60;
const LEAST_ZONE = 30 * 60;
const MOST_ZONE = 14 * 60 * 60;

function clockFindings(
  timestamp: string | null,
  isAuthentic: boolean,
  { received_at, now }: Case,
): Finding[] {
  if (timestamp === null) return [];
  if (!/^\d{1,15}$/.test(timestamp))
    return [
      finding("bad_timestamp", { came: timestamp, signed: otherUnits(timestamp)[0] ?? "" }),
    ];
  // Nobody writes milliseconds for a moment in fifty thousand years.
  if (timestamp.length === 13)
    return isAuthentic ? [finding("timestamp_unit", { came: timestamp })] : [];
  const { tolerance } = STANDARD_SCHEME;
  const age = Math.floor((received_at ?? now) / 1_000) - Number(timestamp);
  if (Math.abs(age) <= tolerance) return [];
  const values = { seconds: Math.abs(age), tolerance };
  if (received_at === null && age > 0) return [note("old_by_now", values)];
  const away = Math.abs(age);
  const isZone =
    away >= LEAST_ZONE &&
    away <= MOST_ZONE &&
    Math.abs(away - Math.round(away / QUARTER) * QUARTER) <= 60;
  if (isZone) return [finding("clock_zone", { ...values, minutes: Math.round(away / 60) })];
  return [finding(age > 0 ? "too_old" : "from_the_future", values)];
}

/** How the receiver's program came to what it worked out. */
async function computedFindings(
  { computed, sent }: Case,
  came: Parts,
  check: SignatureCheck,
  secrets: string[],
): Promise<Finding[]> {
  const [given] = readSignatures(computed.trim());
  if (computed.trim() === "" || secrets.length === 0) return [];
  const ofProgram = (one: Finding): Finding => ({ ...one, about: "computed" });
  if (!given) return [ofProgram(finding("computed_unexplained"))];
  // Whether "v1," stands before it is no matter here.
  const written = given.departures.filter((departure) => departure !== "signature_prefix");
  const explanation = await explainSignature(given.bytes, came, secrets, sent);
  if (!explanation) return [ofProgram(finding("computed_unexplained"))];
  const departures = [...written, ...explanation.departures];
  if (departures.length === 0)
    return [ofProgram(note(check.is_authentic ? "computed_right" : "computed_unexplained"))];
  return departuresOf({ ...explanation, departures }, came).map(ofProgram);
}
