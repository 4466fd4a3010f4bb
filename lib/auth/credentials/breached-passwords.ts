import "server-only";
import { createHash } from "node:crypto";
import { logLine } from "#lib/log.ts";

const PATIENCE = 2_000;

/**
 * Whether a service of breached passwords knows it. Only the first five of the forty digits of its SHA-1
 * go there, as such services ask for; all that begin so come back, with made-up ones among them.
 * A service that does not answer keeps nobody from a new password: then it is false.
 * @param url the address before the five digits
 */
export async function isBreached(
  password: string,
  url: string,
  patience = PATIENCE,
): Promise<boolean> {
  const digits = createHash("sha1")
    .update(password.normalize("NFC"))
    .digest("hex")
    .toUpperCase();
  try {
    const response = await fetch(`${url.replace(/\/+$/, "")}/${digits.slice(0, 5)}`, {
      headers: { "add-padding": "true" },
      redirect: "error",
      signal: AbortSignal.timeout(patience),
    });
    if (!response.ok) throw new Error("refused");
    return holds(await response.text(), digits.slice(5));
  } catch {
    logLine("BREACHED_PASSWORDS_URL did not answer: a new password was not looked up");
    return false;
  }
}

/** The made-up ones were seen 0 times. */
const holds = (lines: string, wanted: string) =>
  lines.split("\n").some((line) => {
    const [rest = "", count = ""] = line.trim().split(":");
    return rest.toUpperCase() === wanted && Number(count) > 0;
  });
