import { hmac, type SignatureAlgorithm } from "#lib/signature.ts";
import { keyGuesses, type KeyGuess, type SecretFault } from "../secrets/rules.ts";
import { spellingsOf, type Change } from "../spelling/rules.ts";

/** In which a signature departs from the standard, or what was signed from what came. */
export type Departure =
  | Change
  | SecretFault
  | "body_changed"
  | "body_cut"
  | "other_algorithm"
  | "hex_signature"
  | "urlsafe_signature"
  | "signature_prefix"
  | "other_layout"
  | "id_and_time_swapped"
  | "id_changed"
  | "timestamp_unit"
  | "timestamp_changed";

export interface Parts {
  id: string;
  timestamp: string;
  body: string;
}

/** How a signature came about. */
export interface Explanation {
  departures: Departure[];
  /** What was signed, part by part. */
  parts: Parts;
  algorithm: SignatureAlgorithm;
  /** The parts' names as they were joined: "timestamp.body". */
  layout: string;
  /** Which of the secrets made it. */
  secret: number;
}

interface Choice<Value> {
  departures: Departure[];
  value: Value;
}

const ALGORITHMS: Choice<SignatureAlgorithm>[] = [
  { departures: [], value: "sha256" },
  { departures: ["other_algorithm"], value: "sha512" },
  { departures: ["other_algorithm"], value: "sha1" },
];

const STANDARD_LAYOUT = "id.timestamp.body";
const LAYOUTS: Choice<string>[] = [
  STANDARD_LAYOUT,
  "body",
  "timestamp.body",
  "id.body",
  "timestamp.id.body",
  "id:timestamp:body",
  "id,timestamp,body",
  "idtimestampbody",
  "id.timestamp",
].map((value) => ({ departures: value === STANDARD_LAYOUT ? [] : ["other_layout"], value }));

/** A body that was changed in its contents is less likely than one that was spelled anew. */
const WEIGHT: Partial<Record<Departure, number>> = {
  body_changed: 2.5,
  body_cut: 2.5,
  id_changed: 1.5,
  timestamp_changed: 1.5,
};
const MOST_WEIGHT = 3.5;
const MOST_TRIES = 12_000;
/** Of one text after another, so that a long body does not hold the page up for long. */
const MOST_BYTES = 60_000_000;

const weightOf = (departures: readonly Departure[]) =>
  departures.reduce((sum, departure) => sum + (WEIGHT[departure] ?? 1), 0);

/**
 * Tries which secret, text and method gave a signature, the likeliest first.
 * @param target the bytes that were given, in hex
 * @param sent the delivery as the sender logged it, where that is known
 * @returns null when nothing that was tried gives it
 */
export async function explainSignature(
  target: string,
  came: Parts,
  secrets: readonly string[],
  sent: Parts | null = null,
): Promise<Explanation | null> {
  const make = maker();
  const tries = everyTry(came, secrets, sent);
  let bytes = 0;
  for (const { departures, key, algorithm, layout, parts } of tries.slice(0, MOST_TRIES)) {
    const text = textOf(layout, parts);
    bytes += text.length;
    if (bytes > MOST_BYTES) return null;
    if ((await make(key, algorithm, text)) === target)
      return { departures, parts, algorithm, layout, secret: key.secret };
  }
  return null;
}

/** A key is imported once for each algorithm, and a signature made once for each text. */
function maker() {
  const encoder = new TextEncoder();
  return (key: KeyGuess, algorithm: SignatureAlgorithm, text: string) =>
    hmac(key.key, encoder.encode(text), { algorithm, encoding: "hex" });
}

const textOf = (layout: string, parts: Parts) =>
  layout.replace(/id|timestamp|body/g, (part) => parts[part as keyof Parts]);

interface Try {
  departures: Departure[];
  weight: number;
  key: KeyGuess;
  algorithm: SignatureAlgorithm;
  layout: string;
  parts: Parts;
}

function everyTry(came: Parts, secrets: readonly string[], sent: Parts | null): Try[] {
  const keys = keyGuesses(secrets).map((key) => ({ departures: key.faults, value: key }));
  const bodies = bodyChoices(came.body, sent);
  const labels = labelChoices(came, sent);
  const tries: Try[] = [];
  for (const key of keys)
    for (const algorithm of ALGORITHMS)
      for (const layout of LAYOUTS)
        for (const label of labels) {
          const before = [key, algorithm, layout, label].flatMap(
            ({ departures }) => departures,
          );
          const weight = weightOf(before);
          for (const body of bodies) {
            const whole = weight + weightOf(body.departures);
            // The lightest bodies come first.
            if (whole > MOST_WEIGHT) break;
            tries.push({
              departures: [...before, ...body.departures],
              weight: whole,
              key: key.value,
              algorithm: algorithm.value,
              layout: layout.value,
              parts: { ...label.value, body: body.value },
            });
          }
        }
  return tries.toSorted((one, other) => one.weight - other.weight);
}

