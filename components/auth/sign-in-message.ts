import type { Translate } from "#lib/i18n/translate.ts";

const PROBLEMS = [
  "Unavailable",
  "Code",
  "Expired",
  "KnownEmail",
  "NoEmail",
  "NotInvited",
  "OAuthSignin",
  "OAuthCallback",
  "Callback",
  "AccessDenied",
  "OtherIssuer",
] as const;

/**
 * One text for every refusal: it must not tell whether the email is known.
 * @param error the word in the address
 */
export function signInMessage(t: Translate<"auth">, error: string): string {
  const known = PROBLEMS.find((problem) => problem === error);
  return t(`problems.${known ?? "refused"}`);
}

/** How long to wait, when that is what the word says. */
export function waitOf(error: string | null): number | null {
  const seconds = /^Wait(\d{1,4})$/.exec(error ?? "")?.[1];
  return seconds === undefined ? null : Number(seconds);
}
