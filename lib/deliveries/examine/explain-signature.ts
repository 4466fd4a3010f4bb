import { hmac, type SignatureAlgorithm } from "#lib/signature.ts";
import {
  type BodyChange,
  bodyVariants,
  type KeyCandidate,
  keyCandidates,
  type SecretFault,
} from "./variants.ts";

/** How the signature deviates from the standard, or the received delivery from the signed one. */
export type SignatureDeviation =
  | BodyChange
  | SecretFault
  | "body_changed"
  | "body_cut"
  | "other_algorithm"
  | "hex_signature"
  | "signature_prefix"
  | "other_layout"
  | "id_and_time_swapped"
  | "id_changed"
  | "timestamp_unit"
  | "timestamp_changed";

export interface DeliveryParts {
  id: string;
  timestamp: string;
  body: string;
}

export interface Explanation {
  deviations: SignatureDeviation[];
  parts: DeliveryParts;
  algorithm: SignatureAlgorithm;
  /** How the parts were joined, such as "timestamp.body". */
  layout: string;
  /** The place of the secret in the list. */
  secret: number;
}

/** A value to try, and the deviations that it implies. */
interface Option<Value> {
  deviations: SignatureDeviation[];
  value: Value;
}

const ALGORITHMS: Option<SignatureAlgorithm>[] = [
  { deviations: [], value: "sha256" },
  { deviations: ["other_algorithm"], value: "sha512" },
  { deviations: ["other_algorithm"], value: "sha1" },
];

const STANDARD_LAYOUT = "id.timestamp.body";
const LAYOUTS: Option<string>[] = [
  STANDARD_LAYOUT,
  "body",
  "timestamp.body",
  "id.body",
  "timestamp.id.body",
  "id:timestamp:body",
  "id,timestamp,body",
  "idtimestampbody",
  "id.timestamp",
].map((value) => ({ deviations: value === STANDARD_LAYOUT ? [] : ["other_layout"], value }));

/** Changed contents are less likely than a changed format. */
const WEIGHT: Partial<Record<SignatureDeviation, number>> = {
  body_changed: 2.5,
  body_cut: 2.5,
  id_changed: 1.5,
  timestamp_changed: 1.5,
};
const MAX_WEIGHT = 3.5;
const MAX_CANDIDATES = 12_000;
/** Limits the bytes to sign, so that a long body does not block the page. */
const MAX_BYTES = 60_000_000;

const weightOf = (deviations: readonly SignatureDeviation[]) =>
  deviations.reduce((sum, deviation) => sum + (WEIGHT[deviation] ?? 1), 0);

/**
 * Finds the secret, text and method that made a signature by trying them, the likeliest first.
 * @param target the bytes of the signature, in hex
 * @param sent the delivery as the sender logged it, if known
 * @returns null when no candidate makes this signature
 */
export async function explainSignature(
  target: string,
  received: DeliveryParts,
  secrets: readonly string[],
  sent: DeliveryParts | null = null,
): Promise<Explanation | null> {
  const encoder = new TextEncoder();
  const candidates = everyCandidate(received, secrets, sent);
  let bytes = 0;
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    const { deviations, key, algorithm, layout, parts } = candidate;
    const text = textOf(layout, parts);
    bytes += text.length;
    if (bytes > MAX_BYTES) return null;
    const made = await hmac(key.key, encoder.encode(text), { algorithm, encoding: "hex" });
    if (made === target) return { deviations, parts, algorithm, layout, secret: key.secret };
  }
  return null;
}

const textOf = (layout: string, parts: DeliveryParts) =>
  layout.replace(/id|timestamp|body/g, (part) => parts[part as keyof DeliveryParts]);

interface Candidate {
  deviations: SignatureDeviation[];
  weight: number;
  key: KeyCandidate;
  algorithm: SignatureAlgorithm;
  layout: string;
  parts: DeliveryParts;
}

