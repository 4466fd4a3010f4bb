import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { findMessageClient } from "#lib/billing/message-account.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import { absenceOf, absenceOrFailure } from "../sending/data.ts";
import type { CustomerMessages } from "./queries.ts";
import { findBuyerLanguage } from "../reminders/buyer-language.ts";
import { readLanguages } from "../reminders/store.ts";
import { optOutsOf, type OptOutsResult } from "./rules.ts";

const SHOWN = 50;

/** The recipients who want no reminders, newest first. */
export async function listOptOuts(scope: Scope): Promise<OptOutsResult> {
  const { owner } = await requireSeller(scope, "customers:read");
  const client = await findMessageClient(owner);
  if (!client) return { absence: absenceOf(owner) };
  try {
    const page = await client.listOptOuts({ before: null, page_size: SHOWN });
    return { opt_outs: page.results, has_more: page.next !== null };
  } catch (error) {
    return absenceOrFailure(owner, error);
  }
}

/**
 * The opt-outs of a customer's phone and mail, and their language. @throws AppError `not_found`
 */
export async function getCustomerMessages(scope: Scope, id: string): Promise<CustomerMessages> {
  const { owner, billing, seller } = await requireSeller(scope, "customers:read");
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new AppError({ kind: "not_found" });
  const { buyer_phone: phone, buyer_email: email } = await billing.getCustomer(Number(id));
  const [client, language, languages] = await Promise.all([
    findMessageClient(owner),
    findBuyerLanguage(owner, { phone, customer_id: Number(id) }),
    readLanguages(database(), seller.id),
  ]);
  const words = [phone, email].map((word) => word.trim()).filter(Boolean);
  if (!client || words.length === 0) return { opt_outs: null, language, languages };
  const { results } = await client.findOptOuts(words);
  const { time_zone } = seller;
  return {
    opt_outs: optOutsOf(results, { phone, email, time_zone }),
    language,
    languages,
  };
}
