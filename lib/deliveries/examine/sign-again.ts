import { keyOf, signDelivery } from "#lib/signature.ts";
import type { Examination } from "./examine.ts";

/** The request as text that `readRequest` reads. */
export function requestText({ url, headers, body }: SignedRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const first = ["POST", url].join(" ");
  return [first, ...lines, "", body].join("\n");
}

interface SignedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Signs the same delivery with the current time. @returns null without a usable secret or a body */
export async function signAgain(
  { signed, secret }: Pick<Examination, "signed" | "secret">,
  url: string,
  now: number,
): Promise<SignedRequest | null> {
  if (secret === null || keyOf(secret, "standard") === null || signed.body === "") return null;
  const id = signed.id || "msg_repeated";
  const headers = await signDelivery({ id, body: signed.body }, [secret], now);
  return {
    url,
    headers: { "content-type": "application/json", ...headers },
    body: signed.body,
  };
}
