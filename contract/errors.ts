import * as z from "zod";

/** Authentication, not found, conflict: everything that belongs to no field. */
export const GeneralError = z.strictObject({ detail: z.string() });

/** Each key a field of the request, each value its messages. */
export const FieldErrors = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

export interface ErrorMessages {
  /** The message that belongs to no field, or null. */
  detail: string | null;
  /** Messages by dotted path of the request's field, as in `client.billing.billing_email`. */
  fields: Record<string, string[]>;
}

const NO_FIELD = new Set(["detail", "non_field_errors"]);

/** Servers nest field errors as objects, or write "phone: text" under the parent's key. */
function collect(value: unknown, path: string, into: [path: string, text: string][]) {
  if (typeof value === "string") {
    const inner = path.includes("client")
      ? /^([a-z_]+(?:\.[a-z_]+)*): (.+)$/s.exec(value)
      : null;
    into.push(inner ? [`${path}.${inner[1]}`, inner[2] ?? ""] : [path, value]);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, path, into);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value))
      collect(item, path ? `${path}.${key}` : key, into);
  }
}

/** Reads an error body in any of the shapes that the specification leaves open; never throws. */
export function readErrorMessages(body: unknown): ErrorMessages {
  const found: [path: string, text: string][] = [];
  if (typeof body === "object" && body !== null && !Array.isArray(body))
    collect(body, "", found);
  const details: string[] = [];
  const fields = new Map<string, string[]>();
  for (const [path, text] of found) {
    if (NO_FIELD.has(path)) details.push(text);
    else fields.set(path, [...(fields.get(path) ?? []), text]);
  }
  return {
    detail: details.length > 0 ? details.join(" ") : null,
    fields: Object.fromEntries(fields),
  };
}
