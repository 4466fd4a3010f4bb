import { createHash } from "node:crypto";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * A reference of capital letters and digits for a charge, for providers that take no UUID; the
 * same for the same charge. Each character holds 5 bits, so 20 of them are unguessable.
 */
export function shortReference(charge_id: string, length: number): string {
  const bytes = createHash("sha256").update(charge_id).digest();
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return Array.from({ length }, (_, place) =>
    BASE32.charAt(Number.parseInt(bits.slice(place * 5, place * 5 + 5), 2)),
  ).join("");
}

/** A reference of ours that came back in a query; null if it cannot be one. */
export const readReference = (value: unknown): string | null =>
  typeof value === "string" && /^[A-Za-z0-9-]{1,64}$/.test(value) ? value : null;

/** Year, month and day in Nepal, as texts of four and two digits. */
export function nepalDay(at: Date): { year: string; month: string; day: string } {
  const { year, month, day } = Temporal.Instant.fromEpochMilliseconds(
    at.getTime(),
  ).toZonedDateTimeISO("Asia/Kathmandu");
  const two = (part: number) => String(part).padStart(2, "0");
  return { year: String(year), month: two(month), day: two(day) };
}

/**
 * The label in the characters that banks' signed texts can hold: ASCII, without commas and equal
 * signs.
 */
export function plainLabel(label: string, most: number): string {
  const plain = label
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9 ./-]+/g, " ")
    .replace(/ +/g, " ")
    .slice(0, most)
    .trim();
  return /[A-Za-z0-9]/.test(plain) ? plain : "Payment";
}

/** Whether a payment's page can no longer be open, by the time since it was begun. */
export const isOver = (begun_at: Date, minutes: number): boolean =>
  Date.now() - begun_at.getTime() > minutes * 60_000;
