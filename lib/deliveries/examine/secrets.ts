import { keyOf } from "#lib/signature.ts";

export type SecretFault =
  | "secret_spaces"
  | "secret_quoted"
  | "secret_named"
  | "secret_escaped"
  | "secret_urlsafe"
  | "secret_not_decoded"
  | "other_secret";

/** A key that a program may have made of a secret. */
export interface KeyGuess {
  key: Uint8Array<ArrayBuffer>;
  /** Which of the secrets. */
  secret: number;
  faults: SecretFault[];
}

const REPAIRS: [SecretFault, (text: string) => string][] = [
  ["secret_spaces", (text) => text.trim()],
  ["secret_named", (text) => text.replace(/^(?:export\s+)?[A-Za-z_]\w*\s*[=:]\s*(?=\S)/, "")],
  ["secret_quoted", (text) => text.replace(/^(["'`])([^]*)\1$/, "$2").replace(/[,;]$/, "")],
  ["secret_quoted", (text) => text.replace(/^(["'`])([^]*)\1$/, "$2")],
  ["secret_escaped", (text) => text.replace(/(?<!\\[rnt])(?:\\[rnt])+$/, "")],
  [
    "secret_escaped",
    (text) => text.replace(/%(2[bBfF]|3[dD])/g, (code) => decodeURIComponent(code)),
  ],
  ["secret_spaces", (text) => text.replace(/\s+/g, "")],
  [
    "secret_urlsafe",
    (text) => {
      const [, prefix = "", rest = ""] = /^(whsec_)?([^]*)$/.exec(text) ?? [];
      return prefix + rest.replaceAll("-", "+").replaceAll("_", "/");
    },
  ],
];

/** The secret without what does not belong to it, and what that was. */
export function cleanSecret(secret: string): { secret: string; faults: SecretFault[] } {
  const faults: SecretFault[] = [];
  let text = secret;
  for (const [fault, repair] of REPAIRS) {
    const repaired = repair(text);
    if (repaired !== text && !faults.includes(fault)) faults.push(fault);
    text = repaired;
  }
  return { secret: text, faults };
}

/** Every key that may have been made of the secrets, the right one first; none twice. */
export function keyGuesses(secrets: readonly string[]): KeyGuess[] {
  const found = new Map<string, KeyGuess>();
  const keep = (key: KeyGuess["key"] | null, secret: number, faults: SecretFault[]) => {
    if (!key || key.length === 0) return;
    const name = key.join();
    const known = found.get(name);
    const all: SecretFault[] = secret > 0 ? ["other_secret", ...faults] : faults;
    if (!known || known.faults.length > all.length)
      found.set(name, { key, secret, faults: all });
  };
  for (const [at, secret] of secrets.entries()) {
    const clean = cleanSecret(secret);
    keep(keyOf(secret, "standard"), at, []);
    keep(keyOf(clean.secret, "standard"), at, clean.faults);
    for (const text of [clean.secret, clean.secret.replace(/^whsec_/, "")])
      keep(keyOf(text, "text"), at, [...clean.faults, "secret_not_decoded"]);
    if (secret !== clean.secret)
      keep(keyOf(secret, "text"), at, [...clean.faults, "secret_not_decoded"]);
  }
  return [...found.values()];
}
