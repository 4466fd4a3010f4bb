import "server-only";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";

// OWASP's argon2id setting; the algorithm is the library's default.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// One core stays free for pages.
const AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1));

// The hash of a discarded password: unknown users must take the same time as known ones.
const UNKNOWN_USER_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$oEQM8lQ/FiwYDnk8qaknmw$sgcD39Y7uUa/K//JK/KCbqNlQZV8Q2CuMo5Hsg5j2mc";

const SETTING = "$argon2id$v=19$m=19456,t=2,p=1$";

/** Equal characters from different keyboards are the same password. */
const normalise = (password: string) => password.normalize("NFC");

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalise(password), COST));
}

/** True for a hash with older parameters, which the next sign-in replaces. */
export const isOutdatedHash = (stored: string) => !stored.startsWith(SETTING);

/** Give null for a user who does not exist or has no password. */
export async function verifyPassword(
  stored: string | null,
  password: string,
): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? UNKNOWN_USER_HASH, normalise(password)));
  return matches && stored !== null;
}

let running = 0;
const waiting: (() => void)[] = [];

/** Hashing takes a core for 10 ms or more; more at once would delay other requests. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running < AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
