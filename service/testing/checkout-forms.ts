import type { ServiceClient } from "./service.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { openCheckout } from "../checkout/open.ts";

export async function postForm(
  service: Pick<ServiceClient, "call">,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const answer = await service.call(null, {
    method: "POST",
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
  const [path = "", text] = String(answer.headers.location).split("?");
  const query = new URLSearchParams(text);
  const cookie = String(answer.headers["set-cookie"] ?? "").split(";", 1)[0] ?? "";
  return { status: answer.statusCode, path, outcome: query.get("outcome"), query, cookie };
}

/** Requests a code. @returns the attempt's id, or "" if none started */
export async function requestCode(
  service: ServiceClient,
  id: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const { query, outcome } = await postForm(service, `/pay/${id}/code`, {
    method: "wallet",
    ...fields,
  });
  return (outcome === null && query.get("attempt")) || "";
}

/** Submits the code page as shown, or with values that a buyer should not be able to change. */
export async function submitCodePage(
  service: ServiceClient,
  id: string,
  attempt: string,
  changes: Record<string, string> = {},
) {
  const { amount } = await openCheckout(service.pool, id, service.clock.now());
  const shown = { attempt, code: testCodeOf(attempt), total: amount.total };
  const sent = await postForm(service, `/pay/${id}/pay`, { ...shown, ...changes });
  return { ...sent, reference: sent.path.replace("/sandbox-pay/", "") };
}

export const choosePaymentOutcome = (
  service: ServiceClient,
  reference: string,
  outcome: string,
) => postForm(service, `/sandbox-pay/${reference}`, { outcome });

export const notifyOfPayment = (service: ServiceClient, reference: string) =>
  postForm(service, "/pay-notices/sandbox", { reference });

export async function fetchCheckoutPage(service: ServiceClient, url: string, cookie = "") {
  const answer = await service.call(null, { url, headers: { cookie } });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
}

export async function paymentsOf({ pool }: ServiceClient, id: string) {
  const { rows } = await pool.query<{ amount: string; attempt_id: string | null }>(
    "select amount::text, attempt_id from payment where subscription_id = $1 order by paid_at",
    [id],
  );
  return rows;
}
