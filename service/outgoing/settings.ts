import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";

const digest = (value: string) => createHash("sha256").update(value).digest();

/** Compares in constant time, whatever the lengths. */
export const isSame = (given: unknown, expected: string) =>
  typeof given === "string" &&
  expected !== "" &&
  timingSafeEqual(digest(given), digest(expected));

/** The base URL of a gateway, as a setting with the documented default. */
export const baseUrl = (standard: string) =>
  z
    .url({ protocol: /^https?$/ })
    .max(200)
    .overwrite((url) => url.replace(/\/+$/, ""))
    .default(standard);

/** A secret that goes into a header or a field: printable, without blanks around it. */
export const secretText = (most = 500) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);

/** A value of unknown JSON as an object; empty if it is no object. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
