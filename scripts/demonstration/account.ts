import { PUBLISHED_PASSWORD } from "#lib/auth/sessions/published-password.ts";
import { isReachableByOthers } from "#lib/exposure.ts";

export const demonstrationPerson = () => ({
  email: process.env["DEMO_EMAIL"] || "demo@duebook.example",
  password: process.env["DEMO_PASSWORD"] || PUBLISHED_PASSWORD,
});

type Variables = Record<string, string | undefined>;

/**
 * The demonstration's password is published, so a sign-in with it is refused if a live key is
 * stored or the address is public.
 * @returns what the operator can do about it, or null
 */
export function passwordAdvice(variables: Variables): string | null {
  const password = variables["DEMO_PASSWORD"] || PUBLISHED_PASSWORD;
  if (password !== PUBLISHED_PASSWORD) return null;
  if (variables["BILLING_API_KEY"])
    return "BILLING_API_KEY is a live key, and everybody knows the demonstration's password. Set DEMO_PASSWORD to one of your own, or leave the key out and paste it in the settings.";
  return isReachableByOthers(variables) && variables["DEMONSTRATION"] !== "off"
    ? "others can reach this installation (HOST, NEXTAUTH_URL or TRUSTED_PROXIES), and everybody knows the demonstration's password. Set DEMO_PASSWORD to one of your own, or DEMONSTRATION=off."
    : null;
}
