import { keyOf, signDelivery } from "#lib/signature.ts";
import type { Examination } from "../rules.ts";

/** As text that the doctor reads again. */
export function requestText({ url, headers, body }: Repeated): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const first = ["POST", url].join(" ");
  return [first, ...lines, "", body].join("\n");
}

interface Repeated {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The same delivery, signed now: for a receiver that looks at the time. */
export async function signAnew(
  { signed, secret }: Pick<Examination, "signed" | "secret">,
  url: string,
  now: number,
): Promise<Repeated | null> {
  if (secret === null || keyOf(secret, "standard") === null || signed.body === "") return null;
  const id = signed.id || "msg_repeated";
  const headers = await signDelivery({ id, body: signed.body }, [secret], now);
  return {
    url,
    headers: { "content-type": "application/json", ...headers },
    body: signed.body,
  };
}
