import type { Translate } from "#lib/i18n/message.ts";

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
 * One text for all refusals, so that it does not reveal whether the email is known.
 * @param error the code in the URL
 */
export function signInMessage(t: Translate<"auth">, error: string): string {
  const known = PROBLEMS.find((problem) => problem === error);
  return t(`problems.${known ?? "refused"}`);
}

/** Seconds to wait if the code says so, else null. */
export function signInWaitOf(error: string | null): number | null {
  const seconds = /^Wait(\d{1,4})$/.exec(error ?? "")?.[1];
  return seconds === undefined ? null : Number(seconds);
}
