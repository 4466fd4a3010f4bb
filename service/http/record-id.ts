/** The whole number in a path, or null where no record can have it. */
export function readRecordId(text: string): number | null {
  const id = /^[0-9]+$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
