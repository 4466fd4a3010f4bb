import { redirect } from "next/navigation";
import { CustomerNotFound } from "#components/customers/customer-not-found.tsx";
import { sellerPage, type RecordParams } from "#lib/auth/guards/seller-page.ts";
import { expectedFailure } from "#lib/failure.ts";
import { findCustomerOf } from "#lib/customers/data.ts";
import { customerPath } from "#lib/customers/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("customers.one");

/** Redirects from a subscription to its customer, whose id the subscription does not have. */
export default async function CustomerOfPage({ params }: { params: Promise<RecordParams> }) {
  const { scope } = await sellerPage(params, "customers:read");
  const { id } = await params;
  const lookup = await findCustomerOf(scope, id).catch(expectedFailure);
  if ("kind" in lookup) return <CustomerNotFound failure={lookup} lookup={null} />;
  if (lookup.customer) redirect(customerPath(scope, lookup.customer));
  return <CustomerNotFound failure={null} lookup={lookup} />;
}
