import { QuickGuide } from "#components/guide/quick-guide.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { SubscriptionStatusBadge } from "#components/subscriptions/subscription-status-badge.tsx";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("guide.title");

export default async function GuidePage({ params }: { params: ScopeParams }) {
  await sellerPage(params, "dashboard:open");
  const statuses = SUBSCRIPTION_STATUSES.map((status) => ({
    status,
    badge: <SubscriptionStatusBadge status={status} />,
  }));
  return (
    <ClientMessages of="guide">
      <QuickGuide statuses={statuses} />
    </ClientMessages>
  );
}