function everyCandidate(
  received: DeliveryParts,
  secrets: readonly string[],
  sent: DeliveryParts | null,
): Candidate[] {
  const keys = keyCandidates(secrets).map((key) => ({ deviations: key.faults, value: key }));
  const bodies = bodyOptions(received.body, sent);
  const labels = labelOptions(received, sent);
  const candidates: Candidate[] = [];
  for (const key of keys)
    for (const algorithm of ALGORITHMS)
      for (const layout of LAYOUTS)
        for (const label of labels) {
          const before = [key, algorithm, layout, label].flatMap(
            ({ deviations }) => deviations,
          );
          const weight = weightOf(before);
          for (const body of bodies) {
            const whole = weight + weightOf(body.deviations);
            // The lightest bodies come first.
            if (whole > MAX_WEIGHT) break;
            candidates.push({
              deviations: [...before, ...body.deviations],
              weight: whole,
              key: key.value,
              algorithm: algorithm.value,
              layout: layout.value,
              parts: { ...label.value, body: body.value },
            });
          }
        }
  return candidates.toSorted((one, other) => one.weight - other.weight);
}

function bodyOptions(body: string, sent: DeliveryParts | null): Option<string>[] {
  const options: Option<string>[] = bodyVariants(body).map((variant) => ({
    deviations: variant.changes,
    value: variant.body,
  }));
  if (sent && sent.body !== body) {
    const isCut = sent.body.startsWith(body.trimEnd());
    options.push({ deviations: [isCut ? "body_cut" : "body_changed"], value: sent.body });
  }
  return options.toSorted(
    (one, other) => weightOf(one.deviations) - weightOf(other.deviations),
  );
}

type Labels = Omit<DeliveryParts, "body">;

/** Values that the sender may have used as id and timestamp. */
function labelOptions(
  { id, timestamp, body }: DeliveryParts,
  sent: DeliveryParts | null,
): Option<Labels>[] {
  const inBody = namesIn(body);
  const option = (
    value: { [Label in keyof Labels]?: string | null | undefined },
    ...deviations: SignatureDeviation[]
  ): Option<Labels> => ({
    deviations,
    value: { id: value.id ?? id, timestamp: value.timestamp ?? timestamp },
  });
  return [
    option({}),
    option({ id: timestamp, timestamp: id }, "id_and_time_swapped"),
    ...timestampInOtherUnits(timestamp).map((other) =>
      option({ timestamp: other }, "timestamp_unit"),
    ),
    option({ id: sent?.id }, "id_changed"),
    option({ id: inBody.id }, "id_changed"),
    option({ timestamp: sent?.timestamp }, "timestamp_changed"),
    option({ timestamp: inBody.timestamp }, "timestamp_changed"),
    option({ id: sent?.id, timestamp: sent?.timestamp }, "id_changed", "timestamp_changed"),
  ].filter(
    ({ deviations, value }) =>
      deviations.length === 0 || value.id !== id || value.timestamp !== timestamp,
  );
}

/** The same time in other units: seconds as milliseconds; milliseconds or a date as seconds. */
export function timestampInOtherUnits(timestamp: string): string[] {
  const text = timestamp.trim();
  if (/^\d{13}(\.\d+)?$/.test(text)) return [text.slice(0, 10), text.slice(0, 13)];
  if (/^\d{9,10}(\.\d+)?$/.test(text)) {
    const seconds = text.replace(/\..*$/, "");
    return [`${seconds}000`, ...(seconds === text ? [] : [seconds])];
  }
  const moment =
    /^\d/.test(text) || /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? [] : [String(Math.floor(moment / 1_000))];
}

/** The delivery's id and time, read from the body. */
function namesIn(body: string): { id: string | null; timestamp: string | null } {
  const read = (name: string) =>
    new RegExp(String.raw`"${name}"\s*:\s*"([^"\\]{1,100})"`).exec(body)?.[1] ?? null;
  const moment = read("timestamp");
  const seconds = moment === null ? Number.NaN : Math.floor(Date.parse(moment) / 1_000);
  return { id: read("id"), timestamp: Number.isNaN(seconds) ? null : String(seconds) };
}
