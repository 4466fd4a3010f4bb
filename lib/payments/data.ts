import "server-only";
import type { PhoneHome } from "#contract/phone-number.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import { getTranslations } from "next-intl/server";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { can } from "#lib/auth/permissions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { findPhoneOfCustomer } from "#lib/search-index/query/subscription-query.ts";
import type { Scope } from "#lib/scope.ts";
import { isSessionStillAllowed } from "#lib/auth/sessions/session.ts";
import { tableResponse } from "#lib/files/table-file.ts";
import { database } from "#lib/db/pool.ts";
import { dayInZone } from "#lib/format/format.ts";
import { returnPageUrl } from "./buyer-returns.ts";
import { paymentsFile } from "./payment-file.ts";
import type { SubscriptionPayments } from "./queries.ts";
import type { PaymentFileFormat, PaymentSearch } from "./search.ts";
import {
  countNewPayments,
  openPaymentsFile,
  readPayments,
  readSubscriptionPayments,
  type KnownPaymentSearch,
  type PaymentPage,
} from "./store.ts";

/** A page of payments, and the name of the buyer whose payments they are. */
interface ListedPayments extends PaymentPage {
  /** Null if the search names no buyer, or the index lacks them. */
  buyer: string | null;
}

/**
 * One page of verified payments, newest first. Only members who may read reports get sums over all
 * of them.
 */
export async function listPayments(
  scope: Scope,
  search: PaymentSearch,
): Promise<ListedPayments> {
  const { owner, seller, role } = await requireSeller(scope, "payments:read");
  const customer = await findBuyer(owner, search);
  const known = withBuyer(search, customer, seller);
  const page = await readPayments(database(), owner, known, seller.time_zone);
  const mayTotal = can(role, "reports:read");
  return {
    ...page,
    ...(!mayTotal && { totals: [], unknown: 0 }),
    buyer: customer?.full_name ?? null,
  };
}

const findBuyer = async (owner: KeyOwner, { customer }: PaymentSearch) =>
  customer === null ? null : findPhoneOfCustomer(database(), owner, customer);

/** A buyer who is not in the index has no payments here. */
const withBuyer = (
  search: PaymentSearch,
  buyer: { phone_key: string } | null,
  home: PhoneHome,
): KnownPaymentSearch =>
  search.customer === null
    ? search
    : { ...search, phone_keys: phoneSpellings(buyer?.phone_key ?? "", home) };

/** The number of matching payments after the newest one shown. */
export async function getNewPayments(
  scope: Scope,
  search: PaymentSearch,
  newest: string,
): Promise<{ count: number }> {
  const { owner, seller } = await requireSeller(scope, "payments:read");
  const known = withBuyer(search, await findBuyer(owner, search), seller);
  return {
    count: await countNewPayments(
      database(),
      owner,
      { search: known, newest },
      seller.time_zone,
    ),
  };
}

/** All matching payments as a file; the export is written to the audit log first. */
export async function exportPayments(
  scope: Scope,
  search: PaymentSearch,
  format: PaymentFileFormat,
): Promise<Response> {
  const signedIn = await requireSeller(scope, "payments:export");
  const { owner, seller, user, session, now } = signedIn;
  const known = withBuyer(search, await findBuyer(owner, search), seller);
  const { from, to, q } = search;
  const record = () =>
    auditExport(signedIn, {
      action: "proofs.export",
      detail: { format, ...(from && { from }), ...(to && { to }), ...(q && { words: "yes" }) },
    });
  const asker = {
    seller_id: owner.seller_id,
    user_id: user.id,
    busy: (await getTranslations("export"))("busy"),
    mayGoOn: () =>
      isSessionStillAllowed(database(), session, owner.seller_id, "payments:export"),
  };
  const t = await getTranslations("payments");
  const common = await getTranslations("format");
  const asked = { search: known, time_zone: seller.time_zone, asker, record };
  const { body } = await openPaymentsFile(database(), owner, asked, (rows) =>
    paymentsFile(rows, {
      t,
      paidWith: (method) => common("paidWith", { method }),
      format,
      time_zone: seller.time_zone,
    }),
  );
  const day = dayInZone(now, seller.time_zone);
  return tableResponse(`duebook-payments-${owner.mode}-${day}`, format, body);
}

/** The evidence for a subscription's payment, or why there is none. */
export async function getSubscriptionPayments(
  scope: Scope,
  subscription_id: string,
): Promise<SubscriptionPayments> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return readSubscriptionPayments(database(), owner, subscription_id);
}

/** The default page to which buyers return after a checkout. */
export async function getReturnPage(
  scope: Scope,
  permission: "seller:write" | "subscriptions:create",
): Promise<string> {
  const { owner } = await requireSeller(scope, permission);
  const { rows } = await database().query<{ return_token: string }>(
    "select return_token from seller where id = $1",
    [owner.seller_id],
  );
  return returnPageUrl(rows[0]?.return_token ?? "");
}
