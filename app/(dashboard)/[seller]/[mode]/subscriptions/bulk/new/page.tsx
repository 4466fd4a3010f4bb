import { notFound } from "next/navigation";
import { BulkPlanPage } from "#components/subscriptions/bulk/bulk-plan-page.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { can } from "#lib/auth/permissions.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { OPERATIONS } from "#lib/subscriptions/rules.ts";

export const generateMetadata = pageTitle("bulk.one");

export default async function NewBulkRunPage({ params, searchParams }: SellerPageProps) {
  const { role } = await sellerPage(params, "subscriptions:read");
  const { action } = await searchParams;
  const operation = OPERATIONS.find((one) => one === action) ?? null;
  if (operation && !can(role, `subscriptions:${operation}`)) notFound();
  return <BulkPlanPage operation={operation} />;
}
