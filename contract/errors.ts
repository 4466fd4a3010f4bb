import * as z from "zod";

/** Errors that belong to no field: authentication, not found, conflict. */
export const GeneralError = z.strictObject({ detail: z.string() });

/** Maps each invalid field of the request to its messages. */
export const FieldErrors = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

export interface ErrorMessages {
  /** The message that belongs to no field, or null. */
  detail: string | null;
  /** Messages by dotted path of the request's field, as in `client.billing.billing_email`. */
  fields: Record<string, string[]>;
}

/** Keys that servers use for errors of no field; a bare array has no key at all. */
const NO_FIELD = /^(?:detail|details|non_field_errors|message|error|errors|)$/;
const DEEPEST = 8;

type Found = [path: string, text: string][];

/** Servers nest field errors as objects, or write "phone: text" under the parent's key. */
function collect(value: unknown, path: string, into: Found, depth = 0) {
  if (depth > DEEPEST) return;
  if (typeof value === "string") {
    const inner = path.includes("client")
      ? /^([a-z_]+(?:\.[a-z_]+)*): (.+)$/s.exec(value)
      : null;
    into.push(inner ? [`${path}.${inner[1]}`, inner[2] ?? ""] : [path, value]);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, path, into, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    collectFrom(value, path, into, depth);
  }
}

function collectFrom(value: object, path: string, into: Found, depth: number) {
  const words = depth > 0 ? wordsOf(value) : null;
  if (words !== null) {
    into.push([path, words]);
    return;
  }
  for (const [key, item] of Object.entries(value))
    collect(item, pathOf(path, key), into, depth + 1);
}

/**
 * Keys such as "errors" contain the fields themselves; a number is an index into a field's
 * values.
 */
function pathOf(parent: string, key: string): string {
  if (NO_FIELD.test(parent)) return key;
  return /^\d+$/.test(key) ? parent : `${parent}.${key}`;
}

/** An error may be an object with a message beside a code. */
function wordsOf(value: object): string | null {
  for (const name of ["message", "msg"]) {
    const words: unknown = Reflect.get(value, name);
    if (typeof words === "string") return words;
  }
  return null;
}

/** Reads an error body in any of the shapes that the specification leaves open; never throws. */
export function readErrorMessages(body: unknown): ErrorMessages {
  const found: Found = [];
  if (typeof body === "object" && body !== null) collect(body, "", found);
  const details: string[] = [];
  const fields = new Map<string, string[]>();
  for (const [path, text] of found) {
    if (NO_FIELD.test(path)) details.push(text);
    else fields.set(path, [...(fields.get(path) ?? []), text]);
  }
  return {
    detail: details.length > 0 ? details.join(" ") : null,
    fields: Object.fromEntries(fields),
  };
}
