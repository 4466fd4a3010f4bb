import "server-only";
import { createHash } from "node:crypto";
import { logLine } from "#lib/log.ts";

const TIMEOUT_MS = 2_000;

/**
 * Whether a breached-passwords service knows the password (k-anonymity: only the first five of the forty digits
 * of its SHA-1 are sent; the answer has all suffixes and some padding). False if the service does not answer.
 * @param url the service's URL before the five digits
 */
export async function isBreached(
  password: string,
  url: string,
  timeout = TIMEOUT_MS,
): Promise<boolean> {
  const digits = createHash("sha1")
    .update(password.normalize("NFC"))
    .digest("hex")
    .toUpperCase();
  try {
    const response = await fetch(`${url.replace(/\/+$/, "")}/${digits.slice(0, 5)}`, {
      headers: { "add-padding": "true" },
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error("refused");
    return holds(await response.text(), digits.slice(5));
  } catch {
    logLine("BREACHED_PASSWORDS_URL did not answer: a new password was not looked up");
    return false;
  }
}

/** Padding entries have a count of 0. */
const holds = (lines: string, wanted: string) =>
  lines.split("\n").some((line) => {
    const [rest = "", count = ""] = line.trim().split(":");
    return rest.toUpperCase() === wanted && Number(count) > 0;
  });
