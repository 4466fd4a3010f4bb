import "server-only";
import { hash } from "node:crypto";

/** Cached per record object, because up to four steps need the digest. */
const digests = new WeakMap<object, string>();

/** A digest of a record's content. */
export function digestOf(record: unknown): string {
  if (typeof record !== "object" || record === null) return digest(record);
  const known = digests.get(record);
  if (known !== undefined) return known;
  const made = digest(record);
  digests.set(record, made);
  return made;
}

const digest = (record: unknown) => hash("sha1", JSON.stringify(record), "base64");
