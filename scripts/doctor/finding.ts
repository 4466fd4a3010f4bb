/** Severities, from good to fatal. */
export type Level = "ok" | "note" | "warning" | "failure";

/** Result of a check. Its text contains no key, no password and no personal data. */
export interface Finding {
  level: Level;
  words: string;
  /** Advice to the operator. */
  remedy?: string;
}

export const ok = (words: string): Finding => ({ level: "ok", words });
export const note = (words: string, remedy?: string): Finding => ({
  level: "note",
  words,
  ...(remedy ? { remedy } : {}),
});
export const warning = (words: string, remedy: string): Finding => ({
  level: "warning",
  words,
  remedy,
});
export const failure = (words: string, remedy: string): Finding => ({
  level: "failure",
  words,
  remedy,
});

/** "1 key", "2 keys", "12,000 keys". */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
