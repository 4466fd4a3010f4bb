/** From what is as it should be to what keeps Duebook from working. */
export type Level = "ok" | "note" | "warning" | "failure";

/** What one look showed. The words repeat no key, no password and nothing of a buyer's. */
export interface Finding {
  level: Level;
  words: string;
  /** What to do about it. */
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
