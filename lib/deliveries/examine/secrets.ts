import { keyOf } from "#lib/signature.ts";

export type SecretFault =
  "secret_spaces" | "secret_quoted" | "secret_not_decoded" | "other_secret";

/** A key that a program may have derived from a secret. */
export interface KeyCandidate {
  key: Uint8Array<ArrayBuffer>;
  /** The secret's place in the list. */
  secret: number;
  faults: SecretFault[];
}

/** The secret without spaces and quotes, and which of these there were. */
export function cleanSecret(secret: string): { secret: string; faults: SecretFault[] } {
  const unquoted = secret.trim().replace(/^(["'`])([^]*)\1$/, "$2");
  const clean = unquoted.replace(/\s+/g, "");
  const faults: SecretFault[] = [];
  if (secret.trim() !== secret || clean !== unquoted) faults.push("secret_spaces");
  if (unquoted !== secret.trim()) faults.push("secret_quoted");
  return { secret: clean, faults };
}

/** Every key that can be derived from the secrets, each with the fewest faults. */
export function keyCandidates(secrets: readonly string[]): KeyCandidate[] {
  const found = new Map<string, KeyCandidate>();
  const add = (key: KeyCandidate["key"] | null, secret: number, faults: SecretFault[]) => {
    if (!key || key.length === 0) return;
    const name = key.join();
    const known = found.get(name);
    const all: SecretFault[] = secret > 0 ? ["other_secret", ...faults] : faults;
    if (!known || known.faults.length > all.length)
      found.set(name, { key, secret, faults: all });
  };
  for (const [at, secret] of secrets.entries()) {
    const clean = cleanSecret(secret);
    add(keyOf(secret, "standard"), at, []);
    add(keyOf(clean.secret, "standard"), at, clean.faults);
    for (const text of [clean.secret, clean.secret.replace(/^whsec_/, ""), secret])
      add(keyOf(text, "text"), at, [...clean.faults, "secret_not_decoded"]);
  }
  return [...found.values()];
}
