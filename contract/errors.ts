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

/** Servers nest field errors as objects, or write "phone: text" under the parent's key. */
function* messagesIn(
  value: unknown,
  path: string,
  depth: number,
): Generator<[path: string, text: string]> {
  if (depth > DEEPEST) return;
  if (typeof value === "string") {
    const inner = path.includes("client")
      ? /^([a-z_]+(?:\.[a-z_]+)*): (.+)$/s.exec(value)
      : null;
    yield inner ? [`${path}.${inner[1]}`, inner[2] ?? ""] : [path, value];
  } else if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    const message = isList || depth === 0 ? null : messageOf(value);
    if (message === null)
      for (const [key, item] of Object.entries(value))
        yield* messagesIn(item, isList ? path : pathOf(path, key), depth + 1);
    else yield [path, message];
  }
}

/**
 * Keys such as "errors" contain the fields themselves; a number is an index into a field's
 * values.
 */
function pathOf(parent: string, key: string): string {
  if (NO_FIELD.test(parent)) return key;
  return /^\d+$/.test(key) ? parent : `${parent}.${key}`;
}

/** The message of an error that is an object with a message and a code; null without one. */
function messageOf(value: object): string | null {
  const { message, msg } = value as Record<string, unknown>;
  return [message, msg].find((text) => typeof text === "string") ?? null;
}

/** Reads an error body in any of the shapes that the specification leaves open; never throws. */
export function readErrorMessages(body: unknown): ErrorMessages {
  const details: string[] = [];
  const fields = new Map<string, string[]>();
  for (const [path, text] of typeof body === "string" ? [] : messagesIn(body, "", 0)) {
    if (NO_FIELD.test(path)) details.push(text);
    else fields.set(path, [...(fields.get(path) ?? []), text]);
  }
  return {
    detail: details.length > 0 ? details.join(" ") : null,
    fields: Object.fromEntries(fields),
  };
}
