import "server-only";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import { findPaymentClient } from "#lib/billing/account.ts";
import { findActiveChannel } from "#lib/billing/message-account.ts";
import { listOpenTasks, type PaymentClient } from "#lib/billing/payment-client.ts";
import { database, isStorableText } from "#lib/db/pool.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import { AppError } from "#lib/failure.ts";
import { dayInZone } from "#lib/format/format.ts";
import type { Scope } from "#lib/scope.ts";
import type { OpenRequests, PaidByHand, WaitingMoney } from "./queries.ts";
import { readSaidPaid } from "./said-paid-store.ts";
import { openRequestsOf, readWaitingMoney } from "./waiting-money.ts";

/** The most tasks shown on one subscription. */
const MOST_TASKS = 10;

/** @throws AppError `not_offered` at a service that cannot record payments */
export async function requirePaymentClient({ owner }: SignedIn): Promise<PaymentClient> {
  const client = await findPaymentClient(owner);
  if (!client) throw new AppError({ kind: "not_offered" });
  return client;
}

export async function getPaidByHand(
  scope: Scope,
  subscription_id: string,
): Promise<PaidByHand> {
  const signedIn = await requireSeller(scope, "payments:read");
  const { owner, seller } = signedIn;
  const client = await findPaymentClient(owner);
  const today = dayInZone(await serviceNow(signedIn), seller.time_zone);
  if (!client) {
    const which = { subscription_id: isStorableText(subscription_id) ? subscription_id : "" };
    return { service: "other", today, notes: await readSaidPaid(database(), owner, which) };
  }
  const [owed, { results: payments }, tasks, requests, has_channel] = await Promise.all([
    client.readOwed(subscription_id),
    client.listPayments(subscription_id),
    listOpenTasks(client, { page_size: MOST_TASKS, subscription_id }),
    client.listRequests({ subscription_id }),
    findActiveChannel(owner),
  ]);
  return {
    service: "own",
    today,
    ...owed,
    payments,
    to_check: tasks.results,
    requests: requests.results,
    has_channel: has_channel === true,
  };
}

/** Work that waits for a member; see WaitingMoney. */
export async function getMoneyTasks(scope: Scope): Promise<WaitingMoney> {
  const { owner } = await requireSeller(scope, "payments:read");
  return readWaitingMoney(database(), owner);
}

/** Open requests of buyers after the first page of `getMoneyTasks`. */
export async function getOlderRequests(scope: Scope, before: string): Promise<OpenRequests> {
  const signedIn = await requireSeller(scope, "payments:read");
  const client = await requirePaymentClient(signedIn);
  return openRequestsOf(await client.listRequests({ before }));
}

/** The photo of a recorded payment, as a file that no browser runs. */
export async function getPaymentPhoto(scope: Scope, id: string): Promise<Response> {
  const signedIn = await requireSeller(scope, "payments:read");
  const photo = await (await requirePaymentClient(signedIn)).readPhoto(id);
  const type = PHOTO_TYPES.get(photo.media_type);
  if (!type) throw new AppError({ kind: "not_found" });
  return new Response(Buffer.from(photo.content, "base64"), {
    headers: {
      "content-type": photo.media_type,
      "content-disposition": `inline; filename="receipt.${type}"`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  });
}

const PHOTO_TYPES = new Map<string, string>([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["application/pdf", "pdf"],
]);
