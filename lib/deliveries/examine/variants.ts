import { signingKeyOf } from "#lib/signature.ts";

/** What can happen to a body between its signing and the check. */
export type BodyChange = "body_reserialised" | "body_newline";

interface BodyVariant {
  body: string;
  changes: BodyChange[];
}

/**
 * The longest body that is serialised again, in characters: trying all formats of a longer one
 * would block the page.
 */
const MAX_LENGTH = 100_000;

/** The body as it is, and as it may have been when it was signed; the fewest changes first. */
export function bodyVariants(body: string): BodyVariant[] {
  const found = new Map<string, BodyVariant>([[body, { body, changes: [] }]]);
  const add = (variant: string, ...changes: BodyChange[]) => {
    if (!found.has(variant)) found.set(variant, { body: variant, changes });
  };
  const bare = body.trim();
  const edges = [body.replace(/\r?\n$/, ""), bare, `${body}\n`, `${body}\r\n`];
  for (const edge of edges) add(edge, "body_newline");
  const serialised = body.length > MAX_LENGTH ? [] : serialisations(bare);
  const [before = "", after = ""] = bare === "" ? [] : body.split(bare);
  for (const text of serialised) add(before + text + after, "body_reserialised");
  for (const text of serialised)
    for (const edge of [text, `${text}\n`]) add(edge, "body_reserialised", "body_newline");
  return [...found.values()].toSorted(
    (one, other) => one.changes.length - other.changes.length,
  );
}

interface Format {
  comma: string;
  colon: string;
  indent: string;
}

/** The format of JSON that PostgreSQL builds, as in the embedded billing service. */
const POSTGRES: Format = { comma: ", ", colon: " : ", indent: "" };
/** The defaults of common JSON libraries, compact and indented. */
const FORMATS: Format[] = [
  { comma: ",", colon: ":", indent: "" },
  { comma: ", ", colon: ": ", indent: "" },
  POSTGRES,
  { comma: ",", colon: ": ", indent: "  " },
  { comma: ",", colon: ": ", indent: "    " },
  { comma: ",", colon: ": ", indent: "\t" },
];

/** The order in which the billing service writes the keys of a delivery. */
const KEYS = [
  "id",
  "event",
  "type",
  "timestamp",
  "subscription_id",
  "old_status",
  "new_status",
  "reason",
  "data",
  "product_id",
  "pbp_id",
  "current_period_start",
  "current_period_end",
  "next_billing_cycle",
];

const rank = (key: string) => (KEYS.includes(key) ? KEYS.indexOf(key) : KEYS.length);

type KeyOrder = (keys: string[]) => string[];
const AS_GIVEN: KeyOrder = (keys) => keys;
const KEY_ORDERS: KeyOrder[] = [
  AS_GIVEN,
  (keys) => keys.toSorted((one, other) => rank(one) - rank(other)),
  (keys) => keys.toSorted(),
];

function serialise(value: unknown, format: Format, order: KeyOrder, depth = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { comma, colon, indent } = format;
  const fields: Record<string, unknown> = { ...value };
  const write = (item: unknown) => serialise(item, format, order, depth + 1);
  const items = Array.isArray(value)
    ? value.map(write)
    : order(Object.keys(fields)).map((key) => JSON.stringify(key) + colon + write(fields[key]));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (items.length === 0 || indent === "") return open + items.join(comma) + close;
  const newline = (levels: number) => `\n${indent.repeat(levels)}`;
  return (
    open + newline(depth + 1) + items.join(comma + newline(depth + 1)) + newline(depth) + close
  );
}

/** A JSON object in each format and order of keys; none for other text. */
function serialisations(text: string): string[] {
  const value = parseObject(text);
  if (value === null) return [];
  return FORMATS.flatMap((format) =>
    KEY_ORDERS.map((order) => serialise(value, format, order)),
  );
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** Whether the body has the format of the embedded billing service: most likely it was not changed. */
export function isServiceFormat(body: string): boolean {
  const value = parseObject(body);
  return value !== null && serialise(value, POSTGRES, AS_GIVEN) === body;
}

export type SecretFault =
  "secret_spaces" | "secret_quoted" | "secret_not_decoded" | "other_secret";

/** A key that a program may have derived from a secret. */
export interface KeyCandidate {
  key: Uint8Array<ArrayBuffer>;
  /** The index of the secret in the list. */
  secret: number;
  faults: SecretFault[];
}

/**
 * The secret without spaces and surrounding quotes, and the kinds of mistakes that were removed.
 */
export function cleanSecret(secret: string): { secret: string; faults: SecretFault[] } {
  const unquoted = secret.trim().replace(/^(["'`])([^]*)\1$/, "$2");
  const clean = unquoted.replace(/\s+/g, "");
  const faults: SecretFault[] = [];
  if (secret.trim() !== secret || clean !== unquoted) faults.push("secret_spaces");
  if (unquoted !== secret.trim()) faults.push("secret_quoted");
  return { secret: clean, faults };
}

/**
 * Every key that can be derived from the secrets; of equal keys, the one that implies the fewest
 * mistakes.
 */
export function keyCandidates(secrets: readonly string[]): KeyCandidate[] {
  const found = new Map<string, KeyCandidate>();
  const add = (key: KeyCandidate["key"] | null, secret: number, faults: SecretFault[]) => {
    if (!key || key.length === 0) return;
    const name = key.join();
    const known = found.get(name);
    const all: SecretFault[] = secret > 0 ? ["other_secret", ...faults] : faults;
    if (!known || known.faults.length > all.length)
      found.set(name, { key, secret, faults: all });
  };
  for (const [at, secret] of secrets.entries()) {
    const clean = cleanSecret(secret);
    add(signingKeyOf(secret, "standard"), at, []);
    add(signingKeyOf(clean.secret, "standard"), at, clean.faults);
    for (const text of [clean.secret, clean.secret.replace(/^whsec_/, ""), secret])
      add(signingKeyOf(text, "text"), at, [...clean.faults, "secret_not_decoded"]);
  }
  return [...found.values()];
}
