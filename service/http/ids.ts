import { notFoundError } from "./errors.ts";

export const isUuid = (text: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);

/** The number in a path. @throws 404 if no row can have it */
export function requireRecordId(text: string, missing = notFoundError): number {
  const id = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || id === 0) throw missing();
  return id;
}