function bodyChoices(body: string, sent: Parts | null): Choice<string>[] {
  const choices: Choice<string>[] = spellingsOf(body).map((spelling) => ({
    departures: spelling.changes,
    value: spelling.body,
  }));
  if (sent && sent.body !== body) {
    const isCut = sent.body.startsWith(body.trimEnd());
    choices.push({ departures: [isCut ? "body_cut" : "body_changed"], value: sent.body });
  }
  return choices.toSorted(
    (one, other) => weightOf(one.departures) - weightOf(other.departures),
  );
}

type Labels = Omit<Parts, "body">;

/** What may have stood for the id and the time. */
function labelChoices({ id, timestamp, body }: Parts, sent: Parts | null): Choice<Labels>[] {
  const inBody = namesIn(body);
  const choices: Choice<Labels>[] = [
    { departures: [], value: { id, timestamp } },
    { departures: ["id_and_time_swapped"], value: { id: timestamp, timestamp: id } },
    ...otherUnits(timestamp).map((other): Choice<Labels> => ({
      departures: ["timestamp_unit"],
      value: { id, timestamp: other },
    })),
    ...[sent?.id, inBody.id].map((other): Choice<Labels> => ({
      departures: ["id_changed"],
      value: { id: other ?? id, timestamp },
    })),
    ...[sent?.timestamp, inBody.timestamp].map((other): Choice<Labels> => ({
      departures: ["timestamp_changed"],
      value: { id, timestamp: other ?? timestamp },
    })),
  ];
  if (sent)
    choices.push({
      departures: ["id_changed", "timestamp_changed"],
      value: { id: sent.id, timestamp: sent.timestamp },
    });
  const isNew = ({ departures, value }: Choice<Labels>) =>
    departures.length === 0 || value.id !== id || value.timestamp !== timestamp;
  return choices.filter(isNew);
}

/** Seconds, milliseconds and a written moment for each other. */
export function otherUnits(timestamp: string): string[] {
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

function namesIn(body: string): { id: string | null; timestamp: string | null } {
  const read = (name: string) =>
    new RegExp(String.raw`"${name}"\s*:\s*"([^"\\]{1,100})"`).exec(body)?.[1] ?? null;
  const moment = read("timestamp");
  const seconds = moment === null ? Number.NaN : Math.floor(Date.parse(moment) / 1_000);
  return { id: read("id"), timestamp: Number.isNaN(seconds) ? null : String(seconds) };
}

/** One signature as it was given, and how its spelling departs from the standard. */
export interface GivenSignature {
  text: string;
  /** The bytes in hex. */
  bytes: string;
  departures: Departure[];
}

const PREFIX = /^(?:v\d+[a-z]?|sha\d+|s|sig|signature)[,=:]/i;

/** Those that a header's value holds, whatever prefix and encoding they have. */
export function readSignatures(value: string): GivenSignature[] {
  const isStandard = new Set(value.split(" ").filter((part) => part.startsWith("v1,")));
  return value
    .replaceAll(/["']/g, "")
    .replace(/,\s+/g, " ")
    .split(/[\s;]+|,(?=v\d+,)/)
    .filter((part) => part !== "" && !/^t=\d+$|^v1a,/.test(part))
    .flatMap((part) => {
      const text = part.replace(PREFIX, "");
      const read = bytesOf(text);
      if (!read) return [];
      const prefixed: Departure[] = isStandard.has(part) ? [] : ["signature_prefix"];
      return [{ text, bytes: read.bytes, departures: [...prefixed, ...read.departures] }];
    });
}

const DIGESTS = new Set([20, 32, 64]);

function bytesOf(text: string): Omit<GivenSignature, "text"> | null {
  if (/^[0-9a-f]+$/i.test(text) && DIGESTS.has(text.length / 2))
    return { bytes: text.toLowerCase(), departures: ["hex_signature"] };
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  const padded = standard
    .replace(/=+$/, "")
    .padEnd(Math.ceil(standard.replace(/=+$/, "").length / 4) * 4, "=");
  try {
    const bytes = Array.from(atob(padded), (character) =>
      character.charCodeAt(0).toString(16).padStart(2, "0"),
    ).join("");
    return { bytes, departures: padded === text ? [] : ["urlsafe_signature"] };
  } catch {
    return null;
  }
}
