import { createHmac } from "node:crypto";
import { isSame } from "../outgoing/settings.ts";
import type { PaymentContext } from "./provider.ts";

const DAY_SECONDS = 86_400;

type Keys = Pick<PaymentContext, "publicUrl" | "secretsKeys">;

const isHttps = ({ publicUrl }: Keys) => publicUrl.startsWith("https:");
const nameOf = (keys: Keys) => `${isHttps(keys) ? "__Host-" : ""}duebook.payer`;
/** Nobody can make it who only knows the attempt's id; null without a key. */
const tokenOf = ({ secretsKeys: [key] }: Keys, attemptId: string) =>
  key ? createHmac("sha256", key).update(`payer:${attemptId}`).digest("base64url") : null;

/** The cookie of the browser in which an attempt's code was entered, for a day; null without a key. */
export function payerCookie(keys: Keys, attemptId: string): string | null {
  const token = tokenOf(keys, attemptId);
  const secure = isHttps(keys) ? "; Secure" : "";
  return (
    token &&
    `${nameOf(keys)}=${token}; Path=/; Max-Age=${DAY_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  );
}

/** @param cookies the header, of any browser */
export function isPayer(keys: Keys, attemptId: string, cookies = ""): boolean {
  const token = tokenOf(keys, attemptId);
  const given = cookies.split("; ").find((one) => one.startsWith(`${nameOf(keys)}=`));
  return token !== null && isSame(given, `${nameOf(keys)}=${token}`);
}
