import "server-only";
import { DEFAULT_PAGE_SIZE } from "#contract/names.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { can } from "#lib/auth/permissions.ts";
import { findOwnAccount } from "#lib/billing/account.ts";
import { findActiveChannel } from "#lib/billing/message-account.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import { expectedFailure, isMissing } from "#lib/failure.ts";
import { endOfMonth } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { fetchBills, fetchFiscalYearKind } from "./files.ts";
import { listedMonths } from "#lib/payments/statement/search.ts";
import type { Scope } from "#lib/scope.ts";
import { listedFiscalYears } from "./fiscal-year.ts";
import type { BillListResult, BillSettingsResult } from "./rules.ts";
import type { BillSearch } from "./search.ts";

/** The settings of bills that are issued from now on. */
export async function getBillSettings(scope: Scope): Promise<BillSettingsResult> {
  const { owner } = await requireSeller(scope, "connection:read");
  const opened = await findOwnAccount(owner);
  if (!opened) return { absence: "elsewhere" };
  try {
    const [settings, has_channel] = await Promise.all([
      opened.account.readBillSettings(),
      findActiveChannel(owner),
    ]);
    return { settings, has_channel };
  } catch (error) {
    if (isMissing(error)) return { absence: "not_offered" };
    return { failure: expectedFailure(error) };
  }
}

const YEARS_LISTED = 6;

/** One page of bills, newest first. Only members who may read reports get sums over all of them. */
export async function listBills(
  scope: Scope,
  { q, year, month, before }: BillSearch,
): Promise<BillListResult> {
  const signedIn = await requireSeller(scope, "payments:read");
  const { billing, seller, role } = signedIn;
  const query = {
    order: "newest",
    ...(q !== null && { number: q }),
    ...(year !== null && { fiscal_year: year }),
    ...(month !== null && { from: `${month}-01`, until: endOfMonth(`${month}-01`) }),
    ...(before !== null && { after: before }),
  };
  try {
    const page = await fetchBills(billing, query, DEFAULT_PAGE_SIZE);
    if (page === null) return null;
    const [kind, now] = await Promise.all([fetchFiscalYearKind(billing), serviceNow(signedIn)]);
    const day = dayInZone(now, seller.time_zone);
    const newest = day.slice(0, 7);
    return {
      bills: page.results,
      totals: can(role, "reports:read") ? (page.totals ?? []) : [],
      next: page.next === null ? null : (page.results.at(-1)?.id ?? null),
      years: listedFiscalYears(kind, { day, chosen: year, count: YEARS_LISTED }),
      months: listedMonths(newest, month ?? newest),
      newest,
    };
  } catch (error) {
    return { failure: expectedFailure(error) };
  }
}
