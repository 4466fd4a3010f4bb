import { createHmac } from "node:crypto";
import { isSame } from "../outgoing/settings.ts";
import type { PaymentContext } from "./provider.ts";

const DAY_SECONDS = 86_400;

type Keys = Pick<PaymentContext, "publicUrl" | "secretsKeys">;
type Clock = Pick<PaymentContext, "now">;

const isHttps = ({ publicUrl }: Keys) => publicUrl.startsWith("https:");
const nameOf = (keys: Keys, name: string) => `${isHttps(keys) ? "__Host-" : ""}duebook.${name}`;
/** The signature for an id; it cannot be made without the key. Null if there is no key. */
export const signatureOf = ({ secretsKeys: [key] }: Keys, subject: string) =>
  key ? createHmac("sha256", key).update(subject).digest("base64url") : null;

/**
 * A key for a network, for rows that count codes; without the service's key nobody can find the
 * address from it.
 */
export const networkKeyOf = (keys: Keys, network: string): string =>
  signatureOf(keys, `network:${network}`) ?? "";

/** A cookie for this service alone. */
export function ownCookie(keys: Keys, name: string, value: string, seconds: number): string {
  const secure = isHttps(keys) ? "; Secure" : "";
  return `${nameOf(keys, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** @param cookies a request's Cookie header */
export function readOwnCookie(keys: Keys, name: string, cookies = ""): string | null {
  const start = `${nameOf(keys, name)}=`;
  return (
    cookies
      .split("; ")
      .find((one) => one.startsWith(start))
      ?.slice(start.length) ?? null
  );
}

const subjectOf = (attemptId: string) => `payer:${attemptId}`;

/** The cookie of the browser in which an attempt's code was entered, for a day; null without a key. */
export function payerCookie(keys: Keys, attemptId: string): string | null {
  const token = signatureOf(keys, subjectOf(attemptId));
  return token && ownCookie(keys, "payer", token, DAY_SECONDS);
}

export function isPayer(keys: Keys, attemptId: string, cookies?: string): boolean {
  const token = signatureOf(keys, subjectOf(attemptId));
  return token !== null && isSame(readOwnCookie(keys, "payer", cookies) ?? undefined, token);
}

const PROVEN_SECONDS = 3_600;
const provenSubject = (subscriptionId: string, until: string) =>
  `proven:${subscriptionId}:${until}`;

/**
 * The cookie of the browser in which the number of a subscription was just proven by a code, so that
 * its payment needs no second one, for an hour; null without a key.
 */
export function provenCookie(keys: Keys & Clock, subscriptionId: string): string | null {
  const until = String(keys.now().getTime() + PROVEN_SECONDS * 1_000);
  const token = signatureOf(keys, provenSubject(subscriptionId, until));
  return token && ownCookie(keys, "proven", `${until}.${token}`, PROVEN_SECONDS);
}

/** The signed cookie contains its end: a browser or a thief may keep it longer. */
export function isProven(
  keys: Keys & Clock,
  subscriptionId: string,
  cookies?: string,
): boolean {
  const [until = "", given] = (readOwnCookie(keys, "proven", cookies) ?? "").split(".");
  const token = signatureOf(keys, provenSubject(subscriptionId, until));
  return token !== null && isSame(given, token) && Number(until) > keys.now().getTime();
}
