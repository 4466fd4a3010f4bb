import "server-only";
import * as z from "zod";
import { HAND_METHODS, MAX_DOCUMENT_BYTES } from "#contract/names.ts";
import type { RecordedPayment } from "#contract/recorded-payments.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { writeAudit } from "#lib/auth/guards/write-audit.ts";
import { database } from "#lib/db/pool.ts";
import { invalidInput } from "#lib/failure.ts";
import { readUpload } from "#lib/files/read-upload.ts";
import { message } from "#lib/i18n/message.ts";
import type { Scope } from "#lib/scope.ts";
import { requirePaymentClient } from "./data.ts";

/** Bytes of a body with a photo in base64 and the other fields. */
const MOST_BYTES = Math.ceil((MAX_DOCUMENT_BYTES * 4) / 3) + 10_000;

const Input = z.object({
  key: z.uuid(),
  amount: z.string().trim().max(40),
  period_start: z.string().max(40).nullable(),
  method: z.enum(HAND_METHODS),
  reference: z.string().max(400),
  received_on: z.string().max(10),
  photo: z.string().optional(),
});

/**
 * Records a payment that came without the checkout. A route, because actions take at most 1 MB.
 * @throws AppError `validation` and `conflict` in the service's words
 */
export async function recordPayment(
  scope: Scope,
  request: Request,
  subscription_id: string,
): Promise<RecordedPayment> {
  const signedIn = await requireSeller(scope, "payments:record");
  const { owner, user } = signedIn;
  const bytes = await readUpload(request, {
    mostBytes: MOST_BYTES,
    empty: "byHand.record.empty",
    large: "byHand.record.large",
  });
  const { key, ...input } = readInput(bytes.toString());
  const client = await requirePaymentClient(signedIn);
  const by = { id: user.id, name: user.name };
  const kept = await client.record(subscription_id, { ...input, by }, key);
  await writeAudit(database(), {
    action: "payment.record",
    seller_id: owner.seller_id,
    mode: owner.mode,
    user_id: user.id,
    subscription_id,
    result: "done",
    detail: { amount: kept.amount, currency: kept.currency, method: kept.method },
  });
  return kept;
}

function readInput(text: string): z.output<typeof Input> {
  try {
    return Input.parse(JSON.parse(text));
  } catch {
    throw invalidInput(message("byHand.record.empty"));
  }
}
