/** The integer id of a path, or null if no row can have it. */
export function readRecordId(text: string): number | null {
  const id = /^[0-9]+$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
