import { message } from "#lib/i18n/message.ts";

export const PASSWORD_LENGTH = { shortest: 8, longest: 256 } as const;

/** The problem with a new password as a message; null for none. hashNewPassword checks more. */
export function passwordProblem(password: string, email: string): string | null {
  const length = Array.from(password.normalize("NFC")).length;
  if (length < PASSWORD_LENGTH.shortest)
    return message("fields.password.short", { count: PASSWORD_LENGTH.shortest });
  if (length > PASSWORD_LENGTH.longest)
    return message("fields.password.long", { count: PASSWORD_LENGTH.longest });
  if (holdsEmail(password, email)) return message("fields.password.holdsEmail");
  if (new Set(password.toLowerCase()).size < 4) return message("fields.password.monotonous");
  return null;
}

function holdsEmail(password: string, email: string): boolean {
  const [name = ""] = email.trim().toLowerCase().split("@");
  return name.length >= 4 && password.toLowerCase().includes(name);
}

const SHORTEST_WORD = 4;

/** Letters and digits only, in lower case. */
const plain = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "");

/**
 * Whether fewer characters are left than needed once these names and their words are removed from
 * the password.
 */
export function consistsOfNames(password: string, names: readonly string[]): boolean {
  const words = names
    .flatMap((name) => [name, ...name.split(/[^\p{L}\p{M}\p{N}]+/u)])
    .map(plain)
    .filter((word) => Array.from(word).length >= SHORTEST_WORD)
    .toSorted((a, b) => b.length - a.length);
  const whole = plain(password);
  const left = words.reduce((text, word) => text.replaceAll(word, ""), whole);
  return left !== whole && Array.from(left).length < PASSWORD_LENGTH.shortest;
}

type Strength = "weak" | "fair" | "strong";

/** A rough rating while typing: length counts more than kinds of characters. */
export function passwordStrength(password: string, email: string): Strength {
  if (passwordProblem(password, email) !== null) return "weak";
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) =>
    kind.test(password),
  );
  const score = Array.from(password).length + 2 * kinds.length;
  if (score >= 20) return "strong";
  return score >= 14 ? "fair" : "weak";
}
